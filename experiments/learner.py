"""What a training run asks of a learner, whichever it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy.typing as npt
import torch

from manjerico.agents.network import NetworkAgent
from manjerico.experiments.config import TrainConfig


def learning_rate(settings: TrainConfig, steps: int) -> float:
    """The learning rate after so many steps: it goes down linearly to the last one."""
    done = min(steps / settings.steps, 1)
    return settings.learning_rate + done * (settings.final_learning_rate - settings.learning_rate)


class Games(Protocol):
    """Where the learner plays."""

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that decides how the games go on."""
        ...

    def set_state(self, arrays: dict[str, npt.NDArray[Any]]) -> Any:
        """Goes on from there."""
        ...


class Learner(Protocol):
    """Learns from the games of a batch. A *step* is one of its decisions."""

    MODEL: ClassVar[str]
    """The name of a trained model's file."""

    @property
    def games(self) -> Games:
        """Where it plays."""
        ...

    @property
    def steps(self) -> int:
        """How many it has done."""
        ...

    @property
    def network(self) -> torch.nn.Module:
        """What it trains."""
        ...

    def agent(self, seed: int | None = None) -> NetworkAgent:
        """Its policy as it is now, as an agent."""
        ...

    def learn(self, until: int, between_updates: Callable[[], None], tell: Callable[[int], None]) -> None:
        """Learns until so many steps are done.

        Args:
            until: as many are done, or a few more, to the end of an update.
            between_updates: is called before each rollout.
            tell: is told the number of steps now and then.
        """
        ...

    def save_model(self, file: Path) -> None:
        """Writes what :class:`NetworkAgent` needs."""
        ...

    def save(self, folder: Path) -> None:
        """Writes everything that decides how it goes on learning, but for the games."""
        ...

    def load(self, folder: Path) -> None:
        """Goes on from what :meth:`save` wrote, before the games do."""
        ...
