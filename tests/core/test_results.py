"""The worth of finished games: for one and for many alike."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from manjerico.core import results


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_one_game_is_worth_what_it_is_among_many(players: int) -> None:
    """All orders and ties of scores."""
    scores = np.array(list(itertools.product(range(-1, players), repeat=players)))
    for kind in results.REWARDS:
        worth = [results.rewards_of_game(kind, row) for row in scores.tolist()]
        np.testing.assert_array_equal(worth, results.final_rewards(kind, scores))
    np.testing.assert_array_equal([results.places_of_game(row) for row in scores.tolist()], results.places(scores))


def test_by_hand() -> None:
    assert results.rewards_of_game("place", [7, 9, 7]) == [-0.5, 1, -0.5]
    assert results.rewards_of_game("margin", [7, 9, 7]) == [-2, 2, -2]
    assert results.rewards_of_game("place", [7]) == [7]
    assert results.places_of_game([7, 9, 7]) == [2, 1, 2]
    assert results.leads([4, 9, 9, 1]) == [-5, 0, 0, -8]
    assert results.leads([4]) == [4]
