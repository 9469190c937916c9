"""The layout of an observation: a table of named slices, from which kernels, documentation and tests all derive."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Part:
    """A named slice of an observation: integers of a shape, divided by ``scale``."""

    name: str
    shape: tuple[int, ...]
    scale: int
    highest: int
    """The largest integer that can stand here."""
    meaning: str

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def offsets(parts: Iterable[Part]) -> dict[str, int]:
    """Where each part starts, and under ``"size"`` where the last one ends: constants for kernels."""
    starts: dict[str, int] = {}
    at = 0
    for part in parts:
        starts[part.name] = at
        at += part.size
    return {**starts, "size": at}


def prefixed(prefix: str, parts: Iterable[Part]) -> list[Part]:
    """The parts once more, with names that begin with ``prefix.``."""
    return [Part(f"{prefix}.{p.name}", p.shape, p.scale, p.highest, p.meaning) for p in parts]


class Layout:
    """All parts of one observation, in order."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = tuple(parts)
        starts = offsets(self.parts)
        self.size = starts["size"]
        self.slices = {part.name: slice(starts[part.name], starts[part.name] + part.size) for part in self.parts}

    def highest(self) -> npt.NDArray[np.float32]:
        """The upper bound of each entry; the lower is 0."""
        return np.concatenate([np.full(p.size, p.highest / p.scale, np.float32) for p in self.parts])

    def decode(self, observation: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[np.int64]]:
        """The integers behind an observation (float32 [size]), by name."""
        return {
            part.name: np.rint(observation[self.slices[part.name]].astype(np.float64) * part.scale)
            .astype(np.int64)
            .reshape(part.shape)
            for part in self.parts
        }

    def markdown(self) -> str:
        """The layout as a table for documentation."""
        rows = ["| from | to | name | shape | divided by | meaning |", "|---|---|---|---|---|---|"]
        for part in self.parts:
            where = self.slices[part.name]
            shape: Any = " x ".join(map(str, part.shape))
            rows.append(f"| {where.start} | {where.stop} | `{part.name}` | {shape} | {part.scale} | {part.meaning} |")
        return "\n".join(rows)


@dataclass(frozen=True)
class ActionViews:
    """What actions have in common, so that a network may share weights among them."""

    groups: npt.NDArray[np.int64]
    """The group of each action, int64 [num_actions], from 0: actions of which seldom two are legal at once."""
    entries: npt.NDArray[np.int64]
    """The entries of the observation that tell of a group's actions, int64 [groups, entries]; -1 for none. In each
    column they mean the same for every group."""
