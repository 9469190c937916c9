"""One game of Azul: Summer Pavilion as one record of bytes.

Sizes are for four players whatever the number of players, so states of different games fit one array; the fields
of absent seats stay 0. Colours are numbered as in ``geometry.COLOURS``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azul_env.geometry import (
    FLOOR,
    KEPT_TILES,
    MAX_PLAYERS,
    ROUNDS,
    SPACES,
    STRUCTURES,
    STRUCTURES_PER_SPACE,
    SUPPLY_SPACES,
    TILES_PER_COLOUR,
)
from manjerico.core.compile import record_array
from manjerico.core.game import NOBODY, common_fields, state_dtype

SOURCES = ("placements", "stars", "numbers", "losses")
"""Where points come from: 5 + placements + stars + numbers - losses = score (H2)."""
PLACEMENTS, STARS, NUMBERS, LOSSES = range(4)

ACQUIRE, PLAY, OVER = range(3)
"""Phases: the rules' phase 1, phase 2, and the end of the game."""

STATE = state_dtype(
    [
        *common_fields(MAX_PLAYERS, len(SOURCES)),
        ("board", np.uint64, MAX_PLAYERS),  # filled spaces, bit 6 * star + position
        ("offers", np.uint64),  # bit 6 * source + colour: the source holds tiles of the colour
        ("displays", np.uint8, (10, 6)),  # tiles by source (displays 0..8, the centre 9) and colour
        ("hand", np.uint8, (MAX_PLAYERS, 6)),  # tiles beside the board, by colour
        ("kept", np.uint8, (MAX_PLAYERS, 6)),  # tiles in the board's corners, by colour (D4)
        ("centre", np.int8, (MAX_PLAYERS, 6)),  # colour on each space of the centre star, -1 for none
        ("centre_used", np.uint8, MAX_PLAYERS),  # colours in the centre star, a bit each
        ("numbers_paid", np.uint8, MAX_PLAYERS),  # numbers 1..4 whose bonus was paid, bit n - 1
        ("bag", np.uint8, 6),  # tiles by colour
        ("tower", np.uint8, 6),  # tiles by colour
        ("supply", np.uint8, 6),  # tiles by colour
        ("bag_size", np.uint8),  # tiles in all
        ("tower_size", np.uint8),
        ("supply_size", np.uint8),
        ("round", np.int8),  # 1..6
        ("wild", np.int8),  # the round's wild colour
        ("phase", np.int8),  # ACQUIRE, PLAY, OVER
        ("starter", np.int8),  # seat that began phase 1 of this round
        ("marker", np.int8),  # seat that holds the start marker, -1 while it lies in the centre
        ("passed", np.uint8),  # seats that passed in this phase 2, a bit each
        ("picks", np.int8),  # supply tiles that the player still has to pick (C8)
        ("giving_up", np.int8),  # 1 after the first tile given up in a turn (G1)
    ]
)

PARAMS = np.dtype(
    [
        ("marker_cap", np.int64),  # the most points that the start marker costs (B5)
        ("centre_closed", np.int64),  # 0 or 1: centre_closed_at_floor (B5)
        ("numbers_each_round", np.int64),  # 0 or 1: number_bonus_each_round (E2)
        ("voluntary", np.int64),  # 0 or 1: voluntary_give_ups (D2)
        ("structure_mask", np.uint64, STRUCTURES),  # the spaces that enclose each structure, as boards
        ("structure_tiles", np.int64, STRUCTURES),  # supply tiles for it (C7)
        ("bordering_mask", np.uint64, (SPACES, STRUCTURES_PER_SPACE)),  # the same by the spaces that it borders on
        ("bordering_tiles", np.int64, (SPACES, STRUCTURES_PER_SPACE)),
        ("number_mask", np.uint64, 4),  # the spaces of the numbers 1..4, as boards
    ],
    align=True,
)
"""A rule set and its board, read-only and shared by all states."""

STATES_TYPE = record_array(STATE)
PARAMS_TYPE = record_array(PARAMS)


def fault(players: int, game: Any) -> str:
    """What makes a record impossible as a state of so many players, "" if it is possible.

    Kernels trust a state: a wrong seat or a wrong total makes them write foreign memory or never end.
    """
    phase, seat, marker, passed = (int(game[name]) for name in ("phase", "player", "marker", "passed"))
    everybody = (1 << players) - 1
    conditions = {
        "players": int(game["players"]) == players,
        "phase": phase in (ACQUIRE, PLAY, OVER),
        "player": seat == NOBODY if phase == OVER else 0 <= seat < players,
        "start": 0 <= int(game["start"]) < players,
        "starter": 0 <= int(game["starter"]) < players,
        "marker": (-1 if phase == ACQUIRE else 0) <= marker < players,
        "round": 1 <= int(game["round"]) <= ROUNDS,
        "wild": 0 <= int(game["wild"]) < 6,
        "passed": passed == {ACQUIRE: 0, OVER: everybody}.get(phase, passed & everybody & ~(1 << max(seat, 0))),
        "giving_up": int(game["giving_up"]) in (0, 1),
        "picks": 0 <= int(game["picks"]) <= int(game["supply_size"]) <= SUPPLY_SPACES,
        "offers": int(game["offers"]) == _offers(game) and (phase == ACQUIRE) == bool(game["offers"]),
        "kept": bool((game["kept"].sum(axis=1) <= KEPT_TILES).all()),
        "score": bool((game["score"][:players] >= FLOOR).all()),
        **{f"{pool}_size": int(game[f"{pool}_size"]) == int(game[pool].sum()) for pool in ("bag", "tower", "supply")},
        "board": all(_is_board(game, k) for k in range(MAX_PLAYERS)),
        "tiles": all(_tiles(game, colour) == TILES_PER_COLOUR for colour in range(6)),
        "absent seats": not game["hand"][players:].any() and not game["kept"][players:].any(),
    }
    return next((name for name, holds in conditions.items() if not holds), "")


def _offers(game: Any) -> int:
    return sum(1 << (6 * int(source) + int(colour)) for source, colour in zip(*game["displays"].nonzero(), strict=True))


def _is_board(game: Any, seat: int) -> bool:
    """Whether the centre star's colours are those of its filled spaces, each once."""
    board = int(game["board"][seat])
    present = seat < int(game["players"])
    colours = [int(colour) for colour in game["centre"][seat]] if present else [-1] * 6
    placed = [colour for colour in colours if colour != -1]
    filled = [colour != -1 for colour in colours] == [bool(board >> 36 + k & 1) for k in range(6)]
    used = int(game["centre_used"][seat]) == sum(1 << colour for colour in placed if colour in range(6))
    distinct = len(set(placed)) == len(placed) and all(colour in range(6) for colour in placed)
    return board < 1 << SPACES and filled and used and distinct


def _tiles(game: Any, colour: int) -> int:
    """Tiles of a colour, wherever they are."""
    outer = sum((int(board) >> 6 * colour & 0b111111).bit_count() for board in game["board"])
    centre = sum(int(used) >> colour & 1 for used in game["centre_used"])
    heaps = sum(int(game[name][..., colour].sum()) for name in ("displays", "hand", "kept", "bag", "tower", "supply"))
    return outer + centre + heaps
