"""The streets as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from arraial_players import RULES
from golden import ARRAIAL
from players import arraial
from streets import position

from arraial_env import ArraialRules, arraial_v0
from arraial_env.geometry import turns_of
from arraial_env.render import EMPTY, LETTERS, MARGIN, draw
from manjerico.core import drawing
from manjerico.core.match import Match

ESCAPE = "\x1b"
DEFAULT = ArraialRules()


def text(match: Match) -> str:
    return drawing.to_text(draw(match), colour=False)


def panels(drawn: str) -> list[list[str]]:
    """The lines of each player's panel, cut out of the drawing and without the frame."""
    found: list[list[str]] = []
    spans: list[tuple[int, int]] = []
    for line in drawn.splitlines():
        if "─ player_" in line:
            spans = [m.span() for m in re.finditer("╭.*?╮", line)]
            found += [[] for _ in spans]
        for panel, (begin, end) in zip(found[len(found) - len(spans) :], spans, strict=True):
            panel.append(line[begin + 2 : end - 2])
    return [panel[1:-1] for panel in found]


def squares(panel: list[str]) -> dict[int, list[str]]:
    """What is drawn on each row's squares."""
    return {int(line[:2]): line[MARGIN:].split() for line in panel if line[:2].strip().isdigit()}


def bar(panel: list[str]) -> int:
    """How many rows are drawn below the level bar, -1 without one."""
    lines = [k for k, line in enumerate(panel) if "═" in line]
    if not lines:
        return -1
    (k,) = lines
    below = panel[k + 1][:2].strip()
    return int(below) + 1 if below else 0


def bits(boards: Any) -> list[bool]:
    """A board of two lanes, square by square."""
    return [bool(int(boards[k // 64]) >> k % 64 & 1) for k in range(128)]


def expected_squares(match: Match, seat: int) -> dict[int, list[str]]:
    """From the state: a colour's letter, upper case in zones."""
    width, height = match.rules.width, match.rules.height  # type: ignore[attr-defined]  # they are Arraial's
    drawn = [EMPTY] * (width * height)
    zoned = bits(match.state["zoned"][seat])
    for letter, board in zip(LETTERS, match.state["squares"][seat], strict=True):
        for square, covered in enumerate(bits(board)):
            if covered:
                drawn[square] = letter if zoned[square] else letter.lower()
    return {y: drawn[y * width : (y + 1) * width] for y in range(height)}


def positions(players: int, rules: ArraialRules = DEFAULT, seeds: int = 2, every: int = 7) -> Iterator[Match]:
    """Some positions of games, the last among them."""
    for seed in range(seeds):
        match = arraial(seed, players, rules, decisions=0)
        for count, action in enumerate(arraial(seed, players, rules).actions):
            if count % every == 0:
                yield match
            match.apply(action)
        yield match


def test_snapshot() -> None:
    """If the change is meant: ``.venv/bin/python tests/arraial_env/make_golden.py``."""
    assert ARRAIAL.drawing_text() == ARRAIAL.drawing.read_text(encoding="utf-8")


# --- Streets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "name"),
    [
        *((1, "default"), (2, "default"), (3, "default"), (4, "default"), (1, "16x8"), (3, "16x8"), (2, "5x25")),
        *((4, "5x25"), (2, "4x32"), (1, "4x4"), (4, "4x4"), (2, "bar_at_0"), (2, "bar_at_top"), (3, "large")),
    ],
)
def test_streets_can_be_read(players: int, name: str) -> None:
    """Squares, level bar, visitors and couples are those of the state, whatever the size of the board."""
    for match in positions(players, ArraialRules.from_dict(RULES[name]), seeds=1, every=5):
        state, drawn = match.state, panels(text(match))
        assert len(drawn) == players
        for seat, panel in enumerate(drawn):
            assert squares(panel) == expected_squares(match, seat)
            assert bar(panel) == state["bar"][seat]
            said = "\n".join(panel)
            (zones,) = re.findall(r"^visitors +(.*?) *$", said, re.MULTILINE)
            assert zones.split() == [
                f"{letter}{count}" for letter, count in zip(LETTERS, state["visitors"][seat], strict=True) if count
            ]
            (couples,) = re.findall(r"^couples +(.*?) *$", said, re.MULTILINE)
            largest = zip(LETTERS, state["largest"][seat], state["couples"], strict=True)
            assert couples.split() == [f"{letter}{size}" for letter, size, owner in largest if owner == seat]
            assert re.search(rf"^street +{state['street'][seat]}, on bar {state['waiting'][seat]} *$", said, re.M)


def test_what_the_streets_above_show() -> None:
    """Bars at the top, on the ground and gone; visitors on a bar and in the street; couples of everybody."""
    seen: set[str] = set()
    for match in positions(2, every=1):
        state = match.state
        bars = {int(bar) for bar in state["bar"][:2]}
        seen |= {"gone"} if -1 in bars else set()
        seen |= {"waiting"} if state["waiting"].any() else set()
        seen |= {"in the street"} if state["street"].any() else set()
        seen |= {f"couple of {owner}" for owner in state["couples"].tolist()}
    assert seen == {"gone", "waiting", "in the street", "couple of -1", "couple of 0", "couple of 1"}


def test_a_street_as_it_lies() -> None:
    """Row 0 below, column 0 on the left, numbers beside and below."""
    match = position("YO - RT", ["......bb", "GGGGGGbb"], bars=(1, -1), waiting=1)
    panel = [line.rstrip() for line in panels(text(match))[0]]
    assert panel[11:16] == [
        " 2 · · · · · · · ·",
        " 1 · · · · · · b b",
        "   ═══════════════",
        " 0 G G G G G G b b",
        "   0 1 2 3 4 5 6 7",
    ]


def test_columns_are_numbered_by_their_last_digit() -> None:
    match = arraial_v0.new_game(1, rules=ArraialRules(width=16, height=8))
    for panel in panels(text(match)):
        assert "   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5" in [line.rstrip() for line in panel]


def test_all_panels_are_equally_high() -> None:
    """With a level bar, on the ground or gone, so that rows lie side by side."""
    for bars in ((8, -1), (0, -1), (14, 0)):
        one, other = panels(text(position("YO - RT", [], [], bars=bars)))
        assert len(one) == len(other)
        lines = {line[:2]: k for k, line in enumerate(one) if line[:2].strip()}
        assert lines[" 0"] - lines["13"] == 13 + (0 < bars[0] < 14)


# --- Cards -----------------------------------------------------------------------------------------------------------


def cards(drawn: str) -> list[set[tuple[int, int]]]:
    """The squares that are drawn for each slot and each card of the row, from the corner of their box on."""
    lines = drawn.splitlines()
    (head,) = [k for k, line in enumerate(lines) if re.search("slot 0 +slot 1", line)]
    begins = [m.start() for m in re.finditer(r"(slot|row) \d", lines[head])]
    rows = lines[head + 1 : next(k for k in range(head, len(lines)) if not lines[k].strip("│ "))]
    found = []
    for k, begin in enumerate(begins):
        end = begins[k + 1] if k + 1 < len(begins) else len(lines[head]) - 1
        found.append(
            {
                (x // 2, len(rows) - 1 - y)
                for y, line in enumerate(rows)
                for x, letter in enumerate(line[begin:end])
                if letter in LETTERS
            }
        )
    return found


@pytest.mark.parametrize(
    ("players", "name"),
    [(1, "default"), (2, "default"), (4, "default"), (2, "pentominoes"), (1, "large"), (4, "small")],
)
def test_cards_are_turned_as_the_player_to_act_sees_them(players: int, name: str) -> None:
    """By the octagon's rotation less the seat's side (A6): the sides are 0 alone, 0 and 2 for two, 0 to 3 for four."""
    rules = ArraialRules.from_dict(RULES[name])
    sides = {1: [0], 2: [0, 2], 4: [0, 1, 2, 3]}[players]
    turns = set()
    for match in positions(players, rules, every=5):
        if match.is_over:
            continue
        assert match.current_player is not None
        turn = (int(match.state["rotation"]) - sides[match.current_player]) % 4
        turns.add(turn)
        kinds = [*match.state["slots"].tolist(), *match.state["row"].tolist()]
        drawn = cards(text(match))
        assert drawn == [set(turns_of(rules.shapes[kind])[turn]) if kind != -1 else set() for kind in kinds]
    assert len(turns) >= 3


def test_pile_and_discards() -> None:
    """Counts by type; the pile's order is hidden and nowhere seen."""
    names = ["YO", "YI", "BL", "BJ", "GS", "GZ", "RT", "RL"]
    for match in positions(2, seeds=1):
        drawn = text(match)
        for field in ("pile", "discards"):
            (said,) = re.findall(rf"{field.capitalize()} +(.*?) *│", drawn)
            counts = {name: int(number) for number, name in re.findall(r"(\d+) (\w\w)", said)}
            assert [counts.get(name, 0) for name in names] == match.state[field].tolist()
            assert (said == "-") == (not counts)
        other = match.clone()
        other.redeterminise(99)
        assert text(other) == drawn


def test_types_without_a_letter_are_numbered() -> None:
    rules = ArraialRules.from_dict(RULES["pentominoes"])
    drawn = text(arraial(1, rules=rules, decisions=20))
    said = re.findall(r"\d+ ([YBGR]\w)", "".join(re.findall(r"(?:Pile|Discards) .*", drawn)))
    assert said
    assert all(name[0] == LETTERS[int(name[1]) // 2] for name in said if name[1].isdigit())


# --- Words -----------------------------------------------------------------------------------------------------------


def turn_of(drawn: str) -> str:
    (said,) = re.findall(r"Phase \d of 3: (.*?) *│", drawn)
    return str(said)


def test_words() -> None:
    """Who is to act, with how many points, what is owed, and the scores."""
    kinds = set()
    for match in positions(3, seeds=1, every=3):
        state, drawn = match.state, text(match)
        said = turn_of(drawn)
        assert f"Phase {state['phase']} of 3: " in drawn
        assert all(re.search(rf"player_{seat}: {score} points? ", drawn) for seat, score in enumerate(match.scores))
        assert drawn.count("─ to act ─") == int(not match.is_over)
        if match.is_over:
            continue
        assert said.startswith(f"player_{match.current_player} ")
        if state["refilling"]:
            assert said.endswith(f"chooses a card for slot {state['slots'].tolist().index(-1)}")
        else:
            points, owed = int(state["points"]), int(state["owed"])
            owing = f", {owed} to place" if owed else ""
            assert said.endswith(f"has {points} action point{'s' * (points > 1)}{owing}")
        kinds.add(said.partition(" ")[2])
    assert len(kinds) >= 8


def test_one_point() -> None:
    match = arraial_v0.new_game(1)
    match.state["score"][0] = 1
    assert "player_0: 1 point ─" in text(match)
    assert "player_1: 0 points ─" in text(match)


def test_the_end() -> None:
    match = arraial(3)
    drawn = text(match)
    best = max(match.scores)
    winners = [f"player_{seat}" for seat, score in enumerate(match.scores) if score == best]
    assert turn_of(drawn) == f"the game is over, won by {' and '.join(winners)}"
    assert "to act" not in drawn


def test_a_shared_victory() -> None:
    match = arraial(3, 3)
    match.state["score"][:3] = 5, 12, 12
    assert turn_of(text(match)) == "the game is over, won by player_1 and player_2"


def test_the_end_alone() -> None:
    """There is nobody to win against."""
    match = arraial(3, 1)
    assert turn_of(text(match)) == f"the game is over with {match.scores[0]} points"
    assert "won" not in text(match)


# --- Terminals -------------------------------------------------------------------------------------------------------


def boards_in_a_row(drawn: str) -> list[int]:
    return [line.count("─ player_") for line in drawn.splitlines() if "─ player_" in line]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [(8, 14), (16, 8), (5, 25), (4, 4)])
def test_boards_lie_side_by_side(players: int, size: tuple[int, int]) -> None:
    """As many as there is room for, and no line is longer than the drawing is wide."""
    width, height = size
    match = arraial_v0.new_game(1, players, ArraialRules(width=width, height=height, bar_start=(3, 3, 3, 3)))
    drawn = text(match)
    assert max(map(len, drawn.splitlines())) <= drawing.WIDTH
    (panel,) = {len(m) for m in re.findall(r"╭[─ ]*player_.*?╮", drawn)}
    assert panel >= MARGIN + 2 * width - 1 + 4
    fit = drawing.WIDTH // panel
    assert boards_in_a_row(drawn) == [min(fit, players - k) for k in range(0, players, fit)]


@pytest.mark.parametrize(("columns", "boards"), [(60, [2, 2]), (80, [2, 2]), (92, [3, 1]), (140, [4]), (200, [4])])
def test_terminals(
    columns: int, boards: list[int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a narrow one boards lie below each other, and all can still be read."""
    monkeypatch.setenv("COLUMNS", str(columns))
    match = arraial(7, 4, decisions=60)
    drawing.show(draw(match))
    shown = capsys.readouterr().out
    assert ESCAPE not in shown
    assert max(map(len, shown.splitlines())) <= columns
    assert boards_in_a_row(shown) == boards
    assert [squares(panel) for panel in panels(shown)] == [expected_squares(match, seat) for seat in range(4)]
    assert cards(shown) == cards(text(match))


def test_drawing_changes_nothing() -> None:
    match = arraial(3, decisions=30)
    before = match.get_state()
    str(match)
    assert match.get_state() == before
    assert np.array_equal(match.action_mask(), arraial(3, decisions=30).action_mask())
