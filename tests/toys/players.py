"""Players for tests: a game's scripted policies on a ``Match``, from public functions only."""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np
import numpy.typing as npt

from manjerico.core import tape
from manjerico.core.game import NOBODY, Game, Records, find
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


def scores_of(game: Game, policy: str, players: int, games: int, rules: Rules | None = None) -> npt.NDArray[np.int16]:
    """Final scores [games, players] of games among players of one kind, each seat starting in turn."""
    rules = game.check_rules(rules)
    params, indices = params_of(game, rules), np.arange(games)
    states, words = np.zeros(games, game.state), np.zeros((games, (game.num_actions(rules) + 63) // 64), np.uint64)
    for index in range(games):
        game.new_game(params, states, index, np.uint64(index), players, index % players, tape.NO_TAPE)
        game.legal_actions(params, states, index, words[index])
    controllers = np.full((games, players), list(game.policies).index(policy), np.int64)
    streams = np.array([stream(index) for index in range(games)])
    game.advance(params, states, indices, indices * 0 - 1, words, streams, controllers, tape.NO_TAPE)
    assert (states["player"] == NOBODY).all()
    scores: npt.NDArray[np.int16] = states["score"][:, :players]
    return scores


def played(
    game: Game, seed: int, players: int, rules: Rules | None, decisions: int | None, whim: float, **options: Any
) -> Match:
    """A game by whimsical players, to the end or so many decisions long."""
    match = Match(game, players, rules, seed, **options)
    rng = random.Random(seed)
    while not match.is_over and len(match.actions) != decisions:
        match.apply(whimsical(match, rng, whim))
    return match


def azul(seed: int, players: int = 2, preset: str = "rulebook", decisions: int | None = None, **options: Any) -> Match:
    """A game of Azul by whimsical players, to the end or so many decisions long."""
    game = find("azul")
    return played(game, seed, players, game.presets[preset], decisions, 0.1, **options)


def arraial(
    seed: int,
    players: int = 2,
    rules: Rules | None = None,
    decisions: int | None = None,
    whim: float = 0.25,
    **options: Any,
) -> Match:
    """A game of Arraial by whimsical players, to the end or so many decisions long."""
    return played(find("arraial"), seed, players, rules, decisions, whim, **options)
