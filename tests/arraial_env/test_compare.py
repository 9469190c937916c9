"""The kernels against the reference, decision by decision: mask, player, scores and the whole state.

The reference (``tests/reference``) was written from the rules without sight of the kernels. Half of the games have the
default rules, a quarter one of many odd rule sets, a quarter random ones.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arraial_players import DRAWS, MIXES, PLAYERS, RULES, random_rules
from arraial_reference import DEFAULT, EVENTS, ReferenceArraial
from comparison import Subject, play, play_chunk

from arraial_env import ArraialRules, arraial_v0
from arraial_env.geometry import COLOURS, squares_of
from arraial_env.state import NONE
from manjerico.core.match import Match

CHUNKS = 20
"""Tests that share the games, so that several processes can."""

RARE_EVENTS = {
    "bars_floored": 75,
    "slides_over_gaps": 6,
    "slides_too_long": 5,
    "zones_merged": 5,
    "lines_2": 36,
    "lines_3": 114,
    "lines_4": 114,
    "lines_5": 420,
    "lines_apart": 135,
    "lines_losing_bar": 1,
    "bars_at_top": 84,
    "bar_visitors_counted": 86,
    "bar_visitors_uncounted": 163,
}
"""Events too rare to occur in every hundred games, with the seed of a game in which they occur."""


def snapshot(match: Match) -> dict[str, Any]:
    """The compiled state in the words of ``ReferenceArraial.snapshot``."""
    state = match.state
    return {
        "phase": int(state["phase"]),
        "over": match.is_over,
        "player": match.current_player,
        "rotation": int(state["rotation"]),
        "slots": [None if kind == NONE else kind for kind in state["slots"].tolist()],
        "row": [kind for kind in state["row"].tolist() if kind != NONE],
        "pile": state["pile"].tolist(),
        "discards": state["discards"].tolist(),
        "points": int(state["points"]),
        "owed": int(state["owed"]),
        "refilling": bool(state["refilling"]),
        "players": [seat_snapshot(match, seat) for seat in range(match.players)],
    }


def seat_snapshot(match: Match, seat: int) -> dict[str, Any]:
    state = match.state
    bar = int(state["bar"][seat])
    return {
        "bar": None if bar == NONE else bar,
        "whites_on_bar": int(state["waiting"][seat]),
        "whites": int(state["street"][seat]),
        "coloured": state["visitors"][seat].tolist(),
        "couples": [owner == seat for owner in state["couples"].tolist()],
        "board": grid(match, {sq: c for c in range(4) for sq in squares_of(state["squares"][seat, c])}, None),
        "zoned": grid(match, dict.fromkeys(squares_of(state["zoned"][seat]), True), False),
        "largest": state["largest"][seat].tolist(),
        "score": match.scores[seat],
        "breakdown": match.breakdown(seat),
    }


def grid(match: Match, squares: dict[int, Any], default: Any) -> list[list[Any]]:
    rules = match.rules
    assert isinstance(rules, ArraialRules)
    width, height = rules.width, rules.height
    return [[squares.get(y * width + x, default) for x in range(width)] for y in range(height)]


def check_derived(match: Match) -> None:
    """Fields that only repeat others, to save the kernels some work; and a state from outside would be accepted."""
    state = match.state
    assert int(state["pile_size"]) == int(state["pile"].sum())
    for seat in range(4):
        by_colour = [set(squares_of(state["squares"][seat, colour])) for colour in range(len(COLOURS))]
        assert set(squares_of(state["occupied"][seat])) == set().union(*by_colour)
    assert match.game.fault(match.rules, match.players, state) == ""
    assert not any(np.any(state[name][match.players :]) for name in ("occupied", "visitors", "waiting", "street"))


def draw_rules(rng: random.Random) -> tuple[str, dict[str, Any]]:
    kind = rng.random()
    if kind < 0.5:
        return "default", DEFAULT
    if kind < 0.75:
        name = rng.choice(tuple(RULES))
        return name, RULES[name]
    return "random rules", random_rules(rng)


ARRAIAL = Subject(
    new_game=arraial_v0.new_game,
    rules_type=ArraialRules,
    reference=ReferenceArraial,
    players=PLAYERS,
    draws=DRAWS,
    counts=(1, 2, 3, 4),
    draw_rules=draw_rules,
    snapshot=snapshot,
    check_derived=check_derived,
)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_compare(chunk: int, compared_games: int, record_property: Callable[[str, object], None]) -> None:
    seeds = range(chunk, compared_games, CHUNKS)
    happened = play_chunk(ARRAIAL, seeds, record_property, "Arraial")
    if len(seeds) >= 100:
        assert not set(EVENTS) - RARE_EVENTS.keys() - happened.keys()


@pytest.mark.parametrize(("event", "seed"), RARE_EVENTS.items())
def test_rare_events(event: str, seed: int) -> None:
    _, events = play(ARRAIAL, seed)
    assert events[event]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_pieces_that_never_fit(players: int) -> None:
    """Shapes of five columns and rows on a board of four columns are allowed: C5 copes."""
    wide = {**DEFAULT, "shapes": MIXES["large"], "width": 4, "height": 20, "bar_start": [12, 12, 10, 9]}
    subject = dataclasses.replace(ARRAIAL, counts=(players,), draw_rules=lambda _: ("wide", wide))
    discards = sum(play(subject, seed)[1]["forced_discards"] for seed in range(5))
    assert discards > 20
