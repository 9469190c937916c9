"""Games of Arraial that are watched decision by decision, and what they come to in figures.

Every seat of a game is played by the same agent, and the seat that starts rotates from game to game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from arraial_env.geometry import PHASES, SLOTS
from arraial_env.rules import ArraialRules
from arraial_env.state import NONE, SOURCES
from manjerico.core import results
from manjerico.core.agent import Agent
from manjerico.core.games import Batch, Indices
from manjerico.experiments.balance_tidy import WATCHED
from manjerico.experiments.evaluation import FIRST_SEED, mean_interval, win_rate

POOL = 56
"""Individual visitors in the box; by our rules they never run out (A5)."""

KEPT = 0
PLACEMENT, DROP = "placement", "drop"
CAUSES = tuple(f"{cause} {phase}" for cause in (PLACEMENT, DROP) for phase in range(1, PHASES + 1))[:-1]
"""What takes a level bar, and in which phase: a piece (C4), or the drop at the end of phases 1 and 2 (D2)."""


POLICIES = tuple(WATCHED.policies)
"""The scripted policies: two of the game's, and *tidy*."""


class Player(Protocol):
    """What plays all seats."""

    def decide(self, batch: Batch, indices: Indices) -> Indices:
        """One legal action for each of these games."""


@dataclass(frozen=True)
class Scripted:
    """One of ``POLICIES``."""

    name: str

    def decide(self, batch: Batch, indices: Indices) -> Indices:
        """As the policy chooses."""
        return batch.choose(indices, self.name)


@dataclass(frozen=True)
class Trained:
    """An agent that decides by observations."""

    agent: Agent

    def decide(self, batch: Batch, indices: Indices) -> Indices:
        """As the agent chooses."""
        return batch.ask(indices, self.agent)


@dataclass(frozen=True)
class Games:
    """What is noted of games, by game [games] or by game and seat [games, players]."""

    starts: Indices
    """The seat that starts [games]."""
    boards: npt.NDArray[np.bool_]
    """Squares covered [games, players, height, width], row 0 at the bottom."""
    lines: Indices
    """Full rows of the board."""
    paid: Indices
    """Rows that brought a white visitor, since there was a bar (C8)."""
    lost_how: Indices
    """1 + the number in ``CAUSES`` of what took the bar, or ``KEPT``."""
    lost_visitors: Indices
    """White visitors that went with the bar."""
    pieces: Indices
    discards: Indices
    """Cards that fitted nowhere (C5)."""
    decisions: Indices
    legal: Indices
    """How many decisions were among k legal actions [num_actions + 1]."""
    scores: Indices
    sources: Indices
    """Points by source [games, players, sources]."""

    @classmethod
    def blank(cls, batch: Batch, starts: Sequence[int]) -> Games:
        """Nothing noted yet."""
        seats = batch.games, batch.players
        rules = batch.rules
        assert isinstance(rules, ArraialRules)  # noqa: S101  # this module is Arraial's
        names = ("lines", "paid", "lost_how", "lost_visitors", "pieces", "discards", "decisions", "scores")
        return cls(
            starts=np.array(starts, np.int64),
            boards=np.zeros((*seats, rules.height, rules.width), np.bool_),
            legal=np.zeros(batch.num_actions + 1, np.int64),
            sources=np.zeros((*seats, len(SOURCES)), np.int64),
            **{name: np.zeros(seats, np.int64) for name in names},
        )


def play(player: Player, games: int, players: int, rules: ArraialRules, seed: int) -> Games:
    """Plays games to the end, one decision in each at a time; the deals depend on ``seed`` and not on the rules."""
    batch = Batch(WATCHED, games, players, rules, seed, lookahead=True)
    starts = [k % players for k in range(games)]
    batch.start(batch.all, [FIRST_SEED + (seed << 24) + k for k in range(games)], starts)
    noted = Games.blank(batch, starts)
    going = batch.all
    while going.size:
        _decide(player, batch, going, noted)
        going = going[batch.states["player"][going] >= 0]
    noted.scores[:] = batch.scores()
    noted.sources[:] = batch.states["sources"][:, :players]
    return noted


def _decide(player: Player, batch: Batch, going: Indices, noted: Games) -> None:
    """One decision in each of these games, with what it changes."""
    states, players = batch.states, batch.players
    seats = states["player"][going].astype(np.int64)
    phases = states["phase"][going].astype(np.int64)
    bars, waiting = (states[name][going, :players].astype(np.int64) for name in ("bar", "waiting"))
    noted.legal[:] += np.bincount(batch.legal_counts(going), minlength=noted.legal.size)
    actions = player.decide(batch, going)
    batch.advance(going, actions)
    noted.decisions[going, seats] += 1
    noted.discards[going, seats] += actions >= batch.num_actions - SLOTS
    tops, full = _note_board(batch, going, seats, noted)
    mine = np.arange(going.size), seats
    by_piece = (bars[mine] != NONE) & (tops > bars[mine])
    paid = np.where((bars[mine] != NONE) & ~by_piece, full, 0)
    noted.paid[going, seats] += paid
    waiting[mine] += paid
    gone = (bars != NONE) & (states["bar"][going, :players] == NONE)
    how = np.broadcast_to((PHASES + phases)[:, None], gone.shape).copy()  # a drop, unless the player's own piece did it
    how[mine] = np.where(by_piece, phases, how[mine])
    noted.lost_how[going] += np.where(gone, how, 0)
    noted.lost_visitors[going] += np.where(gone, waiting, 0)


def _note_board(batch: Batch, going: Indices, seats: Indices, noted: Games) -> tuple[Indices, Indices]:
    """Brings the boards of the players who decided up to date.

    Returns:
        For each game the rows up to the new piece's highest square, 0 without a piece, and the rows that it completed.
    """
    height, width = noted.boards.shape[2:]
    lanes = batch.states["occupied"][going, seats].astype("<u8")
    squares = np.unpackbits(lanes.view(np.uint8), axis=1, count=height * width, bitorder="little")
    boards = squares.reshape(-1, height, width).astype(np.bool_)
    piece = (boards != noted.boards[going, seats]).any(axis=2)
    lines = boards.all(axis=2).sum(axis=1)
    completed: Indices = lines - noted.lines[going, seats]
    noted.boards[going, seats] = boards
    noted.lines[going, seats] = lines
    noted.pieces[going, seats] += piece.any(axis=1)
    return (piece * np.arange(1, height + 1)).max(axis=1), completed


def summarise(games: Games) -> dict[str, Any]:
    """The figures of some games for JSON; intervals are of 95 %.

    Means are by player unless a name says ``game``. Shares of players take the players of a game as independent.
    """
    number, players = games.scores.shape
    lost = games.lost_how != KEPT
    visitors = (games.sources[:, :, 0] + games.paid).sum(axis=1)
    return {
        "games": number,
        "score": asdict(mean_interval(games.scores.mean(axis=1))),
        "sources": dict(zip(SOURCES, games.sources.mean(axis=(0, 1)).tolist(), strict=True)),
        "lines": asdict(mean_interval(games.lines.mean(axis=1))),
        "paid_lines": float(games.paid.mean()),
        "lost_visitors": float(games.lost_visitors.mean()),
        "bars_lost": asdict(win_rate(float(lost.sum()), lost.size)),
        "bars_lost_by": {
            cause: float((games.lost_how == how).mean()) for how, cause in enumerate(CAUSES, start=KEPT + 1)
        },
        "pieces": float(games.pieces.mean()),
        "discards": float(games.discards.mean()),
        "covered": float(games.boards.mean()),
        "reaches_top": float(games.boards[:, :, -1].any(axis=2).mean()),
        "game_decisions": asdict(mean_interval(games.decisions.sum(axis=1).astype(np.float64))),
        "legal": _branching(games.legal),
        "game_visitors": {
            "mean": float(visitors.mean()),
            "most": int(visitors.max()),
            "over": int((visitors > POOL).sum()),
        },
        "seats": _by_turn_order(games) if players > 1 else [],
        "ties": float(((results.places(games.scores) == 1).sum(axis=1) > 1).mean()) if players > 1 else 0.0,
    }


def _branching(legal: Indices) -> dict[str, float]:
    """How many actions are legal at a decision, from how many decisions had k."""
    share = legal / legal.sum()
    reached = np.cumsum(share)
    return {
        "mean": float(share @ np.arange(legal.size)),
        "median": int(np.searchsorted(reached, 0.5)),
        "percentile_95": int(np.searchsorted(reached, 0.95)),
        "most": int(np.flatnonzero(legal)[-1]),
        "forced": float(share[1]),
    }


def _by_turn_order(games: Games) -> list[dict[str, Any]]:
    """Reward by place and share of wins of who starts, of who comes next and so on; a tied win is divided."""
    number, players = games.scores.shape
    seats = (games.starts[:, None] + np.arange(players)) % players
    scores = np.take_along_axis(games.scores, seats, axis=1)
    rewards = results.final_rewards("place", scores)
    best = results.places(scores) == 1
    wins = best / best.sum(axis=1, keepdims=True)
    return [
        {
            "score": float(scores[:, k].mean()),
            "reward": asdict(mean_interval(rewards[:, k])),
            "wins": asdict(win_rate(round(float(wins[:, k].sum()), 6), number)),
        }
        for k in range(players)
    ]
