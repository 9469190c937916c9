"""Checkpoints: everything that decides how a training run goes on, so that it resumes as if never stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from manjerico.agents.network import NetworkAgent
from manjerico.core.errors import InputError
from manjerico.experiments import runs
from manjerico.experiments.selfplay import SelfPlayEnv

LARGEST_WEIGHT = 1e4
"""Far above what a training that learns ever has; with weights much larger, logits outweigh the -1e8 of the mask."""


def is_sound(model: MaskablePPO) -> bool:
    """Whether the network's weights are all numbers of usable size."""
    return all(bool((weights.abs() <= LARGEST_WEIGHT).all()) for weights in model.policy.state_dict().values())


def save(folder: Path, model: MaskablePPO, env: SelfPlayEnv, marks: dict[str, int], settings: dict[str, Any]) -> None:
    """Writes a checkpoint between two updates. ``marks`` says what the run has done so far.

    Raises:
        InputError: it can't be written, or the training has gone astray; the one before is still there.
    """
    if not is_sound(model):
        raise InputError(f"{folder}: the network's weights are not all numbers up to {LARGEST_WEIGHT:,.0f}")

    def fill(new: Path) -> None:
        model.save(new / "model.zip")
        np.savez(new / "games.npz", allow_pickle=False, **env.get_state())
        torch.save(
            {
                "torch": torch.get_rng_state(),
                "past": [agent.actor.state_dict() for agent in env.past],
                "past_generators": [agent.generator.get_state() for agent in env.past if agent.generator is not None],
            },
            new / "past.pt",
        )
        name, keys, *rest = np.random.get_state(legacy=True)  # noqa: NPY002  # SB3 shuffles with the global generator
        progress = {
            "settings": settings,
            "marks": marks,
            "snapshots": env.snapshots,
            "numpy": [name, np.asarray(keys).tolist(), *rest],
        }
        (new / "progress.json").write_text(json.dumps(progress), encoding="utf-8")

    runs.replace_folder(folder, fill)


def load(
    folder: Path, env: SelfPlayEnv, tensorboard: str, settings: dict[str, Any]
) -> tuple[MaskablePPO, dict[str, int]]:
    """The model and marks of a checkpoint; ``env`` is brought to where it was, logs go on in ``tensorboard``.

    Raises:
        InputError: there is no checkpoint, or it is damaged.
    """
    whole = runs.whole_folder(folder)
    if whole is None:
        raise InputError(f"{folder}: no checkpoint there yet; start the run anew in another folder")
    try:
        return _load(whole, env, tensorboard, settings)
    except InputError:
        raise
    except Exception as error:  # whatever the readers of four formats raise
        reason = (str(error).splitlines() or [repr(error)])[0]
        raise InputError(f"{whole}: the checkpoint is damaged: {reason:.200}") from error


def _load(
    folder: Path, env: SelfPlayEnv, tensorboard: str, settings: dict[str, Any]
) -> tuple[MaskablePPO, dict[str, int]]:
    progress: dict[str, Any] = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
    for name, value in progress["settings"].items():
        if settings[name] != value:
            raise InputError(f"{folder}: was made with {name}={value}, but config.json says {settings[name]}")
    model = MaskablePPO.load(
        folder / "model.zip", env=env, device="cpu", force_reset=False, tensorboard_log=tensorboard
    )
    saved = torch.load(folder / "past.pt", weights_only=True)
    past = []
    for weights, generator in zip(saved["past"], saved["past_generators"], strict=True):
        agent = NetworkAgent(model, seed=0)
        agent.actor.load_state_dict(weights)
        if agent.generator is not None:
            agent.generator.set_state(generator)
        past.append(agent)
    env.set_past(past)
    with np.load(folder / "games.npz") as arrays:
        env.set_state(dict(arrays))
    env.snapshots = progress["snapshots"]
    name, keys, *rest = progress["numpy"]
    np.random.set_state((name, np.array(keys, np.uint32), *rest))  # noqa: NPY002  # see save
    torch.set_rng_state(saved["torch"])
    return model, progress["marks"]
