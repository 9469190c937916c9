"""Monte-Carlo tree search."""

from __future__ import annotations

import time

import numpy as np
import pytest

from manjerico.agents import registry
from manjerico.agents.mcts import EDGES_PER_NODE, MCTSAgent
from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.core.games import Batch
from manjerico.core.match import Match
from manjerico.core.results import leads

GAMES = [("azul", 2), ("azul", 4), ("arraial", 1), ("arraial", 2), ("arraial", 3)]


def agent(name: str, players: int, **options: object) -> MCTSAgent:
    game = find(name)
    return MCTSAgent(game, players, game.default_rules, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_whole_games_are_legal_and_reproducible(name: str, players: int) -> None:
    def play() -> list[int]:
        match, searcher = Match(find(name), players, seed=4), agent(name, players, simulations=20)
        while not match.is_over:
            match.apply(match.choose(searcher, seed=2))
        return match.actions

    assert play() == play()


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_choice_does_not_depend_on_hidden_chance(name: str, players: int) -> None:
    searcher = agent(name, players, simulations=200)
    match = Match(find(name), players, seed=4)
    while not match.is_over:
        if len(match.actions) % 10 == 0:
            other = match.clone()
            other.redeterminise(99)
            assert match.choose(searcher, seed=3) == other.choose(searcher, seed=3)
        match.apply(match.choose("greedy"))


def test_the_seed_decides() -> None:
    match = Match(find("azul"), 2, seed=4)
    found = {tuple(agent("azul", 2, simulations=200, seed=seed).analyse(match._states)[0]) for seed in (1, 1, 2, 3)}
    assert len(found) == 3


def test_shares_and_values_are_those_of_the_visits() -> None:
    match = Match(find("arraial"), 2, seed=4)
    (analysis,) = agent("arraial", 2, simulations=500, win_bonus=0).analyse(match._states)
    actions, values, shares = zip(*analysis, strict=True)
    assert len(set(actions)) == len(actions)
    assert set(actions) <= set(match.legal_actions())
    assert list(shares) == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)
    assert np.abs(values).max() < 30  # points of Arraial


def test_threads_add_up_their_trees() -> None:
    match = Match(find("azul"), 2, seed=4)
    (one,) = agent("azul", 2, simulations=300).analyse(match._states)
    (two,) = agent("azul", 2, simulations=300, threads=2).analyse(match._states)
    again = agent("azul", 2, simulations=300, threads=2).analyse(match._states)[0]
    assert two == again
    assert two != one


def test_a_budget_of_time_is_kept() -> None:
    match, searcher = Match(find("azul"), 2, seed=4), agent("azul", 2, seconds=0.2)
    match.choose(searcher)
    began = time.monotonic()
    match.choose(searcher)
    assert 0.19 < time.monotonic() - began < 5


def test_a_reused_tree_goes_on_growing() -> None:
    match, searcher = Match(find("azul"), 2, seed=4), agent("azul", 2, simulations=400, reuse=True)
    match.apply(match.choose(searcher))
    head = searcher._searchers[0].tree.head
    assert (head["nodes"][0], head["root"][0]) == (401, 0)
    match.choose(searcher)
    assert head["root"][0] > 0
    assert 401 < head["nodes"][0] <= 801
    match.choose(searcher)
    assert head["root"][0] == 0  # there was no room any more


def test_a_tree_without_room_for_nodes_goes_on_with_rollouts() -> None:
    match, searcher = Match(find("azul"), 2, seed=4), agent("azul", 2, simulations=100)
    searcher._searchers[0].tree.plant(match.state, 1)
    searcher._searchers[0].search(1000, float("inf"))
    head = searcher._searchers[0].tree.head
    assert (head["nodes"][0], head["results"][0]) == (101, 1000)


@pytest.mark.parametrize("reuse", [False, True])
def test_a_root_has_room_for_its_actions(reuse: bool) -> None:
    """However few simulations there are."""
    game = find("azul")
    for simulations in (1, 3):
        searcher, widest = agent("azul", 2, simulations=simulations, reuse=reuse, solve=0), 0
        match = Match(game, 2, seed=6)
        while not match.is_over:
            widest = max(widest, len(match.legal_actions()))
            match.apply(match.choose(searcher))
        assert widest > 2 * EDGES_PER_NODE


@pytest.mark.parametrize(("name", "least"), [("azul", 24), ("arraial", 22)])
def test_a_hundred_simulations_beat_greedy(name: str, least: int) -> None:
    game, deals = find(name), 15
    searcher = registry.make("mcts:100", game, 2)
    batch = Batch(game, 2 * deals, 2, lookahead=game.lookahead is not None)
    seats = batch.all % 2
    batch.controllers[:] = batch.policy("greedy")
    batch.controllers[batch.all, seats] = -1
    batch.start(batch.all, [k // 2 for k in range(2 * deals)], [0] * (2 * deals))
    batch.advance(batch.all)
    going = batch.all[batch.waiting(batch.all) < 0]
    while going.size:
        batch.advance(going, batch.ask(going, searcher))
        going = going[batch.waiting(going) < 0]
    ahead = [leads(row)[seat] for row, seat in zip(batch.scores().tolist(), seats, strict=True)]
    assert sum(lead > 0 for lead in ahead) >= least


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"simulations": 0}, "simulations must be an integer from 1 to"),
        ({"seconds": 0.0}, "seconds must be a finite number above 0, not 0.0"),
        ({"seconds": 1e9}, "seconds must be at most 3600"),
        ({"rollout": "gredy"}, "rollout must be one of .* .did you mean 'greedy'?"),
        ({"first": "nobody"}, "first must be one of .*none"),
        ({"exploration": -1.0}, "exploration must be a finite number above 0"),
        ({"trust": 1.5}, "trust must be from 0 to 1, not 1.5"),
        ({"rivalry": -1}, "rivalry must be from 0 to 1, not -1"),
        ({"threads": 0}, "threads must be an integer from 1 to 1024, not 0"),
        ({"solve": -1}, "solve must be an integer from 0 to"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        agent("azul", 2, **options)
