"""The plain single-game object."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare
from subjects import ARRAIAL_1, ARRAIAL_2, AZUL_2, Subject, on, on_all, on_each_game, on_few

from arraial_env import ArraialRules, arraial_v0
from azul_env import AzulRules, azul_v0
from manjerico.core.drivers import ILLEGAL
from manjerico.core.errors import InputError
from manjerico.core.game import NOBODY
from manjerico.core.match import IllegalActionError, Match


def play_on(match: Match, rng: random.Random) -> list[Any]:
    """Random play to the end: all actions, states and chance."""
    states = []
    while not match.is_over:
        match.apply(rng.choice(match.legal_actions()))
        states.append(match.get_state())
    return [states, match.actions, match.chance, match.scores]


def before_a_draw(subject: Subject) -> tuple[Match, int]:
    """A position, and a decision after which chance draws for the first time since the set-up."""
    match = subject.played(8)
    draws = next(
        k for k in range(len(match.actions)) if len(subject.played(8, decisions=k + 1).chance) > subject.set_up
    )
    return subject.played(8, decisions=draws), match.actions[draws]


@on_all
def test_new_game(subject: Subject) -> None:
    match = subject.new_game(7)
    assert match.players == subject.players
    assert match.rules == subject.rules
    assert match.seed == 7
    assert match.current_player == 0
    assert match.actions == []
    assert len(match.chance) == subject.set_up
    assert match.num_actions == subject.actions
    assert match.scores == [subject.first_score] * subject.players
    assert match.returns() == [0.0] * subject.players
    assert match.breakdown(subject.players - 1) == dict.fromkeys(subject.signs, 0)


def test_new_game_by_default() -> None:
    """For two players, by the rulebook."""
    azul, arraial = azul_v0.new_game(), arraial_v0.new_game()
    assert (azul.players, azul.rules) == (2, AzulRules.rulebook())
    assert (arraial.players, arraial.rules) == (2, ArraialRules.rulebook())


@on_few
def test_unseeded_games_differ_and_say_their_seed(subject: Subject) -> None:
    one, other = subject.new_game(), subject.new_game()
    assert one.seed != other.seed
    assert subject.new_game(one.seed).chance == one.chance


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed must be an integer"),
        ({"seed": 2**64}, "seed must be an integer"),
        ({"seed": 1.0}, "seed must be an integer"),
        ({"num_players": 5}, "num_players must be one of .*2, 3, 4, not 5"),
        ({"num_players": True}, "num_players must be one of"),
        ({"num_players": 0}, "num_players must be one of"),
        ({"start": 4}, "start must be an integer from 0 to .*, not 4"),
        ({"rules": {"side": "A"}}, r"rules must be (Azul|Arraial)Rules\(...\)"),
        ({"chance": [8]}, "chance outcome 8 at position 0 is impossible"),
        ({"chance": [-1]}, "chance outcome at position 0 must be an integer"),
        ({"chance": [0.0]}, "chance outcome at position 0 must be an integer"),
        ({"chance": [0] * 100_000}, "100000 chance outcomes are more than"),
    ],
)
@on_few
def test_bad_arguments(subject: Subject, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        subject.new_game(**arguments)


@on_all
def test_impossible_set_ups(subject: Subject) -> None:
    """The number after the last outcome; one outcome once more than there are."""
    with pytest.raises(InputError, match=f"chance outcome {subject.kinds} at position 0 is impossible"):
        subject.new_game(chance=[subject.kinds])
    copies = subject.copies
    assert subject.new_game(chance=[0] * copies).chance[:copies] == [0] * copies
    with pytest.raises(InputError, match=f"chance outcome 0 at position {copies} is impossible"):
        subject.new_game(chance=[0] * (copies + 1))


@on_few
def test_begin_again(subject: Subject) -> None:
    """Also after bad arguments, that change nothing."""
    match = subject.played(3)
    state = match.get_state()
    with pytest.raises(InputError):
        match.begin(seed=4, start=subject.players)
    with pytest.raises(InputError):
        match.begin(seed=4, chance=[subject.kinds])
    assert match.get_state() == state
    match.begin(seed=4, start=subject.players - 1)
    fresh = subject.new_game(4, start=subject.players - 1)
    assert match.start == fresh.current_player == subject.players - 1
    assert play_on(match, random.Random(1)) == play_on(fresh, random.Random(1))


@on_all
def test_legal_actions(subject: Subject) -> None:
    match = subject.new_game(7)
    while not match.is_over:
        ids = match.legal_actions()
        assert ids == sorted(ids)
        assert ids == [action for action in range(match.num_actions) if match.is_legal(action)]
        assert ids == np.flatnonzero(match.action_mask()).tolist()
        match.apply(ids[len(match.actions) % len(ids)])
    assert match.legal_actions() == []
    assert match.current_player is None


@pytest.mark.parametrize("share", [0, 0.5, 1])
@on_few
def test_every_legal_action_can_be_applied_and_no_other(subject: Subject, share: float) -> None:
    match = subject.played(7, decisions=int(share * subject.length))
    for action in range(match.num_actions):
        trial = match.clone()
        if match.is_legal(action):
            trial.apply(action)
            assert trial.actions == [*match.actions, action]
        else:
            with pytest.raises(IllegalActionError):
                trial.apply(action)
            assert trial.get_state() == match.get_state()
            assert trial.actions == match.actions


@pytest.mark.parametrize("share", [0, 0.5, None])
@on_few
def test_every_action_has_words(subject: Subject, share: float | None) -> None:
    """Anywhere, after the end too, and those that can be chosen have words of their own."""
    match = subject.played(7, decisions=None if share is None else int(share * subject.length))
    assert all(match.describe(action) for action in range(match.num_actions))
    legal = match.legal_actions()
    assert len({match.describe(action) for action in legal}) == len(legal)


@on_few
def test_illegal_action_in_words(subject: Subject) -> None:
    match = subject.new_game(7)
    count, last = len(match.legal_actions()), subject.actions - 1
    message = (
        rf"{subject.name}: action {last} \({subject.last_action}\) is not legal for player 0 at decision 0; {count} a"
    )
    with pytest.raises(IllegalActionError, match=message):
        match.apply(last)
    match = subject.played(7)
    with pytest.raises(IllegalActionError, match=f"action {last} comes after the end of the game"):
        match.apply(last)


@on_few
def test_no_action(subject: Subject) -> None:
    match = subject.new_game(7)
    for action, use in itertools.product(
        (-1, subject.actions, 2**70, 1.0, True, None, "1"), (match.apply, match.describe, match.check_legal)
    ):
        with pytest.raises(
            InputError, match=f"{subject.name}: action must be an integer from 0 to {subject.actions - 1}"
        ) as caught:
            use(action)  # type: ignore[arg-type]  # what users pass
        assert not isinstance(caught.value, IllegalActionError)


@on_few
def test_step_is_apply_and_observe(subject: Subject) -> None:
    stepped, applied = subject.new_game(7), subject.new_game(7)
    observation = np.empty(applied.observation().size, np.float32)
    mask = np.empty(subject.actions, np.int8)
    for action in subject.played(7).actions:
        for wrong in (-1, applied.action_mask().argmin(), subject.actions):
            assert stepped._step(wrong, observation, mask) == ILLEGAL
            assert stepped.get_state() == applied.get_state()
        player = stepped._step(action, observation, mask)
        applied.apply(action)
        assert stepped.get_state() == applied.get_state()
        assert stepped.legal_actions() == applied.legal_actions()
        assert player == (NOBODY if applied.is_over else applied.current_player)
        assert np.array_equal(observation, applied.observation())
        assert np.array_equal(mask, applied.action_mask())
    assert stepped.actions == applied.actions
    assert stepped.chance == applied.chance


@on_all
def test_returns_and_breakdown(subject: Subject) -> None:
    """Returns are by place, of a player alone the score (H1)."""
    match = subject.played(7)
    returns = match.returns()
    if subject.players == 1:
        assert returns == [float(match.scores[0])]
    else:
        assert sum(returns) == pytest.approx(0)
        ranked = sorted(zip(match.scores, returns, strict=True))
        assert [reward for _, reward in ranked] == sorted(returns)
    for seat, score in enumerate(match.scores):
        assert subject.score_of(match.breakdown(seat)) == score
    for use in (match.breakdown, match.observation):
        with pytest.raises(InputError, match=f"seat must be an integer from 0 to {subject.players - 1}"):
            use(subject.players)


@on_few
def test_choose(subject: Subject) -> None:
    """A scripted policy decides without changing anything, at random only by the seed."""
    match = subject.played(7, decisions=2)
    state = match.get_state()
    for policy in ("greedy", "random"):
        chosen = [match.choose(policy, seed) for seed in range(30)]
        assert set(chosen) <= set(match.legal_actions())
        assert chosen == [match.choose(policy, seed) for seed in range(30)]
    assert len(set(chosen)) > 1
    assert match.get_state() == state
    with pytest.raises(InputError, match=r"policy must be one of random, greedy.*, or an agent, .*, not 'best'"):
        match.choose("best")
    with pytest.raises(InputError, match="the game is over, there is nothing to choose"):
        subject.played(7).choose("greedy")


# --- Copies and states -----------------------------------------------------------------------------------------------


def via_pickle(match: Match) -> Match:
    copied: Match = pickle.loads(pickle.dumps(match))  # noqa: S301  # our own bytes
    return copied


@pytest.mark.parametrize("copier", [Match.clone, copy.deepcopy, via_pickle])
@on_few
def test_copies_are_exact_and_independent(subject: Subject, copier: Callable[[Match], Match]) -> None:
    """Serialising lost the generator or the player to move (OpenSpiel 276, 1277)."""
    for share in (0, 0.1, 0.5, 1):
        match = subject.played(5, decisions=int(share * subject.length))
        before = match.get_state(), list(match.actions), match.chance, match.legal_actions()
        copied = copier(match)
        ended = play_on(copied, random.Random(1))
        assert (match.get_state(), match.actions, match.chance, match.legal_actions()) == before
        assert play_on(match, random.Random(1)) == ended
        assert (copied.seed, copied.start, copied.rules) == (match.seed, match.start, match.rules)


@on_all
def test_the_state_is_its_bytes(subject: Subject) -> None:
    """From any position the game goes on the same in a match that is set to its bytes."""
    rng = random.Random(subject.players)
    for seed in range(10):
        decisions = rng.randrange(subject.length)
        match = subject.played(seed, decisions=decisions)
        other = subject.new_game()
        other.set_state(match.get_state())
        assert other.get_state() == match.get_state()
        states, actions, _, scores = play_on(match, random.Random(1))
        assert play_on(other, random.Random(1))[:2] == [states, actions[decisions:]]
        assert other.scores == scores


@on_few
def test_set_state_forgets_the_past(subject: Subject) -> None:
    match = subject.played(3, decisions=subject.length // 3)
    match.set_state(match.get_state())
    assert match.actions == []
    assert match.chance == []
    assert match.seed is None
    assert not match.is_whole
    match.begin(seed=1)
    assert match.is_whole


@on_few
def test_bad_states(subject: Subject) -> None:
    decisions = subject.length // 3
    match = subject.played(3, decisions=decisions)
    before = match.get_state()
    foreign = subject.new_game(num_players=5 - subject.players).get_state()
    for state in (before[:-1], before + b"\0", b"", "text", None, foreign):
        with pytest.raises(InputError, match=r"a state is \d+ bytes|that state has \d players, not \d"):
            match.set_state(state)  # type: ignore[arg-type]  # what users pass
    assert match.get_state() == before
    assert len(match.actions) == decisions


# --- Chance ----------------------------------------------------------------------------------------------------------


def test_chance_of_azul_is_in_the_order_of_the_record() -> None:
    """Ten for the supply, then display by display."""
    given = [k % 6 for k in range(AZUL_2.set_up)]
    match = azul_v0.new_game(chance=given)
    assert match.chance == given
    assert match.pending_chance == 0
    assert match.seed is None
    assert match.state["supply"].tolist() == [2, 2, 2, 2, 1, 1]
    assert match.state["displays"][0].tolist() == [1, 1, 0, 0, 1, 1]
    assert match.state["displays"][1].tolist() == [0, 0, 1, 1, 1, 1]


def test_chance_of_arraial_is_in_the_order_of_the_record() -> None:
    """Slots 0 to 2, then the row (A5)."""
    match = arraial_v0.new_game(chance=[5, 3, 5, 0, 7, 3])
    assert match.chance == [5, 3, 5, 0, 7, 3]
    assert match.pending_chance == 0
    assert match.seed is None
    assert match.state["slots"].tolist() == [5, 3, 5]
    assert match.state["row"].tolist() == [0, 7, 3]
    assert match.state["pile"].tolist() == [1, 2, 2, 0, 2, 0, 2, 1]


@on_few
def test_given_chance_replays_a_game(subject: Subject) -> None:
    """At once or bit by bit, and what is not given is drawn."""
    match, set_up = subject.played(8), subject.set_up
    at_once = subject.new_game(chance=match.chance)
    bit_by_bit = subject.new_game(chance=match.chance[:set_up])
    rest = match.chance[set_up:]
    half = subject.new_game(seed=1, chance=match.chance[: set_up + 1])
    for action in match.actions:
        at_once.apply(action)
        needed = len(at_once.chance) - len(bit_by_bit.chance)
        bit_by_bit.give_chance(rest[:needed])
        rest = rest[needed:]
        bit_by_bit.apply(action)
        assert bit_by_bit.pending_chance == 0
    assert at_once.chance == bit_by_bit.chance == match.chance
    assert at_once.scores == bit_by_bit.scores == match.scores
    assert half.pending_chance == 1
    play_on(half, random.Random(1))
    assert half.chance[: set_up + 1] == match.chance[: set_up + 1]
    assert len(half.chance) > set_up + 1


@on_few
def test_given_chance_is_not_the_seeds(subject: Subject) -> None:
    """A match that was given chance later doesn't name its seed any more; given none, it does."""
    match = subject.new_game(7)
    match.give_chance([])
    assert match.seed == 7
    match.give_chance([0])
    assert match.seed is None


@on_few
def test_impossible_chance_changes_nothing(subject: Subject) -> None:
    """The decision that draws it fails, and can be made again with other chance."""
    position, action = before_a_draw(subject)
    before = position.get_state(), position.chance, list(position.actions), position.legal_actions()
    trial = position.clone()
    trial.give_chance([9])
    with pytest.raises(InputError, match=rf"chance outcome 9 at position {subject.set_up} is impossible there"):
        trial.apply(action)
    assert (trial.get_state(), trial.chance, trial.actions, trial.legal_actions()) == before
    assert trial.pending_chance == 0
    trial.apply(action)
    assert len(trial.chance) > subject.set_up


@on_few
def test_too_much_chance(subject: Subject) -> None:
    match = subject.new_game(1)
    before = match.chance
    with pytest.raises(InputError, match="10000 chance outcomes are more than"):
        match.give_chance([0] * 10_000)
    assert match.chance == before
    assert match.pending_chance == 0


@on_all
def test_no_game_draws_more_than_it_may(subject: Subject) -> None:
    """The tape is as long as ``max_chance`` says; what does not fit on it could not be recorded."""
    for seed in range(20):
        assert len(subject.played(seed).chance) <= subject.game.max_chance(subject.rules)


# --- Hidden information ----------------------------------------------------------------------------------------------


@on_few
def test_redeterminise_hides_what_comes(subject: Subject) -> None:
    """Planners foresaw the dice, since the generator was in the cloned state (pgx v1).

    The position looks the same; what comes follows the new seed alone, even for another state of the generator.
    """
    decisions = subject.length // 4
    match = subject.played(8, decisions=decisions)
    clones = [match.clone() for _ in range(3)]
    for clone, seed in zip(clones, (1, 1, 2), strict=True):
        clone.redeterminise(seed)
        for seat in range(subject.players):
            assert np.array_equal(clone.observation(seat), match.observation(seat))
        assert clone.legal_actions() == match.legal_actions()
        assert clone.seed is None
    futures = [play_on(m, random.Random(1))[2] for m in (match, *clones)]
    assert futures[1] == futures[2]
    assert len({tuple(future) for future in futures}) == 3
    other = subject.played(8, decisions=decisions)
    other.redeterminise(77)
    other.redeterminise(1)
    assert play_on(other, random.Random(1))[2] == futures[1]


@on(AZUL_2, ARRAIAL_1, ARRAIAL_2)
def test_redeterminised_draws_have_the_right_distribution(subject: Subject) -> None:
    """By the contents of the bag or the pile (I1, H2): chi-square over 3000 seeds, to fail once in a thousand."""
    position, action = before_a_draw(subject)
    heap = np.array(position.state[subject.heap], float)
    drawn = np.zeros(subject.kinds)
    for seed in range(3000):
        clone = position.clone()
        clone.redeterminise(seed)
        clone.apply(action)
        drawn[clone.chance[subject.set_up]] += 1
    assert not drawn[heap == 0].any()
    there = heap > 0
    assert chisquare(drawn[there], 3000 * heap[there] / heap.sum()).pvalue > 0.001


ALL_KINDS = {
    "azul": {"take", "place", "pick", "give", "pass"},
    "arraial": {"place", "rotate", "end", "refill", "discard"},
}


@on_each_game
def test_whimsical_players_reach_all_kinds_of_actions(subject: Subject) -> None:
    """What the tests here rely on."""
    kinds = set()
    for seed in range(30):
        match = subject.new_game(seed)
        for action in subject.played(seed).actions:
            kinds.add(match.describe(action).split()[0])
            match.apply(action)
    assert kinds == ALL_KINDS[subject.name]
