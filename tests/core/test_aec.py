"""The contract of the PettingZoo environment. What went wrong elsewhere is said in each test's docstring."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Box, Dict
from pettingzoo.test import api_test, render_test, seed_test
from players import azul

from azul_env import AzulRules, azul_v0
from manjerico.core.aec import GameEnv
from manjerico.core.errors import InputError
from manjerico.core.match import IllegalActionError

PRESETS = {"rulebook": AzulRules.rulebook(), "digest": AzulRules.digest()}
INFO_KEYS = ["illegal_action", "score", "place", "placements", "stars", "numbers", "losses"]

# ---------------------------------------------------------------------------------------------------------------------
# Playing
# ---------------------------------------------------------------------------------------------------------------------


def begun(seed: int = 7, **options: Any) -> GameEnv:
    """An environment at the start of the game of a seed."""
    env = azul_v0.env(**options)
    env.reset(seed=seed)
    return env


def legal(env: GameEnv) -> list[int]:
    """The legal actions of the agent to act, by its mask."""
    ids: list[int] = np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
    return ids


def illegal(env: GameEnv) -> int:
    return min(set(range(325)) - set(legal(env)))


def advance(env: GameEnv, rng: random.Random, decisions: int) -> None:
    """Plays so many random decisions."""
    for _ in range(decisions):
        env.step(rng.choice(legal(env)))


def finish(env: GameEnv, rng: random.Random) -> None:
    """Plays at random until the game has ended; all agents still have to step with None."""
    while not any(env.terminations.values()):
        env.step(rng.choice(legal(env)))


def play(env: GameEnv, actions: list[int]) -> None:
    for action in actions:
        env.step(action)


def trace(env: GameEnv, rng: random.Random) -> list[Any]:
    """All that the agents are told from here to the end, under random play."""
    told: list[Any] = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert observation is not None
        seen = observation["observation"].tobytes(), observation["action_mask"].tobytes(), env.state().tobytes()
        told.append((agent, seen, reward, terminated, truncated, dict(info), dict(env.rewards)))
        env.step(None if terminated else rng.choice(legal(env)))
    return told


def final_rewards(env: GameEnv) -> list[float]:
    """What each seat sees as its reward in ``last()`` once the game has ended."""
    seen = {}
    for agent in env.agent_iter():
        _, seen[agent], terminated, truncated, _ = env.last()
        assert terminated
        assert not truncated
        env.step(None)
    return [seen[agent] for agent in env.possible_agents]


# ---------------------------------------------------------------------------------------------------------------------
# PettingZoo's own tests
# ---------------------------------------------------------------------------------------------------------------------

PETTINGZOO_DISLIKES = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box",
    "ignore:Action mask numpy array is all zeros",
)
"""The documented form of an observation with a mask, and the mask of an agent whose game is over."""


@PETTINGZOO_DISLIKES
@pytest.mark.parametrize("make", [azul_v0.env, azul_v0.raw_env])
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_api(players: int, preset: str, make: Callable[..., GameEnv]) -> None:
    """It plays one game to the end, some hundred cycles: repeated for other actions."""
    env = make(num_players=players, rules=PRESETS[preset])
    for seed, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed)
    for _ in range(10):
        api_test(env, num_cycles=1000)


@pytest.mark.parametrize("make", [azul_v0.env, azul_v0.raw_env])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seeds_by_pettingzoo(players: int, make: Callable[..., GameEnv]) -> None:
    seed_test(lambda: make(num_players=players), num_cycles=300)


def test_render_by_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(azul_v0.env)
    assert "Round 1 of 6" in capsys.readouterr().out


def test_made_by_name() -> None:
    env = pettingzoo.make("aec", "azul_v0", num_players=3)
    assert env.metadata["name"] == "azul_v0"
    assert env.max_num_agents == 3


# ---------------------------------------------------------------------------------------------------------------------
# Copies
# ---------------------------------------------------------------------------------------------------------------------


def via_state(env: GameEnv) -> GameEnv:
    """Another environment of the same arguments, set to the snapshot; its spaces are its own, so seeded alike."""
    other = azul_v0.env(num_players=3, reward="dense", rules=AzulRules.digest())
    other.set_state(env.get_state())
    return other


def via_pickle(env: GameEnv) -> GameEnv:
    copied: GameEnv = pickle.loads(pickle.dumps(env))  # noqa: S301  # our own bytes
    return copied


COPIERS = [copy.deepcopy, via_pickle, GameEnv.clone, via_state]


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("decisions", [0, 1, 40, 130])
def test_copies_are_exact(copier: Callable[[GameEnv], GameEnv], decisions: int) -> None:
    """A copy was a fresh game (PettingZoo 1307)."""
    env = begun(num_players=3, reward="dense", rules=AzulRules.digest())
    advance(env, random.Random(1), decisions)
    copied = copier(env)
    assert trace(copied, random.Random(2)) == trace(env, random.Random(2))
    env.reset()
    copied.reset()
    assert trace(copied, random.Random(3)) == trace(env, random.Random(3))


@pytest.mark.parametrize("copier", COPIERS)
def test_copies_are_independent(copier: Callable[[GameEnv], GameEnv]) -> None:
    env = begun(num_players=3, reward="dense", rules=AzulRules.digest())
    advance(env, random.Random(1), 25)
    before = env.state().tobytes(), env.agent_selection, legal(env), dict(env.rewards), copy.deepcopy(env.infos)
    trace(copier(env), random.Random(2))
    assert (env.state().tobytes(), env.agent_selection, legal(env), env.rewards, env.infos) == before


def test_copies_while_agents_leave() -> None:
    """Between the end of the game and the last agent's None."""
    env = begun(num_players=3)
    finish(env, random.Random(1))
    env.step(None)
    copied = env.clone()
    assert trace(copied, random.Random(2)) == trace(env, random.Random(2))


def test_copies_sample_the_same_actions() -> None:
    env = begun()
    env.action_space("player_0").seed(5)
    copied = env.clone()
    masks = [e.observe("player_0")["action_mask"] for e in (env, copied)]
    sampled = [
        [e.action_space("player_0").sample(m) for _ in range(20)] for e, m in zip((env, copied), masks, strict=True)
    ]
    assert sampled[0] == sampled[1]


def test_set_state_goes_back() -> None:
    """As often as one likes, from the end of the game too."""
    env = begun(reward="dense")
    advance(env, random.Random(1), 30)
    snapshot = env.get_state()
    first = trace(env, random.Random(2))
    for _ in range(2):
        env.set_state(snapshot)
        assert trace(env, random.Random(2)) == first


@pytest.mark.parametrize("other", [{"num_players": 3}, {"rules": AzulRules.digest()}])
def test_set_state_of_other_arguments(other: dict[str, Any]) -> None:
    env = begun()
    state = env.state().tobytes()
    for snapshot in (begun(**other).get_state(), {}, b"", None):
        with pytest.raises(InputError, match="set_state takes what get_state"):
            env.set_state(snapshot)  # type: ignore[arg-type]  # what users pass
    assert env.state().tobytes() == state


# ---------------------------------------------------------------------------------------------------------------------
# Rewards and the end
# ---------------------------------------------------------------------------------------------------------------------


def by_place(scores: list[int]) -> list[float]:
    """H1: (players you beat - players who beat you) / (players - 1)."""
    return [sum((s > o) - (s < o) for o in scores) / (len(scores) - 1) for s in scores]


def by_margin(scores: list[int]) -> list[float]:
    """Points ahead of the best opponent, at 1/50 each."""
    return [(s - max(scores[:k] + scores[k + 1 :])) / 50 for k, s in enumerate(scores)]


@pytest.mark.parametrize(("reward", "expected"), [("place", by_place), ("margin", by_margin)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_final_rewards_reach_all(players: int, reward: str, expected: Callable[[list[int]], list[float]]) -> None:
    """Only some agents saw the final rewards, or only in a private field (PettingZoo 355, Tianshou 900)."""
    env = azul_v0.env(num_players=players, reward=reward)
    for seed in range(5):
        match = azul(seed, players)
        env.reset(seed=seed)
        play(env, match.actions)
        assert [env.rewards[agent] for agent in env.agents] == pytest.approx(expected(match.scores))
        assert final_rewards(env) == pytest.approx(expected(match.scores))


def test_ties_share_the_reward() -> None:
    """Found among random games, that end at the same few points."""
    env = azul_v0.env(num_players=3)
    rng = random.Random(0)
    ties = 0
    env.reset(seed=0)
    for _ in range(30):
        finish(env, rng)
        scores = [env.infos[agent]["score"] for agent in env.agents]
        places = [env.infos[agent]["place"] for agent in env.agents]
        ties += len(set(places)) < 3
        assert places == [1 + sum(o > s for o in scores) for s in scores]
        assert final_rewards(env) == pytest.approx(by_place(scores))
        env.reset()
    assert ties >= 5


@pytest.mark.parametrize("scale", [None, 1.0, 0.1])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_dense_rewards_add_up(players: int, scale: float | None) -> None:
    """Each change of the own score, the bonuses at the end included, from the 5 points of the start (A4)."""
    env = azul_v0.env(num_players=players, reward="dense", reward_scale=scale)
    match = azul(3, players)
    env.reset(seed=3)
    total = dict.fromkeys(env.possible_agents, 0.0)
    actions = iter(match.actions)
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last()
        total[agent] += reward
        env.step(None if terminated else next(actions))
    worth = 1 / 50 if scale is None else scale
    assert list(total.values()) == pytest.approx([(score - 5) * worth for score in match.scores])


def test_reward_scale_of_places() -> None:
    env = azul_v0.env(reward_scale=10)
    match = azul(1)
    env.reset(seed=1)
    play(env, match.actions)
    assert final_rewards(env) == [10 * reward for reward in by_place(match.scores)]


def test_rewards_since_the_own_last_decision() -> None:
    """A player who decides several times in a row saw a reward twice, or not at all."""
    env = azul_v0.env(reward="dense", reward_scale=1)
    match = azul(5)
    replay = azul_v0.new_game(seed=5)
    env.reset(seed=5)
    before = {0: 5, 1: 5}
    previous, several = -1, 0
    for action in match.actions:
        player = replay.current_player
        assert player is not None
        _, reward, _, _, _ = env.last()
        assert reward == replay.scores[player] - before[player]
        several += player == previous and reward != 0
        before[player], previous = replay.scores[player], player
        env.step(action)
        replay.apply(action)
    assert several > 0


def test_the_end_is_told_at_once() -> None:
    """The game was over with the flags unset (PettingZoo 1085)."""
    env = begun(num_players=4)
    match = azul(7, 4)
    play(env, match.actions[:-1])
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    env.step(match.actions[-1])
    assert env.agents == env.possible_agents
    assert all(value is True for value in env.terminations.values())
    assert all(value is False for value in env.truncations.values())
    assert set(env.rewards) == set(env.possible_agents)


def test_info_of_the_end() -> None:
    """H2: 5 + placements + stars + numbers - losses = score."""
    env = begun()
    match = azul(7)
    play(env, match.actions)
    for agent, score in zip(env.agents, match.scores, strict=True):
        info = env.infos[agent]
        assert info["score"] == score
        assert 5 + info["placements"] + info["stars"] + info["numbers"] - info["losses"] == score


def test_after_the_end() -> None:
    env = begun()
    finish(env, random.Random(1))
    with pytest.raises(InputError, match="the only valid action is None, not 3"):
        env.step(3)
    final_rewards(env)
    assert env.agents == []
    with pytest.raises(InputError, match=r"the episode is over: call reset\(\)"):
        env.step(None)


# ---------------------------------------------------------------------------------------------------------------------
# Seeds, episodes, options
# ---------------------------------------------------------------------------------------------------------------------


def test_only_the_seed_decides() -> None:
    """The seed was ignored, or the global generators decided (PettingZoo 1223, 558; RLCard 125)."""
    first = trace(begun(seed=11), random.Random(1))
    random.seed(99)
    np.random.seed(99)  # noqa: NPY002  # the generator that others use
    assert trace(begun(seed=11), random.Random(1)) == first
    assert trace(begun(seed=12), random.Random(1)) != first


def test_global_generators_rest() -> None:
    """They were used, or seeded anew, behind the user's back."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    env = azul_v0.env(illegal_action="random")
    env.reset()
    finish(env, random.Random(1))
    env.reset(seed=1)
    env.step(illegal(env))
    env.action_space("player_0").sample(np.ones(325, np.int8))
    assert random.getstate() == before[0]
    after = np.random.get_state()  # noqa: NPY002
    assert all(np.array_equal(a, b) for a, b in zip(after, before[1], strict=True))


def test_seeds_stream() -> None:
    """``reset()`` takes the next seed, so the games of a stream are known one by one."""
    env = begun(seed=2**64 - 2)
    streamed = [trace(env, random.Random(1))]
    for _ in range(3):
        env.reset()
        streamed.append(trace(env, random.Random(1)))
    fresh = [trace(begun(seed), random.Random(1)) for seed in (2**64 - 2, 2**64 - 1, 0, 1)]
    assert streamed == fresh


def test_unseeded_games_differ() -> None:
    states = set()
    for _ in range(5):
        env = azul_v0.env()
        env.reset()
        states.add(env.state().tobytes())
    assert len(states) == 5


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_bad_seeds(seed: Any) -> None:
    with pytest.raises(InputError, match="seed must be an integer from 0 to 18446744073709551615"):
        azul_v0.env().reset(seed=seed)


def test_episodes_in_one_environment() -> None:
    """Turn order, rewards or rules broke in the second episode (PettingZoo 1400, 1335)."""
    options: dict[str, Any] = {"num_players": 3, "rules": AzulRules.digest(), "reward": "margin", "reward_scale": 0.5}
    env = azul_v0.env(**options)
    for seed in (4, 5, 4):
        env.reset(seed=seed)
        assert trace(env, random.Random(seed)) == trace(begun(seed, **options), random.Random(seed))
    env.reset(seed=4)  # in the middle of a game, and while agents leave
    advance(env, random.Random(1), 30)
    env.reset(seed=5)
    finish(env, random.Random(1))
    env.step(None)
    env.reset(seed=4)
    assert trace(env, random.Random(4)) == trace(begun(4, **options), random.Random(4))
    assert env.record()["rules"] == AzulRules.digest().as_dict()


def test_start() -> None:
    env = azul_v0.env(num_players=3)
    env.reset(seed=1, options={"start": 2})
    order = [env.agent_selection]
    for _ in range(3):
        advance(env, random.Random(1), 1)
        order.append(env.agent_selection)
    assert order == ["player_2", "player_0", "player_1", "player_2"]
    env.reset(seed=1)
    assert env.agent_selection == "player_0"


def test_unknown_options() -> None:
    """They were ignored, or crashed without a word; PettingZoo's own ``{"options": 1}`` passes."""
    env = begun()
    state = env.state().tobytes()
    bad = [({"strat": 1}, "unknown reset option 'strat'.*start"), ({"start": 2}, "from 0 to 1"), (5, "must be a dict")]
    for options, message in bad:
        with pytest.raises(InputError, match=message):
            env.reset(seed=3, options=options)  # type: ignore[arg-type]  # what users pass
    assert env.state().tobytes() == state
    env.reset(options={"options": 1})


@pytest.mark.parametrize(
    "arguments",
    [
        {"num_players": 1},
        {"num_players": 5},
        {"num_players": 2.0},
        {"rules": {}},
        {"reward": "places"},
        {"reward_scale": 0},
        {"illegal_action": "ignore"},
        {"render_mode": "rgb"},
    ],
)
def test_bad_arguments(arguments: dict[str, Any]) -> None:
    (name,) = arguments
    with pytest.raises(InputError, match=name):
        azul_v0.env(**arguments)


BEFORE_RESET: dict[str, Callable[[GameEnv], Any]] = {
    "agents": lambda env: env.agents,
    "num_agents": lambda env: env.num_agents,
    "agent_selection": lambda env: env.agent_selection,
    "rewards": lambda env: env.rewards,
    "terminations": lambda env: env.terminations,
    "truncations": lambda env: env.truncations,
    "infos": lambda env: env.infos,
    "last": lambda env: env.last(),
    "step": lambda env: env.step(0),
    "observe": lambda env: env.observe("player_0"),
    "agent_iter": lambda env: next(iter(env.agent_iter())),
    "state": lambda env: env.state(),
    "render": lambda env: env.render(),
    "record": lambda env: env.record(),
}


@pytest.mark.parametrize("use", BEFORE_RESET)
def test_before_reset(use: str) -> None:
    """The environment gave a game nobody had asked for."""
    with pytest.raises(AttributeError, match=r"call reset\(\) first"):
        BEFORE_RESET[use](azul_v0.env(render_mode="ansi"))


def test_unknown_attribute() -> None:
    with pytest.raises(AttributeError, match="GameEnv has no attribute 'moves'"):
        _ = begun().moves


def test_env_and_raw_env_play_the_same_games() -> None:
    raw = azul_v0.raw_env(num_players=4)
    raw.reset(seed=7)
    assert trace(raw, random.Random(1)) == trace(begun(num_players=4), random.Random(1))


def test_agent_iter_wants_a_step() -> None:
    """A forgotten step() would go round for ever."""
    env = begun()
    turns = iter(env.agent_iter())
    next(turns)
    with pytest.raises(InputError, match=r"must call step\(\) in every turn"):
        next(turns)


def test_agent_iter_stops() -> None:
    env = begun()
    turns = 0
    for _ in env.agent_iter(max_iter=5):
        advance(env, random.Random(1), 1)
        turns += 1
    assert turns == 5


# ---------------------------------------------------------------------------------------------------------------------
# Spaces, observations, masks, infos
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_spaces_are_there_and_stay(players: int) -> None:
    """Spaces were made in ``reset``, or anew at every call (PettingZoo 265)."""
    env = azul_v0.env(num_players=players)
    spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents]
    env.reset(seed=1)
    finish(env, random.Random(1))
    env.reset()
    for agent, (observations, actions) in zip(env.possible_agents, spaces, strict=True):
        assert env.observation_space(agent) is observations
        assert env.action_space(agent) is actions
        assert isinstance(observations, Dict)
        assert observations["action_mask"] == Box(0, 1, (325,), np.int8)
        assert observations["observation"].dtype == np.float32
        assert actions.n == 325
        assert actions.start == 0
    assert len({id(space) for pair in spaces for space in pair}) == 2 * players
    assert env.state_space.contains(env.state())


def test_unknown_agents() -> None:
    env = begun()
    for use in (env.observation_space, env.action_space, env.observe):
        with pytest.raises(InputError, match="agent must be one of player_0, player_1, not 'player_2'"):
            use("player_2")


def test_action_spaces_are_seeded_by_themselves() -> None:
    """Spaces unseeded, or all agents' alike (PettingZoo 558)."""
    samples = []
    for seed in (1, 1, 2):
        env = azul_v0.env()
        env.action_space("player_0").seed(seed)
        samples.append([env.action_space("player_0").sample() for _ in range(10)])
    assert samples[0] == samples[1] != samples[2]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_observations_and_masks(players: int) -> None:
    """Masks were stale, computed before chance moved, bool or lists (Jumanji 127, sb3-contrib 195).

    At every decision and for all agents: in the space, the mask of the one to act equal to the legal actions of the
    state as it is, all others' zero, and the vector what the seat sees.
    """
    env = begun(num_players=players)
    match = azul_v0.new_game(seed=7, num_players=players)
    for action in azul(7, players).actions:
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            mask = seen["action_mask"]
            assert mask.dtype == np.int8
            assert np.flatnonzero(mask).tolist() == (match.legal_actions() if seat == match.current_player else [])
            assert np.array_equal(seen["observation"], match.observation(seat))
        assert legal(env)
        env.step(action)
        match.apply(action)


def test_observe_at_any_time() -> None:
    """Wrong for agents that were not to act, and after the end (PettingZoo 359)."""
    env = begun(num_players=3)
    finish(env, random.Random(1))
    while True:
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert not seen["action_mask"].any()
        if not env.agents:
            break
        env.step(None)


def test_observe_has_no_effects() -> None:
    """The same is seen twice, and the game goes on as if nobody had looked."""
    curious, plain = begun(num_players=3), begun(num_players=3)
    for _ in range(60):
        looks = [
            {agent: curious.observe(agent) for agent in curious.possible_agents},
            {agent: curious.observe(agent) for agent in reversed(curious.possible_agents)},
        ]
        for agent, name in itertools.product(curious.possible_agents, ("observation", "action_mask")):
            assert np.array_equal(looks[0][agent][name], looks[1][agent][name])
        curious.last()
        curious.state()
        action = legal(plain)[0]
        curious.step(action)
        plain.step(action)
    assert trace(curious, random.Random(1)) == trace(plain, random.Random(1))


def test_what_was_seen_may_be_kept() -> None:
    """Buffers and infos were reused, so that stored transitions all showed the last step (ReAgent 555)."""
    env = begun(illegal_action="random")
    stored = []
    rng = random.Random(1)
    for number, agent in enumerate(env.agent_iter()):
        observation, _, terminated, _, info = env.last()
        others = [env.observe(other) for other in env.possible_agents]
        kept = (observation, others, env.state(), info)
        stored.append((kept, copy.deepcopy(kept)))
        assert agent == env.agent_selection
        env.step(None if terminated else illegal(env) if number % 10 == 3 else rng.choice(legal(env)))
    for kept, as_it_was in stored:
        assert pickle.dumps(kept) == pickle.dumps(as_it_was)


def test_writing_into_an_observation_changes_nothing() -> None:
    env, plain = begun(), begun()
    for _ in range(20):
        seen = env.last()[0]
        assert seen is not None
        seen["observation"][:] = -1
        seen["action_mask"][:] = 1
        env.state()[:] = -1
        assert env.state_space.contains(env.state())
        assert legal(env) == legal(plain)
        action = legal(plain)[-1]
        env.step(action)
        plain.step(action)
    assert trace(env, random.Random(1)) == trace(plain, random.Random(1))


def test_info_is_plain_and_has_the_same_keys() -> None:
    """Arrays in infos break comparisons; keys that come and go break TorchRL."""
    env = begun(num_players=3, illegal_action="random")
    rng = random.Random(1)
    for number, _ in enumerate(env.agent_iter()):
        for info in env.infos.values():
            assert list(info) == INFO_KEYS
            assert [type(value) for value in info.values()] == [str] + 6 * [int]
        terminated = env.last()[2]
        env.step(None if terminated else illegal(env) if number % 10 == 3 else rng.choice(legal(env)))


def test_state_hides_the_generator() -> None:
    """Planners foresaw the chance to come. States that differ in the generator alone look the same to everybody."""
    env = begun(num_players=3)
    advance(env, random.Random(1), 40)
    snapshot = env.get_state()
    snapshot["_match"].redeterminise(12345)
    other = env.clone()
    other.set_state(snapshot)
    assert other.state().tobytes() == env.state().tobytes()
    for agent in env.possible_agents:
        assert other.observe(agent)["observation"].tobytes() == env.observe(agent)["observation"].tobytes()
    assert trace(other, random.Random(1)) != trace(env, random.Random(1))


def test_metadata() -> None:
    """ "Parallel API: yes" was claimed for games with turns (PettingZoo 1121)."""
    env = azul_v0.env()
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["name"] == str(env) == "azul_v0"
    assert env.possible_agents == ["player_0", "player_1"]


# ---------------------------------------------------------------------------------------------------------------------
# Actions
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint16, np.array])
def test_integers_of_all_kinds(kind: Callable[[int], Any]) -> None:
    env, plain = begun(), begun()
    action = legal(env)[0]
    env.step(kind(action))
    plain.step(action)
    assert env.state().tobytes() == plain.state().tobytes()


@pytest.mark.parametrize("make", [azul_v0.env, azul_v0.raw_env])
@pytest.mark.parametrize(
    "action",
    [None, 3.0, True, np.float32(3), np.bool_(True), "3", [3], np.array([3]), np.array(3.0), -1, 325, 2**70, -(2**70)],
)
def test_no_action(action: Any, make: Callable[..., GameEnv]) -> None:
    """Ids out of range wrote into foreign memory, floats were cut off. Here nothing changes."""
    for reaction in ("terminate", "raise", "random"):
        env = make(illegal_action=reaction)
        env.reset(seed=1)
        before = env.state().tobytes()
        with pytest.raises(InputError, match="action of player_0 must be an integer from 0 to 324, not"):
            env.step(action)
        assert (env.state().tobytes(), env.agent_selection, legal(env) != []) == (before, "player_0", True)


def test_illegal_action_ends_the_game() -> None:
    """Under the default the culprit alone is punished, and told in words."""
    env = begun(num_players=3, reward="dense")
    advance(env, random.Random(1), 40)
    agent, action = env.agent_selection, illegal(env)
    seat = env.possible_agents.index(agent)
    before = env.state().tobytes()
    words = azul_v0.new_game().describe(action)
    with pytest.warns(UserWarning, match=rf"action {action} \({words}\) is not legal for player {seat}.*game is over"):
        env.step(action)
    assert env.state().tobytes() == before
    assert all(value is True for value in env.terminations.values())
    assert env.rewards == {other: -1.0 if other == agent else 0.0 for other in env.agents}
    for other in env.agents:
        assert (words in env.infos[other]["illegal_action"]) == (other == agent)
    for other in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        assert observation is not None
        assert not observation["action_mask"].any()
        assert terminated
        assert other != agent or reward == -1.0
        env.step(None)
    env.reset(seed=7)
    assert [info["illegal_action"] for info in env.infos.values()] == ["", "", ""]


def test_illegal_action_of_raw_env_is_silent() -> None:
    """Warnings are errors in this test-suite."""
    env = azul_v0.raw_env()
    env.reset(seed=1)
    env.step(illegal(env))
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0}


def test_illegal_action_raises() -> None:
    """Asked for in PettingZoo 185: the mistake comes to light, and the game can go on."""
    env, plain = begun(illegal_action="raise"), begun()
    advance(env, random.Random(1), 20)
    advance(plain, random.Random(1), 20)
    with pytest.raises(IllegalActionError, match="is not legal for player"):
        env.step(illegal(env))
    assert trace(env, random.Random(2)) == trace(plain, random.Random(2))


def test_illegal_action_is_replaced() -> None:
    """By a random legal one, that the seed decides; the mistake is told until the agent's next step."""
    env = begun(illegal_action="random")
    for _ in range(2):
        agent, possible, count = env.agent_selection, legal(env), len(env.record()["actions"])
        env.step(illegal(env))
        actions = env.record()["actions"]
        assert len(actions) == count + 1
        assert actions[-1] in possible
        assert "is not legal" in env.infos[agent]["illegal_action"]
        advance(env, random.Random(1), 1)
        assert "is not legal" in env.infos[agent]["illegal_action"]
        advance(env, random.Random(1), 1)
        assert env.infos[agent]["illegal_action"] == ""

    def blunder(seed: int) -> list[int]:
        env = begun(seed, illegal_action="random")
        while not any(env.terminations.values()):
            env.step(illegal(env))
        actions: list[int] = env.record()["actions"]
        return actions

    assert blunder(1) == blunder(1) != blunder(2)


def test_random_replacement_leaves_chance_alone() -> None:
    """An agent's random choices never change the deals."""
    env, plain = begun(illegal_action="random"), begun()
    while not any(env.terminations.values()):
        env.step(illegal(env))
    play(plain, env.record()["actions"])
    assert env.record() == plain.record()


# ---------------------------------------------------------------------------------------------------------------------
# Drawing
# ---------------------------------------------------------------------------------------------------------------------


def test_render_ansi() -> None:
    env = begun(render_mode="ansi")
    first = env.render()
    assert first is not None
    advance(env, random.Random(1), 1)
    assert env.render() not in (None, first)
    finish(env, random.Random(1))
    assert "the game is over" in str(env.render())


def test_render_human(capsys: pytest.CaptureFixture[str]) -> None:
    """``reset`` and every step print the board once."""
    env = azul_v0.env(render_mode="human")
    env.reset(seed=1)
    advance(env, random.Random(1), 3)
    assert capsys.readouterr().out.count("Azul: Summer Pavilion") == 4


def test_render_without_a_mode() -> None:
    with pytest.warns(UserWarning, match="needs a render_mode"):
        assert begun().render() is None
