"""Recorded games on the screen: step by step, or one position."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

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
KEY = re.compile(r"\x1b\[.|.", re.DOTALL)
"""What one key sends; an arrow sends three characters."""
LONGEST_NUMBER = 9
"""Digits: more name no decision."""
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
        with _keyboard() as pressed, Live(console=self.console, auto_refresh=False, screen=True) as live:
            while True:
                live.update(screen.Bottom(self._page(at, typed)), refresh=True)
                for key in pressed():
                    if key in LEAVE:
                        return
                    at, typed = self._press(key, at, typed)

    def _press(self, key: str, at: int, typed: str) -> tuple[int, str]:
        """The decision to go to and the number being typed, after a key."""
        if key.isdecimal():
            return at, (typed + key)[:LONGEST_NUMBER]
        if typed:
            return (min(int(typed), self.last), "") if key in NEXT else (at, typed[:-1] if key in PREVIOUS else "")
        return min(max(at + (key in NEXT) - (key in PREVIOUS), 0), self.last), ""

    def _page(self, at: int, typed: str) -> RenderableType:
        going = f"go to {typed}" if typed else KEYS
        over = self.positions[at].is_over
        end = result(self.positions, self.names) if over else Text(self._next(at), style="dim")
        foot = Text(f"{at} of {self.last}: {going}", style="bold")
        return Group(screen.frame(self.positions, at, self.names, end), foot)


@contextmanager
def _keyboard() -> Iterator[Callable[[], list[str]]]:
    """A function that waits for keys, one at least; the end of input leaves.

    The terminal hands over keys at once as long as this lasts: what is pressed during a redraw isn't lost.
    """
    import termios  # there are systems without
    import tty

    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    tty.setcbreak(file, termios.TCSADRAIN)
    try:
        yield lambda: KEY.findall(os.read(file, 1024).decode(errors="replace")) or [LEAVE[0]]
    finally:
        termios.tcsetattr(file, termios.TCSADRAIN, before)
