"""The kernels against the reference, decision by decision: mask, player, scores and the whole state.

The reference (``tests/reference``) was written from the rules without sight of the kernels. Players of many kinds
decide, since uniformly random play sits at the floor and completes nothing. In half of the games chance comes from the
kernels' generator and the reference follows; in the other half the reference draws, often from a skewed bag that makes
shortages and monochrome displays, and the kernels are given the outcomes.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from azul_players import DRAWS, PLAYERS, RULES
from azul_reference import EVENTS, ReferenceAzul

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


class Pair:
    """One game on both implementations."""

    def __init__(self, rng: random.Random) -> None:
        players = rng.choice((2, 3, 4))
        name = rng.choice(("rulebook", "digest") * 3 + tuple(RULES))
        start = rng.randrange(players)
        kernels_draw = rng.random() < 0.5
        self.draw_name = "kernels" if kernels_draw else rng.choice(tuple(DRAWS))
        self.label = f"{players} players, {name}, start {start}, chance by {self.draw_name}"
        self.group = (players, name)
        rules = AzulRules.from_dict(RULES[name])
        if kernels_draw:
            self.match = azul_v0.new_game(rng.randrange(2**64), players, rules, start)
            self.read = 0
            self.reference = ReferenceAzul(players, start, RULES[name], self.follow)
        else:
            self.drawn: list[int] = []
            self.source = DRAWS[self.draw_name](rng)
            self.reference = ReferenceAzul(players, start, RULES[name], self.lead)
            self.match = azul_v0.new_game(0, players, rules, start, self.take_drawn())
        self.kernels_draw = kernels_draw

    def follow(self, _bag: list[int]) -> int:
        colour = self.match.chance[self.read]
        self.read += 1
        return colour

    def lead(self, bag: list[int]) -> int:
        colour = self.source(bag)
        self.drawn.append(colour)
        return colour

    def take_drawn(self) -> list[int]:
        drawn, self.drawn = self.drawn, []
        return drawn

    def apply(self, action: int) -> None:
        if self.kernels_draw:
            self.match.apply(action)
            self.reference.apply(action)
            assert self.read == len(self.match.chance)
        else:
            self.reference.apply(action)
            self.match.give_chance(self.take_drawn())
            self.match.apply(action)
            assert self.match.pending_chance == 0

    def check(self) -> None:
        assert self.match.current_player == self.reference.current_player
        assert self.match.legal_actions() == self.reference.legal_actions()
        assert self.match.scores == self.reference.scores
        assert snapshot(self.match) == self.reference.snapshot()
        assert_derived_fields(self.match)


def play(seed: int) -> tuple[tuple[int, str], Counter[str]]:
    """Plays and compares the game of a seed; returns its group and what happened in it."""
    rng = random.Random(seed)  # no cryptography
    pair = Pair(rng)
    table = [PLAYERS[rng.choice(tuple(PLAYERS))] for _ in range(pair.match.players)]
    if rng.random() < 0.3:  # a table of one kind runs out of tiles, or completes stars, more often than a mixed one
        table = [table[0]] * len(table)
    pair.check()
    while (player := pair.match.current_player) is not None:
        action = table[player](pair.reference, rng)
        try:
            pair.apply(action)
            pair.check()
        except AssertionError as error:
            raise AssertionError(f"seed {seed} ({pair.label}), decision {len(pair.match.actions)}: {error}") from None
    return pair.group, pair.reference.events


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_compare(chunk: int, compared_games: int, record_property: Callable[[str, object], None]) -> None:
    happened: Counter[str] = Counter()
    groups: Counter[str] = Counter()
    for seed in range(chunk, compared_games, CHUNKS):
        (players, rules), events = play(seed)
        groups[f"{players} players, {rules}"] += 1
        happened.update(events)
    record_property("compared games", dict(groups))
    record_property("what happened in them", dict(happened))
    if sum(groups.values()) >= 100:
        assert not set(EVENTS) - RARE_EVENTS.keys() - happened.keys()


@pytest.mark.parametrize(("event", "seed"), RARE_EVENTS.items())
def test_rare_events(event: str, seed: int) -> None:
    _, events = play(seed)
    assert events[event]
