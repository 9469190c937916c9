"""Makes the golden files anew: ``.venv/bin/python tests/azul_env/make_golden.py``. Look at the diff afterwards."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "toys"))

import golden

if __name__ == "__main__":
    golden.AZUL.make()
