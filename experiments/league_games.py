"""How a league's games are played: many side by side, each agent asked for all games that wait for it.

A *table* is the agents that play each other, whatever their seats. A *deal* is the seed of a game's chance, the same
for all tables; each is played once in every rotation of the seats. A *unit*, some deals of one table, is played and
saved as a whole.

What an agent sees in place of what nobody knows, and where it decides at random by the states, comes from a stream of
its own for each table, deal, rotation and seat: such games are the same in whatever unit they are played. Agents
are made anew for each unit, so that those with a generator of their own, like a network that samples, don't
depend on the order of the units either.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from manjerico.agents import registry
from manjerico.agents.scripted import ScriptedAgent
from manjerico.core import record, results
from manjerico.core.agent import Agent, StateAgent, ask
from manjerico.core.errors import InputError
from manjerico.core.game import Game
from manjerico.core.games import Batch, Indices, check_actions
from manjerico.core.match import Match
from manjerico.core.rules import Rules
from manjerico.experiments.evaluation import FIRST_SEED

Table = tuple[str, ...]

MOST_DEALS = 2**32
MOST_SEED = 2**30 - 1

DEALS_IN_UNIT = 64
"""Enough that calls from Python into compiled code and networks cost little."""


@dataclass(frozen=True)
class League:
    """What all games of a league have in common."""

    game: Game
    players: int
    rules: Rules
    seed: int

    def make(self, spec: str, seed: int = 0) -> Agent:
        """An agent for these games."""
        return registry.make(spec, self.game, self.players, self.rules, seed)

    def deal_seed(self, deal: int) -> int:
        """The seed of a deal's chance: never one of training's, which are smaller, nor of evaluation's first 2**32."""
        return FIRST_SEED + MOST_DEALS * (1 + self.seed) + deal

    def stream(self, *where: Any) -> int:
        """A random seed that is another one for every place and every league seed."""
        text = repr((self.seed, *where)).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


@dataclass(frozen=True)
class Unit:
    """Deals of one table, to be played in all rotations."""

    table: Table
    deals: tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """A finished game; lists are by seat."""

    table: Table
    deal: int
    rotation: int
    seats: Table
    scores: list[int]
    places: list[int]
    decisions: list[int]
    seconds: list[float]
    """What the decisions took in all; of a call that asks for several games at once each has an equal share."""
    sources: list[dict[str, int]]
    profile: list[dict[str, float]]
    record: str


def tables(agents: Sequence[str], players: int, self_play: bool = False) -> list[Table]:
    """Who plays whom: every choice of as many agents as a table has seats, each once.

    With self-play there are also tables at which an agent has all seats.

    With fewer agents than seats all sit at each table, and those that sit there more than once do so in every possible
    way: two agents at four seats make the tables 3 + 1, 2 + 2 and 1 + 3.
    """
    named = sorted(agents)
    alone = [(name,) * players for name in named] if self_play else []
    if len(named) >= players:
        return list(combinations(named, players)) + alone
    return [table for table in combinations_with_replacement(named, players) if set(table) == set(named)] + alone


def is_self_play(seats: Table) -> bool:
    """Whether one agent has all seats."""
    return len(set(seats)) == 1


def rotations(order: Table) -> list[Table]:
    """The seats after each of the cyclic moves, the first of which leaves them as they are."""
    return [order[k:] + order[:k] for k in range(len(order))]


def seatings(table: Table, deal: int) -> list[Table]:
    """Who sits where in the games of a deal: the rotations of one order.

    Deals take the orders in turn, so that with three or more seats nobody always moves after the same opponent. An
    order that a rotation leaves as it is, like A B A B, would give the same game twice and is left out. In self-play
    there is one game of a deal.
    """
    if is_self_play(table):
        return [table]
    first, *others = table
    orders = dict.fromkeys((first, *rest) for rest in permutations(others))
    different = [order for order in orders if len(set(rotations(order))) == len(order)]
    return rotations(different[deal % len(different)])


def deals_side_by_side(agents: Sequence[Agent]) -> int:
    """How many deals of a table are one unit: one alone if somebody searches, since that may take minutes."""
    searching = any(isinstance(a, StateAgent) and a.needs_states and not isinstance(a, ScriptedAgent) for a in agents)
    return 1 if searching else DEALS_IN_UNIT


def play(league: League, unit: Unit) -> list[Played]:
    """Plays a unit to the end of all its games.

    Raises:
        InputError: an agent answers with something else than legal actions.
    """
    places = [(deal, k, s) for deal in unit.deals for k, s in enumerate(seatings(unit.table, deal))]
    specs = list(dict.fromkeys(unit.table))
    for spec in specs:
        _warm_up(league, spec)
    agents = [league.make(spec, league.stream(unit.table, unit.deals[0], spec)) for spec in specs]
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(1)  # other workers have the other cores; and sums of floats depend on it
    side_by_side = _SideBySide(league, unit.table, places)
    whose = np.array([[specs.index(spec) for spec in seats] for _, _, seats in places])
    while (going := side_by_side.going()).size:
        deciding = whose[going, side_by_side.seats(going)]
        for number, agent in enumerate(agents):
            side_by_side.decide(going[deciding == number], agent, specs[number])
    return side_by_side.played()


@functools.cache
def _warm_up(league: League, spec: str) -> None:
    """An agent's first decision in a process loads compiled code, which is no part of the time that decisions take."""
    table = (spec,) * league.players
    opening = _SideBySide(league, table, [(0, 0, table)])
    opening.decide(opening.going(), league.make(spec), spec)


class _SideBySide:
    """Games under way, with what each agent decided in them and how long that took."""

    def __init__(self, league: League, table: Table, places: list[tuple[int, int, Table]]) -> None:
        self.league, self.table, self.places = league, table, places
        game, games, players = league.game, len(places), league.players
        self._batch = Batch(game, games, players, league.rules, lookahead=game.lookahead is not None)
        self._params = game.make_params(league.rules)
        self._actions: list[list[int]] = [[] for _ in places]
        self._seconds = np.zeros((games, players))
        self._streams = np.zeros((games, players, 2), np.uint64)
        self._streams[:, :, 0] = [
            [league.stream(table, deal, rotation, seat) for seat in range(players)] for deal, rotation, _ in places
        ]
        self._batch.start(self._batch.all, [league.deal_seed(deal) for deal, _, _ in places], [0] * games)

    def going(self) -> Indices:
        """The games that are not over."""
        return np.flatnonzero(self._batch.states["player"] >= 0)

    def seats(self, games: Indices) -> npt.NDArray[np.int8]:
        """Who is to act."""
        seats: npt.NDArray[np.int8] = self._batch.states["player"][games]
        return seats

    def decide(self, games: Indices, agent: Agent, spec: str) -> None:
        """Asks an agent for all these games and carries out what it answers."""
        if not games.size:
            return
        seats = self.seats(games)
        observations, masks = self._batch.observe(games)
        streams = self._streams[games, seats]
        game, states = self.league.game, self._batch.states[games]
        try:
            began = perf_counter()
            decided = ask(agent, game, self._params, states, streams, observations, masks)
            self._seconds[games, seats] += (perf_counter() - began) / games.size
            actions = check_actions(game, decided, games.size)
            self._batch.advance(games, actions)
        except InputError as error:
            raise InputError(f"agent {spec!r}: {error}") from None
        except Exception as error:
            error.add_note(f"Raised while the agent {spec!r} decided.")
            raise
        self._streams[games, seats] = streams
        for index, action in zip(games.tolist(), actions.tolist(), strict=True):
            self._actions[index].append(action)

    def played(self) -> list[Played]:
        """The games, all of them over, each replayed for its record."""
        match = Match(self.league.game, self.league.players, self.league.rules, seed=0)
        return [self._played(match, index) for index in range(len(self.places))]

    def _played(self, match: Match, index: int) -> Played:
        deal, rotation, seats = self.places[index]
        actions, game = self._actions[index], self.league.game
        match.begin(self.league.deal_seed(deal))
        states = np.zeros(len(actions) + 1, game.state)
        states[0] = match.state
        for k, action in enumerate(actions, start=1):
            match.apply(action)
            states[k] = match.state
        everybody = range(match.players)
        return Played(
            table=self.table,
            deal=deal,
            rotation=rotation,
            seats=seats,
            scores=match.scores,
            places=results.places_of_game(match.scores),
            decisions=np.bincount(states["player"][:-1], minlength=match.players).tolist(),
            seconds=self._seconds[index].tolist(),
            sources=[match.breakdown(seat) for seat in everybody],
            profile=[{} for _ in everybody] if game.profile is None else game.profile(match.rules, states),
            record=record.dumps(record.of_match(match, agents=seats)),
        )
