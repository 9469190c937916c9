"""A match as a drawing: the cards above, the players' streets side by side below.

A covered square shows the letter of its colour, in upper case if it belongs to a zone. The level bar is the double
line; where it is gone there is none. Cards are turned as the player to act sees them. Below a board: the visitors in
zones by colour, the couples with the squares of the zone that holds them, the white visitors.
"""

from __future__ import annotations

from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from arraial_env.geometry import COLOURS, PHASES, SLOTS, TYPES_PER_COLOUR, name_of, turns_of
from arraial_env.kernels import turn_of
from arraial_env.rules import ArraialRules
from arraial_env.state import NONE
from manjerico.core.match import Match

LETTERS = "YBGR"
STYLES = ("yellow", "dodger_blue1", "green", "red")
"""rich styles of the colours' pieces."""
EMPTY = "·"
MARGIN = 3
"""Columns for the rows' numbers, to the left of the squares."""
FRAME = 4
"""Columns of a panel's border and padding."""
MIN_PANEL_WIDTH = 27
MIN_TABLE_WIDTH = 78


def draw(match: Match) -> RenderableType:
    """The match as something that rich prints, 108 columns wide with four players."""
    boards = Columns([_board(match, seat) for seat in range(match.players)], padding=(0, 0))
    return Group(_table(match), boards)


def _rules(match: Match) -> ArraialRules:
    rules = match.rules
    assert isinstance(rules, ArraialRules)  # noqa: S101  # for the type checker: the game's own rules
    return rules


def _table(match: Match) -> RenderableType:
    state = match.state
    lines = [
        Text(f"Phase {state['phase']} of {PHASES}: {_turn(match)}"),
        Text(""),
        *_cards(match),
        Text(""),
        Text.assemble("Pile      ", _counts(match, "pile")),
        Text.assemble("Discards  ", _counts(match, "discards")),
    ]
    width = max(_panel_width(match) * match.players, MIN_TABLE_WIDTH)
    return Panel(Group(*lines), title=match.game.title, width=width)


def _turn(match: Match) -> str:
    state = match.state
    if match.is_over:
        if match.players == 1:
            return f"the game is over with {match.scores[0]} points"
        best = max(match.scores)
        winners = [f"player_{seat}" for seat, score in enumerate(match.scores) if score == best]
        return f"the game is over, won by {' and '.join(winners)}"
    player = f"player_{match.current_player}"
    if state["refilling"]:
        return f"{player} chooses a card for slot {state['slots'].tolist().index(NONE)}"
    owed = f", {state['owed']} to place" if state["owed"] else ""
    return f"{player} has {state['points']} action point{'s' if state['points'] > 1 else ''}{owed}"


def _cards(match: Match) -> list[Text]:
    """Slots and row, each card as its piece looks to the player to act."""
    state, rules = match.state, _rules(match)
    turn = turn_of(match.game.make_params(rules)[0], state, match.current_player or 0)
    cards = [*state["slots"].tolist(), *state["row"].tolist()]
    shapes = [set(turns_of(rules.shapes[kind])[turn]) if kind != NONE else set() for kind in cards]
    rows = 1 + max((y for cells in shapes for _, y in cells), default=0)
    width = max([7, *(2 * (1 + max(x for x, _ in cells)) for cells in shapes if cells)]) + 2
    heading = [f"slot {k}" for k in range(SLOTS)] + [f"row {k}" for k in range(SLOTS)]
    lines = [Text("".join(title.ljust(width) for title in heading), style="dim")]
    for y in reversed(range(rows)):
        line = Text()
        for kind, cells in zip(cards, shapes, strict=True):
            columns = range(width // 2)
            squares = "".join(f"{LETTERS[kind // TYPES_PER_COLOUR]} " if (x, y) in cells else "  " for x in columns)
            line.append(squares.ljust(width), style=f"bold {STYLES[kind // TYPES_PER_COLOUR]}" if cells else "")
        lines.append(line)
    return lines


def _counts(match: Match, cards: str) -> Text:
    text = Text()
    for kind, number in enumerate(match.state[cards].tolist()):
        if number:
            text.append(f"{number} {_short_name(_rules(match), kind)}  ", style=STYLES[kind // TYPES_PER_COLOUR])
    return text if text else Text("-", style="dim")


def _short_name(rules: ArraialRules, kind: int) -> str:
    """``YO`` for the yellow O; the type's number for what has no letter."""
    name = name_of(kind, rules.shapes[kind]).split()[-1]
    return LETTERS[kind // TYPES_PER_COLOUR] + (name if len(name) == 1 else str(kind))


def _panel_width(match: Match) -> int:
    return max(MARGIN + 2 * _rules(match).width + FRAME - 1, MIN_PANEL_WIDTH)


def _board(match: Match, seat: int) -> Panel:
    state, rules = match.state, _rules(match)
    bar = int(state["bar"][seat])
    rule = Text(" " * MARGIN + "═" * (2 * rules.width - 1), style="bold")
    rows = []
    for y in reversed(range(rules.height)):
        rows += [rule] * (bar == y + 1)
        rows.append(_row(match, seat, y))
    rows += [rule if bar == 0 else Text("")] * (bar <= 0)  # as many lines with a bar as without one
    columns = " ".join(str(x % 10) for x in range(rules.width))
    rows.append(Text(" " * MARGIN + columns, style="dim"))
    rows += _visitors(state, seat)
    return Panel(
        Group(*rows),
        title=f"player_{seat}: {state['score'][seat]} point{'s' if state['score'][seat] != 1 else ''}",
        subtitle="to act" if match.current_player == seat else "",
        width=_panel_width(match),
        border_style="bold" if match.current_player == seat else "dim",
    )


def _row(match: Match, seat: int, y: int) -> Text:
    text = Text(f"{y:>{MARGIN - 1}} ", style="dim")
    width = _rules(match).width
    for x in range(width):
        text.append_text(_square(match.state, seat, y * width + x))
        text.append(" " if x + 1 < width else "")
    return text


def _square(state: Any, seat: int, square: int) -> Text:
    lane, bit = square // 64, square % 64
    for colour in range(len(COLOURS)):
        if int(state["squares"][seat, colour, lane]) >> bit & 1:
            if int(state["zoned"][seat, lane]) >> bit & 1:
                return Text(LETTERS[colour], style=f"bold reverse {STYLES[colour]}")
            return Text(LETTERS[colour].lower(), style=f"bold {STYLES[colour]}")
    return Text(EMPTY, style="dim")


def _visitors(state: Any, seat: int) -> list[Text]:
    visitors, couples = Text("visitors "), Text("couples  ")
    for colour, letter in enumerate(LETTERS):
        if state["visitors"][seat, colour]:
            visitors.append(f"{letter}{state['visitors'][seat, colour]} ", style=STYLES[colour])
        if state["couples"][colour] == seat:
            couples.append(f"{letter}{state['largest'][seat, colour]} ", style=STYLES[colour])
    white = Text(f"street   {state['street'][seat]}, on bar {state['waiting'][seat]}")
    return [visitors, couples, white]
