"""A batch plays the same games as single matches, whatever its size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from beside import play_beside
from subjects import ARRAIAL_1, ARRAIAL_2, ARRAIAL_4_ODD, AZUL_2, AZUL_3_DIGEST, Subject, on, on_all, on_each_game

from manjerico.core.batch_driver import OUTSIDE
from manjerico.core.errors import InputError
from manjerico.core.game import NOBODY
from manjerico.core.games import Batch


def begun(subject: Subject, games: int, first_seed: int = 0, **options: Any) -> Batch:
    """A batch of games of consecutive seeds, of which nobody has decided anything yet."""
    batch = Batch(subject.game, games, subject.players, subject.rules, **options)
    batch.start(batch.all, range(first_seed, first_seed + games), [k % subject.players for k in range(games)])
    return batch


@on_all
def test_games_equal_matches(subject: Subject) -> None:
    batch = begun(subject, 12, first_seed=100)
    matches = [subject.new_game(100 + k, start=k % subject.players) for k in range(12)]
    play_beside(batch, matches, np.random.default_rng(3))


@pytest.mark.parametrize(
    ("subject", "low", "high"), [(AZUL_2, 20, 65), (AZUL_3_DIGEST, 20, 50), (ARRAIAL_2, 7.5, 12), (ARRAIAL_4_ODD, 3, 6)]
)
def test_scripted_seats_move_by_themselves(subject: Subject, low: float, high: float) -> None:
    """Greedy on the last seat, against random players, of which the first is told to move only later."""
    batch = begun(subject, 48)
    batch.controllers[:, 1:] = batch.policy("random")
    batch.controllers[:, -1] = batch.policy("greedy")
    batch.advance(batch.all)
    assert (batch.states["player"] == 0).all()
    batch.controllers[:, 0] = batch.policy("random")
    batch.advance(batch.all)
    assert (batch.states["player"] == NOBODY).all()
    assert (batch.waiting(batch.all) == 0).all()
    scores = batch.scores()
    assert scores[:, -1].mean() > high > low > scores[:, 0].mean()


def test_a_scripted_player_alone() -> None:
    """Plays its games to the end in one call."""
    means = []
    for policy in ("random", "greedy"):
        batch = begun(ARRAIAL_1, 50)
        batch.controllers[:] = batch.policy(policy)
        batch.advance(batch.all)
        assert (batch.states["player"] == NOBODY).all()
        means.append(batch.scores().mean())
    assert means[1] > 15 > 9 > means[0]


@on(AZUL_2, ARRAIAL_1, ARRAIAL_2)
def test_a_games_choices_do_not_depend_on_the_others(subject: Subject) -> None:
    def play(games: int) -> np.ndarray:
        batch = begun(subject, games, seed=9)
        batch.controllers[:] = batch.policy("random")
        batch.advance(batch.all)
        return batch.states["sources"].copy()

    np.testing.assert_array_equal(play(30)[:7], play(7))


@on(AZUL_2, ARRAIAL_1, ARRAIAL_2)
def test_snapshot_of_the_whole_batch(subject: Subject) -> None:
    batch = begun(subject, 20, seed=4)
    batch.controllers[:, 1:] = batch.policy("random")
    batch.advance(batch.all)
    saved = batch.get_state()

    def play(batch: Batch) -> np.ndarray:
        batch.controllers[:, 0] = batch.policy("random")
        batch.advance(batch.all)
        return batch.states["sources"].copy()

    points = play(batch)
    other = Batch(subject.game, 20, subject.players, subject.rules, seed=5)
    other.set_state(saved)
    np.testing.assert_array_equal(play(other), points)


@on_each_game
def test_snapshot_before_all_games_are_started(subject: Subject) -> None:
    batch = Batch(subject.game, 3, subject.players, subject.rules)
    batch.start(batch.all[1:2], [7], [0])
    other = Batch(subject.game, 3, subject.players, subject.rules)
    other.set_state(batch.get_state())
    assert other.states[1].tobytes() == subject.new_game(7).get_state()
    assert other.states["players"].tolist() == [0, 2, 0]
    with pytest.raises(InputError, match="a game must be started before it is advanced"):
        other.advance(other.all)


@on_each_game
def test_errors(subject: Subject) -> None:
    with pytest.raises(InputError, match="games must be an integer from 1 to"):
        Batch(subject.game, 0, 2)
    batch = begun(subject, 3)
    with pytest.raises(InputError, match=r"policy must be one of greedy, (heuristic, )?random, not 'greedi'"):
        batch.policy("greedi")
    legal, last = subject.new_game(0).legal_actions()[0], subject.actions - 1
    with pytest.raises(InputError, match=f"{subject.name}: action {last} is not legal in game 1"):
        batch.advance(batch.all, np.array([legal, last, last]))
    for action in (subject.actions, 4000):
        with pytest.raises(InputError, match=f"action {action} is not legal in game 2"):
            batch.advance(batch.all[2:], np.array([action]))
    with pytest.raises(InputError, match="actions are at least 0, not -1"):
        batch.advance(batch.all[2:], np.array([-1]))


@pytest.mark.parametrize("indices", [[3], [-1], [10**6], [0.5], [[0]], ["a"]])
@on_each_game
def test_indices_are_checked(subject: Subject, indices: list[object]) -> None:
    batch = begun(subject, 3)
    for use in (
        lambda wrong: batch.observe(wrong),
        lambda wrong: batch.advance(wrong),
        lambda wrong: batch.waiting(wrong),
        lambda wrong: batch.start(wrong, [0], [0]),
    ):
        with pytest.raises(InputError, match="indices must be "):
            use(np.array(indices))


@on_each_game
def test_what_compiled_code_trusts_is_checked(subject: Subject) -> None:
    for seed in (-1, "x", 2**64):
        with pytest.raises(InputError, match="seed must be an integer from 0"):
            Batch(subject.game, 3, 2, seed=seed)  # type: ignore[arg-type]  # what users pass
    batch = Batch(subject.game, 3, 2)
    for use in (batch.advance, batch.observe):
        with pytest.raises(InputError, match="a game must be started before it is advanced or observed"):
            use(batch.all)
    with pytest.raises(InputError, match="starts must be 3 integers, one for each game, not 5"):
        batch.start(batch.all, range(3), 5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"set_state takes what get_state\(\) returned, not None"):
        batch.set_state(None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="start must be an integer from 0 to 1, not 5"):
        batch.start(batch.all, range(3), [0, 0, 5])
    with pytest.raises(InputError, match="seed must be an integer from 0 to"):
        batch.start(batch.all, [0, 1, -1], [0] * 3)
    with pytest.raises(InputError, match=r"seeds must be 3 integers, one for each game, not \[0, 1\]"):
        batch.start(batch.all, [0, 1], [0] * 3)
    batch.start(batch.all, range(3), [0] * 3)
    for actions in ([1, 2], [1.5, 2.0, 3.0], [[1], [2], [3]]):
        with pytest.raises(InputError, match="actions must be 3 integers, one for each game"):
            batch.advance(batch.all, np.array(actions))
    with pytest.raises(InputError, match=r"actions are below 2\*\*63, not 9223372036854775809"):
        batch.advance(batch.all, np.array([2**63 + 1] * 3, np.uint64))
    batch.controllers[1, 1] = 5
    with pytest.raises(InputError, match=f"controllers must be below {len(subject.game.policies)}, not 5"):
        batch.advance(batch.all)
    batch.controllers = np.zeros((2, 2), np.int64)
    with pytest.raises(InputError, match=r"controllers must be int64 \[3, 2\]"):
        batch.advance(batch.all)
    with pytest.raises(InputError, match=r"states must be uint8 \[3, "):
        batch.set_state(Batch(subject.game, 2, 2).get_state())


@on_each_game
def test_choose_is_what_a_scripted_seat_would_do(subject: Subject) -> None:
    """Decided one by one, games of greedy are those that it plays by itself."""
    watched, played = begun(subject, 6, seed=4), begun(subject, 6, seed=4)
    played.controllers[:] = played.policy("greedy")
    played.advance(played.all)
    going = watched.all
    while going.size:
        _, masks = watched.observe(going)
        assert np.array_equal(watched.legal_counts(going), masks.sum(axis=1))
        watched.advance(going, watched.choose(going, "greedy"))
        going = going[watched.waiting(going) == OUTSIDE]
    assert watched.states.tobytes() == played.states.tobytes()
    with pytest.raises(InputError, match="a game is over"):
        watched.choose(watched.all, "random")
    with pytest.raises(InputError, match="policy must be one of"):
        watched.choose(watched.all, "gredy")
