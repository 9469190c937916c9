"""The screen on which games are played and shown: a terminal, or a plain pipe without colours and cursor tricks."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import suppress

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from manjerico.core.match import Match
from manjerico.experiments.table import told

RECENT = 4
"""Decisions that are told below a board."""


def open_console() -> Console:
    """The console on standard output, with question marks for what its encoding can't say, or what is typed in none."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return Console(highlight=False, markup=False, emoji=False)


def is_interactive(console: Console) -> bool:
    """Whether a person sits at a terminal, and not a script at a pipe."""
    return console.is_terminal and not console.is_dumb_terminal and sys.stdin.isatty()


def read_line(console: Console, prompt: str) -> str:
    """A line of input, which can be edited where a person types it.

    Raises:
        EOFError: there is no more.
    """
    if is_interactive(console):
        with suppress(ImportError):  # where there is none, input() can do it by itself
            import readline  # noqa: F401  # gives input() its editing and history
        return input(prompt).strip()
    console.print(prompt, end="")
    line = sys.stdin.readline()
    if not line:
        console.print()
        raise EOFError
    console.print(line.strip())
    return line.strip()


class Bottom:
    """As much of the end of a drawing as the terminal's height has room for: the boards and what was done last."""

    def __init__(self, drawn: RenderableType) -> None:
        self.drawn = drawn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Its lines."""
        rows = console.render_lines(self.drawn, options.update(height=None), pad=False)
        for row in rows[-(console.height - 1) :]:
            yield from row
            yield Segment.line()


def numbered(positions: Sequence[Match], decision: int, names: Sequence[str] | None) -> Text:
    """A decision in words, after its number and before the scores that it led to."""
    scores = ":".join(map(str, positions[decision + 1].scores))
    return Text.assemble((f"{decision + 1:>4}. ", "dim"), told(positions, decision, names), (f"  [{scores}]", "dim"))


def frame(
    positions: Sequence[Match], decisions: int, names: Sequence[str] | None, ahead: RenderableType = ""
) -> RenderableType:
    """The position after so many decisions, the last of them in words, and a line on what comes next."""
    match = positions[decisions]
    story = [numbered(positions, k, names) for k in range(max(0, decisions - RECENT), decisions)]
    blank = [Text()] * (RECENT - len(story))  # so that boards don't move
    return Group(match.game.draw(match), *blank, *story, ahead)
