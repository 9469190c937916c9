"""The benchmarks run and write what they say; their figures are for people, not for tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.measure import Rates, interleave, per_second, ratio

ROOT = Path(__file__).parents[2]


def benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # our own


def test_table_and_json(tmp_path: Path) -> None:
    done = benchmarks("--slices", "1", "--seconds", "0.05", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "azul_v0 / connect_four_v3, cheap sampler" in done.stdout
    (file,) = tmp_path.iterdir()
    content = json.loads(file.read_text())
    names = [figure["name"] for figure in content["figures"]]
    assert {"azul, 2 players", "azul, 4 players", "connect_four_v3, cheap sampler"} <= set(names)
    assert all(figure["median"] > 0 for figure in content["figures"])


def test_interleaving() -> None:
    order: list[str] = []

    def subject(name: str) -> float:
        order.append(name)
        return float(len(order))

    ours, theirs = interleave({"a": lambda _: subject("a"), "b": lambda _: subject("b")}, "units/s", 2, 0.1)
    assert order == ["a", "b"] * 3
    assert (ours.rates, theirs.rates) == ([3.0, 5.0], [4.0, 6.0])
    assert ratio(ours, theirs) == pytest.approx((3 / 4 + 5 / 6) / 2)
    assert (ours.median, ours.best) == (4.0, 5.0)


def test_rates_count_units() -> None:
    rate = per_second(lambda: 7)(0.01)
    assert rate > 7
    assert Rates("x", "units/s", [rate]).median == rate
