"""The numbering of actions (rules, section G): 325 ids for all player counts, side A.

=========  =====  =========================================================================================
ids        count  meaning
=========  =====  =========================================================================================
0-59       60     draft: ``6 * source + colour``; displays 0-8, centre 9; a wild-only source by the wild colour
60-185     126    play on outer star *i*, space *n*, with *k* wilds: ``60 + 21 * i + n * (n - 1) // 2 + k``
186-311    126    play on centre space *n* colour *c* with *k* wilds: ``186 + 6 * n * (n - 1) // 2 + n * c + k``
312-317    6      pick a supply tile of colour *c*
318-323    6      give up a tile of colour *c*
324        1      pass
=========  =====  =========================================================================================
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from azul_env.geometry import CENTRE, CENTRE_STAR, COLOURS, STAR_NAMES

DRAFT = 0
PLAY_OUTER = 60
PLAY_CENTRE = 186
PICK = 312
GIVE_UP = 318
PASS = 324
NUM_ACTIONS = 325

PLAYS_PER_STAR = 21
"""Pairs (space n, wilds k) with 0 <= k < n <= 6; pair (n, k) has the index n (n - 1) / 2 + k."""
PAIR_SPACE = np.array([n for n in range(1, 7) for _ in range(n)], np.int64)
PAIR_WILDS = np.array([k for n in range(1, 7) for k in range(n)], np.int64)
CENTRE_SPACE = np.array([n for n in range(1, 7) for _ in range(6 * n)], np.int64)
"""The space of each centre play, by its offset from ``PLAY_CENTRE``."""


def _a_tile(colour: int) -> str:
    return f"{'an' if COLOURS[colour] == 'orange' else 'a'} {COLOURS[colour]} tile"


class Draft(NamedTuple):
    """Take the tiles of a colour, and one wild tile, from a source (B2, B3)."""

    source: int
    colour: int

    def __str__(self) -> str:
        place = "the centre" if self.source == CENTRE else f"display {self.source + 1}"
        return f"take {COLOURS[self.colour]} from {place}"


class Play(NamedTuple):
    """Place a tile of ``colour`` on a space, paid with ``wilds`` wild tiles among others (C2-C5)."""

    star: int
    space: int
    colour: int
    wilds: int

    def __str__(self) -> str:
        star = f"the {STAR_NAMES[self.star]} star"
        tile = f" {_a_tile(self.colour)}" if self.star == CENTRE_STAR else ""
        wilds = f" and {self.wilds} wild" if self.wilds else ""
        return (
            f"place{tile} on space {self.space} of {star} for {self.space - self.wilds} {COLOURS[self.colour]}{wilds}"
        )


class Pick(NamedTuple):
    """Take a tile from the supply (C8)."""

    colour: int

    def __str__(self) -> str:
        return f"pick {COLOURS[self.colour]} from the supply"


class GiveUp(NamedTuple):
    """Give up a tile for a point (D2)."""

    colour: int

    def __str__(self) -> str:
        return f"give up {_a_tile(self.colour)}"


class Pass(NamedTuple):
    """End one's part in phase 2 (D1)."""

    def __str__(self) -> str:
        return "pass"


Action = Draft | Play | Pick | GiveUp | Pass


def decode(action: int) -> Action:
    """What an id in ``range(NUM_ACTIONS)`` means."""
    if action < PLAY_OUTER:
        return Draft(*divmod(action, 6))
    if action < PLAY_CENTRE:
        star, pair = divmod(action - PLAY_OUTER, PLAYS_PER_STAR)
        return Play(star, int(PAIR_SPACE[pair]), star, int(PAIR_WILDS[pair]))
    if action < PICK:
        space = int(CENTRE_SPACE[action - PLAY_CENTRE])
        colour, wilds = divmod(action - PLAY_CENTRE - 3 * space * (space - 1), space)
        return Play(CENTRE_STAR, space, colour, wilds)
    if action < GIVE_UP:
        return Pick(action - PICK)
    if action < PASS:
        return GiveUp(action - GIVE_UP)
    return Pass()


def encode(action: Action) -> int:
    """The id of an action: the inverse of :func:`decode`."""
    match action:
        case Draft(source, colour):
            return DRAFT + 6 * source + colour
        case Play(star, space, colour, wilds) if star == CENTRE_STAR:
            return PLAY_CENTRE + 3 * space * (space - 1) + space * colour + wilds
        case Play(star, space, _, wilds):
            return PLAY_OUTER + PLAYS_PER_STAR * star + space * (space - 1) // 2 + wilds
        case Pick(colour):
            return PICK + colour
        case GiveUp(colour):
            return GIVE_UP + colour
        case Pass():
            return PASS


def describe(action: int) -> str:
    """An id in words, for example ``"take red from display 3"``."""
    return str(decode(action))


def listing(action: int, displays: list[list[int]], wild: int) -> tuple[str, str]:
    """An id as a list of actions shows it: a heading, and the words below it.

    Args:
        action: the id.
        displays: tiles by source and colour; a draft tells how many it takes (B2, B3).
        wild: the round's wild colour.
    """
    match decode(action):
        case Draft(source, colour):
            place = "centre" if source == CENTRE else f"display {source + 1}"
            taken = f"{1 if colour == wild else displays[source][colour]} {COLOURS[colour]}"
            return place, taken + f" and 1 {COLOURS[wild]}" * (colour != wild and displays[source][wild] > 0)
        case Play(star, space, colour, wilds):
            paid = f"{space - wilds} {COLOURS[colour]}" + f" and {wilds} wild" * (wilds > 0)
            return f"{STAR_NAMES[star]} star", f"space {space} for {paid}"
        case Pick(colour):
            return "pick from the supply", COLOURS[colour]
        case GiveUp(colour):
            return "give up", _a_tile(colour)
        case Pass():
            return "pass", "end your part in this round"
