"""The board as text."""

from __future__ import annotations

import math
import re

import pytest
from golden import AZUL
from players import azul

from azul_env import azul_v0
from azul_env.render import LETTERS, STAR_LINES, draw
from manjerico.core import drawing
from manjerico.core.match import Match

ESCAPE = "\x1b"


def text(match: Match) -> str:
    return drawing.to_text(draw(match), colour=False)


def test_snapshot() -> None:
    """If the change is meant: ``.venv/bin/python tests/azul_env/make_golden.py``."""
    assert AZUL.drawing_text() == AZUL.drawing.read_text(encoding="utf-8")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_phase_1(players: int) -> None:
    match = azul_v0.new_game(seed=7, num_players=players)
    drawn = text(match)
    assert "Round 1 of 6, wild purple: player_0 takes tiles" in drawn
    for number in range(2 * players + 1):
        (letters,) = re.findall(rf" {number + 1}:([ORBYGP]+)  ", drawn)
        assert [letters.count(letter) for letter in LETTERS] == match.state["displays"][number].tolist()
    assert re.search(r"Centre +- and the start marker", drawn)
    assert drawn.count(": 5 points") == players
    assert drawn.count("to act") == 1
    assert max(map(len, drawn.splitlines())) <= drawing.WIDTH


@pytest.fixture(scope="module")
def game() -> list[tuple[Match, str]]:
    """Every third position of a game, the last among them, and how they are drawn."""
    count = len(azul(7).actions)
    matches = [azul(7, decisions=decisions) for decisions in range(count, -1, -3)]
    return [(match, text(match)) for match in reversed(matches)]


def test_heaps_of_tiles(game: list[tuple[Match, str]]) -> None:
    """Up to four tiles are letters, more are a letter and a number."""
    for match, drawn in game:
        for name in ("hand", "kept"):
            for seat, heap in enumerate(re.findall(rf"{name} +([-ORBYGP0-9 ]*?) *│", drawn)):
                counts = dict.fromkeys(LETTERS, 0)
                for letter, number in re.findall(r"([ORBYGP])(\d*)", heap):
                    counts[letter] += int(number or 1)
                assert list(counts.values()) == match.state[name][seat].tolist()


def test_words(game: list[tuple[Match, str]]) -> None:
    """Who does what, and the scores."""
    said = set()
    for match, drawn in game:
        said |= set(re.findall(r": player_\d ([a-z ]+?)(?: \d+ from the supply)? *│", drawn))
        assert all(f"player_{seat}: {score} points" in drawn for seat, score in enumerate(match.scores))
    assert said == {"takes tiles", "places a tile or passes", "gives up tiles or passes", "picks"}


def test_marker_and_passes(game: list[tuple[Match, str]]) -> None:
    seen = set()
    for match, drawn in game:
        holder, passed = int(match.state["marker"]), int(match.state["passed"])
        assert drawn.count("─ marker") + drawn.count(", marker") == int(holder >= 0)
        assert drawn.count("passed") == passed.bit_count()
        seen.add((holder >= 0, passed))
    assert {(False, 0), (True, 1), (True, 2)} <= seen


def test_the_end(game: list[tuple[Match, str]]) -> None:
    match, drawn = game[-1]
    assert f"the game is over, won by player_{match.scores.index(max(match.scores))} " in drawn
    assert "to act" not in drawn


def test_a_shared_victory() -> None:
    match = azul(7)
    match.state["score"][:2] = 70
    assert "won by player_0 and player_1" in text(match)


def test_stars_lie_as_on_the_board() -> None:
    """A tile on each space in turn: its letter is where the rules' angles put it, as seen from its star's middle.

    Star i lies at 330 + 60 i degrees, its space n points 90 + 60 (n - 1) degrees on from there; the centre's space n
    points to 60 (n - 1) degrees (section C, side A geometry). Angles run clockwise from the top.
    """
    for star in range(7):
        for number in range(1, 7):
            match = azul_v0.new_game(seed=1)
            match.state["board"][0] = 1 << (6 * star + number - 1)
            match.state["centre"][0][number - 1] = 2 if star == 6 else -1
            board = [line.split("││")[0] for line in text(match).splitlines()[8:-3]]
            filled = [(row, line.index(c)) for row, line in enumerate(board) for c in "ORBYGP" if c in line]
            middle = [(row, line.index(c)) for row, line in enumerate(board) for c in ("orbygp*"[star],) if c in line]
            assert len(filled) == len(middle) == 1
            up, right = middle[0][0] + 0.5 - filled[0][0], filled[0][1] - middle[0][1]  # letters stand above the middle
            angle = math.radians(60 * (number - 1) if star == 6 else 330 + 60 * star + 90 + 60 * (number - 1))
            assert right / 2 == round(math.sin(angle))
            assert (up > 0) == (math.cos(angle) > 0)


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    drawing.show(draw(azul(7, decisions=60)))
    shown = capsys.readouterr().out
    assert "Round 3 of 6" in shown
    assert ESCAPE not in shown


def test_star_lines_have_six_slots() -> None:
    assert sorted(slot for line in STAR_LINES for slot in line if isinstance(slot, int)) == [0, 1, 2, 3, 4, 5]
