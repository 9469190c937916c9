"""The rules of Arraial, compiled.

The five entry points are what a ``manjerico.core.game.Game`` asks for. All take (params, states, index), the rule set's
record array of one, an array of states and the index of one of them. They assume what their callers have checked: a
valid number of players, a legal action.

Where a piece may come to rest is computed for all places of the board at once (rules, section I). A *place* is
the bounding box's left bottom corner, a set of places is a board. A piece fits where none of its cells lies on a
covered square: shift the covered squares back by each cell, and what they hit is blocked. It can be reached from above
where, likewise, no cell lies on a square that is covered or has a covered one above it. Zeros shifted in from above the
top row mean "free", so pieces that stick out of the board need no care.
"""

from __future__ import annotations

from typing import Any

from numpy import int64, uint64

from arraial_env.actions import DISCARD, END_TURN, REFILL, ROTATE
from arraial_env.geometry import COLOURS, PHASES, POINTS, SLOTS, TYPES
from arraial_env.state import COLOURED, COUPLES, NONE, PARAMS_TYPE, STATES_TYPE, WHITE
from manjerico.core import rng
from manjerico.core.bits import add_board, dilate, flood, popcount, shift_down, shift_up, smear_down
from manjerico.core.compile import I64, TAPE, U64, VOID, WORDS, helper, kernel
from manjerico.core.tape import given, note

ONE = uint64(1)
SEATS = 4
COLOUR_COUNT = len(COLOURS)

# --- Legal actions ---------------------------------------------------------------------------------------------------


@helper
def turn_of(rules: Any, game: Any, seat: Any) -> Any:
    """The quarter turns clockwise by which a seat sees the cards turned (A6)."""
    return (int64(game["rotation"]) - int64(rules["side"][int64(game["players"]) - 1, seat])) & 3


@helper
def blocked(rules: Any, kind: Any, turn: Any, low: Any, high: Any) -> Any:
    """The places at which a cell of the piece would lie on one of these squares."""
    cells = rules["cells"][kind, turn]
    blocked_low = uint64(0)
    blocked_high = uint64(0)
    for k in range(int64(rules["size"][kind])):
        shifted_low, shifted_high = shift_down(low, high, cells[k])
        blocked_low |= shifted_low
        blocked_high |= shifted_high
    return blocked_low, blocked_high


@helper
def _rows(rules: Any, kind: Any, turn: Any, height: Any) -> Any:
    """The places from which the piece doesn't reach above ``height`` rows."""
    rows = rules["rows"][max(height - int64(rules["high"][kind, turn]) + 1, int64(0))]
    return rows[0], rows[1]


@helper
def _slid(rules: Any, low: Any, high: Any, fits_low: Any, fits_high: Any) -> Any:
    """All places that are reached from landings by sliding through places where the piece fits (C2)."""
    first = rules["first"]
    last = rules["last"]
    for _ in range(int64(rules["max_slide"])):
        right_low, right_high = shift_up(low & ~last[0], high & ~last[1], 1)
        left_low, left_high = shift_down(low & ~first[0], high & ~first[1], 1)
        new_low = (right_low | left_low) & fits_low & ~low
        new_high = (right_high | left_high) & fits_high & ~high
        if new_low | new_high == uint64(0):
            break
        low |= new_low
        high |= new_high
    return low, high


@helper
def resting_places(rules: Any, kind: Any, turn: Any, occupied: Any, shadow_low: Any, shadow_high: Any) -> Any:
    """Where the piece may come to rest on the whole board, the level bar aside (C1, C2).

    ``shadow`` are the squares that are covered or have a covered one above them.
    """
    columns = rules["columns"][rules["wide"][kind, turn]]
    blocked_low, blocked_high = blocked(rules, kind, turn, shadow_low, shadow_high)
    open_low = ~blocked_low & columns[0]
    open_high = ~blocked_high & columns[1]
    above_low, above_high = shift_up(open_low, open_high, rules["width"])
    inside_low, inside_high = _rows(rules, kind, turn, int64(rules["height"]))
    landing_low = open_low & ~above_low & inside_low
    landing_high = open_high & ~above_high & inside_high
    if shadow_low == uint64(occupied[0]) and shadow_high == uint64(occupied[1]):
        return landing_low, landing_high  # without overhangs a piece can't slide to where it couldn't fall
    blocked_low, blocked_high = blocked(rules, kind, turn, uint64(occupied[0]), uint64(occupied[1]))
    fits_low = ~blocked_low & columns[0] & inside_low
    fits_high = ~blocked_high & columns[1] & inside_high
    above_low, above_high = shift_up(fits_low, fits_high, rules["width"])
    stops_low = fits_low & ~above_low
    stops_high = fits_high & ~above_high
    if (stops_low & ~landing_low) | (stops_high & ~landing_high) == uint64(0):
        return landing_low, landing_high
    slid_low, slid_high = _slid(rules, landing_low, landing_high, fits_low, fits_high)
    return slid_low & stops_low, slid_high & stops_high


@helper
def legal_places(rules: Any, kind: Any, turn: Any, occupied: Any, shadow_low: Any, shadow_high: Any, bar: Any) -> Any:
    """Those below the level bar (C3), or all if there are none or there is no bar (C4)."""
    low, high = resting_places(rules, kind, turn, occupied, shadow_low, shadow_high)
    if bar != NONE:
        below_low, below_high = _rows(rules, kind, turn, bar)
        below_low &= low
        below_high &= high
        if below_low | below_high != uint64(0):
            return below_low, below_high
    return low, high


@helper
def _add(words: Any, action: Any) -> None:
    words[action >> 6] |= ONE << uint64(action & 63)


@helper
def _placements(rules: Any, game: Any, player: Any, words: Any) -> Any:
    """Adds the legal placements (C); returns how many there are."""
    turn = turn_of(rules, game, player)
    occupied = game["occupied"][player]
    bar = int64(game["bar"][player])
    shadow_low, shadow_high = smear_down(uint64(occupied[0]), uint64(occupied[1]), int64(rules["width"]))
    squares = int64(rules["width"]) * int64(rules["height"])
    total = int64(0)
    for slot in range(SLOTS):
        kind = int64(game["slots"][slot])
        if kind != NONE:
            low, high = legal_places(rules, kind, turn, occupied, shadow_low, shadow_high, bar)
            add_board(words, slot * squares, low, high)
            total += popcount(low) + popcount(high)
    return total


@kernel(I64(PARAMS_TYPE, STATES_TYPE, I64, WORDS))
def legal_actions(params: Any, states: Any, index: int, words: Any) -> Any:
    """Writes the legal actions as a set to ``words``; returns how many there are, 0 after the end (F)."""
    game = states[index]
    rules = params[0]
    words[:] = uint64(0)
    player = int64(game["player"])
    if player < 0:
        return int64(0)
    others = SLOTS * int64(rules["width"]) * int64(rules["height"])
    total = int64(0)
    if int64(game["refilling"]) != 0:
        while total < SLOTS and int64(game["row"][total]) != NONE:
            _add(words, others + REFILL + total)
            total += 1
        return total
    total += _placements(rules, game, player, words)
    owed = int64(game["owed"])
    if total == 0 and owed > 0:  # no card can be chosen (C5)
        for slot in range(SLOTS):
            if int64(game["slots"][slot]) != NONE:
                _add(words, others + DISCARD + slot)
                total += 1
    if int64(game["points"]) > owed:  # what is owed can still be placed afterwards (B2)
        _add(words, others + ROTATE)
        total += 1
    if owed == 0:
        _add(words, others + END_TURN)
        total += 1
    return total


# --- Set-up and chance -----------------------------------------------------------------------------------------------


@helper
def _draw(game: Any, tape: Any) -> Any:
    """Takes a card from the pile and returns its type, NONE if the pile is empty (H1)."""
    size = int64(game["pile_size"])
    if size == 0:
        return int64(NONE)
    kind = given(tape)
    if kind < 0 or kind >= TYPES or game["pile"][kind] == 0:
        rank = rng.below(game["rng"], size)
        kind = 0
        while rank >= int64(game["pile"][kind]):
            rank -= int64(game["pile"][kind])
            kind += 1
    note(tape, kind)
    game["pile"][kind] -= 1
    game["pile_size"] = size - 1
    return kind


@helper
def _fill(game: Any, cards: Any, tape: Any) -> None:
    """Fills the gaps among ``cards``, slots or row, in ascending order as far as the pile goes (A5, B6, D1)."""
    for k in range(SLOTS):
        if int64(cards[k]) == NONE:
            cards[k] = _draw(game, tape)


@helper
def _begin_turn(rules: Any, game: Any, player: Any) -> None:
    """B1, B2."""
    game["player"] = player
    game["points"] = POINTS
    game["owed"] = rules["min_pieces"][int64(game["phase"]) - 1]


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, U64, I64, I64, TAPE))
def new_game(params: Any, states: Any, index: int, seed: int, players: int, start: int, tape: Any) -> None:
    """Sets a state up (A3-A7)."""
    game = states[index]
    rules = params[0]
    rng.start(game["rng"], seed)
    game["players"] = players
    game["start"] = start
    game["squares"][:] = uint64(0)
    game["occupied"][:] = uint64(0)
    game["zoned"][:] = uint64(0)
    game["largest"][:] = 0
    game["visitors"][:] = 0
    game["sources"][:] = 0
    for seat in range(SEATS):
        game["score"][seat] = 0
        game["street"][seat] = 0
        game["waiting"][seat] = 0
        game["bar"][seat] = rules["bar_start"][players - 1] if seat < players else 0
    game["couples"][:] = NONE
    game["pile"][:] = rules["cards_per_type"][players - 1]
    game["pile_size"] = TYPES * int64(rules["cards_per_type"][players - 1])
    game["discards"][:] = 0
    game["slots"][:] = NONE
    game["row"][:] = NONE
    game["rotation"] = 0
    game["phase"] = 1
    game["refilling"] = 0
    _fill(game, game["slots"], tape)
    _fill(game, game["row"], tape)
    _begin_turn(rules, game, start)


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, U64))
def redeterminise(params: Any, states: Any, index: int, seed: int) -> None:
    """The order of the pile is all that is hidden (H2), and it is not fixed before a draw: a new stream will do."""
    rng.start(states[index]["rng"], seed)


# --- Placing a piece -------------------------------------------------------------------------------------------------


@helper
def _gain(game: Any, seat: Any, source: Any, points: Any) -> None:
    game["score"][seat] += points
    game["sources"][seat, source] += points


@helper
def zone_with(rules: Any, game: Any, player: Any, colour: Any, low: Any, high: Any) -> Any:
    """The zone of a piece that is added to the player's board, all its squares; nothing if the piece is alone (C6)."""
    same = game["squares"][player, colour]
    width = int64(rules["width"])
    near_low, near_high = dilate(low, high, width, rules["first"], rules["last"])
    near_low &= uint64(same[0])
    near_high &= uint64(same[1])
    if near_low | near_high == uint64(0):
        return uint64(0), uint64(0)
    inside_low = uint64(same[0]) | low
    inside_high = uint64(same[1]) | high
    return flood(low | near_low, high | near_high, inside_low, inside_high, width, rules["first"], rules["last"])


@helper
def has_visitor(game: Any, player: Any, low: Any, high: Any) -> Any:
    """Whether a visitor stands among these squares: every zone has had one since its second piece (C6)."""
    zoned = game["zoned"][player]
    return (uint64(zoned[0]) & low) | (uint64(zoned[1]) & high) != uint64(0)


@helper
def wins_couple(game: Any, player: Any, colour: Any, size: Any) -> Any:
    """Whether a zone of so many squares brings the couple (C7)."""
    owner = int64(game["couples"][colour])
    return owner == NONE or (owner != player and size > int64(game["largest"][owner, colour]))


@helper
def _settle_zone(rules: Any, game: Any, player: Any, colour: Any, low: Any, high: Any) -> None:
    """A visitor moves into the piece's zone (C6), and perhaps a couple (C7)."""
    low, high = zone_with(rules, game, player, colour, low, high)
    size = popcount(low) + popcount(high)
    if size == 0:
        return
    if not has_visitor(game, player, low, high):
        game["visitors"][player, colour] += 1
        _gain(game, player, COLOURED, int64(1))
    game["zoned"][player, 0] |= low
    game["zoned"][player, 1] |= high
    if wins_couple(game, player, colour, size):
        owner = int64(game["couples"][colour])
        if owner != NONE:
            _gain(game, owner, COUPLES, -int64(rules["couple_points"]))
        _gain(game, player, COUPLES, int64(rules["couple_points"]))
        game["couples"][colour] = player
    game["largest"][player, colour] = max(size, int64(game["largest"][player, colour]))


@helper
def full_rows(rules: Any, low: Any, high: Any, bottom: Any, count: Any) -> Any:
    """How many of ``count`` rows from ``bottom`` on are full, on a board of these squares."""
    width = int64(rules["width"])
    row = (ONE << uint64(width)) - ONE
    full = int64(0)
    for k in range(bottom, bottom + count):
        squares, _ = shift_down(low, high, k * width)
        full += int64(squares & row == row)
    return full


@helper
def reaches_above(rules: Any, low: Any, high: Any, height: Any) -> Any:
    """Whether some of these squares lie above the lowest ``height`` rows."""
    rows = rules["rows"][height]
    return (low & ~rows[0]) | (high & ~rows[1]) != uint64(0)


@helper
def _remove_bar(game: Any, seat: Any) -> None:
    """The level bar and the visitors on it are out of the game (C4, D2)."""
    game["bar"][seat] = NONE
    game["waiting"][seat] = 0


@helper
def _place(rules: Any, game: Any, slot: Any, square: Any) -> None:
    """Lays the piece of a card down: the bar (C4), zone and couple (C6, C7), then lines (C8)."""
    player = int64(game["player"])
    kind = int64(game["slots"][slot])
    turn = turn_of(rules, game, player)
    piece = rules["piece"][kind, turn]
    low, high = shift_up(uint64(piece[0]), uint64(piece[1]), square)
    bar = int64(game["bar"][player])
    if bar != NONE and reaches_above(rules, low, high, bar):
        _remove_bar(game, player)
        bar = int64(NONE)
    colour = kind >> 1
    _settle_zone(rules, game, player, colour, low, high)
    game["squares"][player, colour, 0] |= low
    game["squares"][player, colour, 1] |= high
    game["occupied"][player, 0] |= low
    game["occupied"][player, 1] |= high
    if bar != NONE:
        occupied = game["occupied"][player]
        bottom = int64(rules["row_of"][square])
        lines = full_rows(rules, uint64(occupied[0]), uint64(occupied[1]), bottom, int64(rules["high"][kind, turn]))
        game["bar"][player] = min(bar + lines, int64(rules["height"]))
        game["waiting"][player] += lines


@helper
def placement_points(rules: Any, game: Any, player: Any, kind: Any, turn: Any, square: Any) -> Any:
    """What a placement would earn: a visitor, a couple, a point for each line; visitors lost aside (C4, C6-C8).

    Returns:
        The points, and the squares of the zone that it would make, 0 for none.
    """
    piece = rules["piece"][kind, turn]
    low, high = shift_up(uint64(piece[0]), uint64(piece[1]), square)
    colour = kind >> 1
    points = int64(0)
    zone_low, zone_high = zone_with(rules, game, player, colour, low, high)
    size = popcount(zone_low) + popcount(zone_high)
    if size > 0:
        points += int64(not has_visitor(game, player, zone_low, zone_high))
        if wins_couple(game, player, colour, size):
            points += int64(rules["couple_points"])
    bar = int64(game["bar"][player])
    if bar == NONE or reaches_above(rules, low, high, bar):
        return points, size
    occupied = game["occupied"][player]
    low |= uint64(occupied[0])
    high |= uint64(occupied[1])
    points += full_rows(rules, low, high, int64(rules["row_of"][square]), int64(rules["high"][kind, turn]))
    return points, size


@helper
def buried(low: Any, high: Any, shadow_low: Any, shadow_high: Any, width: Any) -> Any:
    """How many empty squares a piece of these squares would cover that nothing lies above yet."""
    under_low, under_high = smear_down(low, high, width)
    return popcount(under_low & ~low & ~shadow_low) + popcount(under_high & ~high & ~shadow_high)


# --- Turns and phases ------------------------------------------------------------------------------------------------


@helper
def _discard(game: Any, slot: Any) -> None:
    """The card leaves the octagon, which costs a point and counts as a piece (B3, C5)."""
    game["discards"][int64(game["slots"][slot])] += 1
    game["slots"][slot] = NONE
    game["points"] -= 1
    game["owed"] = max(int64(game["owed"]) - 1, int64(0))


@helper
def _gaps(cards: Any) -> Any:
    gaps = int64(0)
    for k in range(SLOTS):
        gaps += int64(int64(cards[k]) == NONE)
    return gaps


@helper
def _refill(game: Any, card: Any) -> None:
    """A card of the row goes to the lowest empty slot; the row closes up (B5)."""
    slot = int64(0)
    while int64(game["slots"][slot]) != NONE:
        slot += 1
    row = game["row"]
    game["slots"][slot] = row[card]
    for k in range(card, SLOTS - 1):
        row[k] = row[k + 1]
    row[SLOTS - 1] = NONE


@helper
def _end_turn(rules: Any, game: Any, tape: Any) -> None:
    """The player chooses cards for the empty slots, or all cards of the row fill them (B5)."""
    empty = _gaps(game["slots"])
    in_row = SLOTS - _gaps(game["row"])
    game["refilling"] = int64(in_row > empty)
    if in_row <= empty:
        for _ in range(in_row):
            _refill(game, int64(0))
        _next_turn(rules, game, empty > in_row, tape)


@helper
def _next_turn(rules: Any, game: Any, phase_ends: Any, tape: Any) -> None:
    """The next turn begins after the row is filled (B6), in a new phase perhaps (D1-D3), or the game ends (D4)."""
    if phase_ends:
        if int64(game["phase"]) == PHASES:
            _end_game(rules, game)
            return
        _drop_bars(rules, game)
        for kind in range(TYPES):
            game["pile"][kind] = game["discards"][kind]
            game["pile_size"] += game["discards"][kind]
            game["discards"][kind] = 0
        _fill(game, game["slots"], tape)
        game["phase"] += 1
    _fill(game, game["row"], tape)
    seat = int64(game["player"]) + 1
    _begin_turn(rules, game, int64(0) if seat == int64(game["players"]) else seat)


@helper
def _drop_bars(rules: Any, game: Any) -> None:
    """A bar that comes to lie on a piece is gone; otherwise its visitors are safe in the street (D2)."""
    for seat in range(int64(game["players"])):
        bar = int64(game["bar"][seat])
        if bar == NONE:
            continue
        bar = max(bar - int64(rules["bar_drop"]), int64(0))
        occupied = game["occupied"][seat]
        if reaches_above(rules, uint64(occupied[0]), uint64(occupied[1]), bar):
            _remove_bar(game, seat)
        else:
            game["bar"][seat] = bar
            _gain(game, seat, WHITE, int64(game["waiting"][seat]))
            game["street"][seat] += game["waiting"][seat]
            game["waiting"][seat] = 0


@helper
def _end_game(rules: Any, game: Any) -> None:
    """Visitors on level bars may count (D4)."""
    if rules["bar_visitors"]:
        for seat in range(int64(game["players"])):
            _gain(game, seat, WHITE, int64(game["waiting"][seat]))
    game["player"] = -1
    game["points"] = 0
    game["owed"] = 0


@kernel(VOID(PARAMS_TYPE, STATES_TYPE, I64, I64, TAPE))
def apply(params: Any, states: Any, index: int, action: int, tape: Any) -> None:
    """Carries out a legal action and all that follows from it up to the next decision."""
    game = states[index]
    rules = params[0]
    squares = int64(rules["width"]) * int64(rules["height"])
    other = action - SLOTS * squares
    if other < 0:
        slot: Any = int64(0)
        square: Any = action
        while square >= squares:
            square -= squares
            slot += 1
        _place(rules, game, slot, square)
        _discard(game, slot)
    elif other == ROTATE:
        game["rotation"] = (int64(game["rotation"]) + 1) & 3
        game["points"] -= 1
    elif other == END_TURN:
        _end_turn(rules, game, tape)
        return
    elif other < DISCARD:
        _refill(game, other - REFILL)
        if _gaps(game["slots"]) == 0:
            game["refilling"] = 0
            _next_turn(rules, game, False, tape)
        return
    else:
        _discard(game, other - DISCARD)
    if int64(game["points"]) == 0:
        _end_turn(rules, game, tape)
