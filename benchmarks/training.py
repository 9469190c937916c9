"""Training: MaskablePPO on our games beside the same where games cost nothing, and the lean PPO beside both."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from benchmarks.measure import TIMES, Findings, Rates, ratio
from manjerico.core.batch import BatchEnv
from manjerico.core.game import find, names
from manjerico.core.opponents import Opponents
from manjerico.experiments import config
from manjerico.experiments.config import TrainConfig
from manjerico.experiments.learner import Learner
from manjerico.experiments.maskable_ppo import MaskablePPOLearner
from manjerico.experiments.ppo import PPO, computes_bfloat16
from manjerico.experiments.vec_env import BatchVecEnv


class NullEnv(BatchVecEnv):
    """Every step returns the observations and masks of the beginning."""

    def reset(self) -> np.ndarray:
        self.seen = super().reset()
        return self.seen

    def step_wait(self) -> VecEnvStepReturn:
        games = self.num_envs
        return self.seen, np.zeros(games, np.float32), np.zeros(games, bool), [{} for _ in range(games)]


def _batch(settings: TrainConfig, opponents: Opponents, copy: bool) -> BatchEnv:
    game = find(settings.game)
    return BatchEnv(
        game,
        settings.envs,
        settings.players,
        opponents=opponents,
        seat="random",
        reward=settings.reward,
        reward_scale=settings.reward_scale,
        autoreset="same_step",
        lookahead=game.lookahead is not None,
        copy=copy,
    )


def _learners(name: str, logs: Path) -> dict[str, Learner]:
    """What is compared, with the settings of the game's demo."""
    settings = config.build(config.preset(name, "demo"))
    null = MaskablePPOLearner(settings, _batch(settings, "random", copy=True), logs)
    scripted: Opponents = ["random", "greedy"]
    past: Opponents = {"random": 0.1, "greedy": 0.4, null.agent(seed=0): 0.5}
    learners: dict[str, Learner] = {
        "MaskablePPO, null environment": null,
        "MaskablePPO, random and greedy": MaskablePPOLearner(settings, _batch(settings, scripted, copy=True), logs),
        "MaskablePPO, past selves": MaskablePPOLearner(settings, _batch(settings, past, copy=True), logs),
    }
    null.games = NullEnv(null.games.batch)
    null.model.set_env(null.games)
    for precision in ["float32", "bfloat16"] if computes_bfloat16() else ["float32"]:
        lean = config.build({**config.preset(name, "demo"), "learner": "ppo", "precision": precision})
        learners[f"PPO {precision}, past selves"] = PPO(lean, _batch(lean, past, copy=False), logs)
    return learners


def _samples_per_second(learner: Learner) -> float:
    """Of one rollout and the update after it."""
    before, began = learner.steps, time.perf_counter()
    learner.learn(before + 1, _nothing, lambda _: None)
    return (learner.steps - before) / (time.perf_counter() - began)


def _nothing() -> None:
    """Is due between two updates."""


MOST_SLICES = 5
"""An update takes seconds."""


def run(slices: int, _seconds: float) -> Findings:
    """Samples per second; MaskablePPO's as shares of the null environment's, the lean PPO's as multiples of its."""
    torch.set_num_threads(1)
    figures: list[Rates] = []
    multiples: dict[str, tuple[float, str]] = {}
    with ExitStack() as stack:
        for name in names():
            learners = _learners(name, Path(stack.enter_context(TemporaryDirectory())))
            rates: dict[str, list[float]] = {label: [] for label in learners}
            for learner in learners.values():
                _samples_per_second(learner)
            for _ in range(min(slices, MOST_SLICES)):
                for label, learner in learners.items():
                    rates[label].append(_samples_per_second(learner))
            null, scripted, past, *lean = [Rates(f"{name}, {what}", "samples/s", r) for what, r in rates.items()]
            figures += [null, scripted, past, *lean]
            multiples |= {f"{ours.name} / {null.name}": (ratio(ours, null), TIMES) for ours in (scripted, past)}
            multiples |= {f"{ours.name} / {past.name}": (ratio(ours, past), TIMES) for ours in lean}
    return Findings(figures, multiples)
