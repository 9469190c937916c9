"""Random play through ``agent_iter()``, ``last()`` and ``step()``, beside PettingZoo's ``connect_four_v3``."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

from arraial_env import arraial_v0
from azul_env import azul_v0
from benchmarks.measure import TIMES, Findings, Rates, interleave, per_second, ratio

THEIRS = "connect_four_v3"


def cheap_sampler(_env: Any, _agent: str, mask: Any) -> int:
    """A random index into the mask's non-zeros: the same cheap sampler for every environment."""
    legal = mask.nonzero()[0]
    return int(legal[int(random.random() * len(legal))])  # noqa: S311  # no cryptography


def space_sampler(env: Any, agent: str, mask: Any) -> Any:
    """Each environment's own action space."""
    return env.action_space(agent).sample(mask)


def episode(env: Any, sample: Callable[[Any, str, Any], Any]) -> Callable[[], int]:
    """Plays one episode with the next seed; returns the number of steps."""
    seeds = itertools.count()

    def play() -> int:
        steps = 0
        env.reset(seed=next(seeds))
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else sample(env, agent, observation["action_mask"]))
            steps += 1
        return steps

    return play


def run(slices: int, seconds: float) -> Findings:
    """Steps per second with both samplers, and our multiples of theirs."""
    from pettingzoo.classic import connect_four_v3

    makers = {"arraial_v0": arraial_v0.env, "azul_v0": azul_v0.env, THEIRS: connect_four_v3.env}
    figures: list[Rates] = []
    multiples: dict[str, tuple[float, str]] = {}
    for label, sample in (("cheap sampler", cheap_sampler), ("action_space.sample", space_sampler)):
        subjects = {f"{name}, {label}": per_second(episode(make(), sample)) for name, make in makers.items()}
        *ours, theirs = interleave(subjects, "steps/s", slices, seconds)
        figures += [*ours, theirs]
        for figure in ours:
            multiples[f"{figure.name.split(',')[0]} / {THEIRS}, {label}"] = ratio(figure, theirs), TIMES
    return Findings(figures, multiples)
