"""Two kernels, one closing over the other, with helpers from ``core``: what a cache can get wrong, in little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import int64

from manjerico.core import rng
from manjerico.core.compile import I64, WORDS, kernel


@kernel(I64(WORDS, I64))
def roll(stream: Any, sides: int) -> Any:
    return rng.below(stream, sides) + 1


def make_total(roll: Callable[..., Any]) -> Callable[..., Any]:
    @kernel(I64(WORDS, I64, I64))
    def total(stream: Any, sides: int, rolls: int) -> Any:
        points = int64(0)
        for _ in range(rolls):
            points += roll(stream, sides)
        return points

    return total


def play() -> str:
    """Some rolls in words."""
    stream = np.array([1, 0], np.uint64)
    total = make_total(roll)
    return " ".join(str(number) for number in (roll(stream, 6), roll(stream, 1000), total(stream, 6, 100)))
