"""The command ``manjerico``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.experiments import cli_play

if TYPE_CHECKING:
    from manjerico.experiments.config import TrainConfig


class SteadyConsole(Console):
    """The terminal, whose end is no reason to stop: what is done is written to files."""

    def on_broken_pipe(self) -> None:
        """Goes on without output after the reader of a pipe has left."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    help="Reinforcement-learning environments for board games.", no_args_is_help=True, add_completion=False
)
app.add_typer(cli_play.app)


@app.command()
def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, for example azul.")],
    preset: Annotated[
        str | None,
        typer.Option(help='"demo", the default (1 to 4 minutes on two cores), "long" (25 to 40), "alphazero" (hours).'),
    ] = None,
    changes: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Changes a setting of experiments/config.py: players=3, 'layers=[64,64]'; may be repeated.",
        ),
    ] = [],  # noqa: B006  # typer's way to say: none
    run: Annotated[Path | None, typer.Option(help="The run folder; by default a new one under runs/.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Goes on with the run in the folder --run.")] = False,
) -> None:
    """Trains an agent by self-play, evaluates it and draws its learning curve.

    --set learner=ppo takes the lean PPO, --preset alphazero learns with tree search.

    Ctrl-C stops after the update under way and saves; --resume goes on from there.
    """
    console = SteadyConsole()
    find(game)
    try:
        settings = _resumed(game, run, preset, changes) if resume else _fresh(game, preset or "demo", changes)
        with console.status("Loading PyTorch and Stable-Baselines3 ..."):
            from manjerico.experiments import runs
            from manjerico.experiments.train import Stopped
            from manjerico.experiments.train import train as run_training
    except ModuleNotFoundError as error:
        raise InputError(f"training needs the package {error.name}: install manjerico with its extra train") from None
    folder = run or runs.new_folder(game, preset or "demo")
    try:
        run_training(settings, folder, resume, console)
    except Stopped:
        console.print("Saved, with the model as it is now. To go on:")
        console.print(f"{sys.argv[0]} train {game} --resume --run {folder}", soft_wrap=True, highlight=False)
        raise typer.Exit(130) from None


@app.command()
def balance(
    games: Annotated[int, typer.Option(help="Games for each rule set, number of players and agent.")] = 1000,
    out: Annotated[Path, typer.Option(help="The folder for figures, tables and pictures.")] = Path("results/balance"),
    agent: Annotated[
        list[Path],
        typer.Option(
            metavar="MODEL.zip",
            help="A model trained under the default rules, for one number of players; may be repeated.",
        ),
    ] = [],  # noqa: B006  # typer's way to say: none
    seed: Annotated[int, typer.Option(help="Decides the deals and the random choices.")] = 0,
) -> None:
    """Plays Arraial over the rule parameters that no source settles, and reports what they do to the game.

    Random, greedy, tidy and trained agents each play against themselves. Ctrl-C loses at most the games under way;
    the same command goes on, also with a further --agent.
    """
    console = SteadyConsole()
    try:
        from manjerico.experiments import balance as report
        from manjerico.experiments import balance_report  # noqa: F401  # needed at the end, when it must be there
    except ModuleNotFoundError as error:
        raise InputError(f"balance needs the package {error.name}: install manjerico with its extra train") from None
    try:
        report.run(games, seed, agent, out, console)
    except KeyboardInterrupt:
        console.print("Saved. The same command goes on.")
        raise typer.Exit(130) from None


@app.command()
def agents(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, for example azul.")],
    kind: Annotated[str | None, typer.Argument(metavar="AGENT", help="Whose parameters are explained.")] = None,
) -> None:
    """Lists who can play a game, or explains the parameters of one."""
    from manjerico.experiments import known_agents

    console = SteadyConsole(markup=False, highlight=False)
    console.print(known_agents.details(find(game), kind) if kind else known_agents.listing(find(game)))


@app.command()
def tournament(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, for example azul.")],
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT ...", help="Two or more: random, greedy, or NAME:PARAMETER,KEY=VALUE,..."),
    ] = None,
    games: Annotated[
        int, typer.Option(help="Games for each choice of agents, rounded up to whole deals, each from all seats.")
    ] = 1000,
    players: Annotated[int | None, typer.Option(help="Seats at a table; by default 2.")] = None,
    rules: Annotated[str | None, typer.Option(help="A preset of the rules, by default the game's default.")] = None,
    seed: Annotated[int, typer.Option(help="Decides the deals and the random choices.")] = 0,
    workers: Annotated[int | None, typer.Option(help="Processes that play; by default one for each core.")] = None,
    out: Annotated[Path | None, typer.Option(help="The league's folder; by default one under results/.")] = None,
    self_play: Annotated[
        bool, typer.Option("--self-play", help="Each agent also plays itself, which counts for no rating.")
    ] = False,
    docs: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Writes report and pictures there as well.")
    ] = None,
    report_only: Annotated[bool, typer.Option("--report-only", help="Plays nothing, but reports anew.")] = False,
) -> None:
    """Lets agents play each other over the same deals and rates them: ladder, cross table and how each plays.

    Ctrl-C loses at most the games under way; the same command goes on, also with more agents or more --games.
    """
    console = SteadyConsole()
    try:
        from manjerico.experiments import league
    except ModuleNotFoundError as error:
        raise InputError(f"a league needs the package {error.name}: install manjerico with its extra train") from None
    agreed = league.agree(game, players, rules, seed)
    folder = out or league.folder_of(game, agreed.players, rules)
    try:
        if not report_only:
            league.play_missing(agreed, agents or [], games, workers, folder, console, self_play)
        league.report(game, folder, docs, console)
    except KeyboardInterrupt:
        console.print("Saved. The same command goes on.")
        raise typer.Exit(130) from None


def _fresh(game: str, preset: str, changes: list[str]) -> TrainConfig:
    from manjerico.experiments import config

    return config.build(config.preset(game, preset), changes)


def _resumed(game: str, run: Path | None, preset: str | None, changes: list[str]) -> TrainConfig:
    from manjerico.experiments import config

    if run is None or preset or changes:
        raise InputError("--resume takes the folder of the run, --run FOLDER, and its settings: no --preset, no --set")
    settings = config.load(run / "config.json")
    if settings.game != game:
        raise InputError(f"{run} is a run of {settings.game}, not of {game}")
    return settings


def run_command(name: str, command: Callable[[], object]) -> None:
    """Runs a command; bad input becomes one sentence and exit code 2."""
    try:
        command()
    except InputError as error:
        Console(stderr=True).print(f"{name}: {error}", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)


def main() -> None:
    """The command ``manjerico``."""
    run_command("manjerico", app)
