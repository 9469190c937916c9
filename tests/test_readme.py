"""The README's examples run as they stand, and its picture is what ``render`` draws."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from azul_env import azul_v0
from manjerico.core import drawing

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"<!-- example: (.*?) -->\n```python\n(.*?)```", README, re.DOTALL))


@pytest.mark.parametrize("name", ["PettingZoo", "single game", "batch", "records"])
def test_example(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(EXAMPLES[name], {})  # noqa: S102  # the README's own text
    printed = capsys.readouterr().out
    for line in re.findall(r"print\(.*?\)[ ]+# (.*)", EXAMPLES[name]):
        assert line.removesuffix("...]") in printed


def test_picture() -> None:
    """Greedy against greedy, seed 7, after 100 decisions."""
    match = azul_v0.new_game(seed=7)
    for _ in range(100):
        match.apply(match.choose("greedy"))
    text = drawing.to_text(match.game.draw(match), colour=False)
    picture = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert picture is not None
    assert [line.rstrip() for line in picture[1].splitlines()] == [line.rstrip() for line in text.splitlines()]


def test_links_exist() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert "docs/rules.md" in links
    for link in links:
        assert (ROOT / link).exists(), link


def test_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE)
    assert {"demo", "test"} <= set(targets)
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
