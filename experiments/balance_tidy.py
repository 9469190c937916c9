"""*Tidy*: a scripted policy that plays for the level bar, as *greedy* does not.

It weighs all placements that it can reach in this turn, in the present and in later rotations of the octagon, by what
they bring at once, the empty squares that they bury, their height and whether they cost the bar. It is a yardstick for
the balance of the rules only, and no policy of the game.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from numpy import int64, uint64

from arraial_env.actions import END_TURN, ROTATE
from arraial_env.game import GAME
from arraial_env.geometry import SLOTS
from arraial_env.kernels import buried, legal_places, placement_points, reaches_above, turn_of
from arraial_env.state import NONE
from manjerico.core.bits import has, select, shift_up, smear_down, take_lowest
from manjerico.core.compile import helper

POINT = 5
"""Worth of a point. The weights are round numbers near the best of a coarse search by mean score, 1 to 4 players."""
BURIED = 24
"""Cost of an empty square that is covered."""
ROW = 10
"""Cost of each row up to the piece's highest square."""
BAR = 60
"""Cost of the level bar, besides the points of the visitors on it."""
EXTRA = 0
"""A piece that is not owed is placed if it is worth more than this, its height aside: it brings something at once."""
WORST = -(10**9)


@helper
def _worth(rules: Any, game: Any, kind: Any, turn: Any, square: Any, shadow_low: Any, shadow_high: Any) -> Any:
    """What a placement is worth, its height aside."""
    player = int64(game["player"])
    piece = rules["piece"][kind, turn]
    low, high = shift_up(uint64(piece[0]), uint64(piece[1]), square)
    points, _ = placement_points(rules, game, player, kind, turn, square)
    worth = POINT * points - BURIED * buried(low, high, shadow_low, shadow_high, int64(rules["width"]))
    bar = int64(game["bar"][player])
    if bar != NONE and reaches_above(rules, low, high, bar):
        worth -= BAR + POINT * int64(game["waiting"][player])
    return worth


@helper
def _best(rules: Any, game: Any, rotations: Any) -> Any:
    """(value with the height, worth without it, action) of the best placement after so many rotations."""
    player = int64(game["player"])
    turn = (turn_of(rules, game, player) + rotations) & 3
    occupied = game["occupied"][player]
    shadow_low, shadow_high = smear_down(uint64(occupied[0]), uint64(occupied[1]), int64(rules["width"]))
    best_value, best_worth, best = int64(WORST), int64(WORST), int64(-1)
    for slot in range(SLOTS):
        kind = int64(game["slots"][slot])
        if kind == NONE:
            continue
        bar = int64(game["bar"][player])
        low, high = legal_places(rules, kind, turn, occupied, shadow_low, shadow_high, bar)
        while low | high != uint64(0):
            square, low, high = take_lowest(low, high)
            worth = _worth(rules, game, kind, turn, square, shadow_low, shadow_high)
            value = worth - ROW * (int64(rules["row_of"][square]) + int64(rules["high"][kind, turn]))
            if value > best_value:
                best_value, best_worth = value, worth
                best = slot * int64(rules["width"]) * int64(rules["height"]) + square
    return best_value, best_worth, best


@helper
def tidy(params: Any, states: Any, index: Any, words: Any, stream: Any) -> Any:  # noqa: ARG001  # a policy's parameters
    """See the module's docstring."""
    game = states[index]
    rules = params[0]
    others = SLOTS * int64(rules["width"]) * int64(rules["height"])
    owed = int64(game["owed"])
    best_value, best_worth, best = int64(WORST), int64(WORST), int64(-1)
    if int64(game["refilling"]) == 0:
        for rotations in range(int64(game["points"]) - max(owed, int64(1)) + 1):
            value, worth, action = _best(rules, game, rotations)
            if value - rotations > best_value:
                best_value, best_worth = value - rotations, worth
                best = action if rotations == 0 else others + ROTATE
    if owed == 0 and best_worth <= EXTRA and has(words, others + END_TURN):
        return others + END_TURN
    if best >= 0:
        return best
    return select(words, 0)


WATCHED = replace(GAME, policies={**{name: GAME.policies[name] for name in ("random", "greedy")}, "tidy": tidy})
"""The game with the scripted policies of the report."""
