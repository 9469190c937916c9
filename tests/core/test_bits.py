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


@helper
def compiled_write_mask(words: Any, mask: Any) -> None:
    bits.write_mask(words, mask)


@helper
def compiled_write_bits(word: Any, size: Any, value: Any, out: Any, at: Any) -> None:
    bits.write_bits(word, size, value, out, at)


@helper
def compiled_add_bits(word: Any, size: Any, value: Any, out: Any, at: Any) -> None:
    bits.add_bits(word, size, value, out, at)


@pytest.mark.parametrize("write", [bits.write_mask, compiled_write_mask])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("less", [0, 1, 59, 63])
def test_write_mask(size: int, less: int, write: Any) -> None:
    """Over whatever was there before; the mask may end within the last word, and nothing is written behind it."""
    for members in some_sets(size):
        width = 64 * size - less
        inside = {k for k in members if k < width}
        around = np.full(width + 128, 7, np.int8)
        write(words_of(inside, size), around[64 : 64 + width])
        assert around.tolist() == [7] * 64 + [int(k in inside) for k in range(width)] + [7] * 64


@pytest.mark.parametrize(
    ("write", "before"),
    [(bits.write_bits, 0), (compiled_write_bits, 0), (bits.add_bits, 3), (compiled_add_bits, 3)],
)
@pytest.mark.parametrize("size", [-6, 0, 1, 7, 8, 9, 15, 16, 17, 31, 40, 42, 63, 64])
def test_write_and_add_bits(size: int, write: Any, before: int) -> None:
    """Nothing is written before, behind, or for bits from ``size`` on; a negative size is none."""
    written = max(size, 0)
    for word in (0, *WORDS):
        out = np.full(100, 3, np.float32)
        write(uint64(word), size, np.float32(0.25), out, 10)
        expected = [before + 0.25 * (word >> k & 1) for k in range(written)]
        assert out.tolist() == [3] * 10 + expected + [3] * (90 - written)


# --- Boards ----------------------------------------------------------------------------------------------------------

Squares = set[tuple[int, int]]
GRIDS = [(8, 14), (8, 16), (16, 8), (4, 32), (5, 25), (4, 4), (4, 1), (16, 1), (7, 18)]


def lanes(board: int) -> tuple[uint64, uint64]:
    return uint64(board & (2**64 - 1)), uint64(board >> 64)


def whole(pair: tuple[Any, Any]) -> int:
    return int(pair[0]) | int(pair[1]) << 64


def some_boards(rng: random.Random) -> list[int]:
    every = 2**128 - 1
    return [0, every, 1, 1 << 127, 1 << 63, 1 << 64, *(rng.getrandbits(128) & rng.getrandbits(128) for _ in range(30))]


@helper
def compiled_shift_up(low: Any, high: Any, n: Any) -> Any:
    return bits.shift_up(low, high, n)


@helper
def compiled_shift_down(low: Any, high: Any, n: Any) -> Any:
    return bits.shift_down(low, high, n)


@pytest.mark.parametrize("up", [bits.shift_up, compiled_shift_up])
@pytest.mark.parametrize("down", [bits.shift_down, compiled_shift_down])
def test_shifts(up: Any, down: Any) -> None:
    for board in some_boards(random.Random(1)):
        for n in (0, 1, 3, 63, 64, 65, 127):
            assert whole(up(*lanes(board), n)) == board << n & (2**128 - 1)
            assert whole(down(*lanes(board), n)) == board >> n


@helper
def compiled_smear(low: Any, high: Any, step: Any) -> Any:
    return bits.smear_down(low, high, step)


def test_smear_down() -> None:
    for board in some_boards(random.Random(2)):
        for step in (1, 4, 5, 8, 16):
            below = 0
            for k in range(128 // step + 1):
                below |= board >> (k * step)
            assert whole(compiled_smear(*lanes(board), step)) == below


def board_of(squares: Squares, width: int) -> int:
    return sum(1 << (y * width + x) for x, y in squares)


def around(squares: Squares, width: int) -> Squares:
    """The squares and their neighbours on a board of any height."""
    near = {(x + dx, y + dy) for x, y in squares for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))}
    return {(x, y) for x, y in near if 0 <= x < width and y >= 0}


def outer_columns(width: int, height: int) -> tuple[Words, Words]:
    first = board_of({(0, y) for y in range(height)}, width)
    last = board_of({(width - 1, y) for y in range(height)}, width)
    return np.array(lanes(first)), np.array(lanes(last))


@helper
def compiled_dilate(low: Any, high: Any, width: Any, first: Any, last: Any) -> Any:
    return bits.dilate(low, high, width, first, last)


@helper
def compiled_flood(low: Any, high: Any, inside_low: Any, inside_high: Any, width: Any, first: Any, last: Any) -> Any:
    return bits.flood(low, high, inside_low, inside_high, width, first, last)


@pytest.mark.parametrize(("width", "height"), GRIDS)
def test_dilate_and_flood(width: int, height: int) -> None:
    """No square has a neighbour across the left or right edge."""
    rng = random.Random(width)
    first, last = outer_columns(width, height)
    grid = [(x, y) for y in range(height) for x in range(width)]
    for share in (0.05, 0.3, 0.6, 0.9, 1.0):
        for _ in range(10):
            squares = {square for square in grid if rng.random() < share} or {grid[-1]}
            board = lanes(board_of(squares, width))
            expected = board_of({(x, y) for x, y in around(squares, width) if y < height}, width)
            on_grid = 2 ** (width * height) - 1
            assert whole(compiled_dilate(*board, width, first, last)) & on_grid == expected
            filled = {rng.choice(sorted(squares))}
            seed = lanes(board_of(filled, width))
            while (wider := around(filled, width) & squares) != filled:
                filled = wider
            assert whole(compiled_flood(*seed, *board, width, first, last)) == board_of(filled, width)


@helper
def compiled_take_lowest(low: Any, high: Any) -> Any:
    return bits.take_lowest(low, high)


@pytest.mark.parametrize("take", [bits.take_lowest, compiled_take_lowest])
def test_take_lowest(take: Any) -> None:
    """Square by square, a board is taken apart in ascending order."""
    for board in some_boards(random.Random(4)):
        low, high = lanes(board)
        taken = []
        while low | high:
            square, low, high = take(uint64(low), uint64(high))
            taken.append(int(square))
        assert taken == [k for k in range(128) if board >> k & 1]


@helper
def compiled_add_board(words: Any, offset: Any, low: Any, high: Any) -> None:
    bits.add_board(words, offset, low, high)


def test_add_board() -> None:
    """The square 127 at offset 0 is bit 127, at offset 112 bit 239: boards may begin and end inside words."""
    rng = random.Random(3)
    for size in (16, 100, 112, 125, 128):
        for offset in (0, size, 2 * size):
            board = rng.getrandbits(size)
            words = np.zeros((3 * size + 8 + 63) // 64, np.uint64)
            words[0] = uint64(1)
            compiled_add_board(words, offset, *lanes(board))
            assert sum(int(word) << (64 * k) for k, word in enumerate(words)) == board << offset | 1
