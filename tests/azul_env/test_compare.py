"""The kernels against the reference, decision by decision: mask, player, scores and the whole state.

The reference (``tests/reference``) was written from the rules without sight of the kernels. Players of many kinds
decide, since uniformly random play sits at the floor and completes nothing. Skewed draws from the bag make shortages
and monochrome displays.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest
from azul_players import DRAWS, PLAYERS, RULES
from azul_reference import EVENTS, ReferenceAzul
from comparison import Subject, play, play_chunk

from azul_env import AzulRules, azul_v0
from azul_env.state import ACQUIRE, OVER
from manjerico.core.match import Match

CHUNKS = 20
"""Tests that share the games, so that several processes can."""

RARE_EVENTS = {"ties": 1033, "nothing_to_draft": 1251}
"""Events too rare to occur in every hundred games, with the seed of a game in which they occur."""

PHASES = {ACQUIRE: "acquire", OVER: "over"}


def snapshot(match: Match) -> dict[str, Any]:
    """The compiled state in the words of ``ReferenceAzul.snapshot``."""
    state = match.state
    displays = state["displays"].tolist()
    phase = PHASES.get(int(state["phase"]), "play")
    marker = int(state["marker"])
    return {
        "round": int(state["round"]),
        "phase": phase,
        "player": match.current_player,
        "wild": int(state["wild"]),
        "displays": displays[: 2 * match.players + 1],
        "centre": displays[9],
        "supply": state["supply"].tolist(),
        "bag": state["bag"].tolist(),
        "tower": state["tower"].tolist(),
        "starter": int(state["starter"]),
        "marker": None if marker < 0 else marker,
        "passed": [bool(int(state["passed"]) >> seat & 1) for seat in range(match.players)],
        "picks_owed": int(state["picks"]),
        "giving_up": bool(state["giving_up"]),
        "players": [seat_snapshot(match, seat) for seat in range(match.players)],
    }


def seat_snapshot(match: Match, seat: int) -> dict[str, Any]:
    state = match.state
    board = int(state["board"][seat])
    colours = [[star] * 6 for star in range(6)] + [state["centre"][seat].tolist()]
    paid = int(state["numbers_paid"][seat])
    return {
        "score": match.scores[seat],
        "hand": state["hand"][seat].tolist(),
        "kept": state["kept"][seat].tolist(),
        "board": [[colours[star][k] if board >> (6 * star + k) & 1 else None for k in range(6)] for star in range(7)],
        "breakdown": match.breakdown(seat),
        "numbers_paid": [n for n in range(1, 5) if paid >> (n - 1) & 1],
    }


def assert_derived_fields(match: Match) -> None:
    """Fields that only repeat others, to save the kernels some work."""
    state = match.state
    for pool in ("bag", "tower", "supply"):
        assert int(state[f"{pool}_size"]) == int(state[pool].sum())
    offers = sum(1 << (6 * s + c) for s, c in itertools.product(range(10), range(6)) if state["displays"][s, c])
    assert int(state["offers"]) == offers
    for seat in range(match.players):
        used = {int(c) for c in state["centre"][seat] if c >= 0}
        assert int(state["centre_used"][seat]) == sum(1 << c for c in used)


def draw_rules(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """Half of the games have one of the presets."""
    name = rng.choice(("rulebook", "digest") * 3 + tuple(RULES))
    return name, RULES[name]


AZUL = Subject(
    new_game=azul_v0.new_game,
    rules_type=AzulRules,
    reference=ReferenceAzul,
    players=PLAYERS,
    draws=DRAWS,
    counts=(2, 3, 4),
    draw_rules=draw_rules,
    snapshot=snapshot,
    check_derived=assert_derived_fields,
)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_compare(chunk: int, compared_games: int, record_property: Callable[[str, object], None]) -> None:
    seeds = range(chunk, compared_games, CHUNKS)
    happened = play_chunk(AZUL, seeds, record_property, "Azul")
    if len(seeds) >= 100:
        assert not set(EVENTS) - RARE_EVENTS.keys() - happened.keys()


@pytest.mark.parametrize(("event", "seed"), RARE_EVENTS.items())
def test_rare_events(event: str, seed: int) -> None:
    _, events = play(AZUL, seed)
    assert events[event]
