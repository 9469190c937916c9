"""``Agent``: whatever decides for many games at once, and how it is asked without being shown what nobody knows."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from manjerico.core.errors import shown
from manjerico.core.game import Game, Records

Streams = npt.NDArray[np.uint64]


@runtime_checkable
class ObservingAgent(Protocol):
    """Decides from what the players to act see."""

    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """A legal action for each row of observations [games, size] and masks [games, actions]."""
        ...


@runtime_checkable
class StateAgent(Protocol):
    """Declares, by ``needs_states``, that it looks at the games' states as well, to search."""

    needs_states: bool

    def act(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], states: Records
    ) -> npt.NDArray[np.int64]:
        """A legal action for each row, of which ``states`` (``Game.state``) holds the game.

        They are copies in which everything hidden was drawn anew, from a random stream that has nothing to do with the
        game's chance. The generator inside a copy may serve as the agent's own source of randomness.
        """
        ...


Agent = ObservingAgent | StateAgent


class Estimate(NamedTuple):
    """What an agent thinks of an action.

    A search prefers the action on which it spent most: values of actions that it tried seldom mean little.

    Attributes:
        action: the action.
        value: what it expects at the end of the game, for the player to act. ``mcts``: points of the lead over the best
            opponent, with a bonus for winning; ``alphazero``: from -1, the last place, to 1, the first.
        share: of its search that it spent on the action, from 0 to 1.
    """

    action: int
    value: float
    share: float


@runtime_checkable
class AnalysingAgent(Protocol):
    """An agent that can also say what it thinks of the actions; optional, for people who want a hint."""

    def analyse(self, states: Records) -> list[list[tuple[int, float, float]]]:
        """Estimates of actions for each state, best first: action, value and share as in :class:`Estimate`.

        The states are copies like those of :class:`StateAgent`.
        """
        ...


def ask(
    agent: Agent,
    game: Game,
    params: Records,
    states: Records,
    streams: Streams,
    observations: npt.NDArray[np.float32],
    masks: npt.NDArray[np.int8],
) -> Any:
    """What an agent answers, as it gives it: to be checked by the caller.

    Args:
        agent: who is asked.
        game: which game.
        params: its rule set.
        states: the real ones, a row for each game; the agent gets others.
        streams: uint64 [games, 2], random streams that are not the games'; they advance if the agent looks at states.
        observations: float32 [games, size], of the players to act.
        masks: int8 [games, actions].
    """
    if not (isinstance(agent, StateAgent) and agent.needs_states):
        return agent.act(observations, masks)  # type: ignore[call-arg]  # it needs no states
    return agent.act(observations, masks, concealed(game, params, states, streams))


def concealed(game: Game, params: Records, states: Records, streams: Streams) -> Records:
    """Copies of states in which everything hidden was drawn anew, each from its row of ``streams``."""
    copies = states.copy()
    game.conceal(params, copies, streams)
    return copies


def name_of(agent: Any) -> str:
    """An agent as messages and reports call it: its ``name``, if it has one."""
    return str(getattr(agent, "name", None) or shown(agent))
