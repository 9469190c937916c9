"""The command ``manjerico``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from manjerico.core.errors import InputError, choice
from manjerico.core.game import find

app = typer.Typer(
    help="Reinforcement-learning environments for board games.", no_args_is_help=True, add_completion=False
)


@app.callback()
def _commands() -> None:
    """Keeps ``train`` a subcommand while it is the only one."""


@app.command()
def train(
    game: Annotated[str, typer.Argument(help="The game, for example azul.")],
    preset: Annotated[str, typer.Option(help="demo: some minutes on two cores; long: at most 40.")] = "demo",
    changes: Annotated[
        list[str], typer.Option("--set", metavar="NAME=VALUE", help="Changes a setting; may be repeated.")
    ] = [],  # noqa: B006  # typer's way to say: none
    run: Annotated[Path | None, typer.Option(help="The run folder; by default a new one under runs/.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Goes on with the run in the folder --run.")] = False,
) -> None:
    """Trains an agent by self-play with MaskablePPO, evaluates it and draws its learning curve.

    Ctrl-C stops after the update under way and saves; --resume goes on from there.
    """
    console = Console()
    find(game)
    try:
        from manjerico.experiments import config, runs

        if resume:
            if run is None or changes:
                raise InputError(
                    "--resume takes the folder of the run, --run FOLDER, and its settings: nothing to --set"
                )
            settings = config.load(run / "config.json")
            if settings.game != game:
                raise InputError(f"{run} is a run of {settings.game}, not of {game}")
        else:
            choice(preset, "--preset", config.PRESETS)
            settings = config.build({"game": game, **config.PRESETS[preset]}, changes)
        from manjerico.experiments.train import Stopped
        from manjerico.experiments.train import train as run_training
    except ModuleNotFoundError as error:
        raise InputError(f"training needs the package {error.name}: pip install 'manjerico[train]'") from None
    folder = run or runs.new_folder(game, preset)
    try:
        run_training(settings, folder, resume, console)
    except Stopped:
        console.print(f"Saved. To go on: manjerico train {game} --resume --run {folder}")
        raise typer.Exit(130) from None


def main() -> None:
    """Runs the command; bad input becomes one sentence and exit code 2."""
    try:
        app()
    except InputError as error:
        Console(stderr=True).print(f"manjerico: {error}", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
