"""Recorded games on the screen: step by step, or one position."""

from __future__ import annotations

import time
from collections.abc import Sequence

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from manjerico.core.errors import integer
from manjerico.core.match import Match
from manjerico.experiments import screen
from manjerico.experiments.table import result, show_end, told

NEXT = ("\r", "\n", " ", "n", "\x1b[C", "\x1b[B")
PREVIOUS = ("p", "\x7f", "\x08", "\x1b[D", "\x1b[A")
"""Keys, with the arrows to the right and down, to the left and up."""
LEAVE = ("q", "\x04", "\x1b")
KEYS = "Enter next, p previous, a number and Enter: go there, q quit"


class Replay:
    """A recorded game being looked at.

    Args:
        positions: the game after 0, 1, 2, ... decisions.
        names: who played, by seat, if it is known.
        console: where.
    """

    def __init__(self, positions: Sequence[Match], names: Sequence[str] | None, console: Console) -> None:
        self.positions = positions
        self.names = names
        self.console = console
        self.last = len(positions) - 1

    def run(self, delay: float | None) -> None:
        """Shows the game: by itself with a delay in seconds, by keys in a terminal, else all of it in words."""
        if not screen.is_interactive(self.console):
            self._tell(delay or 0.0)
        elif delay is not None:
            self._play(delay)
        else:
            self._step()

    def show(self, at: int | None) -> None:
        """Prints the position after so many decisions, by default the last, and what came next."""
        decisions = self.last if at is None else integer(at, "--at", 0, self.last)
        self.console.print(
            self._frame(decisions, f"after {decisions} of {self.last} decisions; {self._next(decisions)}")
        )
        if self.positions[decisions].is_over:
            self.console.print(result(self.positions, self.names))

    def _frame(self, decisions: int, remark: str) -> RenderableType:
        return screen.frame(self.positions, decisions, self.names, Text(remark, style="dim"))

    def _next(self, decisions: int) -> str:
        if decisions < self.last:
            return f"next, {told(self.positions, decisions, self.names)}"
        return "the game is over" if self.positions[-1].is_over else "here the record ends"

    def _tell(self, delay: float) -> None:
        for decision in range(self.last):
            time.sleep(delay)
            self.console.print(screen.numbered(self.positions, decision, self.names), soft_wrap=True)
        if self.positions[-1].is_over:
            show_end(self.console, self.positions, self.names)
        else:
            self.show(self.last)

    def _play(self, delay: float) -> None:
        with Live(console=self.console, auto_refresh=False) as live:
            for decisions in range(self.last + 1):
                drawn = self._frame(decisions, f"{decisions} of {self.last}")
                live.update(screen.Bottom(drawn), refresh=True)
                time.sleep(delay)
        if self.positions[-1].is_over:
            self.console.print(result(self.positions, self.names))

    def _step(self) -> None:
        at, typed = 0, ""
        with Live(console=self.console, auto_refresh=False, screen=True) as live:
            while True:
                live.update(screen.Bottom(self._page(at, typed)), refresh=True)
                key = _key()
                if key in LEAVE:
                    return
                if key.isdecimal():
                    typed += key
                elif typed and key in NEXT:
                    at, typed = min(int(typed), self.last), ""
                elif typed:
                    typed = typed[:-1] if key in PREVIOUS else ""
                else:
                    at = min(max(at + (key in NEXT) - (key in PREVIOUS), 0), self.last)

    def _page(self, at: int, typed: str) -> RenderableType:
        going = f"go to {typed}" if typed else KEYS
        over = self.positions[at].is_over
        end = result(self.positions, self.names) if over else Text(self._next(at), style="dim")
        foot = Text(f"{at} of {self.last}: {going}", style="bold")
        return Group(screen.frame(self.positions, at, self.names, end), foot)


def _key() -> str:
    """A key, or a sequence of characters that one key sends; the end of input leaves."""
    try:
        return typer.getchar()
    except EOFError:
        return LEAVE[0]
