"""Checkpoints: everything that decides how a training run goes on, so that it resumes as if never stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from manjerico.core.errors import InputError, first_line
from manjerico.experiments import runs
from manjerico.experiments.learner import Learner
from manjerico.experiments.selfplay import SelfPlay

LARGEST_WEIGHT = 1e4
"""Far above what a training that learns ever has; with weights much larger, logits outweigh the -1e8 of the mask."""


def is_sound(network: torch.nn.Module) -> bool:
    """Whether a network's weights are all numbers of usable size."""
    return all(bool((weights.abs() <= LARGEST_WEIGHT).all()) for weights in network.state_dict().values())


def save(folder: Path, learner: Learner, self_play: SelfPlay, marks: dict[str, int], settings: dict[str, Any]) -> None:
    """Writes a checkpoint between two updates. ``marks`` says what the run has done so far.

    Raises:
        InputError: it can't be written, or the training has gone astray; the one before is still there.
    """
    if not is_sound(learner.network):
        raise InputError(f"{folder}: the network's weights are not all numbers up to {LARGEST_WEIGHT:,.0f}")

    def fill(new: Path) -> None:
        learner.save(new)
        np.savez(new / "games.npz", allow_pickle=False, **learner.games.get_state())
        past = [(agent.actor.state_dict(), agent.get_stream()) for agent in self_play.past]
        torch.save(past, new / "past.pt")
        progress = {
            "settings": settings,
            "marks": marks,
            "snapshots": self_play.snapshots,
            "changes": self_play.changes,
        }
        (new / "progress.json").write_text(json.dumps(progress), encoding="utf-8")

    runs.replace_folder(folder, fill)


def load(folder: Path, learner: Learner, self_play: SelfPlay, settings: dict[str, Any]) -> dict[str, int]:
    """Brings a fresh learner and its games to where they were; returns the marks.

    Raises:
        InputError: there is no checkpoint, or it is damaged.
    """
    whole = runs.whole_folder(folder)
    if whole is None:
        raise InputError(f"{folder}: no checkpoint there yet; start the run anew in another folder")
    try:
        return _load(whole, learner, self_play, settings)
    except InputError:
        raise
    except Exception as error:  # whatever the readers of several formats raise
        raise InputError(f"{whole}: the checkpoint is damaged: {first_line(error):.200}") from error


def _load(folder: Path, learner: Learner, self_play: SelfPlay, settings: dict[str, Any]) -> dict[str, int]:
    progress: dict[str, Any] = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
    for name, value in progress["settings"].items():
        if settings[name] != value:
            raise InputError(f"{folder}: was made with {name}={value}, but config.json says {settings[name]}")
    learner.load(folder)
    past = []
    for weights, stream in torch.load(folder / "past.pt", weights_only=True):
        agent = learner.agent(seed=0)
        agent.actor.load_state_dict(weights)
        agent.set_stream(stream)
        past.append(agent)
    if self_play.keeps_past:
        self_play.set_past(past, progress["snapshots"], progress["changes"])
    with np.load(folder / "games.npz") as arrays:
        learner.games.set_state(dict(arrays))
    marks: dict[str, int] = progress["marks"]
    return marks
