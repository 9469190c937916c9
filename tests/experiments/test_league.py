"""Leagues as a user has them: by the command, stopped and gone on with, extended, and with mistakes."""

from __future__ import annotations

import io
import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from manjerico.core import record
from manjerico.core.errors import InputError
from manjerico.experiments import league, league_report

Start = Callable[..., "subprocess.Popen[str]"]

COMMAND = [sys.executable, "-c", "from manjerico.experiments.cli import main; main()", "tournament"]


@pytest.fixture
def start(tmp_path: Path, agents_path: str) -> Start:
    """Begins a command in a folder of its own."""

    def begin(*arguments: str, limit: int | None = None) -> subprocess.Popen[str]:
        def limited() -> None:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.Popen(  # noqa: S603  # our own
            [*COMMAND, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": agents_path, "COLUMNS": "80"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limited,
            start_new_session=True,
        )

    return begin


def rows(folder: Path) -> list[tuple[object, ...]]:
    """What is in the file, but for times and calls."""
    database = sqlite3.connect(folder / "league.sqlite")
    found = database.execute(
        "SELECT agents, deal, rotation, seats, scores, places, decisions, sources, profile, record FROM games "
        "ORDER BY agents, deal, rotation"
    ).fetchall()
    database.close()
    return found


def play(
    folder: Path,
    *agents: str,
    games: int = 12,
    workers: int = 1,
    game: str = "arraial",
    players: int = 2,
    self_play: bool = False,
) -> None:
    console = Console(file=io.StringIO(), width=80)
    league.play_missing(league.agree(game, players, None, 5), agents, games, workers, folder, console, self_play)
    league.report(game, folder, None, console)


def wait_for_games(folder: Path, process: subprocess.Popen[str], count: int) -> None:
    """Until so many games are saved."""
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        time.sleep(0.02)
        if (folder / "league.sqlite").exists():
            try:
                if len(rows(folder)) >= count:
                    return
            except sqlite3.Error:  # it is being made
                continue
    raise AssertionError(process.communicate())


# --- The same games, however they are played -------------------------------------------------------------------------


@pytest.mark.usefixtures("agents_path")
def test_the_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    agents = ["random", "greedy", "best", "noisy"]
    play(tmp_path / "one", *agents, games=6)
    play(tmp_path / "two", *agents, games=6, workers=2)
    assert rows(tmp_path / "one") == rows(tmp_path / "two")
    assert len(rows(tmp_path / "one")) == 6 * 6


@pytest.mark.usefixtures("agents_path")
def test_more_games_and_more_agents(tmp_path: Path) -> None:
    """A league that grew holds the same games as one that was played at once, and each only once."""
    grown, once = tmp_path / "grown", tmp_path / "once"
    play(grown, "random", "greedy", games=4)
    first = rows(grown)
    play(grown, "last", "random", "greedy", games=4)
    play(grown, "last", "random", "greedy", games=9)
    play(once, "greedy", "random", "last", games=9)
    assert rows(grown) == rows(once)
    assert set(first) <= set(rows(grown))
    assert len(rows(once)) == 3 * 10  # five deals
    found = json.loads((grown / "report.json").read_text())
    assert len(found["league"]["calls"]) == 3
    play(grown, "last", "random", "greedy", games=2)  # nothing is missing
    assert rows(grown) == rows(once)


def test_self_play_counts_for_no_rating(tmp_path: Path) -> None:
    play(tmp_path, "random", "greedy", games=6)
    before = json.loads((tmp_path / "report.json").read_text())
    assert [row["self_play"] for row in before["ladder"]] == [None, None]
    play(tmp_path, "random", "greedy", games=6, self_play=True)
    found = json.loads((tmp_path / "report.json").read_text())
    alone = [json.loads(str(row[4])) for row in rows(tmp_path) if len(set(json.loads(str(row[3])))) == 1]
    assert len(alone) == 2 * 3  # a game of each deal
    assert found["league"]["games"] == 12
    assert [row["self_play"]["games"] for row in found["ladder"]] == [3, 3]
    assert sum(row["self_play"]["value"] for row in found["ladder"]) == pytest.approx(sum(map(sum, alone)) / 6)
    assert found["cross"] == before["cross"]
    assert [row["rating"] for row in found["ladder"]] == [row["rating"] for row in before["ladder"]]
    assert found["profile"] == before["profile"]


@pytest.mark.parametrize(("game", "players"), [("azul", 3), ("arraial", 4)])
def test_records_in_the_file_replay(tmp_path: Path, game: str, players: int) -> None:
    play(tmp_path / "league", "random", "greedy", games=players, game=game, players=players)
    found = rows(tmp_path / "league")
    assert len(found) == players * len(league.tables(["greedy", "random"], players))
    for row in found:
        assert record.replay(record.loads(str(row[-1]))).scores == json.loads(str(row[4]))


# --- Stops -----------------------------------------------------------------------------------------------------------

SLOW = ["arraial", "best:pause=0.002", "random", "greedy", "--games", "30", "--out", "league", "--seed", "5"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_league_goes_on(tmp_path: Path, start: Start, workers: str) -> None:
    """Killed twice without warning, then finished: no game is lost or played twice."""
    saved = 0
    for count in (6, 30):
        process = start(*SLOW, "--workers", workers)
        wait_for_games(tmp_path / "league", process, count)
        process.kill()
        process.communicate()
        assert count <= len(rows(tmp_path / "league")) < 90
        assert len(rows(tmp_path / "league")) >= saved
        saved = len(rows(tmp_path / "league"))
    process = start(*SLOW, "--workers", workers)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert "best:pause=0.002" in output
    play(tmp_path / "whole", "best:pause=0.002", "random", "greedy", games=30)
    assert rows(tmp_path / "league") == rows(tmp_path / "whole")
    assert len(rows(tmp_path / "whole")) == 90


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c(tmp_path: Path, start: Start, workers: str) -> None:
    process = start(*SLOW, "--workers", workers)
    wait_for_games(tmp_path / "league", process, 4)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, which all processes hear
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert output.strip().splitlines()[-1] == "Saved. The same command goes on."
    assert "Traceback" not in errors
    assert 4 <= len(rows(tmp_path / "league")) < 90


def test_workers_end_with_the_process_that_began_them(tmp_path: Path, start: Start) -> None:
    process = start(*SLOW, "--workers", "2")
    wait_for_games(tmp_path / "league", process, 2)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        pytest.skip("needs Linux's list of children")
    workers = children.read_text().split()
    assert len(workers) >= 2
    process.kill()
    process.communicate()
    until = time.monotonic() + 30
    while any(Path(f"/proc/{worker}/stat").exists() for worker in workers) and time.monotonic() < until:
        time.sleep(0.1)
    assert not [worker for worker in workers if Path(f"/proc/{worker}/stat").exists()]


# --- Mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess", "random", "greedy"], "game must be one of arraial, azul, not 'chess'"),
        (["azul", "random", "gredy"], "agent of azul must be one of .*greedy.*, not 'gredy' .did you mean 'greedy'?"),
        (["azul", "random", "greedy:3"], "greedy takes no parameters"),
        (["azul", "random", "best:paus=1"], "parameter must be one of pause, not 'paus'"),
        (["azul", "random", "greedy", "random"], "agent 'random' is named twice"),
        (["azul", "random"], "a league needs two agents at least, not 1"),
        (["azul"], "a league needs two agents at least, not 0"),
        (["azul", "random", "greedy", "--players", "5"], "num_players must be one of 2, 3, 4, not 5"),
        (["arraial", "random", "greedy", "--players", "1"], "--players must be at least 2, not 1"),
        (["azul", "random", "greedy", "--rules", "digset"], "--rules must be one of .* .did you mean 'digest'?"),
        (["azul", "random", "greedy", "--games", "0"], "--games must be an integer from 1 to"),
        (["azul", "random", "greedy", "--seed", "-1"], "--seed must be an integer from 0 to"),
        (["azul", "random", "greedy", "--workers", "0"], "--workers must be an integer from 1 to"),
        (["azul", "--report-only"], "results/league-azul-2/league.sqlite: no such file"),
        (["azul", "random", "greedy", "--out", "/proc/league"], "/proc/league: can't be made"),
    ],
)
def test_mistakes(tmp_path: Path, start: Start, arguments: list[str], message: str) -> None:
    """One sentence, and nothing is made."""
    process = start(*arguments)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert len(errors.strip().splitlines()) == 1
    assert re.search(message, errors)
    assert output == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_agent_that_cheats(start: Start, workers: str) -> None:
    process = start("azul", "illegal", "random", "--games", "300", "--workers", workers)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert re.fullmatch(r"manjerico: agent 'illegal': azul: action \d+ is not legal in game \d+\n", errors)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_agent_with_a_bug(start: Start, workers: str) -> None:
    """Its author wants the traceback, and to know which of the agents it was."""
    process = start("azul", "crashing", "random", "--games", "300", "--workers", workers)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "raise IndexError(observations.shape[1])" in errors
    assert "Raised while the agent 'crashing' decided." in errors


def test_a_worker_that_dies(tmp_path: Path, start: Start) -> None:
    """The third pair kills its process: what the others played before is saved."""
    agents = ["greedy", "last", "dying:after=90"]
    process = start("arraial", *agents, "--games", "300", "--workers", "2", "--out", "league")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert errors.startswith("manjerico: a worker ended before its games were over")
    assert len(errors.strip().splitlines()) == 1
    assert len(rows(tmp_path / "league")) % 2 == 0


def test_two_leagues_in_one_folder(tmp_path: Path, start: Start) -> None:
    first = start(*SLOW, "--workers", "1")
    wait_for_games(tmp_path / "league", first, 2)
    _, errors = start(*SLOW, "--workers", "1").communicate(timeout=120)
    assert errors == "manjerico: league: another process is at work there\n"
    first.kill()
    first.communicate()


def test_a_full_disk(tmp_path: Path, start: Start) -> None:
    """As files that may not grow: what was saved before is whole, and the league goes on where there is room."""
    arguments = "arraial", "random", "greedy", "--games", "700", "--out", "league", "--seed", "5", "--workers", "1"
    process = start(*arguments, limit=1_000_000)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert re.fullmatch(r"manjerico: league/league.sqlite: can't be .*; what was saved before is still there\n", errors)
    saved = rows(tmp_path / "league")
    assert 0 < len(saved) < 700
    process = start(*arguments)
    assert process.wait(120) == 0
    process.communicate()
    assert len(rows(tmp_path / "league")) == 700
    assert set(saved) <= set(rows(tmp_path / "league"))


def test_a_league_of_another_game(tmp_path: Path) -> None:
    play(tmp_path / "league", "random", "greedy", games=2)
    with pytest.raises(InputError, match="holds a league of arraial, not of azul"):
        league.report("azul", tmp_path / "league", None, Console())


# --- Reports ---------------------------------------------------------------------------------------------------------


def test_the_report(tmp_path: Path, start: Start) -> None:
    """Its files, its figures against the games, and that it needs no other file."""
    process = start("azul", "random", "greedy", "last", "--games", "40", "--workers", "1", "--docs", "docs/ladder.md")
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert max(len(line.rstrip()) for line in output.splitlines()) <= 80
    folder = tmp_path / "results" / "league-azul-2"
    found = json.loads((folder / "report.json").read_text())
    assert [row["agent"] for row in found["ladder"]] == ["greedy", "random", "last"]
    assert sum(row["rating"]["value"] for row in found["ladder"]) == pytest.approx(0)
    assert [row["games"] for row in found["ladder"]] == [80, 80, 80]
    played = [(json.loads(str(row[3])), json.loads(str(row[4]))) for row in rows(folder)]
    both = [dict(zip(seats, scores, strict=True)) for seats, scores in played if set(seats) == {"random", "last"}]
    (cell,) = [c for c in found["cross"] if (c["agent"], c["opponent"]) == ("random", "last")]
    leads = [scores["random"] - scores["last"] for scores in both]
    assert cell["games"] == len(leads) == 40
    assert cell["score"] - cell["theirs"] == pytest.approx(sum(leads) / 40)
    assert cell["win_rate"]["value"] == pytest.approx(sum((lead > 0) + (lead == 0) / 2 for lead in leads) / 40)
    for agent in found["profile"]:
        points = agent["sources"]
        assert agent["score"] == pytest.approx(
            5 + points["placements"] + points["stars"] + points["numbers"] - points["losses"]
        )
        assert 0 <= agent["profile"]["tiles placed"] <= 42
    page = (folder / "report.html").read_text()
    assert page.count("data:image/svg+xml;base64,") == 2
    assert not re.search(r'(src|href)="(?!data:)', page)
    text = (tmp_path / "docs" / "ladder.md").read_text()
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", text):
        assert (tmp_path / "docs" / picture).read_bytes().startswith(b"\x89PNG")
    assert (
        text.replace("ladder-ladder", "report-ladder").replace("ladder-cross", "report-cross")
        == (folder / "report.md").read_text()
    )
    before = (folder / "report.json").read_text()
    (folder / "report.json").unlink()
    again = start("azul", "--report-only")
    again.communicate(timeout=60)
    assert again.returncode == 0
    assert (folder / "report.json").read_text() == before


def test_a_report_names_what_only_the_prior_decides(tmp_path: Path) -> None:
    play(tmp_path / "league", "random", "greedy", games=20, game="azul")
    found = json.loads((tmp_path / "league" / "report.json").read_text())
    assert found["groups"] == [["greedy"], ["random"]]
    (note,) = league_report.notes(found)
    assert "the better one won every comparison: greedy; random" in note
    assert note in (tmp_path / "league" / "report.md").read_text()


def test_agents_that_have_not_played_yet(tmp_path: Path) -> None:
    """A league that was stopped before its first unit was over."""
    folder = tmp_path / "league"
    agreed = league.agree("arraial", None, None, 0)
    folder.mkdir()
    with league.Store(folder / league.FILE, agreed) as store:
        store.enter(agreed, {"random": "", "greedy": ""})
    with pytest.raises(InputError, match="no game is over yet"):
        league.report("arraial", folder, None, Console())
