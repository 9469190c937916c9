"""The project as a whole: what imports what, what is installed, what the version is."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from manjerico.core.game import find

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GAMES = ["azul", "arraial"]
LINKED = ["core", "agents", "experiments"]
"""Folders that are packages inside ``manjerico``."""
PACKAGES = [*LINKED, *(f"{game}_env" for game in GAMES)]


def run(*command: str, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- Imports ---------------------------------------------------------------------------------------------------------


def test_imports_go_upwards() -> None:
    """``core`` knows no game, a game no agent, an agent no experiment (``[tool.importlinter]``)."""
    assert "1 kept, 0 broken" in run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")


def test_every_package_is_in_the_contract() -> None:
    (contract,) = PROJECT["tool"]["importlinter"]["contracts"]
    layers = [name.strip() for layer in contract["layers"] for name in layer.split("|")]
    installed = set(PROJECT["tool"]["setuptools"]["packages"]) - {"manjerico"}
    assert set(layers) == installed


def test_core_names_no_game() -> None:
    for file in sorted((ROOT / "core").glob("*.py")):
        words = set(re.findall(r"[a-z]+", file.read_text(encoding="utf-8").lower()))
        assert words.isdisjoint(GAMES), file.name


HEAVY = ("torch", "matplotlib", "pygame", "scipy", "pandas", "stable_baselines3", "tensorboard", "rich")
MODULES = f"import sys; print(*(name for name in {HEAVY} if name in sys.modules))"


@pytest.mark.parametrize("game", GAMES)
def test_the_environment_imports_nothing_heavy(game: str) -> None:
    """Beyond what its dependencies import by themselves: numba imports scipy, where there is one, to compile."""
    dependencies = "import gymnasium, numba, numpy, pettingzoo; numba.njit('i8(i8)')(lambda x: x)"
    ours = (
        f"from {game}_env import {game}_v0; e = {game}_v0.env(); e.reset(); e.step(e.last()[0]['action_mask'].argmax())"
    )
    without, heavy = (run(sys.executable, "-c", f"{code}; {MODULES}").split() for code in (dependencies, ours))
    assert set(heavy) <= set(without)


@pytest.mark.parametrize("game", GAMES)
def test_drawing_imports_no_graphics(game: str) -> None:
    ours = f"from {game}_env import {game}_v0; env = {game}_v0.env(render_mode='ansi'); env.reset(); env.render()"
    assert set(run(sys.executable, "-c", f"{ours}; {MODULES}").split()) <= {"rich", "scipy"}


# --- What is installed -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Built from a copy, since a build writes into the folder that it builds."""
    place = tmp_path_factory.mktemp("wheel")
    source = place / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in (*PACKAGES, "manjerico"):
        shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), cwd=source)
    (file,) = place.glob("*.whl")
    return zipfile.ZipFile(file)


def test_the_wheel_holds_our_names_only(wheel: zipfile.ZipFile) -> None:
    """Top-level names like ``core`` or ``agents`` would overwrite other people's packages."""
    version = PROJECT["project"]["version"]
    assert {name.split("/")[0] for name in wheel.namelist()} == {
        "manjerico",
        *(f"{game}_env" for game in GAMES),
        f"manjerico-{version}.dist-info",
    }


def test_the_wheel_holds_the_files(wheel: zipfile.ZipFile) -> None:
    """All modules, as they are here: real files, not the links of the checkout."""
    for folder in PACKAGES:
        target = f"manjerico/{folder}" if folder in LINKED else folder
        for file in (ROOT / folder).glob("*.py"):
            name = f"{target}/{file.name}"
            assert wheel.read(name) == file.read_bytes()
            assert wheel.getinfo(name).external_attr >> 28 in (0o10, 0)  # a regular file
    for folder in ("manjerico", *(f"{game}_env" for game in GAMES)):
        assert f"{folder}/py.typed" in wheel.namelist()
    assert not [name for name in wheel.namelist() if "test" in name.lower()]


def test_the_wheel_offers_games_and_command(wheel: zipfile.ZipFile) -> None:
    version = PROJECT["project"]["version"]
    entries = wheel.read(f"manjerico-{version}.dist-info/entry_points.txt").decode()
    for game in GAMES:
        assert f"\n{game} = {game}_env.game:GAME\n" in entries.partition("[manjerico.games]")[2] + "\n"
    assert "[console_scripts]\nmanjerico = manjerico.experiments.cli:main" in entries


def test_every_folder_is_installed() -> None:
    """A package that is added to the checkout must be added to pyproject.toml."""
    folders = {f"manjerico.{name}" for name in LINKED} | {"manjerico", *(f"{game}_env" for game in GAMES)}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders
    assert {file.name for file in (ROOT / "manjerico").iterdir() if file.is_symlink()} == set(LINKED)
    for name in LINKED:
        assert (ROOT / "manjerico" / name).readlink() == Path("..") / name


# --- Versions --------------------------------------------------------------------------------------------------------


def test_the_installed_version_is_this_one() -> None:
    assert importlib.metadata.version("manjerico") == PROJECT["project"]["version"]


@pytest.mark.parametrize("game", GAMES)
def test_the_environment_s_version_is_its_module_s(game: str) -> None:
    """Like ``azul_v0``: the module, the registered name and the name in the metadata."""
    name = f"{game}_v{find(game).version}"
    folder = ROOT / f"{game}_env"
    assert (folder / f"{name}.py").is_file()
    assert f'"{name}", "{game}_env.{name}:env"' in (folder / "__init__.py").read_text(encoding="utf-8")


def test_the_games_folders_mirror_each_other() -> None:
    """File by file, but for the environment's module, which has the game's name."""
    first, second = (
        {file.name.replace(game, "game") for file in (ROOT / f"{game}_env").glob("*.py")} for game in GAMES
    )
    assert first == second


def test_the_python_versions_agree() -> None:
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{lowest.replace('.', '')}"
