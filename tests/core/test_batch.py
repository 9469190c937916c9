"""A batch plays the same games as single matches, whatever its size."""

from __future__ import annotations

import numpy as np
import pytest

from azul_env import azul_v0
from azul_env.game import GAME
from manjerico.core.batch import OUTSIDE, Batch
from manjerico.core.errors import InputError


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_equal_matches(players: int) -> None:
    batch = Batch(GAME, 12, players)
    starts = [k % players for k in range(12)]
    batch.start(batch.all, range(100, 112), starts)
    matches = [azul_v0.new_game(100 + k, players, start=starts[k]) for k in range(12)]
    rng = np.random.default_rng(3)
    going = batch.all
    while going.size:
        observations, masks = batch.observe(going)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        for row, index in enumerate(going.tolist()):
            np.testing.assert_array_equal(masks[row], matches[index].action_mask())
            np.testing.assert_array_equal(observations[row], matches[index].observation())
            matches[index].apply(int(actions[row]))
        batch.advance(going, actions)
        for index in going.tolist():
            assert batch.states[index].tobytes() == matches[index].get_state()
        going = going[batch.waiting(going) == OUTSIDE]
    assert batch.scores().tolist() == [match.scores for match in matches]


def test_scripted_seats_move_by_themselves() -> None:
    batch = Batch(GAME, 50, 2)
    batch.controllers[:, 1] = batch.policy("greedy")
    batch.start(batch.all, range(50), [1] * 50)
    batch.advance(batch.all)
    assert (batch.states["player"] == 0).all()
    batch.controllers[:, 0] = batch.policy("random")
    batch.advance(batch.all)
    assert (batch.states["player"] == -1).all()
    assert (batch.waiting(batch.all) == 0).all()
    scores = batch.scores()
    assert scores[:, 1].mean() > 65 > 20 > scores[:, 0].mean()


def test_a_games_choices_do_not_depend_on_the_others() -> None:
    def play(games: int) -> np.ndarray:
        batch = Batch(GAME, games, 2, seed=9)
        batch.controllers[:] = batch.policy("random")
        batch.start(batch.all, range(games), [0] * games)
        batch.advance(batch.all)
        return batch.scores()

    np.testing.assert_array_equal(play(30)[:7], play(7))


def test_snapshot_of_the_whole_batch() -> None:
    batch = Batch(GAME, 20, 2, seed=4)
    batch.controllers[:, 1] = batch.policy("random")
    batch.start(batch.all, range(20), [0] * 20)
    batch.advance(batch.all)
    saved = batch.get_state()

    def play(batch: Batch) -> np.ndarray:
        batch.controllers[:, 0] = batch.policy("random")
        batch.advance(batch.all)
        return batch.scores()

    scores = play(batch)
    other = Batch(GAME, 20, 2, seed=5)
    other.set_state(saved)
    np.testing.assert_array_equal(play(other), scores)


def test_errors() -> None:
    with pytest.raises(InputError, match="games must be an integer from 1 to"):
        Batch(GAME, 0, 2)
    batch = Batch(GAME, 3, 2)
    batch.start(batch.all, range(3), [0] * 3)
    with pytest.raises(InputError, match="policy must be one of greedy, random, not 'greedi'"):
        batch.policy("greedi")
    legal = azul_v0.new_game(0).legal_actions()[0]
    with pytest.raises(InputError, match="action 324 is not legal in game 1"):
        batch.advance(batch.all, np.array([legal, 324, 324]))
    with pytest.raises(InputError, match="action 4000 is not legal in game 2"):
        batch.advance(batch.all[2:], np.array([4000]))
    with pytest.raises(InputError, match="actions are at least 0, not -1"):
        batch.advance(batch.all[2:], np.array([-1]))


@pytest.mark.parametrize("indices", [[3], [-1], [10**6], [0.5], [[0]], ["a"]])
def test_indices_are_checked(indices: list[object]) -> None:
    batch = Batch(GAME, 3, 2)
    batch.start(batch.all, range(3), [0] * 3)
    for use in (
        lambda wrong: batch.observe(wrong),
        lambda wrong: batch.advance(wrong),
        lambda wrong: batch.start(wrong, [0], [0]),
    ):
        with pytest.raises(InputError, match="indices must be "):
            use(np.array(indices))


def test_what_compiled_code_trusts_is_checked() -> None:
    batch = Batch(GAME, 3, 2)
    with pytest.raises(InputError, match="a game must be started before it is advanced"):
        batch.advance(batch.all)
    with pytest.raises(InputError, match="start must be an integer from 0 to 1, not 5"):
        batch.start(batch.all, range(3), [0, 0, 5])
    with pytest.raises(InputError, match="seed must be an integer from 0 to"):
        batch.start(batch.all, [0, 1, -1], [0] * 3)
    with pytest.raises(InputError, match="3 games need as many seeds and starts, not 2 and 3"):
        batch.start(batch.all, [0, 1], [0] * 3)
    batch.start(batch.all, range(3), [0] * 3)
    for actions in ([1, 2], [1.5, 2.0, 3.0], [[1], [2], [3]]):
        with pytest.raises(InputError, match="actions must be 3 integers, one for each game"):
            batch.advance(batch.all, np.array(actions))
    batch.controllers[1, 1] = 5
    with pytest.raises(InputError, match="controllers must be below 2, not 5"):
        batch.advance(batch.all)
    batch.controllers = np.zeros((2, 2), np.int64)
    with pytest.raises(InputError, match=r"controllers must be int64 \[3, 2\]"):
        batch.advance(batch.all)
    with pytest.raises(InputError, match=r"states must be uint8 \[3, "):
        batch.set_state(Batch(GAME, 2, 2).get_state())
