"""The exact solver, against plain recursion in Python, and search against the solver."""

from __future__ import annotations

import numpy as np
import pytest

from manjerico.agents.endgame import Solver
from manjerico.agents.mcts import MCTSAgent
from manjerico.agents.stakes import STAKES
from manjerico.core.game import Game, find
from manjerico.core.match import Match

WIN_BONUS = 5.0
LEAD = np.array([(WIN_BONUS, 1.0)], STAKES)
"""The lead counts, as it does unless the user says otherwise."""


def worth(match: Match, rivalry: float) -> list[float]:
    """What a finished game brought each seat."""
    scores = match.scores
    found = []
    for seat, own in enumerate(scores):
        others = scores[:seat] + scores[seat + 1 :]
        beaten = sum((own > other) - (own < other) for other in others)
        found.append(own - rivalry * (max(others) if others else 0) + WIN_BONUS * beaten)
    return found


def value(match: Match, rivalry: float, room: list[int]) -> list[float] | None:
    """By trying everything; None if something is drawn, or there are too many positions."""
    if match.is_over:
        return worth(match, rivalry)
    best: list[float] | None = None
    for action in match.legal_actions():
        room[0] -= 1
        after = match.clone()
        drawn = len(after.chance)
        after.apply(action)
        if room[0] < 0 or len(after.chance) != drawn:
            return None
        found = value(after, rivalry, room)
        if found is None:
            return None
        seat = match.current_player
        assert seat is not None
        if best is None or found[seat] > best[seat]:
            best = found
    return best


def endings(game: Game, players: int, seeds: range) -> list[Match]:
    """Positions shortly before the end of greedy games."""
    found = []
    for seed in seeds:
        match = Match(game, players, seed=seed)
        line = [match.clone()]
        while not match.is_over:
            match.apply(match.choose("greedy"))
            line.append(match.clone())
        found += line[-7:-1]
    return found


@pytest.mark.parametrize(
    ("name", "players"), [("azul", 2), ("azul", 3), ("arraial", 1), ("arraial", 2), ("arraial", 4)]
)
@pytest.mark.parametrize("rivalry", [1.0, 0.25])
def test_values_are_those_of_trying_everything(name: str, players: int, rivalry: float) -> None:
    game = find(name)
    solver = Solver(game, game.default_rules, np.array([(WIN_BONUS, rivalry)], STAKES), 3000)
    compared = 0
    for match in endings(game, players, range(6)):
        room = [600]
        by_hand = []
        for action in match.legal_actions():
            after = match.clone()
            after.apply(action)
            drawn = len(after.chance) != len(match.chance)
            by_hand.append(None if drawn else value(after, rivalry, room))
        solved = solver.solve(match.state)
        if any(found is None for found in by_hand):
            continue
        assert solved is not None
        actions, values = solved
        assert actions.tolist() == match.legal_actions()
        np.testing.assert_array_equal(values[:, :players], by_hand)
        compared += 1
    assert compared >= 4


@pytest.mark.parametrize("name", ["azul", "arraial"])
def test_an_opening_is_unsolved(name: str) -> None:
    game = find(name)
    assert Solver(game, game.default_rules, LEAD, 20_000).solve(Match(game, 2, seed=1).state) is None


def test_too_many_positions_are_unsolved() -> None:
    game = find("arraial")
    many = [
        match.state
        for match in endings(game, 1, range(6))
        if len(match.legal_actions()) > 3
        and Solver(game, game.default_rules, LEAD, 3000).solve(match.state) is not None
    ]
    assert many
    assert all(Solver(game, game.default_rules, LEAD, 3).solve(state) is None for state in many)


@pytest.mark.parametrize(("name", "players"), [("azul", 2), ("arraial", 1), ("arraial", 2), ("arraial", 3)])
def test_search_without_the_solver_finds_the_best_action(name: str, players: int) -> None:
    game = find(name)
    rules = game.default_rules
    solver = Solver(game, rules, LEAD, 3000)
    agent = MCTSAgent(game, players, rules, simulations=2000, solve=0, win_bonus=WIN_BONUS, breadth=1000)
    seen = 0
    for match in endings(game, players, range(8)):
        solved = solver.solve(match.state)
        seat = match.current_player
        if solved is None or seat is None or len(solved[0]) < 2 or len(set(solved[1][:, seat])) == 1:
            continue
        actions, values = solved
        chosen = match.choose(agent)
        assert values[actions.tolist().index(chosen), seat] == values[:, seat].max()
        seen += 1
    assert seen >= 3


@pytest.mark.parametrize("name", ["azul", "arraial"])
def test_search_with_the_solver_plays_endings_exactly(name: str) -> None:
    game = find(name)
    solver = Solver(game, game.default_rules, LEAD, 20_000)
    agent = MCTSAgent(game, 2, game.default_rules, simulations=1, win_bonus=WIN_BONUS)
    for match in endings(game, 2, range(4)):
        solved, seat = solver.solve(match.state), match.current_player
        if solved is not None and seat is not None:
            actions, values = solved
            assert values[actions.tolist().index(match.choose(agent)), seat] == values[:, seat].max()
