"""Players for tests: a game's scripted policies on a ``Match``, from public functions only."""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np
import numpy.typing as npt

from manjerico.core.game import Game, Records, find
from manjerico.core.match import Match
from manjerico.core.rules import Rules

Stream = npt.NDArray[np.uint64]


def stream(key: int) -> Stream:
    """A stream of random numbers for a policy."""
    return np.array([key, 0], np.uint64)


@functools.cache
def params_of(game: Game, rules: Rules) -> Records:
    return game.make_params(rules)


def states_of(match: Match) -> Records:
    """The match's state as an array of one record, of its own."""
    return np.frombuffer(match.get_state(), match.game.state).copy()


def words_of(match: Match) -> npt.NDArray[np.uint64]:
    """The match's legal actions as a set of ``core/bits.py``."""
    words = np.zeros((match.num_actions + 63) // 64, np.uint64)
    for action in match.legal_actions():
        words[action >> 6] |= np.uint64(1) << np.uint64(action & 63)
    return words


def scripted(match: Match, policy: str, choices: Stream) -> int:
    """What a policy decides; it draws from ``choices``."""
    which = list(match.game.policies).index(policy)
    params = params_of(match.game, match.rules)
    return int(match.game.choose(which, params, states_of(match), 0, words_of(match), choices))


def greedy(match: Match) -> int:
    """What greedy decides, without a choice at random."""
    return scripted(match, "greedy", stream(0))


def whimsical(match: Match, rng: random.Random, whim: float = 0.1) -> int:
    """Greedy, but for a share of moves at random: reaches all kinds of actions and of positions."""
    if rng.random() < whim:
        return rng.choice(match.legal_actions())
    return greedy(match)


def azul(seed: int, players: int = 2, preset: str = "rulebook", decisions: int | None = None, **options: Any) -> Match:
    """A game of Azul by whimsical players, to the end or so many decisions long."""
    game = find("azul")
    match = Match(game, players, game.presets[preset], seed, **options)
    rng = random.Random(seed)
    while not match.is_over and len(match.actions) != decisions:
        match.apply(whimsical(match, rng))
    return match
