"""Azul: Summer Pavilion as a ``Game``: all its parts in one place."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from azul_env import actions, kernels, observation, policies, state
from azul_env.geometry import (
    MAX_PLAYERS,
    NO_STRUCTURE,
    ROUNDS,
    SIDES,
    SPACES,
    SUPPLY_SPACES,
    TILES,
    bordering,
    number_masks,
    structure_masks,
)
from azul_env.profile import profile
from azul_env.rules import PRESETS, AzulRules
from manjerico.core.game import Game, Records
from manjerico.core.layout import Layout


@functools.lru_cache(maxsize=64)
def make_params(rules: AzulRules) -> Records:
    """The rule set and its board as an array of one ``state.PARAMS`` record, not to be changed: others have it too."""
    side = SIDES[rules.side]
    params = np.zeros(1, state.PARAMS)
    params["marker_cap"] = TILES if rules.token_penalty_cap is None else rules.token_penalty_cap
    params["centre_closed"] = rules.centre_closed_at_floor
    params["numbers_each_round"] = rules.number_bonus_each_round
    params["voluntary"] = rules.voluntary_give_ups
    tiles = rules.pillar_tiles, rules.statue_tiles, rules.window_tiles  # in the order of PILLAR, STATUE, WINDOW
    params["structure_mask"] = structure_masks(side)
    params["structure_tiles"] = [tiles[kind] for kind, _ in side.structures]
    numbers = bordering(side)
    params["bordering_mask"] = np.where(numbers < 0, NO_STRUCTURE, params["structure_mask"][0, numbers])
    params["bordering_tiles"] = params["structure_tiles"][0, numbers]
    params["number_mask"] = number_masks(side)
    return params


def _max_chance(rules: AzulRules) -> int:
    """At most a full supply and full displays in each round, and a supply refilled after each placement."""
    displays = ROUNDS * 4 * (2 * MAX_PLAYERS + 1)
    return displays + SUPPLY_SPACES * (ROUNDS + MAX_PLAYERS * SPACES)


def _num_actions(rules: AzulRules) -> int:
    return actions.NUM_ACTIONS


def _layout(rules: AzulRules, players: int) -> Layout:
    return observation.layout(players)


def _fault(rules: AzulRules, players: int, game: Any) -> str:
    return state.fault(players, game)


def _describe(rules: AzulRules, game: Any, action: int) -> str:
    return actions.describe(action)


def _listing(rules: AzulRules, game: Any, action: int) -> tuple[str, str]:
    return actions.listing(action, game["displays"].tolist(), int(game["wild"]))


LEGEND = """Tiles are letters: O orange, R red, B blue, Y yellow, G green, P purple. An empty space shows its number,
which is also its price in tiles; a filled one the letter of its tile's colour. The letter inside a star is the star's
colour, * the centre star, which takes one tile of each colour. Kept tiles wait for the next round."""


def _draw(match: Any) -> Any:
    from azul_env.render import draw  # rich is imported when something is drawn

    return draw(match)


GAME = Game(
    name="azul",
    title="Azul: Summer Pavilion",
    version=0,
    players=range(2, MAX_PLAYERS + 1),
    rules=AzulRules,
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
    listing=_listing,
    legend=LEGEND,
    profile=profile,
)
