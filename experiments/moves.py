"""The legal moves of a position as a person reads them: numbered, below headings, and found by their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from manjerico.core.match import Match
from manjerico.experiments.table import points

INDENT = 2
GAP = 3
"""Columns between two moves of a line."""


@dataclass(frozen=True)
class Move:
    """A legal action in a list."""

    number: int
    """By which it is taken, from 1."""
    action: int
    heading: str
    short: str
    """What it says below the heading."""
    words: str
    """All of it in words."""
    gain: int
    """What it changes in the player's score at once."""

    def has(self, typed: str) -> bool:
        """Whether each typed word begins one of the move's; numbers must be equal."""
        own = _words(f"{self.heading} {self.short} {self.words}")
        return all(any(_fits(word, other) for other in own) for word in _words(typed))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _fits(typed: str, word: str) -> bool:
    return word == typed if typed.isdigit() else word.startswith(typed)


def moves_of(match: Match) -> list[Move]:
    """The legal actions, those of one heading together."""
    listing = match.game.listing
    found = []
    for action in match.legal_actions():
        words = match.describe(action)
        heading, short = ("", words) if listing is None else listing(match.rules, match.state, action)
        found.append((heading, short, words, action))
    headings = list(dict.fromkeys(heading for heading, *_ in found))
    found.sort(key=lambda move: headings.index(move[0]))
    return [
        Move(number, action, heading, short, words, _gain(match, action))
        for number, (heading, short, words, action) in enumerate(found, start=1)
    ]


def _gain(match: Match, action: int) -> int:
    """Tried out on a copy that knows nothing of the chance to come."""
    copy, seat = match.clone(), match.current_player or 0
    copy.redeterminise(0)
    copy.apply(action)
    return copy.scores[seat] - match.scores[seat]


def lines(moves: Sequence[Move], width: int) -> list[Text]:
    """The list as lines of text, each heading's moves in as many columns as there is room for."""
    texts: list[Text] = []
    for heading in dict.fromkeys(move.heading for move in moves):
        if heading:
            texts.append(Text(heading, style="bold"))
        group = [_entry(move) for move in moves if move.heading == heading]
        column = max(entry.cell_len for entry in group) + GAP
        count = max(1, (width - INDENT + GAP) // column)
        for start in range(0, len(group), count):
            texts.append(_line(group[start : start + count], column))
    return texts


def _entry(move: Move) -> Text:
    return Text.assemble((f"{move.number:>3}", "bold cyan"), f" {move.short}") + points(move.gain)


def _line(entries: Sequence[Text], column: int) -> Text:
    line = Text(" " * INDENT)
    for entry in entries[:-1]:
        line.append_text(entry)
        line.append(" " * (column - entry.cell_len))
    return line + entries[-1]
