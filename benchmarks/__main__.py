"""``python -m benchmarks``: all speeds of the suite, as a table and as JSON."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmarks import aec, playouts
from benchmarks.measure import Rates
from manjerico.core.errors import InputError

VERSIONS = ("manjerico", "numpy", "numba", "gymnasium", "pettingzoo")


def main(
    slices: Annotated[int, typer.Option(min=1, help="Slices of each subject, in turn.")] = 15,
    seconds: Annotated[float, typer.Option(min=0.01, help="Length of a slice.")] = 0.5,
    out: Annotated[Path, typer.Option(help="Folder for the JSON file.")] = Path("results"),
) -> None:
    """Measures random play through PettingZoo's interface beside its connect_four_v3, and compiled playouts."""
    console = Console()
    with console.status("Random play through PettingZoo's interface ..."):
        loops, multiples = aec.run(slices, seconds)
    with console.status("Compiled playouts ..."):
        figures = [*loops, *playouts.run(slices, seconds)]
    console.print(_table(figures))
    for name, multiple in multiples.items():
        console.print(f"{name}: {multiple:.1f} times, median of {slices} neighbouring slices")
    console.print(f"Written to {_write(out, figures, multiples)}")


def _table(figures: list[Rates]) -> Table:
    table = Table(title="Speeds on one core of a machine that may be shared")
    table.add_column("what")
    for heading in ("median", "best"):
        table.add_column(heading, justify="right")
    table.add_column("unit")
    for figure in figures:
        table.add_row(figure.name, f"{figure.median:,.0f}", f"{figure.best:,.0f}", figure.unit)
    return table


def _write(folder: Path, figures: list[Rates], multiples: dict[str, float]) -> Path:
    now = datetime.now(UTC)
    path = folder / f"benchmarks-{now:%Y%m%d-%H%M%S}.json"
    content = {
        "time": now.isoformat(timespec="seconds"),
        "machine": {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count()},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in VERSIONS}},
        "figures": [{**asdict(f), "median": f.median, "best": f.best} for f in figures],
        "multiples": multiples,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: can't be written: {error.strerror}") from None
    return path


if __name__ == "__main__":
    typer.run(main)
