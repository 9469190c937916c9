"""The README's examples run as they stand, and its pictures are what ``render`` draws."""

from __future__ import annotations

import re
from pathlib import Path

import pictures
import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"<!-- example: (.*?) -->\n```python\n(.*?)```", README, re.DOTALL))


@pytest.mark.parametrize("name", ["PettingZoo", "Gymnasium", "single game", "batch", "records"])
def test_example(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(EXAMPLES[name], {})  # noqa: S102  # the README's own text
    printed = capsys.readouterr().out
    for line in re.findall(r"print\(.*?\)[ ]+# (.*)", EXAMPLES[name]):
        assert line.removesuffix("...]") in printed


@pytest.mark.parametrize("name", pictures.POSITIONS)
def test_pictures(name: str) -> None:
    """If this fails, run ``tests/toys/pictures.py`` and look at what it draws."""
    assert (pictures.DOCS / f"{name}.svg").read_text(encoding="utf-8") == pictures.picture(name)
    assert f'<img src="docs/{name}.svg"' in README


def test_links_exist() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert "docs/rules-azul.md" in links
    for link in links:
        assert (ROOT / link).exists(), link


def test_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE)
    assert {"demo", "test"} <= set(targets)
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
