"""``heuristic``, version 1: plans its whole turn, as a good human player does.

A turn hides nothing: the cards of the octagon and what rotations make of them are open. The policy weighs every
placement that it can reach, in the present and in later rotations, goes on from the best few of them until nothing more
is worth its action point, and begins what turns out best. It plans afresh at each decision.

What it weighs, in thousandths of a point, is what a placement earns at once (visitors, couples, a lead for them), and
the street that it leaves behind:

* the level bar and the visitors waiting on it, which a tower may cost at the end of a phase;
* empty squares that are covered, and rows that can't be completed for them;
* how rough the street is, its narrow gaps, and how much of each row is there;
* single pieces with free squares beside them, for each colour one: the next zones.

Of all this, less is worth having the fewer pieces are to come. At the end of a phase it knows which bars will go, its
own and those of others. It refills with the card that is of least use to the next player, and alone with the best one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy import int64, uint64

from arraial_env.actions import END_TURN, REFILL, ROTATE
from arraial_env.geometry import COLOURS, PHASES, SLOTS, TURNS, TYPES
from arraial_env.kernels import full_rows, legal_places, reaches_above, turn_of
from arraial_env.state import NONE
from manjerico.core.bits import dilate, flood, has, popcount, select, shift_down, shift_up, smear_down, take_lowest
from manjerico.core.compile import helper, routine

POINT = 1000
"""A point; all that follows without another unit is in thousandths of a point, found by measured play."""

# --- What things are worth, the farther from the end of the game the more --------------------------------------------

BAR = 8000
"""The level bar."""
HOLE = 1100
"""An empty square that is covered."""
SPOILT = 2700
"""A row with such squares."""
GAP = 400
"""An empty square of a gap that is one column wide."""
STEP = 150
"""A row by which a column is higher than its neighbour."""
FILLED = 1800
"""A row that is nearly complete; in proportion to the square of the share of its squares that are covered."""
SINGLE = 200
"""A colour of which a single piece lies where another one can be joined to it."""
LEAD = 50
"""A square by which the own largest zone of a colour is ahead, up to ``MOST_LEAD``, for each point of a couple."""
MOST_LEAD = 8

# --- What things are worth at any time -------------------------------------------------------------------------------

WAITING = 2500
"""A white visitor on the bar before the last phase: for itself, and as a row that is done with."""
TALL = 600
"""A row by which the street is too high for the bar after its drop, for each visitor on it and one more."""
RIVAL_BAR = 1000
"""The bar of a rival."""
RIVALS_LOSS = 500
"""A couple's point that a rival loses; shared among the rivals."""
CARD = 600
"""A card of a player who plays alone: nobody else would take it."""
STILL_USEFUL = 10
"""Pieces to come, for each player, from which on the future counts in full."""

# --- The search ------------------------------------------------------------------------------------------------------

SQUARE_BITS, SLOT_BITS, TURN_BITS = 7, 2, 2
"""A placement in a key: below the value come rotations, slot and square."""
KEY_BITS = SQUARE_BITS + SLOT_BITS + TURN_BITS
NEVER = -(10**9)
"""Less than any value."""
NO_CARD = 15
CARD_BITS = 4
"""A card of a plan: its type, or ``NO_CARD``."""


class View(NamedTuple):
    """What stays the same during a turn."""

    player: Any
    horizon: Any
    """How much the future counts, in thousandths."""
    spare: Any
    """Pieces that can be placed before the phase ends: cards of the row that are left for other slots."""
    urgency: Any
    """How near the end of the phase is, in thousandths."""
    rivals_fall: Any
    """What the rivals would lose if the phase ended now."""


class Plan(NamedTuple):
    """Where a sequence of placements would lead to."""

    occupied_low: Any
    occupied_high: Any
    zoned_low: Any
    zoned_high: Any
    last_low: Any
    last_high: Any
    """The piece placed last."""
    earlier_low: Any
    earlier_high: Any
    """The piece before."""
    last_colour: Any
    earlier_colour: Any
    bar: Any
    waiting: Any
    won: Any
    """Couples that were won on the way, as bits."""
    cards: Any
    """Cards left in the octagon."""
    turn: Any
    placed: Any
    points: Any
    owed: Any
    gain: Any
    """What was earned on the way."""


@helper
def _packed(cards: Any) -> Any:
    """Three cards as one number."""
    packed = int64(0)
    for k in range(SLOTS):
        packed |= (int64(cards[k]) & NO_CARD) << (k * CARD_BITS)
    return packed


@helper
def _plan(rules: Any, game: Any, player: Any, cards: Any, points: Any, owed: Any) -> Any:
    """A turn of a player with these cards, before its first placement."""
    occupied, zoned = game["occupied"][player], game["zoned"][player]
    nothing, none = uint64(0), int64(NONE)
    return Plan(
        uint64(occupied[0]),
        uint64(occupied[1]),
        uint64(zoned[0]),
        uint64(zoned[1]),
        nothing,
        nothing,
        nothing,
        nothing,
        none,
        none,
        int64(game["bar"][player]),
        int64(game["waiting"][player]),
        int64(0),
        cards,
        turn_of(rules, game, player),
        int64(0),
        points,
        owed,
        int64(0),
    )


# --- What a placement earns ------------------------------------------------------------------------------------------


@helper
def _of_colour(game: Any, player: Any, plan: Any, colour: Any) -> Any:
    """The squares of a colour, with those of the plan's pieces."""
    board = game["squares"][player, colour]
    low, high = uint64(board[0]), uint64(board[1])
    if plan.last_colour == colour:
        low |= plan.last_low
        high |= plan.last_high
    if plan.earlier_colour == colour:
        low |= plan.earlier_low
        high |= plan.earlier_high
    return low, high


@helper
def _zone(rules: Any, game: Any, player: Any, plan: Any, colour: Any, low: Any, high: Any) -> Any:
    """The zone that a piece would belong to, nothing if it would be alone (C6)."""
    same_low, same_high = _of_colour(game, player, plan, colour)
    width, first, last = int64(rules["width"]), rules["first"], rules["last"]
    near_low, near_high = dilate(low, high, width, first, last)
    near_low &= same_low
    near_high &= same_high
    if near_low | near_high == uint64(0):
        return near_low, near_high
    return flood(low | near_low, high | near_high, low | same_low, high | same_high, width, first, last)


@helper
def _lead(size: Any, rival: Any) -> Any:
    return min(max(size - rival, -MOST_LEAD), MOST_LEAD)


@helper
def _couple(rules: Any, game: Any, view: Any, colour: Any, size: Any, before: Any) -> Any:
    """(worth, whether it is won): the couple, and the lead over the others' largest zones (C7)."""
    player, players = view.player, int64(game["players"])
    rival = int64(0)
    for seat in range(players):
        if seat != player:
            rival = max(rival, int64(game["largest"][seat, colour]))
    largest = max(int64(game["largest"][player, colour]), before)
    worth = int64(0)
    if players > 1 and size > largest:
        worth = LEAD * (_lead(size, rival) - _lead(largest, rival)) * view.horizon // POINT
    owner = int64(game["couples"][colour])
    wins = owner == NONE or (owner != player and size > int64(game["largest"][owner, colour]))
    if wins:
        worth += POINT if owner == NONE else POINT + RIVALS_LOSS // (players - 1)
    return worth * int64(rules["couple_points"]), wins


@routine
def _placed(rules: Any, game: Any, view: Any, plan: Any, rotations: Any, slot: Any, square: Any) -> Any:
    """The plan with one placement more, after so many rotations (C4, C6-C8)."""
    kind = (plan.cards >> (slot * CARD_BITS)) & NO_CARD
    turn = (plan.turn + rotations) & 3
    piece = rules["piece"][kind, turn]
    low, high = shift_up(uint64(piece[0]), uint64(piece[1]), square)
    colour = kind >> 1
    gain, won = plan.gain, plan.won
    zone_low, zone_high = _zone(rules, game, view.player, plan, colour, low, high)
    size = popcount(zone_low) + popcount(zone_high)
    if size > 0:
        before = popcount(zone_low & plan.zoned_low) + popcount(zone_high & plan.zoned_high)
        gain += POINT * int64(before == 0)
        worth, wins = _couple(rules, game, view, colour, size, before)
        if (won >> colour) & 1 == 0:
            gain += worth
            won |= int64(wins) << colour
    occupied_low, occupied_high = plan.occupied_low | low, plan.occupied_high | high
    bar, waiting = plan.bar, plan.waiting
    if bar != NONE and reaches_above(rules, low, high, bar):
        bar, waiting = int64(NONE), int64(0)
    elif bar != NONE:
        bottom, rows = int64(rules["row_of"][square]), int64(rules["high"][kind, turn])
        lines = full_rows(rules, occupied_low, occupied_high, bottom, rows)
        bar, waiting = min(bar + lines, int64(rules["height"])), waiting + lines
    return Plan(
        occupied_low,
        occupied_high,
        plan.zoned_low | zone_low,
        plan.zoned_high | zone_high,
        low,
        high,
        plan.last_low,
        plan.last_high,
        colour,
        plan.last_colour,
        bar,
        waiting,
        won,
        plan.cards | (int64(NO_CARD) << (slot * CARD_BITS)),
        turn,
        plan.placed + 1,
        plan.points - rotations - 1,
        max(plan.owed - 1, int64(0)),
        gain,
    )


# --- What a street is worth ------------------------------------------------------------------------------------------


@helper
def _singles(rules: Any, game: Any, view: Any, plan: Any, shadow_low: Any, shadow_high: Any) -> Any:
    """The chances of new zones: single pieces with free squares beside them that can be reached from above."""
    rows = rules["rows"][plan.bar if plan.bar != NONE else int64(rules["height"])]
    free_low, free_high = ~shadow_low & rows[0], ~shadow_high & rows[1]
    near_low, near_high = dilate(free_low, free_high, int64(rules["width"]), rules["first"], rules["last"])
    near_low &= ~plan.zoned_low
    near_high &= ~plan.zoned_high
    worth = int64(0)
    for colour in range(len(COLOURS)):
        low, high = _of_colour(game, view.player, plan, colour)
        worth += SINGLE * int64((low & near_low) | (high & near_high) != uint64(0))
    return worth


@helper
def _surface(rules: Any, shadow_low: Any, shadow_high: Any) -> Any:
    """What steps and narrow gaps cost."""
    first, last = rules["first"], rules["last"]
    right_low, right_high = shift_down(shadow_low, shadow_high, 1)
    left_low, left_high = shift_up(shadow_low, shadow_high, 1)
    steps = popcount((shadow_low ^ right_low) & ~last[0]) + popcount((shadow_high ^ right_high) & ~last[1])
    gaps_low = ~shadow_low & (right_low | last[0]) & (left_low | first[0])
    gaps_high = ~shadow_high & (right_high | last[1]) & (left_high | first[1])
    return STEP * steps + GAP * (popcount(gaps_low) + popcount(gaps_high))


@helper
def _rows(rules: Any, low: Any, high: Any, shadow_low: Any, shadow_high: Any) -> Any:
    """(worth of the rows that are not complete, rows up to the highest piece)."""
    width = int64(rules["width"])
    row = (uint64(1) << uint64(width)) - uint64(1)
    filled, spoilt, top = int64(0), int64(0), int64(0)
    holes = popcount(shadow_low & ~low) + popcount(shadow_high & ~high)
    while shadow_low | shadow_high != uint64(0):
        covered = popcount(low & row)
        if (shadow_low & ~low) & row != uint64(0):
            spoilt += 1
        elif covered < width:
            filled += covered * covered
        top += 1
        low, high = shift_down(low, high, width)
        shadow_low, shadow_high = shift_down(shadow_low, shadow_high, width)
    return FILLED * filled // (width * width) - SPOILT * spoilt - HOLE * holes, top


@helper
def _bar_drop(rules: Any, view: Any, plan: Any, top: Any, ends: Any) -> Any:
    """(worth of the waiting visitors, whether the bar will go) before the last phase (D2)."""
    over = top - max(plan.bar - int64(rules["bar_drop"]), int64(0))
    if ends:
        return (int64(0), True) if over > 0 else (plan.waiting * WAITING, False)
    return plan.waiting * WAITING - TALL * max(over, int64(0)) * (plan.waiting + 1) * view.urgency // POINT, False


@routine
def _worth(rules: Any, game: Any, view: Any, plan: Any) -> Any:
    """What a plan has earned, and what the street is worth that it leaves behind."""
    ends = plan.placed > view.spare
    low, high = plan.occupied_low, plan.occupied_high
    shadow_low, shadow_high = smear_down(low, high, int64(rules["width"]))
    future = _singles(rules, game, view, plan, shadow_low, shadow_high)
    worth = plan.gain - CARD * plan.placed * int64(int64(game["players"]) == 1)
    if int64(game["phase"]) == PHASES:
        worth += plan.waiting * POINT * int64(rules["bar_visitors"])
        if ends:
            return worth
    elif ends:
        worth += view.rivals_fall
    if plan.bar != NONE:
        rows, top = _rows(rules, low, high, shadow_low, shadow_high)
        falls = False
        if int64(game["phase"]) < PHASES:
            whites, falls = _bar_drop(rules, view, plan, top, ends)
            worth += whites
        if not falls:
            future += BAR + rows - _surface(rules, shadow_low, shadow_high)
    return worth + future * view.horizon // POINT


# --- The search ------------------------------------------------------------------------------------------------------


@helper
def _ranked(best: Any, key: Any) -> Any:
    """The highest four of five keys."""
    first, second, third, fourth = best
    first, key = max(first, key), min(first, key)
    second, key = max(second, key), min(second, key)
    third, key = max(third, key), min(third, key)
    return first, second, third, max(fourth, key)


@routine
def _best_four(rules: Any, game: Any, view: Any, plan: Any) -> Any:
    """The keys of the placements that are worth most by themselves; very low where there are fewer."""
    occupied = (plan.occupied_low, plan.occupied_high)
    shadow_low, shadow_high = smear_down(plan.occupied_low, plan.occupied_high, int64(rules["width"]))
    none = int64(NEVER) << KEY_BITS
    best = (none, none, none, none)
    for rotations in range(min(plan.points - max(plan.owed, int64(1)) + 1, int64(TURNS))):
        for slot in range(SLOTS):
            kind = (plan.cards >> (slot * CARD_BITS)) & NO_CARD
            if kind == NO_CARD:
                continue
            turn = (plan.turn + rotations) & 3
            low, high = legal_places(rules, kind, turn, occupied, shadow_low, shadow_high, plan.bar)
            while low | high != uint64(0):
                square, low, high = take_lowest(low, high)
                worth = _worth(rules, game, view, _placed(rules, game, view, plan, rotations, slot, square))
                placement = (((rotations << SLOT_BITS) | slot) << SQUARE_BITS) | square
                best = _ranked(best, (worth << KEY_BITS) | placement)
    return best


@helper
def _unpacked(key: Any) -> Any:
    """(rotations, slot, square) of a key."""
    square = key & ((1 << SQUARE_BITS) - 1)
    slot = (key >> SQUARE_BITS) & ((1 << SLOT_BITS) - 1)
    return (key >> (SQUARE_BITS + SLOT_BITS)) & ((1 << TURN_BITS) - 1), slot, square


@routine
def _completed(rules: Any, game: Any, view: Any, plan: Any, key: Any) -> Any:
    """What a turn is worth that begins with this placement and goes on with the best, as long as that is better."""
    worth = key >> KEY_BITS
    while True:
        rotations, slot, square = _unpacked(key)
        plan = _placed(rules, game, view, plan, rotations, slot, square)
        if plan.points == 0:
            return worth
        key, _, _, _ = _best_four(rules, game, view, plan)
        if key >> KEY_BITS <= (worth if plan.owed == 0 else int64(NEVER)):
            return worth
        worth = key >> KEY_BITS


@helper
def _count(cards: Any) -> Any:
    count = int64(0)
    for k in range(SLOTS):
        count += int64(int64(cards[k]) != NONE)
    return count


@helper
def _rivals_fall(rules: Any, game: Any, player: Any) -> Any:
    """What the rivals' bars are worth that would go if the phase ended now, shared among the rivals (D2)."""
    seat, loss = int64(game["players"]) - 1, int64(0)
    while seat >= 0:
        bar = int64(game["bar"][seat])
        if seat != player and bar != NONE:
            occupied = game["occupied"][seat]
            bar = max(bar - int64(rules["bar_drop"]), int64(0))
            if reaches_above(rules, uint64(occupied[0]), uint64(occupied[1]), bar):
                loss += RIVAL_BAR + POINT * int64(game["waiting"][seat])
        seat -= 1
    return loss // max(int64(game["players"]) - 1, int64(1))


@routine
def _view(rules: Any, game: Any, player: Any) -> Any:
    """What a player sees at the beginning of a plan."""
    players = int64(game["players"])
    in_slots, in_row, pile = _count(game["slots"]), _count(game["row"]), int64(game["pile_size"])
    cards = TYPES * int64(rules["cards_per_type"][players - 1])
    to_come = in_slots + in_row + pile + (PHASES - int64(game["phase"])) * cards - SLOTS - (players - 1)
    horizon = min(POINT * max(to_come, int64(0)) // (players * STILL_USEFUL), int64(POINT))
    urgency = max(POINT - POINT * max(in_slots + in_row + pile - SLOTS, int64(0)) // cards, int64(0))
    return View(player, horizon, in_row + in_slots - SLOTS, urgency, _rivals_fall(rules, game, player))


@routine
def _decide(rules: Any, game: Any, view: Any) -> Any:
    """The first action of the best turn, -1 if nothing can be placed though a piece is owed.

    The keys go round until the first one comes again: a loop of four turns would be compiled four times.
    """
    owed, squares = int64(game["owed"]), int64(rules["width"]) * int64(rules["height"])
    plan = _plan(rules, game, view.player, _packed(game["slots"]), int64(game["points"]), owed)
    action, worth = int64(-1), int64(NEVER)
    if owed == 0:
        action, worth = SLOTS * squares + END_TURN, _worth(rules, game, view, plan)
    key, second, third, fourth = _best_four(rules, game, view, plan)
    best = key
    while key >> KEY_BITS > NEVER:
        whole = _completed(rules, game, view, plan, key)
        if whole > worth:
            rotations, slot, square = _unpacked(key)
            action = slot * squares + square if rotations == 0 else SLOTS * squares + ROTATE
            worth = whole
        key, second, third, fourth = second, third, fourth, key
        if key == best:
            break
    return action


@routine
def _refill(rules: Any, game: Any, view: Any) -> Any:
    """The card of the row that brings the next player least, or alone most, with a rotation at most."""
    best, best_key = int64(0), int64(NEVER) << KEY_BITS
    for card in range(_count(game["row"])):
        others = (1 << (SLOTS * CARD_BITS)) - 1 - NO_CARD
        plan = _plan(rules, game, view.player, others | int64(game["row"][card]), int64(2), int64(1))
        key, _, _, _ = _best_four(rules, game, view, plan)
        key = key if int64(game["players"]) == 1 else -key
        if key > best_key:
            best, best_key = int64(card), key
    return SLOTS * int64(rules["width"]) * int64(rules["height"]) + REFILL + best


@helper
def heuristic(params: Any, states: Any, index: Any, words: Any, stream: Any) -> Any:  # a policy's parameters
    """See the module's docstring."""
    game = states[index]
    rules = params[0]
    seat = int64(game["player"])
    if int64(game["refilling"]) != 0:
        seat = seat + 1 if seat + 1 < int64(game["players"]) else int64(0)
    view = _view(rules, game, seat)
    action = _decide(rules, game, view) if int64(game["refilling"]) == 0 else _refill(rules, game, view)
    return action if action >= 0 and has(words, action) else select(words, 0)
