"""The environment's page (the docstring of ``arraial_v0``) says what the code does, on the default board."""

from __future__ import annotations

import re

import pages
import pytest

from arraial_env import ArraialRules, actions, arraial_v0
from arraial_env.state import SOURCES
from manjerico.core.results import POINT_SCALE

PAGE = arraial_v0.__doc__ or ""
SQUARES = ArraialRules().width * ArraialRules().height


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_observation_shapes(players: int) -> None:
    env = arraial_v0.env(num_players=players)
    shape = env.observation_space("player_0")["observation"].shape
    assert f"({shape[0]},) with {players}" in PAGE


def test_action_ids() -> None:
    firsts = [actions.ROTATE, actions.END_TURN, actions.REFILL, actions.DISCARD]
    firsts = [0, *(3 * SQUARES + first for first in firsts)]
    pages.assert_tells_ids(PAGE, firsts, arraial_v0.env().action_space("player_0").n)


def test_formulas_of_placements() -> None:
    width = ArraialRules().width
    assert f": {SQUARES} s + {width} y + x" in PAGE
    assert actions.encode(actions.Place(2, 5, 3), width, ArraialRules().height) == SQUARES * 2 + width * 3 + 5


def test_arguments_and_their_values() -> None:
    pages.assert_tells_arguments(PAGE)
    assert "`lookahead`" in PAGE


def test_default_number_of_players() -> None:
    assert "`num_players` (1-4, by default 2)" in PAGE
    for env in (arraial_v0.env(), arraial_v0.raw_env()):
        assert env.possible_agents == ["player_0", "player_1"]
    assert arraial_v0.new_game().players == 2


def test_points_by_source() -> None:
    assert "score = " + " + ".join(f"`{source}`" for source in SOURCES) in PAGE


def test_factor_of_points() -> None:
    assert set(re.findall(r"times (1/\d+)", PAGE)) == {f"1/{round(1 / POINT_SCALE)}"}
