"""The Gymnasium environment, beside the AEC environment with one agent and a batch with opponents."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_checker import check_env as sb3_check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv
from subjects import Subject, on_few

from arraial_env import ArraialRules, arraial_v0
from azul_env.game import GAME as AZUL
from manjerico.core.batch import BatchEnv
from manjerico.core.errors import InputError
from manjerico.core.match import IllegalActionError
from manjerico.core.results import REWARDS
from manjerico.core.single import RenderModeError, SingleAgentEnv

TINY = ArraialRules(width=4, height=4, bar_start=(2, 2, 2, 2))


def play(env: Any, seed: int | None, choices: int = 0) -> list[tuple[Any, ...]]:
    """All that an episode of random legal actions tells."""
    rng = random.Random(choices)
    observation, info = env.reset(seed=seed)
    told: list[tuple[Any, ...]] = [(observation, info)]
    while True:
        action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
        observation, reward, terminated, truncated, info = env.step(action)
        told.append((observation, info, reward, terminated, truncated))
        if terminated or truncated:
            return told


def same(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> bool:
    return pickle.dumps(one) == pickle.dumps(other)


class Highest:
    """An agent that takes the action of the highest id."""

    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        assert len(observations) == len(masks)
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("seat", [0, 1, "alternate", "random"])
@pytest.mark.parametrize("opponents", ["greedy", ["random", "greedy", Highest()]])
@on_few
def test_it_is_the_first_game_of_a_batch(subject: Subject, reward: str, seat: int | str, opponents: Any) -> None:
    """Episode after episode: what is seen, paid and told at the end."""
    if subject.players == 1 and seat == 1:
        return
    if subject.players == 1:
        opponents = None
    options = {"rules": subject.rules, "opponents": opponents, "seat": seat, "reward": reward}
    env = SingleAgentEnv(subject.game, subject.players, **options)
    batch = BatchEnv(subject.game, 3, subject.players, autoreset="same_step", **options)
    step = batch.reset(seed=11)
    generator = np.random.default_rng(1)
    observation, info = env.reset(seed=11)
    seats = set()
    for _ in range(4):
        terminated = False
        while not terminated:
            assert info["seat"] == batch.seats()[0]
            seats.add(info["seat"])
            np.testing.assert_array_equal(observation, step.observation[0])
            np.testing.assert_array_equal(info["action_mask"], step.mask[0])
            actions = batch.sample_actions(generator)
            step = batch.step(actions)
            observation, paid, terminated, _, info = env.step(int(actions[0]))
            assert paid == pytest.approx(float(step.reward[0, step.seat[0]]), abs=1e-6)
            assert terminated == step.done[0]
        assert info["score"] == batch.final_scores()[0, step.seat[0]]
        (final,) = batch.final_observations(np.array([True, False, False]), step.seat)
        np.testing.assert_array_equal(observation, final)
        observation, info = env.reset()
    assert len(seats) == (subject.players if isinstance(seat, str) and subject.players == 2 else len(seats))


def test_an_opponents_action_is_tested() -> None:
    class Wrong:
        def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
            return np.full(len(observations), masks.shape[1] - 1)

    env = SingleAgentEnv(AZUL, opponents=Wrong(), seat=1)
    with pytest.raises(InputError, match="azul: an opponent's action 324 is not legal"):
        env.reset(seed=1)


def test_an_opponent_that_fails_in_the_middle() -> None:
    """Its turn is not the learner's to take."""

    class Failing(Highest):
        def act(self, *_: Any) -> npt.NDArray[np.int64]:
            raise ArithmeticError

    env = SingleAgentEnv(AZUL, opponents=Failing(), seat=0)
    _, info = env.reset(seed=1)
    with pytest.raises(ArithmeticError):
        env.step(int(info["action_mask"].argmax()))
    with pytest.raises(InputError, match=r"an opponent failed in the middle of the last step: call reset\(\)"):
        env.step(0)
    env.reset()


ILLEGAL_ON_PURPOSE = pytest.mark.filterwarnings("ignore:.*is not legal for player")
"""The checkers know no masks."""


@ILLEGAL_ON_PURPOSE
@pytest.mark.parametrize(
    "options", [{}, {"reward": "dense"}, {"rules": TINY}, {"illegal_action": "random"}, {"lookahead": True}]
)
def test_check_env(options: dict[str, Any]) -> None:
    env = gymnasium.make("Arraial-v0", **options)
    check_env(env.unwrapped, skip_render_check=True)
    sb3_check_env(arraial_v0.single_env(**options))


@ILLEGAL_ON_PURPOSE
@pytest.mark.parametrize("name", ["AzulSummerPavilion-v0", "Arraial-v0"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_check_env_with_opponents(name: str, players: int) -> None:
    env = gymnasium.make(name, num_players=players, opponents={"random": 1, "greedy": 2}, seat="random")
    check_env(env.unwrapped, skip_render_check=True)
    sb3_check_env(env.unwrapped)


@ILLEGAL_ON_PURPOSE
def test_render_modes(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("Arraial-v0", render_mode="ansi")
    check_env(env.unwrapped)
    env.reset(seed=1)
    assert "player_0" in str(env.render())
    capsys.readouterr()
    printing = gymnasium.make("Arraial-v0", render_mode="human")
    printing.reset(seed=1)
    assert "player_0" in capsys.readouterr().out


@pytest.mark.parametrize("reward", ["place", "margin", "dense"])
def test_it_is_the_aec_environment_with_one_agent(reward: str) -> None:
    env, aec = arraial_v0.single_env(reward=reward), arraial_v0.env(1, reward=reward)
    aec.reset(seed=3)
    for observation, info, *ending in play(env, 3):
        seen, dealt, terminated, truncated, expected = aec.last()
        assert seen is not None
        mask = info.pop("action_mask")
        assert info.pop("seat") == 0
        assert np.array_equal(observation, seen["observation"])
        assert np.array_equal(mask, seen["action_mask"])
        assert info == expected
        if ending:
            assert ending == [dealt, terminated, truncated]
        if not terminated:
            aec.step(env.aec.unwrapped.record()["actions"][len(aec.unwrapped.record()["actions"])])


@pytest.mark.parametrize("reward", ["place", "dense"])
def test_the_return_is_the_score(reward: str) -> None:
    scores = set()
    for seed in range(20):
        told = play(arraial_v0.single_env(reward=reward, reward_scale=0.5), seed, seed)
        info = told[-1][1]
        scores.add(info["score"])
        assert sum(step[2] for step in told[1:]) == info["score"] / 2
        assert info["score"] == info["coloured"] + info["white"] + info["couples"]
    assert len(scores) > 3


def test_seeds() -> None:
    env, other = arraial_v0.single_env(), arraial_v0.single_env()
    first, second = play(env, 5), play(env, None)
    assert same(first, play(other, 5))
    assert same(second, play(other, None))
    assert not same(first, second)
    assert same(play(env, 5), first)


@pytest.mark.parametrize("via", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301
def test_copies(via: Any) -> None:
    env = arraial_v0.single_env()
    _, info = env.reset(seed=2)
    copied = via(env)
    action = int(info["action_mask"].argmax())
    observation, *_ = env.step(action)
    assert not np.array_equal(copied.action_masks(), env.action_masks())
    assert np.array_equal(copied.step(action)[0], observation)


def test_masks() -> None:
    env = arraial_v0.single_env()
    _, info = env.reset(seed=2)
    assert env.action_masks().dtype == bool
    assert np.array_equal(env.action_masks(), info["action_mask"])
    assert np.array_equal(get_action_masks(DummyVecEnv([lambda: env])), env.action_masks()[None])
    play(env, 2)
    assert not env.action_masks().any()


def test_maskable_ppo_learns() -> None:
    """It takes the environment as it is; steps with illegal actions would end episodes with -1."""
    env = arraial_v0.single_env(illegal_action="raise")
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, seed=0, device="cpu")
    model.learn(128)
    observation, info = env.reset(seed=0)
    action, _ = model.predict(observation, action_masks=info["action_mask"])
    assert info["action_mask"][action]


def test_illegal_actions() -> None:
    env = arraial_v0.single_env(warn=False)
    _, info = env.reset(seed=2)
    illegal = int(info["action_mask"].argmin())
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert f"action {illegal} " in info["illegal_action"]
    with pytest.raises(InputError, match=r"the episode is over: call reset\(\)"):
        env.step(0)
    strict = arraial_v0.single_env(illegal_action="raise")
    strict.reset(seed=2)
    with pytest.raises(IllegalActionError, match=f"action {illegal} "):
        strict.step(illegal)
    with pytest.raises(InputError, match="action of player_0 must be"):
        strict.step(344)


def test_wrong_arguments() -> None:
    with pytest.raises(InputError, match="num_players must be one of 2, 3, 4, not 1"):
        SingleAgentEnv(AZUL, 1)
    with pytest.raises(InputError, match=r"opponents must be one of greedy, heuristic, random, not 'gredy'"):
        SingleAgentEnv(AZUL, opponents="gredy")
    with pytest.raises(InputError, match="arraial: one player has no opponents: num_players=2, or leave opponents out"):
        gymnasium.make("Arraial-v0", opponents="greedy")
    with pytest.raises(InputError, match="seat must be an integer from 0 to 1, not 2"):
        SingleAgentEnv(AZUL, seat=2)
    with pytest.raises(InputError, match="reward must be one of"):
        gymnasium.make("Arraial-v0", reward="points")
    with pytest.raises(AttributeError, match=r"call reset\(\) first"):
        arraial_v0.single_env().step(0)


@pytest.mark.parametrize("seed", [7, np.int64(7), np.uint8(7)])
def test_seeds_of_numpy(seed: Any) -> None:
    """Gymnasium refuses them, after half a reset."""
    env = arraial_v0.single_env()
    observation, _ = env.reset(seed=seed)
    assert observation.tobytes() == arraial_v0.single_env().reset(seed=7)[0].tobytes()


def test_made_by_sb3() -> None:
    """Its ``make_vec_env`` asks for ``rgb_array``, and after a TypeError for nothing."""
    vectorised = make_vec_env("Arraial-v0", 2, seed=1)
    assert np.asarray(vectorised.reset()).shape == (2, 769)
    with pytest.raises(RenderModeError, match="render_mode must be one of ansi, human, not 'rgb_array'"):
        arraial_v0.single_env(render_mode="rgb_array")
