"""What a player sees: everything public, the observing player first, then the others in turn order.

``layout`` puts the parts below together for a rule set and a number of players; the kernel writes them in the same
order, and the documentation and the round-trip test read the layout.
"""

from __future__ import annotations

import functools
from typing import Any

from numpy import float32, int64, uint64

from arraial_env.geometry import COLOURS, PHASES, POINTS, SLOTS, TURNS, TYPES, extent
from arraial_env.kernels import blocked, legal_places, turn_of
from arraial_env.rules import ArraialRules
from arraial_env.state import NONE, PARAMS_TYPE, STATES_TYPE
from manjerico.core.bits import dilate, lowest, popcount, shift_up, smear_down
from manjerico.core.compile import FLOATS, I64, VOID, helper, kernel
from manjerico.core.layout import Layout, Part, prefixed

COLOUR_COUNT = len(COLOURS)
VISITORS_UNIT = 8
SCORE_UNIT = 20
ZONE_UNIT = 32


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


def _outlook(rules: ArraialRules) -> list[Part]:
    columns = (SLOTS, rules.width)
    return [
        Part(
            "rest",
            columns,
            rules.height,
            rules.height,
            "by slot and left column, 1 + the highest row in which the piece may come to rest now, 0 for none",
        ),
        Part("visitor", columns, 1, 1, "whether it would bring a visitor there"),
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
    return Layout([*_shared(rules.cards_per_type[players - 1]), *cards, *seats, *_outlook(rules)])


def shape_side(rules: ArraialRules) -> int:
    """Squares along the side of the grid in which a card's piece is shown."""
    return max(max(extent(shape)) for shape in rules.shapes)


@helper
def _write(value: Any, scale: Any, out: Any, at: Any) -> Any:
    out[at] = float32(value) / float32(scale)
    return at + 1


@helper
def _write_one_hot(k: Any, size: Any, out: Any, at: Any) -> Any:
    if k >= 0:
        out[at + k] = float32(1)
    return at + size


@helper
def _write_counts(counts: Any, scale: Any, out: Any, at: Any) -> Any:
    unit = float32(1) / float32(scale)
    for k in range(counts.size):
        out[at + k] = float32(counts[k]) * unit
    return at + counts.size


@helper
def _write_board(low: Any, high: Any, squares: Any, value: Any, out: Any, at: Any) -> Any:
    while low != uint64(0):
        out[at + lowest(low)] += value
        low &= low - uint64(1)
    while high != uint64(0):
        out[at + 64 + lowest(high)] += value
        high &= high - uint64(1)
    return at + squares


@helper
def _write_card(rules: Any, kind: Any, turn: Any, out: Any, at: Any) -> Any:
    at = _write_one_hot(kind, TYPES, out, at)
    shape = uint64(0) if kind == NONE else uint64(rules["shape"][kind, turn])
    return _write_board(shape, uint64(0), int64(rules["shape_side"]) ** 2, float32(1), out, at)


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


@helper
def _write_seat(rules: Any, game: Any, seat: Any, own: Any, out: Any, at: Any) -> Any:
    width = int64(rules["width"])
    height = int64(rules["height"])
    bar = int64(game["bar"][seat])
    at = _write(int64(game["player"]) == seat, 1, out, at)
    at = _write(game["score"][seat], SCORE_UNIT, out, at)
    at = _write(bar != NONE, 1, out, at)
    for row in range(bar):
        out[at + row] = float32(1)
    at = _write(game["waiting"][seat], VISITORS_UNIT, out, at + height)
    at = _write(game["street"][seat], VISITORS_UNIT, out, at)
    at = _write_counts(game["visitors"][seat], VISITORS_UNIT, out, at)
    for colour in range(COLOUR_COUNT):
        at = _write(int64(game["couples"][colour]) == seat, 1, out, at)
    at = _write_counts(game["largest"][seat], ZONE_UNIT, out, at)
    at = _write_tops(rules, game["occupied"][seat], out, at)
    squares = width * height
    zoned = game["zoned"][seat]
    for colour in range(COLOUR_COUNT):
        board = game["squares"][seat, colour]
        value = float32(1) if own else float32(colour + 1) / float32(8)
        after = _write_board(uint64(board[0]), uint64(board[1]), squares, value, out, at)
        if own:
            at = after
    value = float32(1) if own else float32(4) / float32(8)
    return _write_board(uint64(zoned[0]), uint64(zoned[1]), squares, value, out, at)


@helper
def _write_tops(rules: Any, occupied: Any, out: Any, at: Any) -> Any:
    """The height of each column: its squares that are covered or have a covered one above them."""
    width = int64(rules["width"])
    low, high = smear_down(uint64(occupied[0]), uint64(occupied[1]), width)
    first = rules["first"]
    for x in range(width):
        column_low, column_high = shift_up(first[0], first[1], x)
        top = popcount(low & column_low) + popcount(high & column_high)
        at = _write(top, rules["height"], out, at)
    return at


@helper
def _write_outlook(rules: Any, game: Any, seat: Any, out: Any, at: Any) -> None:
    """Where the pieces of the slots may come to rest; of several places in a column (C2) the highest."""
    turn = turn_of(rules, game, seat)
    width = int64(rules["width"])
    occupied = game["occupied"][seat]
    shadow_low, shadow_high = smear_down(uint64(occupied[0]), uint64(occupied[1]), width)
    bar = int64(game["bar"][seat])
    for slot in range(SLOTS):
        kind = int64(game["slots"][slot])
        if kind == NONE:
            continue
        low, high = legal_places(rules, kind, turn, occupied, shadow_low, shadow_high, bar)
        visit_low, visit_high = _visited(rules, game, seat, kind, turn)
        while low | high != uint64(0):
            square = lowest(low) if low != uint64(0) else 64 + lowest(high)
            one_low, one_high = shift_up(uint64(1), uint64(0), square)
            low &= ~one_low
            high &= ~one_high
            row = int64(rules["row_of"][square])
            column = at + slot * width + square - row * width
            out[column] = float32(row + 1) / float32(rules["height"])
            out[column + SLOTS * width] = float32((one_low & visit_low) | (one_high & visit_high) != uint64(0))


@helper
def _visited(rules: Any, game: Any, seat: Any, kind: Any, turn: Any) -> Any:
    """The places at which the piece touches its colour, but no zone: there it brings a visitor (C6)."""
    board = game["squares"][seat, kind >> 1]
    zoned = game["zoned"][seat]
    alone_low, alone_high = _touching(rules, kind, turn, uint64(board[0]), uint64(board[1]))
    low = uint64(board[0]) & uint64(zoned[0])
    high = uint64(board[1]) & uint64(zoned[1])
    zone_low, zone_high = _touching(rules, kind, turn, low, high)
    return alone_low & ~zone_low, alone_high & ~zone_high


@helper
def _touching(rules: Any, kind: Any, turn: Any, low: Any, high: Any) -> Any:
    """The places at which a cell of the piece lies edge to edge with one of these squares."""
    low, high = dilate(low, high, int64(rules["width"]), rules["first"], rules["last"])
    return blocked(rules, kind, turn, low, high)


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, I64, FLOATS))
def observe(params: Any, states: Any, index: int, seat: int, out: Any) -> None:
    """Writes what ``seat`` sees to ``out`` (float32, of the layout's size)."""
    game = states[index]
    rules = params[0]
    players = int64(game["players"])
    out[:] = float32(0)
    at: Any = _write_shared(rules, game, seat, out)
    for k in range(players):
        at = _write_seat(rules, game, (seat + k) % players, k == 0, out, at)
    _write_outlook(rules, game, seat, out, at)
