"""``BatchEnv``: many games stepped by compiled code over all cores."""

from __future__ import annotations

import copy
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from manjerico.core import batch_actions, batch_driver, results
from manjerico.core.agent import ask
from manjerico.core.batch_driver import ACT, OBSERVE, OUTSIDE, SETTLE, START
from manjerico.core.crew import Work, crew
from manjerico.core.errors import InputError, boolean, choice, integer, number, shown
from manjerico.core.files import replaced_file
from manjerico.core.game import Game, find
from manjerico.core.games import Indices, check_actions
from manjerico.core.opponents import Opponents, Pool, of_learner
from manjerico.core.rng import SEEDS
from manjerico.core.rules import Rules

AUTORESET = ("next_step", "same_step", "disabled")
"""Numbered as in ``core/batch_driver.py``."""

SEAT_RULES = {"alternate": batch_driver.ALTERNATE, "random": batch_driver.RANDOM}

SAMPLE = Work(batch_actions.sample, least=256)
CHECK = Work(batch_actions.check, least=2048)
LEAST_TO_STEP = 128
"""Games that are worth a thread: some 20 us of work each."""


def learners_seat(seat: int | str, players: int) -> int:
    """An argument ``seat`` as compiled code takes it.

    Raises:
        InputError: it is no seat, and no rule that names one.
    """
    if isinstance(seat, str):
        return SEAT_RULES[choice(seat, "seat", SEAT_RULES)]
    return integer(seat, "seat", 0, players - 1)


class Step(NamedTuple):
    """What a batch returns, a row for each game."""

    observation: npt.NDArray[np.float32]
    """[games, size]: what the player to act sees; after the end the learner, or seat 0 without one."""
    mask: npt.NDArray[np.int8]
    """[games, actions]: 1 for each legal action. After the end all zeros, but under ``"next_step"`` 1 for action 0, so
    that there is something to sample for the action that is ignored."""
    reward: npt.NDArray[np.float32]
    """[games, players]: everybody's reward since the last step."""
    done: npt.NDArray[np.bool_]
    """[games]: the game has ended (under ``"same_step"``: with this step, and the next one has begun)."""
    player: npt.NDArray[np.int64]
    """[games]: the seat to act, -1 after the end."""
    seat: npt.NDArray[np.int64]
    """[games]: the learner's seat, in the episode that the reward is of; -3 if there are others and no opponents."""


class BatchEnv:
    """``num_envs`` games with the same rules and number of players, as an environment.

    Without opponents every decision is made by the caller, for whichever player is to act. With opponents one seat of
    each game is the learner's; the others decide inside :meth:`step` and :meth:`reset`, so that only the learner's
    turns are seen, and rewards are sums until its next decision.

    What a game's row holds with the step in which the game ends, and what the next step does (episodes are never
    truncated):

    ================  =======================================  ==================================================
    autoreset         observation and mask                     next step
    ================  =======================================  ==================================================
    ``"next_step"``   the end as the learner sees it; mask     ignores the action and begins the next episode, with
                      1 for action 0 only                      reward 0 and ``done`` False: no decision to learn from
    ``"same_step"``   the next episode's beginning; the end    goes on with the next episode
                      is in :meth:`final_observations`
    ``"disabled"``    the end; mask all zeros                  changes nothing: ``done`` stays True and rewards are 0
                                                               until ``reset(games=step.done)``
    ================  =======================================  ==================================================

    ``reward``, ``done`` and ``seat`` are those of the episode that ended; a learner's reward is
    ``step.reward[np.arange(num_envs), step.seat]``.

    Game *i* of seed *s* is first the game of seed *s + i* that the AEC environment plays, then a stream of its own. It
    depends neither on the other games, nor on their number, nor on threads. Seat 0 starts every game.

    Args:
        game: the game, or its name.
        num_envs: how many games.
        num_players: players of each game, the same for all; by default the smallest number that the game allows.
        rules: the game's rules object.
        opponents: a scripted policy's name, an agent with ``act(observations, masks)``, a list of them or a dict with
            weights; drawn anew for each seat and episode. One player has none.
        seat: the learner's among opponents: a number, ``"alternate"`` or ``"random"``.
        reward, reward_scale: as for :class:`~manjerico.core.aec.GameEnv`.
        autoreset: after the end the next episode begins with the next step (``"next_step"``, which ignores that game's
            action), in the same step (``"same_step"``), or with :meth:`reset` (``"disabled"``).
        lookahead: whether observations go on with what actions would bring, where the game offers that.
        seed: of the first :meth:`reset` that has none; by default a random one.
        threads: by default one for each core. Where other processes want the cores, 1 is faster.
        copy: whether every step returns fresh arrays; else the same ones are overwritten.

    Raises:
        InputError: an argument has a value that isn't allowed.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        num_players: int | None = None,
        rules: Rules | None = None,
        *,
        opponents: Opponents | None = None,
        seat: int | str = "alternate",
        reward: str = "place",
        reward_scale: float | None = None,
        autoreset: str = "next_step",
        lookahead: bool = False,
        seed: int | None = None,
        threads: int | None = None,
        copy: bool = True,
    ) -> None:
        self.game = find(game)
        self.num_envs = integer(num_envs, "num_envs", 1, 2**24)
        self.num_players = self.game.check_players(self.game.players[0] if num_players is None else num_players)
        self.rules = self.game.check_rules(rules)
        self.num_actions = self.game.num_actions(self.rules)
        self.layout = self.game.observation(self.rules, self.num_players, boolean(lookahead, "lookahead"))
        self.autoreset = choice(autoreset, "autoreset", AUTORESET)
        self._options = self._make_options(reward, reward_scale, seat)
        if opponents is None and self.num_players > 1:
            self._options["seat"] = batch_driver.EVERY_SEAT
        else:
            opponents = of_learner(self.game, self.num_players, opponents)
        self._pool = Pool(self.game, opponents)
        self._seed = None if seed is None else integer(seed, "seed", 0, SEEDS - 1)
        self._threads = _cores() if threads is None else integer(threads, "threads", 1, 1024)
        self.copy = boolean(copy, "copy")
        self._params = self.game.make_params(self.rules)
        self.states = np.zeros(self.num_envs, self.game.state)
        self._finals = np.zeros(self.num_envs, self.game.state)
        self._desks = np.zeros(self.num_envs, batch_driver.desk_dtype(self.game))
        self._words = np.zeros((self.num_envs, (self.num_actions + 63) // 64), np.uint64)
        self._all: Indices = np.arange(self.num_envs)
        self._seeded = self._begun = False
        self._out = self._allocate()
        self._prepare()

    def _make_options(self, reward: str, scale: float | None, seat: int | str) -> npt.NDArray[np.void]:
        kind = results.REWARDS.index(choice(reward, "reward", results.REWARDS))
        options = np.zeros(1, batch_driver.OPTIONS)
        options["players"], options["reward"] = self.num_players, kind
        options["scale"] = number(
            results.default_scale(reward, self.num_players) if scale is None else scale, "reward_scale"
        )
        options["autoreset"] = AUTORESET.index(self.autoreset)
        options["seat"] = learners_seat(seat, self.num_players)
        return options

    @property
    def begun(self) -> bool:
        """Whether there are games, by :meth:`reset` or from elsewhere."""
        return self._begun

    @property
    def last(self) -> Step:
        """What was returned last, by whatever call.

        Raises:
            InputError: nothing was.
        """
        self._check_begun()
        return self._out

    @property
    def seat_rule(self) -> int:
        """Which seat is the learner's; see ``core/batch_driver.py``."""
        return int(self._options["seat"][0])

    def set_opponents(self, opponents: Opponents) -> None:
        """Other opponents from the next episodes on; in games under way an agent is followed by the one at its place.

        Raises:
            InputError: they are none, or fewer agents than before, or nobody is to have opponents here.
        """
        if opponents is None or self._pool.table.size == 0:
            raise InputError("opponents can only follow opponents: make another batch, with or without them")
        pool = Pool(self.game, opponents)
        if len(pool.agents) < len(self._pool.agents):
            raise InputError(
                f"opponents must go on with {len(self._pool.agents)} agents or more, not {len(pool.agents)}"
            )
        self._set_pool(pool)

    def _allocate(self) -> Step:
        games = self.num_envs
        return Step(
            np.empty((games, self.layout.size), np.float32),
            np.empty((games, self.num_actions), np.int8),
            np.empty((games, self.num_players), np.float32),
            np.empty(games, bool),
            np.empty(games, np.int64),
            np.empty(games, np.int64),
        )

    def reset(self, seed: int | None = None, games: npt.NDArray[np.bool_] | None = None) -> Step:
        """Begins an episode in every game; rewards are zero.

        Args:
            seed: game i is that of ``seed`` + i. Without a seed the next episodes begin.
            games: bool [games]: begin in these only; not the first time.

        Raises:
            InputError: a value that isn't allowed.
        """
        indices = self._all if games is None else self._check_games(games)
        if not self._begun and games is not None:
            raise InputError("the first reset begins all games, also after one that was not finished: leave games out")
        if seed is None and not self._seeded:
            seed = secrets.randbits(64) if self._seed is None else self._seed
        if seed is not None:
            first = np.uint64(integer(seed, "seed", 0, SEEDS - 1))
            self._desks["seed"][indices] = first + indices.astype(np.uint64)
            self._desks["episode"][indices] = -1
            self._seeded = True
        self._begun = False
        self._next_out()
        self._out.reward[:] = 0
        self._out.done[:] = self._desks["ended"]
        self._out.done[indices] = False
        self._run(START, indices)
        while self._pool.agents and indices.size:
            indices = self._let_agents_decide(indices)
        self._begun = True
        return self._show()

    def _show(self) -> Step:
        """What is to be seen, without a step taken."""
        self._run(OBSERVE, self._all)
        self._out.seat[:] = self._desks["seat"]
        return self._out

    def _check_games(self, games: Any) -> Indices:
        if not isinstance(games, np.ndarray) or games.shape != (self.num_envs,) or games.dtype != bool:
            raise InputError(f"games must be a bool array of {self.num_envs}, one for each game, not {shown(games)}")
        return np.flatnonzero(games)

    def step(self, actions: npt.NDArray[Any]) -> Step:
        """Plays an action in each game; in games that are over it is ignored.

        Raises:
            InputError: an action is not legal, or this comes before :meth:`reset`; nothing has changed then.
        """
        self._check_begun()
        if not (isinstance(actions, np.ndarray) and actions.dtype == np.int64 and actions.shape == (self.num_envs,)):
            actions = check_actions(self.game, actions, self.num_envs)
        actions = np.ascontiguousarray(actions)
        self._check_all(actions)
        if self._pool.agents:
            with self._undone_if_it_fails():
                self._next_out()
                self._step_among_agents(actions)
        else:
            self._next_out()
            self._run(ACT | SETTLE | OBSERVE, self._all, actions)
        return self._out

    def sample_actions(self, generator: np.random.Generator) -> Indices:
        """A uniformly random legal action for each game, 0 for those that are over."""
        actions: Indices = np.empty(self.num_envs, np.int64)
        self._job["draw"] = generator.random()
        batch_actions.point(self._job, 0, self._all, actions)
        crew.do(SAMPLE, self._job_address, self.num_envs, self._threads)
        return actions

    def _check_all(self, actions: Indices) -> None:
        batch_actions.point(self._job, 0, self._all, actions)
        crew.do(CHECK, self._job_address, self.num_envs, self._threads)
        if self._job["illegal"][0]:
            self._check_legal(actions, self._all)

    def _check_begun(self) -> None:
        if not self._begun:
            raise InputError("the games must be started before a step: call reset()")

    def _check_legal(self, actions: Indices, indices: Indices, who: str = "") -> None:
        failed = batch_actions.first_illegal(self._words[indices], actions)
        if failed >= 0:
            index = int(indices[failed])
            raise InputError(f"{self.game.name}: {who}action {actions[failed]} is not legal in game {index}")

    def _prepare(self) -> None:
        """Tells compiled code where everything lies."""
        self._job = np.zeros(1, batch_driver.JOB)
        self._work = Work(self.game.batch_step, LEAST_TO_STEP)
        self._job_address = _address(self._job)
        self._set(
            games=self.num_envs,
            words_size=self._words.shape[1],
            observation_size=self.layout.size,
            mask_size=self.num_actions,
            params=_address(self._params),
            options=_address(self._options),
            states=_address(self.states),
            finals=_address(self._finals),
            desks=_address(self._desks),
            words=_address(self._words),
        )
        self._set_pool(self._pool)
        self._set_out(self._out)

    def _set(self, **values: int) -> None:
        for name, value in values.items():
            self._job[name] = value

    def _set_pool(self, pool: Pool) -> None:
        self._pool = pool
        self._set(pool=_address(pool.table), pool_size=pool.table.size)

    def _set_out(self, out: Step) -> None:
        self._out = out
        self._set(**{name: _address(array) for name, array in out._asdict().items()})

    def _next_out(self) -> None:
        """Makes room for what is returned."""
        if self.copy:
            self._set_out(self._allocate())

    def _run(self, stages: int, indices: Indices, actions: Indices | None = None) -> None:
        """Takes these games through the stages, over the threads."""
        batch_actions.point(self._job, stages, indices, self._all if actions is None else actions)
        crew.do(self._work, self._job_address, indices.size, self._threads)

    def _step_among_agents(self, actions: Indices) -> None:
        """As one run of all stages. Games that end are paid at once, so that agents who begin the next ones are asked
        together with those who go on in others."""
        self._run(ACT, self._all, actions)
        unpaid, indices = np.ones(self.num_envs, bool), self._all
        while indices.size:
            over = indices[(self.states["player"][indices] < 0) & unpaid[indices]]
            self._run(SETTLE, over)
            unpaid[over] = False
            indices = self._let_agents_decide(indices)
        self._run(SETTLE, np.flatnonzero(unpaid))
        self._run(OBSERVE, self._all)

    @contextmanager
    def _undone_if_it_fails(self) -> Iterator[None]:
        """An agent's error, or Ctrl-C while it thinks, leaves everything as it was before the step."""
        arrays = (self.states, self._finals, self._desks, self._words, *(() if self.copy else self._out))
        out, before = self._out, [array.copy() for array in arrays]
        try:
            yield
        except BaseException:
            for array, kept in zip(arrays, before, strict=True):
                array[...] = kept
            self._set_out(out)
            raise

    def _let_agents_decide(self, indices: Indices) -> Indices:
        """One decision in each of these games that waits for an agent among the opponents; returns which did."""
        players = self.states["player"][indices].astype(np.int64)
        controllers = np.where(players < 0, OUTSIDE, self._desks["controllers"][indices, players])
        waiting = controllers < OUTSIDE
        indices = indices[waiting]
        if indices.size:
            actions = np.zeros(self.num_envs, np.int64)
            actions[indices] = self._ask(indices, OUTSIDE - 1 - controllers[waiting])
            self._run(ACT, indices, actions)
        return indices

    def _ask(self, indices: Indices, agents: Indices) -> Indices:
        """What the agents of these numbers decide in these games."""
        observations = np.empty((indices.size, self.layout.size), np.float32)
        masks = np.empty((indices.size, self.num_actions), np.int8)
        self.game.observe_many(self._params, self.states, indices, self._words, observations, masks)
        chosen = np.zeros(indices.size, np.int64)
        for number_ in np.unique(agents).tolist():
            rows = agents == number_
            streams = self._desks["stream"][indices[rows]]
            decided = ask(
                self._pool.agents[number_],
                self.game,
                self._params,
                self.states[indices[rows]],
                streams,
                observations[rows],
                masks[rows],
            )
            self._desks["stream"][indices[rows]] = streams
            chosen[rows] = check_actions(self.game, decided, int(rows.sum()), "an opponent's ")
        self._check_legal(chosen, indices, "an opponent's ")
        return chosen

    def controllers(self) -> npt.NDArray[np.int64]:
        """Who decides for each seat, int64 [games, players]: -1 the caller, -2 - k agent k among the opponents, else
        the number of a scripted policy."""
        controllers: npt.NDArray[np.int64] = self._desks["controllers"][:, : self.num_players].copy()
        return controllers

    def seats(self) -> npt.NDArray[np.int64]:
        """The learner's seat in each game under way, int64 [games]; -3 if there are others and no opponents."""
        seats: npt.NDArray[np.int64] = self._desks["seat"].copy()
        return seats

    def scores(self) -> npt.NDArray[np.int16]:
        """Points as they stand, int16 [games, players]."""
        return self._points(self.states)

    def final_scores(self) -> npt.NDArray[np.int16]:
        """Points at the end of the game that was finished last, int16 [games, players]; zeros before the first end."""
        return self._points(self._finals)

    def _points(self, states: npt.NDArray[np.void]) -> npt.NDArray[np.int16]:
        points: npt.NDArray[np.int16] = states["score"][:, : self.num_players].copy()
        return points

    def final_sources(self) -> dict[str, npt.NDArray[np.int16]]:
        """As :meth:`final_scores`, the points from each source."""
        points = self._finals["sources"][:, : self.num_players]
        return {name: points[:, :, k].copy() for k, name in enumerate(self.game.sources)}

    def final_observations(self, games: npt.NDArray[np.bool_], seats: Indices) -> npt.NDArray[np.float32]:
        """What seats saw at the end of games that have ended.

        Args:
            games: bool [games]: which; ``done``, for instance.
            seats: int64 [games]: whose view; ``seat``, for instance.

        Returns:
            A row of observations for each game that was asked for.

        Raises:
            InputError: one of the games has not been finished once.
        """
        indices = self._check_games(games)
        if not self._finals["players"][indices].all():
            raise InputError("only games that have been finished have a final observation")
        observations = np.empty((indices.size, self.layout.size), np.float32)
        for row, index in enumerate(indices.tolist()):
            seat = integer(seats[index], "seat", 0, self.num_players - 1)
            self.game.observe(self._params, self._finals, index, seat, observations[row])
        return observations

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_work", "_job")}

    def __setstate__(self, values: dict[str, Any]) -> None:
        vars(self).update(values)
        self._prepare()

    def clone(self) -> Self:
        """An independent copy, with the same agents among the opponents."""
        memo = {id(agent): agent for agent in self._pool.agents}
        return copy.deepcopy(self, memo)

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything that decides how the games go on, as arrays of bytes; for :meth:`set_state`."""
        arrays = {"states": self.states, "finals": self._finals, "desks": self._desks}
        return {name: array.view(np.uint8).reshape(self.num_envs, -1).copy() for name, array in arrays.items()}

    def set_state(self, arrays: dict[str, npt.NDArray[Any]]) -> Step:
        """Goes on from what :meth:`get_state` returned, of a batch made with the same arguments.

        Raises:
            InputError: it is something else; nothing has changed then.
        """
        if not isinstance(arrays, dict):
            raise InputError(f"set_state takes what get_state() returned, not {shown(arrays)}")
        for name, array in self.get_state().items():
            if not isinstance(arrays.get(name), np.ndarray) or (arrays[name].shape, arrays[name].dtype) != (
                array.shape,
                array.dtype,
            ):
                raise InputError(f"{name} must be {array.dtype} {list(array.shape)}, as in get_state()")
        types = {"states": self.game.state, "finals": self.game.state, "desks": self._desks.dtype}
        whole = {name: arrays[name].copy().view(kind).reshape(self.num_envs) for name, kind in types.items()}
        self._check_whole(**whole)
        self.states[:], self._finals[:], self._desks[:] = whole["states"], whole["finals"], whole["desks"]
        for index in range(self.num_envs):
            self.game.legal_actions(self._params, self.states, index, self._words[index])
        self._seeded = self._begun = True
        self._next_out()
        self._out.reward[:] = 0
        self._out.done[:] = self._desks["ended"]
        return self._show()

    def _check_whole(self, states: Any, finals: Any, desks: Any) -> None:
        """Compiled code trusts all of it."""
        for index in range(self.num_envs):
            for name, record in (("", states[index]), ("last ", finals[index])):
                if name and not record["players"]:
                    continue  # none was finished yet
                fault = self.game.fault(self.rules, self.num_players, record)
                if fault:
                    raise InputError(f"the {name}state of game {index} is impossible: {fault}")
        agents = OUTSIDE - len(self._pool.agents)
        possible = (desks["controllers"] >= agents) & (desks["controllers"] < len(self.game.policies))
        lowest = batch_driver.EVERY_SEAT if self.seat_rule == batch_driver.EVERY_SEAT else 0
        seats = (desks["seat"] >= lowest) & (desks["seat"] < (self.num_players if lowest == 0 else lowest + 1))
        ended = desks["ended"] == (states["player"] < 0)
        if not (possible.all() and seats.all() and ended.all()):
            raise InputError("desks are not those of a batch with the same opponents")

    def save(self, path: str | Path) -> None:
        """Writes :meth:`get_state` to a file, whole or not at all.

        Raises:
            InputError: it can't be written.
        """
        with replaced_file(Path(path)) as part, part.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **self.get_state())

    def load(self, path: str | Path) -> Step:
        """Goes on from a file that :meth:`save` wrote, of a batch made with the same arguments.

        Raises:
            InputError: it can't be read, or is something else.
        """
        try:
            with Path(path).open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                arrays = dict(file)
        except Exception as error:  # whatever the readers of zip files and arrays raise
            raise InputError(f"{path}: no saved batch ({error})") from None
        return self.set_state(arrays)


def _address(array: npt.NDArray[Any]) -> int:
    """Where an array lies; compiled code takes it to be contiguous."""
    place: int = array.__array_interface__["data"][0]
    return place


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
