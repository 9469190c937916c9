"""What a player sees: everything public, the observing player first, then the others in turn order.

The tables below are the layout. The kernel takes its offsets from them, ``layout`` puts them together for a
number of players, and the documentation and the round-trip test read the result.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy import float32, int64, uint64

from azul_env.geometry import (
    CENTRE,
    KEPT_TILES,
    POSITIONS,
    ROUNDS,
    SPACES,
    STARS,
    STRUCTURES,
    SUPPLY_SPACES,
    TILES_PER_COLOUR,
    chain_table,
    display_count,
)
from azul_env.kernels import COLOUR_BITS
from azul_env.state import ACQUIRE, PARAMS_TYPE, PLAY, STATES_TYPE
from manjerico.core.bits import ONE, lowest, write_bits
from manjerico.core.compile import FLOATS, I64, VOID, helper, kernel
from manjerico.core.layout import Layout, Part, offsets, prefixed

HIGHEST_SCORE = 304
"""A full board in the best order."""

SHARED = (
    Part("round", (ROUNDS,), 1, 1, "one-hot round 1..6, and so the wild colour"),
    Part("phase", (2,), 1, 1, "one-hot: phase 1, phase 2; zeros after the end"),
    Part("picks", (1,), SUPPLY_SPACES, SUPPLY_SPACES, "supply tiles that the player to act still has to pick"),
    Part("giving_up", (1,), 1, 1, "the player to act has given up a tile in this turn"),
    Part("marker_in_centre", (1,), 1, 1, "the start marker lies in the centre"),
    Part("supply", (6,), SUPPLY_SPACES, SUPPLY_SPACES, "supply tiles by colour"),
    Part("bag", (6,), TILES_PER_COLOUR, TILES_PER_COLOUR, "tiles in the bag by colour"),
    Part("tower", (6,), TILES_PER_COLOUR, TILES_PER_COLOUR, "tiles in the tower by colour"),
    Part("market", (6,), 10, TILES_PER_COLOUR, "tiles in the centre of the table by colour"),
)
DISPLAYS = Part("displays", (6,), 4, 4, "tiles on each display by colour")
SEAT = (
    Part("to_act", (1,), 1, 1, "this player is to act"),
    Part("starter", (1,), 1, 1, "this player began phase 1 of the round"),
    Part("marker", (1,), 1, 1, "this player holds the start marker"),
    Part("passed", (1,), 1, 1, "this player has passed in this phase 2"),
    Part("score", (1,), 100, HIGHEST_SCORE, "score"),
    Part("hand", (6,), 10, TILES_PER_COLOUR, "tiles beside the board by colour"),
    Part("kept", (6,), KEPT_TILES, KEPT_TILES, "tiles in the corners by colour"),
    Part("board", (7, 6), 1, 1, "filled spaces, by star (outer stars by colour, centre star last) and number"),
    Part("centre", (6,), 6, 6, "1 + colour of the tile on each space of the centre star, 0 for none"),
    Part("centre_used", (6,), 1, 1, "colours in the centre star"),
    Part("numbers_paid", (4,), 1, 1, "numbers 1..4 whose bonus was paid"),
)
OUTLOOK = (
    Part("gain", (7, 6), 6, 6, "points for a tile on each empty space of the observer's board, 0 for a filled one"),
    Part("earned", (7, 6), 6, 264, "supply tiles for a tile on each empty space of the observer's board"),
)

AT = offsets(SHARED)
AT_SEAT = offsets(SEAT)
AT_ROUND, AT_PHASE, AT_PICKS, AT_GIVING_UP = AT["round"], AT["phase"], AT["picks"], AT["giving_up"]
AT_MARKER_IN_CENTRE, AT_SUPPLY, AT_BAG, AT_TOWER = AT["marker_in_centre"], AT["supply"], AT["bag"], AT["tower"]
AT_MARKET, SHARED_SIZE = AT["market"], AT["size"]
AT_TO_ACT, AT_STARTER, AT_HOLDS_MARKER = AT_SEAT["to_act"], AT_SEAT["starter"], AT_SEAT["marker"]
AT_PASSED, AT_SCORE, AT_HAND, AT_KEPT = AT_SEAT["passed"], AT_SEAT["score"], AT_SEAT["hand"], AT_SEAT["kept"]
AT_BOARD, AT_CENTRE, AT_CENTRE_USED = AT_SEAT["board"], AT_SEAT["centre"], AT_SEAT["centre_used"]
AT_NUMBERS_PAID, SEAT_SIZE = AT_SEAT["numbers_paid"], AT_SEAT["size"]

FILLED = np.arange(2**POSITIONS)[:, None] >> np.arange(POSITIONS) & 1
GAIN = np.where(FILLED, 0, chain_table() / np.float32(6)).astype(np.float32)
"""Gains of a star's positions, by the filled ones: float32 [64, 6]."""
TENTH = float32(1 / 10)
SUPPLY_UNIT = float32(1 / SUPPLY_SPACES)
COLOUR_UNIT = float32(1 / TILES_PER_COLOUR)
DISPLAY_UNIT = float32(1 / 4)
SCORE_UNIT = float32(1 / 100)
KEPT_UNIT = float32(1 / KEPT_TILES)
SIXTH = float32(1 / 6)


@functools.cache
def layout(players: int) -> Layout:
    """The layout of the observation in a game of 2..4 players."""
    displays = [
        Part(
            f"display_{k + 1}", DISPLAYS.shape, DISPLAYS.scale, DISPLAYS.highest, f"tiles on display {k + 1} by colour"
        )
        for k in range(display_count(players))
    ]
    seats = [part for k in range(players) for part in prefixed("me" if k == 0 else f"opponent_{k}", SEAT)]
    return Layout([*SHARED, *displays, *seats, *OUTLOOK])


@helper
def _write_counts(counts: Any, unit: Any, out: Any, at: Any) -> None:
    for colour in range(6):
        out[at + colour] = float32(counts[colour]) * unit


@helper
def _write_shared(game: Any, out: Any) -> None:
    out[AT_ROUND + int64(game["round"]) - 1] = float32(1)
    if int64(game["phase"]) == ACQUIRE:
        out[AT_PHASE] = float32(1)
    elif int64(game["phase"]) == PLAY:
        out[AT_PHASE + 1] = float32(1)
    out[AT_PICKS] = float32(game["picks"]) * SUPPLY_UNIT
    out[AT_GIVING_UP] = float32(game["giving_up"])
    out[AT_MARKER_IN_CENTRE] = float32(int64(game["marker"]) < 0)
    _write_counts(game["supply"], SUPPLY_UNIT, out, AT_SUPPLY)
    _write_counts(game["bag"], COLOUR_UNIT, out, AT_BAG)
    _write_counts(game["tower"], COLOUR_UNIT, out, AT_TOWER)
    _write_counts(game["displays"][CENTRE], TENTH, out, AT_MARKET)


@helper
def _write_seat(game: Any, seat: Any, out: Any, at: Any) -> None:
    out[at + AT_TO_ACT] = float32(int64(game["player"]) == seat)
    out[at + AT_STARTER] = float32(int64(game["starter"]) == seat)
    out[at + AT_HOLDS_MARKER] = float32(int64(game["marker"]) == seat)
    out[at + AT_PASSED] = float32((uint64(game["passed"]) >> uint64(seat)) & uint64(1))
    out[at + AT_SCORE] = float32(game["score"][seat]) * SCORE_UNIT
    _write_counts(game["hand"][seat], TENTH, out, at + AT_HAND)
    _write_counts(game["kept"][seat], KEPT_UNIT, out, at + AT_KEPT)
    write_bits(uint64(game["board"][seat]), SPACES, float32(1), out, at + AT_BOARD)
    for k in range(6):
        out[at + AT_CENTRE + k] = float32(int64(game["centre"][seat, k]) + 1) * SIXTH
    write_bits(uint64(game["centre_used"][seat]), 6, float32(1), out, at + AT_CENTRE_USED)
    write_bits(uint64(game["numbers_paid"][seat]), 4, float32(1), out, at + AT_NUMBERS_PAID)


@helper
def _write_outlook(rules: Any, board: Any, out: Any, at: Any) -> None:
    for star in range(STARS):
        gains = GAIN[int64((board >> uint64(POSITIONS * star)) & COLOUR_BITS)]
        for position in range(POSITIONS):
            out[at + POSITIONS * star + position] = gains[position]
    at += SPACES
    for k in range(STRUCTURES):
        missing = uint64(rules["structure_mask"][k]) & ~board
        if missing != uint64(0) and missing & (missing - ONE) == uint64(0):  # a single tile would close it
            out[at + lowest(missing)] += float32(rules["structure_tiles"][k]) * SIXTH


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, I64, FLOATS))
def observe(params: Any, states: Any, index: int, seat: int, out: Any) -> None:
    """Writes what ``seat`` sees to ``out`` (float32, of the layout's size)."""
    game = states[index]
    players = int64(game["players"])
    out[:] = float32(0)
    _write_shared(game, out)
    at: Any = int64(SHARED_SIZE)
    for display in range(2 * players + 1):
        _write_counts(game["displays"][display], DISPLAY_UNIT, out, at)
        at += 6
    for k in range(players):
        _write_seat(game, (seat + k) % players, out, at)
        at += SEAT_SIZE
    _write_outlook(params[0], uint64(game["board"][seat]), out, at)
