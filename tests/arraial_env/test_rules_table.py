"""``docs/rules-arraial.md`` is complete: every rule, code object, test and sentence that it must name is there."""

from __future__ import annotations

import pytest
from rules_table import RulesPage

PAGE = RulesPage(
    page="docs/rules-arraial.md",
    package="arraial_env",
    tests="tests/arraial_env/test_rules.py",
    sentences_heading="The rulebook, sentence by sentence",
    last_number={"A": 7, "B": 6, "C": 8, "D": 4, "E": 3, "F": 2, "H": 2},
    unnumbered=("Action table", "Section G", "Rules fields", "Section I"),
)

SENTENCES = 107
SHA256 = "6b3cc3529c7cf2e2922b37e56a13844719340436882bc2d9a1a2d1566649a8f0"
"""Of the rulebook's text without bullets, numbers of lists and blanks."""


def test_every_rule_has_a_row() -> None:
    PAGE.assert_every_rule_has_a_row()


@pytest.mark.parametrize("rule", PAGE.rules)
def test_code_exists(rule: str) -> None:
    PAGE.assert_code_exists(rule)


@pytest.mark.parametrize("rule", PAGE.rules)
def test_tests_exist(rule: str) -> None:
    """A row names just the tests whose docstrings begin with its rule."""
    PAGE.assert_tests_exist(rule)


def test_every_sentence_has_a_row() -> None:
    """In order, whole, none left out."""
    PAGE.assert_every_sentence_has_a_row(SENTENCES, SHA256)


def test_every_sentence_comes_to_a_rule_or_has_no_effect() -> None:
    PAGE.assert_every_sentence_comes_to_a_rule_or_has_no_effect()
