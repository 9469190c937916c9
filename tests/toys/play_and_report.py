"""Plays a game in a process of its own and reports what was compiled, what was warned of, and a digest of all states.

``python play_and_report.py azul`` (or ``arraial``) plays games with all drivers, ``python play_and_report.py dice``
only rolls dice, to keep the compiling short.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import warnings

import numpy as np
from numba.core import event

GAMES = 6


def play(name: str) -> str:
    """Games by scripted policies, as a match plays them."""
    from players import scripted, stream, words_of

    from manjerico.core.game import find
    from manjerico.core.match import Match

    game = find(name)
    digest = hashlib.sha256()
    rng = random.Random(1)
    presets = list(game.presets.values())
    for seed in range(GAMES):
        rules, players = presets[seed % len(presets)], game.players[seed % len(game.players)]
        match, choices = Match(game, players, rules, seed), stream(seed)
        while not match.is_over:
            match.apply(scripted(match, rng.choice(list(game.policies)), choices))
            digest.update(match.get_state() + words_of(match).tobytes() + match.observation().tobytes())
        match.redeterminise(seed)
        digest.update(match.get_state() + choices.tobytes())
    return digest.hexdigest()


def drive(name: str) -> str:
    """A few games by all the other drivers."""
    from players import params_of, states_of, stream, words_of

    from manjerico.core import tape
    from manjerico.core.game import find
    from manjerico.core.match import Match

    game = find(name)
    match = Match(game, 2, seed=1)
    observation, mask = match.observation(), match.action_mask().copy()
    match._step(match.legal_actions()[0], observation, mask)
    params, states, words = params_of(game, match.rules), states_of(match), words_of(match)[None]
    first, rows, streams = np.zeros(1, np.int64), (observation[None], mask[None]), stream(2)[None]
    controllers = np.zeros((1, match.players), np.int64)
    controllers[0, 1] = -1
    game.advance(params, states, first, first - 1, words, streams, controllers, tape.NO_TAPE)
    game.observe_many(params, states, first, words, *rows)
    arrays = [array.copy() for array in (states, words, *rows)]
    game.playouts(params, states, 0, words[0], streams[0], tape.NO_TAPE, np.uint64(5), match.players, 3)
    return hashlib.sha256(b"".join(array.tobytes() for array in (*arrays, states, words, streams))).hexdigest()


def main() -> None:
    with warnings.catch_warnings(record=True) as warned, event.install_recorder("numba:compile") as compiled:
        warnings.simplefilter("always")
        if sys.argv[1] == "dice":
            import dice

            played = dice.play()
        else:
            played = play(sys.argv[1]) + drive(sys.argv[1])
    names = [e.data["dispatcher"].py_func.__qualname__ for _, e in compiled.buffer if e.is_start]
    print(json.dumps({"compiled": names, "warnings": [str(w.message) for w in warned], "played": played}))


if __name__ == "__main__":
    main()
