"""The balance of Arraial as tables and pictures, from the cells that ``experiments/balance.py`` has saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arraial_env.geometry import PHASES
from manjerico.core.files import replaced_file
from manjerico.experiments import runs
from manjerico.experiments.balance import LEVELS, label_of_default, variants
from manjerico.experiments.balance_games import CAUSES, DROP, PLACEMENT, POLICIES, POOL

Cell = dict[str, Any]

BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, YELLOW, BLACK = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#F0E442",
    "#000000",
)
"""Okabe and Ito's colours, which colour-blind readers tell apart."""

SOURCE_COLOURS = {"coloured": BLUE, "white": SKY, "couples": ORANGE}
CAUSE_COLOURS = (YELLOW, ORANGE, VERMILION, SKY, BLUE)
CAUSE_WORDS = {
    **{f"{PLACEMENT} {phase}": f"by a piece in phase {phase}" for phase in range(1, PHASES + 1)},
    **{f"{DROP} {phase}": f"by the drop after phase {phase}" for phase in range(1, PHASES)},
}
PLAYER_COLOURS = {1: BLACK, 2: BLUE, 3: VERMILION, 4: GREEN}
AGENT_LINES = ((":", "x"), ("--", "s"), ("-", "o"), ("-.", "^"), ((0, (5, 1)), "v"))
"""Line and mark of the scripted agents, then of trained ones."""

NUMBERS = ("height", "width", "bar_start", "bar_drop", "max_slide", "couple_points")
"""Parameters whose levels lie on a line; the limit of slides with no limit at its end."""
DRAWN_NUMBERS = ("height", "bar_start", "bar_drop", "max_slide")

COLUMNS: tuple[tuple[str, Callable[[Cell], str]], ...] = (
    ("score, 95 %", lambda f: _spread(f["score"], 2)),
    ("coloured", lambda f: f"{f['sources']['coloured']:.2f}"),
    ("white", lambda f: f"{f['sources']['white']:.2f}"),
    ("couples", lambda f: f"{f['sources']['couples']:.2f}"),
    ("lines", lambda f: f"{f['lines']['value']:.2f}"),
    ("paid lines", lambda f: f"{f['paid_lines']:.2f}"),
    ("whites lost", lambda f: f"{f['lost_visitors']:.2f}"),
    ("bars lost", lambda f: f"{f['bars_lost']['value']:.1%}"),
    ("pieces", lambda f: f"{f['pieces']:.1f}"),
    ("unplaced", lambda f: f"{f['discards']:.2f}"),
    ("covered", lambda f: f"{f['covered']:.0%}"),
    ("to the top", lambda f: f"{f['reaches_top']:.0%}"),
    ("decisions", lambda f: f"{f['game_decisions']['value']:.1f}"),
    ("legal actions", lambda f: f"{f['legal']['mean']:.1f}"),
    ("visitors, most", lambda f: str(f["game_visitors"]["most"])),
)
"""Of every table with figures, from a cell's figures."""

LEGEND = f"""\
All seats are played by the same agent; the starting seat rotates. By player and game: **score** with its 95 % interval;
points for *coloured* and *white* visitors and *couples*; **lines**: full rows on the board at the end; **paid lines**:
those that brought a white visitor; **whites lost** with a bar; **pieces** placed; **unplaced**: cards that fitted
nowhere. **bars lost**, **covered** (squares of the board at the end) and **to the top** (boards with a piece in the top
row) are shares; **decisions** are those of a whole game, all players together; **legal actions** is the mean number at
a decision; **visitors** is the most individual visitors that any game used. The box holds {POOL}; by the rules as
implemented they never run out."""


def _spread(interval: dict[str, float], digits: int, sign: str = "") -> str:
    low, value, high = (f"{interval[name]:{sign}.{digits}f}" for name in ("low", "value", "high"))
    return f"{value} ({low}..{high})"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> str:
    """A Markdown table whose first ``left`` columns hold words."""
    rule = ["---"] * left + ["---:"] * (len(headings) - left)
    return "\n".join(f"| {' | '.join(row)} |" for row in (headings, rule, *rows))


def write(folder: Path, cells: Sequence[Cell]) -> list[Path]:
    """Writes ``balance.md`` and the pictures; returns their paths."""
    runs.write_text(folder / "balance.md", markdown(cells))
    written = [folder / "balance.md"]
    for name, draw in PICTURES.items():
        figure = draw(cells)
        with replaced_file(folder / name) as part:
            figure.savefig(part, dpi=90, format="png", pil_kwargs={"optimize": True})
        written.append(folder / name)
    return written


# --- Tables ----------------------------------------------------------------------------------------------------------


def markdown(cells: Sequence[Cell]) -> str:
    """All tables."""
    games = max((cell["figures"]["games"] for cell in cells), default=0)
    sections = [
        f"# Balance of Arraial\n\n{games:,} games in each row.\n\n{LEGEND}",
        f"## Default rules\n\n{_figures(_defaults(cells), '')}",
        f"## What takes the bars, and when\n\nShares of all players, default rules.\n\n{_causes(cells)}",
        f"## Decisions\n\nDefault rules.\n\n{_decisions(cells)}",
        f"## Turn order\n\nDefault rules. The reward is that by place: -1 to 1, 0 for equals.\n\n{_turn_order(cells)}",
        *(f"## `{name}`\n\n{_figures(cells, name)}" for name in LEVELS),
    ]
    missing = _not_played(cells)
    if missing:
        sections.append(f"## Not played\n\n{missing}")
    return "\n\n".join(sections) + "\n"


def _defaults(cells: Sequence[Cell]) -> list[Cell]:
    return [cell for cell in cells if not cell["parameter"]]


def levels(cells: Sequence[Cell], parameter: str) -> list[tuple[str, Cell]]:
    """The cells in which a parameter has one of its levels, with that level's label, the default's among them."""
    found: list[tuple[str, Cell]] = []
    for players in sorted({cell["players"] for cell in cells if cell["parameter"] == parameter}):
        here = [cell for cell in cells if cell["players"] == players]
        usual = label_of_default(parameter, players)
        for label in LEVELS[parameter]:
            key = ("", "") if label == usual else (parameter, label)
            found += [(label, cell) for cell in here if (cell["parameter"], cell["label"]) == key]
    return found


def _figures(cells: Sequence[Cell], parameter: str) -> str:
    """The table of a parameter's levels, the default in bold; of the default rules alone if it is empty."""
    listed = levels(cells, parameter) if parameter else [("", cell) for cell in cells]
    rows = [
        [
            str(cell["players"]),
            cell["agent"],
            *([f"**{label}**" if not cell["parameter"] else label] if parameter else []),
            *(show(cell["figures"]) for _, show in COLUMNS),
        ]
        for label, cell in listed
    ]
    headings = ["players", "agent", *([parameter] if parameter else []), *(name for name, _ in COLUMNS)]
    return _table(headings, rows, left=len(headings) - len(COLUMNS))


def _causes(cells: Sequence[Cell]) -> str:
    rows = [
        [
            str(cell["players"]),
            cell["agent"],
            *(f"{cell['figures']['bars_lost_by'][cause]:.1%}" for cause in CAUSES),
            f"{1 - cell['figures']['bars_lost']['value']:.1%}",
        ]
        for cell in _defaults(cells)
    ]
    return _table(["players", "agent", *CAUSE_WORDS.values(), "kept"], rows, left=2)


def _decisions(cells: Sequence[Cell]) -> str:
    rows = []
    for cell in _defaults(cells):
        legal, visitors = cell["figures"]["legal"], cell["figures"]["game_visitors"]
        rows.append(
            [
                str(cell["players"]),
                cell["agent"],
                _spread(cell["figures"]["game_decisions"], 1),
                f"{legal['mean']:.1f}",
                f"{legal['median']}",
                f"{legal['percentile_95']}",
                f"{legal['most']}",
                f"{legal['forced']:.1%}",
                f"{visitors['mean']:.1f}",
                f"{visitors['most']}",
            ]
        )
    headings = ["players", "agent", "decisions in a game", "legal actions: mean", "median", "95th percentile", "most"]
    return _table([*headings, "only one", "individual visitors in a game: mean", "most"], rows, left=2)


def _turn_order(cells: Sequence[Cell]) -> str:
    rows = [
        [
            str(cell["players"]),
            cell["agent"],
            str(1 + k),
            f"{seat['score']:.2f}",
            _spread(seat["reward"], 3, "+"),
            f"{seat['wins']['value']:.1%} ({seat['wins']['low']:.1%}..{seat['wins']['high']:.1%})",
            f"{1 / cell['players']:.1%}",
        ]
        for cell in _defaults(cells)
        for k, seat in enumerate(cell["figures"]["seats"])
    ]
    headings = ["players", "agent", "turn", "score", "reward, 95 %", "wins, ties divided, 95 %", "wins of equals"]
    return _table(headings, rows, left=2)


def _not_played(cells: Sequence[Cell]) -> str:
    """A line for each agent that could not play all rule sets, with what it left out."""
    played: dict[tuple[str, int], set[str]] = {}
    for cell in cells:
        played.setdefault((cell["agent"], cell["players"]), set()).add(f"{cell['parameter']}={cell['label']}")
    lines = []
    for (agent, players), names in played.items():
        missing = [v.name for v in variants(players) if f"{v.parameter}={v.label}" not in names]
        if missing:
            why = "a network plays only what has the observation's and the actions' size that it was trained with"
            lines.append(f"- *{agent}*, {players} players ({why}): {', '.join(missing)}.")
    return "\n".join(lines)


# --- Pictures --------------------------------------------------------------------------------------------------------


def _who(cell: Cell) -> str:
    players = cell["players"]
    return f"{players} player{'s' if players > 1 else ''}, {cell['agent']}"


def _stacked(axes: Axes, rows: Sequence[tuple[str, Sequence[float]]], colours: dict[str, str], columns: int) -> None:
    """Lying bars, a part for each name; rows from the top."""
    places = [-k for k in range(len(rows))]
    start = [0.0] * len(rows)
    for part, (name, colour) in enumerate(colours.items()):
        values = [parts[part] for _, parts in rows]
        axes.barh(places, values, left=start, color=colour, label=name, edgecolor="white", linewidth=0.5)
        start = [a + b for a, b in zip(start, values, strict=True)]
    axes.set_yticks(places, [label for label, _ in rows])
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, frameon=False, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)


def _legend(figure: Figure, handles: dict[str, Any], cells: Sequence[Cell]) -> None:
    """Below the picture, a column for each number of players where all agents play all."""
    named = [name for name in dict.fromkeys(map(_who, cells)) if name in handles]
    order = [handles[name] for name in named]
    figure.legend(order, named, loc="outside lower center", ncols=4, frameon=False)


def draw_points(cells: Sequence[Cell]) -> Figure:
    """Points by source and what takes the bars, under the default rules."""
    shown = _defaults(cells)
    figure = Figure(figsize=(11, 1.6 + 0.34 * len(shown)), layout="constrained")
    points, bars = figure.subplots(1, 2)
    rows = [(_who(cell), list(cell["figures"]["sources"].values())) for cell in shown]
    _stacked(points, rows, SOURCE_COLOURS, columns=3)
    points.set_xlabel("mean points of a player, by source")
    rows = [(_who(cell), [100 * cell["figures"]["bars_lost_by"][cause] for cause in CAUSES]) for cell in shown]
    _stacked(bars, rows, dict(zip(CAUSE_WORDS.values(), CAUSE_COLOURS, strict=True)), columns=2)
    bars.set(xlabel="players who lose the level bar, %", xlim=(0, 100), yticklabels=[])
    figure.suptitle("Default rules")
    return figure


def _style(cell: Cell, agents: Sequence[str]) -> dict[str, Any]:
    line, mark = AGENT_LINES[min(agents.index(cell["agent"]), len(AGENT_LINES) - 1)]
    return {
        "linestyle": line,
        "marker": mark,
        "color": PLAYER_COLOURS[cell["players"]],
        "markersize": 4,
        "linewidth": 1.2,
    }


def _agents(cells: Sequence[Cell]) -> list[str]:
    """The agents' names, scripted ones first, in the order of ``AGENT_LINES``."""
    others = sorted({cell["agent"] for cell in cells} - set(POLICIES))
    return [*POLICIES, *others]


MEASURES: tuple[tuple[str, Callable[[Cell], float]], ...] = (
    ("points of a player", lambda f: float(f["score"]["value"])),
    ("white visitors of a player", lambda f: float(f["sources"]["white"])),
    ("bars lost, %", lambda f: 100 * float(f["bars_lost"]["value"])),
    ("cards that fit nowhere,\nby player", lambda f: float(f["discards"])),
)


def draw_numbers(cells: Sequence[Cell]) -> Figure:
    """Four measures over the parameters that are numbers."""
    figure = Figure(figsize=(11, 9), layout="constrained")
    grid = figure.subplots(len(MEASURES), len(DRAWN_NUMBERS), sharey="row", sharex="col")
    agents = _agents(cells)
    handles: dict[str, Any] = {}
    for column, parameter in enumerate(DRAWN_NUMBERS):
        labels = list(LEVELS[parameter])
        for line in _lines(cells, parameter):
            for row, (_, measure) in enumerate(MEASURES):
                places = [labels.index(label) for label, _ in line]
                values = [measure(cell["figures"]) for _, cell in line]
                style = _style(line[0][1], agents)
                handles[_who(line[0][1])], *_ = grid[row][column].plot(places, values, **style)
        for axes in grid[:, column]:
            axes.axvline(labels.index(label_of_default(parameter, 1)), color="0.8", linewidth=6, zorder=0)
            axes.grid(alpha=0.3)
        grid[-1][column].set_xticks(range(len(labels)), labels)
        grid[-1][column].set_xlabel(parameter)
    for row, (name, _) in enumerate(MEASURES):
        grid[row][0].set_ylabel(name)
    _legend(figure, handles, cells)
    figure.suptitle("One parameter changed at a time (grey: the default; bar_start is 7 with 4 players)")
    return figure


def _lines(cells: Sequence[Cell], parameter: str) -> list[list[tuple[str, Cell]]]:
    """The levels of a parameter for each number of players and agent."""
    lines: dict[str, list[tuple[str, Cell]]] = {}
    for label, cell in levels(cells, parameter):
        lines.setdefault(_who(cell), []).append((label, cell))
    return list(lines.values())


def draw_shapes(cells: Sequence[Cell]) -> Figure:
    """The piece tables."""
    figure = Figure(figsize=(11, 4), layout="constrained")
    panels = figure.subplots(1, len(MEASURES), sharey=True)
    labels = list(LEVELS["shapes"])
    agents = _agents(cells)
    handles: dict[str, Any] = {}
    for line in _lines(cells, "shapes"):
        for axes, (name, measure) in zip(panels, MEASURES, strict=True):
            style = {**_style(line[0][1], agents), "linestyle": ""}
            places = [-labels.index(label) for label, _ in line]
            handles[_who(line[0][1])], *_ = axes.plot([measure(cell["figures"]) for _, cell in line], places, **style)
            axes.set_xlabel(name)
            axes.grid(alpha=0.3)
    panels[0].set_yticks([-k for k in range(len(labels))], labels)
    _legend(figure, handles, cells)
    figure.suptitle("Piece tables")
    return figure


def draw_turn_order(cells: Sequence[Cell]) -> Figure:
    """The reward by place over the position in turn order."""
    shown = [cell for cell in _defaults(cells) if cell["players"] > 1]
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    panels = figure.subplots(1, 3, sharey=True)
    agents = _agents(cells)
    for axes, players in zip(panels, (2, 3, 4), strict=True):
        here = [cell for cell in shown if cell["players"] == players]
        for k, cell in enumerate(here):
            rewards = [seat["reward"] for seat in cell["figures"]["seats"]]
            places = [1 + seat + 0.12 * (k - (len(here) - 1) / 2) for seat in range(players)]
            style = {**_style(cell, agents), "color": (BLACK, BLUE, VERMILION, GREEN, PURPLE)[min(k, 4)]}
            spread = [[r["value"] - r["low"] for r in rewards], [r["high"] - r["value"] for r in rewards]]
            axes.errorbar(places, [r["value"] for r in rewards], spread, capsize=3, label=cell["agent"], **style)
        axes.axhline(0, color="grey", linewidth=0.8)
        axes.set(title=f"{players} players", xlabel="turn", xticks=range(1, players + 1))
        axes.grid(alpha=0.3)
        if here:
            axes.legend(frameon=False, fontsize=9)
    panels[0].set_ylabel("reward by place, 95 % interval")
    figure.suptitle("Advantage by turn order, default rules, all seats played by the same agent")
    return figure


def draw_decisions(cells: Sequence[Cell]) -> Figure:
    """Length and branching of a game under the default rules."""
    shown = _defaults(cells)
    figure = Figure(figsize=(11, 1.2 + 0.34 * len(shown)), layout="constrained")
    lengths, legal = figure.subplots(1, 2, sharey=True)
    places = [-k for k in range(len(shown))]
    lengths.barh(places, [cell["figures"]["game_decisions"]["value"] for cell in shown], color=BLUE)
    lengths.set(xlabel="decisions in a game", yticks=places, yticklabels=[_who(cell) for cell in shown])
    for name, mark, colour in (("median", "o", BLACK), ("mean", "D", BLUE), ("percentile_95", "|", VERMILION)):
        values = [cell["figures"]["legal"][name] for cell in shown]
        legal.plot(values, places, linestyle="", marker=mark, color=colour, label=name.replace("_", " "), markersize=8)
    legal.set_xlabel("legal actions at a decision")
    legal.set_xlim(left=0)
    legal.legend(frameon=False)
    for axes in (lengths, legal):
        axes.grid(alpha=0.3, axis="x")
    figure.suptitle("Default rules")
    return figure


PICTURES: dict[str, Callable[[Sequence[Cell]], Figure]] = {
    "balance-points.png": draw_points,
    "balance-numbers.png": draw_numbers,
    "balance-shapes.png": draw_shapes,
    "balance-turn-order.png": draw_turn_order,
    "balance-decisions.png": draw_decisions,
}
"""The pictures by file."""
