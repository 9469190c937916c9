"""One game of Arraial as one record of bytes.

Sizes are for four players whatever the number of players, so states of different games fit one array; the fields
of absent seats stay 0. Colours and types are numbered as in ``geometry.py``; boards are two lanes each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arraial_env.geometry import (
    COLOURS,
    MAX_CELLS,
    MAX_EXTENT,
    MAX_HEIGHT,
    MAX_PLAYERS,
    MAX_SQUARES,
    MAX_WIDTH,
    PHASES,
    POINTS,
    SLOTS,
    TURNS,
    TYPES,
)
from arraial_env.rules import ArraialRules
from manjerico.core.compile import record_array
from manjerico.core.game import NOBODY, common_fields, state_dtype

SOURCES = ("coloured", "white", "couples")
"""Where points come from; their sum is the score (E1)."""
COLOURED, WHITE, COUPLES = range(3)

NONE = -1
"""No card, no level bar, no owner."""

STATE = state_dtype(
    [
        *common_fields(MAX_PLAYERS, len(SOURCES)),
        ("squares", np.uint64, (MAX_PLAYERS, len(COLOURS), 2)),  # squares covered, a board for each colour
        ("occupied", np.uint64, (MAX_PLAYERS, 2)),  # squares covered by any colour
        ("zoned", np.uint64, (MAX_PLAYERS, 2)),  # squares that belong to zones (C6)
        ("largest", np.uint8, (MAX_PLAYERS, len(COLOURS))),  # squares of the largest zone, 0 for none (C7)
        ("visitors", np.uint8, (MAX_PLAYERS, len(COLOURS))),  # visitors in zones, by colour (C6)
        ("street", np.uint8, MAX_PLAYERS),  # white visitors that are safe in the street (D2)
        ("waiting", np.uint8, MAX_PLAYERS),  # white visitors on the level bar (C8)
        ("bar", np.int8, MAX_PLAYERS),  # rows below the level bar, NONE when it is gone (A4)
        ("couples", np.int8, len(COLOURS)),  # seat that has the colour's couple (C7)
        ("pile", np.uint8, TYPES),  # cards by type; their order is hidden and not fixed before they are drawn (H)
        ("discards", np.uint8, TYPES),  # cards by type
        ("pile_size", np.uint8),  # cards in all
        ("slots", np.int8, SLOTS),  # type of the card in each slot of the octagon
        ("row", np.int8, SLOTS),  # types of the cards beside the board, filled from the left
        ("rotation", np.int8),  # quarter turns of the octagon clockwise, 0..3 (A6)
        ("phase", np.int8),  # 1..3
        ("points", np.int8),  # action points left (B1)
        ("owed", np.int8),  # pieces that still must be placed in this turn (B2)
        ("refilling", np.int8),  # 1 while the player chooses cards for empty slots (B5)
    ]
)

PARAMS = np.dtype(
    [
        ("width", np.int64),  # columns
        ("height", np.int64),  # rows
        ("max_slide", np.int64),  # columns (C2)
        ("bar_drop", np.int64),  # rows (D2)
        ("bar_visitors", np.int64),  # 0 or 1: bar_visitors_score_at_end (D4)
        ("couple_points", np.int64),
        ("cards_per_type", np.int64, MAX_PLAYERS),  # by number of players - 1
        ("bar_start", np.int64, MAX_PLAYERS),  # rows, by number of players - 1
        ("min_pieces", np.int64, PHASES),
        ("side", np.int64, (MAX_PLAYERS, MAX_PLAYERS)),  # by number of players - 1 and seat (A6)
        ("piece", np.uint64, (TYPES, TURNS, 2)),  # the piece as a board, its bounding box in the corner
        ("cells", np.uint8, (TYPES, TURNS, MAX_CELLS)),  # its squares' bit numbers
        ("size", np.int64, TYPES),  # its number of squares
        ("shape", np.uint64, (TYPES, TURNS)),  # its squares on a grid as wide as the largest piece
        ("shape_side", np.int64),  # columns of that grid
        ("wide", np.int64, (TYPES, TURNS)),  # columns of its bounding box
        ("high", np.int64, (TYPES, TURNS)),  # rows of its bounding box
        ("columns", np.uint64, (MAX_EXTENT + 1, 2)),  # where the left column of a piece so wide may lie
        ("rows", np.uint64, (MAX_HEIGHT + 1, 2)),  # the lowest so many rows
        ("row_of", np.uint8, MAX_SQUARES),  # the row of each square
        ("column", np.uint64, (MAX_WIDTH, 2)),  # the squares of each column
        ("first", np.uint64, 2),  # the leftmost column
        ("last", np.uint64, 2),  # the rightmost column
    ],
    align=True,
)
"""A rule set and the tables made from it, read-only and shared by all states."""

STATES_TYPE = record_array(STATE)
PARAMS_TYPE = record_array(PARAMS)


def fault(rules: ArraialRules, players: int, game: Any) -> str:
    """What makes a record impossible as a state under these rules with so many players, "" if it is possible.

    Kernels trust a state: a wrong seat or a wrong total makes them write foreign memory or never end.
    """
    seat, points, owed = int(game["player"]), int(game["points"]), int(game["owed"])
    over, empty = seat == NOBODY, int((game["slots"] == NONE).sum())
    refilling, in_row = int(game["refilling"]), int((game["row"] != NONE).sum())
    cards = rules.cards_per_type[players - 1]
    whole = [[_whole(board) for board in by_colour] for by_colour in game["squares"]]
    conditions = {
        "players": int(game["players"]) == players,
        "player": over or 0 <= seat < players,
        "start": 0 <= int(game["start"]) < players,
        "rotation": 0 <= int(game["rotation"]) < TURNS,
        "phase": (int(game["phase"]) == PHASES) if over else 1 <= int(game["phase"]) <= PHASES,
        "points": points == 0 if over else (0 if refilling else 1) <= points <= POINTS,
        "owed": 0 <= owed <= (0 if over or refilling else min(points, SLOTS - empty)),
        "refilling": refilling in (0, 1) and (not refilling or 0 < empty < in_row),
        "slots": bool(((game["slots"] >= NONE) & (game["slots"] < TYPES)).all()),
        "row": bool(((game["row"] >= NONE) & (game["row"] < TYPES)).all() and (game["row"][:in_row] != NONE).all()),
        "pile_size": int(game["pile_size"]) == int(game["pile"].sum()),
        "couples": bool(((game["couples"] >= NONE) & (game["couples"] < players)).all()),
        "bar": bool(((game["bar"] >= NONE) & (game["bar"] <= rules.height)).all()),
        "squares": all(
            _covered(whole[k], _whole(game["occupied"][k]), rules.width * rules.height) for k in range(MAX_PLAYERS)
        ),
        "zoned": all(not _whole(game["zoned"][k]) & ~_whole(game["occupied"][k]) for k in range(MAX_PLAYERS)),
        "cards": all(_cards(game, kind) == cards for kind in range(TYPES)),
        "absent seats": not game["occupied"][players:].any() and not game["score"][players:].any(),
        "score": bool((game["score"] == game["sources"].sum(axis=1)).all()),
    }
    return next((name for name, holds in conditions.items() if not holds), "")


def _whole(board: Any) -> int:
    return int(board[0]) | int(board[1]) << 64


def _covered(by_colour: list[int], occupied: int, squares: int) -> bool:
    """Whether the colours' squares are disjoint, and together those occupied."""
    union = 0
    for board in by_colour:
        if union & board:
            return False
        union |= board
    return union == occupied and occupied < 1 << squares


def _cards(game: Any, kind: int) -> int:
    """Cards of a type, wherever they are."""
    open_cards = int((game["slots"] == kind).sum() + (game["row"] == kind).sum())
    return open_cards + int(game["pile"][kind]) + int(game["discards"][kind])
