"""Golden games: text that a person can read in a diff, one line for each decision, what chance drew in between.

``Golden.play`` makes a game anew, ``Golden.replay`` plays the decisions of a text again. ``AZUL`` and ``ARRAIAL`` are
the games that are kept.
"""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from players import whimsical

from arraial_env import ArraialRules
from azul_env import AzulRules
from manjerico.core import drawing
from manjerico.core.game import Game, find
from manjerico.core.match import Match
from manjerico.core.rules import Rules

TESTS = Path(__file__).parents[1]
WHIM = 0.12

HINT = """
The {what} changed. If that is meant, then
- {then}
- make the golden files anew (.venv/bin/python {maker}), and look at their diff.
"""
RULES_THEN = "raise `version` in {package}/game.py, for seeds and records of before mean other games now"
GREEDY_THEN = "raise greedy's version in {package}/policies.py, for ladders of before compare with another one"


@dataclass(frozen=True)
class Start:
    """How a golden game begins."""

    players: int
    rules: Rules
    seed: int
    start: int = 0
    whim: float = WHIM
    """The share of moves at random."""


@dataclass(frozen=True)
class Golden:
    """The golden games of one game."""

    package: str
    """The game's package, and the folder of its tests."""
    game: Game
    starts: Mapping[str, Start]
    """The games by the names of their files."""
    chance: tuple[str, ...]
    """The outcomes of chance in letters."""
    words: int
    """Columns for a decision in words."""
    drawn_game: str
    """Which game is drawn, ``drawn_after`` so many decisions."""
    drawn_after: int

    @property
    def folder(self) -> Path:
        return TESTS / self.package / "golden"

    @property
    def drawing(self) -> Path:
        return self.folder / "drawing.txt"

    @property
    def maker(self) -> str:
        return f"tests/{self.package}/make_golden.py"

    def file_of(self, name: str) -> Path:
        return self.folder / f"{name}.txt"

    def text_of(self, name: str) -> str:
        """What the file says."""
        return self.file_of(name).read_text(encoding="utf-8")

    def make(self) -> None:
        """Writes all files anew."""
        self.folder.mkdir(exist_ok=True)
        for name, start in self.starts.items():
            self.file_of(name).write_text(self.play(start), encoding="utf-8")
        self.drawing.write_text(self.drawing_text(), encoding="utf-8")

    def match(self, start: Start) -> Match:
        return Match(self.game, start.players, start.rules, start.seed, start.start)

    def play(self, start: Start) -> str:
        """The game by greedy, that now and then moves at random."""
        match = self.match(start)
        rng = random.Random(start.seed)
        lines = self._header(start, match)
        while not match.is_over:
            lines += self._decide(match, whimsical(match, rng, start.whim))
        return _ended(lines, match)

    def replay(self, text: str) -> str:
        """The decisions of a golden game once more; stops where one is not legal any more."""
        fields = dict(re.findall(r"^(rules|players|seed|start) +(.*)$", text, re.MULTILINE))
        rules = self.game.rules.from_dict(json.loads(fields["rules"]))
        start = Start(int(fields["players"]), rules, int(fields["seed"]), int(fields["start"]))
        match = self.match(start)
        lines = self._header(start, match)
        for action in re.findall(r"^ *\d+  player_\d +(\d+)  ", text, re.MULTILINE):
            if match.is_over or not match.is_legal(int(action)):
                return "\n".join([*lines, f"action {action} is not legal here"])
            lines += self._decide(match, int(action))
        return _ended(lines, match)

    def drawing_text(self) -> str:
        """A position in the middle of a game, as drawn without colours."""
        start = self.starts[self.drawn_game]
        match, rng = self.match(start), random.Random(start.seed)
        for _ in range(self.drawn_after):
            match.apply(whimsical(match, rng, start.whim))
        return drawing.to_text(self.game.draw(match), colour=False)

    def actions_of(self, name: str) -> list[int]:
        """The decisions of a file."""
        return [int(line.split()[2]) for line in self.text_of(name).splitlines() if "  player_" in line]

    def _header(self, start: Start, match: Match) -> list[str]:
        return [
            f"A golden game of {self.game.title} ({self.maker}). Numbers: decision, action, scores.",
            "",
            f"environment  {self.game.name}_v{self.game.version}",
            f"rules        {json.dumps(start.rules.as_dict())}",
            f"players      {start.players}",
            f"seed         {start.seed}",
            f"start        {start.start}",
            "",
            self._drawn(match.chance),
        ]

    def _decide(self, match: Match, action: int) -> list[str]:
        """A decision's line and, if something was drawn, what."""
        player, words, before = match.current_player, match.describe(action), len(match.chance)
        match.apply(action)
        scores = " ".join(f"{score:3}" for score in match.scores)
        line = f"{len(match.actions):4}  player_{player}  {action:3}  {words:<{self.words}}  {scores}"
        return [line, self._drawn(match.chance[before:])] if len(match.chance) > before else [line]

    def _drawn(self, outcomes: list[int]) -> str:
        return "      drawn " + " ".join(self.chance[outcome] for outcome in outcomes)

    # --- What the games' tests assert --------------------------------------------------------------------------------

    def assert_replays(self, name: str) -> None:
        """Rules, generator, numbers and words of actions are as they were."""
        what = "rules, the generator, or the actions' numbers or words"
        self._assert_same(name, self.replay(self.text_of(name)), what, RULES_THEN)

    def assert_greedy(self, name: str) -> None:
        """Greedy decides as it did."""
        self._assert_same(name, self.play(self.starts[name]), "decisions of greedy", GREEDY_THEN)

    def assert_no_other_files(self) -> None:
        assert set(self.folder.iterdir()) == {*map(self.file_of, self.starts), self.drawing}

    def _assert_same(self, name: str, now: str, what: str, then: str) -> None:
        before = self.text_of(name)
        if now != before:
            lines = difflib.unified_diff(
                before.splitlines(), now.splitlines(), f"golden/{name}.txt", "now", n=2, lineterm=""
            )
            shown = "\n".join(itertools.islice(lines, 30))
            hint = HINT.format(what=what, then=then.format(package=self.package), maker=self.maker)
            pytest.fail(f"{hint}\n{shown}", pytrace=False)


def _ended(lines: list[str], match: Match) -> str:
    ending = f"final scores {' '.join(map(str, match.scores))}" if match.is_over else "not finished"
    return "\n".join([*lines, "", ending]) + "\n"


AZUL = Golden(
    package="azul_env",
    game=find("azul"),
    starts={
        "rulebook_2": Start(2, AzulRules.rulebook(), seed=2),
        "rulebook_3": Start(3, AzulRules.rulebook(), seed=3, start=1),
        "rulebook_4": Start(4, AzulRules.rulebook(), seed=4, start=3),
        "digest_2": Start(2, AzulRules.digest(), seed=12),
        "digest_3": Start(3, AzulRules.digest(), seed=13, start=2),
        "digest_4": Start(4, AzulRules.digest(), seed=2**64 - 1),
        "no_voluntary_give_ups_2": Start(2, dataclasses.replace(AzulRules(), voluntary_give_ups=False), seed=22),
    },
    chance=tuple("ORBYGP"),
    words=74,
    drawn_game="rulebook_3",
    drawn_after=110,
)

PENTOMINOES = [
    [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)],  # X
    [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)],  # I
    [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)],  # U
    [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2)],  # P
    [(1, 0), (2, 0), (0, 1), (1, 1), (0, 2)],  # W
    [(1, 0), (0, 1), (1, 1), (1, 2), (2, 2)],  # F
    [(1, 0), (2, 0), (1, 1), (0, 2), (1, 2)],  # Z
    [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)],  # L
]

ARRAIAL = Golden(
    package="arraial_env",
    game=find("arraial"),
    starts={
        "rulebook_1": Start(1, ArraialRules.rulebook(), seed=4, whim=0.3),
        "rulebook_2": Start(2, ArraialRules.rulebook(), seed=6, whim=0.3),
        "rulebook_3": Start(3, ArraialRules.rulebook(), seed=3, start=1),
        "rulebook_4": Start(4, ArraialRules.rulebook(), seed=2**64 - 1, start=3),
        "cramped_2": Start(
            2, ArraialRules(width=5, height=5, bar_start=(3, 3, 3, 3), min_pieces=(3, 2, 1), max_slide=1), seed=12
        ),
        "pentominoes_3": Start(
            3,
            ArraialRules(
                width=16,
                height=8,
                shapes=PENTOMINOES,  # type: ignore[arg-type]  # lists become tuples
                cards_per_type=(1, 2, 4, 4),
                bar_start=(6, 6, 6, 6),
                bar_drop=1,
                bar_visitors_score_at_end=False,
                couple_points=3,
            ),
            seed=14,
            start=2,
        ),
    },
    chance=("Y0", "Y1", "B2", "B3", "G4", "G5", "R6", "R7"),
    words=56,
    drawn_game="rulebook_3",
    drawn_after=100,
)
