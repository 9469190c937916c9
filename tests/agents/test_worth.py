"""What finished games are worth: by arrays and in compiled code the same."""

from __future__ import annotations

import numpy as np
import pytest

from manjerico.agents.worth import Worth, worth
from manjerico.core.compile import FLOAT_ROWS, VOID, kernel
from manjerico.core.game import find

WORTH = Worth(place=0.25, spread=10.0)


def test_by_hand() -> None:
    scores = np.array([[30, 20, 20], [7, 7, 7]])
    lead = np.tanh([1.0, -1.0])
    expected = [[0.25 + 0.75 * lead[0], -0.125 + 0.75 * lead[1], -0.125 + 0.75 * lead[1]], [0, 0, 0]]
    np.testing.assert_allclose(WORTH.of(scores), expected, rtol=1e-6)
    np.testing.assert_allclose(WORTH.of(np.array([[10], [-5]])), np.tanh([[1.0], [-0.5]]), rtol=1e-6)


@pytest.mark.parametrize(("name", "players"), [("azul", 2), ("azul", 4), ("arraial", 1), ("arraial", 3)])
def test_compiled_code_agrees(name: str, players: int) -> None:
    game = find(name)

    @kernel(VOID(game.types[1], FLOAT_ROWS))
    def write(states, out):  # type: ignore[no-untyped-def]
        for k in range(len(states)):
            for seat in range(out.shape[1]):
                out[k, seat] = worth(states[k], 0.25, 10.0, seat)

    scores = np.random.default_rng(3).integers(0, 40, (200, players))
    states = np.zeros(200, game.state)
    states["players"] = players
    states["score"][:, :players] = scores
    found = np.zeros((200, players), np.float32)
    write(states, found)
    np.testing.assert_allclose(found, WORTH.of(scores), rtol=1e-5, atol=1e-6)
