"""Who can play a game, and with what parameters, as people are told it."""

from __future__ import annotations

import inspect

from rich.box import SIMPLE
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from manjerico.agents import registry
from manjerico.core.errors import choice
from manjerico.core.game import Game


def listing(game: Game) -> RenderableType:
    """A line for each kind of agents."""
    drawn = Table(box=SIMPLE, pad_edge=False)
    for heading in ("agent", "what it is", "parameters"):
        drawn.add_column(heading)
    for kind in registry.names(game):
        if kind in game.policies:
            drawn.add_row(kind, "scripted, compiled", "")
        else:
            factory = registry.factory(kind)
            drawn.add_row(kind, _first_line(factory), ", ".join(registry.parameters(factory)))
    return drawn


def details(game: Game, kind: str) -> RenderableType:
    """All parameters of a kind of agents, with their defaults, and what they mean.

    Raises:
        InputError: there is no such kind.
    """
    choice(kind, f"agent of {game.name}", registry.names(game))
    if kind in game.policies:
        return Text(f"{kind} takes no parameters")
    factory = registry.factory(kind)
    given = ",".join(
        f"{name}=" + ("..." if p.default in (None, p.empty) else str(p.default).lower())
        for name, p in registry.parameters(factory).items()
    )
    return Group(Text(f"{kind}:{given}", style="bold"), Text(), Text(inspect.getdoc(factory) or ""))


def _first_line(factory: registry.Factory) -> str:
    return (inspect.getdoc(factory) or "").partition("\n")[0].partition(";")[0].rstrip(".")
