"""A match as a drawing: the table above, the players' boards side by side below.

Stars lie as on the printed board: the six outer ones around the centre star, every star with its six spaces
as a ring. An empty space shows its number, a filled one the letter of the tile's colour.
"""

from __future__ import annotations

from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from azul_env.geometry import CENTRE, CENTRE_STAR, COLOURS, POSITIONS, ROUNDS, SIDES, display_count
from azul_env.state import ACQUIRE, OVER
from manjerico.core.match import Match

LETTERS = "ORBYGP"
STYLES = ("dark_orange", "red", "dodger_blue1", "yellow", "green", "medium_orchid")
"""rich styles of the colours' tiles."""

STAR_ROWS = ((0, 1), (5, CENTRE_STAR, 2), (4, 3))
"""Stars from top to bottom as they lie on the board: orange and red above, green and yellow below."""
STAR_LINES: tuple[tuple[int | str, ...], ...] = ((" ", 0, " "), (5, "*", 1), (4, " ", 2), (" ", 3, " "))
"""A star's text lines: the slot numbers run clockwise from the top, 60 degrees each; * is the star's own letter."""
MARGIN = 3
PANEL_WIDTH = 27
MIN_TABLE_WIDTH = 78


def draw(match: Match) -> RenderableType:
    """The match as something that rich prints, about 110 columns wide with four players."""
    boards = Columns([_board(match, seat) for seat in range(match.players)], padding=(0, 0))
    return Group(_table(match), boards)


def _tile(colour: int) -> Text:
    return Text(LETTERS[colour], style=f"bold {STYLES[colour]}")


def _tiles(counts: Any) -> Text:
    """Tiles by colour, each as its letter: ``OORP``; long heaps as ``O12``."""
    text = Text()
    for colour, number in enumerate(counts.tolist()):
        letters = LETTERS[colour] * number if number <= 4 else f"{LETTERS[colour]}{number} "
        text.append(letters, style=f"bold {STYLES[colour]}")
    return text if text else Text("-", style="dim")


def _table(match: Match) -> RenderableType:
    state = match.state
    wild = int(state["wild"])
    lines = [
        Text.assemble(
            f"Round {state['round']} of {ROUNDS}, wild ", (COLOURS[wild], f"bold {STYLES[wild]}"), ": ", _phase(match)
        )
    ]
    if int(state["phase"]) == ACQUIRE:
        displays = Text("Displays  ")
        for number in range(display_count(match.players)):
            displays.append_text(Text.assemble(f"{number + 1}:", _tiles(state["displays"][number]), "  "))
        lines.append(displays)
        marker = " and the start marker" if int(state["marker"]) < 0 else ""
        lines.append(Text.assemble("Centre    ", _tiles(state["displays"][CENTRE]), marker))
    lines.append(Text.assemble("Supply    ", _tiles(state["supply"])))
    lines.append(Text.assemble("Bag       ", _tiles(state["bag"]), "   Tower  ", _tiles(state["tower"])))
    return Panel(Group(*lines), title=match.game.title, width=max(PANEL_WIDTH * match.players, MIN_TABLE_WIDTH))


def _phase(match: Match) -> str:
    state = match.state
    if int(state["phase"]) == OVER:
        best = max(match.scores)
        winners = [f"player_{seat}" for seat, score in enumerate(match.scores) if score == best]
        return f"the game is over, won by {' and '.join(winners)}"
    player = f"player_{match.current_player}"
    if int(state["phase"]) == ACQUIRE:
        return f"{player} takes tiles"
    if int(state["picks"]):
        return f"{player} picks {state['picks']} from the supply"
    return f"{player} {'gives up tiles or passes' if state['giving_up'] else 'places a tile or passes'}"


def _board(match: Match, seat: int) -> Panel:
    state = match.state
    rows: list[Text] = []
    for stars in STAR_ROWS:
        drawn = [_star(match, seat, star) for star in stars]
        indent = " " * (MARGIN + 1 if len(stars) == 2 else 0)
        rows += [
            Text(indent) + Text(" " * MARGIN).join([star[line] for star in drawn]) for line in range(len(STAR_LINES))
        ]
    rows.append(Text.assemble("hand ", _tiles(state["hand"][seat])))
    rows.append(Text.assemble("kept ", _tiles(state["kept"][seat])))
    to_act = match.current_player == seat
    return Panel(
        Group(*rows),
        title=f"player_{seat}: {state['score'][seat]} points",
        subtitle=_remarks(match, seat),
        width=PANEL_WIDTH,
        border_style="bold" if to_act else "dim",
    )


def _remarks(match: Match, seat: int) -> str:
    state = match.state
    remarks = []
    if match.current_player == seat:
        remarks.append("to act")
    if int(state["marker"]) == seat:
        remarks.append("marker")
    if int(state["passed"]) >> seat & 1:
        remarks.append("passed")
    return ", ".join(remarks)


def _star(match: Match, seat: int, star: int) -> list[Text]:
    """The text lines of a star, five columns each."""
    lines = []
    for line in STAR_LINES:
        text = Text()
        for column, slot in enumerate(line):
            text.append(" " if column else "")
            text.append_text(_slot(match, seat, star, slot))
        lines.append(text)
    return lines


def _slot(match: Match, seat: int, star: int, slot: int | str) -> Text:
    style = STYLES[star] if star < CENTRE_STAR else "white"
    if isinstance(slot, str):
        letter = (LETTERS + "*")[star]
        return Text(letter.lower() if slot == "*" else " ", style=f"dim {style}")
    position = _position_at(star, slot)
    space = POSITIONS * star + position
    if int(match.state["board"][seat]) >> space & 1:
        colour = star if star < CENTRE_STAR else int(match.state["centre"][seat, position])
        return Text(LETTERS[colour], style=f"bold reverse {STYLES[colour]}")
    return Text(str(SIDES[match.rules.side].numbers[space]), style=style)  # type: ignore[attr-defined]  # AzulRules


def _position_at(star: int, slot: int) -> int:
    """The position that points to ``60 * slot`` degrees, clockwise from the top.

    The centre star's position k points to 60 k degrees; star i lies at 330 + 60 i degrees as seen from the centre,
    and its position k points 90 + 60 k degrees clockwise from there.
    """
    return slot if star == CENTRE_STAR else (slot - 1 - star) % POSITIONS
