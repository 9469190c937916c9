"""Compiled random playouts on one core, the legal set computed at every decision, beside a fixed loop as yardstick."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.measure import Findings, interleave, per_second
from manjerico.core import rng
from manjerico.core.compile import I64, U64, kernel
from manjerico.core.game import find, names
from manjerico.core.tape import NO_TAPE

GAMES = 1000
YARDSTICK_DRAWS = 10_000_000


@kernel(U64(I64))
def yardstick(draws: int) -> Any:
    """A fixed loop of the generator: tells a slow machine from slow code."""
    total = np.uint64(0)
    for k in range(draws):
        total ^= rng.mix(np.uint64(k))
    return total


def _yardstick() -> int:
    yardstick(YARDSTICK_DRAWS)
    return YARDSTICK_DRAWS


def playouts(name: str, players: int) -> Callable[[], int]:
    """Plays some games with the next seeds; returns the number of decisions."""
    game = find(name)
    rules = game.rules()
    params, states = game.make_params(rules), np.zeros(1, game.state)
    words = np.zeros((game.num_actions(rules) + 63) // 64, np.uint64)
    stream = np.array([1, 0], np.uint64)
    seeds = itertools.count(0, GAMES)

    def play() -> int:
        decisions: int = game.playouts(
            params, states, 0, words, stream, NO_TAPE, np.uint64(next(seeds)), players, GAMES
        )
        return decisions

    return play


def run(slices: int, seconds: float) -> Findings:
    """Decisions per second for every game and number of players."""
    subjects = {
        f"{name}, {players} players": per_second(playouts(name, players))
        for name in names()
        for players in find(name).players
    }
    subjects["yardstick (generator, draws/s)"] = per_second(_yardstick)
    return Findings(interleave(subjects, "decisions/s", slices, seconds))
