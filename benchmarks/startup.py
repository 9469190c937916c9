"""How long it takes to begin: the first start on a machine, which compiles, and every later one."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks.measure import Findings, Seconds
from manjerico.core.game import names

DEPENDENCIES = "import gymnasium, numba, numpy, pettingzoo, platformdirs"
FIRST_STEP = (
    "from {game}_env import {game}_v0; env = {game}_v0.env(); env.reset(seed=0); "
    "env.step(int(env.last()[0]['action_mask'].argmax()))"
)


def start(code: str, cache: str) -> float:
    """The seconds that a new process needs for some code, with its kernel cache in the folder ``cache``."""
    began = time.perf_counter()
    environment = {**os.environ, "MANJERICO_CACHE_DIR": cache}
    subprocess.run([sys.executable, "-c", code], env=environment, stderr=subprocess.DEVNULL, check=True)  # noqa: S603
    return time.perf_counter() - began


def run(slices: int, _seconds: float) -> Findings:
    """For each game one cold start with an empty cache, then warm starts in turn with bare imports."""
    figures: list[Seconds] = []
    with tempfile.TemporaryDirectory() as cache:
        for game in names():
            figures.append(Seconds(f"{game}, cold start to first step", [start(FIRST_STEP.format(game=game), cache)]))
        subjects = {"imports of the dependencies": DEPENDENCIES}
        subjects |= {f"{game}, warm start to first step": FIRST_STEP.format(game=game) for game in names()}
        taken: dict[str, list[float]] = {name: [] for name in subjects}
        for _ in range(slices):
            for name, code in subjects.items():
                taken[name].append(start(code, cache))
    figures += [Seconds(name, seconds) for name, seconds in taken.items()]
    return Findings(figures, above_imports(figures))


def above_imports(figures: list[Seconds]) -> dict[str, tuple[float, str]]:
    """By how many seconds the warm starts exceed the dependencies' imports, as medians of neighbouring starts."""
    (bare,) = (figure for figure in figures if figure.name.startswith("imports"))
    return {
        figure.name: (
            statistics.median(ours - theirs for ours, theirs in zip(figure.seconds, bare.seconds, strict=True)),
            "s above the imports",
        )
        for figure in figures
        if "warm" in figure.name
    }
