"""The plain single-game object, on Azul."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from players import azul, whimsical

from azul_env import AzulRules, azul_v0
from manjerico.core.drivers import ILLEGAL
from manjerico.core.errors import InputError
from manjerico.core.game import NOBODY
from manjerico.core.match import IllegalActionError, Match

SETUP = 10 + 5 * 4
"""Tiles that leave the bag in the set-up for two players."""


def play_on(match: Match, rng: random.Random) -> list[Any]:
    """Random play to the end: all actions, states and chance."""
    states = []
    while not match.is_over:
        match.apply(rng.choice(match.legal_actions()))
        states.append(match.get_state())
    return [states, match.actions, match.chance, match.scores]


def test_new_game() -> None:
    match = azul_v0.new_game(seed=7)
    assert match.players == 2
    assert match.rules == AzulRules.rulebook()
    assert match.seed == 7
    assert match.current_player == 0
    assert match.actions == []
    assert len(match.chance) == SETUP
    assert match.scores == [5, 5]
    assert match.returns() == [0.0, 0.0]
    assert match.breakdown(1) == {"placements": 0, "stars": 0, "numbers": 0, "losses": 0}


def test_unseeded_games_differ_and_say_their_seed() -> None:
    one, other = azul_v0.new_game(), azul_v0.new_game()
    assert one.chance != other.chance
    assert azul_v0.new_game(one.seed).chance == one.chance


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": -1}, "seed must be an integer"),
        ({"seed": 2**64}, "seed must be an integer"),
        ({"seed": 1.0}, "seed must be an integer"),
        ({"num_players": 5}, "num_players must be one of 2, 3, 4, not 5"),
        ({"num_players": True}, "num_players must be one of"),
        ({"start": 2}, "start must be an integer from 0 to 1, not 2"),
        ({"rules": {"side": "A"}}, r"rules must be AzulRules\(...\)"),
        ({"chance": [6]}, "chance outcome 6 at position 0 is impossible"),
        ({"chance": [-1]}, "chance outcome at position 0 must be an integer"),
        ({"chance": [0.0]}, "chance outcome at position 0 must be an integer"),
        ({"chance": [0] * 23}, "chance outcome 0 at position 22 is impossible"),
        ({"chance": [0] * 100_000}, "100000 chance outcomes are more than"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        azul_v0.new_game(**arguments)


def test_begin_again() -> None:
    """Also after bad arguments, that change nothing."""
    match = azul(3, players=3, preset="digest")
    state = match.get_state()
    with pytest.raises(InputError):
        match.begin(seed=4, start=3)
    with pytest.raises(InputError):
        match.begin(seed=4, chance=[7])
    assert match.get_state() == state
    match.begin(seed=4, start=2)
    fresh = azul_v0.new_game(4, 3, AzulRules.digest(), start=2)
    assert play_on(match, random.Random(1)) == play_on(fresh, random.Random(1))


def test_legal_actions() -> None:
    match = azul_v0.new_game(seed=7)
    while not match.is_over:
        ids = match.legal_actions()
        assert ids == sorted(ids)
        assert ids == [action for action in range(match.num_actions) if match.is_legal(action)]
        assert ids == np.flatnonzero(match.action_mask()).tolist()
        match.apply(ids[len(match.actions) % len(ids)])
    assert match.legal_actions() == []
    assert match.current_player is None


def test_every_legal_action_can_be_applied_and_no_other() -> None:
    match = azul(7, decisions=60)
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


def test_illegal_action_in_words() -> None:
    match = azul_v0.new_game(seed=7)
    count = len(match.legal_actions())
    with pytest.raises(
        IllegalActionError,
        match=rf"azul: action 324 \(pass\) is not legal for player 0 at decision 0; {count} actions are",
    ):
        match.apply(324)
    match = azul(7)
    with pytest.raises(IllegalActionError, match="action 324 comes after the end of the game"):
        match.apply(324)


@pytest.mark.parametrize("action", [-1, 325, 2**70, 1.0, True, None, "1"])
def test_no_action(action: Any) -> None:
    match = azul_v0.new_game(seed=7)
    for use in (match.apply, match.describe, match.check_legal):
        with pytest.raises(InputError, match="azul: action must be an integer from 0 to 324") as caught:
            use(action)
        assert not isinstance(caught.value, IllegalActionError)


def test_step_is_apply_and_observe() -> None:
    stepped, applied = azul_v0.new_game(7, 3), azul_v0.new_game(7, 3)
    observation = np.empty(applied.observation().size, np.float32)
    mask = np.empty(325, np.int8)
    for action in azul(7, 3).actions:
        wrong = next(a for a in range(-1, 326) if a not in applied.legal_actions())
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


def test_returns_and_breakdown() -> None:
    match = azul(7, players=3)
    returns = match.returns()
    assert sum(returns) == pytest.approx(0)
    assert sorted(zip(match.scores, returns, strict=True)) == sorted(
        zip(sorted(match.scores), sorted(returns), strict=True)
    )
    for seat, score in enumerate(match.scores):
        points = match.breakdown(seat)
        assert 5 + points["placements"] + points["stars"] + points["numbers"] - points["losses"] == score
    with pytest.raises(InputError, match="seat must be an integer from 0 to 2"):
        match.breakdown(3)
    with pytest.raises(InputError, match="seat must be an integer from 0 to 2"):
        match.observation(3)


# --- Copies and states -----------------------------------------------------------------------------------------------


def via_pickle(match: Match) -> Match:
    copied: Match = pickle.loads(pickle.dumps(match))  # noqa: S301  # our own bytes
    return copied


@pytest.mark.parametrize("copier", [Match.clone, copy.deepcopy, via_pickle])
def test_copies_are_exact_and_independent(copier: Callable[[Match], Match]) -> None:
    """Serialising lost the generator or the player to move (OpenSpiel 276, 1277)."""
    for decisions in (0, 1, 37, 100):
        match = azul(5, players=3, preset="digest", decisions=decisions)
        before = match.get_state(), list(match.actions), match.chance, match.legal_actions()
        copied = copier(match)
        ended = play_on(copied, random.Random(1))
        assert (match.get_state(), match.actions, match.chance, match.legal_actions()) == before
        assert play_on(match, random.Random(1)) == ended
        assert (copied.seed, copied.start, copied.rules) == (match.seed, match.start, match.rules)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_state_is_its_bytes(players: int) -> None:
    """From any position the game goes on the same in a match that is set to its bytes."""
    rng = random.Random(players)
    for decisions in rng.sample(range(100), 10):
        match = azul(decisions, players, decisions=decisions)
        other = azul_v0.new_game(num_players=players)
        other.set_state(match.get_state())
        assert other.get_state() == match.get_state()
        states, actions, _, scores = play_on(match, random.Random(1))
        assert play_on(other, random.Random(1))[:2] == [states, actions[decisions:]]
        assert other.scores == scores


def test_set_state_forgets_the_past() -> None:
    match = azul(3, decisions=20)
    match.set_state(match.get_state())
    assert match.actions == []
    assert match.chance == []
    assert match.seed is None
    assert not match.is_whole
    match.begin(seed=1)
    assert match.is_whole


def test_bad_states() -> None:
    match = azul(3, decisions=20)
    before = match.get_state()
    bad = [before[:-1], before + b"\0", b"", "text", None, azul_v0.new_game(num_players=3).get_state()]
    for state in bad:
        with pytest.raises(InputError, match=r"a state is \d+ bytes|that state has 3 players, not 2"):
            match.set_state(state)  # type: ignore[arg-type]  # what users pass
    assert match.get_state() == before
    assert len(match.actions) == 20


# --- Chance ----------------------------------------------------------------------------------------------------------


def test_chance_is_in_the_order_of_the_record() -> None:
    """Ten for the supply, then display by display."""
    given = [k % 6 for k in range(SETUP)]
    match = azul_v0.new_game(chance=given)
    assert match.chance == given
    assert match.pending_chance == 0
    assert match.seed is None
    assert match.state["supply"].tolist() == [2, 2, 2, 2, 1, 1]
    assert match.state["displays"][0].tolist() == [1, 1, 0, 0, 1, 1]
    assert match.state["displays"][1].tolist() == [0, 0, 1, 1, 1, 1]


def test_given_chance_replays_a_game() -> None:
    """At once or bit by bit, and what is not given is drawn."""
    match = azul(8)
    at_once = azul_v0.new_game(chance=match.chance)
    bit_by_bit = azul_v0.new_game(chance=match.chance[:SETUP])
    rest = match.chance[SETUP:]
    half = azul_v0.new_game(seed=1, chance=match.chance[: SETUP + 5])
    for action in match.actions:
        at_once.apply(action)
        bit_by_bit.give_chance(rest[:1])
        rest = rest[1:]
        bit_by_bit.apply(action)
    assert at_once.chance == bit_by_bit.chance == match.chance
    assert at_once.scores == bit_by_bit.scores == match.scores
    assert half.pending_chance == 5
    play_on(half, random.Random(1))
    assert half.chance[: SETUP + 5] == match.chance[: SETUP + 5]
    assert len(half.chance) > SETUP + 5


def test_impossible_chance_changes_nothing() -> None:
    """Red is used up; the decision that draws it fails, and can be made again with other chance."""
    match = azul(8)
    draws = next(k for k in range(len(match.actions)) if len(azul(8, decisions=k + 1).chance) > SETUP)
    position = azul(8, decisions=draws)
    before = position.get_state(), position.chance, list(position.actions), position.legal_actions()
    trial = position.clone()
    trial.give_chance([9])
    with pytest.raises(InputError, match=rf"chance outcome 9 at position {SETUP} is impossible there"):
        trial.apply(match.actions[draws])
    assert (trial.get_state(), trial.chance, trial.actions, trial.legal_actions()) == before
    assert trial.pending_chance == 0
    trial.apply(match.actions[draws])
    assert len(trial.chance) > SETUP


def test_too_much_chance() -> None:
    match = azul_v0.new_game(seed=1)
    before = match.chance
    with pytest.raises(InputError, match="10000 chance outcomes are more than"):
        match.give_chance([0] * 10_000)
    assert match.chance == before
    assert match.pending_chance == 0


# --- Hidden information ----------------------------------------------------------------------------------------------


def test_redeterminise_hides_what_comes() -> None:
    """Planners foresaw the dice, since the generator was in the cloned state (pgx v1).

    The position looks the same; what comes follows the new seed alone, even for another state of the generator.
    """
    match = azul(8, decisions=30)
    clones = [match.clone() for _ in range(3)]
    for clone, seed in zip(clones, (1, 1, 2), strict=True):
        clone.redeterminise(seed)
        assert np.array_equal(clone.observation(), match.observation())
        assert clone.legal_actions() == match.legal_actions()
        assert clone.seed is None
    futures = [play_on(m, random.Random(1))[2] for m in (match, *clones)]
    assert futures[1] == futures[2]
    assert len({tuple(future) for future in futures}) == 3
    other = azul(8, decisions=30)
    other.redeterminise(77)
    other.redeterminise(1)
    assert play_on(other, random.Random(1))[2] == futures[1]


def test_redeterminised_draws_have_the_right_distribution() -> None:
    """The next tile's colour, by the contents of the bag (I1): chi-square over 3000 seeds, 5 degrees of freedom."""
    match = azul(8)
    draws = next(k for k in range(len(match.actions)) if len(azul(8, decisions=k + 1).chance) > SETUP)
    position = azul(8, decisions=draws)
    bag = position.state["bag"].tolist()
    drawn: Counter[int] = Counter()
    for seed in range(3000):
        clone = position.clone()
        clone.redeterminise(seed)
        clone.apply(match.actions[draws])
        drawn[clone.chance[SETUP]] += 1
    expected = [3000 * tiles / sum(bag) for tiles in bag]
    assert sum((drawn[c] - e) ** 2 / e for c, e in enumerate(expected)) < 20.5  # exceeded once in a thousand


def test_whimsical_players_reach_all_kinds_of_actions() -> None:
    """What the tests here rely on."""
    rng = random.Random(1)
    match = azul_v0.new_game(seed=2)
    kinds = set()
    while not match.is_over:
        action = whimsical(match, rng, whim=0.2)
        kinds.add(match.describe(action).split()[0])
        match.apply(action)
    assert kinds == {"take", "place", "pick", "give", "pass"}
