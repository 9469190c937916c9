"""The tape: a game's chance outcomes, noted as they happen or given beforehand.

A tape is an int16 array ``[fault, position, end, outcome 0, outcome 1, ...]``: outcomes before ``position`` have
happened, those from there to ``end`` are given for the draws to come. Kernels that draw call :func:`given` before
and :func:`note` after each draw. The empty array is no tape: nothing is noted and nothing given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy import int64

from manjerico.core.compile import helper
from manjerico.core.errors import InputError, integer, shown

Tape = npt.NDArray[np.int16]

FAULT, POSITION, END, HEAD = range(4)
NO_TAPE: Tape = np.zeros(0, np.int16)


def blank(capacity: int) -> Tape:
    """A tape for up to ``capacity`` outcomes."""
    return np.zeros(HEAD + capacity, np.int16)


def noted(tape: Tape) -> list[int]:
    """The outcomes that have happened."""
    outcomes: list[int] = tape[HEAD : HEAD + int(tape[POSITION])].tolist()
    return outcomes


def pending(tape: Tape) -> int:
    """How many outcomes are given for draws to come."""
    return int(tape[END]) - int(tape[POSITION])


def give(tape: Tape, outcomes: Sequence[int]) -> None:
    """Adds outcomes for draws to come.

    Raises:
        InputError: one is no small integer, or they are more than a game can have.
    """
    try:
        outcomes = list(outcomes)
    except TypeError:
        raise InputError(f"chance outcomes must be a list of integers, not {shown(outcomes)}") from None
    end = HEAD + int(tape[END])
    if end + len(outcomes) > tape.size:
        raise InputError(
            f"{len(outcomes)} chance outcomes are more than the {tape.size - end} that a game can still have"
        )
    for position, outcome in enumerate(outcomes):
        integer(outcome, f"chance outcome at position {position}", 0, np.iinfo(np.int16).max)
    tape[end : end + len(outcomes)] = outcomes
    tape[END] += len(outcomes)


def drop_pending(tape: Tape) -> None:
    """Forgets the outcomes given for draws to come."""
    tape[END] = tape[POSITION]


def check(tape: Tape) -> None:
    """Checks that what was given could happen.

    Raises:
        InputError: an outcome was impossible.
    """
    if tape[FAULT]:
        position = int(tape[POSITION])
        raise InputError(f"chance outcome {int(tape[HEAD + position])} at position {position} is impossible there")


@helper
def given(tape: Any) -> Any:
    """The outcome given for this draw, or -1. If it can't happen the caller draws another."""
    if tape.size == 0 or tape[POSITION] == tape[END]:
        return int64(-1)
    return int64(tape[HEAD + int64(tape[POSITION])])


@helper
def note(tape: Any, outcome: Any) -> None:
    """Notes what happened. After the first fault, an outcome other than the one given, the tape stands still."""
    if tape.size == 0 or tape[FAULT] != 0:
        return
    position = int64(tape[POSITION])
    if position < int64(tape[END]):
        if int64(tape[HEAD + position]) != outcome:
            tape[FAULT] = 1
            return
    else:
        tape[HEAD + position] = outcome
        tape[END] = position + 1
    tape[POSITION] = position + 1
