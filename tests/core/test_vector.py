"""The Gymnasium vector environment, beside Gymnasium's own vector of single environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import arraial_env
import azul_env
from azul_env import azul_v0
from manjerico.core.errors import InputError
from manjerico.core.vector import GameVectorEnv

NAMES = ["AzulSummerPavilion-v0", "Arraial-v0"]
GAMES = 5
assert arraial_env
assert azul_env


def both(name: str, mode: AutoresetMode, **options: Any) -> tuple[VectorEnv, VectorEnv]:
    """Ours, and Gymnasium's of the single environments."""
    ours = gymnasium.make_vec(name, GAMES, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv(
        [lambda: gymnasium.make(name, disable_env_checker=True, **options) for _ in range(GAMES)], autoreset_mode=mode
    )
    return ours, theirs


def legal(masks: Any, rng: np.random.Generator) -> Any:
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


def assert_told(ours: dict[str, Any], theirs: dict[str, Any], begins: Any) -> None:
    """What ours tells is what theirs tells in those rows. A game that is over and will begin anew shows one action."""
    for key, values in ours.items():
        if key.startswith("_"):
            continue
        where = ours[f"_{key}"] & ~(begins if key == "action_mask" else False)
        if key == "final_info":
            assert_told(values, theirs[key], begins)
        elif key == "final_obs":
            for index in np.flatnonzero(where):
                np.testing.assert_array_equal(values[index], theirs[key][index])
        elif where.any():
            np.testing.assert_array_equal(values[where], np.stack(theirs[key][where]))


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("options", [{}, {"num_players": 3, "opponents": ["greedy", "random"], "reward": "lead"}])
@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_vector_of_single_environments(name: str, options: dict[str, Any], mode: AutoresetMode) -> None:
    ours, theirs = both(name, mode, **options)
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.observation_space == theirs.observation_space
    assert repr(ours.action_space) == repr(theirs.action_space)
    assert ours.single_action_space == theirs.single_action_space
    rng = np.random.default_rng(1)
    seen, told = ours.reset(seed=4)
    expected, expected_told = theirs.reset(seed=4)
    begins = np.zeros(GAMES, bool)
    ended = 0
    while ended < 12:
        np.testing.assert_array_equal(seen, expected)
        assert_told(told, expected_told, begins)
        actions = legal(told["action_mask"], rng)
        seen, *paid, told = ours.step(actions)
        expected, *expected_paid, expected_told = theirs.step(actions)
        for values, wanted in zip(paid, expected_paid, strict=True):
            np.testing.assert_allclose(values, wanted, atol=1e-6)
            assert values.dtype == wanted.dtype
        over = paid[1]
        ended += int(over.sum())
        begins = over if mode is AutoresetMode.NEXT_STEP else np.zeros(GAMES, bool)
        if mode is AutoresetMode.DISABLED and over.any():
            np.testing.assert_array_equal(seen, expected)
            assert_told(told, expected_told, begins)
            before = told["action_mask"][~over]
            seen, told = ours.reset(options={"reset_mask": over})
            expected, expected_told = theirs.reset(options={"reset_mask": over})
            np.testing.assert_array_equal(told["action_mask"][~over], before)
            expected_told = told  # theirs tells only of the games that begin
    assert seen in ours.observation_space


def test_gymnasiums_wrappers_take_it() -> None:
    envs = RecordEpisodeStatistics(gymnasium.make_vec("Arraial-v0", 8))
    rng = np.random.default_rng(1)
    _, told = envs.reset(seed=1)
    returns = 0
    while returns < 20:
        _, _, ended, _, told = envs.step(legal(told["action_mask"], rng))
        for index in np.flatnonzero(ended):
            assert told["episode"]["r"][index] == pytest.approx(told["score"][index] / 50)
            returns += 1


def test_who_sat_where_in_a_game_that_ended() -> None:
    """The seat beside it is the next episode's."""
    envs = azul_v0.vector_env(4, autoreset_mode="same_step", opponents=None)
    rng = np.random.default_rng(1)
    _, told = envs.reset(seed=1)
    seats, ended = told["seat"], np.zeros(4, bool)
    while not ended.any():
        _, _, ended, _, told = envs.step(legal(told["action_mask"], rng))
    np.testing.assert_array_equal(told["final_info"]["seat"][ended], seats[ended])
    assert (told["seat"][ended] != seats[ended]).all()


def test_a_game_that_stays_over_is_told_of_once() -> None:
    envs = azul_v0.vector_env(2, autoreset_mode="disabled")
    rng = np.random.default_rng(1)
    _, told = envs.reset(seed=1)
    told_of = np.zeros(2)
    over = np.zeros(2, bool)
    while not over.all():
        _, _, over, _, told = envs.step(legal(told["action_mask"], rng))
        told_of += told.get("_score", 0)
    assert told_of.tolist() == [1, 1]
    assert "score" not in envs.step(np.zeros(2, np.int64))[4]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"autoreset_mode": "never"}, "autoreset_mode must be one of disabled, next_step, same_step, not 'never'"),
        ({"num_players": 5}, "num_players must be one of"),
        ({"opponents": "gready"}, r"opponents must be one of greedy, heuristic, random, not 'gready' \(did you mean"),
    ],
)
def test_wrong_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GameVectorEnv(azul_v0.GAME, 2, **options)


def test_wrong_resets() -> None:
    envs = azul_v0.vector_env(2)
    with pytest.raises(InputError, match=r"options must be None or a dict with reset_mask, not \{'start': 1\}"):
        envs.reset(options={"start": 1})
    with pytest.raises(InputError, match="games must be a bool array of 2, one for each game"):
        envs.reset(options={"reset_mask": np.array([1, 0])})
    with pytest.raises(InputError, match="seed must be an integer from 0"):
        envs.reset(seed=[1, 2])  # type: ignore[arg-type]
