"""One game on two implementations: the compiled one and a reference, decision by decision.

In half of the games chance comes from the kernels' generator and the reference follows; in the other half the
reference draws, often unfairly, and the kernels are given the outcomes.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from manjerico.core.match import Match


@dataclass(frozen=True)
class Subject:
    """What is compared, and what plays it."""

    new_game: Callable[..., Match]
    rules_type: Any
    """The rules dataclass."""
    reference: Callable[..., Any]
    players: Mapping[str, Any]
    """Players of the reference by name, as functions of game and random generator."""
    draws: Mapping[str, Any]
    """Ways to draw by name, as functions of a random generator."""
    counts: tuple[int, ...]
    """Numbers of players."""
    draw_rules: Callable[[random.Random], tuple[str, dict[str, Any]]]
    """Name and fields of a rule set."""
    snapshot: Callable[[Match], dict[str, Any]]
    """The compiled state in the words of the reference's snapshot."""
    check_derived: Callable[[Match], None]
    """Asserts that fields that only repeat others do so."""


class Pair:
    """One game on both implementations."""

    def __init__(self, subject: Subject, rng: random.Random) -> None:
        players = rng.choice(subject.counts)
        name, fields = subject.draw_rules(rng)
        start = rng.randrange(players)
        kernels_draw = rng.random() < 0.5
        draw_name = "kernels" if kernels_draw else rng.choice(tuple(subject.draws))
        self.subject = subject
        self.label = f"{players} players, {name}, start {start}, chance by {draw_name}"
        self.group = f"{players} players, {name}"
        rules = subject.rules_type.from_dict(fields)
        if kernels_draw:
            self.match = subject.new_game(rng.randrange(2**64), players, rules, start)
            self.read = 0
            self.reference = subject.reference(players, start, fields, self.follow)
        else:
            self.drawn: list[int] = []
            self.source = subject.draws[draw_name](rng)
            self.reference = subject.reference(players, start, fields, self.lead)
            self.match = subject.new_game(0, players, rules, start, self.take_drawn())
        self.kernels_draw = kernels_draw

    def follow(self, _heap: list[int]) -> int:
        outcome = self.match.chance[self.read]
        self.read += 1
        return outcome

    def lead(self, heap: list[int]) -> int:
        outcome: int = self.source(heap)
        self.drawn.append(outcome)
        return outcome

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
        assert self.subject.snapshot(self.match) == self.reference.snapshot()
        self.subject.check_derived(self.match)


def play(subject: Subject, seed: int) -> tuple[str, Counter[str]]:
    """Plays and compares the game of a seed; returns its group and what happened in it."""
    rng = random.Random(seed)  # no cryptography
    pair = Pair(subject, rng)
    table = [subject.players[rng.choice(tuple(subject.players))] for _ in range(pair.match.players)]
    if rng.random() < 0.3:  # a table of one kind comes further in its ways than a mixed one
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


def play_chunk(
    subject: Subject, seeds: range, record_property: Callable[[str, object], None], title: str
) -> Counter[str]:
    """Plays and compares the games of these seeds; returns what happened, and lets pytest print it."""
    happened: Counter[str] = Counter()
    groups: Counter[str] = Counter()
    for seed in seeds:
        group, events = play(subject, seed)
        groups[group] += 1
        happened.update(events)
    record_property(f"compared games of {title}", dict(groups))
    record_property(f"what happened in games of {title}", dict(happened))
    return happened
