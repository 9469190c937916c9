"""Sets of small integers against Python's sets."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from numpy import uint64

from manjerico.core import bits
from manjerico.core.compile import helper

Words = npt.NDArray[np.uint64]
SIZES = [1, 2, 6]


def words_of(members: set[int], size: int) -> Words:
    words = np.zeros(size, np.uint64)
    for member in members:
        words[member // 64] |= uint64(1 << (member % 64))
    return words


def some_sets(size: int) -> list[set[int]]:
    """Empty, full, single, the edges of the words, and random ones from sparse to dense."""
    rng = random.Random(size)
    everything = range(64 * size)
    chosen = [set(), set(everything), {0}, {64 * size - 1}, {k for k in everything if k % 64 in (0, 63)}]
    for share in (0.02, 0.1, 0.5, 0.9):
        chosen += [{k for k in everything if rng.random() < share} for _ in range(10)]
    return chosen


@helper
def compiled_popcount(word: Any) -> Any:
    return bits.popcount(word)


@helper
def compiled_lowest(word: Any) -> Any:
    return bits.lowest(word)


WORDS = [1, 2, 3, 2**32, 2**63, 2**64 - 1, 2**64 - 2, 0xF0F0F0F0F0F0F0F0, 0x8000000000000001]


@pytest.mark.parametrize("popcount", [bits.popcount, compiled_popcount])
def test_popcount(popcount: Any) -> None:
    for word in (0, *WORDS):
        assert popcount(uint64(word)) == bin(word).count("1")


@pytest.mark.parametrize("lowest", [bits.lowest, compiled_lowest])
def test_lowest(lowest: Any) -> None:
    for word in WORDS:
        assert lowest(uint64(word)) == len(bin(word)) - 1 - bin(word).rindex("1")
    for k in range(64):
        assert lowest(uint64(1 << k)) == k


@pytest.mark.parametrize("size", SIZES)
def test_has(size: int) -> None:
    for members in some_sets(size):
        words = words_of(members, size)
        assert {k for k in range(64 * size) if bits.has(words, k)} == members


@pytest.mark.parametrize("size", SIZES)
def test_count(size: int) -> None:
    for members in some_sets(size):
        assert bits.count(words_of(members, size)) == len(members)


@pytest.mark.parametrize("size", SIZES)
def test_select(size: int) -> None:
    for members in some_sets(size):
        words = words_of(members, size)
        assert [bits.select(words, rank) for rank in range(len(members))] == sorted(members)


@pytest.mark.parametrize("size", SIZES)
def test_write_mask(size: int) -> None:
    """Over whatever was there before; the mask may end within the last word."""
    for members in some_sets(size):
        width = 64 * size - 59
        inside = {k for k in members if k < width}
        mask = np.full(width, 7, np.int8)
        bits.write_mask(words_of(inside, size), mask)
        assert mask.tolist() == [int(k in inside) for k in range(width)]
