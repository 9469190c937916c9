"""Random play in batches, with the observation and the byte mask of every decision written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.measure import Rates, interleave, per_second
from manjerico.core.batch import BatchEnv
from manjerico.core.game import names

SIZES = (1, 64, 1024, 8192)
STEPS_AT_ONCE = 20


@contextmanager
def pinned(cores: int) -> Iterator[None]:
    """All threads of this process on so many cores; libraries begin theirs early and never ask again."""
    before = os.sched_getaffinity(0)
    chosen = sorted(before)[:cores]
    try:
        _pin(chosen)
        yield
    finally:
        _pin(sorted(before))


def _pin(cores: list[int]) -> None:
    for thread in Path("/proc/self/task").iterdir():
        os.sched_setaffinity(int(thread.name), cores)


def decisions(name: str, games: int, threads: int) -> Callable[[], int]:
    """Plays some steps with two players, each a uniformly random legal action; returns the number of decisions."""
    batch = BatchEnv(name, games, 2, autoreset="same_step", seed=1, threads=threads, copy=False)
    generator = np.random.default_rng(1)
    batch.reset()

    def play() -> int:
        for _ in range(STEPS_AT_ONCE):
            batch.step(batch.sample_actions(generator))
        return STEPS_AT_ONCE * games

    return play


def run(slices: int, seconds: float, cores: tuple[int, ...] = (1, 2)) -> list[Rates]:
    """Decisions per second for every game, size and number of cores."""
    figures: list[Rates] = []
    for threads in cores:
        subjects = {
            f"{name}, {games} games, {threads} core{'s' if threads > 1 else ''}": per_second(
                decisions(name, games, threads)
            )
            for games in SIZES
            for name in names()
        }
        with pinned(threads):
            figures += interleave(subjects, "decisions/s", slices, seconds)
    return figures
