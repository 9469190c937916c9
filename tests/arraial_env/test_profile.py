"""How a seat played, against a count of its actions and the board."""

from __future__ import annotations

import numpy as np
import pytest

from arraial_env.actions import Place, decode
from arraial_env.game import GAME
from manjerico.core.match import Match


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_counts_of_a_game(policy: str, players: int) -> None:
    match = Match(GAME, players, seed=players)
    states = [match._states.copy()]
    placed = [0] * players
    while not match.is_over:
        seat = match.current_player or 0
        action = match.choose(policy, seed=len(match.actions))
        placed[seat] += isinstance(decode(action, 8, 14), Place)
        match.apply(action)
        states.append(match._states.copy())
    found = GAME.profile(match.rules, np.concatenate(states))  # type: ignore[misc]  # Arraial has one
    assert [figures["pieces placed"] for figures in found] == placed
    for seat, figures in enumerate(found):
        points = match.breakdown(seat)
        assert figures["zones"] == points["coloured"]
        assert 2 * figures["couples"] == points["couples"]
        low, high = (int(lane) for lane in match.state["occupied"][seat])
        board = low | high << 64
        assert figures["lines completed"] == sum(board >> 8 * y & 0xFF == 0xFF for y in range(14))
        assert figures["bars lost"] == (match.state["bar"][seat] == -1)
