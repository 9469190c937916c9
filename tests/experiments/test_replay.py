"""Looking on: games of agents, and recorded games, at a pipe and at a terminal."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from click.testing import Result
from subjects import ARRAIAL_2, AZUL_2
from terminal import Terminal, piped
from typer.testing import CliRunner

from manjerico.core import record
from manjerico.core.errors import InputError
from manjerico.core.match import Match
from manjerico.experiments.cli import app


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def azul() -> Match:
    """A finished game, in ``games.jsonl.zst`` before an unfinished one of Arraial."""
    match = AZUL_2.played(7)
    others = ARRAIAL_2.played(7, decisions=12)
    record.write("games.jsonl.zst", [record.of_match(match, ["anna", "berta"]), record.of_match(others)])
    return match


def run(*arguments: str) -> Result:
    result: Result = CliRunner().invoke(app, arguments)
    return result


def told(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


# --- watch -----------------------------------------------------------------------------------------------------------


def test_watch_at_a_pipe(tmp_path: Path) -> None:
    options = ["--seed", "3", "--record", "game.jsonl"]
    done = piped("watch", "azul", "greedy", "random", *options, typed="", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    ((_, found),) = record.scan("game.jsonl")
    assert (found["agents"], found["seed"]) == (["greedy", "random"], 3)
    numbers = re.findall(r"^ *(\d+)\. player_[01] \((?:greedy|random)\): ", done.stdout, re.MULTILINE)
    assert numbers == [str(k + 1) for k in range(len(found["actions"]))]
    assert f"[{':'.join(map(str, found['scores']))}]" in done.stdout


def test_watch_at_a_terminal(tmp_path: Path) -> None:
    options = ["--seed", "3", "--delay", "0"]
    with Terminal("watch", "arraial", "greedy", "random", *options, cwd=tmp_path) as terminal:
        assert terminal.end() == 0
        assert "\x1b[1A\x1b[2K" in terminal.seen  # redrawn in place
        assert "coloured" in terminal.seen.rpartition("the game is over")[2]


def test_watch_can_be_stopped(tmp_path: Path) -> None:
    options = ["--delay", "100", "--record", "game.jsonl"]
    with Terminal("watch", "azul", "greedy", "random", *options, cwd=tmp_path) as terminal:
        terminal.read_until("to decide")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
        assert "Traceback" not in terminal.seen
    (match,) = record.read("game.jsonl")
    assert not match.is_over


# --- replay and show -------------------------------------------------------------------------------------------------


def test_replay_at_a_pipe(azul: Match) -> None:
    out = told("replay", "games.jsonl.zst", "--game", "1")
    lines = re.findall(r"^ *(\d+)\. player_([01]) \((anna|berta)\): ", out, re.MULTILINE)
    assert [int(number) for number, *_ in lines] == list(range(1, len(azul.actions) + 1))
    assert re.search(rf"player_0 \(anna\) .* {azul.scores[0]} ", out)
    assert "placements" in out


@pytest.mark.usefixtures("azul")
def test_replay_of_an_unfinished_game_without_names() -> None:
    out = told("replay", "games.jsonl.zst", "--game", "2")
    assert re.search(r"^  12\. player_[01]: ", out, re.MULTILINE)
    assert "here the record ends" in out


def test_replay_by_keys(azul: Match, tmp_path: Path) -> None:
    last = len(azul.actions)
    with Terminal("replay", "games.jsonl.zst", "--game", "1", cwd=tmp_path) as terminal:
        for keys, at in (
            ("", 0),
            ("\r", 1),
            (" ", 2),
            ("p", 1),
            ("p", 0),
            ("57\r", 57),
            ("9999\r", last),
            ("p", last - 1),
        ):
            terminal.type(keys)
            terminal.read_until(rf"{at} of {last}: Enter next")
        terminal.type("q")
        assert terminal.end() == 0


def test_replay_by_itself(azul: Match, tmp_path: Path) -> None:
    with Terminal("replay", "games.jsonl.zst", "--game", "1", "--delay", "0", cwd=tmp_path) as terminal:
        assert terminal.end() == 0
        assert f"{len(azul.actions)} of {len(azul.actions)}" in terminal.seen


def test_show(azul: Match) -> None:
    stage = AZUL_2.played(7, decisions=57)
    out = " ".join(told("show", "games.jsonl.zst", "--game", "1", "--at", "57").split())
    assert f"after 57 of {len(azul.actions)} decisions; next, player_{stage.current_player}" in out
    assert stage.describe(azul.actions[57]) in out
    assert str(stage).splitlines()[1].strip(" │") in out
    assert "placements" in told("show", "games.jsonl.zst", "--game", "1")


# --- Mistakes --------------------------------------------------------------------------------------------------------

MISTAKES = [
    ("watch azul greedy", "azul: num_players must be one of 2, 3, 4, not 1"),
    ("watch azul greedy human", "watch is for agents only: manjerico play has seats for people"),
    ("watch azul greedy greedy --delay -1", "--delay must be a number from 0 to 3600, not -1.0"),
    ("watch azul greedy greedy --delay nan", "--delay must be a number from 0 to 3600, not nan"),
    ("watch azul greedy greedy --start 2", "start must be an integer from 0 to 1, not 2"),
    (
        "watch azul greedy greedy --record games.jsonl.zst",
        "--record games.jsonl.zst: is there already; name a new file",
    ),
    ("watch azul greedy greedy --record no/where.jsonl", "no/where.jsonl: can't be written: No such file or directory"),
    ("replay none.jsonl", "none.jsonl: no such file"),
    ("replay empty.jsonl", "empty.jsonl: holds no game"),
    ("replay text.jsonl", "text.jsonl, line 1: not JSON: Expecting value at column 1"),
    ("replay games.jsonl.zst", "games.jsonl.zst holds 2 games: name one of them by --game, from 1 to 2"),
    (
        "replay games.jsonl.zst --game 3",
        "games.jsonl.zst holds 2 games: .*--game, must be an integer from 1 to 2, not 3",
    ),
    ("replay games.jsonl.zst --game 0", "--game, must be an integer from 1 to 2, not 0"),
    ("show games.jsonl.zst --game 2 --at 13", "--at must be an integer from 0 to 12, not 13"),
    ("show games.jsonl.zst --game 2 --at -1", "--at must be an integer from 0 to 12, not -1"),
]


@pytest.mark.usefixtures("azul")
@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_mistakes(arguments: str, message: str) -> None:
    Path("text.jsonl").write_text("Once upon a time")
    Path("empty.jsonl").touch()
    before = sorted(Path().iterdir())
    result = run(*arguments.split())
    assert isinstance(result.exception, InputError), result.output
    assert re.search(message, str(result.exception))
    assert "\n" not in str(result.exception)
    assert sorted(Path().iterdir()) == before
