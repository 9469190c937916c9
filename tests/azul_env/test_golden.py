"""Golden games: no rule, no number of an action and no draw of the generator changes unnoticed."""

from __future__ import annotations

import pytest
from golden import AZUL

from azul_env.actions import Draft, GiveUp, Pass, Pick, Play, decode
from azul_env.geometry import CENTRE, CENTRE_STAR


@pytest.mark.parametrize("name", AZUL.starts)
def test_rules_generator_and_numbering(name: str) -> None:
    AZUL.assert_replays(name)


@pytest.mark.parametrize("name", AZUL.starts)
def test_greedy(name: str) -> None:
    AZUL.assert_greedy(name)


def test_there_are_no_other_files() -> None:
    AZUL.assert_no_other_files()


@pytest.mark.parametrize("name", AZUL.starts)
def test_everything_happens(name: str) -> None:
    """Each game has actions of all kinds, and ends."""
    actions = [decode(action) for action in AZUL.actions_of(name)]
    drafts = {action.source == CENTRE for action in actions if isinstance(action, Draft)}
    plays = {action.star == CENTRE_STAR for action in actions if isinstance(action, Play)}
    assert drafts == plays == {True, False}
    assert any(isinstance(action, Play) and action.wilds for action in actions)
    assert {Pick, GiveUp, Pass} <= {type(action) for action in actions}
    assert AZUL.text_of(name).splitlines()[-1].startswith("final scores ")
