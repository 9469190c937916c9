"""``python -m benchmarks``: all speeds of the suite, as a table and as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from benchmarks import aec, batch, peers, playouts, startup, training
from benchmarks.measure import Rates
from benchmarks.startup import Seconds
from manjerico.core.errors import InputError, choice
from manjerico.experiments.cli import run_command

VERSIONS = ("manjerico", "numpy", "numba", "gymnasium", "pettingzoo")


SUBJECTS = ("aec", "playouts", "batch", "training", "startup")
PEERS = "peers"


def main(
    subjects: Annotated[
        list[str] | None, typer.Argument(help=f"What to measure, of {', '.join((*SUBJECTS, PEERS))}.")
    ] = None,
    slices: Annotated[int, typer.Option(min=1, help="Slices of each subject, in turn.")] = 15,
    seconds: Annotated[float, typer.Option(min=0.01, help="Length of a slice.")] = 0.5,
    out: Annotated[Path, typer.Option(help="Folder for the JSON file.")] = Path("results"),
) -> None:
    """Measures random play through PettingZoo's interface beside its connect_four_v3, compiled playouts, batches,
    training, and starts; with "peers" also other suites beside ours, if they are installed (pip install '.[peers]')."""
    wanted = [choice(subject, "subject", (*SUBJECTS, PEERS)) for subject in subjects or SUBJECTS]
    _check_folder(out)
    if PEERS in wanted:
        peers.check_installed()
    console = Console()
    content: dict[str, Any] = {}
    figures: list[Rates] = []
    if "aec" in wanted:
        with console.status("Random play through PettingZoo's interface ..."):
            figures, content["multiples"] = aec.run(slices, seconds)
    if "playouts" in wanted:
        with console.status("Compiled playouts ..."):
            figures += playouts.run(slices, seconds)
    if "batch" in wanted:
        with console.status("Batches ..."):
            figures += batch.run(slices, seconds)
    if "training" in wanted:
        with console.status("Updates of MaskablePPO: minutes ..."):
            trainings, multiples = training.run(min(slices, 5))
        figures += trainings
        content["multiples"] = content.get("multiples", {}) | multiples
    if PEERS in wanted:
        with console.status("Other suites beside ours: some minutes, for theirs to compile ..."):
            theirs, multiples, content["first_calls"] = peers.run(slices, seconds)
        figures += theirs
        content["multiples"] = content.get("multiples", {}) | multiples
    if figures:
        content["figures"] = [_summary(figure) for figure in figures]
        console.print(
            _table(figures, "Speeds of a machine that may be shared, on one core if nothing is said", "{:,.0f}")
        )
        for name, multiple in content.get("multiples", {}).items():
            console.print(f"{name}: {multiple:.3g} times, median of neighbouring slices")
    if "startup" in wanted:
        with console.status("Starts, with an empty kernel cache first: a minute ..."):
            starts = startup.run(slices)
        content |= {"starts": [_summary(figure) for figure in starts], "above": startup.above_imports(starts)}
        console.print(_table(starts, "Seconds from the start of Python", "{:.2f}"))
        for name, above in content["above"].items():
            console.print(f"{name}: {above:.2f} s above the imports of the dependencies, median of {slices}")
    path = _write(out, content)
    if PEERS in wanted:
        peers.draw(theirs, path.with_suffix(".png"))
    console.print(f"Written to {path}")


def _summary(figure: Rates | Seconds) -> dict[str, Any]:
    return {**asdict(figure), "median": figure.median, "best": figure.best}


def _table(figures: Sequence[Rates | Seconds], title: str, style: str) -> Table:
    table = Table(title=title)
    table.add_column("what")
    for heading in ("median", "best"):
        table.add_column(heading, justify="right")
    table.add_column("unit")
    for figure in figures:
        table.add_row(figure.name, style.format(figure.median), style.format(figure.best), figure.unit)
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
