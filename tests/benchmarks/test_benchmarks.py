"""The benchmarks run and write what they say; their figures are for people, not for tests."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import batch, peers, startup
from benchmarks.measure import Rates, Seconds, interleave, per_second, ratio
from manjerico.core.errors import InputError
from manjerico.core.game import names

ROOT = Path(__file__).parents[2]


def benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # our own


def test_table_and_json(tmp_path: Path) -> None:
    done = benchmarks("aec", "playouts", "search", "--slices", "1", "--seconds", "0.05", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    for name in ("arraial_v0", "azul_v0"):
        assert f"{name} / connect_four_v3, cheap sampler" in done.stdout
    (file,) = tmp_path.iterdir()
    content = json.loads(file.read_text())
    assert content["aec"]["comparisons"]["azul_v0 / connect_four_v3, cheap sampler"]["unit"] == "times"
    figures = content["aec"]["figures"] + content["playouts"]["figures"]
    assert {"azul, 4 players", "arraial, 1 players", "connect_four_v3, cheap sampler"} <= {f["name"] for f in figures}
    figures += content["search"]["figures"]
    assert {"azul, greedy rollouts", "arraial, network, 256 trees"} <= {f["name"] for f in figures}
    assert all(figure["median"] > 0 for figure in figures)


def test_batches_leave_the_process_on_all_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "names", lambda: ["arraial", "azul"])  # other processes know none of our toys
    before = os.sched_getaffinity(0)
    found = batch.run(1, 0.001, sizes=(1, 1024))
    assert {"azul, 1024 games, 2 cores", "arraial, 1 games, 1 core"} <= {figure.name for figure in found.figures}
    assert "azul, 1024 games in each of 2 processes / azul, 1024 games, 1 core" in found.comparisons
    with batch.pinned(1):
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_peers_must_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pgx" else object())
    with pytest.raises(InputError, match=r"^peers: pgx must be installed first: pip install '\.\[peers\]'$"):
        peers.check_installed()


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


def test_an_unknown_subject() -> None:
    done = benchmarks("playout")
    assert done.returncode == 2
    assert done.stderr.strip() == (
        "benchmarks: subject must be one of aec, batch, peers, playouts, search, startup, training, not 'playout' "
        "(did you mean 'playouts'?)"
    )


def test_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cold ones with a cache folder that the warm ones find again; a real cold start takes too long here."""
    step = "import os, pathlib; pathlib.Path(os.environ['MANJERICO_CACHE_DIR'], '{game}').open('a').write('x')"
    monkeypatch.setattr(startup, "FIRST_STEP", step)
    monkeypatch.setattr(startup, "DEPENDENCIES", "pass")
    figures = startup.run(2, 0).figures
    assert [(figure.name.split(",")[0], len(figure.seconds)) for figure in figures if "start" in figure.name] == [
        *((name, 1) for name in names()),
        *((name, 2) for name in names()),
    ]
    assert all(0 < figure.best <= figure.median < 60 for figure in figures)


def test_above_imports() -> None:
    figures = [
        Seconds("imports of the dependencies", [1.0, 2.0, 1.5]),
        Seconds("x, cold start to first step", [20.0]),
        Seconds("x, warm start to first step", [1.25, 2.5, 1.75]),
    ]
    assert startup.above_imports(figures) == {"x, warm start to first step": (0.25, "s above the imports")}


def test_a_start_that_fails_is_no_figure() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        startup.start("raise SystemExit(3)", cache="")
