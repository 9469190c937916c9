"""One game of Azul: Summer Pavilion as one record of bytes.

Sizes are for four players whatever the number of players, so states of different games fit one array; the fields
of absent seats stay 0. Colours are numbered as in ``geometry.COLOURS``.
"""

from __future__ import annotations

import numpy as np

from azul_env.geometry import MAX_PLAYERS
from manjerico.core.compile import record_array
from manjerico.core.game import common_fields, state_dtype

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
        ("structure_tiles", np.int64, 3),  # supply tiles for a pillar, a statue, a window (C7)
        ("marker_cap", np.int64),  # the most points that the start marker costs (B5)
        ("centre_closed", np.int64),  # 0 or 1: centre_closed_at_floor (B5)
        ("numbers_each_round", np.int64),  # 0 or 1: number_bonus_each_round (E2)
        ("voluntary", np.int64),  # 0 or 1: voluntary_give_ups (D2)
        ("structure_mask", np.uint64, (42, 2)),  # the structures that a space borders on, as boards
        ("structure_kind", np.int8, (42, 2)),  # PILLAR, STATUE, WINDOW
        ("number_mask", np.uint64, 4),  # the spaces of the numbers 1..4, as boards
    ],
    align=True,
)
"""A rule set and its board, read-only and shared by all states."""

STATES_TYPE = record_array(STATE)
PARAMS_TYPE = record_array(PARAMS)
