"""Positions of Arraial that are spelt: a street is drawn as ``render.py`` draws it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arraial_env import ArraialRules, arraial_v0
from arraial_env.geometry import lanes
from manjerico.core.match import Match

LETTERS = "YBGR"
KINDS = {name: kind for kind, name in enumerate(["YO", "YI", "BL", "BJ", "GS", "GZ", "RT", "RL"])}
"""The default rules' types by colour and shape."""

Square = tuple[int, int]


def squares_of(street: Sequence[str]) -> dict[Square, str]:
    """The letters on a street, drawn from its top row to row 0."""
    rows = reversed(street)
    return {(x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row) if letter not in " ."}


def zones_of(squares: dict[Square, str], letter: str) -> list[set[Square]]:
    """The connected groups of a letter."""
    rest = {square for square, other in squares.items() if other == letter}
    zones = []
    while rest:
        zone, edge = set(), [rest.pop()]
        while edge:
            x, y = edge.pop()
            zone.add((x, y))
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & rest
            rest -= near
            edge += near
        zones.append(zone)
    return zones


def _cards(names: str) -> list[int]:
    """Three cards by their names, - for none."""
    return [-1 if name == "-" else KINDS[name] for name in names.split()]


def position(
    slots: str,
    *streets: Sequence[str],
    row: str = "- - -",
    bars: Sequence[int] = (8, 8),
    waiting: int = 0,
    couples: str = "....",
    rules: ArraialRules | None = None,
    **fields: Any,
) -> Match:
    """Player 0 of two is to act, the octagon as the table has it, and cards that lie nowhere else are in the pile.

    Args:
        slots: the cards of the octagon, like ``"YO - RT"``.
        streets: the streets by seat, as few rows as one likes; a colour's letter is upper case in zones.
        row: the cards beside the board.
        bars: the level bars by seat, -1 for none.
        waiting: visitors on player 0's bar.
        couples: the owners of the colours' couples, ``.`` for nobody.
        rules: default rules unless given.
        fields: other fields of the state: points, owed, rotation, phase, refilling.
    """
    match = arraial_v0.new_game(0, rules=rules)
    state, width = match.state, match.rules.width  # type: ignore[attr-defined]  # they are Arraial's
    for seat, street in enumerate(streets):
        squares = squares_of(street)
        for colour, letter in enumerate(LETTERS):
            covered = [y * width + x for (x, y), other in squares.items() if other.upper() == letter]
            zones = zones_of(squares, letter)
            state["squares"][seat, colour] = lanes(covered)
            state["visitors"][seat, colour] = len(zones)
            state["largest"][seat, colour] = max(map(len, zones), default=0)
        state["occupied"][seat] = lanes(y * width + x for x, y in squares)
        state["zoned"][seat] = lanes(y * width + x for (x, y), letter in squares.items() if letter.isupper())
    state["bar"][:2], state["waiting"][0] = bars, waiting
    state["couples"] = [-1 if owner == "." else int(owner) for owner in couples]
    state["slots"], state["row"] = _cards(slots), _cards(row)
    lying = [*state["slots"].tolist(), *state["row"].tolist()]
    state["pile"] = [match.rules.cards_per_type[1] - lying.count(kind) for kind in range(8)]  # type: ignore[attr-defined]
    state["pile_size"] = state["pile"].sum()
    for name, value in fields.items():
        state[name] = value
    match.set_state(match.get_state())
    return match


def state_array(match: Match) -> Any:
    """The match's state as an array of one record, to be damaged."""
    return np.frombuffer(match.get_state(), match.game.state).copy()
