"""Golden games of Azul: text that a person can read in a diff, one line for each decision, what chance drew in between.

``play`` makes a game anew, ``replay`` plays the decisions of a text again.
"""

from __future__ import annotations

import dataclasses
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

from players import whimsical

from azul_env import AzulRules, azul_v0
from azul_env.game import GAME
from manjerico.core import drawing
from manjerico.core.match import Match

FOLDER = Path(__file__).parents[1] / "azul_env" / "golden"
DRAWING = FOLDER / "drawing.txt"
LETTERS = "ORBYGP"
WHIM = 0.12


@dataclass(frozen=True)
class Start:
    """How a golden game begins."""

    players: int
    rules: AzulRules
    seed: int
    start: int = 0

    def match(self) -> Match:
        return azul_v0.new_game(self.seed, self.players, self.rules, self.start)


GAMES = {
    "rulebook_2": Start(2, AzulRules.rulebook(), seed=2),
    "rulebook_3": Start(3, AzulRules.rulebook(), seed=3, start=1),
    "rulebook_4": Start(4, AzulRules.rulebook(), seed=4, start=3),
    "digest_2": Start(2, AzulRules.digest(), seed=12),
    "digest_3": Start(3, AzulRules.digest(), seed=13, start=2),
    "digest_4": Start(4, AzulRules.digest(), seed=2**64 - 1),
    "no_voluntary_give_ups_2": Start(2, dataclasses.replace(AzulRules(), voluntary_give_ups=False), seed=22),
}


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def play(game: Start) -> str:
    """The game by greedy, that now and then moves at random."""
    match = game.match()
    rng = random.Random(game.seed)
    lines = header(game, match)
    while not match.is_over:
        lines += decide(match, whimsical(match, rng, WHIM))
    return text_of(lines, match)


def replay(text: str) -> str:
    """The decisions of a golden game once more; stops where one is not legal any more."""
    fields = dict(re.findall(r"^(rules|players|seed|start) +(.*)$", text, re.MULTILINE))
    rules = AzulRules.from_dict(json.loads(fields["rules"]))
    game = Start(int(fields["players"]), rules, int(fields["seed"]), int(fields["start"]))
    match = game.match()
    lines = header(game, match)
    for action in re.findall(r"^ *\d+  player_\d +(\d+)  ", text, re.MULTILINE):
        if match.is_over or not match.is_legal(int(action)):
            return "\n".join([*lines, f"action {action} is not legal here"])
        lines += decide(match, int(action))
    return text_of(lines, match)


def header(game: Start, match: Match) -> list[str]:
    return [
        "A golden game of Azul: Summer Pavilion (tests/azul_env/make_golden.py). Numbers: decision, action, scores.",
        "",
        f"environment  {GAME.name}_v{GAME.version}",
        f"rules        {json.dumps(game.rules.as_dict())}",
        f"players      {game.players}",
        f"seed         {game.seed}",
        f"start        {game.start}",
        "",
        drawn(match.chance),
    ]


def decide(match: Match, action: int) -> list[str]:
    """A decision's line and, if tiles left the bag, theirs."""
    player, words, before = match.current_player, match.describe(action), len(match.chance)
    match.apply(action)
    scores = " ".join(f"{score:3}" for score in match.scores)
    line = f"{len(match.actions):4}  player_{player}  {action:3}  {words:<74}  {scores}"
    return [line, drawn(match.chance[before:])] if len(match.chance) > before else [line]


def drawn(colours: list[int]) -> str:
    return "      drawn " + " ".join(LETTERS[colour] for colour in colours)


def text_of(lines: list[str], match: Match) -> str:
    ending = f"final scores {' '.join(map(str, match.scores))}" if match.is_over else "not finished"
    return "\n".join([*lines, "", ending]) + "\n"


def drawing_text() -> str:
    """A position in the middle of a game for three, as drawn without colours."""
    game = GAMES["rulebook_3"]
    match, rng = game.match(), random.Random(game.seed)
    for _ in range(110):
        match.apply(whimsical(match, rng, WHIM))
    return drawing.to_text(GAME.draw(match), colour=False)
