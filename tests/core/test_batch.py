"""A batch environment plays the games of the AEC environment, whatever its size, and pays what they pay."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from players import scripted
from scipy import stats
from subjects import ARRAIAL_1, ARRAIAL_2, ARRAIAL_4_ODD, AZUL_2, AZUL_3_DIGEST, Subject, on, on_each_game, on_few

from manjerico.core import batch as batch_module
from manjerico.core import crew as crew_module
from manjerico.core import rng as streams
from manjerico.core.batch import BatchEnv, Step
from manjerico.core.errors import InputError
from manjerico.core.results import REWARDS, default_scale, final_rewards, leads

GAMES = 9


def make(subject: Subject, games: int = GAMES, **options: Any) -> BatchEnv:
    return BatchEnv(subject.game, games, subject.players, subject.rules, **options)


def some_actions(step: Step, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Random legal actions; where there are none, anything."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else rng.integers(300) for mask in step.mask])


class Lowest:
    """An agent that takes the action of the lowest id."""

    def act(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        assert len(observations) == len(masks)
        chosen: npt.NDArray[np.int64] = masks.argmax(axis=1)
        return chosen


# --- The games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", REWARDS)
@on_few
def test_games_are_those_of_the_aec_environment(subject: Subject, reward: str) -> None:
    """Observations, masks, rewards, ends and who is to act, from the first decision to the last."""
    batch, rng = make(subject, reward=reward, threads=1), np.random.default_rng(3)
    envs = [subject.begun(100 + k, reward=reward) for k in range(GAMES)]
    step = batch.reset(seed=100)
    going = set(range(GAMES))
    while going:
        actions = some_actions(step, rng)
        for k in going:
            seen = envs[k].observe(envs[k].agent_selection)
            np.testing.assert_array_equal(step.observation[k], seen["observation"])
            np.testing.assert_array_equal(step.mask[k], seen["action_mask"])
            assert subject.agents[step.player[k]] == envs[k].agent_selection
            assert not step.done[k]
            envs[k].step(int(actions[k]))
        step = batch.step(actions)
        for k in list(going):
            np.testing.assert_allclose(step.reward[k], list(envs[k].rewards.values()), atol=1e-6)
            assert step.done[k] == all(envs[k].terminations.values())
            if step.done[k]:
                np.testing.assert_array_equal(step.observation[k], envs[k].observe("player_0")["observation"])
                assert batch.final_scores()[k].tolist() == [envs[k].infos[agent]["score"] for agent in subject.agents]
                points = {name: by_seat[k, 0] for name, by_seat in batch.final_sources().items()}
                assert points == {name: envs[k].infos["player_0"][name] for name in subject.signs}
                going.remove(k)


def history(subject: Subject, first: int, games: int, steps: int = 400, **options: Any) -> list[Step]:
    """Steps of a batch in which an action depends on its own game only."""
    batch = make(subject, games, **options)
    steps_taken = [batch.reset(seed=first)]
    for n in range(steps):
        mask = steps_taken[-1].mask
        counts = np.maximum(mask.sum(axis=1), 1)
        order = np.argsort(-mask, axis=1, kind="stable")  # the legal ones, ascending, then the others
        steps_taken.append(batch.step(order[np.arange(games), (7919 * n + n // 3) % counts]))
    return steps_taken


@pytest.mark.parametrize("opponents", [None, {"random": 0.7, "greedy": 0.3}])
@on(AZUL_2, ARRAIAL_2, ARRAIAL_4_ODD)
def test_a_game_depends_on_its_seed_alone(subject: Subject, opponents: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on the number of games, nor on threads, nor on how they are grouped; also after the first episode."""
    options = {"opponents": opponents, "seat": "random", "autoreset": "same_step"}
    monkeypatch.setattr(batch_module, "LEAST_TO_STEP", 8)
    monkeypatch.setattr(crew_module, "GRAIN", 8)
    whole = history(subject, 40, 160, threads=3, **options)
    assert sum(step.done.sum() for step in whole) > 160
    for first, games, threads in ((40, 7, 1), (130, 70, 2)):
        part = history(subject, first, games, threads=threads, **options)
        rows = slice(first - 40, first - 40 + games)
        for one, other in zip(whole, part, strict=True):
            for array, again in zip(one, other, strict=True):
                np.testing.assert_array_equal(array[rows], again)


@on_each_game
def test_seeds_wrap_around(subject: Subject) -> None:
    batch = make(subject, 3)
    batch.reset(seed=2**64 - 1)
    for index, seed in enumerate([2**64 - 1, 0, 1]):
        assert batch.states[index].tobytes() == subject.new_game(seed).get_state()


@on_each_game
def test_every_episode_is_another_game(subject: Subject) -> None:
    batch = make(subject, 20, seed=5)
    games = {batch.states[k].tobytes() for _ in range(10) for k in range(20) if batch.reset() is not None or True}
    assert len(games) == 200


# --- Episodes --------------------------------------------------------------------------------------------------------


def to_an_end(batch: BatchEnv, step: Step, rng: np.random.Generator) -> Step:
    while not step.done.any():
        step = batch.step(some_actions(step, rng))
    return step


@on_few
def test_next_step(subject: Subject) -> None:
    """The step after the end ignores the action, pays nothing and shows the beginning of the next game."""
    batch, rng = make(subject, reward="dense"), np.random.default_rng(1)
    step = to_an_end(batch, batch.reset(seed=1), rng)
    done = step.done
    assert (step.player[done] == -1).all()
    assert (step.mask[done].sum(axis=1) == 1).all()
    assert step.mask[done, 0].all()
    after = batch.step(some_actions(step, rng))
    assert not after.done[done].any()
    assert not after.reward[done].any()
    assert (after.player[done] == 0).all()
    assert (batch.scores()[done] == subject.first_score).all()


@pytest.mark.parametrize("reward", REWARDS)
@on_few
def test_same_step(subject: Subject, reward: str) -> None:
    """The step of the end pays for it and shows the beginning of the next game."""
    batch, rng = make(subject, reward=reward, autoreset="same_step"), np.random.default_rng(1)
    twin = make(subject, reward=reward, autoreset="disabled")
    step, other = batch.reset(seed=1), twin.reset(seed=1)
    while not step.done.any():
        actions = some_actions(step, rng)
        step, other = batch.step(actions), twin.step(actions)
    done = step.done
    np.testing.assert_array_equal(done, other.done)
    np.testing.assert_array_equal(step.reward, other.reward)
    assert (step.player[done] == 0).all()
    assert (batch.scores()[done] == subject.first_score).all()
    np.testing.assert_array_equal(batch.final_scores()[done], twin.scores()[done])
    for seat in range(subject.players):
        seats = np.full(GAMES, seat)
        shown = batch.final_observations(done, seats)
        np.testing.assert_array_equal(shown, twin.final_observations(done, seats))
        if seat == 0:
            np.testing.assert_array_equal(shown, other.observation[done])


@on_few
def test_disabled(subject: Subject) -> None:
    """A game that is over stays so until a reset, of it alone or of all."""
    batch, rng = make(subject, autoreset="disabled"), np.random.default_rng(1)
    step = to_an_end(batch, batch.reset(seed=1), rng)
    done = step.done
    scores = batch.scores()[done]
    for _ in range(3):
        step = batch.step(some_actions(step, rng))
        assert step.done[done].all()
        assert not step.mask[done].any()
        assert not step.reward[done].any()
        np.testing.assert_array_equal(batch.scores()[done], scores)
    states = batch.states.copy()
    step = batch.reset(games=done)
    assert not step.done[done].any()
    assert (batch.scores()[done] == subject.first_score).all()
    np.testing.assert_array_equal(batch.states[~done], states[~done])
    step = batch.reset()
    assert not step.done.any()


@pytest.mark.parametrize("reward", REWARDS)
@on_few
def test_rewards(subject: Subject, reward: str) -> None:
    """Their sum over a game is what ``results`` says, or the change of score or lead."""
    batch, rng = make(subject, reward=reward, autoreset="disabled"), np.random.default_rng(2)
    step, total = batch.reset(seed=3), np.zeros((GAMES, subject.players))
    while not step.done.all():
        step = batch.step(some_actions(step, rng))
        total += step.reward
    scores = batch.final_scores()
    if reward == "dense":
        expected = scores - subject.first_score
    elif reward == "lead":
        expected = np.array([leads(row) for row in scores.tolist()]) - leads([subject.first_score] * subject.players)
    else:
        expected = final_rewards(reward, scores)
    np.testing.assert_allclose(total, expected * default_scale(reward, subject.players), atol=1e-5)


@on_few
def test_sampled_actions(subject: Subject) -> None:
    """Each legal action with the same probability, from the caller's generator; 0 where the game is over."""
    batch = make(subject, 4000, autoreset="disabled")
    step = batch.reset(seed=1)
    batch.states[:] = batch.states[0]
    batch.set_state(batch.get_state())
    legal = np.flatnonzero(step.mask[0])
    counts = np.bincount(batch.sample_actions(np.random.default_rng(1)), minlength=batch.num_actions)
    assert set(np.flatnonzero(counts)) == set(legal)
    assert stats.chisquare(counts[legal]).pvalue > 0.001
    np.testing.assert_array_equal(*(batch.sample_actions(np.random.default_rng(2)) for _ in range(2)))
    while not step.done.all():
        step = batch.step(batch.sample_actions(np.random.default_rng(3)))
    assert not batch.sample_actions(np.random.default_rng(4)).any()


# --- Opponents -------------------------------------------------------------------------------------------------------


def by_hand(subject: Subject, seed: int, learner: int, policy: str) -> list[tuple[int, bytes]]:
    """Turns of the learner, who takes the lowest id, among opponents of one kind; and the states it sees."""
    match = subject.new_game(seed)
    choices = np.zeros(2, np.uint64)
    streams.start(choices, np.uint64(streams.mix(~np.uint64(seed))))
    choices[1] = subject.players - 1  # one draw for each opponent's kind
    turns = []
    while not match.is_over:
        if match.current_player == learner:
            turns.append((learner, match.get_state()))
            match.apply(match.legal_actions()[0])
        else:
            match.apply(scripted(match, policy, choices))
    return [*turns, (-1, match.get_state())]


@pytest.mark.parametrize("policy", ["random", "greedy"])
@on(AZUL_2, AZUL_3_DIGEST, ARRAIAL_2, ARRAIAL_4_ODD)
def test_scripted_opponents(subject: Subject, policy: str) -> None:
    """The learner sees its own turns only, and they are those of games that are played by hand."""
    for learner in range(subject.players):
        batch = make(subject, 4, opponents=policy, seat=learner, autoreset="disabled")
        expected = [by_hand(subject, 20 + k, learner, policy) for k in range(4)]
        step = batch.reset(seed=20)
        for turn in range(max(map(len, expected))):
            for k in range(4):
                player, state = expected[k][min(turn, len(expected[k]) - 1)]
                assert step.player[k] == player
                assert batch.states[k].tobytes() == state
            step = batch.step(step.mask.argmax(axis=1))
            assert (step.seat == learner).all()
        assert step.done.all()


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
@on(AZUL_2, ARRAIAL_2, ARRAIAL_4_ODD)
def test_agents_as_opponents(subject: Subject, autoreset: str) -> None:
    """Against itself an agent has the game that is played without opponents; rewards are summed in between."""
    among = make(subject, 5, opponents=Lowest(), seat=1, reward="dense", autoreset=autoreset)
    alone = make(subject, 5, reward="dense", autoreset="disabled")
    step, other = among.reset(seed=8), alone.reset(seed=8)
    total, expected = np.zeros((2, 5, subject.players))
    ended = np.zeros(5, bool)
    while not ended.all():
        total[~ended] += step.reward[~ended]
        ended |= step.done
        step = among.step(step.mask.argmax(axis=1))
        assert np.isin(step.player, (-1, 1)).all()
    while not other.done.all():
        expected += other.reward
        other = alone.step(other.mask.argmax(axis=1))
    expected += other.reward
    np.testing.assert_allclose(total, expected, atol=1e-5)


@on(AZUL_2, ARRAIAL_4_ODD)
def test_opponents_are_drawn_by_weight(subject: Subject) -> None:
    pool = {"random": 3.0, Lowest(): 1.0, "greedy": 4.0}
    batch = make(subject, 4000, opponents=pool, seat=0)
    batch.reset(seed=1)
    drawn = batch.controllers()[:, 1:].reshape(-1)
    names = list(subject.game.policies)
    shares = [(drawn == code).mean() for code in (names.index("random"), -2, names.index("greedy"))]
    assert shares == pytest.approx([3 / 8, 1 / 8, 4 / 8], abs=0.03)
    assert (batch.controllers()[:, 0] == -1).all()


@on(AZUL_2, ARRAIAL_4_ODD)
def test_the_learners_seat(subject: Subject) -> None:
    players = subject.players
    batch = make(subject, 3 * players, opponents="random", seat="alternate")
    assert batch.reset(seed=players).seat.tolist() == list(range(players)) * 3
    assert batch.reset().seat.tolist() == [(k + 1) % players for k in range(3 * players)]
    drawn = make(subject, 2000, opponents="random", seat="random").reset(seed=1)
    assert np.bincount(drawn.seat) / 2000 == pytest.approx([1 / players] * players, abs=0.04)
    np.testing.assert_array_equal(drawn.player, drawn.seat)
    assert (make(subject, 3).reset(seed=1).seat == -3).all()


def test_other_opponents() -> None:
    """Take over with the next episode; an agent is followed at once by the one at its place."""
    batch = BatchEnv("azul", 6, 2, opponents="random", seat=0, autoreset="disabled")
    batch.reset(seed=1)
    random, greedy = (list(AZUL_2.game.policies).index(name) for name in ("random", "greedy"))
    batch.set_opponents([Lowest(), "greedy"])
    assert (batch.controllers()[:, 1] == random).all()
    batch.reset()
    assert set(batch.controllers()[:, 1].tolist()) == {-2, greedy}
    with pytest.raises(InputError, match="opponents must go on with 1 agents or more, not 0"):
        batch.set_opponents("greedy")


# --- Arrays, copies, files -------------------------------------------------------------------------------------------


@on_each_game
def test_arrays_may_be_kept(subject: Subject) -> None:
    """Fresh ones by default, the same ones on request."""
    for fresh in (True, False):
        batch = make(subject, copy=fresh)
        first = batch.reset(seed=1)
        kept = [array.copy() for array in first]
        second = batch.step(first.mask.argmax(axis=1))
        assert all(np.shares_memory(a, b) != fresh for a, b in zip(first, second, strict=True))
        assert all(np.array_equal(a, b) for a, b in zip(first, kept, strict=True)) == fresh


@pytest.mark.parametrize("opponents", [None, "random"])
@on_few
def test_a_batch_goes_on_from_its_copy_and_from_its_file(subject: Subject, opponents: Any, tmp_path: Path) -> None:
    if subject.players == 1:
        opponents = None
    batch, rng = make(subject, opponents=opponents), np.random.default_rng(5)
    step = batch.reset(seed=9)
    for _ in range(40):
        step = batch.step(some_actions(step, rng))
    batch.save(tmp_path / "batch.npz")
    pickled = pickle.loads(pickle.dumps(batch))  # noqa: S301  # its own
    others = [batch.clone(), pickled, make(subject, opponents=opponents)]
    loaded = others[2].load(tmp_path / "batch.npz")
    for name in ("observation", "mask", "done", "player", "seat"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(step, name))
    for _ in range(120):
        actions = some_actions(step, rng)
        step = batch.step(actions)
        for other in others:
            for array, again in zip(step, other.step(actions), strict=True):
                np.testing.assert_array_equal(array, again)


def test_a_file_that_is_no_batch(tmp_path: Path) -> None:
    batch = make(AZUL_2, 3)
    batch.reset(seed=1)
    batch.save(tmp_path / "batch.npz")
    (tmp_path / "text").write_text("no")
    with pytest.raises(InputError, match="text: no saved batch"):
        batch.load(tmp_path / "text")
    with pytest.raises(InputError, match="missing: no saved batch"):
        batch.load(tmp_path / "missing")
    with pytest.raises(InputError, match=r"states must be uint8 \[4, \d+\], as in get_state"):
        make(AZUL_2, 4).load(tmp_path / "batch.npz")
    with pytest.raises(InputError, match="the state of game 0 is impossible: players"):
        make(AZUL_3_DIGEST, 3).load(tmp_path / "batch.npz")
    with pytest.raises(InputError, match="can't be written"):
        batch.save(tmp_path / "missing" / "batch.npz")
    arrays = batch.get_state()
    for field, value in (("controllers", 99), ("controllers", -7), ("seat", 2), ("ended", 1)):
        desks = arrays["desks"].copy()
        desks.view(batch._desks.dtype)[field][1] = value
        with pytest.raises(InputError, match="desks are not those of a batch with the same opponents"):
            batch.set_state({**arrays, "desks": desks})
    finals = np.full_like(arrays["finals"], 1)
    with pytest.raises(InputError, match="the last state of game 0 is impossible"):
        batch.set_state({**arrays, "finals": finals})
    with pytest.raises(InputError, match=r"set_state takes what get_state\(\) returned, not None"):
        batch.set_state(None)  # type: ignore[arg-type]  # what users pass


# --- Errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs must be an integer from 1 to"),
        ({"num_players": [2, 3]}, r"azul: num_players must be one of 2, 3, 4, not \[2, 3\]"),
        ({"autoreset": "always"}, "autoreset must be one of disabled, next_step, same_step, not 'always'"),
        ({"reward": "score"}, "reward must be one of dense, lead, margin, place, not 'score'"),
        ({"reward_scale": 0}, "reward_scale must be a finite number above 0, not 0"),
        ({"seat": 2, "opponents": "random"}, "seat must be an integer from 0 to 1, not 2"),
        ({"seat": "first"}, "seat must be one of alternate, random, not 'first'"),
        ({"opponents": "gredy"}, r"opponents must be one of greedy, heuristic, random, not 'gredy' \(did you mean"),
        ({"opponents": []}, "opponents must name at least one"),
        ({"opponents": 3}, r"opponents must be names or agents with act\(observations, masks\), not 3"),
        ({"opponents": {"random": 0}}, "weight of 'random' must be a finite number above 0, not 0"),
        ({"threads": 0}, "threads must be an integer from 1 to 1024, not 0"),
        ({"copy": 1}, "copy must be true or false, not 1"),
        ({"seed": -1}, "seed must be an integer from 0 to"),
        ({"lookahead": True}, "azul: lookahead must be False, the game has none"),
    ],
)
def test_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        BatchEnv("azul", **{"num_envs": 2, **options})


@on_each_game
def test_bad_actions_change_nothing(subject: Subject) -> None:
    batch = make(subject, 3)
    with pytest.raises(InputError, match=r"the games must be started before a step: call reset\(\)"):
        batch.step(np.zeros(3, np.int64))
    legal = batch.reset(seed=1).mask.argmax(axis=1)
    before = batch.states.copy()
    last = subject.actions - 1
    for actions, message in (
        ([legal[0], last, legal[2]], f"{subject.name}: action {last} is not legal in game 1"),
        ([legal[0], legal[1], 10**6], f"{subject.name}: action 1000000 is not legal in game 2"),
        ([legal[0], legal[1], -1], f"{subject.name}: action -1 is not legal in game 2"),
        ([0, 0], "actions must be 3 integers"),
        ([0.0, 1.0, 2.0], "actions must be 3 integers"),
    ):
        with pytest.raises(InputError, match=message):
            batch.step(np.array(actions))
        np.testing.assert_array_equal(batch.states, before)


def test_other_errors() -> None:
    class Wrong(Lowest):
        def act(self, observations: Any, masks: Any) -> Any:
            return super().act(observations, 1 - masks)

    batch = make(AZUL_2, 3, opponents=Wrong(), seat=1)
    with pytest.raises(InputError, match=r"azul: an opponent's action \d+ is not legal in game 0"):
        batch.reset(seed=1)
    batch = make(AZUL_2, 3)
    batch.reset(seed=1)
    for games in ([True, False, True], np.ones(2, bool), np.ones(3)):
        with pytest.raises(InputError, match="games must be a bool array of 3, one for each game"):
            batch.reset(games=games)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="only games that have been finished have a final observation"):
        batch.final_observations(np.ones(3, bool), np.zeros(3, np.int64))


def test_what_was_not_begun() -> None:
    batch = make(AZUL_2, 3)
    with pytest.raises(InputError, match="the first reset begins all games"):
        batch.reset(seed=1, games=np.array([True, False, True]))
    for one in (batch, batch.clone()):
        with pytest.raises(InputError, match=r"must be started before a step: call reset\(\)"):
            _ = one.last


def test_opponents_for_nobody() -> None:
    with pytest.raises(InputError, match="arraial: one player has no opponents: num_players=2, or leave opponents out"):
        make(ARRAIAL_1, opponents="greedy")
    for batch, opponents in (
        (make(AZUL_2), "greedy"),
        (make(AZUL_2, opponents="random"), None),
        (make(ARRAIAL_1), "greedy"),
    ):
        with pytest.raises(InputError, match="opponents can only follow opponents"):
            batch.set_opponents(opponents)  # type: ignore[arg-type]


@pytest.mark.parametrize("fresh", [True, False])
def test_a_step_in_which_an_agent_fails_has_not_been(fresh: bool) -> None:
    """Its error is the caller's, and after it the same step can be taken again."""

    class Failing(Lowest):
        until = 10**6

        def act(self, observations: Any, masks: Any) -> Any:
            self.until -= 1
            if self.until == 0:
                raise KeyboardInterrupt
            return super().act(observations, masks)

    agent = Failing()
    batch, twin = (make(AZUL_2, opponents=one, seat="random", copy=fresh) for one in (agent, Lowest()))
    step, expected = batch.reset(seed=2), twin.reset(seed=2)
    failures = 0
    for _ in range(100):
        actions, before = step.mask.argmax(axis=1), [array.copy() for array in batch.last]
        agent.until = 2
        try:
            step = batch.step(actions)
        except KeyboardInterrupt:
            failures += 1
            for array, kept in zip(batch.last, before, strict=True):
                np.testing.assert_array_equal(array, kept)
            step = batch.step(actions)
        expected = twin.step(actions)
        for array, wanted in zip(step, expected, strict=True):
            np.testing.assert_array_equal(array, wanted)
    assert failures > 20


def test_a_copy_has_seen_what_its_original_saw() -> None:
    batch = make(AZUL_2, 3, copy=False)
    batch.step(batch.reset(seed=1).mask.argmax(axis=1))
    for other in (batch.clone(), pickle.loads(pickle.dumps(batch)), copy.copy(batch)):  # noqa: S301  # our own
        for array, expected in zip(other.last, batch.last, strict=True):
            np.testing.assert_array_equal(array, expected)
    shallow = copy.copy(batch)
    del shallow
    batch.step(batch.last.mask.argmax(axis=1))


@pytest.mark.parametrize("actions", [[[1], [1, 2], [3]], None, "abc", np.zeros(3, "m8[s]")])
def test_actions_that_are_none(actions: Any) -> None:
    batch = make(AZUL_2, 3)
    batch.reset(seed=1)
    with pytest.raises(InputError, match="actions must be 3 integers"):
        batch.step(actions)


def test_files_that_are_no_batches(tmp_path: Path) -> None:
    batch = make(AZUL_2, 3)
    batch.reset(seed=1)
    batch.save(tmp_path / "batch.npz")
    whole = (tmp_path / "batch.npz").read_bytes()
    rng = np.random.default_rng(1)
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] ^= int(rng.integers(1, 256))
        (tmp_path / "damaged.npz").write_bytes(damaged)
        try:
            batch.load(tmp_path / "damaged.npz")
        except InputError:
            continue
    for path in (None, 5, ""):
        with pytest.raises(InputError, match="no saved batch"):
            batch.load(path)  # type: ignore[arg-type]
    for place in ("", "/dev/null", tmp_path):
        with pytest.raises(InputError, match="is no file that can be replaced"):
            batch.save(place)


@on(ARRAIAL_1, ARRAIAL_2)
def test_lookahead(subject: Subject) -> None:
    batch = make(subject, lookahead=True)
    step = batch.reset(seed=4)
    for k in range(GAMES):
        expected = subject.new_game(4 + k).observation(lookahead=True)
        np.testing.assert_array_equal(step.observation[k], expected)
