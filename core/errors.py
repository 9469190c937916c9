"""What a user can get wrong: one exception, and checks that say what was given, where and what is allowed."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

LONGEST = 80
"""Characters of a bad value that a message repeats."""


class InputError(ValueError):
    """Bad input. The message is one sentence for the user; the command line prints it without a traceback."""


def shown(value: Any) -> str:
    """``value`` as a message shows it: its beginning."""
    try:
        text = repr(value)
    except ValueError:  # an integer of thousands of digits
        return "an enormous number"
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def first_line(error: BaseException) -> str:
    """What an error of a library says, without what follows in other lines."""
    return (str(error).splitlines() or [repr(error)])[0]


def integer(value: Any, name: str, low: int, high: int) -> int:
    """``value`` as an ``int`` in ``low..high``; NumPy integers pass, floats and booleans don't."""
    try:
        number = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        raise InputError(f"{name} must be an integer from {low} to {high}, not {shown(value)}")
    return number


def boolean(value: Any, name: str) -> bool:
    """``value`` as a ``bool``; 0 and 1 don't pass."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} must be true or false, not {shown(value)}")
    return bool(value)


def number(value: Any, name: str) -> float:
    """``value`` as a finite ``float`` above 0."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise InputError(f"{name} must be a number above 0, not {shown(value)}")
    try:
        finite = float(value)
    except OverflowError:
        finite = float("inf")
    if not 0 < finite < float("inf"):
        raise InputError(f"{name} must be a finite number above 0, not {shown(value)}")
    return finite


def share(value: Any, name: str) -> float:
    """``value`` as a ``float`` from 0 to 1."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise InputError(f"{name} must be a number from 0 to 1, not {shown(value)}")
    if not 0 <= value <= 1:
        raise InputError(f"{name} must be from 0 to 1, not {shown(value)}")
    return float(value)


def choice(value: Any, name: str, allowed: Iterable[str]) -> str:
    """``value`` if it is one of ``allowed``; the message offers the nearest one."""
    names = list(allowed)
    if isinstance(value, str) and value in names:
        return value
    names.sort()
    near = difflib.get_close_matches(value, names, n=1) if isinstance(value, str) else []
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise InputError(f"{name} must be one of {', '.join(names)}, not {shown(value)}{hint}")
