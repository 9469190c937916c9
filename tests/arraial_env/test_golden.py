"""Golden games: no rule, no number of an action and no draw of the generator changes unnoticed."""

from __future__ import annotations

import pytest
from golden import ARRAIAL

from arraial_env import ArraialRules
from arraial_env.actions import Action, Discard, EndTurn, Place, Refill, Rotate, decode


def actions_of(name: str) -> list[Action]:
    rules = ARRAIAL.starts[name].rules
    assert isinstance(rules, ArraialRules)
    return [decode(action, rules.width, rules.height) for action in ARRAIAL.actions_of(name)]


@pytest.mark.parametrize("name", ARRAIAL.starts)
def test_rules_generator_and_numbering(name: str) -> None:
    ARRAIAL.assert_replays(name)


@pytest.mark.parametrize("name", ARRAIAL.starts)
def test_greedy(name: str) -> None:
    ARRAIAL.assert_greedy(name)


def test_there_are_no_other_files() -> None:
    ARRAIAL.assert_no_other_files()


@pytest.mark.parametrize("name", ARRAIAL.starts)
def test_everything_happens(name: str) -> None:
    """Each game has placements from all slots, rotations, ends of turns and choices of every card, and ends."""
    actions = actions_of(name)
    assert {Place, Rotate, EndTurn, Refill} <= {type(action) for action in actions}
    assert {action.slot for action in actions if isinstance(action, Place)} == {0, 1, 2}
    assert {action.card for action in actions if isinstance(action, Refill)} == {0, 1, 2}
    assert ARRAIAL.text_of(name).splitlines()[-1].startswith("final scores ")


def test_discards_happen() -> None:
    """Under the default rules too, and from all slots."""
    discards = {name: [a.slot for a in actions_of(name) if isinstance(a, Discard)] for name in ARRAIAL.starts}
    assert {0, 1, 2} == {slot for slots in discards.values() for slot in slots}
    assert any(slots for name, slots in discards.items() if name.startswith("rulebook"))
    assert discards["cramped_2"]
