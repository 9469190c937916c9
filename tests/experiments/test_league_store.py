"""A league's file: whole units or none, and a sentence for everything that can be wrong with it."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest

from azul_env import AzulRules
from manjerico.agents.alphazero import shipped
from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.experiments.league_games import League, Unit, play
from manjerico.experiments.league_store import Store, digest

AZUL = find("azul")
LEAGUE = League(AZUL, 2, AZUL.default_rules, 7)
TWO = {"random": "", "greedy": ""}
META = {"started": "2026-12-01T12:00:00+00:00", "command": ["tournament"], "versions": {"numpy": "2.4"}, "git": "abc"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A league of random and greedy with a unit of two deals."""
    with Store(tmp_path / "league.sqlite", LEAGUE) as store:
        store.enter(LEAGUE, TWO)
        store.note_call(META)
        store.add(play(LEAGUE, Unit(("greedy", "random"), (0, 3))))
    return tmp_path / "league.sqlite"


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()


def read_all(path: Path) -> None:
    """All that a league needs of its file."""
    with Store(path, LEAGUE) as store:
        store.enter(LEAGUE, TWO)
        list(store.games())


def test_what_was_saved_is_read(path: Path) -> None:
    with Store(path) as store:
        assert store.league() == LEAGUE
        assert store.agents() == ["random", "greedy"]
        assert store.deals() == {("greedy", "random"): {0, 3}}
        assert store.calls() == [META]
        games = list(store.games())
    expected = play(LEAGUE, Unit(("greedy", "random"), (0, 3)))
    assert [game.record for game in games] == [game.record for game in expected]
    assert [game.sources for game in games] == [game.sources for game in expected]
    assert [game.seats for game in games] == [game.seats for game in expected]


def test_no_game_counts_twice(path: Path) -> None:
    """Of a unit with a game that is there already nothing is saved, and the rest stays."""
    with Store(path) as store:
        with pytest.raises(InputError, match="UNIQUE constraint failed"):
            store.add(play(LEAGUE, Unit(("greedy", "random"), (2, 3))))
        assert len(list(store.games())) == 4


def test_others_may_read_meanwhile(path: Path) -> None:
    with Store(path) as writer, Store(path) as reader:
        writer.note_call(META)
        before = reader.games()
        next(before)
        writer.add(play(LEAGUE, Unit(("greedy", "random"), (1,))))
        assert len(list(before)) == 3
        assert len(list(reader.games())) == 6


def test_a_file_in_which_nothing_was_written_yet(tmp_path: Path) -> None:
    path = tmp_path / "league.sqlite"
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.close()
    with Store(path, LEAGUE) as store:
        assert store.league() == LEAGUE


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (League(find("arraial"), 2, find("arraial").default_rules, 7), "was begun with game azul, not arraial"),
        (League(AZUL, 3, AZUL.default_rules, 7), "was begun with players 2, not 3"),
        (League(AZUL, 2, AzulRules.digest(), 7), r"was begun under other rules \(pillar_tiles 1, not 2, .*\)"),
        (League(AZUL, 2, AZUL.default_rules, 8), "was begun with seed 7, not 8"),
    ],
)
def test_another_league(path: Path, other: League, message: str) -> None:
    with Store(path, other) as store, pytest.raises(InputError, match=f"{message}; choose another folder with --out"):
        store.enter(other, TWO)


def test_agents_may_come_but_not_go(path: Path) -> None:
    with Store(path) as store:
        store.enter(LEAGUE, {"last": "", **TWO})
        assert store.agents() == ["random", "greedy", "last"]
        with pytest.raises(InputError, match="'last' plays there too: name it"):
            store.enter(LEAGUE, TWO)


def test_an_agent_s_file_may_not_change(path: Path) -> None:
    with Store(path) as store:
        store.enter(LEAGUE, {**TWO, "net": "a"})
        store.enter(LEAGUE, {**TWO, "net": "a"})
        with pytest.raises(InputError, match="agent 'net' has another file than before"):
            store.enter(LEAGUE, {**TWO, "net": "b"})


def test_the_digest_of_an_agent_s_files(tmp_path: Path) -> None:
    greedy, file = LEAGUE.make("greedy"), tmp_path / "model.pt"
    assert digest("greedy", greedy) == digest("net:count=3", greedy) == digest(f"net:{file}", greedy) == ""
    file.write_bytes(b"first")
    first = digest(f"net:file={file},count=3", greedy)
    file.write_bytes(b"second")
    assert "" != first != digest(f"net:file={file},count=3", greedy) != ""


def test_the_digest_of_the_package_s_model() -> None:
    for spec in ("alphazero", "alphazero:simulations=0"):
        found = digest(spec, LEAGUE.make(spec))
        assert found == hashlib.sha256(shipped(AZUL, 2).read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA user_version = 9", r"another version of manjerico \(its format is 9, this version's 1\)"),
        ("PRAGMA application_id = 1", "is no league"),
    ],
)
def test_other_databases(path: Path, statement: str, message: str) -> None:
    change(path, statement)
    with pytest.raises(InputError, match=message):
        Store(path, LEAGUE)


def test_games_of_another_version_of_the_game(path: Path) -> None:
    change(path, "UPDATE league SET game_version = 5")
    with Store(path) as store, pytest.raises(InputError, match="holds games of azul_v5, not of azul_v0"):
        store.enter(LEAGUE, TWO)


def test_a_text_is_no_league(tmp_path: Path) -> None:
    path = tmp_path / "league.sqlite"
    path.write_text("Whoever reads this is no database. " * 100)
    with pytest.raises(InputError, match=r"is no league, or damaged \(file is not a database\)"):
        Store(path, LEAGUE)
    assert path.read_text().startswith("Whoever")


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_file_that_was_cut_off(path: Path, kept: float) -> None:
    path.write_bytes(path.read_bytes()[: int(kept * path.stat().st_size)])
    with pytest.raises(InputError, match="damaged"):
        Store(path, LEAGUE)


def test_a_file_with_foreign_bytes_in_it(path: Path) -> None:
    whole = path.read_bytes()
    for page in range(1, len(whole) // 4096):
        path.write_bytes(whole[: 4096 * page] + 4096 * b"\xa5" + whole[4096 * (page + 1) :])
        with pytest.raises(InputError, match=r"league\.sqlite: "):
            read_all(path)


def test_a_list_that_is_no_json(path: Path) -> None:
    change(path, "UPDATE games SET scores = '[1, '")
    with Store(path) as store, pytest.raises(InputError, match="damaged"):
        list(store.games())


def test_there_must_be_a_file_to_report_on(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Store(tmp_path / "league.sqlite")
    assert not list(tmp_path.iterdir())
