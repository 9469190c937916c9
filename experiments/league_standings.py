"""What a league's games come to: ladder, cross table and profile of each agent, as figures for JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from manjerico.core.errors import InputError
from manjerico.experiments.evaluation import mean_interval, win_rate
from manjerico.experiments.league_games import Played, is_self_play
from manjerico.experiments.league_store import Store
from manjerico.experiments.ratings import Ratings, comparisons, groups

Standings = dict[str, Any]


class Tally:
    """Sums over games, for each agent and for every two."""

    def __init__(self, agents: list[str]) -> None:
        count = len(agents)
        self.numbers = {name: number for number, name in enumerate(agents)}
        self.wins: dict[int, npt.NDArray[np.float64]] = defaultdict(lambda: np.zeros((count, count)))
        """By deal: wins of row against column."""
        self.games, self.points = np.zeros((count, count)), np.zeros((count, count))
        """By row and column: comparisons, and sums of the row's scores in them."""
        self.self_play: list[list[float]] = [[] for _ in agents]
        """The mean scores of games in which an agent had all seats; they count nowhere else."""
        self.seats, self.score, self.decisions, self.seconds, self.places = np.zeros((5, count))
        self.sources: list[dict[str, float]] = [defaultdict(float) for _ in agents]
        self.profile: list[dict[str, float]] = [defaultdict(float) for _ in agents]
        self.played = 0

    def add(self, game: Played) -> None:
        """Counts a game."""
        seats = [self.numbers[name] for name in game.seats]
        points = np.array(game.scores)
        self.played += 1
        if is_self_play(game.seats):
            self.self_play[seats[0]].append(float(points.mean()))
            return
        wins = comparisons(seats, game.scores, len(self.numbers))
        self.wins[game.deal] += wins
        self.games += wins + wins.T
        np.add.at(self.points, np.ix_(seats, seats), np.broadcast_to(points[:, None], (len(seats), len(seats))))
        for seat, agent in enumerate(seats):
            self.seats[agent] += 1
            self.score[agent] += game.scores[seat]
            self.places[agent] += game.places[seat]
            self.decisions[agent] += game.decisions[seat]
            self.seconds[agent] += game.seconds[seat]
            for sums, figures in ((self.sources, game.sources), (self.profile, game.profile)):
                for name, value in figures[seat].items():
                    sums[agent][name] += value


def tally(agents: Iterable[str], games: Iterable[Played]) -> Tally:
    """Counts all games."""
    counted = Tally(list(agents))
    for game in games:
        counted.add(game)
    return counted


def standings(store: Store) -> Standings:
    """All figures of a league.

    Raises:
        InputError: it has no games yet, or its file is damaged.
    """
    deals = store.deals()
    agents = [name for name in store.agents() if any(name in table for table in deals)]
    if not agents:
        raise InputError(f"{store.path}: no game is over yet")
    counted = tally(agents, store.games())
    by_deal = np.array(list(counted.wins.values()))
    wins = by_deal.sum(axis=0)
    ratings = Ratings.of(by_deal)
    order = np.argsort(-ratings.values).tolist()
    league = store.league()
    return {
        "league": {
            "game": league.game.name,
            "title": league.game.title,
            "version": league.game.version,
            "players": league.players,
            "rules": league.rules.as_dict(),
            "seed": league.seed,
            "games": counted.played,
            "deals": len(by_deal),
            "calls": store.calls(),
        },
        "ladder": _ladder(agents, order, counted, wins, ratings),
        "groups": [[agents[k] for k in order if k in group] for group in groups(wins)],
        "cross": _cross(agents, order, counted, wins),
        "profile": _profile(agents, order, counted),
    }


def _ladder(
    agents: list[str], order: list[int], counted: Tally, wins: npt.NDArray[np.float64], ratings: Ratings
) -> list[dict[str, Any]]:
    """A row for each agent, the best first."""
    ahead = {better: asdict(ratings.lead(better, worse)) for better, worse in pairwise(order)}
    return [
        {
            "agent": agents[k],
            "rating": asdict(ratings.rating(k)),
            "ahead_of_next": ahead.get(k),
            "games": int(counted.seats[k]),
            "win_rate": float(wins[k].sum() / counted.games[k].sum()),
            "place": float(counted.places[k] / counted.seats[k]),
            "score": float(counted.score[k] / counted.seats[k]),
            "self_play": _mean_score(counted.self_play[k]),
            "seconds": float(counted.seconds[k] / counted.decisions[k]),
        }
        for k in order
    ]


def _mean_score(scores: list[float]) -> dict[str, float] | None:
    """The mean with its interval; None: fewer than two games, which have none."""
    return {**asdict(mean_interval(np.array(scores))), "games": len(scores)} if len(scores) > 1 else None


def _cross(agents: list[str], order: list[int], counted: Tally, wins: npt.NDArray[np.float64]) -> list[dict[str, Any]]:
    """Every agent against every other with whom it sat at a table."""
    return [
        {
            "agent": agents[i],
            "opponent": agents[j],
            "games": int(counted.games[i, j]),
            "win_rate": asdict(win_rate(wins[i, j], int(counted.games[i, j]))),
            "score": float(counted.points[i, j] / counted.games[i, j]),
            "theirs": float(counted.points[j, i] / counted.games[i, j]),
        }
        for i in order
        for j in order
        if i != j and counted.games[i, j]
    ]


def _profile(agents: list[str], order: list[int], counted: Tally) -> list[dict[str, Any]]:
    """Means over the seats that each agent had."""
    return [
        {
            "agent": agents[k],
            "score": float(counted.score[k] / counted.seats[k]),
            "sources": {name: value / counted.seats[k] for name, value in counted.sources[k].items()},
            "profile": {name: value / counted.seats[k] for name, value in counted.profile[k].items()},
        }
        for k in order
    ]
