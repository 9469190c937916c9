"""The rule parameters of Arraial: board, pieces, cards, level bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from arraial_env.geometry import (
    DEFAULT_SHAPES,
    MAX_EXTENT,
    MAX_PLAYERS,
    MAX_SQUARES,
    MAX_WIDTH,
    MIN_WIDTH,
    PHASES,
    SLOTS,
    TYPES,
    Shape,
    is_connected,
)
from manjerico.core.errors import InputError, boolean, integer, shown
from manjerico.core.rules import Rules

MOST_CARDS = 30
"""Cards of one type; a byte counts the cards of a pile."""
MOST_COUPLE_POINTS = 100


def _items(value: Any, where: str, expected: str) -> list[Any]:
    if isinstance(value, str | bytes | dict) or not hasattr(value, "__iter__"):
        raise InputError(f"{where} must be {expected}, not {shown(value)}")
    try:
        return list(value)
    except TypeError:  # an array without dimensions
        raise InputError(f"{where} must be {expected}, not {shown(value)}") from None


def _checked_shapes(shapes: Any, where: str) -> tuple[Shape, ...]:
    listed = _items(shapes, where, f"{TYPES} lists of [x, y] cells")
    if len(listed) != TYPES:
        raise InputError(f"{where} must be {TYPES} lists of [x, y] cells, not {len(listed)}")
    return tuple(_checked_shape(shape, f"{where}[{kind}]") for kind, shape in enumerate(listed))


def _checked_shape(shape: Any, where: str) -> Shape:
    cells: list[tuple[int, int]] = []
    for k, cell in enumerate(_items(shape, where, "a list of [x, y] cells")):
        pair = _items(cell, f"{where}[{k}]", "a cell [x, y]")
        if len(pair) != 2:
            raise InputError(f"{where}[{k}] must be a cell [x, y], not {shown(cell)}")
        x, y = (integer(part, f"{where}[{k}]", 0, MAX_EXTENT - 1) for part in pair)
        cells.append((x, y))
    if not cells or len(set(cells)) != len(cells) or not is_connected(cells):
        raise InputError(f"{where} must be different cells that are connected edge to edge, not {shown(shape)}")
    if min(x for x, _ in cells) or min(y for _, y in cells):
        raise InputError(f"{where} must touch both x = 0 and y = 0, not {shown(shape)}")
    return tuple(cells)


@dataclass(frozen=True)
class ArraialRules(Rules):
    """What no source settles, with the defaults that we play by (``docs/rules-arraial.md``).

    Raises:
        InputError: a field has a value that isn't allowed.
    """

    width: int = 8
    """Columns of a street, 4..16 (A1)."""
    height: int = 14
    """Rows of a street, at least 1; width times height is at most 128 (A1)."""
    shapes: tuple[Shape, ...] = DEFAULT_SHAPES
    """The cells (x, y) of each of the eight types, two per colour: any polyomino up to 5 x 5 (A2)."""
    cards_per_type: tuple[int, ...] = (1, 2, 3, 3)
    """Cards of each type with 1, 2, 3 and 4 players, 1..30 (A3)."""
    bar_start: tuple[int, ...] = (8, 8, 8, 7)
    """The level bar's first height with 1, 2, 3 and 4 players, 0..height (A4)."""
    min_pieces: tuple[int, ...] = (1, 1, 2)
    """Pieces that must be placed in a turn of phases 1, 2 and 3, 1..3 (B2)."""
    max_slide: int | None = None
    """The most columns that a piece slides, 0..15, or None for any number (C2)."""
    bar_drop: int = 2
    """Rows that the level bars drop at the end of phases 1 and 2, 0..32 (D2)."""
    bar_visitors_score_at_end: bool = True
    """Whether visitors on a level bar count at the end of the game (D4)."""
    couple_points: int = 2
    """Points for a couple, 0..100 (E1)."""

    def __post_init__(self) -> None:
        where = type(self).__name__
        self._set("width", integer(self.width, f"{where}: width", MIN_WIDTH, MAX_WIDTH))
        highest = MAX_SQUARES // self.width
        self._set("height", integer(self.height, f"{where}: height, with width {self.width},", 1, highest))
        self._set("shapes", _checked_shapes(self.shapes, f"{where}: shapes"))
        self._set_integers("cards_per_type", MAX_PLAYERS, 1, MOST_CARDS)
        self._set_integers("bar_start", MAX_PLAYERS, 0, self.height)
        self._set_integers("min_pieces", PHASES, 1, SLOTS)
        if self.max_slide is not None:
            slide = integer(self.max_slide, f"{where}: max_slide, unless None,", 0, MAX_WIDTH - 1)
            self._set("max_slide", slide)
        self._set("bar_drop", integer(self.bar_drop, f"{where}: bar_drop", 0, MAX_SQUARES // MIN_WIDTH))
        scored = boolean(self.bar_visitors_score_at_end, f"{where}: bar_visitors_score_at_end")
        self._set("bar_visitors_score_at_end", scored)
        points = integer(self.couple_points, f"{where}: couple_points", 0, MOST_COUPLE_POINTS)
        self._set("couple_points", points)

    def _set_integers(self, name: str, count: int, low: int, high: int) -> None:
        where = f"{type(self).__name__}: {name}"
        values = _items(getattr(self, name), where, f"{count} integers")
        if len(values) != count:
            raise InputError(f"{where} must be {count} integers, not {len(values)}")
        self._set(name, tuple(integer(value, f"{where}[{k}]", low, high) for k, value in enumerate(values)))

    @classmethod
    def rulebook(cls) -> Self:
        """The published game: the default."""
        return cls()


PRESETS = {"rulebook": ArraialRules.rulebook()}
"""The presets by name, for the command line."""
