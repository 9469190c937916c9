"""Agents by name: ``"greedy"``, ``"mcts:1000"``, ``"mcts:simulations=1000,rollout=greedy"``, ``"ppo:model.zip"``.

After the name comes what the agent's factory takes, as ``key=value``; its first parameter needs no key. Another
distribution offers its agents by the entry-point group ``manjerico.agents``: name = "module:factory".
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from types import NoneType
from typing import Any, get_args

from manjerico.agents.scripted import ScriptedAgent
from manjerico.core.agent import Agent
from manjerico.core.errors import InputError, choice
from manjerico.core.game import Game, find
from manjerico.core.rules import Rules

ENTRY_POINTS = "manjerico.agents"

Factory = Callable[..., Agent]
"""``factory(game, players, rules, seed, *, parameters)``: keyword-only parameters, each a str, int, float or bool, or
None as its default, with an annotation that says which."""

KEY = re.compile(r"[a-z_]+=")

_factories: dict[str, Factory] = {}


def register(name: str, factory: Factory) -> None:
    """Makes a kind of agents known in this process."""
    _factories[name] = factory


def names(game: Game) -> list[str]:
    """What kinds of agents there are for a game: its scripted policies first."""
    offered = (point.name for point in entry_points(group=ENTRY_POINTS))
    return list(dict.fromkeys([*game.policies, *_factories, *offered]))


def make(spec: str, game: str | Game, players: int | None = None, rules: Rules | None = None, seed: int = 0) -> Agent:
    """An agent for games of a kind.

    Args:
        spec: its name, then parameters; see the module's docstring.
        game: the game, or its name.
        players: how many play; by default the smallest number that the game allows.
        rules: the game's rules object; by default its default rules.
        seed: of the agent's own random choices.

    Returns:
        The agent; its ``name`` is ``spec``.

    Raises:
        InputError: there is no such agent, or it takes no such parameters.
    """
    game = find(game)
    players = game.check_players(game.players[0] if players is None else players)
    kind, _, rest = spec.partition(":")
    choice(kind, f"agent of {game.name}", names(game))
    make_agent = None if kind in game.policies else factory(kind)
    allowed = {} if make_agent is None else parameters(make_agent)
    if rest and not allowed:
        raise InputError(f"agent {spec!r}: {kind} takes no parameters")
    if make_agent is None:
        return ScriptedAgent(game, kind, rules)
    given = _parse(spec, rest, allowed)
    try:
        agent = make_agent(game, players, game.check_rules(rules), seed, **given)
    except InputError as error:
        raise InputError(f"agent {spec!r}: {error}") from None
    vars(agent)["name"] = spec  # what reports call it
    return agent


def factory(kind: str) -> Factory:
    """What makes agents of a kind that has a name here and is not scripted.

    Raises:
        InputError: a package that it needs is not installed.
    """
    if kind not in _factories:
        (point,) = entry_points(group=ENTRY_POINTS, name=kind)
        try:
            _factories[kind] = point.load()
        except ModuleNotFoundError as error:
            needed = f"the package {error.name}: install manjerico with its extra train"
            raise InputError(f"agent {kind!r} needs {needed}") from None
    return _factories[kind]


def parameters(factory: Factory) -> dict[str, inspect.Parameter]:
    """What a factory takes: its keyword-only parameters."""
    signature = inspect.signature(factory, eval_str=True)
    return {name: p for name, p in signature.parameters.items() if p.kind is p.KEYWORD_ONLY}


def _parse(spec: str, rest: str, allowed: Mapping[str, inspect.Parameter]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for place, item in enumerate(rest.split(",") if rest else []):
        if KEY.match(item):
            key, _, text = item.partition("=")
        elif place == 0:
            key, text = next(iter(allowed)), item
        else:
            raise InputError(f"agent {spec!r}: parameters are key=value, separated by commas, not {item!r}")
        choice(key, f"agent {spec!r}: parameter", allowed)
        if key in given:
            raise InputError(f"agent {spec!r}: {key} is given twice")
        given[key] = _convert(spec, key, text, allowed[key].annotation)
    missing = [key for key, p in allowed.items() if p.default is p.empty and key not in given]
    if missing:
        raise InputError(f"agent {spec!r}: {missing[0]} is missing: {spec.partition(':')[0]}:{missing[0]}=...")
    return given


BOOLEANS = {"true": True, "false": False}


def _convert(spec: str, key: str, text: str, annotation: Any) -> Any:
    (kind,) = [kind for kind in get_args(annotation) or (annotation,) if kind is not NoneType]
    if kind is bool:
        return BOOLEANS[choice(text.lower(), f"agent {spec!r}: {key}", BOOLEANS)]
    try:
        return kind(text)
    except ValueError:
        wanted = "an integer" if kind is int else "a number"
        raise InputError(f"agent {spec!r}: {key} must be {wanted}, not {text!r}") from None
