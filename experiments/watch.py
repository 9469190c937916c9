"""Agents play against each other on the screen."""

from __future__ import annotations

import time

from rich.console import Console
from rich.live import Live
from rich.text import Text

from manjerico.experiments import screen
from manjerico.experiments.table import Table, label, result, show_end


def watch(table: Table, console: Console, delay: float | None) -> None:
    """Plays the game to its end: redrawn in place in a terminal, else decision by decision in words.

    Args:
        table: the agents.
        console: where.
        delay: seconds before each decision; by default half a second in a terminal, and none elsewhere.
    """
    if console.is_terminal and not console.is_dumb_terminal:
        _watch_in_place(table, console, 0.5 if delay is None else delay)
    else:
        _watch_in_words(table, console, delay or 0.0)


def _watch_in_place(table: Table, console: Console, delay: float) -> None:
    with Live(console=console, auto_refresh=False) as live:
        while not table.match.is_over:
            turn = Text(f"{label(table.match.current_player or 0, table.names)} to decide", style="dim")
            drawn = screen.frame(table.positions, len(table.positions) - 1, table.names, turn)
            live.update(screen.Bottom(drawn), refresh=True)
            time.sleep(delay)
            table.apply(table.ask())
        drawn = screen.frame(table.positions, len(table.positions) - 1, table.names)
        live.update(screen.Bottom(drawn), refresh=True)
    console.print(result(table.positions, table.names))


def _watch_in_words(table: Table, console: Console, delay: float) -> None:
    while not table.match.is_over:
        time.sleep(delay)
        table.apply(table.ask())
        console.print(screen.numbered(table.positions, len(table.positions) - 2, table.names), soft_wrap=True)
    show_end(console, table.positions, table.names)
