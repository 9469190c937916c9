"""Evaluation on fresh deals, every deal played once from each seat, with 95 % intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.box import SIMPLE
from rich.table import Table
from scipy import stats

from manjerico.core import results
from manjerico.core.agent import Agent
from manjerico.core.batch_driver import OUTSIDE
from manjerico.core.game import Game
from manjerico.core.games import Batch
from manjerico.core.rules import Rules

FIRST_SEED = 2**63
"""Evaluation deals are of this seed and those after it; training uses smaller ones only."""

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """An agent against an opponent that sits on all other seats, or that plays the same deals where one plays alone."""

    opponent: str
    games: int
    win_rate: Interval
    """Games won, with ties as half; Wilson's interval."""
    score: float
    opponents_score: float
    difference: Interval
    """Own score minus the best opponent's; Student's interval over deals, each the mean of its seats."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def evaluate(
    agent: Agent,
    game: Game,
    players: int,
    rules: Rules,
    opponent: str,
    deals: int,
    tell: Callable[[int], None] = lambda _: None,
) -> Evaluation:
    """Plays ``deals`` deals from every seat; ``tell`` is told how many games are over."""
    batch = Batch(game, deals * players, players, rules, lookahead=game.lookahead is not None)
    seats = batch.all % players
    _play(agent, batch, seats, opponent, tell)
    scores = batch.scores()
    own = scores[batch.all, seats].astype(np.float64)
    if players == 1:
        others = _start(batch, opponent).scores()
        lead = own - others[:, 0]
    else:
        others = np.delete(scores.reshape(-1), batch.all * players + seats)
        lead = results.final_rewards("margin", scores)[batch.all, seats]
    return Evaluation(
        opponent=opponent,
        games=batch.games,
        win_rate=win_rate(wins=float((lead > 0).sum() + (lead == 0).sum() / 2), games=batch.games),
        score=float(own.mean()),
        opponents_score=float(others.mean()),
        difference=mean_interval(lead.reshape(deals, players).mean(axis=1)),
    )


def _start(batch: Batch, opponent: str, seats: npt.NDArray[np.int64] | None = None) -> Batch:
    """Begins the deals' games, which are neighbours; only ``seats`` [games] are decided outside, or none."""
    batch.controllers[:] = batch.policy(opponent)
    if seats is not None:
        batch.controllers[batch.all, seats] = OUTSIDE
    batch.start(batch.all, [FIRST_SEED + int(k) // batch.players for k in batch.all], [0] * batch.games)
    batch.advance(batch.all)
    return batch


def _play(agent: Agent, batch: Batch, seats: npt.NDArray[np.int64], opponent: str, tell: Callable[[int], None]) -> None:
    """Plays all games to the end, with the agent in ``seats`` [games]."""
    _start(batch, opponent, seats)
    going = batch.all[batch.waiting(batch.all) == OUTSIDE]
    while going.size:
        batch.advance(going, batch.ask(going, agent))
        going = going[batch.waiting(going) == OUTSIDE]
        tell(batch.games - going.size)


def win_rate(wins: float, games: int) -> Interval:
    """Wilson's interval. Half wins, from ties, are rounded outwards."""
    low, high = (
        stats.binomtest(int(k), games).proportion_ci(CONFIDENCE, "wilson") for k in (np.floor(wins), np.ceil(wins))
    )
    return Interval(wins / games, float(low.low), float(high.high))


def mean_interval(values: npt.NDArray[np.float64]) -> Interval:
    """Student's interval of the mean."""
    mean = float(values.mean())
    if len(values) < 2:
        return Interval(mean, float("nan"), float("nan"))
    half = float(stats.sem(values) * stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1))
    return Interval(mean, mean - half, mean + half)


def table(evaluations: Iterable[Evaluation], title: str) -> Table:
    """The evaluations as a table for rich, less than 80 columns wide."""
    drawn = Table(title=title, box=SIMPLE, pad_edge=False)
    for heading in ("opponent", "games", "win rate, 95 %", "score", "theirs", "difference, 95 %"):
        drawn.add_column(heading, justify="left" if heading == "opponent" else "right")
    for e in evaluations:
        win, lead = e.win_rate, e.difference
        drawn.add_row(
            e.opponent,
            str(e.games),
            f"{win.value:.1%} {100 * win.low:.1f}..{100 * win.high:.1f}",
            f"{e.score:.1f}",
            f"{e.opponents_score:.1f}",
            f"{lead.value:+.1f} {lead.low:+.1f}..{lead.high:+.1f}",
        )
    return drawn
