"""The training environment: what the learner is shown, and what it is paid."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from azul_env.game import GAME
from manjerico.agents.network import ActorCritic, NetworkAgent
from manjerico.core.batch import BatchEnv
from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.core.results import REWARDS
from manjerico.experiments.selfplay import SelfPlay
from manjerico.experiments.vec_env import BatchVecEnv


def begin(games: int = 32, players: int = 2, reward: str = "dense", past: float = 0, kept: int = 2) -> SelfPlay:
    return SelfPlay(GAME, games, players, None, {"random": 1.0, "greedy": 1.0, "past": past}, kept, reward, None)


def make(seed: int = 1, **options: Any) -> BatchVecEnv:
    env = BatchVecEnv(begin(**options).batch)
    env.seed(seed)
    return env


def random_actions(env: BatchVecEnv, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_learner_sees_only_its_own_turns(players: int) -> None:
    self_play = begin(players=players, past=2.0)
    env = BatchVecEnv(self_play.batch)
    model = MaskablePPO("MlpPolicy", env, seed=0, device="cpu")
    self_play.add_past(NetworkAgent(model, seed=0))
    self_play.add_past(NetworkAgent(model, seed=1))
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(120):
        states = env.batch.states
        np.testing.assert_array_equal(states["player"], env.batch._desks["seat"])
        assert env.action_masks().any(axis=1).all()
        env.step(random_actions(env, rng))
    assert len(np.unique(env.batch._desks["seat"])) == players


@pytest.mark.parametrize("reward", REWARDS)
def test_an_episode_pays_what_its_end_is_worth(reward: str) -> None:
    env = make(games=64, reward=reward)
    env.reset()
    rng = np.random.default_rng(5)
    returns = np.zeros(64)
    ended = 0
    while ended < 40:
        _, rewards, dones, infos = env.step(random_actions(env, rng))
        returns += rewards
        for k in np.flatnonzero(dones):
            ended += 1
            episode = infos[k]["episode"]
            assert episode["r"] == pytest.approx(returns[k], abs=1e-5)
            assert infos[k]["terminal_observation"].shape == env.observation_space.shape
            scores = env.batch.final_scores()[k].tolist()
            own = infos[k]["score"]
            other = scores[0] + scores[1] - own
            assert own in scores
            if reward == "dense":
                assert returns[k] == pytest.approx((own - 5) / 50, abs=1e-5)
            elif reward == "place":
                assert returns[k] == (own > other) - (own < other)
            else:
                assert returns[k] == pytest.approx((own - other) / 50, abs=1e-5)
            returns[k] = 0


@pytest.mark.parametrize("reward", REWARDS)
def test_alone_every_reward_is_the_score(reward: str) -> None:
    env = BatchVecEnv(SelfPlay(find("arraial"), 16, 1, None, {"random": 1.0}, 1, reward, 0.25).batch)
    env.reset()
    rng = np.random.default_rng(5)
    scores = []
    while len(scores) < 20:
        _, _, dones, infos = env.step(random_actions(env, rng))
        for k in np.flatnonzero(dones):
            assert infos[k]["episode"]["r"] == infos[k]["score"] / 4
            scores.append(infos[k]["score"])
    assert max(scores) > 8


def test_the_same_seed_gives_the_same_games() -> None:
    one, two, other = make(seed=7), make(seed=7), make(seed=8)
    first = one.reset()
    np.testing.assert_array_equal(first, two.reset())
    assert (first != other.reset()).any()
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = random_actions(one, rng)
        for a, b in zip(one.step(actions)[:3], two.step(actions)[:3], strict=True):
            np.testing.assert_array_equal(a, b)


def test_what_sb3_asks_a_vec_env() -> None:
    env = make(games=4)
    env.reset()
    assert env.has_attr("action_masks")
    assert not env.has_attr("nonsense")
    masks = env.env_method("action_masks", indices=[1, 3])
    np.testing.assert_array_equal(masks, env.action_masks()[[1, 3]])
    assert env.get_attr("render_mode") == [None] * 4
    assert env.env_is_wrapped(object) == [False] * 4
    with pytest.raises(NotImplementedError, match="no attribute 'x'"):
        env.set_attr("x", 1)


def test_the_pool_has_the_weights_that_were_given() -> None:
    """The past self that plays has that of all of them."""
    self_play = begin(games=2000, past=2.0)
    env = self_play.batch
    network = ActorCritic(env.layout.size, env.num_actions, [4])
    for snapshot in range(5):
        self_play.add_past(NetworkAgent(network, seed=snapshot))
        assert self_play.snapshots == snapshot + 1
        assert len(self_play.past) == min(snapshot + 1, 2)
    env.reset()
    controllers = env.controllers()
    learner = env._desks["seat"]
    assert (controllers[np.arange(2000), learner] == -1).all()
    others = controllers[np.arange(2000), 1 - learner]
    shares = {int(which): float((others == which).mean()) for which in np.unique(others)}
    assert shares == pytest.approx({0: 0.25, 1: 0.25, -2: 0.5}, abs=0.05)


def test_all_past_selves_have_their_turn() -> None:
    self_play = begin(past=1.0, kept=3)
    network = ActorCritic(self_play.batch.layout.size, self_play.batch.num_actions, [4])
    for _ in range(4):
        self_play.add_past(NetworkAgent(network))
    playing: list[Any] = []
    for _ in range(6):
        self_play.change_past()
        playing += self_play.batch._pool.agents
    assert [self_play.past.index(agent) for agent in playing] == [1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"autoreset": "same_step"}, "needs a batch with opponents"),
        ({"opponents": "random"}, 'needs a batch with autoreset="same_step" and copy=True'),
        ({"opponents": "random", "autoreset": "same_step", "copy": False}, "and copy=True"),
    ],
)
def test_what_a_vec_env_needs(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        BatchVecEnv(BatchEnv(GAME, 4, 2, **options))
