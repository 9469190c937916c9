"""What a player sees: everything public, the observing player first, then the others in turn order.

``layout`` puts the parts below together for a rule set and a number of players; the kernel writes them in the same
order, and the documentation and the round-trip test read the layout.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy import float32, int64, uint64

from arraial_env.actions import OTHERS
from arraial_env.geometry import COLOURS, MAX_EXTENT, PHASES, POINTS, SLOTS, TURNS, TYPES, extent
from arraial_env.kernels import buried, legal_places, placement_points, reaches_above, turn_of
from arraial_env.rules import ArraialRules
from arraial_env.state import NONE, PARAMS_TYPE, STATES_TYPE
from manjerico.core.bits import ONE, add_bits, popcount, shift_up, smear_down, take_lowest, write_bits
from manjerico.core.compile import FLOATS, I64, VOID, helper, kernel, routine
from manjerico.core.layout import ActionViews, Layout, Part, prefixed

COLOUR_COUNT = len(COLOURS)
VISITORS_UNIT = 8
SCORE_UNIT = 20
ZONE_UNIT = 32
EARNED_UNIT = 2
AHEAD = POINTS
"""Positions of the octagon that are looked at: the present one, and what rotations can lead to in a turn."""


def _shared(cards: int) -> list[Part]:
    return [
        Part("phase", (PHASES,), 1, 1, "one-hot phase 1..3; zeros after the end"),
        Part("points", (1,), POINTS, POINTS, "action points left"),
        Part("owed", (1,), POINTS, POINTS, "pieces that the player to act still has to place in this turn"),
        Part("refilling", (1,), 1, 1, "the player to act chooses a card for the lowest empty slot"),
        Part("turn", (TURNS,), 1, 1, "one-hot: quarter turns clockwise by which the observer sees the cards turned"),
        Part("pile", (TYPES,), cards, cards, "cards in the pile by type"),
        Part("discards", (TYPES,), cards, cards, "discarded cards by type"),
    ]


def _card(side: int, where: str) -> list[Part]:
    return [
        Part("type", (TYPES,), 1, 1, f"one-hot type of the card {where}; zeros for none"),
        Part("shape", (side, side), 1, 1, "its piece as the observer sees it now, rows from the bottom"),
    ]


def _seat(rules: ArraialRules, own: bool) -> list[Part]:
    grid = (rules.height, rules.width)
    squares = rules.height * rules.width
    most = 3 * squares + 4 * rules.couple_points
    board = [Part(f"{colour}", grid, 1, 1, f"squares covered in {colour}, rows from the bottom") for colour in COLOURS]
    board.append(Part("zoned", grid, 1, 1, "squares that belong to zones"))
    code = "for each square 0 if it is empty, else 1 + colour, and 4 more if it belongs to a zone; rows from the bottom"
    return [
        Part("to_act", (1,), 1, 1, "this player is to act"),
        Part("score", (1,), SCORE_UNIT, most, "points"),
        Part("bar", (1,), 1, 1, "the level bar is in the game"),
        Part("below", (rules.height,), 1, 1, "1 for each row below the level bar, from the bottom"),
        Part("waiting", (1,), VISITORS_UNIT, rules.height, "white visitors on the level bar"),
        Part("street", (1,), VISITORS_UNIT, rules.height, "white visitors in the street"),
        Part("visitors", (COLOUR_COUNT,), VISITORS_UNIT, squares, "visitors in zones by colour"),
        Part("couples", (COLOUR_COUNT,), 1, 1, "couples by colour"),
        Part("largest", (COLOUR_COUNT,), ZONE_UNIT, squares, "squares of the largest zone by colour"),
        Part("tops", (rules.width,), rules.height, rules.height, "rows up to the highest covered square, by column"),
        *(board if own else [Part("board", grid, 8, 8, code)]),
    ]


def _lookahead(rules: ArraialRules) -> list[Part]:
    places = (AHEAD, SLOTS, rules.width)
    squares = rules.width * rules.height
    rest = "by rotations first, slot and left column: 1 + the highest row where the piece may come to rest, 0 for none"
    return [
        Part("rest", places, rules.height, rules.height, rest),
        Part("earned", places, EARNED_UNIT, MAX_EXTENT + 1 + rules.couple_points, "points that it would bring there"),
        Part("zone", places, ZONE_UNIT, squares, "squares of the zone that it would make there, 0 for none"),
        Part("gaps", places, MAX_EXTENT, squares, "empty squares that it would cover there"),
        Part("lost", places, 1, 1, "whether it would cost the level bar there"),
    ]


@functools.cache
def layout(rules: ArraialRules, players: int) -> Layout:
    """The layout of the observation in a game of 1..4 players."""
    side = shape_side(rules)
    cards = [
        part
        for place in ("slot", "row")
        for k in range(SLOTS)
        for part in prefixed(f"{place}_{k}", _card(side, f"in slot {k}" if place == "slot" else f"{k} of the row"))
    ]
    seats = [
        part for k in range(players) for part in prefixed("me" if k == 0 else f"opponent_{k}", _seat(rules, k == 0))
    ]
    return Layout([*_shared(rules.cards_per_type[players - 1]), *cards, *seats])


@functools.cache
def lookahead(rules: ArraialRules, players: int) -> Layout:
    """The layout of an observation with lookahead, which is longer."""
    return Layout([*layout(rules, players).parts, *_lookahead(rules)])


def action_views(rules: ArraialRules, players: int) -> ActionViews:
    """Placements by slot and left column, as the piece comes to rest in one row; with what they would bring."""
    squares = rules.width * rules.height
    ids = np.arange(SLOTS * squares)
    places = SLOTS * rules.width
    groups = ids // squares * rules.width + ids % rules.width
    slices = lookahead(rules, players).slices
    columns = [slices[part.name].start + np.arange(places) for part in _lookahead(rules)]
    columns += [
        np.repeat([slices[f"slot_{slot}.type"].start + kind for slot in range(SLOTS)], rules.width)
        for kind in range(TYPES)
    ]
    entries = np.full((places + OTHERS, len(columns)), -1)
    entries[:places] = np.stack(columns, axis=1)
    return ActionViews(np.concatenate([groups, places + np.arange(OTHERS)]), entries)


def shape_side(rules: ArraialRules) -> int:
    """Squares along the side of the grid in which a card's piece is shown."""
    return max(max(extent(shape)) for shape in rules.shapes)


@helper
def _write(value: Any, scale: Any, out: Any, at: Any) -> Any:
    out[at] = float32(value) / float32(scale)
    return at + 1


@helper
def _write_one_hot(k: Any, size: Any, out: Any, at: Any) -> Any:
    write_bits(ONE << uint64(k) if k >= 0 else uint64(0), size, float32(1), out, at)
    return at + size


@helper
def _write_counts(counts: Any, scale: Any, out: Any, at: Any) -> Any:
    unit = float32(1) / float32(scale)
    for k in range(counts.size):
        out[at + k] = float32(counts[k]) * unit
    return at + counts.size


@helper
def _write_board(board: Any, squares: Any, value: Any, out: Any, at: Any) -> Any:
    write_bits(uint64(board[0]), min(squares, int64(64)), value, out, at)
    write_bits(uint64(board[1]), squares - 64, value, out, at + 64)
    return at + squares


@helper
def _add_board(board: Any, squares: Any, value: Any, out: Any, at: Any) -> None:
    add_bits(uint64(board[0]), min(squares, int64(64)), value, out, at)
    add_bits(uint64(board[1]), squares - 64, value, out, at + 64)


@helper
def _write_card(rules: Any, kind: Any, turn: Any, out: Any, at: Any) -> Any:
    at = _write_one_hot(kind, TYPES, out, at)
    squares = int64(rules["shape_side"]) ** 2
    shape = uint64(0) if kind == NONE else uint64(rules["shape"][kind, turn])
    write_bits(shape, squares, float32(1), out, at)
    return at + squares


@helper
def _write_shared(rules: Any, game: Any, seat: Any, out: Any) -> Any:
    over = int64(game["player"]) < 0
    turn = turn_of(rules, game, seat)
    cards = rules["cards_per_type"][int64(game["players"]) - 1]
    at: Any = _write_one_hot(int64(-1) if over else int64(game["phase"]) - 1, PHASES, out, int64(0))
    at = _write(game["points"], POINTS, out, at)
    at = _write(game["owed"], POINTS, out, at)
    at = _write(game["refilling"], 1, out, at)
    at = _write_one_hot(turn, TURNS, out, at)
    at = _write_counts(game["pile"], cards, out, at)
    at = _write_counts(game["discards"], cards, out, at)
    for slot in range(SLOTS):
        at = _write_card(rules, int64(game["slots"][slot]), turn, out, at)
    for card in range(SLOTS):
        at = _write_card(rules, int64(game["row"][card]), turn, out, at)
    return at


@routine
def _write_seat(rules: Any, game: Any, seat: Any, own: Any, out: Any, at: Any) -> Any:
    width = int64(rules["width"])
    height = int64(rules["height"])
    bar = int64(game["bar"][seat])
    at = _write(int64(game["player"]) == seat, 1, out, at)
    at = _write(game["score"][seat], SCORE_UNIT, out, at)
    at = _write(bar != NONE, 1, out, at)
    below = (ONE << uint64(bar)) - ONE if bar != NONE else uint64(0)
    write_bits(below, height, float32(1), out, at)
    at = _write(game["waiting"][seat], VISITORS_UNIT, out, at + height)
    at = _write(game["street"][seat], VISITORS_UNIT, out, at)
    at = _write_counts(game["visitors"][seat], VISITORS_UNIT, out, at)
    for colour in range(COLOUR_COUNT):
        at = _write(int64(game["couples"][colour]) == seat, 1, out, at)
    at = _write_counts(game["largest"][seat], ZONE_UNIT, out, at)
    at = _write_tops(rules, game["occupied"][seat], out, at)
    squares = width * height
    if own:
        for colour in range(COLOUR_COUNT):
            at = _write_board(game["squares"][seat, colour], squares, float32(1), out, at)
        return _write_board(game["zoned"][seat], squares, float32(1), out, at)
    after = _write_board(game["zoned"][seat], squares, float32(4 / 8), out, at)
    for colour in range(COLOUR_COUNT):
        _add_board(game["squares"][seat, colour], squares, float32(colour + 1) / float32(8), out, at)
    return after


@helper
def _write_tops(rules: Any, occupied: Any, out: Any, at: Any) -> Any:
    """The height of each column: its squares that are covered or have a covered one above them."""
    width = int64(rules["width"])
    low, high = smear_down(uint64(occupied[0]), uint64(occupied[1]), width)
    for x in range(width):
        column = rules["column"][x]
        top = popcount(low & uint64(column[0])) + popcount(high & uint64(column[1]))
        at = _write(top, rules["height"], out, at)
    return at


@routine
def _write_lookahead(rules: Any, game: Any, seat: Any, out: Any, at: Any) -> None:
    """Where the pieces of the slots may come to rest now and after rotations, and what comes of it."""
    width = int64(rules["width"])
    occupied = game["occupied"][seat]
    shadow_low, shadow_high = smear_down(uint64(occupied[0]), uint64(occupied[1]), width)
    bar = int64(game["bar"][seat])
    for rotations in range(AHEAD):
        turn = (turn_of(rules, game, seat) + rotations) & 3
        for slot in range(SLOTS):
            kind = int64(game["slots"][slot])
            if kind != NONE:
                low, high = legal_places(rules, kind, turn, occupied, shadow_low, shadow_high, bar)
                row = at + (rotations * SLOTS + slot) * width
                _write_places(rules, game, seat, kind, turn, low, high, shadow_low, shadow_high, out, row)


@helper
def _write_places(
    rules: Any,
    game: Any,
    seat: Any,
    kind: Any,
    turn: Any,
    low: Any,
    high: Any,
    shadow_low: Any,
    shadow_high: Any,
    out: Any,
    at: Any,
) -> None:
    """The lookahead of one piece by column; of several places in a column (C2) the highest, which comes last."""
    width = int64(rules["width"])
    piece = rules["piece"][kind, turn]
    bar = int64(game["bar"][seat])
    step = AHEAD * SLOTS * width
    while low | high != uint64(0):
        square, low, high = take_lowest(low, high)
        piece_low, piece_high = shift_up(uint64(piece[0]), uint64(piece[1]), square)
        points, zone = placement_points(rules, game, seat, kind, turn, square)
        gaps = buried(piece_low, piece_high, shadow_low, shadow_high, width)
        lost = bar != NONE and reaches_above(rules, piece_low, piece_high, bar)
        row = int64(rules["row_of"][square])
        column = at + square - row * width
        out[column] = float32(row + 1) / float32(rules["height"])
        out[column + step] = float32(points) / float32(EARNED_UNIT)
        out[column + 2 * step] = float32(zone) / float32(ZONE_UNIT)
        out[column + 3 * step] = float32(gaps) / float32(MAX_EXTENT)
        out[column + 4 * step] = float32(lost)


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, I64, FLOATS))
def observe(params: Any, states: Any, index: int, seat: int, out: Any) -> None:
    """Writes what ``seat`` sees to ``out`` (float32), with lookahead if that is longer than the layout without."""
    game = states[index]
    rules = params[0]
    players = int64(game["players"])
    at: Any = _write_shared(rules, game, seat, out)
    for k in range(players):
        at = _write_seat(rules, game, (seat + k) % players, k == 0, out, at)
    if at < out.size:
        out[at:] = float32(0)
        _write_lookahead(rules, game, seat, out, at)
