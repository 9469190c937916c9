"""Golden games: no rule, no number of an action and no draw of the generator changes unnoticed."""

from __future__ import annotations

import difflib
import itertools

import golden
import pytest

from azul_env.actions import Draft, GiveUp, Pass, Pick, Play, decode
from azul_env.geometry import CENTRE, CENTRE_STAR

HINT = """
The {what} changed. If that is meant, then
- {then}
- make the golden files anew (.venv/bin/python tests/azul_env/make_golden.py), and look at their diff.
"""
RULES_THEN = "raise `version` in azul_env/game.py, for seeds and records of before mean other games now"
GREEDY_THEN = "raise greedy's version in azul_env/policies.py, for ladders of before compare with another one"


def assert_same(name: str, now: str, what: str, then: str) -> None:
    before = golden.file_of(name).read_text(encoding="utf-8")
    if now != before:
        lines = difflib.unified_diff(
            before.splitlines(), now.splitlines(), f"golden/{name}.txt", "now", n=2, lineterm=""
        )
        shown = "\n".join(itertools.islice(lines, 30))
        pytest.fail(f"{HINT.format(what=what, then=then)}\n{shown}", pytrace=False)


@pytest.mark.parametrize("name", golden.GAMES)
def test_rules_generator_and_numbering(name: str) -> None:
    text = golden.file_of(name).read_text(encoding="utf-8")
    assert_same(name, golden.replay(text), "rules, the generator, or the actions' numbers or words", RULES_THEN)


@pytest.mark.parametrize("name", golden.GAMES)
def test_greedy(name: str) -> None:
    assert_same(name, golden.play(golden.GAMES[name]), "decisions of greedy", GREEDY_THEN)


def test_there_are_no_other_files() -> None:
    expected = {*map(golden.file_of, golden.GAMES), golden.DRAWING}
    assert set(golden.FOLDER.iterdir()) == expected


@pytest.mark.parametrize("name", golden.GAMES)
def test_everything_happens(name: str) -> None:
    """Each game has actions of all kinds, and ends."""
    lines = golden.file_of(name).read_text(encoding="utf-8").splitlines()
    actions = [decode(int(line.split()[2])) for line in lines if "  player_" in line]
    drafts = {action.source == CENTRE for action in actions if isinstance(action, Draft)}
    plays = {action.star == CENTRE_STAR for action in actions if isinstance(action, Play)}
    assert drafts == plays == {True, False}
    assert any(isinstance(action, Play) and action.wilds for action in actions)
    assert {Pick, GiveUp, Pass} <= {type(action) for action in actions}
    assert lines[-1].startswith("final scores ")
