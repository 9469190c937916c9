"""The README's pictures: each game after some decisions of greedy, as rich exports it.

To make them anew: ``.venv/bin/python tests/toys/pictures.py``. Look at them afterwards.
"""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from manjerico.core.game import find
from manjerico.core.match import Match

DOCS = Path(__file__).parents[2] / "docs"
POSITIONS = {"azul": (7, 100), "arraial": (2, 76)}
"""Seed and number of decisions."""
COLUMNS = 78


def picture(name: str) -> str:
    """A game in the middle, as SVG."""
    seed, decisions = POSITIONS[name]
    match = Match(find(name), 2, seed=seed)
    for _ in range(decisions):
        match.apply(match.choose("greedy"))
    console = Console(file=io.StringIO(), width=COLUMNS, record=True, force_terminal=True, color_system="truecolor")
    console.print(match.game.draw(match))
    return console.export_svg(title=f"{match.game.title}, two players", unique_id=name)


if __name__ == "__main__":
    for name in POSITIONS:
        (DOCS / f"{name}.svg").write_text(picture(name), encoding="utf-8")
