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
from subjects import ARRAIAL_2, ARRAIAL_3, ARRAIAL_4_ODD, AZUL_3, Subject, on, on_all, on_each_game, on_few

from manjerico.agents import registry
from manjerico.core import record
from manjerico.core.aec import GameEnv
from manjerico.core.errors import InputError
from manjerico.core.games import Batch
from manjerico.core.match import IllegalActionError

MAKERS = [Subject.env, Subject.raw_env]

# ---------------------------------------------------------------------------------------------------------------------
# Playing
# ---------------------------------------------------------------------------------------------------------------------


def legal(env: GameEnv) -> list[int]:
    """The legal actions of the agent to act, by its mask."""
    ids: list[int] = np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
    return ids


def illegal(env: GameEnv) -> int:
    """The first action id that isn't legal."""
    return int(env.observe(env.agent_selection)["action_mask"].argmin())


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
@pytest.mark.parametrize("make", MAKERS)
@on_all
def test_api(subject: Subject, make: Callable[..., GameEnv]) -> None:
    """It plays one game to the end, some hundred cycles: repeated for other actions."""
    env = make(subject)
    for seed, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed)
    for _ in range(10):
        api_test(env, num_cycles=1000)


@pytest.mark.parametrize("make", MAKERS)
@on_all
def test_seeds_by_pettingzoo(subject: Subject, make: Callable[..., GameEnv]) -> None:
    seed_test(lambda: make(subject), num_cycles=300)


@pytest.mark.parametrize("make", MAKERS)
@on_all
def test_render_by_pettingzoo(
    subject: Subject, make: Callable[..., GameEnv], capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(lambda render_mode: make(subject, render_mode=render_mode))
    assert f" {subject.game.title} ─" in capsys.readouterr().out


@on_all
def test_made_by_name(subject: Subject) -> None:
    env = pettingzoo.make("aec", f"{subject.name}_v0", num_players=subject.players, rules=subject.rules)
    assert env.metadata["name"] == f"{subject.name}_v0"
    assert env.max_num_agents == subject.players


def test_made_by_name_for_two() -> None:
    """Both games' page says so, although Arraial allows one."""
    assert [pettingzoo.make("aec", name).max_num_agents for name in ("azul_v0", "arraial_v0")] == [2, 2]


# ---------------------------------------------------------------------------------------------------------------------
# Copies
# ---------------------------------------------------------------------------------------------------------------------


def via_state(env: GameEnv) -> GameEnv:
    """Another environment of the same arguments, set to the snapshot; its spaces are its own, so seeded alike."""
    match = record.replay(env.record())
    other = GameEnv(match.game, match.players, match.rules, reward="dense")
    other.set_state(env.get_state())
    return other


def via_pickle(env: GameEnv) -> GameEnv:
    copied: GameEnv = pickle.loads(pickle.dumps(env))  # noqa: S301  # our own bytes
    return copied


COPIERS = [copy.deepcopy, via_pickle, GameEnv.clone, via_state]


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("share", [0, 0.1, 0.5, 1])
@on_few
def test_copies_are_exact(subject: Subject, share: float, copier: Callable[[GameEnv], GameEnv]) -> None:
    """A copy was a fresh game (PettingZoo 1307)."""
    env = subject.begun(reward="dense")
    advance(env, random.Random(1), int(share * subject.length))
    copied = copier(env)
    assert trace(copied, random.Random(2)) == trace(env, random.Random(2))
    env.reset()
    copied.reset()
    assert trace(copied, random.Random(3)) == trace(env, random.Random(3))


@pytest.mark.parametrize("copier", COPIERS)
@on_few
def test_copies_are_independent(subject: Subject, copier: Callable[[GameEnv], GameEnv]) -> None:
    env = subject.begun(reward="dense")
    advance(env, random.Random(1), subject.length // 4)
    before = env.state().tobytes(), env.agent_selection, legal(env), dict(env.rewards), copy.deepcopy(env.infos)
    trace(copier(env), random.Random(2))
    assert (env.state().tobytes(), env.agent_selection, legal(env), env.rewards, env.infos) == before


@on_few
def test_a_plain_game_of_the_position(subject: Subject) -> None:
    """For agents, which choose by the state's record: nothing that is done to it reaches the environment."""
    env = subject.begun()
    advance(env, random.Random(1), subject.length // 4)
    before = env.state().tobytes(), legal(env)
    game = env.unwrapped.game()
    assert game.legal_actions() == legal(env)
    while not game.is_over:
        game.apply(game.choose(registry.make("greedy", subject.game, subject.players, subject.rules)))
    assert (env.state().tobytes(), legal(env)) == before
    assert not env.unwrapped.game().is_over


@on_few
def test_copies_while_agents_leave(subject: Subject) -> None:
    """Between the end of the game and the last agent's None."""
    env = subject.begun()
    finish(env, random.Random(1))
    if subject.players > 1:
        env.step(None)
    copied = env.clone()
    assert trace(copied, random.Random(2)) == trace(env, random.Random(2)) != []


@on_few
def test_copies_sample_the_same_actions(subject: Subject) -> None:
    env = subject.begun()
    env.action_space("player_0").seed(5)
    copied = env.clone()
    masks = [e.observe("player_0")["action_mask"] for e in (env, copied)]
    sampled = [
        [e.action_space("player_0").sample(m) for _ in range(20)] for e, m in zip((env, copied), masks, strict=True)
    ]
    assert sampled[0] == sampled[1]


@on_few
def test_set_state_goes_back(subject: Subject) -> None:
    """As often as one likes, from the end of the game too."""
    env = subject.begun(reward="dense")
    advance(env, random.Random(1), subject.length // 4)
    snapshot = env.get_state()
    first = trace(env, random.Random(2))
    for _ in range(2):
        env.set_state(snapshot)
        assert trace(env, random.Random(2)) == first


@on_few
def test_set_state_of_other_arguments(subject: Subject) -> None:
    env = subject.begun()
    state = env.state().tobytes()
    others: list[dict[str, Any]] = [
        {"num_players": 5 - subject.players},
        {"rules": subject.other_rules},
        {"reward": "margin"},
        {"illegal_action": "raise"},
        *([{"lookahead": True}] if subject.game.lookahead else []),
    ]
    for snapshot in (*(subject.begun(**other).get_state() for other in others), {}, b"", None):
        with pytest.raises(InputError, match="set_state takes what get_state"):
            env.set_state(snapshot)  # type: ignore[arg-type]  # what users pass
    assert env.state().tobytes() == state


def test_set_state_of_another_game() -> None:
    with pytest.raises(InputError, match="set_state takes what get_state"):
        AZUL_3.begun().set_state(ARRAIAL_3.begun().get_state())


# ---------------------------------------------------------------------------------------------------------------------
# Rewards and the end
# ---------------------------------------------------------------------------------------------------------------------


def by_place(scores: list[int]) -> list[float]:
    """H1: (players you beat - players who beat you) / (players - 1); a player alone gets the score, at 1/50."""
    if len(scores) == 1:
        return [scores[0] / 50]
    return [sum((s > o) - (s < o) for o in scores) / (len(scores) - 1) for s in scores]


def by_margin(scores: list[int]) -> list[float]:
    """Points ahead of the best opponent, at 1/50 each; a player alone has none."""
    return [(s - max(scores[:k] + scores[k + 1 :], default=0)) / 50 for k, s in enumerate(scores)]


@pytest.mark.parametrize(("reward", "expected"), [("place", by_place), ("margin", by_margin)])
@on_all
def test_final_rewards_reach_all(subject: Subject, reward: str, expected: Callable[[list[int]], list[float]]) -> None:
    """Only some agents saw the final rewards, or only in a private field (PettingZoo 355, Tianshou 900)."""
    env = subject.env(reward=reward)
    for seed in range(5):
        match = subject.played(seed)
        env.reset(seed=seed)
        for action in match.actions:
            assert set(env.rewards.values()) == {0.0}
            env.step(action)
        assert [env.rewards[agent] for agent in env.agents] == pytest.approx(expected(match.scores))
        assert final_rewards(env) == pytest.approx(expected(match.scores))


@on(AZUL_3, ARRAIAL_3)
def test_ties_share_the_reward(subject: Subject) -> None:
    """Found among random games, that end at the same few points."""
    env = subject.begun(0)
    rng = random.Random(0)
    ties = 0
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
@on_all
def test_dense_rewards_add_up(subject: Subject, scale: float | None) -> None:
    """Each change of the own score, those of the game's end included, from what everybody begins with."""
    env = subject.env(reward="dense", reward_scale=scale)
    match = subject.played(3)
    env.reset(seed=3)
    total = dict.fromkeys(env.possible_agents, 0.0)
    actions = iter(match.actions)
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last()
        total[agent] += reward
        env.step(None if terminated else next(actions))
    worth = 1 / 50 if scale is None else scale
    assert list(total.values()) == pytest.approx([(score - subject.first_score) * worth for score in match.scores])


@on_all
def test_rewards_for_the_lead_add_up(subject: Subject) -> None:
    """In every step the change of what is ahead of the best other, so that the sum is the margin at the end."""
    env, match = subject.env(reward="lead", reward_scale=1), subject.played(3)
    env.reset(seed=3)
    total = dict.fromkeys(env.possible_agents, 0.0)
    replay = subject.new_game(3)
    for action in match.actions:
        env.step(action)
        replay.apply(action)
        for agent, reward in env.rewards.items():
            total[agent] += reward
        own = dict(zip(env.possible_agents, replay.scores, strict=True))
        for agent, points in own.items():
            others = [score for other, score in own.items() if other != agent]
            assert total[agent] == points - (max(others) if others else subject.first_score)


@pytest.mark.parametrize("reward", ["place", "margin"])
@on_few
def test_reward_scale(subject: Subject, reward: str) -> None:
    """It replaces the factor that stands in ``by_place`` and ``by_margin``."""
    match = subject.played(1)
    env = subject.begun(1, reward=reward, reward_scale=10)
    play(env, match.actions)
    unscaled = subject.begun(1, reward=reward, reward_scale=1)
    play(unscaled, match.actions)
    once = final_rewards(unscaled)
    points = [float(p) for p in match.scores] if subject.players == 1 else [50 * p for p in by_margin(match.scores)]
    assert once == pytest.approx(by_place(match.scores) if reward == "place" and subject.players > 1 else points)
    assert final_rewards(env) == pytest.approx([10 * r for r in once])


@on_few
def test_rewards_since_the_own_last_decision(subject: Subject) -> None:
    """A player who decides several times in a row saw a reward twice, or not at all."""
    env = subject.begun(5, reward="dense", reward_scale=1)
    match = subject.played(5)
    replay = subject.new_game(5)
    before = dict.fromkeys(range(subject.players), subject.first_score)
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


def test_a_lost_couple_costs_its_owner_at_once() -> None:
    """Dense rewards of a player who isn't to act: two points go from one to the other (Arraial C7)."""
    lost = 0
    for seed in range(5):
        env, replay = ARRAIAL_2.begun(seed, reward="dense", reward_scale=1), ARRAIAL_2.new_game(seed)
        for action in ARRAIAL_2.played(seed).actions:
            agent, owners = env.agent_selection, replay.state["couples"].tolist()
            env.step(action)
            replay.apply(action)
            if any(-1 != then != now for then, now in zip(owners, replay.state["couples"].tolist(), strict=True)):
                lost += 1
                (other,) = set(ARRAIAL_2.agents) - {agent}
                assert env.rewards[other] == -2
                assert env.rewards[agent] >= 2
    assert lost >= 5


@on_all
def test_the_end_is_told_at_once(subject: Subject) -> None:
    """The game was over with the flags unset (PettingZoo 1085)."""
    env = subject.begun()
    match = subject.played(7)
    play(env, match.actions[:-1])
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    env.step(match.actions[-1])
    assert env.agents == env.possible_agents
    assert all(value is True for value in env.terminations.values())
    assert all(value is False for value in env.truncations.values())
    assert set(env.rewards) == set(env.possible_agents)


@on_all
def test_info_of_the_end(subject: Subject) -> None:
    """H2: the score, by source, and the place."""
    env = subject.begun()
    match = subject.played(7)
    play(env, match.actions[:-1])
    assert all(not any(info.values()) for info in env.infos.values())
    env.step(match.actions[-1])
    for seat, (agent, score) in enumerate(zip(env.agents, match.scores, strict=True)):
        info = env.infos[agent]
        assert info["score"] == score == subject.score_of(info)
        assert info["place"] == 1 + sum(other > score for other in match.scores)
        assert {source: info[source] for source in subject.signs} == match.breakdown(seat)


@on_few
def test_after_the_end(subject: Subject) -> None:
    env = subject.begun()
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


@on_few
def test_only_the_seed_decides(subject: Subject) -> None:
    """The seed was ignored, or the global generators decided (PettingZoo 1223, 558; RLCard 125)."""
    first = trace(subject.begun(seed=11), random.Random(1))
    random.seed(99)
    np.random.seed(99)  # noqa: NPY002  # the generator that others use
    assert trace(subject.begun(seed=11), random.Random(1)) == first
    assert trace(subject.begun(seed=12), random.Random(1)) != first


@on_few
def test_global_generators_rest(subject: Subject) -> None:
    """They were used, or seeded anew, behind the user's back."""
    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    env = subject.env(illegal_action="random")
    env.reset()
    finish(env, random.Random(1))
    env.reset(seed=1)
    env.step(illegal(env))
    env.action_space("player_0").sample(np.ones(subject.actions, np.int8))
    assert random.getstate() == before[0]
    after = np.random.get_state()  # noqa: NPY002
    assert all(np.array_equal(a, b) for a, b in zip(after, before[1], strict=True))


@on_few
def test_seeds_stream(subject: Subject) -> None:
    """``reset()`` takes the next seed, so the games of a stream are known one by one."""
    env = subject.begun(seed=2**64 - 2)
    streamed = [trace(env, random.Random(1))]
    for _ in range(3):
        env.reset()
        streamed.append(trace(env, random.Random(1)))
    fresh = [trace(subject.begun(seed), random.Random(1)) for seed in (2**64 - 2, 2**64 - 1, 0, 1)]
    assert streamed == fresh


@on_few
def test_unseeded_games_differ(subject: Subject) -> None:
    states = set()
    for _ in range(5):
        env = subject.env()
        env.reset()
        states.add(env.state().tobytes())
    assert len(states) == 5


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
@on_each_game
def test_bad_seeds(subject: Subject, seed: Any) -> None:
    with pytest.raises(InputError, match="seed must be an integer from 0 to 18446744073709551615"):
        subject.env().reset(seed=seed)


@on_few
def test_episodes_in_one_environment(subject: Subject) -> None:
    """Turn order, rewards or rules broke in the second episode (PettingZoo 1400, 1335)."""
    options: dict[str, Any] = {"reward": "margin", "reward_scale": 0.5}
    env = subject.env(**options)
    for seed in (4, 5, 4):
        env.reset(seed=seed)
        assert trace(env, random.Random(seed)) == trace(subject.begun(seed, **options), random.Random(seed))
    env.reset(seed=4)  # in the middle of a game, and while agents leave
    advance(env, random.Random(1), subject.length // 2)
    env.reset(seed=5)
    finish(env, random.Random(1))
    env.step(None)
    env.reset(seed=4)
    assert trace(env, random.Random(4)) == trace(subject.begun(4, **options), random.Random(4))
    assert env.record()["rules"] == subject.rules.as_dict()


@on_few
def test_start(subject: Subject) -> None:
    """The turns go round from there, and the next game begins with the first seat again."""
    env = subject.env()
    last = subject.players - 1
    env.reset(seed=1, options={"start": last})
    order = [env.agent_selection]
    rng = random.Random(1)
    while len(order) < min(subject.players + 1, 5) and not any(env.terminations.values()):
        advance(env, rng, 1)
        order += [env.agent_selection] * (env.agent_selection != order[-1])
    expected = [*subject.agents[last:], *subject.agents[:last], *subject.agents[last:]]
    assert order == expected[: len(order)]
    assert len(order) == (subject.players + 1 if subject.players > 1 else 1)
    env.reset(seed=1)
    assert env.agent_selection == "player_0"


@on_few
def test_unknown_options(subject: Subject) -> None:
    """They were ignored, or crashed without a word; PettingZoo's own ``{"options": 1}`` passes."""
    env = subject.begun()
    state = env.state().tobytes()
    bad = [
        ({"strat": 1}, "unknown reset option 'strat'.*start"),
        ({"start": subject.players}, f"from 0 to {subject.players - 1}"),
        ({"start": None}, f"from 0 to {subject.players - 1}"),
        (5, "must be a dict"),
    ]
    for options, message in bad:
        with pytest.raises(InputError, match=message):
            env.reset(seed=3, options=options)  # type: ignore[arg-type]  # what users pass
    assert env.state().tobytes() == state
    env.reset(options={"options": 1})


@pytest.mark.parametrize(
    "arguments",
    [
        {"num_players": 0},
        {"num_players": 5},
        {"num_players": 2.0},
        {"rules": {}},
        {"reward": "places"},
        {"reward_scale": 0},
        {"illegal_action": "ignore"},
        {"render_mode": "rgb"},
        {"lookahead": 1},
    ],
)
@on_each_game
def test_bad_arguments(subject: Subject, arguments: dict[str, Any]) -> None:
    (name,) = arguments
    with pytest.raises(InputError, match=name):
        subject.env(**arguments)


@on_each_game
def test_rules_of_another_game(subject: Subject) -> None:
    other = AZUL_3.rules if subject is ARRAIAL_2 else ARRAIAL_3.rules
    with pytest.raises(InputError, match=f"{subject.name}: rules must be {type(subject.rules).__name__}"):
        subject.env(rules=other)


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
    "game": lambda env: env.game(),
}


@pytest.mark.parametrize("use", BEFORE_RESET)
@on_each_game
def test_before_reset(subject: Subject, use: str) -> None:
    """The environment gave a game nobody had asked for."""
    with pytest.raises(AttributeError, match=r"call reset\(\) first"):
        BEFORE_RESET[use](subject.env(render_mode="ansi"))


@on_few
def test_env_and_raw_env_play_the_same_games(subject: Subject) -> None:
    raw = subject.raw_env()
    raw.reset(seed=7)
    assert trace(raw, random.Random(1)) == trace(subject.begun(), random.Random(1))


@on_few
def test_agent_iter_wants_a_step(subject: Subject) -> None:
    """A forgotten step() would go round for ever."""
    env = subject.begun()
    turns = iter(env.agent_iter())
    next(turns)
    with pytest.raises(InputError, match=r"must call step\(\) in every turn"):
        next(turns)


@on_few
def test_agent_iter_stops(subject: Subject) -> None:
    env = subject.begun()
    turns = 0
    for _ in env.agent_iter(max_iter=5):
        advance(env, random.Random(1), 1)
        turns += 1
    assert turns == 5


# ---------------------------------------------------------------------------------------------------------------------
# Spaces, observations, masks, infos
# ---------------------------------------------------------------------------------------------------------------------


@on_all
def test_spaces_are_there_and_stay(subject: Subject) -> None:
    """Spaces were made in ``reset``, or anew at every call (PettingZoo 265)."""
    env = subject.env()
    spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents]
    env.reset(seed=1)
    finish(env, random.Random(1))
    env.reset()
    for agent, (observations, actions) in zip(env.possible_agents, spaces, strict=True):
        assert env.observation_space(agent) is observations
        assert env.action_space(agent) is actions
        assert isinstance(observations, Dict)
        assert observations["action_mask"] == Box(0, 1, (subject.actions,), np.int8)
        assert observations["observation"].dtype == np.float32
        assert actions.n == subject.actions
        assert actions.start == 0
    assert len({id(space) for pair in spaces for space in pair}) == 2 * subject.players
    assert env.state_space.contains(env.state())


@on_few
def test_unknown_agents(subject: Subject) -> None:
    env = subject.begun()
    for use in (env.observation_space, env.action_space, env.observe):
        with pytest.raises(InputError, match=f"agent must be one of {', '.join(subject.agents)}, not 'player_4'"):
            use("player_4")


@on_few
def test_action_spaces_are_seeded_by_themselves(subject: Subject) -> None:
    """Spaces unseeded, or all agents' alike (PettingZoo 558)."""
    samples = []
    for seed in (1, 1, 2):
        env = subject.env()
        env.action_space("player_0").seed(seed)
        samples.append([env.action_space("player_0").sample() for _ in range(10)])
    assert samples[0] == samples[1] != samples[2]


@on_all
def test_observations_and_masks(subject: Subject) -> None:
    """Masks were stale, computed before chance moved, bool or lists (Jumanji 127, sb3-contrib 195).

    At every decision and for all agents: in the space, the mask of the one to act equal to the legal actions of the
    state as it is, all others' zero, and the vector what the seat sees.
    """
    env = subject.begun()
    match = subject.new_game(7)
    for action in subject.played(7).actions:
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


@on(ARRAIAL_2, ARRAIAL_4_ODD)
def test_lookahead_comes_behind_the_rest(subject: Subject) -> None:
    """Whether an observation comes from ``last``, ``observe``, ``state`` or a batch."""
    plain, longer = subject.begun(), subject.begun(lookahead=True)
    batch = Batch(subject.game, 1, subject.players, subject.rules, lookahead=True)
    batch.start(batch.all, [7], [0])
    size = plain.state_space.shape[0]  # type: ignore[index]  # a box
    rng = random.Random(2)
    told = 0
    for _ in range(subject.length):
        agent = longer.agent_selection
        seen = longer.last()[0]
        assert seen is not None
        short, long = plain.observe(agent)["observation"], seen["observation"]
        assert longer.observation_space(agent).contains(seen)
        assert long[:size].tobytes() == short.tobytes()
        assert longer.observe(agent)["observation"].tobytes() == long.tobytes()
        assert batch.observe(batch.all)[0].tobytes() == long.tobytes()
        assert longer.state()[:size].tobytes() == plain.state().tobytes()
        assert longer.state_space.contains(longer.state())
        told += bool(long[size:].any())
        action = rng.choice(legal(plain))
        for env in (plain, longer):
            env.step(action)
        batch.advance(batch.all, np.array([action]))
    assert told > 20


def test_lookahead_where_there_is_none() -> None:
    for make in (lambda: AZUL_3.env(lookahead=True), lambda: Batch(AZUL_3.game, 1, 2, lookahead=True)):
        with pytest.raises(InputError, match="azul: lookahead must be False, the game has none"):
            make()


@on_few
def test_observe_at_any_time(subject: Subject) -> None:
    """Wrong for agents that were not to act, and after the end (PettingZoo 359)."""
    env = subject.begun()
    finish(env, random.Random(1))
    while True:
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert not seen["action_mask"].any()
        if not env.agents:
            break
        env.step(None)


@on_few
def test_observe_has_no_effects(subject: Subject) -> None:
    """The same is seen twice, and the game goes on as if nobody had looked."""
    curious, plain = subject.begun(), subject.begun()
    for _ in range(subject.length // 2):
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


@on_few
def test_what_was_seen_may_be_kept(subject: Subject) -> None:
    """Buffers and infos were reused, so that stored transitions all showed the last step (ReAgent 555)."""
    env = subject.begun(illegal_action="random")
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


@on_few
def test_writing_into_an_observation_changes_nothing(subject: Subject) -> None:
    env, plain = subject.begun(), subject.begun()
    for _ in range(subject.length // 2):
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


@on_few
def test_info_is_plain_and_has_the_same_keys(subject: Subject) -> None:
    """Arrays in infos break comparisons; keys that come and go break TorchRL."""
    env = subject.begun(illegal_action="random")
    rng = random.Random(1)
    for number, _ in enumerate(env.agent_iter()):
        for info in env.infos.values():
            assert list(info) == subject.info_keys
            assert [type(value) for value in info.values()] == [str] + (len(info) - 1) * [int]
        terminated = env.last()[2]
        env.step(None if terminated else illegal(env) if number % 10 == 3 else rng.choice(legal(env)))


@on_few
def test_state_hides_the_generator(subject: Subject) -> None:
    """Planners foresaw the chance to come. States that differ in the generator alone look the same to everybody."""
    env = subject.begun()
    advance(env, random.Random(1), subject.length // 3)
    snapshot = env.get_state()
    snapshot["_match"].redeterminise(12345)
    other = env.clone()
    other.set_state(snapshot)
    assert other.state().tobytes() == env.state().tobytes()
    for agent in env.possible_agents:
        assert other.observe(agent)["observation"].tobytes() == env.observe(agent)["observation"].tobytes()
    assert trace(other, random.Random(1)) != trace(env, random.Random(1))


@on_few
def test_metadata(subject: Subject) -> None:
    """ "Parallel API: yes" was claimed for games with turns (PettingZoo 1121)."""
    env = subject.env()
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["name"] == str(env) == f"{subject.name}_v0"
    assert env.possible_agents == subject.agents


# ---------------------------------------------------------------------------------------------------------------------
# Actions
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint16, np.array])
@on_each_game
def test_integers_of_all_kinds(subject: Subject, kind: Callable[[int], Any]) -> None:
    env, plain = subject.begun(), subject.begun()
    action = legal(env)[0]
    env.step(kind(action))
    plain.step(action)
    assert env.state().tobytes() == plain.state().tobytes()


NO_ACTIONS = [None, 3.0, True, np.float32(3), np.bool_(True), "3", [3], np.array([3]), np.array(3.0), 2**70, -(2**70)]


@pytest.mark.parametrize("reaction", ["terminate", "raise", "random"])
@pytest.mark.parametrize("make", MAKERS)
@on_few
def test_no_action(subject: Subject, make: Callable[..., GameEnv], reaction: str) -> None:
    """Ids out of range wrote into foreign memory, floats were cut off. Here nothing changes."""
    for action in (*NO_ACTIONS, -1, subject.actions):
        env = make(subject, illegal_action=reaction)
        env.reset(seed=1)
        before = env.state().tobytes()
        with pytest.raises(
            InputError, match=f"action of player_0 must be an integer from 0 to {subject.actions - 1}, not"
        ):
            env.step(action)
        assert (env.state().tobytes(), env.agent_selection, legal(env) != []) == (before, "player_0", True)


@on_few
def test_illegal_action_ends_the_game(subject: Subject) -> None:
    """Under the default the culprit alone is punished, and told in words."""
    env = subject.begun(reward="dense")
    advance(env, random.Random(1), subject.length // 4)
    agent, action = env.agent_selection, illegal(env)
    seat = env.possible_agents.index(agent)
    before = env.state().tobytes()
    words = record.replay(env.record()).describe(action)
    with pytest.warns(UserWarning, match=rf"action {action} \({words}\) is not legal for player {seat}.*game is over"):
        env.step(action)
    assert env.state().tobytes() == before
    assert all(value is True for value in env.terminations.values())
    assert env.rewards == {other: -1.0 if other == agent else 0.0 for other in env.agents}
    for other in env.agents:
        assert (words in env.infos[other]["illegal_action"]) == (other == agent)
        assert not any(env.infos[other][key] for key in subject.info_keys[1:])
    for other in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        assert observation is not None
        assert not observation["action_mask"].any()
        assert terminated
        assert other != agent or reward == -1.0
        env.step(None)
    env.reset(seed=7)
    assert [info["illegal_action"] for info in env.infos.values()] == [""] * subject.players


@on_few
def test_illegal_action_of_raw_env_is_silent(subject: Subject) -> None:
    """Warnings are errors in this test-suite."""
    env = subject.raw_env()
    env.reset(seed=1)
    env.step(illegal(env))
    assert list(env.rewards.values()) == [-1.0] + [0.0] * (subject.players - 1)


@on_few
def test_illegal_action_raises(subject: Subject) -> None:
    """Asked for in PettingZoo 185: the mistake comes to light, and the game can go on."""
    env, plain = subject.begun(illegal_action="raise"), subject.begun()
    for decisions in (0, subject.length // 3, subject.length // 3):
        advance(env, random.Random(1), decisions)
        advance(plain, random.Random(1), decisions)
        with pytest.raises(IllegalActionError, match="is not legal for player"):
            env.step(illegal(env))
    assert trace(env, random.Random(2)) == trace(plain, random.Random(2))


@on_few
def test_illegal_action_is_replaced(subject: Subject) -> None:
    """By a random legal one; the mistake is told until the agent's next step."""
    env = subject.begun(illegal_action="random")
    for _ in range(5):
        agent, possible, count = env.agent_selection, legal(env), len(env.record()["actions"])
        env.step(illegal(env))
        actions = env.record()["actions"]
        assert len(actions) == count + 1
        assert actions[-1] in possible
        while env.agent_selection != agent:
            assert "is not legal" in env.infos[agent]["illegal_action"]
            advance(env, random.Random(1), 1)
        assert "is not legal" in env.infos[agent]["illegal_action"]
        advance(env, random.Random(1), 1)
        assert env.infos[agent]["illegal_action"] == ""


@on_few
def test_the_seed_decides_what_replaces_illegal_actions(subject: Subject) -> None:
    def blunder(seed: int) -> list[int]:
        env = subject.begun(seed, illegal_action="random")
        while not any(env.terminations.values()):
            env.step(illegal(env))
        actions: list[int] = env.record()["actions"]
        return actions

    assert blunder(1) == blunder(1) != blunder(2)


@on_few
def test_random_replacement_leaves_chance_alone(subject: Subject) -> None:
    """An agent's random choices never change the deals."""
    env, plain = subject.begun(illegal_action="random"), subject.begun()
    while not any(env.terminations.values()):
        env.step(illegal(env))
    play(plain, env.record()["actions"])
    assert env.record() == plain.record()


# ---------------------------------------------------------------------------------------------------------------------
# Drawing
# ---------------------------------------------------------------------------------------------------------------------


@on_few
def test_render_ansi(subject: Subject) -> None:
    env = subject.begun(render_mode="ansi")
    first = env.render()
    assert first is not None
    advance(env, random.Random(1), 1)
    assert env.render() not in (None, first)
    finish(env, random.Random(1))
    assert "the game is over" in str(env.render())


@on_few
def test_render_human(subject: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    """``reset`` and every step print the board once."""
    env = subject.env(render_mode="human")
    env.reset(seed=1)
    advance(env, random.Random(1), 3)
    assert capsys.readouterr().out.count(f" {subject.game.title} ") == 4


@on_each_game
def test_render_without_a_mode(subject: Subject) -> None:
    with pytest.warns(UserWarning, match="needs a render_mode"):
        assert subject.begun().render() is None
