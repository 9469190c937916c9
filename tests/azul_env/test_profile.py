"""How a seat played, against a count of its actions."""

from __future__ import annotations

import numpy as np
import pytest

from azul_env.actions import GIVE_UP, PASS, PICK, PLAY_OUTER
from azul_env.game import GAME
from manjerico.core.match import Match


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_counts_of_a_game(policy: str, players: int) -> None:
    match = Match(GAME, players, seed=players)
    states = [match._states.copy()]
    placed, kept = [0] * players, [0] * players
    while not match.is_over:
        seat, number = match.current_player or 0, int(match.state["round"])
        action = match.choose(policy, seed=len(match.actions))
        placed[seat] += PLAY_OUTER <= action < PICK
        match.apply(action)
        if (
            action >= GIVE_UP
            and number < 6
            and (action == PASS or match.current_player != seat or match.state["phase"] == 0)
        ):
            kept[seat] += int(match.state["kept"][seat].sum())
        states.append(match._states.copy())
    found = GAME.profile(match.rules, np.concatenate(states))  # type: ignore[misc]  # Azul has one
    assert [figures["tiles placed"] for figures in found] == placed
    assert [figures["tiles carried over, each round"] for figures in found] == pytest.approx([k / 5 for k in kept])


def test_a_board_in_figures() -> None:
    """The orange star is complete: its window and one side of others; nothing else is."""
    states = np.zeros(6, GAME.state)
    states["players"], states["round"] = 2, np.arange(1, 7)
    states["board"][-1, 0] = 0b111111
    states["kept"][2, 1, 3] = 4
    first, second = GAME.profile(GAME.default_rules, states)  # type: ignore[misc]
    assert (first["tiles placed"], first["stars completed"], first["number sets completed"]) == (6, 1, 0)
    assert first["structures enclosed"] == 1  # the window between the star's own 5 and 6 (C7)
    assert second["tiles carried over, each round"] == 4 / 5
    assert second["tiles placed"] == 0
