"""The numbering of actions (rules, section F): 3 * width * height + 8 ids, 344 on the default board.

=====================  =====  ==========================================================================================
ids                    count  meaning
=====================  =====  ==========================================================================================
0 .. 3 W H - 1         3 W H  place: ``slot * W * H + y * W + x``, (x, y) the left column and bottom row of the piece
3 W H                  1      rotate
3 W H + 1              1      end the turn
3 W H + 2 .. + 4       3      refill the lowest empty slot with card 0, 1, 2 of the row
3 W H + 5 .. + 7       3      discard the card in slot 0, 1, 2
=====================  =====  ==========================================================================================
"""

from __future__ import annotations

from typing import NamedTuple

from arraial_env.geometry import SLOTS

ROTATE = 0
END_TURN = 1
REFILL = 2
DISCARD = REFILL + SLOTS
OTHERS = DISCARD + SLOTS
"""Actions that are no placements; their numbers count from the placements' end."""


class Place(NamedTuple):
    """Take the card of a slot and let its piece come to rest with its bounding box's corner at (x, y) (C)."""

    slot: int
    x: int
    y: int


class Rotate(NamedTuple):
    """Turn the octagon by 90 degrees clockwise (B1)."""


class EndTurn(NamedTuple):
    """End the turn with action points left (B4)."""


class Refill(NamedTuple):
    """Fill the lowest empty slot with a card of the row (B5)."""

    card: int


class Discard(NamedTuple):
    """Discard the card of a slot unplaced (C5)."""

    slot: int


Action = Place | Rotate | EndTurn | Refill | Discard


def num_actions(squares: int) -> int:
    """How many ids there are on a board of so many squares."""
    return SLOTS * squares + OTHERS


def decode(action: int, width: int, height: int) -> Action:
    """What an id in ``range(num_actions(width * height))`` means."""
    slot, square = divmod(action, width * height)
    if slot < SLOTS:
        y, x = divmod(square, width)
        return Place(slot, x, y)
    other = action - SLOTS * width * height
    if other == ROTATE:
        return Rotate()
    if other == END_TURN:
        return EndTurn()
    return Refill(other - REFILL) if other < DISCARD else Discard(other - DISCARD)


def encode(action: Action, width: int, height: int) -> int:
    """The id of an action: the inverse of :func:`decode`."""
    squares = width * height
    match action:
        case Place(slot, x, y):
            return slot * squares + y * width + x
        case Rotate():
            return SLOTS * squares + ROTATE
        case EndTurn():
            return SLOTS * squares + END_TURN
        case Refill(card):
            return SLOTS * squares + REFILL + card
        case Discard(slot):
            return SLOTS * squares + DISCARD + slot


def describe(action: Action, slots: list[str], row: list[str]) -> str:
    """An action in words, given the names of the cards in slots and row ("" for none)."""
    match action:
        case Place(slot, x, y):
            return f"place the {slots[slot] or 'missing piece'} from slot {slot}, column {x}, row {y}"
        case Rotate():
            return "rotate the octagon"
        case EndTurn():
            return "end the turn"
        case Refill(card):
            return f"refill with the {row[card] or 'missing card'}, card {card} of the row"
        case Discard(slot):
            return f"discard the {slots[slot] or 'missing piece'} from slot {slot}"


def listing(action: Action, slots: list[str], row: list[str]) -> tuple[str, str]:
    """An action as a list of actions shows it: a heading, and the words below it; names as for :func:`describe`."""
    match action:
        case Place(slot, x, y):
            return f"place from slot {slot}: {slots[slot]}", f"column {x}, row {y}"
        case Rotate() | EndTurn():
            return "without a piece", describe(action, slots, row)
        case Refill(card):
            return "refill from the row", f"card {card}: {row[card]}"
        case Discard(slot):
            return "discard unplaced", f"slot {slot}: {slots[slot]}"
