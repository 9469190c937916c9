"""Scripted policies as kernels: opponents inside a batch, yardsticks, playouts of a search.

``greedy``, version 1, looks at all placements that it can still reach in this turn, in the present and in later
rotations of the octagon, and goes for the one that brings most points at once: visitors in zones, couples, and a
point for each line, less the visitors that go with the level bar. Ties, in this order: the lowest row, the fewest
rotations, then the lowest id. A placement that brings nothing is made only if a piece is owed; otherwise it ends its
turn. It refills with the first card of the row, and discards the card of the first slot if it must.

``heuristic`` has a module of its own, ``heuristic.py``.
"""

from __future__ import annotations

from typing import Any

from numpy import int64, uint64

from arraial_env.actions import END_TURN, ROTATE
from arraial_env.geometry import SLOTS
from arraial_env.heuristic import heuristic
from arraial_env.kernels import legal_places, placement_points, turn_of
from arraial_env.state import NONE
from manjerico.core.bits import has, select, smear_down, take_lowest
from manjerico.core.compile import helper, routine
from manjerico.core.policies import random_policy

POINT = int64(1000)
"""A point's weight in the keys by which placements are ordered; rows and rotations break ties."""


@routine
def _best_placement(rules: Any, game: Any, rotations: Any) -> Any:
    """(key, action) of the best placement after so many rotations; the key is very low if there is none."""
    player = int64(game["player"])
    turn = (turn_of(rules, game, player) + rotations) & 3
    width = int64(rules["width"])
    squares = width * int64(rules["height"])
    occupied = game["occupied"][player]
    bar = int64(game["bar"][player])
    shadow_low, shadow_high = smear_down(uint64(occupied[0]), uint64(occupied[1]), width)
    best = int64(-1)
    best_key = -POINT * POINT
    for slot in range(SLOTS):
        kind = int64(game["slots"][slot])
        if kind == NONE:
            continue
        low, high = legal_places(rules, kind, turn, occupied, shadow_low, shadow_high, bar)
        while low | high != uint64(0):
            square, low, high = take_lowest(low, high)
            row = int64(rules["row_of"][square])
            gain, _ = placement_points(rules, game, player, kind, turn, square)
            if bar != NONE and row + int64(rules["high"][kind, turn]) > bar:
                gain -= int64(game["waiting"][player])
            key = POINT * gain - 10 * row
            if key - rotations > best_key:
                best_key = key - rotations
                best = slot * squares + square
    return best_key, best


@helper
def greedy(params: Any, states: Any, index: Any, words: Any, stream: Any) -> Any:
    """See the module's docstring."""
    game = states[index]
    rules = params[0]
    others = SLOTS * int64(rules["width"]) * int64(rules["height"])
    owed = int64(game["owed"])
    best_key, best = int64(-POINT * POINT), int64(-1)
    if int64(game["refilling"]) == 0:
        for rotations in range(int64(game["points"]) - max(owed, int64(1)) + 1):
            key, action = _best_placement(rules, game, rotations)
            if key > best_key:
                best_key, best = key, action if rotations == 0 else others + ROTATE
    if owed == 0 and best_key < POINT - 10 * int64(rules["height"]) - 3 and has(words, others + END_TURN):
        return others + END_TURN
    if best >= 0:
        return best
    return select(words, 0)


POLICIES = {"random": random_policy, "greedy": greedy, "heuristic": heuristic}
"""By name, in the order that ``Game.choose`` counts."""
