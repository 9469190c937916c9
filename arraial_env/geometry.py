"""The material: colours, pieces and how they turn, sides of the table, and boards as bits.

A *board* is a set of squares: bit ``y * width + x`` of two 64-bit lanes, row 0 at the bottom, column 0 on the left. A
*type* is one of the eight kinds of pieces and cards, a *turn* the number of quarter turns clockwise, 0..3.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

COLOURS = ("yellow", "blue", "green", "red")
TYPES = 8
TYPES_PER_COLOUR = 2
TURNS = 4
SLOTS = 3
"""Slots of the octagon, and the most cards in the row."""
PHASES = 3
POINTS = 3
"""Action points of a turn (B1)."""
MAX_PLAYERS = 4
MIN_WIDTH = 4
MAX_WIDTH = 16
MAX_SQUARES = 128
MAX_HEIGHT = MAX_SQUARES // MIN_WIDTH
MAX_EXTENT = 5
"""Squares that a piece may be wide or high (A2)."""
MAX_CELLS = MAX_EXTENT * MAX_EXTENT

Cell = tuple[int, int]
Shape = tuple[Cell, ...]

DEFAULT_SHAPES: tuple[Shape, ...] = (
    ((0, 0), (1, 0), (0, 1), (1, 1)),  # yellow O
    ((0, 0), (1, 0), (2, 0), (3, 0)),  # yellow I
    ((0, 0), (1, 0), (2, 0), (2, 1)),  # blue L
    ((0, 0), (1, 0), (2, 0), (0, 1)),  # blue J
    ((0, 0), (1, 0), (1, 1), (2, 1)),  # green S
    ((1, 0), (2, 0), (0, 1), (1, 1)),  # green Z
    ((0, 0), (1, 0), (2, 0), (1, 1)),  # red T
    ((0, 0), (1, 0), (2, 0), (2, 1)),  # red L
)
"""The cells (x right, y up) of each type in its table orientation (A2)."""

SIDES = ((0,), (0, 2), (0, 1, 2), (0, 1, 2, 3))
"""The side of the table (S 0, W 1, N 2, E 3) of each seat, by the number of players - 1 (A6)."""


def quarter_turn(cells: Iterable[Cell]) -> Shape:
    """The cells turned clockwise, (x, y) to (y, -x), and moved back to the corner (A2); sorted."""
    turned = [(y, -x) for x, y in cells]
    left, bottom = min(x for x, _ in turned), min(y for _, y in turned)
    return tuple(sorted((x - left, y - bottom) for x, y in turned))


def turns_of(cells: Iterable[Cell]) -> tuple[Shape, Shape, Shape, Shape]:
    """The cells after 0, 1, 2 and 3 quarter turns."""
    once = quarter_turn(cells)
    twice = quarter_turn(once)
    thrice = quarter_turn(twice)
    return quarter_turn(thrice), once, twice, thrice


def extent(cells: Iterable[Cell]) -> tuple[int, int]:
    """Width and height of the bounding box."""
    squares = list(cells)
    return 1 + max(x for x, _ in squares), 1 + max(y for _, y in squares)


def is_connected(cells: Iterable[Cell]) -> bool:
    """Whether the cells are one polyomino."""
    rest = set(cells)
    edge = [rest.pop()] if rest else []
    while edge:
        x, y = edge.pop()
        near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & rest
        rest -= near
        edge += near
    return not rest


NAMES = {
    min(turns_of(cells)): name
    for name, cells in {
        "square": ((0, 0),),
        "domino": ((0, 0), (1, 0)),
        "tromino I": ((0, 0), (1, 0), (2, 0)),
        "tromino L": ((0, 0), (1, 0), (0, 1)),
        **dict(zip("OILJSZT", DEFAULT_SHAPES[:7], strict=True)),
    }.items()
}
"""What pieces are called, by the least of their four turns."""


def name_of(kind: int, cells: Shape) -> str:
    """Colour and name of a type: ``"red T"``; other polyominoes go by their type's number."""
    return f"{COLOURS[kind // TYPES_PER_COLOUR]} {NAMES.get(min(turns_of(cells)), f'piece {kind}')}"


def lanes(squares: Iterable[int]) -> npt.NDArray[np.uint64]:
    """A board of these squares, given as bit numbers: uint64[2]."""
    board = sum(1 << square for square in set(squares))
    return np.array([board & (2**64 - 1), board >> 64], np.uint64)


def squares_of(board: npt.NDArray[np.uint64]) -> list[int]:
    """The bit numbers of a board's squares, ascending."""
    low, high = board.tolist()
    return [place for place, bit in enumerate(reversed(f"{low | high << 64:b}")) if bit == "1"]
