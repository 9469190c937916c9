"""Compiled loops over any game's functions.

Each ``make_…`` closes over one game's kernels, so that LLVM inlines them; measured against first-class function
types this saves 7 ns a call, and 180 µs each time Python enters (``docs/decisions/001-drivers-are-closures.md``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numpy import int64, uint64

from manjerico.core import bits, rng
from manjerico.core.compile import (
    BYTE_ROWS,
    BYTES,
    FLOAT_ROWS,
    FLOATS,
    I64,
    INT_ROWS,
    INTS,
    TAPE,
    U64,
    VOID,
    WORD_ROWS,
    WORDS,
    direct,
    helper,
    kernel,
)

if TYPE_CHECKING:
    from manjerico.core.game import Game

Kernel = Callable[..., Any]

ILLEGAL = -2
"""What ``step`` returns, instead of the next player, for an action that isn't legal."""


@direct
@kernel(I64(WORDS, INTS))
def list_members(words: Any, members: Any) -> Any:
    """Writes the members of a set, ascending; returns how many there are."""
    found = int64(0)
    for k in range(words.size):
        word = words[k]
        while word != uint64(0):
            members[found] = 64 * k + int64(bits.lowest(word))
            word &= word - uint64(1)
            found += 1
    return found


def make_step(game: Game) -> Kernel:
    """One decision of one game, as an environment needs it.

    ``step(params, states, index, action, tape, words, observation, mask) -> player``: ``words`` holds the legal actions
    and is brought up to date, as are the next player's ``observation`` (float32) and ``mask`` (int8). Returns
    the next player, ``NOBODY`` after the end, or ``ILLEGAL`` with nothing changed.
    """
    apply, legal_actions, observe = game.apply, game.legal_actions, game.observe
    params_type, states_type = game.types

    @kernel(I64(params_type, states_type, I64, I64, TAPE, WORDS, FLOATS, BYTES))
    def step(
        params: Any, states: Any, index: int, action: int, tape: Any, words: Any, observation: Any, mask: Any
    ) -> Any:
        if action < 0 or action >= mask.size or not bits.has(words, action):
            return int64(ILLEGAL)
        apply(params, states, index, action, tape)
        legal_actions(params, states, index, words)
        bits.write_mask(words, mask)
        player = int64(states[index]["player"])
        observe(params, states, index, max(player, int64(0)), observation)
        return player

    return step


def make_playouts(game: Game) -> Kernel:
    """Whole games of uniformly random play.

    ``playouts(params, states, index, words, stream, tape, seed, players, games) -> decisions``: plays the games of the
    seeds ``seed, seed + 1, …`` from the start to the end in one record, with choices from ``stream``.
    """
    new_game, apply, legal_actions = game.new_game, game.apply, game.legal_actions
    params_type, states_type = game.types

    @kernel(I64(params_type, states_type, I64, WORDS, WORDS, TAPE, U64, I64, I64))
    def playouts(
        params: Any, states: Any, index: int, words: Any, stream: Any, tape: Any, seed: int, players: int, games: int
    ) -> Any:
        decisions = int64(0)
        for k in range(games):
            new_game(params, states, index, seed + uint64(k), players, int64(0), tape)
            count = legal_actions(params, states, index, words)
            while count > 0:
                apply(params, states, index, bits.select(words, rng.below(stream, count)), tape)
                decisions += 1
                count = legal_actions(params, states, index, words)
        return decisions

    return playouts


def make_choose(game: Game) -> Kernel:
    """One decision of a scripted policy.

    ``choose(which, params, states, index, words, stream) -> action``: ``which`` counts the game's ``policies``.
    """
    params_type, states_type = game.types
    chooser = make_chooser(tuple(game.policies.values()))

    @kernel(I64(I64, params_type, states_type, I64, WORDS, WORDS))
    def choose(which: int, params: Any, states: Any, index: int, words: Any, stream: Any) -> Any:
        return chooser(which, params, states, index, words, stream)

    return choose


def make_chooser(policies: tuple[Kernel, ...]) -> Kernel:
    """The policies as one function of their number: a chain of ifs, since compiled code can't index functions."""
    *others, last = policies

    @helper
    def only(_which: int, params: Any, states: Any, index: int, words: Any, stream: Any) -> Any:
        return last(params, states, index, words, stream)

    if not others:
        return only
    earlier, number = make_chooser(tuple(others)), len(others)

    @helper
    def choose(which: int, params: Any, states: Any, index: int, words: Any, stream: Any) -> Any:
        if which == number:
            return last(params, states, index, words, stream)
        return earlier(which, params, states, index, words, stream)

    return choose


def make_advance(game: Game) -> Kernel:
    """Many games, each to the next decision that is made outside.

    ``advance(params, states, indices, actions, words, streams, controllers, tape) -> failed``: carries out
    ``actions[j]`` in game ``indices[j]`` (none if negative) and then whatever the scripted policies decide.
    ``controllers`` (int64[games, seats]) gives the number of each seat's policy, negative if it is decided outside;
    ``words`` (uint64[games, n]) holds each game's legal actions. Returns -1, or the first j whose
    action is illegal; all before it was carried out.
    """
    apply, legal_actions = game.apply, game.legal_actions
    params_type, states_type = game.types
    chooser = make_chooser(tuple(game.policies.values()))

    @kernel(I64(params_type, states_type, INTS, INTS, WORD_ROWS, WORD_ROWS, INT_ROWS, TAPE))
    def advance(
        params: Any, states: Any, indices: Any, actions: Any, words: Any, streams: Any, controllers: Any, tape: Any
    ) -> Any:
        for j in range(indices.size):
            index = indices[j]
            legal = words[index]
            if actions[j] >= 0:
                if actions[j] >= 64 * legal.size or not bits.has(legal, actions[j]):
                    return int64(j)
                apply(params, states, index, actions[j], tape)
                legal_actions(params, states, index, legal)
            seat = int64(states[index]["player"])
            while seat >= 0 and controllers[index, seat] >= 0:
                action = chooser(controllers[index, seat], params, states, index, legal, streams[index])
                apply(params, states, index, action, tape)
                legal_actions(params, states, index, legal)
                seat = int64(states[index]["player"])
        return int64(-1)

    return advance


def make_conceal(game: Game) -> Kernel:
    """``conceal(params, states, streams)``: resamples in each state what nobody knows, by its row of streams."""
    redeterminise = game.redeterminise
    params_type, states_type = game.types

    @kernel(VOID(params_type, states_type, WORD_ROWS))
    def conceal(params: Any, states: Any, streams: Any) -> None:
        for index in range(states.size):
            redeterminise(params, states, index, rng.next_word(streams[index]))

    return conceal


def make_choose_many(game: Game) -> Kernel:
    """One decision of a scripted policy in each of many games.

    ``choose_many(which, params, states, words, actions)``: draws from the states' own streams, so they must be copies;
    ``words`` is room for the legal actions of one game.
    """
    legal_actions = game.legal_actions
    params_type, states_type = game.types
    chooser = make_chooser(tuple(game.policies.values()))

    @kernel(VOID(I64, params_type, states_type, WORDS, INTS))
    def choose_many(which: int, params: Any, states: Any, words: Any, actions: Any) -> None:
        for index in range(states.size):
            legal_actions(params, states, index, words)
            actions[index] = chooser(which, params, states, index, words, states[index]["rng"])

    return choose_many


def make_observe_many(game: Game) -> Kernel:
    """What the players to act see in many games.

    ``observe_many(params, states, indices, words, observations, masks)`` writes row j of ``observations`` (float32)
    and ``masks`` (int8) for game ``indices[j]``; after the end seat 0's view and zeros.
    """
    observe = game.observe
    params_type, states_type = game.types

    @kernel(VOID(params_type, states_type, INTS, WORD_ROWS, FLOAT_ROWS, BYTE_ROWS))
    def observe_many(params: Any, states: Any, indices: Any, words: Any, observations: Any, masks: Any) -> None:
        for j in range(indices.size):
            index = indices[j]
            seat = max(int64(states[index]["player"]), int64(0))
            observe(params, states, index, seat, observations[j])
            bits.write_mask(words[index], masks[j])

    return observe_many
