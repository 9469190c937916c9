"""The fields of ``ArraialRules``: what is refused, in one clear sentence, and exchange with JSON."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import numpy as np
import pytest
from arraial_players import RULES
from arraial_reference import DEFAULT

from arraial_env import ArraialRules, arraial_v0
from arraial_env.rules import PRESETS
from manjerico.core.errors import InputError
from manjerico.core.rules import Rules

SHAPES = DEFAULT["shapes"]
Cells = list[list[int]]
BLOCK: Cells = [[x, y] for x in range(5) for y in range(5)]


def refusal(**fields: Any) -> str:
    """The message, that must be one sentence about the field."""
    with pytest.raises(InputError) as caught:
        ArraialRules(**fields)
    message = str(caught.value)
    assert re.match(rf"ArraialRules: {list(fields)[-1]}\b", message), message
    assert "\n" not in message
    assert len(message) < 220
    assert re.search(r" must .*, not \S", message), message
    return message


def with_shape(kind: int, cells: Any) -> list[Any]:
    return [cells if k == kind else shape for k, shape in enumerate(SHAPES)]


# --- Values that are refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "values", "message"),
    [
        ("width", [3, 17, -8, 8.0, True, None, "8"], "must be an integer from 4 to 16"),
        ("height", [0, 17, -1, 14.0, True, None, "14"], "with width 8, must be an integer from 1 to 16"),
        ("max_slide", [-1, 16, 1.0, False, "none"], "unless None, must be an integer from 0 to 15"),
        ("bar_drop", [-1, 33, 2.0, True, None], "must be an integer from 0 to 32"),
        ("bar_visitors_score_at_end", [0, 1, None, "yes"], "must be true or false"),
        ("couple_points", [-1, 101, 2.0, True, None], "must be an integer from 0 to 100"),
    ],
)
def test_single_values(field: str, values: list[Any], message: str) -> None:
    for value in values:
        assert message in refusal(**{field: value})


@pytest.mark.parametrize("width", range(4, 17))
def test_boards_have_at_most_128_squares(width: int) -> None:
    """A1."""
    highest = 128 // width
    low = {"bar_start": (0, 0, 0, 0)}
    assert ArraialRules(width=width, height=highest, **low).height == highest  # type: ignore[arg-type]
    assert f"must be an integer from 1 to {highest}, not {highest + 1}" in refusal(
        width=width, **low, height=highest + 1
    )


@pytest.mark.parametrize(
    ("field", "count", "low", "high"),
    [("cards_per_type", 4, 1, 30), ("bar_start", 4, 0, 14), ("min_pieces", 3, 1, 3)],
)
def test_lists_of_integers(field: str, count: int, low: int, high: int) -> None:
    """One for each number of players or phase, and each from a range."""
    for value in (3, None, "1233", b"1233", {0: 1}, 2.5):
        assert f"must be {count} integers" in refusal(**{field: value})
    for length in (0, count - 1, count + 1):
        assert f"must be {count} integers, not {length}" in refusal(**{field: [low] * length})
    for position in range(count):
        for value in (low - 1, high + 1, 1.0, True, None, "1", [1]):
            values: list[Any] = [low] * count
            values[position] = value
            message = refusal(**{field: values})
            assert f"{field}[{position}] must be an integer from {low} to {high}" in message
    for value in (low, high):
        assert getattr(ArraialRules(**{field: [value] * count}), field) == (value,) * count


def test_bar_starts_on_the_board() -> None:
    """A4: 0..height, of the board as it is."""
    assert "bar_start[2] must be an integer from 0 to 6, not 7" in refusal(height=6, bar_start=[6, 6, 7, 6])
    with pytest.raises(InputError, match=r"bar_start\[0\] must be an integer from 0 to 6, not 8"):
        ArraialRules(height=6)  # the default bars are too high for it


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (None, "shapes must be 8 lists of [x, y] cells, not None"),
        ("OILJSZTL", "shapes must be 8 lists of [x, y] cells, not 'OILJSZTL'"),
        ({}, "shapes must be 8 lists of [x, y] cells, not {}"),
        (SHAPES[:7], "shapes must be 8 lists of [x, y] cells, not 7"),
        ([*SHAPES, SHAPES[0]], "shapes must be 8 lists of [x, y] cells, not 9"),
        (with_shape(3, 5), "shapes[3] must be a list of [x, y] cells, not 5"),
        (with_shape(3, None), "shapes[3] must be a list of [x, y] cells, not None"),
        (with_shape(3, "L"), "shapes[3] must be a list of [x, y] cells, not 'L'"),
        (with_shape(3, [[0, 0], 1]), "shapes[3][1] must be a cell [x, y], not 1"),
        (with_shape(3, [[0, 0], [1]]), "shapes[3][1] must be a cell [x, y], not [1]"),
        (with_shape(3, [[0, 0], [1, 0, 0]]), "shapes[3][1] must be a cell [x, y], not [1, 0, 0]"),
        (with_shape(3, [[0, 0], "01"]), "shapes[3][1] must be a cell [x, y], not '01'"),
        (with_shape(3, [[0, 0], [1.0, 0]]), "shapes[3][1] must be an integer from 0 to 4, not 1.0"),
        (with_shape(3, [[0, 0], [0, True]]), "shapes[3][1] must be an integer from 0 to 4, not True"),
        (with_shape(3, [[-1, 0], [0, 0]]), "shapes[3][0] must be an integer from 0 to 4, not -1"),
        (with_shape(3, [[x, 0] for x in range(6)]), "shapes[3][5] must be an integer from 0 to 4, not 5"),
        (with_shape(3, []), "shapes[3] must be different cells that are connected edge to edge, not []"),
        (with_shape(3, [[0, 0], [0, 0]]), "shapes[3] must be different cells that are connected edge to edge, not [["),
        (with_shape(3, [[0, 0], [1, 1]]), "shapes[3] must be different cells that are connected edge to edge, not [["),
        (with_shape(3, [[0, 0], [2, 0]]), "shapes[3] must be different cells that are connected edge to edge, not [["),
        (with_shape(3, [[1, 0], [1, 1]]), "shapes[3] must touch both x = 0 and y = 0, not [[1, 0], [1, 1]]"),
        (with_shape(3, [[0, 1], [1, 1]]), "shapes[3] must touch both x = 0 and y = 0, not [[0, 1], [1, 1]]"),
    ],
)
def test_shapes(shapes: Any, message: str) -> None:
    """A2: eight polyominoes of at most 5 by 5, in the corner of their bounding boxes."""
    assert message in refusal(shapes=shapes)


def test_long_values_are_cut() -> None:
    assert refusal(shapes=with_shape(0, [[0, 0]] * 500)).endswith(" ...")
    refusal(width=10**5000)


# --- Values that are allowed -----------------------------------------------------------------------------------------


def test_the_default() -> None:
    """The table of section A and the fields as the rules have them."""
    assert ArraialRules().as_dict() == DEFAULT
    assert ArraialRules.rulebook() == ArraialRules() == PRESETS["rulebook"]
    assert list(DEFAULT) == [field.name for field in dataclasses.fields(ArraialRules)]


@pytest.mark.parametrize("name", RULES)
def test_json_and_back(name: str) -> None:
    rules = ArraialRules.from_dict(RULES[name])
    text = json.dumps(rules.as_dict())
    again = ArraialRules.from_dict(json.loads(text))
    assert again == rules
    assert hash(again) == hash(rules)
    assert json.loads(text) == rules.as_dict() == RULES[name]


def test_lists_and_tuples_are_alike() -> None:
    """Fields of either make one rule set, that can't be changed from outside."""
    cells: list[Cells] = [[list(cell) for cell in shape] for shape in SHAPES]
    mine = ArraialRules(shapes=cells, cards_per_type=[1, 2, 3, 3], min_pieces=iter([1, 1, 2]))  # type: ignore[arg-type]
    cells[0][0][0] = 4
    assert mine == ArraialRules()
    assert len({mine, ArraialRules()}) == 1
    assert type(mine.shapes) is type(mine.shapes[0]) is type(mine.shapes[0][0]) is type(mine.min_pieces) is tuple


def test_numpy_values_are_plain() -> None:
    fields: dict[str, Any] = {
        "width": np.int64(6),
        "max_slide": np.int8(3),
        "cards_per_type": np.array([2, 2, 2, 2]),
        "shapes": [np.array(shape) for shape in SHAPES],
        "bar_visitors_score_at_end": np.bool_(False),
    }
    rules = ArraialRules(**fields)
    assert ArraialRules.from_dict(json.loads(json.dumps(rules.as_dict()))) == rules


def test_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        ArraialRules().width = 9  # type: ignore[misc]  # what is tested


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "ArraialRules: missing field 'width'"),
        ({**DEFAULT, "widht": 1}, "ArraialRules: unknown field 'widht'; the fields are width, height, shapes"),
        (None, "ArraialRules: must be an object of fields and values, not None"),
        ([("width", 8)], "ArraialRules: must be an object of fields and values"),
    ],
)
def test_exactly_the_fields(fields: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ArraialRules.from_dict(fields)


def test_rules_of_another_game_are_refused() -> None:
    class Other(Rules):
        pass

    with pytest.raises(InputError, match=r"arraial: rules must be ArraialRules\(...\)"):
        arraial_v0.new_game(rules=Other())  # type: ignore[arg-type]  # what users pass


@pytest.mark.parametrize(
    "fields",
    [
        {"height": 1, "bar_start": [0, 1, 0, 1]},
        {
            "width": 4,
            "height": 3,
            "bar_start": [3, 3, 3, 3],
            "shapes": [[[x, y] for x in range(5) for y in range(5)]] * 8,
        },
        {"min_pieces": [3, 3, 3], "cards_per_type": [1, 1, 1, 1]},
        {"cards_per_type": [30, 30, 30, 30], "bar_drop": 32},
    ],
)
def test_games_of_any_rules_end(fields: dict[str, Any]) -> None:
    """Where nothing fits, cards are discarded (C5): every game ends."""
    rules = ArraialRules(**fields)
    for players in range(1, 5):
        match = arraial_v0.new_game(1, players, rules)
        while not match.is_over:
            match.apply(match.choose("random"))
        assert len(match.chance) <= match.game.max_chance(rules)
