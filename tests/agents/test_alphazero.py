"""Tree search by a network."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import torch

from manjerico.agents import registry
from manjerico.agents.alphazero import AlphaZeroAgent, NetworkSearch
from manjerico.agents.policy_value import PolicyValue, SearchStyle
from manjerico.agents.puct import EDGES_PER_NODE, visits_wanted
from manjerico.agents.worth import Worth
from manjerico.core.agent import concealed
from manjerico.core.batch import BatchEnv
from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.core.games import Batch
from manjerico.core.match import Match

GAMES = [("azul", 2), ("azul", 4), ("arraial", 1), ("arraial", 2), ("arraial", 3)]
WORTH, STYLE = Worth(0.5, 20.0), SearchStyle(value_scale=0.5, guide=1.5)


def fresh(name: str, players: int, seed: int = 0) -> PolicyValue:
    game = find(name)
    return PolicyValue.fresh(game, players, game.default_rules, [16], WORTH, STYLE, seed)


def search(name: str, players: int, simulations: int = 24, considered: int = 8, trees: int = 4) -> NetworkSearch:
    game = find(name)
    network = fresh(name, players).eval()
    return NetworkSearch(game, players, game.default_rules, network, trees, simulations, considered)


def positions(name: str, players: int, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions in the middle of games, concealed, and their masks."""
    batch = Batch(find(name), games, players)
    batch.controllers[:] = batch.policy("greedy")
    batch.controllers[:, 0] = -1
    batch.start(batch.all, range(games), [0] * games)
    for _ in range(3):
        _, masks = batch.observe(batch.all)
        batch.advance(batch.all, masks.argmax(1))
    streams = np.arange(2 * games, dtype=np.uint64).reshape(games, 2)
    _, masks = batch.observe(batch.all)
    return concealed(batch.game, batch.game.make_params(batch.rules), batch.states, streams), masks


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_whole_games_are_legal_and_reproducible(name: str, players: int) -> None:
    def play() -> list[int]:
        match, agent = Match(find(name), players, seed=4), AlphaZeroAgent(search(name, players))
        while not match.is_over:
            match.apply(match.choose(agent, seed=2))
        return match.actions

    assert play() == play()


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_choice_does_not_depend_on_hidden_chance(name: str, players: int) -> None:
    agent = AlphaZeroAgent(search(name, players))
    match = Match(find(name), players, seed=4)
    while not match.is_over:
        if len(match.actions) % 5 == 0:
            other = match.clone()
            other.redeterminise(99)
            assert match.choose(agent, seed=3) == other.choose(agent, seed=3)
        match.apply(match.choose("greedy"))


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_trees_side_by_side_are_searched_as_one_by_one(name: str, players: int) -> None:
    states, _ = positions(name, players, 4)
    searcher = search(name, players)
    together = searcher.search(states, noisy=True)
    for row in range(4):
        alone = searcher.search(states[row : row + 1], noisy=True)
        assert alone.actions[0] == together.actions[row]
        np.testing.assert_allclose(alone.policies[0], together.policies[row], atol=1e-4)
        np.testing.assert_allclose(alone.values[0], together.values[row], atol=1e-4)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_policies_are_of_legal_actions(name: str, players: int) -> None:
    states, masks = positions(name, players, 4)
    found = search(name, players).search(states, noisy=True)
    assert masks[np.arange(4), found.actions].all()
    np.testing.assert_allclose(found.policies.sum(1), 1, atol=1e-4)
    np.testing.assert_array_equal(found.policies[masks == 0], 0)
    assert np.abs(found.values).max() <= 1


def test_every_simulation_visits_an_action_of_the_root() -> None:
    searcher = search("azul", 2, simulations=40, considered=8)
    searcher.search(positions("azul", 2, 4)[0])
    for nodes, edges in zip(searcher.forest.nodes, searcher.forest.edges, strict=True):
        visits = edges["visits"][nodes[0]["edges"] :][: nodes[0]["count"]]
        assert visits.sum() == 40
        assert 1 <= (visits > 0).sum() <= 8


def test_sequential_halving_by_hand() -> None:
    """Eight actions and 24 simulations: one visit each, two more for four of them, four more for the last two."""
    row = visits_wanted(8, 24)[8].tolist()
    assert row == [0] * 8 + [1] * 4 + [2] * 4 + [3, 3, 4, 4, 5, 5, 6, 6]
    assert visits_wanted(8, 5)[1].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["azul", "arraial"])
def test_values_at_the_end_of_a_game_are_its_worth(name: str) -> None:
    """In the last decision of a game, its actions' values are those of the results."""
    match = Match(find(name), 2, seed=8)
    while True:
        after = match.clone()
        after.apply(after.choose("greedy"))
        if after.is_over:
            break
        match = after
    seat = match.current_player
    analysis = match.analyse(AlphaZeroAgent(search(name, 2, simulations=200, considered=32)))
    endings = 0
    for action, value, _ in analysis:
        after = match.clone()
        after.apply(action)
        if after.is_over:
            endings += 1
            expected = WORTH.of(np.array([after.scores]))[0, seat]
            assert value == pytest.approx(expected, abs=1e-5)
    assert endings


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_rollouts_judge_leaves(name: str, players: int) -> None:
    """With rollouts only, the value of an edge with one visit is a game's worth, and the network has no part in it."""
    game = find(name)
    states, _ = positions(name, players, 3)

    def values(network: PolicyValue) -> np.ndarray:
        searcher = NetworkSearch(game, players, game.default_rules, network, 3, 1, considered=1, rollouts=1.0)
        searcher.search(states)
        edges = searcher.forest.edges
        return edges["value"][edges["visits"] > 0]

    network, other = fresh(name, players).eval(), fresh(name, players).eval()
    for layer in (module for module in other.value if isinstance(module, torch.nn.Linear)):
        torch.nn.init.normal_(layer.weight)
    np.testing.assert_array_equal(values(network), values(other))
    leads = np.tanh(np.arange(-200, 201) / WORTH.spread)
    places = np.arange(1 - players, players)[:, None] / (players - 1) if players > 1 else leads
    results = WORTH.place * places + (1 - WORTH.place) * leads
    assert (np.abs(values(network)[:, None] - results.ravel()).min(axis=1) < 1e-9).all()


def test_half_a_rollout_is_half_the_network() -> None:
    game = find("azul")
    states, _ = positions("azul", 2, 3)

    def values(rollouts: float) -> np.ndarray:
        network = fresh("azul", 2).eval()
        searcher = NetworkSearch(game, 2, game.default_rules, network, 3, 1, considered=1, rollouts=rollouts)
        searcher.search(states)
        edges = searcher.forest.edges
        return edges["value"][edges["visits"] > 0]

    np.testing.assert_allclose(values(0.5), (values(0.0) + values(1.0)) / 2, atol=1e-6)


def test_a_single_simulation() -> None:
    """However many actions a root has, there is room for them."""
    searcher = search("azul", 2, simulations=1, considered=1, trees=64)
    batch = BatchEnv("azul", 64, 2, autoreset="same_step")
    batch.reset(3)
    widest = 0
    for _ in range(150):
        widest = max(widest, int(batch.last.mask.sum(axis=1).max()))
        batch.step(searcher.search(batch.states).actions)
    assert widest > 2 * EDGES_PER_NODE


def test_as_many_simulations_as_are_allowed() -> None:
    """One tree has room for them, 256 trees would not have."""
    agent = registry.make("alphazero:simulations=65536", "azul")
    assert isinstance(agent, AlphaZeroAgent)
    assert agent.search.forest.states.shape == (1, 65538)


def test_without_simulations_it_is_the_policy(tmp_path: Path) -> None:
    game = find("azul")
    network = fresh("azul", 2)
    network.save(tmp_path / "model.pt", game, game.default_rules)
    agent = registry.make(f"alphazero:{tmp_path / 'model.pt'},simulations=0", "azul")
    match = Match(game, seed=1)
    with torch.no_grad():
        logits = network(torch.from_numpy(match.observation()[None]))[0][0].numpy()
    legal = match.legal_actions()
    assert match.choose(agent) == legal[int(logits[legal].argmax())]


def test_the_file_of_a_network() -> None:
    game = find("arraial")
    network, file = fresh("arraial", 3, seed=5), io.BytesIO()
    network.save(file, game, game.default_rules)
    file.seek(0)
    again = PolicyValue.load(file, game, 3, game.default_rules)
    assert (again.worth, again.style) == (WORTH, STYLE)
    inputs = torch.rand(7, network.inputs)
    for ours, theirs in zip(network.eval()(inputs), again(inputs), strict=True):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize(
    ("game", "players", "rules", "message"),
    [
        ("arraial", 2, "rulebook", "model.pt: was trained for game azul, not for arraial"),
        ("azul", 3, "rulebook", "model.pt: was trained for players 2, not for 3"),
        (
            "azul",
            2,
            "digest",
            "model.pt: was trained under other rules: pillar_tiles 1, not 2, token_penalty_cap None, not 4, ",
        ),
    ],
)
def test_a_network_of_something_else(tmp_path: Path, game: str, players: int, rules: str, message: str) -> None:
    azul, file = find("azul"), tmp_path / "model.pt"
    fresh("azul", 2).save(file, azul, azul.default_rules)
    with pytest.raises(InputError, match=message):
        registry.make(f"alphazero:{file}", game, players, find(game).presets[rules])


def test_files_that_hold_no_network(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.pt: no such file"):
        registry.make("alphazero:absent.pt", "azul")
    (tmp_path / "text.pt").write_text("no network")
    with pytest.raises(InputError, match=r"text\.pt: no trained model"):
        registry.make(f"alphazero:{tmp_path / 'text.pt'}", "azul")
    torch.save({"weights": {}}, tmp_path / "other.pt")
    with pytest.raises(InputError, match=r"other\.pt: no saved network for tree search"):
        registry.make(f"alphazero:{tmp_path / 'other.pt'}", "azul")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alphazero:simulations=-1", "simulations must be an integer from 0 to 65536, not -1"),
        ("alphazero:rollouts=1.5", "rollouts must be from 0 to 1, not 1.5"),
        ("alphazero:rollouts=nan", "rollouts must be from 0 to 1, not nan"),
        ("alphazero:considered=0", "considered must be an integer from 1 to 1024, not 0"),
    ],
)
def test_bad_parameters(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        registry.make(spec, "azul")


def test_no_model_comes_for_so_many() -> None:
    with pytest.raises(InputError, match="no model of azul for 4 players comes with the package"):
        registry.make("alphazero", "azul", 4)
