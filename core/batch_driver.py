"""The compiled loop behind ``BatchEnv``: many games, their episodes, scripted opponents, rewards and what is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float64, int64, uint64

from manjerico.core import bits, rng
from manjerico.core.compile import (
    I64,
    U64,
    VOID,
    helper,
    kernel,
    record_array,
    routine,
)
from manjerico.core.drivers import make_chooser
from manjerico.core.memory import array_at
from manjerico.core.results import beaten, lead

if TYPE_CHECKING:
    from manjerico.core.game import Game

Kernel = Callable[..., Any]

START, ACT, SETTLE, OBSERVE = 1, 2, 4, 8
"""What a call does, game by game: begin the next episode; carry out an action and what scripted seats decide; pay
rewards and say what ended; write what the players to act see."""

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When the next episode begins: with the step after the end, with the step of the end, when it is asked for."""

PLACE, MARGIN, DENSE, LEAD = range(4)
"""Rewards, numbered as in ``results.REWARDS``."""

ALTERNATE, RANDOM, EVERY_SEAT = -1, -2, -3
"""Which seat is the learner's, if it is no fixed one; EVERY_SEAT: all decisions are made outside."""

OUTSIDE = -1
"""The controller of a seat that is decided outside. Opponents outside are numbered -2, -3, ..."""

OPTIONS = np.dtype(
    [
        ("players", np.int64),
        ("reward", np.int64),  # PLACE, MARGIN, DENSE, LEAD
        ("scale", np.float64),  # what rewards are multiplied with
        ("autoreset", np.int64),  # NEXT_STEP, SAME_STEP, DISABLED
        ("seat", np.int64),  # the learner's, or ALTERNATE, RANDOM, EVERY_SEAT
    ]
)
"""What all games of a batch have in common, beside their rules."""

POOL = np.dtype(
    [
        ("controller", np.int64),  # number of a scripted policy, or below OUTSIDE
        ("until", np.float64),  # sum of the probabilities up to this opponent
    ]
)
"""Opponents, one of which is drawn for each seat and episode."""


def desk_dtype(game: Game) -> np.dtype[Any]:
    """What is kept for each game of a batch beside its state."""
    seats = game.state["score"].shape[0]
    return np.dtype(
        [
            ("seed", np.uint64),  # of the first episode
            ("stream", np.uint64, 2),  # of choices: the scripted policies', opponents, the learner's seat
            ("episode", np.int64),  # 0 for the first, -1 before it
            ("controllers", np.int64, seats),  # number of each seat's scripted policy, negative: decided outside
            ("seat", np.int64),  # the learner's
            ("before", np.int64, seats),  # points or leads when rewards were last paid
            ("ended", np.int64),  # 1 once the end was told
        ]
    )


JOB = np.dtype(
    [
        *((name, np.int64) for name in ("games", "words_size", "pool_size", "observation_size", "mask_size")),
        *((name, np.int64) for name in ("params", "options", "pool", "states", "finals", "desks", "words")),
        *(
            (name, np.int64)
            for name in ("stages", "indices", "actions", "reward", "done", "player", "seat", "observation", "mask")
        ),
        ("draw", np.float64),
        ("illegal", np.int64),
    ]
)
"""What a call works on: sizes; addresses of arrays, the lasting ones first; ``stages``; for ``sample`` a random number
in [0, 1), and what ``check`` found, of ``core/batch_actions.py``."""


@helper
def _episode_seed(seed: Any, episode: Any) -> Any:
    """The seed of an episode: the first has the game's own, so that other adapters can play the same."""
    return seed if episode == 0 else rng.mix(seed + uint64(episode) * rng.GOLDEN)


@helper
def fraction(word: Any) -> Any:
    """The number in [0, 1) of 64 random bits."""
    return float64(word >> uint64(11)) * 2.0**-53


@helper
def _uniform(stream: Any) -> Any:
    """A random number in [0, 1)."""
    return fraction(rng.next_word(stream))


@helper
def _learners_seat(desk: Any, options: Any) -> Any:
    players, rule = int64(options["players"]), int64(options["seat"])
    if rule == RANDOM:
        return rng.below(desk["stream"], players)
    if rule == ALTERNATE:
        return int64((desk["seed"] + uint64(desk["episode"])) % uint64(players))
    return rule


@helper
def _draw_opponents(desk: Any, options: Any, pool: Any) -> None:
    seat = _learners_seat(desk, options)
    desk["seat"] = seat
    for k in range(int64(options["players"])):
        if seat == EVERY_SEAT or k == seat:
            desk["controllers"][k] = int64(OUTSIDE)
        else:
            drawn, j = _uniform(desk["stream"]), 0
            while j + 1 < pool.size and drawn >= pool[j]["until"]:
                j += 1
            desk["controllers"][k] = pool[j]["controller"]


@helper
def _next_episode(desk: Any, options: Any, pool: Any) -> Any:
    """Who plays the next episode; returns its seed."""
    desk["episode"] += 1
    desk["ended"] = 0
    seed = _episode_seed(uint64(desk["seed"]), int64(desk["episode"]))
    rng.start(desk["stream"], rng.mix(~seed))
    _draw_opponents(desk, options, pool)
    return seed


def make_next_episode(game: Game) -> Kernel:
    """``next_episode(desks, options, pool) -> seed``: brings the first desk to its next episode."""

    @kernel(U64(record_array(desk_dtype(game)), record_array(OPTIONS), record_array(POOL)))
    def next_episode(desks: Any, options: Any, pool: Any) -> Any:
        return _next_episode(desks[0], options[0], pool)

    return next_episode


@helper
def _final_reward(score: Any, seat: Any, players: Any, kind: Any) -> Any:
    """As ``results.final_rewards`` has it."""
    if kind != PLACE or players == 1:
        return float64(lead(score, seat, players))
    return float64(beaten(score, seat, players)) / float64(players - 1)


@helper
def _standing(score: Any, seat: Any, players: Any, kind: Any) -> Any:
    """What rewards that don't wait for the end are changes of."""
    return lead(score, seat, players) if kind == LEAD else int64(score[seat])


@helper
def _pay(game: Any, desk: Any, options: Any, ends: Any, reward: Any) -> None:
    """Everybody's reward since the last payment."""
    players, kind = int64(options["players"]), int64(options["reward"])
    for k in range(players):
        worth = float64(0)
        if kind in (DENSE, LEAD):
            standing = _standing(game["score"], k, players, kind)
            worth = float64(standing - desk["before"][k])
            desk["before"][k] = standing
        elif ends:
            worth = _final_reward(game["score"], k, players, kind)
        reward[k] = np.float32(worth * float64(options["scale"]))


def make_batch_step(game: Game) -> Kernel:
    """Some games of a batch, through some stages.

    ``batch_step(job, begin, end)`` takes the address of a ``JOB``: ``indices`` (int64) names the games, of which those
    from ``begin`` to ``end`` are done; all else but ``params``, ``options`` and ``pool`` has a row for each game of the
    batch. ``actions`` (int64) must be legal; ``finals`` takes the last state of a game that ends; ``reward`` is float32
    [games, players], ``done`` int8, ``player`` int64: the seat to act or ``NOBODY``, ``seat`` int64: the learner's in
    the episode that is paid.
    """
    new_game, apply, legal_actions, observe = game.new_game, game.apply, game.legal_actions, game.observe
    params_dtype, state_dtype, desk = game.params, game.state, desk_dtype(game)
    chooser = make_chooser(tuple(game.policies.values()))

    @routine
    def others_move(params: Any, states: Any, desk: Any, tape: Any, index: Any, legal: Any) -> None:
        seat = int64(states[index]["player"])
        while seat >= 0 and desk["controllers"][seat] >= 0:
            chosen = chooser(desk["controllers"][seat], params, states, index, legal, desk["stream"])
            apply(params, states, index, chosen, tape)
            legal_actions(params, states, index, legal)
            seat = int64(states[index]["player"])

    @routine
    def begin_episode(
        params: Any, states: Any, desk: Any, options: Any, pool: Any, tape: Any, index: Any, legal: Any
    ) -> None:
        seed = _next_episode(desk, options, pool)
        new_game(params, states, index, seed, int64(options["players"]), int64(0), tape)
        legal_actions(params, states, index, legal)
        for k in range(int64(options["players"])):
            desk["before"][k] = _standing(
                states[index]["score"], k, int64(options["players"]), int64(options["reward"])
            )
        others_move(params, states, desk, tape, index, legal)

    @helper
    def act(
        params: Any, states: Any, desk: Any, options: Any, pool: Any, tape: Any, index: Any, legal: Any, action: Any
    ) -> None:
        if int64(states[index]["player"]) >= 0:
            apply(params, states, index, action, tape)
            legal_actions(params, states, index, legal)
            others_move(params, states, desk, tape, index, legal)
        elif int64(options["autoreset"]) == NEXT_STEP:
            begin_episode(params, states, desk, options, pool, tape, index, legal)

    @helper
    def settle(
        params: Any,
        states: Any,
        desk: Any,
        options: Any,
        pool: Any,
        tape: Any,
        index: Any,
        legal: Any,
        finals: Any,
        reward: Any,
    ) -> Any:
        ends = int64(states[index]["player"]) < 0 and desk["ended"] == 0
        _pay(states[index], desk, options, ends, reward)
        if ends:
            desk["ended"] = 1
            finals[index] = states[index]
        done = desk["ended"]
        if ends and int64(options["autoreset"]) == SAME_STEP:
            begin_episode(params, states, desk, options, pool, tape, index, legal)
        return done

    @helper
    def show(
        params: Any, states: Any, desk: Any, options: Any, index: Any, legal: Any, observation: Any, mask: Any
    ) -> Any:
        player = int64(states[index]["player"])
        observer = player if player >= 0 else max(int64(desk["seat"]), int64(0))
        observe(params, states, index, observer, observation)
        bits.write_mask(legal, mask)
        if player < 0 and int64(options["autoreset"]) == NEXT_STEP:
            mask[0] = 1  # for the action that the next step ignores: a learner can't sample from none
        return player

    @kernel(VOID(I64, I64, I64))
    def batch_step(address: int, begin: int, end: int) -> None:
        job = array_at(address, (1,), JOB)[0]
        games, stages = int64(job["games"]), int64(job["stages"])
        params = array_at(job["params"], (1,), params_dtype)
        states = array_at(job["states"], (games,), state_dtype)
        finals = array_at(job["finals"], (games,), state_dtype)
        desks = array_at(job["desks"], (games,), desk)
        options = array_at(job["options"], (1,), OPTIONS)[0]
        pool = array_at(job["pool"], (int64(job["pool_size"]),), POOL)
        words = array_at(job["words"], (games, int64(job["words_size"])), np.uint64)
        indices = array_at(job["indices"], (games,), np.int64)
        no_tape = array_at(job["indices"], (0,), np.int16)
        # Stage by stage, so that each finds its code in the innermost cache.
        if stages & (START | ACT):
            actions = array_at(job["actions"], (games,), np.int64)
            for j in range(begin, end):
                index = indices[j]
                if stages & START:
                    begin_episode(params, states, desks[index], options, pool, no_tape, index, words[index])
                if stages & ACT:
                    act(params, states, desks[index], options, pool, no_tape, index, words[index], actions[index])
        if stages & SETTLE:
            reward = array_at(job["reward"], (games, int64(options["players"])), np.float32)
            done = array_at(job["done"], (games,), np.int8)
            seat = array_at(job["seat"], (games,), np.int64)
            for j in range(begin, end):
                index = indices[j]
                seat[index] = desks[index]["seat"]
                done[index] = settle(
                    params, states, desks[index], options, pool, no_tape, index, words[index], finals, reward[index]
                )
        if stages & OBSERVE:
            player = array_at(job["player"], (games,), np.int64)
            observation = array_at(job["observation"], (games, int64(job["observation_size"])), np.float32)
            mask = array_at(job["mask"], (games, int64(job["mask_size"])), np.int8)
            for j in range(begin, end):
                index = indices[j]
                player[index] = show(
                    params, states, desks[index], options, index, words[index], observation[index], mask[index]
                )

    return batch_step
