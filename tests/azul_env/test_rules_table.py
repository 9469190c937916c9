"""``docs/rules.md`` is complete: every rule, code object, test and sentence that it must name is there, and exists."""

from __future__ import annotations

import ast
import functools
import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = "tests/azul_env/test_rules.py"

LAST_NUMBER = {"A": 7, "B": 6, "C": 9, "D": 5, "E": 2, "F": 4, "G": 2, "H": 2, "I": 3}
RULES = [f"{section}{n}" for section, last in LAST_NUMBER.items() for n in range(1, last + 1)]
UNNUMBERED = ["Side A", "Action table", "Rules fields"]

SENTENCES = 123
DIGEST_SHA256 = "802f28ce1930de1fa3a7a6bb076483577da5887435b47e56ac8cee0b0793a9a0"
"""Of the digest of the rules without bullets, numbers of lists and blanks."""


def table(heading: str) -> list[list[str]]:
    """The cells of a section's table, row by row."""
    text = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def rule_rows() -> dict[str, list[str]]:
    """Table 1: what it says, code and tests of each rule."""
    return {rule: cells for rule, *cells in table("Rules, code, tests")}


def sentence_rows() -> list[list[str]]:
    """Table 2: number, sentence, rules."""
    return table("The digest, sentence by sentence")


@functools.cache
def definitions(file: str) -> dict[str, ast.AST]:
    """What a module defines, methods as ``Class.method``."""
    found: dict[str, ast.AST] = {}

    def search(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found[prefix + node.name] = node
            if isinstance(node, ast.ClassDef):
                search(node.body, f"{prefix}{node.name}.")
            for target in node.targets if isinstance(node, ast.Assign) else []:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                found.update({prefix + name.id: node for name in names if isinstance(name, ast.Name)})

    search(ast.parse((ROOT / file).read_text(encoding="utf-8")).body, "")
    return found


def examples_by_rule() -> dict[str, list[str]]:
    """The tests of ``test_rules.py`` by the rules that their docstrings begin with."""
    found: dict[str, list[str]] = {}
    for name, node in definitions(TESTS).items():
        if not name.startswith("test_") or not isinstance(node, ast.FunctionDef):
            continue
        begins = (ast.get_docstring(node) or "").partition(":")[0]
        rules = re.findall(r"\b[A-I]\d\b", begins)
        rules += [rule for rule in UNNUMBERED if rule.lower() in begins.lower()]
        assert rules, f"{name} names no rule"
        for rule in rules:
            found.setdefault(rule, []).append(name)
    return found


def test_every_rule_has_a_row() -> None:
    rows = [row[0] for row in table("Rules, code, tests")]
    assert sorted(rows) == sorted(RULES + UNNUMBERED)


@pytest.mark.parametrize("rule", RULES + UNNUMBERED)
def test_code_exists(rule: str) -> None:
    says, code, _ = rule_rows()[rule]
    assert says
    named = re.findall(r"`([^`]+)`", code)
    assert named
    for place in named:
        file, _, name = place.partition(":")
        assert file.startswith(("azul_env/", "core/")), place
        assert name in definitions(file), place


@pytest.mark.parametrize("rule", RULES + UNNUMBERED)
def test_tests_exist(rule: str) -> None:
    """A row names just the tests whose docstrings begin with its rule."""
    named = re.findall(r"`([^`]+)`", rule_rows()[rule][2])
    assert named
    assert named == [f"{TESTS}::{name}" for name in examples_by_rule().get(rule, [])]


def test_every_sentence_has_a_row() -> None:
    """In order, whole, none left out."""
    rows = sentence_rows()
    assert [row[0] for row in rows] == [str(n) for n in range(1, SENTENCES + 1)]
    text = "".join("".join(sentence.split()) for _, sentence, _ in rows)
    assert hashlib.sha256(text.encode()).hexdigest() == DIGEST_SHA256


def test_every_sentence_comes_to_a_rule_or_has_no_effect() -> None:
    for number, _, rules in sentence_rows():
        if rules.startswith("no effect: "):
            assert len(rules) > len("no effect: "), number
            continue
        named = rules.partition(";")[0].split(", ")
        assert named, number
        assert set(named) <= set(RULES + UNNUMBERED), number
        assert len(set(named)) == len(named), number
