"""Checks of what users give: each message says what was given, where, and what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from manjerico.core.errors import InputError, boolean, choice, integer, number


@pytest.mark.parametrize("value", [0, 5, np.int8(5), np.uint64(5), np.array(5)])
def test_integers(value: Any) -> None:
    assert integer(value, "x", 0, 5) == int(value)
    assert type(integer(value, "x", 0, 5)) is int


@pytest.mark.parametrize(
    "value", [-1, 6, 2**70, 1.0, np.float64(1), True, np.bool_(True), "1", None, [1], np.array([1]), np.array(1.0), int]
)
def test_no_integers(value: Any) -> None:
    with pytest.raises(InputError, match=r"^x must be an integer from 0 to 5, not "):
        integer(value, "x", 0, 5)


def test_booleans() -> None:
    assert boolean(np.bool_(True), "x") is True
    assert boolean(False, "x") is False
    for value in (0, 1, None, "true"):
        with pytest.raises(InputError, match=r"^x must be true or false, not "):
            boolean(value, "x")


def test_numbers() -> None:
    for value in (1, 0.5, np.float32(0.5), np.int64(2)):
        assert number(value, "x") == float(value)
        assert type(number(value, "x")) is float
    for wrong in (0, -1.0, float("inf"), float("nan"), True, "1", None):
        with pytest.raises(InputError, match=r"^x must be a (finite )?number above 0, not "):
            number(wrong, "x")


def test_choices() -> None:
    assert choice("red", "x", ["red", "blue"]) == "red"
    with pytest.raises(InputError, match=r"^x must be one of blue, red, not 'rad' \(did you mean 'red'\?\)$"):
        choice("rad", "x", ["red", "blue"])
    for value in ("zzz", 1, None, ["red"]):
        with pytest.raises(InputError, match=r"^x must be one of blue, red, not [^(]*$"):
            choice(value, "x", ["red", "blue"])


def test_an_input_error_is_a_value_error() -> None:
    assert issubclass(InputError, ValueError)
