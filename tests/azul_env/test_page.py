"""The environment's page (the docstring of ``azul_v0``) says what the code does."""

from __future__ import annotations

import pages
import pytest

from azul_env import actions, azul_v0

PAGE = azul_v0.__doc__ or ""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_observation_shapes(players: int) -> None:
    env = azul_v0.env(num_players=players)
    shape = env.observation_space("player_0")["observation"].shape
    assert f"({shape[0]},) with {players}" in PAGE


def test_action_ids() -> None:
    firsts = [actions.DRAFT, actions.PLAY_OUTER, actions.PLAY_CENTRE, actions.PICK, actions.GIVE_UP, actions.PASS]
    pages.assert_tells_ids(PAGE, firsts, actions.NUM_ACTIONS)


def test_arguments_and_their_values() -> None:
    pages.assert_tells_arguments(PAGE)
