"""Small scripted players that drive two implementations of Arraial into common and rare corners.

`PLAYERS` holds the players, `RULES` the default rules and many others, `DRAWS` ways to draw from the pile, unfair ones
among them; `random_rules` makes up more rules. With default rules and uniform players a slide under an overhang, four
lines at once, a bar at the top or a forced discard are rare or unheard of.

A player is a function of the game and a random generator that returns one legal action. None of them searches; each
scores the legal actions by a simple rule, and a few times in a hundred decisions moves at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from arraial_reference import (
    DEFAULT,
    LAST_PHASE,
    TYPES,
    YELLOW,
    Action,
    ReferenceArraial,
    Square,
    colour_of,
    decode,
    neighbours,
    squares_of,
    visitors_in,
)

Player = Callable[[ReferenceArraial, random.Random], int]
Value = Callable[[Action], float]
Draw = Callable[[list[int]], int]
Cells = list[list[int]]

# ---------------------------------------------------------------------------------------------------------------------
# Helpers
# ---------------------------------------------------------------------------------------------------------------------


def meaning(game: ReferenceArraial, action: int) -> Action:
    """An action id of this game in plain words."""
    return decode(action, game.width, game.height)


def of_kind(game: ReferenceArraial, actions: Iterable[int], kind: str) -> list[int]:
    """Those of the actions that are of one kind."""
    return [action for action in actions if meaning(game, action).kind == kind]


def best(game: ReferenceArraial, actions: Iterable[int], value: Value, rng: random.Random) -> int:
    """The action of highest value; ties are broken at random."""
    return max(actions, key=lambda action: (value(meaning(game, action)), rng.random()))


def covered(game: ReferenceArraial, move: Action) -> list[Square]:
    """The squares that a placement covers."""
    return game.shape_seen(game.card_in(move.slot)).squares(move.x, move.y)


def colour_of_card(game: ReferenceArraial, move: Action) -> int:
    """The colour of the piece that a placement places."""
    return colour_of(game.card_in(move.slot))


def top(game: ReferenceArraial, move: Action) -> int:
    """The number of rows that the placed piece reaches up to."""
    return move.y + game.shape_seen(game.card_in(move.slot)).height


def filling(game: ReferenceArraial, move: Action) -> list[int]:
    """The covered squares in each row of the placed piece once it lies there."""
    board = game.acting.board
    squares = covered(game, move)
    counts = []
    for y in sorted({y for _, y in squares}):
        before = sum((x, y) in board.at for x in range(game.width))
        counts.append(before + sum(row == y for _, row in squares))
    return counts


def roofed(game: ReferenceArraial, move: Action) -> int:
    """The free squares that the placed piece covers from above, down to the next piece or the bottom row."""
    board = game.acting.board
    squares = set(covered(game, move))
    count = 0
    for x, y in squares:
        below = y - 1
        while below >= 0 and (x, below) not in board.at and (x, below) not in squares:
            count += 1
            below -= 1
    return count


def is_slide_only(game: ReferenceArraial, move: Action) -> bool:
    """Whether a placement is reached only by a slide (C2)."""
    shape = game.shape_seen(game.card_in(move.slot))
    return game.acting.board.fall(shape, move.x) != move.y


class Prospect(NamedTuple):
    """What a placement would earn (C6-C8)."""

    zone: int  # squares of the zone that the piece would be part of, 0 for none
    visitors: int  # coloured
    couples: int
    lines: int
    whites: int


def prospect(game: ReferenceArraial, move: Action) -> Prospect:
    """What a placement would earn the acting player (C6-C8)."""
    seat = game.acting
    colour = colour_of_card(game, move)
    squares = covered(game, move)
    joined = seat.board.groups_touching(colour, squares)
    zone = visitors = couples = 0
    if joined:
        zone = len(squares) + sum(squares_of(group) for group in joined)
        visitors = int(sum(visitors_in(group) for group in joined) == 0)
        owner = game.couple_owners[colour]
        couples = int(
            owner is None or (owner != game.current_player and zone > game.seats[owner].board.largest_zone(colour))
        )
    lines = sum(count == game.width for count in filling(game, move))
    has_bar = seat.bar is not None and not game.options(move.slot).loses_bar
    return Prospect(zone, visitors, couples, lines, lines if has_bar else 0)


def earns(game: ReferenceArraial, move: Action) -> int:
    """The points of a placement, white visitors on the bar included."""
    gain = prospect(game, move)
    return gain.visitors + gain.whites + gain.couples * int(game.rules["couple_points"])


def play(
    game: ReferenceArraial,
    rng: random.Random,
    value: Value,
    *,
    more: float = 0.7,
    turn: float = 0.1,
    whim: float = 0.04,
    wanted: Value | None = None,
) -> int:
    """Place where it is worth most.

    Args:
        game: The game.
        rng: Source of the player's whims.
        value: The worth of a placement.
        more: How likely a piece is placed that is not owed.
        turn: How likely the octagon is rotated instead.
        whim: How likely a random action is taken.
        wanted: The worth of a card of the row, given as a refill; any card if absent.
    """
    actions = game.legal_actions()
    if len(actions) == 1 or rng.random() < whim:
        return rng.choice(actions)
    if game.refilling:
        return rng.choice(actions) if wanted is None else best(game, actions, wanted, rng)
    rotate = of_kind(game, actions, "rotate")
    end = of_kind(game, actions, "end")
    if rotate and rng.random() < turn:
        return rotate[0]
    if end and rng.random() >= more:
        return end[0]
    places = of_kind(game, actions, "place")
    if places:
        return best(game, places, value, rng)
    return rng.choice(actions)


# ---------------------------------------------------------------------------------------------------------------------
# The players
# ---------------------------------------------------------------------------------------------------------------------


def uniform(game: ReferenceArraial, rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(game.legal_actions())


def low(game: ReferenceArraial, rng: random.Random) -> int:
    """Lands as low as it can."""
    return play(game, rng, lambda move: -top(game, move) - 0.1 * roofed(game, move), more=0.6)


def greedy(game: ReferenceArraial, rng: random.Random) -> int:
    """Earns as many points as it can at once, then lands low and without holes."""

    def value(move: Action) -> float:
        cost = 8.0 * game.options(move.slot).loses_bar
        return 10.0 * earns(game, move) - cost - top(game, move) - 0.5 * roofed(game, move)

    return play(game, rng, value, more=0.5, turn=0.15)


def reckless(game: ReferenceArraial, rng: random.Random) -> int:
    """Piles up high and gives the bar away as soon as a card allows it, the more gladly with a line."""

    def value(move: Action) -> float:
        lost = game.options(move.slot).loses_bar
        return 100.0 * lost + 200.0 * (lost and prospect(game, move).lines > 0) + top(game, move)

    return play(game, rng, value, more=0.9, turn=0.05)


def builder(game: ReferenceArraial, rng: random.Random) -> int:
    """Builds large zones and refills with its favourite colours."""

    def value(move: Action) -> float:
        return 2.0 * prospect(game, move).zone - top(game, move)

    def wanted(move: Action) -> float:
        return float(colour_of(game.row[move.index]) in (0, 1))

    return play(game, rng, value, more=0.8, wanted=wanted)


def thief(game: ReferenceArraial, rng: random.Random) -> int:
    """Takes couples; otherwise builds the zones whose couple another player has."""

    def value(move: Action) -> float:
        gain = prospect(game, move)
        owned = game.couple_owners[colour_of_card(game, move)] == game.current_player
        return 100.0 * gain.couples + (0.5 if owned else 3.0) * gain.zone - top(game, move)

    def wanted(move: Action) -> float:
        return float(game.couple_owners[colour_of(game.row[move.index])] != game.current_player)

    return play(game, rng, value, more=0.8, turn=0.2, wanted=wanted)


def singler(game: ReferenceArraial, rng: random.Random) -> int:
    """Keeps the pieces of a colour apart and then joins as many as it can at once."""

    def value(move: Action) -> float:
        joined = game.acting.board.groups_touching(colour_of_card(game, move), covered(game, move))
        return (0.0, -15.0, 10.0, 40.0)[min(len(joined), 3)] - top(game, move)

    return play(game, rng, value, more=0.8, turn=0.2)


def weaver(game: ReferenceArraial, rng: random.Random) -> int:
    """Stacks yellow and the other colours in columns by turns and merges zones where it can."""

    def value(move: Action) -> float:
        colour = colour_of_card(game, move)
        squares = covered(game, move)
        zones = sum(len(group) >= 2 for group in game.acting.board.groups_touching(colour, squares))
        strays = sum(x % 2 != (colour != YELLOW) for x, _ in squares)
        return 300.0 * (zones >= 2) - 20.0 * strays - top(game, move)

    def wanted(move: Action) -> float:
        return float(colour_of(game.row[move.index]) == YELLOW)

    return play(game, rng, value, more=0.8, turn=0.2, wanted=wanted)


def liner(game: ReferenceArraial, rng: random.Random) -> int:
    """Fills rows without holes, several at once if it can wait for it."""

    def value(move: Action) -> float:
        rows = filling(game, move)
        lines = sum(count == game.width for count in rows)
        lost = game.options(move.slot).loses_bar
        return 30.0 * lines * lines + max(rows) - 6.0 * roofed(game, move) - 2.0 * top(game, move) - 60.0 * lost

    return play(game, rng, value, more=0.5, turn=0.15)


def patient(game: ReferenceArraial, rng: random.Random) -> int:
    """Keeps the rightmost column free until a piece fills three lines or more there at once."""

    def value(move: Action) -> float:
        lines = sum(count == game.width for count in filling(game, move))
        plugs = any(x == game.width - 1 for x, _ in covered(game, move))
        if lines >= 3:
            return 1000.0 * lines
        lost = game.options(move.slot).loses_bar
        return -100.0 * plugs - 150.0 * lost - 6.0 * roofed(game, move) - 2.0 * top(game, move)

    return play(game, rng, value, more=0.3, turn=0.25)


def tower(game: ReferenceArraial, rng: random.Random) -> int:
    """Stacks everything on the leftmost columns until nothing fits there."""
    return play(game, rng, lambda move: -10.0 * move.x - move.y, more=0.9, turn=0.15)


def rotator(game: ReferenceArraial, rng: random.Random) -> int:
    """Rotates whenever it can and places low otherwise."""
    return play(game, rng, lambda move: float(-move.y), more=0.3, turn=0.9)


def slider(game: ReferenceArraial, rng: random.Random) -> int:
    """Builds overhangs and slides under them."""

    def value(move: Action) -> float:
        return 100.0 * is_slide_only(game, move) + 3.0 * roofed(game, move) - top(game, move)

    return play(game, rng, value, more=0.9)


PLAYERS: dict[str, Player] = {
    "uniform": uniform,
    "low": low,
    "greedy": greedy,
    "reckless": reckless,
    "builder": builder,
    "thief": thief,
    "singler": singler,
    "weaver": weaver,
    "liner": liner,
    "patient": patient,
    "tower": tower,
    "rotator": rotator,
    "slider": slider,
}

# ---------------------------------------------------------------------------------------------------------------------
# Rules
# ---------------------------------------------------------------------------------------------------------------------


def drawn(*rows: str) -> Cells:
    """The cells of a shape that is drawn row by row from the top, one # for each cell."""
    return [[x, y] for y, row in enumerate(reversed(rows)) for x, mark in enumerate(row) if mark == "#"]


SQUARE = drawn("#")
DOMINO = drawn("##")
I3 = drawn("###")
V3 = drawn("#.", "##")
I4_UPRIGHT = drawn("#", "#", "#", "#")
PLUS = drawn(".#.", "###", ".#.")
I5 = drawn("#####")
I5_UPRIGHT = drawn("#", "#", "#", "#", "#")
U5 = drawn("#.#", "###")
P5 = drawn("##", "##", "#.")
W5 = drawn("#..", "##.", ".##")
F5 = drawn(".##", "##.", ".#.")
Z5 = drawn("##.", ".#.", ".##")
HOOK = drawn("###", "#.#", "#..")
RING = drawn("###", "#.#", "###")
BIG_V = drawn("#....", "#....", "#....", "#....", "#####")
BIG_PLUS = drawn("..#..", "..#..", "#####", "..#..", "..#..")
BIG_STAIRS = drawn("#....", "##...", ".##..", "..##.", "...##")
SLAB_2 = drawn("####", "####")
SLAB_3 = drawn("####", "####", "####")
SLAB_4 = drawn("####", "####", "####", "####")
BLOCK = drawn("#####", "#####", "#####", "#####", "#####")


def rules(**changes: Any) -> dict[str, Any]:
    """The default rules with some changes."""
    unknown = set(changes) - set(DEFAULT)
    if unknown:
        raise ValueError(f"unknown rules fields: {sorted(unknown)}")
    return {**DEFAULT, **changes}


def shape_mixes() -> dict[str, list[Cells]]:
    """Tables of eight shapes besides the default; all of a table fit in some turn on boards as wide as it says."""
    return {
        "pentominoes": [PLUS, I5, U5, P5, W5, F5, Z5, I5_UPRIGHT],  # from width 3
        "small": [SQUARE, SQUARE, DOMINO, SQUARE, DOMINO, V3, I3, DOMINO],
        "confetti": [SQUARE, I5, SQUARE, DOMINO, SQUARE, I3, SQUARE, SQUARE],
        "sticks": [SQUARE, I4_UPRIGHT, DOMINO, I5_UPRIGHT, V3, I3, SQUARE, I4_UPRIGHT],
        "slabs": [SLAB_2, SLAB_3, I4_UPRIGHT, SLAB_4, SQUARE, I3, DOMINO, SLAB_2],
        "large": [BIG_V, BIG_PLUS, RING, BLOCK, BIG_STAIRS, HOOK, I5, BIG_V],  # from width 5
        "mixed": [SQUARE, I5, DOMINO, BIG_V, V3, PLUS, HOOK, I5_UPRIGHT],  # from width 5
    }


MIXES = shape_mixes()

RULES: dict[str, dict[str, Any]] = {
    "default": DEFAULT,
    # board sizes (A1)
    "4x4": rules(width=4, height=4, bar_start=[3, 3, 4, 2]),
    "16x8": rules(width=16, height=8, bar_start=[5, 5, 5, 4]),
    "8x16": rules(height=16, bar_start=[9, 9, 9, 8]),
    "5x25": rules(width=5, height=25, bar_start=[12, 10, 9, 8]),
    "4x32": rules(width=4, height=32, bar_start=[16, 12, 10, 32]),
    "4x10": rules(width=4, height=10, bar_start=[6, 6, 6, 5]),
    # the level bar (A4, D2, D4)
    "bar_at_0": rules(bar_start=[0, 0, 0, 0]),
    "bar_at_top": rules(bar_start=[14, 14, 14, 14]),
    "bar_drop_0": rules(bar_drop=0),
    "bar_drop_1": rules(bar_drop=1),
    "bar_drop_5": rules(bar_drop=5),
    "bar_uncounted": rules(bar_visitors_score_at_end=False),
    # slides (C2)
    "slide_0": rules(max_slide=0),
    "slide_1": rules(max_slide=1),
    "slide_2": rules(max_slide=2),
    # shapes (A2)
    "pentominoes": rules(shapes=MIXES["pentominoes"]),
    "pentominoes_4x20": rules(shapes=MIXES["pentominoes"], width=4, height=20, bar_start=[12, 12, 10, 9]),
    "small": rules(shapes=MIXES["small"], height=6, bar_start=[3, 3, 3, 2]),
    "confetti": rules(shapes=MIXES["confetti"], cards_per_type=[3, 4, 5, 6], min_pieces=[2, 2, 3]),
    "sticks": rules(shapes=MIXES["sticks"], width=4, height=20, bar_start=[12, 12, 11, 10]),
    "slabs": rules(
        shapes=MIXES["slabs"], width=4, height=32, bar_start=[20, 16, 12, 12], bar_visitors_score_at_end=False
    ),
    "large": rules(shapes=MIXES["large"], width=9, bar_start=[10, 10, 9, 12]),
    "large_5x25": rules(shapes=MIXES["large"], width=5, height=25, bar_start=[15, 15, 12, 25]),
    "mixed": rules(shapes=MIXES["mixed"]),
    # turns (B2), couples (E1) and cards (A3)
    "pieces_333": rules(min_pieces=[3, 3, 3]),
    "pieces_123": rules(min_pieces=[1, 2, 3]),
    "couples_0": rules(couple_points=0),
    "couples_5": rules(couple_points=5),
    "cards_1": rules(cards_per_type=[1, 1, 1, 1], bar_start=[8, 8, 1, 1]),  # phases too short for every seat
    "cards_6": rules(cards_per_type=[4, 6, 6, 6]),
    # several at once
    "cramped": rules(
        width=5, height=5, bar_start=[3, 2, 5, 4], min_pieces=[3, 2, 1], cards_per_type=[2, 3, 4, 6], couple_points=1
    ),
    "narrow": rules(
        width=4,
        height=12,
        bar_start=[12, 12, 11, 10],
        max_slide=1,
        bar_drop=0,
        bar_visitors_score_at_end=False,
        cards_per_type=[2, 3, 5, 6],
    ),
    "wide": rules(
        shapes=MIXES["mixed"],
        width=16,
        height=8,
        bar_start=[6, 5, 4, 8],
        max_slide=2,
        bar_drop=3,
        min_pieces=[2, 2, 3],
        bar_visitors_score_at_end=False,
    ),
    "flat": rules(
        shapes=MIXES["small"],
        width=10,
        height=3,
        bar_start=[2, 3, 1, 0],
        bar_drop=3,
        cards_per_type=[2, 3, 4, 4],
        bar_visitors_score_at_end=False,
    ),
    "crumbs": rules(
        shapes=MIXES["small"],
        width=4,
        height=8,
        bar_start=[4, 4, 6, 8],
        max_slide=0,
        bar_drop=1,
        min_pieces=[1, 3, 2],
        cards_per_type=[3, 4, 6, 6],
        couple_points=3,
    ),
}


def random_shape(rng: random.Random, width: int, height: int) -> Cells:
    """A random polyomino that fits into an empty board of this size in one of its orientations."""
    box = (rng.randint(1, min(5, width)), rng.randint(1, min(5, height)))
    size = min(rng.choice((1, 2, 3, 4, 4, 4, 5, 5, 6, 9)), box[0] * box[1])
    cells = {(rng.randrange(box[0]), rng.randrange(box[1]))}
    while len(cells) < size:
        x, y = rng.choice([square for cell in sorted(cells) for square in neighbours(cell)])
        if 0 <= x < box[0] and 0 <= y < box[1]:
            cells.add((x, y))
    if rng.random() < 0.5:  # a quarter turn
        cells = {(y, -x) for x, y in cells}
    left = min(x for x, _ in cells)
    bottom = min(y for _, y in cells)
    return [[x - left, y - bottom] for x, y in sorted(cells)]


def random_rules(rng: random.Random) -> dict[str, Any]:
    """A random valid set of rules, about half of the fields as in the default where that is possible."""
    width = rng.choice((4, 5, 6, 7, 8, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    highest = 128 // width
    height = rng.choice((highest, rng.randint(4, highest), rng.randint(1, highest)))
    own_shapes = rng.random() < 0.5 or height < 2
    return rules(
        width=width,
        height=height,
        shapes=[random_shape(rng, width, height) for _ in TYPES] if own_shapes else DEFAULT["shapes"],
        cards_per_type=[rng.randint(1, 5) for _ in range(4)] if rng.random() < 0.5 else DEFAULT["cards_per_type"],
        bar_start=[rng.choice((rng.randint(0, height), (height + 1) // 2)) for _ in range(4)],
        min_pieces=[rng.randint(1, 3) for _ in range(LAST_PHASE)] if rng.random() < 0.5 else DEFAULT["min_pieces"],
        max_slide=rng.choice((None, None, rng.randint(0, width))),
        bar_drop=rng.choice((2, rng.randint(0, 5))),
        bar_visitors_score_at_end=rng.random() < 0.5,
        couple_points=rng.choice((2, rng.randint(0, 5))),
    )


# ---------------------------------------------------------------------------------------------------------------------
# Draws
# ---------------------------------------------------------------------------------------------------------------------


def fair_draw(rng: random.Random) -> Draw:
    """H1: every card in the pile with equal probability."""
    return lambda pile: rng.choices(TYPES, pile)[0]


def clumped_draw(rng: random.Random) -> Draw:
    """Mostly the type drawn last: an octagon and a row of a single type."""
    last = rng.choice(TYPES)

    def draw(pile: list[int]) -> int:
        nonlocal last
        if pile[last] == 0 or rng.random() < 0.05:
            last = rng.choices(TYPES, pile)[0]
        return last

    return draw


def lowest_draw(_rng: random.Random) -> Draw:
    """Always the lowest type in the pile."""
    return lambda pile: next(kind for kind in TYPES if pile[kind] > 0)


def even_draw(rng: random.Random) -> Draw:
    """Always a type of which the pile holds most: an octagon and a row of many types."""
    return lambda pile: max(TYPES, key=lambda kind: (pile[kind], rng.random()))


DRAWS: dict[str, Callable[[random.Random], Draw]] = {
    "fair": fair_draw,
    "clumped": clumped_draw,
    "lowest": lowest_draw,
    "even": even_draw,
}
