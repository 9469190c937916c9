"""The learning curve: a CSV file that grows during training, and its picture."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from manjerico.core.errors import InputError
from manjerico.core.files import replaced_file
from manjerico.experiments.evaluation import Evaluation

COLUMNS = ("steps", "opponent", "games", "win_rate", "win_rate_low", "win_rate_high", "score", "opponents_score")


def append(path: Path, steps: int, evaluations: Iterable[Evaluation]) -> None:
    """Adds a point: one row for each opponent. A point that was written before a crash is replaced."""
    rows = [row for row in _read(path) if int(row["steps"]) < steps] if path.exists() else []
    for e in evaluations:
        win = e.win_rate
        values = (steps, e.opponent, e.games, win.value, win.low, win.high, e.score, e.opponents_score)
        rows.append({name: str(value) for name, value in zip(COLUMNS, values, strict=True)})
    with replaced_file(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def _read(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            int(row["steps"]), float(row["win_rate_high"]), float(row["opponents_score"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"{path}: the learning curve is damaged ({error!r}); move it away to go on") from None
    return rows


def draw(path: Path, picture: Path, title: str, players: int) -> None:
    """Draws scores and win rates over steps, a line for each opponent, as PNG; dashed: what one of equals would win."""
    lines: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in _read(path):
        lines[row["opponent"]].append(row)
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    scores, wins = figure.subplots(1, 2, sharex=True)
    for k, (opponent, rows) in enumerate(lines.items()):
        steps, color = [int(row["steps"]) for row in rows], f"C{k}"
        own, theirs = ([float(row[name]) for row in rows] for name in ("score", "opponents_score"))
        if players > 1:
            scores.plot(steps, own, color=color, label=f"agent against {opponent}")
        elif k == 0:  # alone its score is the same beside everybody
            scores.plot(steps, own, color="black", label="agent")
        scores.plot(steps, theirs, color=color, linestyle=":", label=opponent)
        label = f"{'against' if players > 1 else 'beside'} {opponent}"
        wins.plot(steps, [float(row["win_rate"]) for row in rows], color=color, label=label)
        low, high = ([float(row[f"win_rate_{end}"]) for row in rows] for end in ("low", "high"))
        wins.fill_between(steps, low, high, color=color, alpha=0.2, linewidth=0)
    wins.axhline(1 / max(players, 2), color="grey", linewidth=0.8, linestyle="--")
    wins.set(xlabel="steps", ylabel="win rate, 95 % interval", ylim=(-0.02, 1.02))
    scores.set(xlabel="steps", ylabel="mean score")
    for axes in (scores, wins):
        axes.grid(alpha=0.3)
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, frameon=False, fontsize=9)
    figure.suptitle(title)
    with replaced_file(picture) as part:
        figure.savefig(part, dpi=120, format="png")
