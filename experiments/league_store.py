"""The file of a league, an SQLite database: who plays, under what rules, and every game with its record.

=============  =================================================================================================
table          holds
=============  =================================================================================================
``league``     one row: game and its version, players, rules as JSON, seed
``agents``     who plays, and a hash of the file that an agent is made of, such as a model
``calls``      for each call of the command: start, command, versions, git revision
``games``      a row for each finished game; lists are JSON, by seat; ``record`` is a game record of format 1
=============  =================================================================================================

The games of a unit are written in one transaction, so at every moment the file holds whole units only, and the primary
key lets no game count twice. ``sqlite3 league.sqlite "SELECT record FROM games"`` is a file of records.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from manjerico.core.agent import Agent
from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.core.rules import differences
from manjerico.experiments.league_games import League, Played, Table

SCHEMA_VERSION = 1
APPLICATION = 0x6D6A6C67
"""Marks the file as a league: "mjlg"."""

SCHEMA = f"""
BEGIN;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE league (
    game TEXT NOT NULL, game_version INTEGER NOT NULL, players INTEGER NOT NULL, rules TEXT NOT NULL,
    seed INTEGER NOT NULL
) STRICT;
CREATE TABLE agents (name TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT;
CREATE TABLE calls (
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, command TEXT NOT NULL, versions TEXT NOT NULL, git TEXT
) STRICT;
CREATE TABLE games (
    agents TEXT NOT NULL, deal INTEGER NOT NULL, rotation INTEGER NOT NULL, seats TEXT NOT NULL, scores TEXT NOT NULL,
    places TEXT NOT NULL, decisions TEXT NOT NULL, seconds TEXT NOT NULL, sources TEXT NOT NULL, profile TEXT NOT NULL,
    record TEXT NOT NULL, call INTEGER NOT NULL REFERENCES calls,
    PRIMARY KEY (agents, deal, rotation)
) STRICT;
"""


def digest(spec: str, agent: Agent) -> str:
    """A hash of the files that an agent is made of, "" if there are none.

    Those are its attribute ``files``, if it has one, and the files that its parameters name.
    """
    _, _, parameters = spec.partition(":")
    paths = [*getattr(agent, "files", ()), *(Path(item.rpartition("=")[2]) for item in parameters.split(","))]
    try:
        contents = [path.read_bytes() for path in paths if path.is_file()]
    except OSError as error:
        raise InputError(f"agent {spec!r}: its file can't be read: {error.strerror}") from None
    return hashlib.sha256(b"".join(contents)).hexdigest() if contents else ""


class Store:
    """An open league file.

    Args:
        path: the file.
        new: the league to begin if there is no file yet; None: there must be one.

    Raises:
        InputError: it can't be opened or made, or is no league of this version.
    """

    def __init__(self, path: Path, new: League | None = None) -> None:
        self.path = path
        if new is None and not path.is_file():
            raise InputError(f"{path}: no such file; a league's folder holds its games")
        with self._explained():
            self._database = sqlite3.connect(path)
            try:
                self._check_file(new)
            except BaseException:
                self._database.close()
                raise
        self._call = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turns what SQLite reports into a sentence; a transaction under way is undone."""
        try:
            yield
        except json.JSONDecodeError as error:
            raise InputError(f"{self.path}: damaged ({error}); choose another folder with --out") from None
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            damaged = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
            what = "is no league, or damaged" if damaged else "can't be read or written"
            raise InputError(f"{self.path}: {what} ({error}); what was saved before is still there") from None

    def _check_file(self, new: League | None) -> None:
        pragma = {
            name: self._database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("schema_version", "application_id", "user_version")
        }
        if pragma["schema_version"] == 0 and new is not None:  # nothing was written to it yet
            self._begin(new)
            return
        if pragma["application_id"] != APPLICATION:
            raise InputError(f"{self.path}: is no league; choose another folder with --out")
        if pragma["user_version"] != SCHEMA_VERSION:
            raise InputError(
                f"{self.path}: was made by another version of manjerico (its format is {pragma['user_version']}, this "
                f"version's {SCHEMA_VERSION}); choose another folder with --out"
            )
        ((found,),) = self._database.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise InputError(f"{self.path}: damaged ({' '.join(found.split())}); choose another folder with --out")

    def _begin(self, league: League) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")  # others may read while a league is played
        self._database.executescript(SCHEMA)
        self._database.execute("INSERT INTO league VALUES (?, ?, ?, ?, ?)", _row(league))
        self._database.commit()

    def league(self) -> League:
        """What the file's games have in common."""
        with self._explained():
            name, version, players, rules, seed = self._database.execute("SELECT * FROM league").fetchone()
        game = find(name)
        if game.version != version:
            raise InputError(f"{self.path}: holds games of {name}_v{version}, not of {name}_v{game.version}")
        return League(game, players, game.rules.from_dict(json.loads(rules)), seed)

    def agents(self) -> list[str]:
        """Who has entered."""
        with self._explained():
            return [name for (name,) in self._database.execute("SELECT name FROM agents ORDER BY rowid")]

    def calls(self) -> list[dict[str, Any]]:
        """When, how and by what versions games were played."""
        with self._explained():
            found = self._database.execute("SELECT started, command, versions, git FROM calls ORDER BY id").fetchall()
        return [
            {"started": started, "command": json.loads(command), "versions": json.loads(versions), "git": git}
            for started, command, versions, git in found
        ]

    def enter(self, league: League, digests: Mapping[str, str]) -> None:
        """Enters agents, and checks that the file is of the same league and that nobody is left out.

        Args:
            league: what its games have in common.
            digests: of each agent, by its name (:func:`digest`).

        Raises:
            InputError: it is of another one, or an agent is missing or has another file than before.
        """
        before = self.league()
        for what, old, now in (
            ("game", before.game.name, league.game.name),
            ("players", before.players, league.players),
            ("seed", before.seed, league.seed),
        ):
            if old != now:
                raise InputError(
                    f"{self.path}: was begun with {what} {old}, not {now}; choose another folder with --out"
                )
        if differing := differences(before.rules.as_dict(), league.rules):
            raise InputError(
                f"{self.path}: was begun under other rules ({differing}); choose another folder with --out"
            )
        with self._explained():
            entered = dict(self._database.execute("SELECT name, digest FROM agents").fetchall())
        missing = [name for name in entered if name not in digests]
        if missing:
            raise InputError(
                f"{self.path}: {missing[0]!r} plays there too: name it, or choose another folder with --out"
            )
        for name, known in entered.items():
            if digests[name] != known:
                raise InputError(f"agent {name!r} has another file than before; choose another folder with --out")
        with self._explained(), self._database:
            self._database.executemany("INSERT OR IGNORE INTO agents VALUES (?, ?)", digests.items())

    def note_call(self, meta: dict[str, Any]) -> None:
        """Notes by what versions the games to come are played (:func:`manjerico.experiments.runs.meta`)."""
        row = meta["started"], json.dumps(meta["command"]), json.dumps(meta["versions"]), meta["git"]
        with self._explained(), self._database:
            noted = self._database.execute(
                "INSERT INTO calls (started, command, versions, git) VALUES (?, ?, ?, ?)", row
            )
        self._call = noted.lastrowid or 0

    def deals(self) -> dict[Table, set[int]]:
        """The deals that each table has played."""
        found: dict[Table, set[int]] = {}
        with self._explained():
            for agents, deal in self._database.execute("SELECT DISTINCT agents, deal FROM games"):
                found.setdefault(tuple(json.loads(agents)), set()).add(deal)
        return found

    def add(self, games: Iterable[Played]) -> None:
        """Saves the games of a unit, all or none."""
        with self._explained(), self._database:
            self._database.executemany(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(*_columns(g), self._call) for g in games],
            )

    def games(self) -> Iterator[Played]:
        """All games, by table, deal and rotation."""
        with self._explained():
            for agents, deal, rotation, seats, *lists, record, _ in self._database.execute(
                "SELECT * FROM games ORDER BY agents, deal, rotation"
            ):
                decoded: list[Any] = [json.loads(text) for text in lists]
                table, sitting = tuple(json.loads(agents)), tuple(json.loads(seats))
                yield Played(*[table, deal, rotation, sitting, *decoded, record])


def _row(league: League) -> tuple[Any, ...]:
    rules = json.dumps(league.rules.as_dict())
    return league.game.name, league.game.version, league.players, rules, league.seed


def _columns(game: Played) -> tuple[Any, ...]:
    lists = game.seats, game.scores, game.places, game.decisions, game.seconds, game.sources, game.profile
    return json.dumps(game.table), game.deal, game.rotation, *map(json.dumps, lists), game.record
