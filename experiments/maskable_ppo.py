"""MaskablePPO of Stable-Baselines3's contributions as a learner."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import LinearSchedule

from manjerico.agents.network import NetworkAgent, ViewingPolicy
from manjerico.core.batch import BatchEnv
from manjerico.experiments.config import TrainConfig
from manjerico.experiments.vec_env import BatchVecEnv


class MaskablePPOLearner:
    """A fresh MaskablePPO on a batch; see :class:`~manjerico.experiments.learner.Learner`.

    Args:
        settings: of the run.
        batch: what it plays; with ``copy=True``.
        logs: folder for TensorBoard.
    """

    MODEL: ClassVar[str] = "model.zip"

    def __init__(self, settings: TrainConfig, batch: BatchEnv, logs: Path) -> None:
        # The simplex check of a categorical distribution fails on rounding errors at this many actions, and costs time.
        torch.distributions.Distribution.set_default_validate_args(False)
        self.games = BatchVecEnv(batch)
        self._logs = str(logs)
        network: dict[str, Any] = {"net_arch": list(settings.layers), "activation_fn": torch.nn.ReLU}
        if batch.game.action_views is not None:
            network["views"] = batch.game.action_views(batch.rules, batch.num_players)
        self.model = MaskablePPO(
            "MlpPolicy" if batch.game.action_views is None else ViewingPolicy,
            self.games,
            n_steps=settings.rollout,
            batch_size=settings.minibatch,
            n_epochs=settings.epochs,
            learning_rate=LinearSchedule(settings.learning_rate, settings.final_learning_rate, 1.0),
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip_range,
            ent_coef=settings.entropy_weight,
            policy_kwargs=network,
            seed=settings.seed,
            tensorboard_log=self._logs,
            device="cpu",
        )

    @property
    def steps(self) -> int:
        return self.model.num_timesteps

    @property
    def network(self) -> torch.nn.Module:
        return self.model.policy

    def agent(self, seed: int | None = None) -> NetworkAgent:
        return NetworkAgent(self.model, seed)

    def learn(self, until: int, between_updates: Callable[[], None], tell: Callable[[int], None]) -> None:
        callback = _Callback(between_updates, tell)
        self.model.learn(until - self.steps, callback, tb_log_name="ppo", reset_num_timesteps=False)

    def save_model(self, file: Path) -> None:
        with file.open("wb") as opened:
            self.model.save(opened)

    def save(self, folder: Path) -> None:
        self.save_model(folder / self.MODEL)
        # SB3 samples with torch's global generator, and shuffles with NumPy's.
        torch.save(torch.get_rng_state(), folder / "torch.pt")
        name, keys, *rest = np.random.get_state(legacy=True)  # noqa: NPY002
        (folder / "numpy.json").write_text(json.dumps([name, np.asarray(keys).tolist(), *rest]), encoding="utf-8")

    def load(self, folder: Path) -> None:
        self.model = MaskablePPO.load(
            folder / self.MODEL, env=self.games, device="cpu", force_reset=False, tensorboard_log=self._logs
        )
        name, keys, *rest = json.loads((folder / "numpy.json").read_text(encoding="utf-8"))
        np.random.set_state((name, np.array(keys, np.uint32), *rest))  # noqa: NPY002
        torch.set_rng_state(torch.load(folder / "torch.pt", weights_only=True))


class _Callback(BaseCallback):
    def __init__(self, between_updates: Callable[[], None], tell: Callable[[int], None]) -> None:
        super().__init__()
        self._between_updates, self._tell = between_updates, tell

    def _on_rollout_start(self) -> None:
        self._between_updates()

    def _on_step(self) -> bool:
        self._tell(self.num_timesteps)
        return True
