"""What a page of rules must name, and that all of it exists: rules, code objects, tests and the source's sentences."""

from __future__ import annotations

import ast
import functools
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


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
            for target in _targets(node):
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                found.update({prefix + name.id: node for name in names if isinstance(name, ast.Name)})

    search(ast.parse((ROOT / file).read_text(encoding="utf-8")).body, "")
    return found


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.AnnAssign):
        return [node.target]
    return node.targets if isinstance(node, ast.Assign) else []


@dataclass(frozen=True)
class RulesPage:
    """A page of rules, and what it is about."""

    page: str
    package: str
    tests: str
    """The file whose docstrings begin with the rules' numbers."""
    sentences_heading: str
    """Of the section that goes through the source."""
    last_number: Mapping[str, int]
    """The last number of each section with numbered rules."""
    unnumbered: Sequence[str]
    """What else has a row."""

    @property
    def rules(self) -> list[str]:
        """All that has a row in the table of rules."""
        numbered = [f"{section}{n}" for section, last in self.last_number.items() for n in range(1, last + 1)]
        return [*numbered, *self.unnumbered]

    def table(self, heading: str) -> list[list[str]]:
        """The cells of a section's table, row by row."""
        text = (ROOT / self.page).read_text(encoding="utf-8")
        section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
        rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in row] for row in rows[2:]]

    def rule_rows(self) -> dict[str, list[str]]:
        """Table 1: what it says, code and tests of each rule."""
        return {rule: cells for rule, *cells in self.table("Rules, code, tests")}

    def examples_by_rule(self) -> dict[str, list[str]]:
        """The tests by the rules that their docstrings begin with."""
        found: dict[str, list[str]] = {}
        for name, node in definitions(self.tests).items():
            if not name.startswith("test_") or not isinstance(node, ast.FunctionDef):
                continue
            begins = (ast.get_docstring(node) or "").partition(":")[0]
            rules = re.findall(r"\b[A-I]\d\b", begins)
            rules += [rule for rule in self.unnumbered if rule.lower() in begins.lower()]
            assert rules, f"{name} names no rule"
            for rule in rules:
                found.setdefault(rule, []).append(name)
        return found

    def assert_every_rule_has_a_row(self) -> None:
        rows = [row[0] for row in self.table("Rules, code, tests")]
        assert sorted(rows) == sorted(self.rules)

    def assert_code_exists(self, rule: str) -> None:
        says, code, _ = self.rule_rows()[rule]
        assert says
        named = re.findall(r"`([^`]+)`", code)
        assert named
        for place in named:
            file, _, name = place.partition(":")
            assert file.startswith((f"{self.package}/", "core/")), place
            assert name in definitions(file), place

    def assert_tests_exist(self, rule: str) -> None:
        """A row names just the tests whose docstrings begin with its rule."""
        named = re.findall(r"`([^`]+)`", self.rule_rows()[rule][2])
        assert named
        assert named == [f"{self.tests}::{name}" for name in self.examples_by_rule().get(rule, [])]

    def assert_every_sentence_has_a_row(self, count: int, sha256: str) -> None:
        """In order, whole, none left out. The hash is of the source without bullets, numbers of lists and blanks."""
        rows = self.table(self.sentences_heading)
        assert [row[0] for row in rows] == [str(n) for n in range(1, count + 1)]
        text = "".join("".join(sentence.split()) for _, sentence, _ in rows)
        assert hashlib.sha256(text.encode()).hexdigest() == sha256

    def assert_every_sentence_comes_to_a_rule_or_has_no_effect(self) -> None:
        for number, _, rules in self.table(self.sentences_heading):
            if rules.startswith("no effect: "):
                assert len(rules) > len("no effect: "), number
                continue
            named = rules.partition(";")[0].split(", ")
            assert named, number
            assert set(named) <= set(self.rules), number
            assert len(set(named)) == len(named), number
