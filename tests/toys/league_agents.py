"""Agents that are no scripted policies, for leagues: as another distribution would offer them, by entry points."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from manjerico.core.game import Game, Records
from manjerico.core.rules import Rules
from manjerico.core.tape import NO_TAPE

Actions = npt.NDArray[np.int64]

LOADING = 5.0
"""Seconds: far more than all decisions of a game take."""

ENTRY_POINTS = """[manjerico.agents]
last = league_agents:last
noisy = league_agents:Noisy
best = league_agents:Best
illegal = league_agents:illegal
crashing = league_agents:Crashing
dying = league_agents:Dying
loading = league_agents:Loading
"""


def offer(folder: Path) -> Path:
    """Writes what makes this file an installed distribution for processes that have both folders on their path."""
    place = folder / "league_agents-1.0.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: league-agents\nVersion: 1.0\n")
    (place / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


class Observing:
    """Decides for all rows at once."""

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset

    def act(self, _observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
        """The last legal action, or one that isn't."""
        actions: Actions = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1) + self.offset
        return actions


def last(_game: Game, _players: int, _rules: Rules, _seed: int) -> Observing:
    """Takes the last legal action."""
    return Observing()


def illegal(_game: Game, _players: int, _rules: Rules, _seed: int) -> Observing:
    """Takes an action that isn't legal."""
    return Observing(offset=1)


class Noisy:
    """Draws from a generator of its own, as a network that samples."""

    def __init__(self, _game: Game, _players: int, _rules: Rules, seed: int, *, file: str | None = None) -> None:
        self.file = file
        self.generator = np.random.default_rng(seed)

    def act(self, _observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
        """A random legal action for each row."""
        actions: Actions = (masks * self.generator.random(masks.shape)).argmax(axis=1)
        return actions


class Best:
    """Tries every legal action on its copies and takes the best for its score, equals by a copy's stream."""

    needs_states = True

    def __init__(self, game: Game, _players: int, rules: Rules, _seed: int, *, pause: float = 0.0) -> None:
        self.game, self.params, self.pause = game, game.make_params(rules), pause

    def act(self, _observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], states: Records) -> Actions:
        """An action for each state."""
        time.sleep(self.pause * len(states))
        return np.array([self._best(states[k : k + 1], np.flatnonzero(mask)) for k, mask in enumerate(masks)])

    def _best(self, state: Records, legal: Actions) -> int:
        seat = int(state["player"][0])
        trials = np.repeat(state, legal.size)
        for k, action in enumerate(legal.tolist()):
            self.game.apply(self.params, trials, k, action, NO_TAPE)
        generator = np.random.default_rng(state["rng"][0].tolist())
        return int(legal[(trials["score"][:, seat] + generator.random(legal.size)).argmax()])


class Crashing(Observing):
    """Has a bug."""

    def __init__(self, _game: Game, _players: int, _rules: Rules, _seed: int) -> None:
        super().__init__()

    def act(self, observations: npt.NDArray[np.float32], _masks: npt.NDArray[np.int8]) -> Actions:
        """Raises what says little."""
        raise IndexError(observations.shape[1])


class Dying(Observing):
    """Kills its process in the middle of a unit that is not the first."""

    def __init__(self, _game: Game, _players: int, _rules: Rules, _seed: int, *, after: int = 10**9) -> None:
        super().__init__()
        self.left = after

    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
        """As the last legal action, until it is time."""
        self.left -= 1
        if self.left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(observations, masks)


class Loading(Observing):
    """Takes its time for its first decision in a process, as code that must be loaded does."""

    loaded = False

    def __init__(self, _game: Game, _players: int, _rules: Rules, _seed: int) -> None:
        super().__init__()

    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
        """As the last legal action."""
        if not Loading.loaded:
            time.sleep(LOADING)
        Loading.loaded = True
        return super().act(observations, masks)
