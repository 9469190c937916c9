"""The material and the player board: what the rulebook prints, as tables that are made from a few facts.

A *space* is ``6 * star + position``: outer stars 0..5 in the order of the colours, the centre star 6, positions
0..5 clockwise. A player's filled spaces are one ``uint64``, bit *k* for space *k*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

COLOURS = ("orange", "red", "blue", "yellow", "green", "purple")
TILES_PER_COLOUR = 22
TILES = len(COLOURS) * TILES_PER_COLOUR
ROUNDS = 6
WILD_BY_ROUND = np.array([5, 4, 0, 3, 2, 1], np.int64)
"""The wild colour of rounds 1..6 (A5)."""

START_SCORE = 5
FLOOR = 1
KEPT_TILES = 4
"""The most tiles that are kept on passing (D2)."""
SUPPLY_SPACES = 10
DISPLAY_TILES = 4
MAX_PLAYERS = 4
MAX_DISPLAYS = 2 * MAX_PLAYERS + 1
CENTRE = MAX_DISPLAYS
"""The centre's number as a source, after the displays."""

STARS = 7
CENTRE_STAR = 6
POSITIONS = 6
SPACES = STARS * POSITIONS
STAR_NAMES = (*COLOURS, "centre")

CENTRE_STAR_POINTS = 12
STAR_POINTS = (17, 14, 15, 16, 18, 20)
"""Points for a complete outer star, by colour (F1)."""
NUMBER_POINTS = (4, 8, 12, 16)
"""Points for all spaces of the numbers 1..4 (F2)."""

PILLAR, STATUE, WINDOW = range(3)
STRUCTURES = 18
STRUCTURES_PER_SPACE = 2
"""No space borders on more structures."""
NO_STRUCTURE = np.uint64(2**63)
"""A mask that no board contains, for spaces that border on fewer structures."""


def display_count(players: int) -> int:
    """The number of factory displays (A2)."""
    return 2 * players + 1


@dataclass(frozen=True)
class Side:
    """One side of the player board."""

    numbers: tuple[int, ...]
    """The printed number of each space."""
    structures: tuple[tuple[int, tuple[int, ...]], ...]
    """Kind and enclosing spaces of each structure."""


def _side_a() -> Side:
    """Every star has the spaces 1..6 once; structures as in the table under C7."""

    def outer(i: int, n: int) -> int:
        return POSITIONS * (i % 6) + n - 1

    def centre(k: int) -> int:
        return POSITIONS * CENTRE_STAR + k - 1

    structures: list[tuple[int, tuple[int, ...]]] = []
    for i in range(6):
        structures.append((PILLAR, (outer(i, 2), outer(i, 3), centre((i + 5) % 6 + 1), centre(i + 1))))
        structures.append((STATUE, (outer(i, 1), outer(i, 2), outer(i + 1, 3), outer(i + 1, 4))))
        structures.append((WINDOW, (outer(i, 5), outer(i, 6))))
    return Side(numbers=tuple(range(1, 7)) * STARS, structures=tuple(structures))


SIDES = {"A": _side_a()}
"""The sides of the board that are implemented."""


def board_mask(spaces: tuple[int, ...]) -> int:
    """The spaces as the bits of a board."""
    return sum(1 << space for space in set(spaces))


def structure_masks(side: Side) -> npt.NDArray[np.uint64]:
    """The spaces that enclose each structure, as boards: uint64 [18]."""
    return np.array([board_mask(spaces) for _, spaces in side.structures], np.uint64)


def bordering(side: Side) -> npt.NDArray[np.int64]:
    """For each space the numbers of the structures that it borders on, -1 for none: int64 [42, 2]."""
    numbers = np.full((SPACES, STRUCTURES_PER_SPACE), -1)
    used = [0] * SPACES
    for number, (_, spaces) in enumerate(side.structures):
        for space in spaces:
            numbers[space, used[space]] = number
            used[space] += 1
    return numbers


def number_masks(side: Side) -> npt.NDArray[np.uint64]:
    """The spaces with the printed numbers 1..4, as boards: uint64 [4]."""
    spaces = [tuple(k for k in range(SPACES) if side.numbers[k] == n) for n in range(1, 5)]
    return np.array([board_mask(s) for s in spaces], np.uint64)


def star_masks() -> npt.NDArray[np.uint64]:
    """Each star's spaces, as boards: uint64 [7]."""
    return np.array([0b111111 << (POSITIONS * star) for star in range(STARS)], np.uint64)


def chain_table() -> npt.NDArray[np.int8]:
    """Points for a tile (C6) by the star's filled positions (6 bits) and the position: int8 [64, 6].

    Turn the ring so that the position is bit 0; the chain is the run of ones above it and the run below it.
    """
    table = np.zeros((2**POSITIONS, POSITIONS), np.int8)
    for filled in range(2**POSITIONS):
        for position in range(POSITIONS):
            ring = (filled >> position | filled << (POSITIONS - position)) & 0b111111 | 1
            if ring == 0b111111:
                table[filled, position] = POSITIONS
                continue
            above = (~ring & (ring + 1)).bit_length() - 1
            below = POSITIONS - (ring ^ 0b111111).bit_length()
            table[filled, position] = above + below
    return table
