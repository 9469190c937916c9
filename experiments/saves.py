"""Games in files: where a game that is left is kept, and how a file becomes a game again."""

from __future__ import annotations

import time
from pathlib import Path

from manjerico.core import record
from manjerico.core.errors import InputError, integer
from manjerico.core.match import Match
from manjerico.core.record import Record
from manjerico.experiments.table import HUMAN, Table


def _pick(path: Path, number: int | None) -> tuple[Record, str]:
    """A game of a file, not yet replayed, and the words that name its place in errors.

    Args:
        path: the file.
        number: which game, from 1; None: the only one.

    Raises:
        InputError: the file holds no such game.
    """
    games = 0
    for games, (where, found) in enumerate(record.scan(path), start=1):
        if games == number:
            return found, where
        only = found, where
    if games == 0:
        raise InputError(f"{path}: holds no game")
    integer(games if number is None else number, f"{path} holds {games} games: the game's number, --game,", 1, games)
    if games > 1:
        raise InputError(f"{path} holds {games} games: name one of them by --game, from 1 to {games}")
    return only


def load(path: Path, number: int | None) -> tuple[list[Match], list[str] | None]:
    """A game of a file after 0, 1, 2, ... decisions, and who played, if the file says it."""
    found, where = _pick(path, number)
    return record.retrace(found, where), found.get("agents")


def resume(path: Path) -> Table:
    """The table of a game that was left.

    Raises:
        InputError: the file holds something else.
    """
    games = list(record.scan(path))
    if len(games) != 1:
        raise InputError(f"{path}: holds {len(games)} games; only a file of one can be resumed")
    ((where, found),) = games
    positions = record.retrace(found, where)
    if positions[-1].is_over:
        raise InputError(f"{path}: the game is over; manjerico replay shows it")
    names = found.get("agents", [])
    if HUMAN not in names:
        who = f"the players are {', '.join(names)}" if names else "it doesn't say who played"
        raise InputError(f"{path}: can't be resumed, for no seat is {HUMAN}: {who}")
    return Table(positions, names, found.get("note"))


def save(path: Path, table: Table) -> None:
    """Writes the game as it stands."""
    record.write(path, [table.record()])


def fresh_path(table: Table, folder: Path = Path()) -> Path:
    """A file that isn't there yet, named after the game and the time."""
    name = f"{table.match.game.name}-{time.strftime('%Y%m%d-%H%M%S')}"
    path, further = folder / f"{name}.jsonl", 1
    while path.exists():
        further += 1
        path = folder / f"{name}-{further}.jsonl"
    return path
