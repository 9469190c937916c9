"""The environment's page (the docstring of ``azul_v0``) says what the code does."""

from __future__ import annotations

import inspect

import pytest

from azul_env import actions, azul_v0
from manjerico.core.aec import ON_ILLEGAL, RENDER_MODES, GameEnv
from manjerico.core.results import REWARDS

PAGE = azul_v0.__doc__ or ""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_observation_shapes(players: int) -> None:
    env = azul_v0.env(num_players=players)
    shape = env.observation_space("player_0")["observation"].shape
    assert f"({shape[0]},) with {players}" in PAGE


def test_action_ids() -> None:
    firsts = (actions.DRAFT, actions.PLAY_OUTER, actions.PLAY_CENTRE, actions.PICK, actions.GIVE_UP, actions.PASS)
    ends = (*firsts[1:], actions.NUM_ACTIONS)
    for first, end in zip(firsts, ends, strict=True):
        ids = str(first) if end == first + 1 else f"{first}-{end - 1}"
        assert f"| {ids} |" in PAGE
    assert f"Discrete({actions.NUM_ACTIONS})" in PAGE


def test_arguments_and_their_values() -> None:
    for name in inspect.signature(GameEnv).parameters:
        if name not in ("game", "warn"):
            assert f"`{name}`" in PAGE, name
    for value in (*REWARDS, *ON_ILLEGAL, *RENDER_MODES):
        assert f'"{value}"' in PAGE, value
