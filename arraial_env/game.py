"""Arraial as a ``Game``: all its parts in one place."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from arraial_env import actions, kernels, observation, policies, state
from arraial_env.geometry import (
    MAX_EXTENT,
    MAX_PLAYERS,
    PHASES,
    SIDES,
    TYPES,
    extent,
    lanes,
    name_of,
    turns_of,
)
from arraial_env.profile import profile
from arraial_env.rules import PRESETS, ArraialRules
from manjerico.core.game import Game, Records
from manjerico.core.layout import Layout


@functools.lru_cache(maxsize=64)
def make_params(rules: ArraialRules) -> Records:
    """The rule set and its tables as an array of one ``state.PARAMS`` record, not to be changed: others have it too."""
    width, height = rules.width, rules.height
    params = np.zeros(1, state.PARAMS)
    params["width"], params["height"] = width, height
    params["max_slide"] = width if rules.max_slide is None else rules.max_slide
    params["bar_drop"] = rules.bar_drop
    params["bar_visitors"] = rules.bar_visitors_score_at_end
    params["couple_points"] = rules.couple_points
    params["cards_per_type"] = rules.cards_per_type
    params["bar_start"] = rules.bar_start
    params["min_pieces"] = rules.min_pieces
    for players, sides in enumerate(SIDES):
        params["side"][0, players, : len(sides)] = sides
    params["shape_side"] = observation.shape_side(rules)
    for kind in range(TYPES):
        _set_piece(params[0], rules, kind)
    for wide in range(1, MAX_EXTENT + 1):
        free = range(max(width - wide + 1, 0))
        params["columns"][0, wide] = lanes(y * width + x for y in range(height) for x in free)
    for count in range(height + 1):
        params["rows"][0, count] = lanes(range(count * width))
    params["row_of"][0, : width * height] = np.arange(width * height) // width
    for x in range(width):
        params["column"][0, x] = lanes(range(x, width * height, width))
    params["first"], params["last"] = params["column"][0, 0], params["column"][0, width - 1]
    return params


def _set_piece(params: Any, rules: ArraialRules, kind: int) -> None:
    params["size"][kind] = len(rules.shapes[kind])
    for turn, cells in enumerate(turns_of(rules.shapes[kind])):
        wide, high = extent(cells)
        squares = sorted(y * rules.width + x for x, y in cells)
        params["wide"][kind, turn], params["high"][kind, turn] = wide, high
        params["cells"][kind, turn, : len(squares)] = squares
        if wide <= rules.width and high <= rules.height:  # others fit nowhere, and need no board
            params["piece"][kind, turn] = lanes(squares)
        params["shape"][kind, turn] = sum(1 << (y * int(params["shape_side"]) + x) for x, y in cells)


def _max_chance(rules: ArraialRules) -> int:
    """Every card may be drawn once in each phase."""
    return PHASES * TYPES * max(rules.cards_per_type)


def _num_actions(rules: ArraialRules) -> int:
    return actions.num_actions(rules.width * rules.height)


def _layout(rules: ArraialRules, players: int) -> Layout:
    return observation.layout(rules, players)


def _lookahead(rules: ArraialRules, players: int) -> Layout:
    return observation.lookahead(rules, players)


def _fault(rules: ArraialRules, players: int, game: Any) -> str:
    return state.fault(rules, players, game)


def _describe(rules: ArraialRules, game: Any, action: int) -> str:
    slots, row = _names(rules, game["slots"]), _names(rules, game["row"])
    return actions.describe(actions.decode(action, rules.width, rules.height), slots, row)


def _listing(rules: ArraialRules, game: Any, action: int) -> tuple[str, str]:
    slots, row = _names(rules, game["slots"]), _names(rules, game["row"])
    return actions.listing(actions.decode(action, rules.width, rules.height), slots, row)


def _names(rules: ArraialRules, cards: Any) -> list[str]:
    return ["" if kind == state.NONE else name_of(kind, rules.shapes[kind]) for kind in cards.tolist()]


LEGEND = """Column and row of a move are where the left column and the bottom row of the piece come to rest. Cards are
drawn as they lie for the player to act; they keep that direction when placed. A letter is a square's colour: Y yellow,
B blue, G green, R red; upper case belongs to a zone, lower case to a single piece. The double line is the level bar.
Couples come with the squares of the zone that holds them."""


def _draw(match: Any) -> Any:
    from arraial_env.render import draw  # rich is imported when something is drawn

    return draw(match)


GAME = Game(
    name="arraial",
    title="Arraial",
    version=0,
    players=range(1, MAX_PLAYERS + 1),
    rules=ArraialRules,
    presets=PRESETS,
    state=state.STATE,
    params=state.PARAMS,
    sources=state.SOURCES,
    make_params=make_params,
    num_actions=_num_actions,
    max_chance=_max_chance,
    layout=_layout,
    fault=_fault,
    describe=_describe,
    draw=_draw,
    new_game=kernels.new_game,
    legal_actions=kernels.legal_actions,
    apply=kernels.apply,
    observe=observation.observe,
    redeterminise=kernels.redeterminise,
    policies=policies.POLICIES,
    lookahead=_lookahead,
    action_views=observation.action_views,
    listing=_listing,
    legend=LEGEND,
    profile=profile,
)
