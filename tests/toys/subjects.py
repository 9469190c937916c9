"""The games on which the contracts of ``core`` are tested: all that such a test may know of a game is said here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from players import played

from arraial_env import ArraialRules, arraial_v0
from azul_env import AzulRules, azul_v0
from manjerico.core.aec import GameEnv
from manjerico.core.game import Game, find
from manjerico.core.match import Match
from manjerico.core.rules import Rules


@dataclass(frozen=True)
class Subject:
    """A game under a rule set with a number of players."""

    label: str
    module: Any
    """The environment's module."""
    players: int
    rules: Rules
    other_rules: Rules
    """Different ones."""
    actions: int
    """The number of action ids; the last one is never legal in the first decision."""
    last_action: str
    """That one in words, there."""
    signs: Mapping[str, int]
    """Sources of points, and whether they add to the score."""
    first_score: int
    set_up: int
    """Chance outcomes of the set-up."""
    heap: str
    """The state's field from which chance draws, counts by outcome."""
    kinds: int
    """Outcomes are 0..kinds - 1."""
    copies: int
    """How often outcome 0 is in the heap at first, fewer times than the set-up draws."""
    whim: float
    """For games that reach all kinds of positions."""
    length: int
    """Decisions that every game reaches."""

    def __str__(self) -> str:
        return self.label

    @property
    def game(self) -> Game:
        return find(self.module.GAME.name)

    @property
    def name(self) -> str:
        return self.game.name

    @property
    def agents(self) -> list[str]:
        return [f"player_{seat}" for seat in range(self.players)]

    @property
    def info_keys(self) -> list[str]:
        return ["illegal_action", "score", "place", *self.signs]

    def score_of(self, points: Mapping[str, int]) -> int:
        """The score that points by source make."""
        return self.first_score + sum(sign * points[source] for source, sign in self.signs.items())

    def env(self, **options: Any) -> GameEnv:
        env: GameEnv = self.module.env(**{"num_players": self.players, "rules": self.rules, **options})
        return env

    def raw_env(self, **options: Any) -> GameEnv:
        env: GameEnv = self.module.raw_env(**{"num_players": self.players, "rules": self.rules, **options})
        return env

    def begun(self, seed: int = 7, **options: Any) -> GameEnv:
        """An environment at the start of the game of a seed."""
        env = self.env(**options)
        env.reset(seed=seed)
        return env

    def new_game(self, seed: int | None = None, **options: Any) -> Match:
        match: Match = self.module.new_game(seed, **{"num_players": self.players, "rules": self.rules, **options})
        return match

    def played(self, seed: int, decisions: int | None = None, **options: Any) -> Match:
        """A game by whimsical players, to the end or so many decisions long."""
        return played(self.game, seed, self.players, self.rules, decisions, self.whim, **options)


def _azul(players: int, preset: str, length: int) -> Subject:
    digest, rulebook = AzulRules.digest(), AzulRules.rulebook()
    rules, other = (rulebook, digest) if preset == "rulebook" else (digest, rulebook)
    return Subject(
        label=f"azul-{players}-{preset}",
        module=azul_v0,
        players=players,
        rules=rules,
        other_rules=other,
        actions=325,
        last_action="pass",
        signs={"placements": 1, "stars": 1, "numbers": 1, "losses": -1},
        first_score=5,
        set_up=10 + 4 * (2 * players + 1),
        heap="bag",
        kinds=6,
        copies=22,
        whim=0.1,
        length=length,
    )


ODD = ArraialRules(
    width=5,
    height=7,
    bar_start=(3, 3, 3, 3),
    min_pieces=(2, 1, 3),
    cards_per_type=(1, 2, 3, 4),
    max_slide=1,
    bar_drop=1,
    bar_visitors_score_at_end=False,
    couple_points=3,
)


def _arraial(players: int, length: int, odd: bool = False) -> Subject:
    rules, other = (ODD, ArraialRules()) if odd else (ArraialRules(), ODD)
    return Subject(
        label=f"arraial-{players}{'-odd' if odd else ''}",
        module=arraial_v0,
        players=players,
        rules=rules,
        other_rules=other,
        actions=3 * 5 * 7 + 8 if odd else 344,
        last_action=r"discard the .+ from slot 2",
        signs={"coloured": 1, "white": 1, "couples": 1},
        first_score=0,
        set_up=6,
        heap="pile",
        kinds=8,
        copies=rules.cards_per_type[players - 1],
        whim=0.25,
        length=length,
    )


AZUL_2, AZUL_3, AZUL_4 = _azul(2, "rulebook", 110), _azul(3, "rulebook", 160), _azul(4, "rulebook", 200)
AZUL_2_DIGEST, AZUL_3_DIGEST, AZUL_4_DIGEST = _azul(2, "digest", 110), _azul(3, "digest", 160), _azul(4, "digest", 200)
ARRAIAL_1, ARRAIAL_2, ARRAIAL_3, ARRAIAL_4 = _arraial(1, 18), _arraial(2, 60), _arraial(3, 100), _arraial(4, 90)
ARRAIAL_4_ODD = _arraial(4, 170, odd=True)

ALL = [
    *(AZUL_2, AZUL_3, AZUL_4, AZUL_2_DIGEST, AZUL_3_DIGEST, AZUL_4_DIGEST),
    *(ARRAIAL_1, ARRAIAL_2, ARRAIAL_3, ARRAIAL_4, ARRAIAL_4_ODD),
]
FEW = [AZUL_2, AZUL_3_DIGEST, ARRAIAL_1, ARRAIAL_2, ARRAIAL_4_ODD]


def on(*subjects: Subject) -> pytest.MarkDecorator:
    """Runs a test, that has a parameter ``subject``, on these."""
    return pytest.mark.parametrize("subject", subjects, ids=str)


on_all, on_few = on(*ALL), on(*FEW)
on_each_game = on(AZUL_2, ARRAIAL_2)
"""For what does not depend on rules and number of players."""
