"""The report of a league: ladder, cross table and profiles, as JSON, Markdown and one page of HTML with its pictures.

The same tables, as text, go into both templates, ``league.md.jinja`` and ``league.html.jinja`` beside this file.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from matplotlib.figure import Figure
from rich.box import SIMPLE
from rich.table import Table as RichTable

from manjerico.core.files import make_folder, replaced_file
from manjerico.experiments import runs
from manjerico.experiments.league_standings import Standings
from manjerico.experiments.ratings import PRIOR

AHEAD, SELF_PLAY = "ahead of the next", "self-play"
"""Columns for which a terminal has no room."""

BLUE, GREY = "#0072b2", "#888888"


@dataclass(frozen=True)
class Table:
    """A table of texts, the first column of names."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


def write(folder: Path, found: Standings) -> list[Path]:
    """Writes the report into the league's folder; returns its files.

    Raises:
        InputError: a file can't be written.
    """
    data = folder / "report.json"
    runs.write_json(data, found)
    page = folder / "report.html"
    runs.write_text(page, render("league.html.jinja", found, {name: _embedded(draw(found)) for name, draw in PICTURES}))
    return [data, page, *write_markdown(folder / "report.md", found)]


def write_markdown(path: Path, found: Standings) -> list[Path]:
    """Writes the report as Markdown, and its pictures as PNG beside it.

    Raises:
        InputError: a file can't be written.
    """
    make_folder(path.parent)
    pictures = {name: path.with_name(f"{path.stem}-{name}.png") for name, _ in PICTURES}
    for name, draw in PICTURES:
        with replaced_file(pictures[name]) as part:
            draw(found).savefig(part, format="png", dpi=120)
    runs.write_text(path, render("league.md.jinja", found, {name: file.name for name, file in pictures.items()}))
    return [path, *pictures.values()]


def render(template: str, found: Standings, pictures: dict[str, str]) -> str:
    """The report by a template; ``pictures`` are what it links to, by name."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=select_autoescape(["html.jinja"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    sections = {"ladder": ladder_table(found), "cross": cross_table(found), "profile": profile_table(found)}
    return environment.get_template(template).render(
        league=found["league"], notes=notes(found), pictures=pictures, tables=sections, prior=PRIOR
    )


def notes(found: Standings) -> list[str]:
    """What a reader of the ladder must know of these games."""
    told = []
    if len(found["groups"]) > 1:
        separate = "; ".join(", ".join(group) for group in found["groups"])
        told.append(
            f"Between these groups the better one won every comparison: {separate}. How far they are apart is decided "
            "by the prior alone."
        )
    revisions = {call["git"] for call in found["league"]["calls"]}
    if len(revisions) > 1:
        told.append("The games were played by several revisions of the programs.")
    return told


# --- Tables ----------------------------------------------------------------------------------------------------------


def _spread(interval: dict[str, float], digits: int = 0, scale: float = 1, sign: str = "") -> str:
    """An estimate with its interval: "52 (48..56)"."""
    value, low, high = (round(scale * interval[name], digits) + 0.0 for name in ("value", "low", "high"))  # no "-0"
    return f"{value:{sign}.{digits}f} ({low:{sign}.{digits}f}..{high:{sign}.{digits}f})"


def _duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.1f} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.0f} µs"


def ladder_table(found: Standings) -> Table:
    """The agents by rating."""
    rows = [
        [
            row["agent"],
            _spread(row["rating"]),
            _spread(row["ahead_of_next"], sign="+") if row["ahead_of_next"] else "",
            str(row["games"]),
            f"{row['win_rate']:.1%}",
            f"{row['score']:.1f}",
            _spread(row["self_play"], 1) if row["self_play"] else "",
            _duration(row["seconds"]),
        ]
        for row in found["ladder"]
    ]
    return Table(["agent", "rating", AHEAD, "games", "won", "score", SELF_PLAY, "a decision"], rows)


def cross_table(found: Standings) -> Table:
    """Each agent, by row, against each other."""
    names = [row["agent"] for row in found["ladder"]]
    cells = {(cell["agent"], cell["opponent"]): cell for cell in found["cross"]}

    def text(row: str, column: str) -> str:
        cell = cells.get((row, column))
        if cell is None:
            return ""
        return f"{_spread(cell['win_rate'], 1, 100)}; {cell['score']:.1f} : {cell['theirs']:.1f}; {cell['games']}"

    return Table(["", *names], [[row, *(text(row, column) for column in names)] for row in names])


def profile_table(found: Standings) -> Table:
    """The agents' points by source, then what the game's profile tells; an agent a column, since names are long."""
    agents = found["profile"]
    rows = [["score", *(f"{agent['score']:.2f}" for agent in agents)]]
    for kind, prefix in (("sources", "points: "), ("profile", "")):
        rows += [[prefix + name, *(f"{a[kind][name]:.2f}" for a in agents)] for name in agents[0][kind]]
    return Table(["mean of a game", *(agent["agent"] for agent in agents)], rows)


def for_terminal(found: Standings) -> RichTable:
    """The ladder for rich, without what would make it wider than 80 columns."""
    table = ladder_table(found)
    shown = [k for k, heading in enumerate(table.headings) if heading not in (AHEAD, SELF_PLAY)]
    league = found["league"]
    drawn = RichTable(title=f"{league['title']}, {league['players']} players", box=SIMPLE, pad_edge=False)
    for k in shown:
        drawn.add_column(table.headings[k], justify="right" if k else "left", no_wrap=k > 0, overflow="fold")
    for row in table.rows:
        drawn.add_row(*(row[k] for k in shown))
    return drawn


# --- Pictures --------------------------------------------------------------------------------------------------------


def draw_ladder(found: Standings) -> Figure:
    """The ratings with their intervals, the best at the top."""
    rows = found["ladder"]
    figure = Figure(figsize=(8, 1.2 + 0.35 * len(rows)), layout="constrained")
    axes = figure.subplots()
    places = [-k for k in range(len(rows))]
    values = [row["rating"]["value"] for row in rows]
    spread = [
        [row["rating"]["value"] - row["rating"]["low"] for row in rows],
        [row["rating"]["high"] - row["rating"]["value"] for row in rows],
    ]
    axes.errorbar(values, places, xerr=spread, fmt="o", color=BLUE, capsize=4)
    for value, place in zip(values, places, strict=True):
        axes.annotate(f"{value:.0f}", (value, place), (0, 6), textcoords="offset points", ha="center", fontsize=9)
    axes.set_yticks(places, [row["agent"] for row in rows])
    axes.set_ylim(places[-1] - 0.6, 0.7)
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_xlabel("rating (Elo scale, mean 0), 95 % interval")
    return figure


def draw_cross(found: Standings) -> Figure:
    """The win rates of row against column as colours."""
    names = [row["agent"] for row in found["ladder"]]
    rates = [[float("nan")] * len(names) for _ in names]
    for cell in found["cross"]:
        rates[names.index(cell["agent"])][names.index(cell["opponent"])] = 100 * cell["win_rate"]["value"]
    size = 2.4 + 0.75 * len(names)
    figure = Figure(figsize=(size + 1, size), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(rates, cmap="RdBu", vmin=0, vmax=100)
    for i, row in enumerate(rates):
        for j, rate in enumerate(row):
            if i != j and rate == rate:  # those who never met have no rate
                colour = "white" if abs(rate - 50) > 35 else "black"
                axes.text(j, i, f"{rate:.1f}", ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(len(names)), names, rotation=40, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.xaxis.tick_top()
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    figure.colorbar(image, label="% won, row against column", shrink=0.8)
    return figure


def _embedded(figure: Figure) -> str:
    """A picture as the address of an HTML page that needs no other file."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()


PICTURES: tuple[tuple[str, Any], ...] = (("ladder", draw_ladder), ("cross", draw_cross))
"""What draws each picture, by name."""
