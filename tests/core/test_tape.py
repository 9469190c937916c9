"""The tape of chance outcomes: noted as they happen, or given beforehand."""

from __future__ import annotations

from typing import Any

import pytest

from manjerico.core import tape
from manjerico.core.errors import InputError
from manjerico.core.tape import Tape


def draw(on: Tape, possible: int) -> int:
    """A draw as kernels make it: the given outcome if it can happen, else the generator's, here always 0."""
    outcome = int(tape.given(on))
    if not 0 <= outcome < possible:
        outcome = 0
    tape.note(on, outcome)
    return outcome


def test_outcomes_are_noted() -> None:
    on = tape.blank(3)
    assert [draw(on, 6) for _ in range(2)] == [0, 0]
    assert tape.noted(on) == [0, 0]
    assert tape.pending(on) == 0


def test_given_outcomes_happen_in_order_and_then_the_generator_decides() -> None:
    on = tape.blank(5)
    tape.give(on, [4, 2])
    assert tape.pending(on) == 2
    assert draw(on, 6) == 4
    tape.give(on, [5])
    assert [draw(on, 6) for _ in range(3)] == [2, 5, 0]
    tape.check(on)
    assert tape.noted(on) == [4, 2, 5, 0]
    assert tape.pending(on) == 0


def test_an_impossible_outcome_is_a_fault() -> None:
    """The tape stands still at it: what the kernel draws instead is not noted."""
    on = tape.blank(5)
    tape.give(on, [1, 9, 2])
    assert [draw(on, 6) for _ in range(3)] == [1, 0, 0]
    assert tape.noted(on) == [1]
    with pytest.raises(InputError, match="chance outcome 9 at position 1 is impossible there"):
        tape.check(on)


def test_no_tape() -> None:
    assert tape.given(tape.NO_TAPE) == -1
    assert draw(tape.NO_TAPE, 6) == 0
    assert tape.NO_TAPE.size == 0


@pytest.mark.parametrize("outcome", [-1, 2**15, 1.0, True, "1", None])
def test_outcomes_are_small_integers(outcome: Any) -> None:
    on = tape.blank(3)
    with pytest.raises(InputError, match="chance outcome at position 1 must be an integer from 0 to 32767"):
        tape.give(on, [0, outcome])
    assert tape.pending(on) == 0


def test_capacity() -> None:
    on = tape.blank(3)
    tape.give(on, [1, 2])
    with pytest.raises(InputError, match="2 chance outcomes are more than the 1 that a game can still have"):
        tape.give(on, [1, 2])
    assert tape.pending(on) == 2
