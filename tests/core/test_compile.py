"""The cache of compiled kernels, in processes of their own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import arraial_env.game
import azul_env.game
from manjerico.core import compile as compile_module
from manjerico.core.compile import I64, helper, kernel
from manjerico.core.game import find

TOYS = Path(__file__).parents[1] / "toys"
NOTICE = "manjerico: compiling the kernels for this machine"


@dataclass(frozen=True)
class Report:
    """What ``play_and_report.py`` says."""

    compiled: list[str]
    warnings: list[str]
    played: str
    stderr: str


def start(name: str, cache: Path | None, path: Path = TOYS, **environment: str) -> subprocess.Popen[str]:
    variables = {**os.environ, "PYTHONPATH": str(path), **environment}
    if cache is not None:
        variables["MANJERICO_CACHE_DIR"] = str(cache)
    return subprocess.Popen(  # noqa: S603  # our own script
        [sys.executable, str(path / "play_and_report.py"), name],
        env=variables,
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def report(process: subprocess.Popen[str]) -> Report:
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 0, stderr
    return Report(**json.loads(stdout), stderr=stderr)


@dataclass(frozen=True)
class Cold:
    """A start on an empty cache: its report, the cache that it left, and the copied packages that it ran."""

    report: Report
    cache: Path
    packages: Path

    def copy_to(self, place: Path) -> Path:
        return Path(shutil.copytree(self.cache, place / "cache"))

    def start(self, cache: Path | None, **environment: str) -> subprocess.Popen[str]:
        return start("dice", cache=cache, path=self.packages, **environment)

    def play(self, cache: Path) -> Report:
        return report(self.start(cache))

    def assert_warm(self, cache: Path) -> None:
        assert self.play(cache) == Report([], [], self.report.played, "")


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> Cold:
    """Dice, with ``core`` copied to another folder, from which it is imported."""
    packages = tmp_path_factory.mktemp("packages")
    core = Path(compile_module.__file__).parent
    shutil.copytree(core, packages / "manjerico" / "core", ignore=shutil.ignore_patterns("__pycache__"))
    (packages / "manjerico" / "__init__.py").touch()
    for name in ("dice.py", "play_and_report.py"):
        shutil.copy(TOYS / name, packages)
    cache = tmp_path_factory.mktemp("cold") / "cache"
    return Cold(report(start("dice", cache=cache, path=packages)), cache, packages)


@pytest.fixture(scope="module", params=["azul", "arraial"])
def game(request: pytest.FixtureRequest) -> str:
    """The name of a game of which this process has filled the ordinary cache, with all drivers."""
    name: str = request.param
    for driver in ("step", "choose", "advance", "observe_many", "playouts", "batch_step", "next_episode"):
        getattr(find(name), driver)
    return name


@pytest.fixture(scope="module")
def warm(game: str) -> Report:
    return report(start(game, cache=None))


def test_cold_start(cold: Cold) -> None:
    """One line says why it takes so long."""
    assert {"roll", "make_total.<locals>.total"} <= set(cold.report.compiled)
    assert cold.report.warnings == []
    assert cold.report.stderr.count(NOTICE) == 1


def test_warm_start_compiles_nothing(cold: Cold, tmp_path: Path) -> None:
    """Functions that close over other compiled functions were never found again (Numba's own cache)."""
    cold.assert_warm(cold.copy_to(tmp_path))


def test_warm_start_of_a_game_compiles_nothing(warm: Report) -> None:
    assert (warm.compiled, warm.warnings, warm.stderr) == ([], [], "")


def test_damaged_files_are_compiled_again(cold: Cold, tmp_path: Path) -> None:
    """They raised (Numba 10128); here one warning, the right results, and a sound cache afterwards."""
    cache = cold.copy_to(tmp_path)
    for pattern in ("*.roll-*.nbi", "*.total-*.nbc"):
        (file,) = cache.rglob(pattern)
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    damaged = cold.play(cache)
    assert damaged.played == cold.report.played
    assert {"roll", "make_total.<locals>.total"} <= set(damaged.compiled)
    (warning,) = damaged.warnings
    assert warning.startswith("kernel cache: damaged files are compiled again (")
    cold.assert_warm(cache)


def test_a_cache_of_garbage(cold: Cold, tmp_path: Path) -> None:
    """Files of zeros, as a crash of the machine leaves them: still one warning."""
    cache = cold.copy_to(tmp_path)
    for file in cache.rglob("*.nb?"):
        file.write_bytes(bytes(100))
    garbage = cold.play(cache)
    assert garbage.played == cold.report.played
    assert len(garbage.warnings) == 1


def test_a_cache_that_can_t_be_written(cold: Cold, tmp_path: Path) -> None:
    """A read-only install must work. The place is below a file, since root may write everywhere else."""
    (tmp_path / "file").write_text("in the way")
    unwritable = cold.play(tmp_path / "file" / "cache")
    assert unwritable.played == cold.report.played
    (warning,) = unwritable.warnings
    assert "set MANJERICO_CACHE_DIR to a writable folder" in warning


def test_three_processes_on_an_empty_cache(cold: Cold, tmp_path: Path) -> None:
    """They raced for the files (Numba 10128, 10656)."""
    cache = tmp_path / "cache"
    for process in [cold.start(cache) for _ in range(3)]:
        raced = report(process)
        assert (raced.played, raced.warnings) == (cold.report.played, [])
    cold.assert_warm(cache)


@contextlib.contextmanager
def edited(file: Path, old: str, new: str) -> Iterator[None]:
    """The file with ``new`` in place of ``old``, for a while; Numba also looks at a file's time."""
    text, times = file.read_text(), file.stat()
    assert old in text
    file.write_text(text.replace(old, new))
    yield
    file.write_text(text)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_an_edited_helper_is_compiled_again(cold: Cold, tmp_path: Path) -> None:
    """Numba looks only at a function's own file: kernels elsewhere kept the old helper."""
    cache = cold.copy_to(tmp_path)
    with edited(cold.packages / "manjerico" / "core" / "rng.py", "x >> uint64(27)", "x >> uint64(28)"):
        after = cold.play(cache)
    assert after.played != cold.report.played
    cold.assert_warm(cache)


@helper
def one_more(value: int) -> int:
    return value + 1


@helper
def two_more(value: int) -> int:
    return value + 2


def made_of(more: Callable[[int], int]) -> Callable[[int], int]:
    """A kernel like a game's drivers: it closes over a function that closes over what makes the difference."""

    @helper
    def between(value: int) -> int:
        return more(value)

    @kernel(I64(I64))
    def entry(value: int) -> int:
        return between(value)

    return entry


def test_variants_of_a_game_share_no_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as two with other policies from the same folders."""
    monkeypatch.setenv("MANJERICO_CACHE_DIR", str(tmp_path))
    compile_module._cache_folder.cache_clear()
    try:
        assert [made_of(more)(0) for more in (one_more, two_more, one_more)] == [1, 2, 1]
    finally:
        compile_module._cache_folder.cache_clear()


def test_a_game_without_compiling(game: str, warm: Report) -> None:
    """``NUMBA_DISABLE_JIT=1`` plays the same games, state for state, and sees the same."""
    plain = report(start(game, cache=None, NUMBA_DISABLE_JIT="1"))
    assert plain == Report([], [], warm.played, "")


def test_dice_without_compiling(cold: Cold, tmp_path: Path) -> None:
    plain = report(cold.start(tmp_path / "cache", NUMBA_DISABLE_JIT="1"))
    assert plain == Report([], [], cold.report.played, "")
    assert not (tmp_path / "cache").exists()


def test_only_one_module_says_njit() -> None:
    """Every option of the compiler is in one place (``core/compile.py``)."""
    folders = [Path(module.__file__).parent for module in (compile_module, arraial_env.game, azul_env.game)]
    saying = [file.name for folder in folders for file in folder.glob("*.py") if "njit" in file.read_text()]
    assert saying == ["compile.py"]
