"""Makes the golden files anew: ``.venv/bin/python tests/azul_env/make_golden.py``. Look at the diff afterwards."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "toys"))

import golden


def main() -> None:
    golden.FOLDER.mkdir(exist_ok=True)
    for name, game in golden.GAMES.items():
        golden.file_of(name).write_text(golden.play(game), encoding="utf-8")
    golden.DRAWING.write_text(golden.drawing_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
