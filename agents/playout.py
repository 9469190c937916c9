"""A game played to its end by a scripted policy, in compiled code, as searches judge positions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from manjerico.core import bits, rng
from manjerico.core.compile import routine
from manjerico.core.drivers import make_chooser
from manjerico.core.game import Game


@functools.cache
def make_decide(game: Game) -> Callable[..., Any]:
    """``decide(which, params, states, index, words, stream) -> action``: what the policy of that number chooses."""
    chooser = make_chooser(tuple(game.policies.values()))

    @routine
    def decide(which: Any, params: Any, states: Any, index: Any, words: Any, stream: Any) -> Any:
        return chooser(which, params, states, index, words, stream)

    return decide


@functools.cache
def make_play_out(game: Game) -> Callable[..., Any]:
    """``play_out(params, states, node, words, which, stream, no_tape)``.

    Plays on from a node's state by the policy of that number, in the last row of ``states``, which is there for that;
    chance and choices are drawn from ``stream``, ``words`` has room for legal actions.
    """
    legal_actions, apply = game.legal_actions, game.apply
    decide = make_decide(game)

    @routine
    def play_out(params: Any, states: Any, node: Any, words: Any, which: Any, stream: Any, no_tape: Any) -> None:
        index = states.size - 1
        states[index] = states[node]
        rng.start(states[index]["rng"], rng.next_word(stream))
        count = legal_actions(params, states, index, words)
        while count > 0:
            if which == 0:
                action = bits.select(words, rng.below(stream, count))
            else:
                action = decide(which, params, states, index, words, stream)
            apply(params, states, index, action, no_tape)
            count = legal_actions(params, states, index, words)

    return play_out
