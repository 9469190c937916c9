"""The command line: mistakes are one sentence on standard error and exit code 2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def manjerico(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from manjerico.experiments.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)  # noqa: S603  # our own


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "chess"], "manjerico: game must be one of arraial, azul, not 'chess'"),
        (["train", "azul", "--preset", "short"], "manjerico: --preset must be one of alphazero, demo, long"),
        (["train", "azul", "--set", "players=7"], "manjerico: azul: num_players must be one of 2, 3, 4, not 7"),
        (["train", "azul", "--resume"], "manjerico: --resume takes the folder of the run"),
        (["train", "azul", "--resume", "--run", "nowhere"], "no such file; a run folder holds its configuration"),
    ],
)
def test_mistakes(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = manjerico(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_agents_are_listed_and_explained(tmp_path: Path) -> None:
    listed = manjerico("agents", "arraial", cwd=tmp_path)
    assert [line.split()[0] for line in listed.stdout.splitlines()[3:] if line[1:2].strip()] == [
        "random",
        "greedy",
        "heuristic",
        "alphazero",
        "mcts",
        "ppo",
    ]
    explained = manjerico("agents", "arraial", "mcts", cwd=tmp_path)
    assert explained.stdout.startswith("mcts:simulations=...,seconds=...,rollout=")
    assert "rivalry: what a point of the best opponent costs" in explained.stdout
    unknown = manjerico("agents", "arraial", "mtcs", cwd=tmp_path)
    assert unknown.returncode == 2
    assert "not 'mtcs' (did you mean 'mcts'?)" in unknown.stderr


SMALL = ["steps=512", "envs=8", "rollout=16", "minibatch=64", "layers=[16]", "curve_deals=2", "final_deals=3"]
CHANGES = [word for change in SMALL for word in ("--set", change)]


def test_a_reader_that_leaves_stops_nothing(tmp_path: Path) -> None:
    """As with ``manjerico train azul | head -1``."""
    code = "from manjerico.experiments.cli import main; main()"
    command = [sys.executable, "-c", code, "train", "azul", "--run", "run", *CHANGES]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Training Azul")
        process.stdout.close()
        assert process.wait(120) == 0
    assert (tmp_path / "run" / "evaluation.json").exists()


def test_a_short_training(tmp_path: Path) -> None:
    done = manjerico("train", "azul", *CHANGES, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (run,) = (tmp_path / "runs").iterdir()
    assert run.name.startswith("azul-demo-")
    assert "win rate, 95 %" in done.stdout
    assert (run / "curve.png").exists()
    assert '"steps": 512' in (run / "config.json").read_text()
