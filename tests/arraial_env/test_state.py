"""States from outside are checked, since kernels trust them."""

from __future__ import annotations

import inspect
import random
import re
from typing import Any

import numpy as np
import pytest
from arraial_players import RULES
from players import arraial
from streets import position, state_array

from arraial_env import ArraialRules, arraial_v0
from arraial_env.game import GAME
from arraial_env.state import fault
from manjerico.core.errors import InputError
from manjerico.core.games import Batch
from manjerico.core.match import Match


@pytest.mark.parametrize("name", ["default", "4x4", "16x8", "5x25", "large", "pieces_333", "cards_6"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_state_of_a_game_is_possible(players: int, name: str) -> None:
    rules = ArraialRules.from_dict(RULES[name])
    for seed in range(2):
        match = arraial(seed, players, rules, decisions=0, start=seed % players)
        for action in [*arraial(seed, players, rules, start=seed % players).actions, None]:
            assert GAME.fault(rules, players, match.state) == ""
            if action is not None:
                match.apply(action)
        assert match.is_over


# --- Each condition --------------------------------------------------------------------------------------------------


def turn() -> Match:
    """In the middle of a turn of player 0 of two, in phase 1: two points are left, one slot is empty, none is owed."""
    return position("YO - RT", ["......bb", "GGGGGGbb"], ["rr......"], row="BL BJ YI", couples="..0.", owed=0, points=2)


def refilling() -> Match:
    """Player 0 chooses a card for slot 1."""
    return position("YO - RT", ["......bb", "GGGGGGbb"], row="BL BJ YI", couples="..0.", owed=0, points=0, refilling=1)


def over() -> Match:
    return arraial(3)


COVERED = (1 << 8) - 1
"""Row 0 of player 0."""

DAMAGE: list[tuple[str, Any, str, tuple[int, ...], Any]] = [
    ("players", turn, "players", (), 3),
    ("players", turn, "players", (), 0),
    ("player", turn, "player", (), 2),
    ("player", turn, "player", (), 7),
    ("player", turn, "player", (), -2),
    ("start", turn, "start", (), 2),
    ("start", turn, "start", (), -1),
    ("rotation", turn, "rotation", (), 4),
    ("rotation", turn, "rotation", (), -1),
    ("phase", turn, "phase", (), 0),
    ("phase", turn, "phase", (), 4),
    ("phase", turn, "player", (), -1),  # over before the last phase
    ("phase", over, "phase", (), 2),
    ("points", turn, "points", (), 0),
    ("points", turn, "points", (), 4),
    ("points", turn, "points", (), -1),
    ("points", refilling, "points", (), 4),
    ("points", over, "points", (), 1),
    ("owed", turn, "owed", (), 3),  # with two points
    ("owed", turn, "owed", (), -1),
    ("owed", refilling, "owed", (), 1),
    ("owed", over, "owed", (), 1),
    ("refilling", turn, "refilling", (), 2),
    ("refilling", turn, "refilling", (), -1),
    ("refilling", refilling, "slots", (1,), 1),  # no slot is empty
    ("refilling", refilling, "row", (), [2, -1, -1]),  # no choice
    ("slots", turn, "slots", (0,), 8),
    ("slots", turn, "slots", (1,), -2),
    ("row", turn, "row", (0,), 8),
    ("row", turn, "row", (0,), -2),
    ("row", turn, "row", (), [-1, 2, 3]),  # a gap
    ("pile_size", turn, "pile_size", (), 3),
    ("pile_size", turn, "pile", (0,), 5),
    ("couples", turn, "couples", (0,), 2),
    ("couples", turn, "couples", (3,), -2),
    ("bar", turn, "bar", (0,), 15),
    ("bar", turn, "bar", (1,), -2),
    ("squares", turn, "squares", (0, 2), 0),  # less than occupied
    ("squares", turn, "squares", (0, 3, 0), 1),  # a square in two colours
    ("squares", turn, "occupied", (0, 0), 0),
    ("squares", turn, "occupied", (1, 1), 1),
    ("zoned", turn, "zoned", (0, 0), COVERED << 8),
    ("zoned", turn, "zoned", (1, 1), 1),
    ("cards", turn, "discards", (4,), 1),
    ("cards", turn, "slots", (0,), 3),
    ("cards", turn, "row", (2,), -1),
    ("absent seats", turn, "score", (2,), 1),
    ("absent seats", turn, "score", (3,), -1),
    ("score", turn, "score", (0,), 1),
    ("score", over, "sources", (1, 2), 100),
]
"""Condition, position, field, index and the value put there."""


def damaged(make: Any, field: str, index: tuple[int, ...], value: Any) -> np.ndarray:
    states = state_array(make())
    states[field][(0, *index)] = value
    return states


def fault_of(states: np.ndarray, rules: ArraialRules | None = None, players: int = 2) -> str:
    return fault(rules or ArraialRules(), players, states[0])


@pytest.mark.parametrize("make", [turn, refilling, over])
def test_undamaged(make: Any) -> None:
    assert fault_of(state_array(make())) == ""


@pytest.mark.parametrize(("condition", "make", "field", "index", "value"), DAMAGE)
def test_each_condition(condition: str, make: Any, field: str, index: tuple[int, ...], value: Any) -> None:
    assert fault_of(damaged(make, field, index, value)) == condition


def test_squares_lie_on_the_board() -> None:
    """Beyond the 112th, in either lane, whatever the colour."""
    for bit in (48, 63):
        states = state_array(turn())
        states[0]["squares"][1, 0, 1] = states[0]["occupied"][1, 1] = 1 << bit
        assert fault_of(states) == "squares"
    small = ArraialRules(width=4, height=4, bar_start=(2, 2, 2, 2))
    states = state_array(arraial_v0.new_game(1, rules=small))
    states[0]["squares"][0, 0, 0] = states[0]["occupied"][0, 0] = 1 << 16
    assert fault_of(states, small) == "squares"


def test_absent_seats_have_no_pieces() -> None:
    states = state_array(turn())
    states[0]["squares"][2, 0, 0] = states[0]["occupied"][2, 0] = 1
    assert fault_of(states) == "absent seats"


def test_cards_are_those_of_the_number_of_players() -> None:
    """A3."""
    states = state_array(arraial_v0.new_game(1, num_players=3))
    assert fault_of(states, players=3) == ""
    fewer = ArraialRules(cards_per_type=(1, 2, 2, 3))
    assert fault_of(states, fewer, players=3) == "cards"


def test_every_condition_is_tried() -> None:
    """The list above names all that ``fault`` tests."""
    conditions = re.findall(r'^        "([\w ]+)": ', inspect.getsource(fault), re.MULTILINE)
    assert set(conditions) == {case[0] for case in DAMAGE}


# --- What is done with the answer ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("condition", "make", "field", "index", "value"), DAMAGE)
def test_an_impossible_state_is_refused(
    condition: str, make: Any, field: str, index: tuple[int, ...], value: Any
) -> None:
    """In one sentence, and with nothing changed."""
    states = damaged(make, field, index, value)
    match = turn()
    before = match.get_state()
    with pytest.raises(InputError) as caught:
        match.set_state(states.tobytes())
    message = str(caught.value)
    if condition == "players":
        assert message == f"arraial: that state has {value} players, not 2"
    else:
        assert message == f"arraial: that state is impossible: {condition}"
    assert match.get_state() == before
    batch = Batch(GAME, 1, 2)
    batch.start(batch.all, [3], [0])
    arrays = {**batch.get_state(), "states": states.view(np.uint8).reshape(1, -1)}
    with pytest.raises(InputError, match=r"game 0 (is impossible: |has )"):
        batch.set_state(arrays)


FIELDS = [name for name in GAME.state.names or () if name != "rng" and not name.startswith("gap_")]


@pytest.mark.parametrize("name", ["default", "4x4", "16x8"])
def test_what_is_accepted_can_be_played(name: str) -> None:
    """A number changed at random: refused, or the game goes on to an end and every action on the way is legal."""
    rules = ArraialRules.from_dict(RULES[name])
    rng = random.Random(name)
    accepted = 0
    for trial in range(200):
        players = 1 + trial % 4
        match = arraial(trial % 20, players, rules, decisions=rng.randrange(60))
        states = state_array(match)
        field = rng.choice(FIELDS)
        numbers = states[field].view(np.uint8).reshape(-1)
        numbers[rng.randrange(numbers.size)] = rng.choice((0, 1, 2, 3, 8, 127, 128, 255, rng.randrange(256)))
        if not np.array_equal(states, state_array(match)) and GAME.fault(rules, players, states[0]) == "":
            accepted += 1
            match.set_state(states.tobytes())
            for _ in range(1000):
                if match.is_over:
                    break
                match.observation()
                match.apply(rng.choice(match.legal_actions()))
            assert match.is_over
    assert accepted > 20
