"""What all rules dataclasses share."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from azul_env.rules import PRESETS, AzulRules
from manjerico.core.errors import InputError
from manjerico.core.rules import Rules, differences


@dataclass(frozen=True)
class Shapes(Rules):
    """A game's rules with a field of nested tuples."""

    pieces: tuple[tuple[int, ...], ...] = ((1, 2), (3,))

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(tuple(piece) for piece in self.pieces))


def test_tuples_are_lists_in_json() -> None:
    rules = Shapes()
    assert rules.as_dict() == {"pieces": [[1, 2], [3]]}
    assert Shapes.from_dict(json.loads(json.dumps(rules.as_dict()))) == rules


@pytest.mark.parametrize("rules", [*PRESETS.values(), AzulRules(window_tiles=0, token_penalty_cap=0)])
def test_json_and_back(rules: AzulRules) -> None:
    again = AzulRules.from_dict(json.loads(json.dumps(rules.as_dict())))
    assert again == rules
    assert hash(again) == hash(rules)


def test_numpy_values_are_plain_in_json() -> None:
    rules = AzulRules(pillar_tiles=np.int64(3), voluntary_give_ups=np.bool_(False))  # type: ignore[arg-type]
    assert AzulRules.from_dict(json.loads(json.dumps(rules.as_dict()))) == rules


def test_differences() -> None:
    """Fields that an older file has not differ too; there is nothing to say of equal rules."""
    before = {name: value for name, value in AzulRules.rulebook().as_dict().items() if name != "side"}
    assert differences(before, AzulRules(pillar_tiles=2)) == "pillar_tiles 1, not 2, side None, not 'A'"
    assert differences(AzulRules.digest().as_dict(), AzulRules.digest()) == ""


def test_frozen_and_hashable() -> None:
    rules = AzulRules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.pillar_tiles = 2  # type: ignore[misc]  # what is tested
    assert len({AzulRules(), AzulRules.rulebook(), AzulRules.digest()}) == 2


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "AzulRules: missing field 'pillar_tiles'"),
        ({**AzulRules().as_dict(), "pilar_tiles": 1}, "AzulRules: unknown field 'pilar_tiles'; the fields are pillar"),
        (None, "AzulRules: must be an object of fields and values, not None"),
        ([("side", "A")], "AzulRules: must be an object of fields and values"),
    ],
)
def test_exactly_the_fields(fields: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        AzulRules.from_dict(fields)


@pytest.mark.parametrize(
    ("field", "values", "message"),
    [
        ("pillar_tiles", [-1, 133, 1.0, True, None, "1"], "must be an integer from 0 to 132"),
        ("statue_tiles", [-1, 133, 1.0, True, None, "1"], "must be an integer from 0 to 132"),
        ("window_tiles", [-1, 133, 1.0, True, None, "1"], "must be an integer from 0 to 132"),
        ("token_penalty_cap", [-1, 133, 1.0, True, "1"], "unless None, must be an integer from 0 to 132"),
        ("centre_closed_at_floor", [0, 1, None, "yes"], "must be true or false"),
        ("number_bonus_each_round", [0, 1, None, "yes"], "must be true or false"),
        ("voluntary_give_ups", [0, 1, None, "yes"], "must be true or false"),
        ("side", ["B", "a", None, 1, ["A"]], "must be one of A"),
    ],
)
def test_every_field_is_checked(field: str, values: list[Any], message: str) -> None:
    for value in values:
        with pytest.raises(InputError, match=f"AzulRules: {field}.* {message}, not "):
            AzulRules(**{field: value})
