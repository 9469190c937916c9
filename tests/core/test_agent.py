"""Agents that look at states are shown nothing that is hidden."""

from __future__ import annotations

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from manjerico.core.batch import BatchEnv
from manjerico.core.errors import InputError
from manjerico.core.game import Records, find
from manjerico.core.games import Batch
from manjerico.core.match import Match


class Watcher:
    """Notes what it is shown, and takes the first legal action."""

    needs_states = True
    name = "watcher"

    def __init__(self) -> None:
        self.shown: list[Records] = []

    def act(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], states: Records
    ) -> npt.NDArray[np.int64]:
        assert len(observations) == len(masks) == len(states)
        self.shown.append(states.copy())
        return masks.argmax(axis=1)


class Stubborn:
    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        return np.full(len(masks), masks.shape[1] + 5)


def public(states: Records) -> list[bytes]:
    """The states without their generators."""
    blind = states.copy()
    blind["rng"] = 0
    return [record.tobytes() for record in blind]


@pytest.mark.parametrize("game", ["azul", "arraial"])
def test_copies_differ_from_the_state_in_what_is_hidden_only(game: str) -> None:
    match, watcher = Match(find(game), 2, seed=3), Watcher()
    match.choose(watcher)
    match.choose(watcher, seed=1)
    first, second = watcher.shown
    assert public(first) == public(second) == public(match._states)
    keys = {tuple(states["rng"][0].tolist()) for states in (first, second, match._states)}
    assert len(keys) == 3


@pytest.mark.parametrize("game", ["azul", "arraial"])
def test_copies_do_not_depend_on_what_is_hidden(game: str) -> None:
    match, watcher = Match(find(game), 2, seed=3), Watcher()
    other = match.clone()
    other.redeterminise(77)
    match.choose(watcher)
    other.choose(watcher)
    first, second = watcher.shown
    assert first.tobytes() == second.tobytes()


def test_a_batch_shows_each_game_the_same_whatever_the_number_of_games() -> None:
    def shown(games: int) -> set[bytes]:
        watcher = Watcher()
        batch = BatchEnv("azul", games, opponents=watcher, seat=1, seed=5)
        step = batch.reset()
        for _ in range(5):
            step = batch.step(step.mask.argmax(axis=1))
        return {record.tobytes() for states in watcher.shown for record in states}

    assert shown(1) < shown(4)


def test_a_batch_and_a_gymnasium_environment_show_copies() -> None:
    watcher = Watcher()
    batch = BatchEnv("azul", 3, opponents=watcher, seat=1, seed=5)
    batch.reset()
    env = gymnasium.make("azul_env:AzulSummerPavilion-v0", opponents=watcher, seat=1)
    env.reset(seed=5)
    in_batch, alone = watcher.shown
    assert in_batch[0].tobytes() == alone[0].tobytes()
    assert not (in_batch["rng"][0] == Match(find("azul"), seed=5).state["rng"]).all()


def test_evaluation_asks_agents_that_look_at_states() -> None:
    batch, watcher = Batch(find("azul"), 2, 2), Watcher()
    batch.start(batch.all, [1, 2], [0, 0])
    batch.ask(batch.all, watcher)
    batch.ask(batch.all, watcher)
    first, second = watcher.shown
    assert public(first) == public(second) == public(batch.states)
    assert (first["rng"] != second["rng"]).any()


def test_an_answer_that_is_no_action_is_named() -> None:
    with pytest.raises(InputError, match="action must be an integer from 0 to 324, not 330"):
        Match(find("azul"), seed=1).choose(Stubborn())
    batch = Batch(find("azul"), 2, 2)
    batch.start(batch.all, [1, 2], [0, 0])
    with pytest.raises(InputError, match="action 330 is not legal in game 0"):
        batch.advance(batch.all, batch.ask(batch.all, Stubborn()))
