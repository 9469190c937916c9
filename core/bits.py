"""Sets of small integers as ``uint64`` words: count, choose and list.

A *word array* is a ``uint64[n]``; member *k* is bit ``k % 64`` of word ``k // 64``. Everything works compiled
and, with ``NUMBA_DISABLE_JIT=1``, as plain Python on NumPy scalars; that's why shifts are by ``uint64`` below 64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload
from numpy import int64, uint64

from manjerico.core.compile import helper

ONE = uint64(1)


def popcount(word: Any) -> Any:
    """The number of bits set in a ``uint64``."""
    return int64(int(word).bit_count())


def lowest(word: Any) -> Any:
    """The index of the lowest bit set in a ``uint64`` that isn't 0."""
    return int64((int(word) & -int(word)).bit_length() - 1)


@intrinsic
def _ctpop(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _cttz(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@overload(popcount)
def _compiled_popcount(word: Any) -> Callable[[Any], Any]:
    def compiled(word: Any) -> Any:
        return _ctpop(uint64(word))

    return compiled


@overload(lowest)
def _compiled_lowest(word: Any) -> Callable[[Any], Any]:
    def compiled(word: Any) -> Any:
        return _cttz(uint64(word))

    return compiled


@helper
def has(words: Any, member: Any) -> Any:
    """Whether ``member`` is in the word array; it must be in range."""
    return (words[member >> 6] >> uint64(member & 63)) & ONE != uint64(0)


@helper
def count(words: Any) -> Any:
    """The number of members of a word array."""
    total = int64(0)
    for k in range(words.size):
        total += popcount(words[k])
    return total


@helper
def select(words: Any, rank: Any) -> Any:
    """The member with ``rank`` smaller ones before it; 0 <= rank < count(words)."""
    k = int64(0)
    inside = popcount(words[0])
    while rank >= inside:
        rank -= inside
        k += 1
        inside = popcount(words[k])
    word = words[k]
    # Halve the word until one bit is left: six steps, where clearing bit after bit takes up to 63.
    place = int64(0)
    width = int64(32)
    while width > 0:
        low = popcount(word & ((ONE << uint64(width)) - ONE))
        if rank >= low:
            rank -= low
            word = word >> uint64(width)
            place += width
        width >>= 1
    return (k << 6) + place


@helper
def write_mask(words: Any, mask: Any) -> None:
    """Writes the set as bytes: ``mask[k] = 1`` for each member, 0 elsewhere (int8[n], n at most 64 per word)."""
    mask[:] = 0
    for k in range(words.size):
        word = words[k]
        while word != uint64(0):
            mask[(k << 6) + lowest(word)] = 1
            word &= word - ONE
