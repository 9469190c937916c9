"""A league: agents play each other over the same deals, and are rated.

==================  ==========================================================================================
file                holds
==================  ==========================================================================================
``league.sqlite``   every game with its record (``experiments/league_store.py``)
``report.json``     all figures (``experiments/league_standings.py``)
``report.md``       the same as tables, with its pictures ``report-ladder.png`` and ``report-cross.png``
``report.html``     the same as one page
==================  ==========================================================================================

A second call goes on: with the games that are missing, with further agents, or with more games.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from manjerico.core.agent import Agent
from manjerico.core.errors import InputError, integer
from manjerico.core.files import make_folder
from manjerico.core.game import find
from manjerico.experiments import league_report, runs
from manjerico.experiments.league_games import (
    MOST_DEALS,
    MOST_SEED,
    League,
    Table,
    Unit,
    deals_side_by_side,
    seatings,
    tables,
)
from manjerico.experiments.league_standings import standings
from manjerico.experiments.league_store import Store, digest
from manjerico.experiments.league_workers import play_all
from manjerico.experiments.progress import bar

FILE = "league.sqlite"
MOST_WORKERS = 1024


def folder_of(game: str, players: int, rules: str | None) -> Path:
    """Where a league is unless the user says otherwise."""
    return Path("results") / "-".join(["league", game, str(players), *([rules] if rules else [])])


def agree(game: str, players: int | None, rules: str | None, seed: int) -> League:
    """The league of a command's options.

    Raises:
        InputError: one of them has a value that isn't allowed.
    """
    found = find(game)
    seats = found.check_players(max(found.players[0], 2) if players is None else players)
    if seats < 2:
        raise InputError(f"--players must be at least 2, not {seats}: in a league agents play each other")
    return League(found, seats, found.preset_rules(rules), integer(seed, "--seed", 0, MOST_SEED))


def play_missing(
    league: League,
    agents: Sequence[str],
    games: int,
    workers: int | None,
    folder: Path,
    console: Console,
    self_play: bool = False,
) -> None:
    """Plays what the folder doesn't hold yet.

    Args:
        league: what all games have in common.
        agents: who plays.
        games: how many games each table plays, rounded up to whole deals.
        workers: how many processes play; None: as many as there are cores.
        folder: where the league is.
        console: the terminal.
        self_play: whether each agent also plays itself: one game of each deal, which counts for no rating.

    Raises:
        InputError: an argument is wrong, the folder holds another league, or a game can't be played or saved.
        KeyboardInterrupt: all units that were finished are saved.
    """
    deals = -(-integer(games, "--games", 1, MOST_DEALS) // league.players)
    workers = integer(os.cpu_count() if workers is None else workers, "--workers", 1, MOST_WORKERS)
    made = _make(league, agents)
    make_folder(folder)
    with runs.locked(folder), Store(folder / FILE, league) as store:
        store.enter(league, {spec: digest(spec, agent) for spec, agent in made.items()})
        units = missing(made, tables(agents, league.players, self_play), deals, store.deals())
        if units:
            store.note_call(runs.meta(league.seed, league.rules.as_dict()))
            _play(store, league, units, workers, console)


def report(game: str, folder: Path, docs: Path | None, console: Console) -> None:
    """Writes the report on all games in the folder, and as Markdown with its pictures to another place as well.

    Raises:
        InputError: it holds no league of this game, or a file can't be written.
    """
    with Store(folder / FILE) as store:
        held = store.league().game.name
        if held != game:
            raise InputError(f"{folder}: holds a league of {held}, not of {game}")
        found = standings(store)
    files = league_report.write(folder, found)
    if docs is not None:
        files += league_report.write_markdown(docs, found)
    console.print(league_report.for_terminal(found))
    for note in league_report.notes(found):
        console.print(note, highlight=False)
    for path in files:
        console.print(str(path), soft_wrap=True, highlight=False)


def _make(league: League, agents: Sequence[str]) -> dict[str, Agent]:
    """Each agent once, so that a mistake is known before anything is played."""
    for number, spec in enumerate(agents):
        if spec in agents[:number]:
            raise InputError(f"agent {spec!r} is named twice; a league is between different agents")
    made = {spec: league.make(spec) for spec in agents}
    if len(made) < 2:
        raise InputError(f"a league needs two agents at least, not {len(made)}")
    return made


def missing(
    agents: Mapping[str, Agent], wanted: Sequence[Table], deals: int, played: Mapping[Table, set[int]]
) -> list[Unit]:
    """What is still to be played: the same units whatever was played before, less what was.

    The first deals come first, so that all tables have about as many games at every moment.
    """
    units = []
    for table in wanted:
        size, before = deals_side_by_side([agents[spec] for spec in table]), played.get(table, set())
        for first in range(0, deals, size):
            rest = tuple(deal for deal in range(first, min(first + size, deals)) if deal not in before)
            if rest:
                units.append(Unit(table, rest))
    return sorted(units, key=lambda unit: unit.deals[0])


def _play(store: Store, league: League, units: Sequence[Unit], workers: int, console: Console) -> None:
    """Plays and saves."""
    with bar(console) as progress:
        task = progress.add_task("", total=sum(len(seatings(unit.table, d)) for unit in units for d in unit.deals))
        for games in play_all(league, units, min(workers, len(units))):
            store.add(games)
            progress.update(task, advance=len(games), description=" ".join(games[0].table)[:40])
