"""The commands of ``manjerico`` for people: play, watch, replay, show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from manjerico.core.errors import InputError, integer, shown
from manjerico.core.game import Game, find
from manjerico.core.match import Match
from manjerico.experiments import saves, screen
from manjerico.experiments.play import INTERRUPTED, Session
from manjerico.experiments.replay import Replay
from manjerico.experiments.table import HUMAN, Table
from manjerico.experiments.watch import watch as watch_game

app = typer.Typer()

Seed = Annotated[int | None, typer.Option(help="Decides all chance; by default a fresh one.")]
Preset = Annotated[str | None, typer.Option("--rules", metavar="PRESET", help="The rules, by the name of a preset.")]
Start = Annotated[int, typer.Option(help="The seat that starts.")]
Number = Annotated[int | None, typer.Option("--game", metavar="K", help="Which game of a file of many, from 1.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A file of recorded games.")]
LONGEST_DELAY = 3600.0


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game, for example azul.")] = None,
    against: Annotated[
        list[str],
        typer.Option(
            metavar="AGENT",
            help='Who plays against you: one agent on all other seats, or repeated, one for each; "human" is a person.',
        ),
    ] = [],  # noqa: B006  # typer's way to say: none
    players: Annotated[int | None, typer.Option(help="The number of players.")] = None,
    rules: Preset = None,
    seed: Seed = None,
    seat: Annotated[int, typer.Option(help="Your seat.")] = 0,
    start: Start = 0,
    hints: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Who gives hints; by default the first opponent.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Goes on with a game that was left.")] = None,
) -> None:
    """Plays a game with you in the terminal.

    Type a move's number, or some of its words to find it; ? lists what else there is: undo, hint, save, quit. A game
    that is left, also by Ctrl-C, is saved, and --resume goes on with it.
    """
    console = screen.open_console()
    with console.status("Setting up ..."):
        if resume is None:
            if game is None:
                raise InputError("play takes a game, for example: manjerico play azul --against greedy")
            table = _laid(find(game), against, players, rules, seed, seat, start)
        else:
            if against or players is not None or rules or seed is not None or seat or start:
                raise InputError("--resume goes on as the game began: besides it only --hints can be given")
            table = saves.resume(resume)
            if game not in (None, table.match.game.name):
                raise InputError(f"{resume} is a game of {table.match.game.name}, not of {game}")
        session = Session(table, console, hints, resume)
    raise typer.Exit(session.run())


def _laid(
    game: Game, against: list[str], players: int | None, preset: str | None, seed: int | None, seat: int, start: int
) -> Table:
    """A table for a new game, in which the person has a seat."""
    if players is None:
        players = len(against) + 1 if len(against) > 1 else max(2, game.players[0])
    others = game.check_players(players) - 1
    named = against or [game.strongest] * (others > 0)
    if len(named) == 1 < others:
        named = named * others
    if len(named) != others:
        raise InputError(f"--against names {len(named)} opponents for {others} other seats: name one for all, or each")
    integer(seat, "--seat", 0, others)
    integer(start, "--start", 0, others)
    match = Match(game, players, game.preset_rules(preset), seed, start)
    return Table([match], [*named[:seat], HUMAN, *named[seat:]])


@app.command()
def watch(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, for example azul.")],
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="Who plays, by seat.")],
    rules: Preset = None,
    seed: Seed = None,
    start: Start = 0,
    delay: Annotated[
        float | None, typer.Option(help="Seconds before each decision; by default 0.5 in a terminal.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Writes the game's record to a new file.")
    ] = None,
) -> None:
    """Lets agents play against each other on the screen; in a pipe it tells their decisions in words."""
    console = screen.open_console()
    _check_delay(delay)
    if HUMAN in agents:
        raise InputError("watch is for agents only: manjerico play has seats for people")
    if file is not None and file.exists():
        raise InputError(f"--record {file}: is there already; name a new file")
    with console.status("Setting up ..."):
        kind = find(game)
        table = Table([Match(kind, len(agents), kind.preset_rules(rules), seed, start)], agents)
        if file is not None:
            saves.save(file, table)  # rather now than after a long game one hears that it can't be written
    try:
        watch_game(table, console, delay)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    finally:
        if file is not None:
            saves.save(file, table)


@app.command()
def replay(
    file: File,
    number: Number = None,
    delay: Annotated[
        float | None, typer.Option(help="Seconds for each decision, to go on by itself; by default keys decide.")
    ] = None,
) -> None:
    """Replays a recorded game: step by step in a terminal, in a pipe all of it in words."""
    _check_delay(delay)
    try:
        Replay(*saves.load(file, number), screen.open_console()).run(delay)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


@app.command()
def show(
    file: File,
    number: Number = None,
    at: Annotated[
        int | None, typer.Option(metavar="N", help="After how many decisions; by default at the end.")
    ] = None,
) -> None:
    """Shows a position of a recorded game, and what came next."""
    Replay(*saves.load(file, number), screen.open_console()).show(at)


def _check_delay(delay: float | None) -> None:
    if delay is not None and not 0 <= delay <= LONGEST_DELAY:
        raise InputError(f"--delay must be a number from 0 to {LONGEST_DELAY:.0f}, not {shown(delay)}")
