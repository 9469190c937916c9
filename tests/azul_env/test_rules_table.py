"""``docs/rules-azul.md`` is complete: every rule, code object, test and sentence that it must name exists."""

from __future__ import annotations

import pytest
from rules_table import RulesPage

PAGE = RulesPage(
    page="docs/rules-azul.md",
    package="azul_env",
    tests="tests/azul_env/test_rules.py",
    sentences_heading="The digest, sentence by sentence",
    last_number={"A": 7, "B": 6, "C": 9, "D": 5, "E": 2, "F": 4, "G": 2, "H": 2, "I": 3},
    unnumbered=("Side A", "Action table", "Rules fields"),
)

SENTENCES = 123
SHA256 = "802f28ce1930de1fa3a7a6bb076483577da5887435b47e56ac8cee0b0793a9a0"
"""Of the digest of the rules without bullets, numbers of lists and blanks."""


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
