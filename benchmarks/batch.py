"""Random play in batches, with the observation and the byte mask of every decision written."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import TIMES, Findings, interleave, per_second, ratio
from manjerico.core.batch import BatchEnv
from manjerico.core.game import find, names

SIZES = (1, 64, 256, 1024, 8192)
APART = 1024
"""The size of the batches that two processes play, each its own: what the machine's two cores can do."""

VARIANTS: dict[str, dict[str, Any]] = {
    "with copies": {"copy": True},
    "among random opponents": {"opponents": "random"},
    "among greedy opponents": {"opponents": "greedy"},
    "with lookahead": {"lookahead": True},
}
"""What else a batch of that size may do."""

STEPS_AT_ONCE = 20


@contextmanager
def pinned(cores: int) -> Iterator[None]:
    """All threads of this process on so many cores; libraries begin theirs early and never ask again."""
    before = os.sched_getaffinity(0)
    try:
        _pin(sorted(before)[:cores])
        yield
    finally:
        _pin(sorted(before))


def _pin(cores: list[int]) -> None:
    for thread in Path("/proc/self/task").iterdir():
        os.sched_setaffinity(int(thread.name), cores)


def decisions(name: str, games: int, threads: int, **options: Any) -> Callable[[], int]:
    """Plays some steps with two players, each a uniformly random legal action; returns the number of decisions, those
    of opponents not counted."""
    batch = BatchEnv(name, games, 2, autoreset="same_step", seed=1, threads=threads, **{"copy": False, **options})
    generator = np.random.default_rng(1)
    batch.reset()

    def play() -> int:
        for _ in range(STEPS_AT_ONCE):
            batch.step(batch.sample_actions(generator))
        return STEPS_AT_ONCE * games

    return play


def apart(name: str, games: int) -> Callable[[], int]:
    """The same in two processes that have nothing in common."""
    context = multiprocessing.get_context("spawn")
    pipes = []
    for _ in range(2):
        ours, theirs = context.Pipe()
        context.Process(target=_play_when_told, args=(theirs, name, games), daemon=True).start()
        pipes.append(ours)

    def play() -> int:
        for pipe in pipes:
            pipe.send(True)
        return sum(pipe.recv() for pipe in pipes)

    return play


def _play_when_told(pipe: Connection, name: str, games: int) -> None:
    play = decisions(name, games, threads=1)
    with suppress(EOFError):  # the other process has ended
        while pipe.recv():
            pipe.send(play())


def run(slices: int, seconds: float, sizes: tuple[int, ...] = SIZES) -> Findings:
    """Decisions per second for every game, size and number of cores, and what the second core gives."""
    subjects = {}
    for name in names():
        for games in sizes:
            for threads in (1, 2):
                subjects[_label(name, games, threads)] = per_second(decisions(name, games, threads))
        subjects[f"{name}, {APART} games in each of 2 processes"] = per_second(apart(name, APART))
        for what, options in VARIANTS.items():
            if "lookahead" not in options or find(name).lookahead is not None:
                subjects[f"{name}, {APART} games {what}, 1 core"] = per_second(decisions(name, APART, 1, **options))
    figures = interleave(subjects, "decisions/s", slices, seconds)
    by_name = {figure.name: figure for figure in figures}
    multiples = {}
    for name in names():
        for games in sizes:
            one, two = (by_name[_label(name, games, threads)] for threads in (1, 2))
            multiples[f"{two.name} / {one.name}"] = ratio(two, one), TIMES
        processes, one = by_name[f"{name}, {APART} games in each of 2 processes"], by_name[_label(name, APART, 1)]
        multiples[f"{processes.name} / {one.name}"] = ratio(processes, one), TIMES
    return Findings(figures, multiples)


def _label(name: str, games: int, cores: int) -> str:
    return f"{name}, {games} games, {cores} core{'s' if cores > 1 else ''}"
