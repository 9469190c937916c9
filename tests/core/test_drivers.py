"""The compiled loops against ``Match``, decision by decision, on Azul."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from players import azul, params_of, scripted, states_of, stream, whimsical, words_of

from azul_env import AzulRules, azul_v0
from azul_env.game import GAME
from manjerico.core import rng, tape
from manjerico.core.match import Match

PLAYERS = 3
OUTSIDE, RANDOM, GREEDY = -1, 0, 1
NAMES = list(GAME.policies)


class Table:
    """Some games as the drivers want them, and the same games as matches."""

    def __init__(self, games: int, controllers: list[list[int]], decisions: int = 0) -> None:
        rules = AzulRules.rulebook()
        self.matches = [azul(k, PLAYERS, decisions=decisions) for k in range(games)]
        self.params = params_of(GAME, rules)
        self.states = np.concatenate([states_of(match) for match in self.matches])
        self.words = np.stack([words_of(match) for match in self.matches])
        self.controllers = np.array(controllers, np.int64)
        self.streams = np.array([stream(k + 1) for k in range(games)])
        self.choices = self.streams.copy()

    def advance(self, indices: list[int], actions: list[int]) -> int:
        return int(
            GAME.advance(
                self.params,
                self.states,
                np.array(indices, np.int64),
                np.array(actions, np.int64),
                self.words,
                self.streams,
                self.controllers,
                tape.NO_TAPE,
            )
        )

    def advance_match(self, index: int, action: int) -> None:
        """What ``advance`` does to a game, told with a match."""
        match = self.matches[index]
        if action >= 0:
            match.apply(action)
        while (seat := match.current_player) is not None and self.controllers[index, seat] != OUTSIDE:
            policy = NAMES[self.controllers[index, seat]]
            match.apply(scripted(match, policy, self.choices[index]))

    def check(self) -> None:
        for index, match in enumerate(self.matches):
            assert self.states[index].tobytes() == match.get_state()
            assert np.array_equal(self.words[index], words_of(match))
            assert np.array_equal(self.streams[index], self.choices[index])

    def open(self) -> list[int]:
        return [index for index, match in enumerate(self.matches) if not match.is_over]


def test_advance() -> None:
    """Games of all kinds of tables, some of them advanced at a time and in any order, to the end."""
    dice = random.Random(1)
    table = Table(
        6,
        [
            [OUTSIDE, OUTSIDE, OUTSIDE],
            [OUTSIDE, GREEDY, GREEDY],
            [GREEDY, OUTSIDE, RANDOM],
            [RANDOM, RANDOM, OUTSIDE],
            [GREEDY, GREEDY, GREEDY],
            [RANDOM, RANDOM, RANDOM],
        ],
    )
    assert table.advance(list(range(6)), [-1] * 6) == -1
    for index in range(6):
        table.advance_match(index, -1)
    table.check()
    assert [match.is_over for match in table.matches] == [False] * 4 + [True] * 2
    while running := table.open():
        indices = dice.sample(running, dice.randint(1, len(running)))
        actions = [whimsical(table.matches[index], dice) for index in indices]
        assert table.advance(indices, actions) == -1
        for index, action in zip(indices, actions, strict=True):
            table.advance_match(index, action)
        table.check()


def test_advance_tells_the_illegal_action() -> None:
    """The first one's place in the list; all before it was carried out, and nothing from there on."""
    for wrong in (324, 325, 383, 384, 10**12):
        table = Table(5, [[OUTSIDE] * PLAYERS] * 5, decisions=10)
        actions = [match.legal_actions()[0] for match in table.matches]
        actions[3] = wrong
        order = [4, 0, 3, 1, 2]
        assert table.advance(order, [actions[index] for index in order]) == 2
        for index in (4, 0):
            table.advance_match(index, actions[index])
        table.check()


def test_advance_after_the_end() -> None:
    table = Table(1, [[GREEDY] * PLAYERS])
    table.advance([0], [-1])
    table.advance_match(0, -1)
    assert table.advance([0], [-1]) == -1
    assert table.advance([0], [0]) == 0
    table.check()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_observe_many(players: int) -> None:
    """Rows in the order asked for; after the end seat 0's view and an empty mask."""
    matches = [azul(k, players, decisions=15 * k) for k in range(8)] + [azul(9, players)]
    states = np.concatenate([states_of(match) for match in matches])
    words = np.stack([words_of(match) for match in matches])
    order = np.array([8, 3, 0, 5, 5, 7], np.int64)
    observations = np.full((order.size, matches[0].observation().size), -1, np.float32)
    masks = np.full((order.size, 325), -1, np.int8)
    before = states.tobytes()
    GAME.observe_many(params_of(GAME, matches[0].rules), states, order, words, observations, masks)
    for row, index in enumerate(order):
        match = matches[index]
        assert np.array_equal(observations[row], match.observation(match.current_player or 0))
        assert np.array_equal(masks[row], match.action_mask())
    assert not masks[0].any()
    assert states.tobytes() == before


@pytest.mark.filterwarnings("ignore:overflow encountered")  # the generator without compiling (``core/rng.py``)
def test_choose_counts_the_policies() -> None:
    """Each by its number: random draws from the stream, greedy always decides the same without it."""
    assert NAMES == ["random", "greedy", "heuristic"]
    match = azul(4, decisions=30)
    arguments = params_of(GAME, match.rules), states_of(match), 0, words_of(match)
    ours, theirs = stream(5), stream(5)
    legal = match.legal_actions()
    for _ in range(20):
        assert GAME.choose(RANDOM, *arguments, ours) == legal[rng.below(theirs, len(legal))]
    assert np.array_equal(ours, theirs)
    assert len({int(GAME.choose(GREEDY, *arguments, ours)) for _ in range(20)}) == 1
    assert np.array_equal(ours, theirs)
    assert arguments[1].tobytes() == match.get_state()


def random_game(seed: int, players: int, choices: Any) -> Match:
    match = azul_v0.new_game(seed, players)
    while not match.is_over:
        match.apply(scripted(match, "random", choices))
    return match


@pytest.mark.parametrize("players", [2, 3, 4])
def test_playouts(players: int) -> None:
    """The games of the seeds 5, 6, 7, one after the other, with choices from one stream."""
    states = np.zeros(2, GAME.state)
    words = np.zeros(6, np.uint64)
    ours, theirs = stream(3), stream(3)
    params = params_of(GAME, AzulRules.rulebook())
    decisions = GAME.playouts(params, states, 1, words, ours, tape.NO_TAPE, np.uint64(5), players, 3)
    matches = [random_game(seed, players, theirs) for seed in (5, 6, 7)]
    assert decisions == sum(len(match.actions) for match in matches)
    assert states[1].tobytes() == matches[-1].get_state()
    assert states[0].tobytes() == bytes(GAME.state.itemsize)
    assert np.array_equal(ours, theirs)
