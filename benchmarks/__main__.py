"""``python -m benchmarks``: all speeds of the suite, as a table and as JSON."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from benchmarks import aec, batch, peers, playouts, search, startup, training
from benchmarks.measure import Findings
from manjerico.core.errors import InputError, choice
from manjerico.experiments.cli import run_command

VERSIONS = ("manjerico", "numpy", "numba", "gymnasium", "pettingzoo")

SUBJECTS = {
    "aec": ("Random play through PettingZoo's interface", aec.run),
    "playouts": ("Compiled random playouts", playouts.run),
    "batch": ("Random play in batches", batch.run),
    "training": ("Rollouts and updates of PPO: minutes", training.run),
    "search": ("Tree search", search.run),
    "startup": ("Starts, with an empty kernel cache first: a minute", startup.run),
}
PEERS = {"peers": ("Other suites beside ours: a quarter of an hour, part of it for theirs to compile", peers.run)}


def main(
    subjects: Annotated[
        list[str] | None, typer.Argument(help=f"What to measure, of {', '.join(SUBJECTS | PEERS)}.")
    ] = None,
    slices: Annotated[int, typer.Option(min=1, help="Slices of each subject, in turn.")] = 15,
    seconds: Annotated[float, typer.Option(min=0.01, help="Length of a slice.")] = 0.5,
    out: Annotated[Path, typer.Option(help="Folder for the JSON file.")] = Path("results"),
) -> None:
    """Measures random play through PettingZoo's interface beside its connect_four_v3, compiled playouts, batches,
    training, tree search, and starts; with "peers" also other suites beside ours, if they are installed (pip install
    '.[peers]')."""
    wanted = [choice(subject, "subject", SUBJECTS | PEERS) for subject in subjects or SUBJECTS]
    _check_folder(out)
    if "peers" in wanted:
        peers.check_installed()
    console = Console()
    found: dict[str, Findings] = {}
    for subject in wanted:
        title, run = (SUBJECTS | PEERS)[subject]
        with console.status(f"{title} ..."):
            found[subject] = run(slices, seconds)
        console.print(_table(title, found[subject]))
        for name, (value, unit) in found[subject].comparisons.items():
            console.print(f"{name}: {value:.3g} {unit}, median of neighbours", soft_wrap=True)
    path = _write(out, {subject: findings.as_dict() for subject, findings in found.items()})
    if "peers" in wanted:
        peers.draw(found["peers"].figures, path.with_suffix(".png"))
    console.print(f"Written to {path}")


def _table(title: str, findings: Findings) -> Table:
    table = Table(title=f"{title}; the machine may be shared")
    table.add_column("what")
    for heading in ("median", "best"):
        table.add_column(heading, justify="right")
    table.add_column("unit")
    for figure in findings.figures:
        table.add_row(figure.name, figure.style.format(figure.median), figure.style.format(figure.best), figure.unit)
    return table


def _check_folder(folder: Path) -> None:
    """That figures can be written there, before they are measured."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: can't be made: {error.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise InputError(f"{folder}: can't be written to")


def _write(folder: Path, content: dict[str, Any]) -> Path:
    now = datetime.now(UTC)
    path = folder / f"benchmarks-{now:%Y%m%d-%H%M%S}.json"
    about = {
        "time": now.isoformat(timespec="seconds"),
        "machine": {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count()},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in VERSIONS}},
    }
    try:
        path.write_text(json.dumps(about | content, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: can't be written: {error.strerror}") from None
    return path


if __name__ == "__main__":
    run_command("benchmarks", lambda: typer.run(main))
