"""The exact value of endings in which nothing is drawn any more, compiled for one game.

Every line is played to the end; each player takes what is best for itself (max^n: Luckhardt, Irani, "An algorithmic
solution of n-person games", 1986), the first such action if several are. Positions that were met before are looked up,
so that the order of independent moves costs nothing. A position counts as unsolved as soon as one of its lines draws
from the game's chance, or if there are too many.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy import int64, uint64

from manjerico.agents.stakes import STAKES, write_results
from manjerico.core import bits, rng
from manjerico.core.compile import DOUBLE_ROWS, I64, INTS, TAPE, WORD_ROWS, WORDS, helper, kernel, record_array
from manjerico.core.drivers import list_members
from manjerico.core.game import Game
from manjerico.core.rules import Rules
from manjerico.core.tape import NO_TAPE

DEEPEST = 128
"""Decisions from the position to the end."""

GENERATOR_WORDS = 2
"""A state's first words are its generator, which has no part in what a position is."""

UNSOLVED = -1


@helper
def _hash(words: Any) -> Any:
    """Of a state's words, but for the generator; never 0, which marks a free place."""
    mixed = uint64(0)
    for k in range(GENERATOR_WORDS, words.size):
        mixed = rng.mix(mixed ^ words[k]) + rng.GOLDEN
    return mixed | uint64(1)


@helper
def _place(keys: Any, key: Any) -> Any:
    """Where a key is in the table, or belongs; its size is a power of two and more than it holds."""
    place = int64(key >> uint64(1)) & (keys.size - 1)
    while keys[place] != uint64(0) and keys[place] != key:
        place = (place + 1) & (keys.size - 1)
    return place


@helper
def _copy(row: Any, out: Any) -> None:
    for seat in range(out.size):
        out[seat] = row[seat]


@functools.cache
def make_solve(game: Game) -> Callable[..., Any]:
    """``solve(params, states, raw, words, found, hashes, values, keys, known, stakes, no_tape, budget) -> used``.

    Writes what the position in ``states[0]`` is worth to each seat to ``values[0]``; returns how many positions it
    took, or ``UNSOLVED``. ``raw`` are the states as words; a row of each array belongs to a depth, but ``keys`` and
    ``known`` are the table.
    """
    legal_actions, apply = game.legal_actions, game.apply
    params_type, states_type = game.types

    @helper
    def enter(
        params: Any,
        states: Any,
        raw: Any,
        words: Any,
        found: Any,
        hashes: Any,
        values: Any,
        keys: Any,
        known: Any,
        stakes: Any,
        depth: Any,
    ) -> Any:
        """Whether the position's value is known at once; else its actions are listed."""
        if int64(states[depth]["player"]) < 0:
            write_results(states[depth], stakes[0], values[depth])
            return True
        hashes[depth] = _hash(raw[depth])
        place = _place(keys, hashes[depth])
        if keys[place] != uint64(0):
            _copy(known[place], values[depth])
            return True
        legal_actions(params, states, depth, words[depth])
        found[depth] = 0
        return False

    @helper
    def next_action(words: Any) -> Any:
        """Takes the lowest action out of the set; -1 if there is none."""
        for k in range(words.size):
            if words[k] != uint64(0):
                action = 64 * k + bits.lowest(words[k])
                words[k] &= words[k] - uint64(1)
                return action
        return int64(-1)

    @kernel(
        I64(
            params_type,
            states_type,
            WORD_ROWS,
            WORD_ROWS,
            INTS,
            WORDS,
            DOUBLE_ROWS,
            WORDS,
            DOUBLE_ROWS,
            record_array(STAKES),
            TAPE,
            I64,
        )
    )
    def solve(
        params: Any,
        states: Any,
        raw: Any,
        words: Any,
        found: Any,
        hashes: Any,
        values: Any,
        keys: Any,
        known: Any,
        stakes: Any,
        no_tape: Any,
        budget: int,
    ) -> Any:
        used, depth = int64(1), int64(0)
        done = enter(params, states, raw, words, found, hashes, values, keys, known, stakes, depth)
        while True:
            action = int64(-1) if done else next_action(words[depth])
            if action >= 0:
                if used == budget or depth + 1 == DEEPEST:
                    return int64(UNSOLVED)
                states[depth + 1] = states[depth]
                apply(params, states, depth + 1, action, no_tape)
                if uint64(states[depth + 1]["rng"][1]) != uint64(states[depth]["rng"][1]):
                    return int64(UNSOLVED)
                used, depth = used + 1, depth + 1
                done = enter(params, states, raw, words, found, hashes, values, keys, known, stakes, depth)
                continue
            if not done:
                place = _place(keys, hashes[depth])
                keys[place] = hashes[depth]
                _copy(values[depth], known[place])
            if depth == 0:
                return used
            depth -= 1
            seat = int64(states[depth]["player"])
            if found[depth] == 0 or values[depth + 1, seat] > values[depth, seat]:
                _copy(values[depth + 1], values[depth])
                found[depth] = 1
            done = False

    return solve


class Solver:
    """Solves endings.

    Args:
        game: of the states.
        rules: likewise.
        stakes: a single record of ``STAKES``.
        budget: positions that are looked at before it gives up.
    """

    def __init__(self, game: Game, rules: Rules, stakes: npt.NDArray[np.void], budget: int) -> None:
        seats = game.state["score"].shape[0]
        self.game, self.stakes, self.budget = game, stakes, budget
        self._params = game.make_params(rules)
        self._solve = make_solve(game)
        self._states = np.zeros(DEEPEST, game.state)
        self._words = np.zeros((DEEPEST, (game.num_actions(rules) + 63) // 64), np.uint64)
        self._members = np.zeros(game.num_actions(rules), np.int64)
        self._found = np.zeros(DEEPEST, np.int64)
        self._hashes = np.zeros(DEEPEST, np.uint64)
        self._values = np.zeros((DEEPEST, seats))
        size = 1 << (2 * budget - 1).bit_length()
        self._keys = np.zeros(size, np.uint64)
        self._known = np.zeros((size, seats))

    def solve(self, state: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]] | None:
        """The legal actions, and what each is worth to each seat [actions, seats]; None: the position is unsolved."""
        self._keys[:] = 0
        left = self.budget
        self._states[0] = state
        _, legal_actions, _ = self.game.entries
        legal_actions(self._params, self._states, 0, self._words[0])
        actions = self._members[: list_members(self._words[0], self._members)]
        worth = np.zeros((len(actions), self._values.shape[1]))
        for row, action in enumerate(actions.tolist()):
            used = self._solve_after(state, action, left)
            if used == UNSOLVED:
                return None
            left -= used
            worth[row] = self._values[0]
        return actions.copy(), worth

    def _solve_after(self, state: Any, action: int, budget: int) -> int:
        self._states[0] = state
        apply, _, _ = self.game.entries
        apply(self._params, self._states, 0, action, NO_TAPE)
        if budget < 1 or self._states["rng"][0, 1] != state["rng"][1]:
            return UNSOLVED
        raw = self._states.view(np.uint64).reshape(DEEPEST, -1)
        used: int = self._solve(
            self._params,
            self._states,
            raw,
            self._words,
            self._found,
            self._hashes,
            self._values,
            self._keys,
            self._known,
            self.stakes,
            NO_TAPE,
            budget,
        )
        return used
