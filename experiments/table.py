"""A table at which people, agents or both play one game; and what happened there, in words."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from manjerico.agents import registry
from manjerico.core import record, results
from manjerico.core.agent import Agent
from manjerico.core.match import Match
from manjerico.core.rng import SEEDS

HUMAN = "human"
"""Who sits where a person decides; so records call them too."""


class Table:
    """Who sits where, and the game so far.

    Args:
        positions: the game after 0, 1, 2, ... decisions. They are never changed, so whatever interrupts a step leaves
            the game as it was before; and going back restores everything, the generator of chance included.
        names: by seat, ``HUMAN`` or an agent as the registry takes it.
        note: of the game's record.

    Raises:
        InputError: there is no such agent.
    """

    def __init__(self, positions: list[Match], names: Sequence[str], note: str | None = None) -> None:
        self.positions = positions
        self.names = list(names)
        self._note = note
        self._seed = self.match.seed or 0
        self._agents = {seat: self.make(name, seat) for seat, name in enumerate(names) if name != HUMAN}

    @property
    def match(self) -> Match:
        """The game as it stands."""
        return self.positions[-1]

    @property
    def human_to_act(self) -> bool:
        """Whether a person decides now."""
        seat = self.match.current_player
        return seat is not None and seat not in self._agents

    def make(self, name: str, seat: int = 0) -> Agent:
        """An agent for this table."""
        match = self.match
        return registry.make(name, match.game, match.players, match.rules, self.seed_of(seat))

    def seed_of(self, seat: int | None) -> int:
        """Of a seat's random choices, the same whenever a game is resumed or a decision taken back."""
        return (self._seed + 1 + (seat or 0)) % SEEDS

    def ask(self) -> int:
        """What the agent whose turn it is decides."""
        seat = self.match.current_player
        assert seat is not None  # noqa: S101  # an agent is asked during the game only
        return self.match.choose(self._agents[seat], self.seed_of(seat))

    def apply(self, action: int) -> None:
        """Carries out a decision."""
        match = self.match.clone()
        match.apply(action)
        self.positions.append(match)

    def undo(self) -> bool:
        """Goes back to the previous decision of a person; False if there is none."""
        for decisions in reversed(range(len(self.positions) - 1)):
            if self.positions[decisions].current_player not in self._agents:
                del self.positions[decisions + 1 :]
                return True
        return False

    def record(self) -> record.Record:
        """The game so far, with the names of those who play."""
        return record.of_match(self.match, self.names, self._note)


def label(seat: int, names: Sequence[str] | None) -> str:
    """A seat and who sits there."""
    return f"player_{seat}" + (f" ({names[seat]})" if names else "")


def told(positions: Sequence[Match], decision: int, names: Sequence[str] | None) -> Text:
    """One decision in words, with what it changed in its player's score at once."""
    before, after = positions[decision : decision + 2]
    seat = before.current_player or 0
    text = Text.assemble((label(seat, names), "bold"), ": ", before.describe(after.actions[decision]))
    return text + points(after.scores[seat] - before.scores[seat])


def points(change: int) -> Text:
    """A change of a score, in brackets; nothing for none."""
    return Text(f" ({change:+d})", style="green" if change > 0 else "red") if change else Text()


def result(positions: Sequence[Match], names: Sequence[str] | None) -> Grid:
    """Places and scores of a finished game, with the points by source."""
    match, at_first = positions[-1], positions[0].scores
    grid = Grid("place", "", box=SIMPLE, padding=(0, 1, 0, 0))
    columns = ["start"] * any(at_first) + [*match.game.sources, "score"]
    for column in columns:
        grid.add_column(column, justify="right")
    places = results.places_of_game(match.scores)
    for seat in sorted(range(match.players), key=lambda seat: places[seat]):
        numbers = [at_first[seat]] * any(at_first) + [*match.breakdown(seat).values(), match.scores[seat]]
        grid.add_row(str(places[seat]), label(seat, names), *map(str, numbers))
    return grid


def show_end(console: Console, positions: Sequence[Match], names: Sequence[str] | None) -> None:
    """Prints the final board and the result."""
    console.print(positions[-1].game.draw(positions[-1]))
    console.print(result(positions, names))
