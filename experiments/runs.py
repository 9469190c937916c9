"""Run folders: everything about one run under one folder, written so that a crash loses nothing that was there.

==================  ==========================================================================================
file                holds
==================  ==========================================================================================
``config.json``     the configuration (:class:`TrainConfig`)
``meta.json``       seed, rules, versions, git revision, command, start
``checkpoint/``     the newest checkpoint: model, past selves, games, random generators
``curve.csv``       the learning curve, a row for each point and opponent
``curve.png``       the same as a picture
``tensorboard/``    SB3's own training figures, for ``tensorboard --logdir``
``model.zip``       the trained model, for ``sb3_contrib.MaskablePPO.load``
``evaluation.json`` the evaluation at the end; ``evaluation.txt`` is the same as a table
==================  ==========================================================================================
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from manjerico.core.errors import InputError
from manjerico.core.files import make_folder, replaced_file

VERSIONS = ("manjerico", "numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3", "sb3-contrib")


def new_folder(game: str, preset: str) -> Path:
    """A name for a new run, by game, setting and time."""
    return Path("runs") / f"{game}-{preset}-{datetime.now(UTC):%Y%m%d-%H%M%S}"


def create(folder: Path) -> None:
    """Makes a run folder.

    Raises:
        InputError: it holds something already, or can't be made.
    """
    make_folder(folder)
    if any(folder.iterdir()):
        raise InputError(f"{folder} is not empty: go on with --resume, or choose another folder with --run")


def meta(seed: int, rules: dict[str, Any]) -> dict[str, Any]:
    """What a run needs to be repeated, besides its configuration."""
    return {
        "seed": seed,
        "rules": rules,
        "git": git_revision(),
        "versions": {"python": platform.python_version(), **{name: version(name) for name in VERSIONS}},
        "cores": os.cpu_count(),
        "command": sys.argv[1:],
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def git_revision() -> str | None:
    """The commit of this checkout, with ``-dirty`` if files differ from it; None outside a checkout."""
    git = shutil.which("git")
    if git is None:
        return None
    home = Path(__file__).resolve().parent
    described = subprocess.run(  # noqa: S603  # fixed arguments
        [git, "-C", str(home), "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"],
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip() or None


def write_text(path: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    with replaced_file(path) as part:
        part.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """Writes JSON whole or not at all."""
    write_text(path, json.dumps(value, indent=2) + "\n")


def replace_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """Replaces a folder by what ``fill`` writes, so that at every moment one whole version of it exists.

    Raises:
        InputError: it can't be written; the old one stays.
    """
    new, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
    shutil.rmtree(new, ignore_errors=True)
    try:
        new.mkdir()
        fill(new)
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
            folder.rename(old)
        new.rename(folder)
    except (OSError, RuntimeError) as error:  # torch reports a full disk as RuntimeError
        shutil.rmtree(new, ignore_errors=True)
        raise InputError(f"{folder}: can't be written ({error}); what was saved before is still there") from None
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other processes out of a run folder.

    Raises:
        InputError: one is already there, or the folder can't be written.
    """
    try:
        file = (folder / "lock").open("w")
    except OSError as error:
        raise InputError(f"{folder / 'lock'}: can't be written: {error.strerror}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{folder}: another process is at work there") from None
        yield


def whole_folder(folder: Path) -> Path | None:
    """The newest whole version of a folder that is written with :func:`replace_folder`."""
    for candidate in (folder, folder.with_name(folder.name + ".old")):
        if candidate.exists():
            return candidate
    return None
