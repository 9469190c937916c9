"""MaskablePPO on our environment beside the same on one of the same shapes that costs nothing."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from benchmarks.measure import Rates, ratio
from manjerico.agents.network import NetworkAgent
from manjerico.core.batch import BatchEnv
from manjerico.core.game import find, names
from manjerico.core.opponents import Opponents
from manjerico.experiments.vec_env import BatchVecEnv

GAMES = 256
ROLLOUT = 64
PAST = "past selves"


class NullEnv(BatchVecEnv):
    """Every step returns the observations and masks of the beginning."""

    def reset(self) -> np.ndarray:
        self.seen = super().reset()
        return self.seen

    def step_wait(self) -> VecEnvStepReturn:
        return self.seen, np.zeros(GAMES, np.float32), np.zeros(GAMES, bool), [{} for _ in range(GAMES)]


def _model(env: BatchVecEnv) -> MaskablePPO:
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=ROLLOUT,
        batch_size=2048,
        n_epochs=3,
        policy_kwargs={"net_arch": [256, 256], "activation_fn": torch.nn.ReLU},
        seed=0,
        device="cpu",
    )


def _env(kind: type[BatchVecEnv], name: str, opponents: Opponents) -> BatchVecEnv:
    lookahead = find(name).lookahead is not None
    return kind(
        BatchEnv(name, GAMES, 2, opponents=opponents, seat="random", autoreset="same_step", lookahead=lookahead)
    )


def _update(model: MaskablePPO) -> float:
    """Samples per second of one rollout and the update after it."""
    began = time.perf_counter()
    model.learn(GAMES * ROLLOUT, reset_num_timesteps=False)
    return GAMES * ROLLOUT / (time.perf_counter() - began)


def run(slices: int) -> tuple[list[Rates], dict[str, float]]:
    """Samples per second against scripted opponents and past selves, and their shares of the null environment's."""
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)
    figures: list[Rates] = []
    shares: dict[str, float] = {}
    for name in names():
        models: dict[str, Any] = {"null environment": _model(_env(NullEnv, name, "random"))}
        pools: dict[str, Opponents] = {
            "random and greedy": ["random", "greedy"],
            PAST: {"random": 0.1, "greedy": 0.4, NetworkAgent(models["null environment"], seed=0): 0.5},
        }
        models |= {f"against {label}": _model(_env(BatchVecEnv, name, pool)) for label, pool in pools.items()}
        rates: dict[str, list[float]] = {label: [] for label in models}
        for model in models.values():
            _update(model)
        for _ in range(slices):
            for label, model in models.items():
                rates[label].append(_update(model))
        null, *ours = [Rates(f"MaskablePPO, {name}, {label}", "samples/s", values) for label, values in rates.items()]
        figures += [null, *ours]
        shares |= {f"{figure.name} / null environment": ratio(figure, null) for figure in ours}
    return figures, shares
