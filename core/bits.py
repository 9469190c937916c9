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


def write_mask(words: Any, mask: Any) -> None:
    """Writes the set as bytes: ``mask[k] = 1`` for each member, 0 elsewhere (int8[n], n at most 64 per word)."""
    for k in range(mask.size):
        mask[k] = int(words[k >> 6]) >> (k & 63) & 1


def write_bits(word: Any, size: Any, value: Any, out: Any, at: Any) -> None:
    """``out[at + k] = value`` for each bit k < ``size`` that is set, 0 for the others; float32, size at most 64."""
    for k in range(size):
        out[at + k] = value if int(word) >> k & 1 else 0


def add_bits(word: Any, size: Any, value: Any, out: Any, at: Any) -> None:
    """``out[at + k] += value`` for each bit k < ``size`` that is set; float32, size at most 64."""
    for k in range(size):
        if int(word) >> k & 1:
            out[at + k] += value


def _vector_place(context: Any, builder: Any, array_type: Any, array: Any, at: Any, lanes: int) -> Any:
    """A pointer to so many items of an array as a vector."""
    data = context.make_array(array_type)(context, builder, array).data
    vector = ir.VectorType(context.get_data_type(array_type.dtype), lanes)
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())


def _lanes_set(builder: Any, word: Any, lanes: int) -> Any:
    """The lowest bits of a word as a vector of booleans."""
    lowest_bits = word if lanes == 64 else builder.trunc(word, ir.IntType(lanes))
    return builder.bitcast(lowest_bits, ir.VectorType(ir.IntType(1), lanes))


@intrinsic
def _write_64_bytes(typing_context: Any, out: Any, at: Any, word: Any) -> Any:
    """A word's bits as bytes, in one store."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _vector_place(context, builder, signature.args[0], arguments[0], arguments[1], 64)
        builder.store(builder.zext(_lanes_set(builder, arguments[2], 64), place.type.pointee), place, align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.uint64), generate


def _vector_writer(lanes: int, adds: bool) -> Any:
    """``write(out, at, word, value)``: so many bits as float32 in one store, or added to what is there."""

    @intrinsic
    def write(typing_context: Any, out: Any, at: Any, word: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _vector_place(context, builder, signature.args[0], arguments[0], arguments[1], lanes)
            vector = place.type.pointee
            values = ir.Constant(vector, None)
            for lane in range(lanes):
                values = builder.insert_element(values, arguments[3], ir.Constant(ir.IntType(32), lane))
            written = builder.select(_lanes_set(builder, arguments[2], lanes), values, ir.Constant(vector, None))
            if adds:
                written = builder.fadd(builder.load(place, align=1), written)
            builder.store(written, place, align=1)
            return context.get_dummy_value()

        return types.void(out, types.int64, types.uint64, types.float32), generate

    return write


@overload(write_mask)
def _compiled_write_mask(words: Any, mask: Any) -> Callable[[Any, Any], None]:
    def compiled(words: Any, mask: Any) -> None:
        whole = mask.size >> 6
        for k in range(whole):
            _write_64_bytes(mask, k << 6, words[k])
        for k in range(whole << 6, mask.size):
            mask[k] = (words[whole] >> uint64(k & 63)) & ONE

    return compiled


def _bits_writer(adds: bool) -> Any:
    """What :func:`write_bits` and :func:`add_bits` compile to."""
    by_16, by_8, singly = (_vector_writer(lanes, adds) for lanes in (16, 8, 1))

    def choose(word: Any, size: Any, value: Any, out: Any, at: Any) -> Callable[[Any, Any, Any, Any, Any], None]:
        def compiled(word: Any, size: Any, value: Any, out: Any, at: Any) -> None:
            done = int64(0)
            while done + 16 <= size:
                by_16(out, at + done, word >> uint64(done), value)
                done += 16
            if done + 8 <= size:
                by_8(out, at + done, word >> uint64(done), value)
                done += 8
            for k in range(done, size):
                singly(out, at + k, word >> uint64(k), value)

        return compiled

    return choose


overload(write_bits)(_bits_writer(adds=False))
overload(add_bits)(_bits_writer(adds=True))


# --- Boards of up to 128 squares: two lanes, low and high, that are passed and returned as two words ------------------


_LANE = 2**64 - 1


def shift_up(low: Any, high: Any, n: Any) -> Any:
    """Every square ``n`` places up, 0 <= n < 128; what leaves at the top is lost."""
    board = (int(low) | int(high) << 64) << int(n)
    return uint64(board & _LANE), uint64(board >> 64 & _LANE)


def shift_down(low: Any, high: Any, n: Any) -> Any:
    """Every square ``n`` places down, 0 <= n < 128; what leaves at the bottom is lost."""
    board = (int(low) | int(high) << 64) >> int(n)
    return uint64(board & _LANE), uint64(board >> 64)


def _shifter(operation: str) -> Any:
    """LLVM's 128-bit shift as an intrinsic on two lanes."""

    @intrinsic
    def shift(typing_context: Any, low: Any, high: Any, n: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            wide, lane = ir.IntType(128), ir.IntType(64)
            low, high, n = (builder.zext(argument, wide) for argument in arguments)
            board = builder.or_(low, builder.shl(high, ir.Constant(wide, 64)))
            board = getattr(builder, operation)(board, n)
            upper = builder.lshr(board, ir.Constant(wide, 64))
            lanes = [builder.trunc(board, lane), builder.trunc(upper, lane)]
            return context.make_tuple(builder, signature.return_type, lanes)

        return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64, types.uint64), generate

    return shift


_shl = _shifter("shl")
_lshr = _shifter("lshr")


@overload(shift_up)
def _compiled_shift_up(low: Any, high: Any, n: Any) -> Callable[[Any, Any, Any], Any]:
    def compiled(low: Any, high: Any, n: Any) -> Any:
        return _shl(uint64(low), uint64(high), uint64(n))

    return compiled


@overload(shift_down)
def _compiled_shift_down(low: Any, high: Any, n: Any) -> Callable[[Any, Any, Any], Any]:
    def compiled(low: Any, high: Any, n: Any) -> Any:
        return _lshr(uint64(low), uint64(high), uint64(n))

    return compiled


@helper
def smear_down(low: Any, high: Any, step: Any) -> Any:
    """The squares and all places that lie 1, 2, ... times ``step`` below one of them."""
    while step < 128:
        below, above = shift_down(low, high, step)
        low |= below
        high |= above
        step <<= 1
    return low, high


@helper
def dilate(low: Any, high: Any, width: Any, first: Any, last: Any) -> Any:
    """The squares and their neighbours edge to edge, on a grid of rows of ``width`` squares.

    ``first`` and ``last`` (uint64[2]) are the grid's outer columns. Neighbours above the top row may be included.
    """
    right_low, right_high = shift_up(low & ~last[0], high & ~last[1], 1)
    left_low, left_high = shift_down(low & ~first[0], high & ~first[1], 1)
    up_low, up_high = shift_up(low, high, width)
    down_low, down_high = shift_down(low, high, width)
    return low | right_low | left_low | up_low | down_low, high | right_high | left_high | up_high | down_high


@helper
def flood(low: Any, high: Any, inside_low: Any, inside_high: Any, width: Any, first: Any, last: Any) -> Any:
    """All squares of ``inside`` that are connected edge to edge with the given ones, which lie inside."""
    while True:
        wider_low, wider_high = dilate(low, high, width, first, last)
        wider_low &= inside_low
        wider_high &= inside_high
        if wider_low == low and wider_high == high:
            return low, high
        low = wider_low
        high = wider_high


@helper
def take_lowest(low: Any, high: Any) -> Any:
    """The lowest square of a board that is not empty, and the board without it."""
    if low != uint64(0):
        return lowest(low), low & (low - uint64(1)), high
    return 64 + lowest(high), low, high & (high - uint64(1))


@helper
def add_board(words: Any, offset: Any, low: Any, high: Any) -> None:
    """Adds the board's squares to a word array, shifted by ``offset``; they must fit."""
    k = offset >> 6
    lower, middle = shift_up(low, uint64(0), uint64(offset & 63))
    middle_2, upper = shift_up(high, uint64(0), uint64(offset & 63))
    middle |= middle_2
    words[k] |= lower
    if middle != uint64(0):
        words[k + 1] |= middle
    if upper != uint64(0):
        words[k + 2] |= upper
