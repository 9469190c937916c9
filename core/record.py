"""Game records, format 1: every decision and every chance outcome of a game, to be replayed by any implementation.

A record is one JSON object; a file of many is JSON Lines, compressed if its name ends in ``.gz`` or ``.zst``. Reading
checks everything and repairs nothing: each error is one :class:`RecordError` that says where and what was expected.
"""

from __future__ import annotations

import gzip
import io
import json
import secrets
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.core.match import Match
from manjerico.core.rng import SEEDS

FORMAT = 1

REQUIRED = ("format", "game", "players", "start", "rules", "chance", "actions")
OPTIONAL = ("scores", "seed", "agents", "note")

Record = dict[str, Any]


class RecordError(InputError):
    """A record that doesn't say what a record must, or doesn't replay."""


def of_match(match: Match, agents: Sequence[str] | None = None, note: str | None = None) -> Record:
    """The match so far as a record; ``agents`` names who played, by seat.

    Raises:
        InputError: the match was set to a state in the middle, so that its beginning isn't known.
    """
    if not match.is_whole:
        raise InputError("a match that was set to a state has no record: its beginning isn't known")
    record: Record = {
        "format": FORMAT,
        "game": match.game.name,
        "players": match.players,
        "start": match.start,
        "rules": match.rules.as_dict(),
        "chance": match.chance,
        "actions": list(match.actions),
    }
    if match.is_over:
        record["scores"] = match.scores
    if match.seed is not None:
        record["seed"] = match.seed
    if agents is not None:
        record["agents"] = list(agents)
    if note is not None:
        record["note"] = note
    _check_optional(record, match.players, "record")
    return record


def replay(record: Any, where: str = "record") -> Match:
    """The match that a record tells of, after its last action, with all of the record checked.

    Args:
        record: a record as from :func:`loads`, :func:`read` or :func:`of_match`.
        where: names the record in errors, for example ``"games.jsonl, line 7"``.

    Raises:
        RecordError: anything is wrong with it.
    """
    _check_keys(record, where)
    if _integer(record, "format", where) != FORMAT:
        raise RecordError(f"{where}: format {record['format']} is unknown; this version reads format {FORMAT}")
    try:
        game = find(record["game"])
        rules = game.rules.from_dict(record["rules"])
        players = game.check_players(_integer(record, "players", where))
    except RecordError:
        raise
    except InputError as error:
        raise RecordError(f"{where}: {error}") from None
    start = _integer(record, "start", where)
    if not 0 <= start < players:
        raise RecordError(f"{where}: start must be a seat from 0 to {players - 1}, not {start}")
    _check_optional(record, players, where)
    chance, actions = _integers(record, "chance", where), _integers(record, "actions", where)
    try:
        match = Match(game, players, rules, seed=0, start=start, chance=chance)
    except InputError as error:
        raise RecordError(f"{where}, chance: {error}") from None
    _check_chance(match, chance, "the set-up", where)
    for position, action in enumerate(actions):
        try:
            match.apply(action)
        except InputError as error:
            raise RecordError(f"{where}, actions, position {position}: {error}") from None
        _check_chance(match, chance, f"action {action} at position {position}", where)
    _check_end(record, match, where)
    # An unfinished match goes on with other chance than the seed's.
    match.seed = record.get("seed") if match.is_over else None
    return match


def retrace(record: Any, where: str = "record") -> list[Match]:
    """The match as it stood after 0, 1, 2, ... decisions of a record; each can be played on.

    Where all chance came from the record's seed, what is still to come does so too: whoever goes back and
    decides the same again meets the same. Elsewhere what is still to come is drawn afresh.

    Raises:
        RecordError: anything is wrong with the record.
    """
    match = replay(record, where)
    seed = record.get("seed")
    if seed is not None and (stages := _stages(match, seed, [])) and stages[-1].chance == match.chance:
        return stages
    stages = _stages(match, secrets.randbits(64), match.chance)
    for stage in stages:
        stage.drop_pending_chance()
    return stages


def _stages(match: Match, seed: int, chance: list[int]) -> list[Match]:
    """The stages of a match with that chance; none if its actions are not possible then."""
    stages = [Match(match.game, match.players, match.rules, seed, match.start, chance)]
    for action in match.actions:
        stages.append(stages[-1].clone())
        if not stages[-1].is_legal(action):
            return []
        stages[-1].apply(action)
    return stages


def _check_keys(record: Any, where: str) -> None:
    if not isinstance(record, dict):
        raise RecordError(f"{where}: a record is a JSON object, not {record!r:.60}")
    for key in record:
        if key not in REQUIRED and key not in OPTIONAL:
            known = ", ".join((*REQUIRED, *OPTIONAL))
            raise RecordError(f"{where}: unknown key {key!r}; a record has {known}")
    for key in REQUIRED:
        if key not in record:
            raise RecordError(f"{where}: the key {key!r} is missing")


def _integer(record: Record, key: str, where: str) -> int:
    value = record[key]
    if type(value) is not int:
        raise RecordError(f"{where}: {key} must be an integer, not {value!r:.60}")
    return value


def _integers(record: Record, key: str, where: str) -> list[int]:
    values = record[key]
    if not isinstance(values, list):
        raise RecordError(f"{where}: {key} must be a list of integers, not {values!r:.60}")
    for position, value in enumerate(values):
        if type(value) is not int:
            raise RecordError(f"{where}, {key}, position {position}: an integer is expected, not {value!r:.60}")
    return values


def _check_agents(record: Record, where: str) -> None:
    agents, players = record["agents"], record["players"]
    if not isinstance(agents, list) or len(agents) != players or not all(isinstance(name, str) for name in agents):
        raise RecordError(f"{where}: agents must be a list of {players} names, not {agents!r:.60}")


def _check_optional(record: Record, players: int, where: str) -> None:
    if "seed" in record and not 0 <= _integer(record, "seed", where) < SEEDS:
        raise RecordError(f"{where}: seed must be an integer from 0 to {SEEDS - 1}, not {record['seed']}")
    if "agents" in record:
        _check_agents(record, where)
    if "note" in record and not isinstance(record["note"], str):
        raise RecordError(f"{where}: note must be a text, not {record['note']!r:.60}")
    if "scores" in record and len(_integers(record, "scores", where)) != players:
        raise RecordError(f"{where}: scores must be {players} integers, not {len(record['scores'])}")


def _check_chance(match: Match, chance: list[int], after: str, where: str) -> None:
    """The generator took over where the record's outcomes ran out."""
    if len(match.chance) > len(chance):
        raise RecordError(
            f"{where}, chance, position {len(chance)}: an outcome is missing; {after} needs "
            f"{len(match.chance)} in all, not {len(chance)}"
        )


def _check_end(record: Record, match: Match, where: str) -> None:
    if match.pending_chance:
        used = len(match.chance)
        raise RecordError(
            f"{where}, chance, position {used}: {match.pending_chance} outcomes are left over after the last action"
        )
    if not match.is_over:
        if "scores" in record:
            raise RecordError(
                f"{where}: scores are given, but the game is not finished after {len(match.actions)} actions"
            )
        return
    if "scores" not in record:
        raise RecordError(f"{where}: the game is finished, but scores are missing; expected {match.scores}")
    if record["scores"] != match.scores:
        raise RecordError(f"{where}: scores are {record['scores']}, but the game ends with {match.scores}")


def dumps(record: Record) -> str:
    """A record as one line of JSON."""
    return json.dumps(record, separators=(", ", ": "))


def loads(text: str, where: str = "record") -> Record:
    """A record from its JSON text, not yet replayed.

    Raises:
        RecordError: it is no JSON, or an object has a key twice.
    """

    def unique(pairs: list[tuple[str, Any]]) -> Record:
        fields: Record = {}
        for key, value in pairs:
            if key in fields:
                raise RecordError(f"{where}: the key {key!r} is repeated")
            fields[key] = value
        return fields

    def refuse(constant: str) -> Any:
        raise RecordError(f"{where}: {constant} is not JSON")

    try:
        record = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        raise RecordError(f"{where}: not JSON: {error.msg} at column {error.colno}") from None
    except ValueError:
        raise RecordError(f"{where}: not a record: an integer has too many digits") from None
    except RecursionError:
        raise RecordError(f"{where}: not a record: nested too deeply") from None
    if not isinstance(record, dict):
        raise RecordError(f"{where}: a record is a JSON object, not {record!r:.60}")
    return record


def write(path: str | Path, records: Iterable[Record], append: bool = False) -> None:
    """Writes records to a file, one line each; a compressed file that is appended to grows by a member.

    Raises:
        RecordError: something is no record, or the file can't be written; what was there before stays.
    """
    path = Path(path)
    if isinstance(records, dict):
        raise RecordError(f"{path}: a list of records is written, not one record")
    lines = []
    for number, record in enumerate(records):
        _check_keys(record, f"record {number}")
        try:
            lines.append(dumps(record) + "\n")
        except (TypeError, ValueError) as error:
            raise RecordError(f"{path}: record {number} is no JSON: {error}") from None
    part = path.with_name(f"part-{path.name}")
    try:
        if append:
            with _open(path, "a") as file:
                file.writelines(lines)
        else:
            with _open(part, "w") as file:
                file.writelines(lines)
            part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RecordError(f"{path}: can't be written: {error.strerror}") from None


def read(path: str | Path) -> Iterator[Match]:
    """Replays a file of records, one after the other.

    Raises:
        RecordError: naming the file and the line.
    """
    for where, record in scan(path):
        yield replay(record, where)


def scan(path: str | Path) -> Iterator[tuple[str, Record]]:
    """The records of a file, not yet replayed, each after the words that name its place in errors.

    Raises:
        RecordError: naming the file and the line.
    """
    path = Path(path)
    line = 0
    try:
        with _open(path, "r") as file:
            for line, text in enumerate(file, start=1):  # used in the except below
                where = f"{path}, line {line}"
                yield where, loads(text, where)
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        if isinstance(error, FileNotFoundError):
            raise RecordError(f"{path}: no such file") from None
        raise RecordError(f"{path}, after line {line}: can't be read: {error}") from None


def _open(path: Path, mode: str) -> IO[str]:
    if path.suffix == ".gz":
        return io.TextIOWrapper(gzip.GzipFile(path, mode + "b"), encoding="utf-8")
    if path.suffix == ".zst":
        try:
            import zstandard
        except ImportError:
            raise InputError(f"{path}: .zst files need the package zstandard (pip install 'manjerico[zstd]')") from None
        if mode == "r":
            return io.TextIOWrapper(io.BufferedReader(_ZstdFile(path)), encoding="utf-8")
        checked = zstandard.ZstdCompressor(write_checksum=True)
        return io.TextIOWrapper(zstandard.open(path, mode + "b", cctx=checked), encoding="utf-8")
    return path.open(mode, encoding="utf-8")


class _ZstdFile(io.RawIOBase):
    """Reads frame after frame of a file; zstandard's own reader takes a truncated file for a complete one."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._text = self._decompress()
        self._unread = b""

    def _decompress(self) -> Iterator[bytes]:
        import zstandard

        frame, rest = None, b""
        while rest or (rest := self._file.read(io.DEFAULT_BUFFER_SIZE)):
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            try:
                yield frame.decompress(rest)
            except zstandard.ZstdError as error:
                raise OSError(str(error)) from None
            rest = frame.unused_data
            if frame.eof:
                frame = None
        if frame is not None:
            raise EOFError("Compressed file ended before the end of a frame was reached")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._unread and (text := next(self._text, None)) is not None:
            self._unread = text
        size = min(len(buffer), len(self._unread))
        buffer[:size], self._unread = self._unread[:size], self._unread[size:]
        return size

    def close(self) -> None:
        self._file.close()
        super().close()
