"""The balance of Arraial: many games by each agent, over the rule parameters that no source settles.

One parameter is changed at a time (``LEVELS``), for each number of players. What an agent's games come to under one
rule set is a *cell*: it is saved as soon as its games are over, so that a second call with the same settings goes on.

==================  ==========================================================================================
file                holds
==================  ==========================================================================================
``settings.json``   what all cells have in common: games, seed
``meta.json``       versions, git revision, command, start, for each call
``cells/``          the figures of each cell (:func:`manjerico.experiments.balance_games.summarise`)
``balance.md``      all figures as tables (``experiments/balance_report.py``)
``*.png``           the same as pictures
==================  ==========================================================================================
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gymnasium.spaces import Box, Discrete, flatdim
from rich.console import Console

from arraial_env.game import GAME
from arraial_env.geometry import DEFAULT_SHAPES, Shape, turns_of
from arraial_env.rules import ArraialRules
from manjerico.core.errors import InputError, first_line, integer
from manjerico.core.files import make_folder
from manjerico.experiments import runs
from manjerico.experiments.balance_games import POLICIES, Player, Scripted, Trained, play, summarise
from manjerico.experiments.progress import bar as progress_bar

MOST_GAMES = 2**20
MOST_SEED = 2**32 - 1

DEFAULT = ArraialRules()


def _drawn(*rows: str) -> Shape:
    """The cells of a piece that is drawn with ``#``, the top row first."""
    return tuple((x, y) for y, row in enumerate(reversed(rows)) for x, mark in enumerate(row) if mark == "#")


def _eighth(kind: int) -> tuple[Shape, ...]:
    """The seven tetrominoes, with another one than L as the second red piece."""
    return (*DEFAULT_SHAPES[:7], DEFAULT_SHAPES[kind])


SMALL_I, SMALL_L = _drawn("###"), _drawn("#.", "##")
TROMINOES = (SMALL_I, SMALL_L, SMALL_L, turns_of(SMALL_L)[1], SMALL_L, SMALL_I, SMALL_I, SMALL_L)
PENTOMINOES = (
    _drawn(".##", "###"),  # yellow P, an O and a square
    _drawn("#####"),
    _drawn("...#", "####"),  # blue L and J
    _drawn("#...", "####"),
    _drawn(".###", "##.."),  # green, a longer S and Z
    _drawn("###.", "..##"),
    _drawn(".#.", ".#.", "###"),  # red T and Y
    _drawn("..#.", "####"),
)

LEVELS: dict[str, dict[str, Any]] = {
    "height": {"10": 10, "11": 11, "12": 12, "13": 13, "14": 14, "15": 15, "16": 16},
    "width": {"6": 6, "7": 7, "8": 8, "9": 9},
    "bar_start": {str(bar): (bar,) * 4 for bar in range(5, 12)},
    "bar_drop": {"0": 0, "1": 1, "2": 2, "3": 3},
    "max_slide": {"0": 0, "1": 1, "2": 2, "any": None},
    "shapes": {
        "default": DEFAULT_SHAPES,
        "red T and J": _eighth(3),
        "red T and T": _eighth(6),
        "red T and O": _eighth(0),
        "red T and I": _eighth(1),
        "tetrominoes, 2 trominoes": (DEFAULT_SHAPES[0], SMALL_I, *DEFAULT_SHAPES[2:7], SMALL_L),
        "trominoes": TROMINOES,
        "pentominoes": PENTOMINOES,
    },
    "min_pieces": {"1 1 1": (1, 1, 1), "1 1 2": (1, 1, 2), "1 2 2": (1, 2, 2), "2 2 2": (2, 2, 2), "1 2 3": (1, 2, 3)},
    "couple_points": {"0": 0, "1": 1, "2": 2, "3": 3, "4": 4},
    "bar_visitors_score_at_end": {"no": False, "yes": True},
    "cards_per_type": {"1": (1, 2, 3, 3), "2": (2, 2, 3, 3), "3": (3, 2, 3, 3)},
}
"""The values of each parameter by label, for all numbers of players where a value holds one for each. The numbers of
cards are settled but for a player alone (A3)."""


@dataclass(frozen=True)
class Variant:
    """A rule set that differs from the default in one parameter, or the default itself (both names are empty)."""

    parameter: str
    label: str
    rules: ArraialRules

    @property
    def name(self) -> str:
        """For files and messages."""
        return f"{self.parameter}={self.label}" if self.parameter else "default"


@dataclass(frozen=True)
class Entrant:
    """An agent that plays cells."""

    name: str
    player: Player
    digest: str
    """What its file holds, as a hash; "" for a scripted policy."""
    shapes: tuple[int, int] | None = None
    """Sizes of the observation and of the action space that it is made for; None: it plays with any."""
    players: int | None = None
    """The number of players that it is made for; None: any."""

    def fits(self, variant: Variant, players: int) -> bool:
        """Whether it can play this variant."""
        if self.shapes is None:
            return True
        return players == self.players and self.shapes in _shapes(variant.rules, players)


@dataclass(frozen=True)
class Cell:
    """What an agent plays under one rule set, with all seats its own."""

    players: int
    entrant: Entrant
    variant: Variant

    @property
    def file(self) -> str:
        """The file's name, in ``cells/``."""
        return f"{self.players}-{in_files(self.entrant.name)}-{in_files(self.variant.name)}.json"

    def key(self) -> dict[str, Any]:
        """What the saved cell must agree with to be this one."""
        return {
            "players": self.players,
            "agent": self.entrant.name,
            "digest": self.entrant.digest,
            "version": GAME.version,
            "parameter": self.variant.parameter,
            "label": self.variant.label,
            "rules": self.variant.rules.as_dict(),
        }


def in_files(name: str) -> str:
    """A name as files have it."""
    return re.sub(r"[^\w=.-]+", "-", name)


def _shapes(rules: ArraialRules, players: int) -> list[tuple[int, int]]:
    """Sizes of the observation, without lookahead and with it, and of the action space."""
    layouts = [GAME.observation(rules, players, lookahead) for lookahead in (False, True)]
    return [(layout.size, GAME.num_actions(rules)) for layout in layouts]


def label_of_default(parameter: str, players: int) -> str:
    """How the default is called among a parameter's levels; "" if it isn't among them."""
    default = _effective(DEFAULT, players)
    for label, value in LEVELS[parameter].items():
        if _effective(replace(DEFAULT, **{parameter: value}), players) == default:
            return label
    return ""


def _effective(rules: ArraialRules, players: int) -> ArraialRules:
    """The rules with all that other numbers of players have made alike, so that equal games have equal rules."""
    bar, cards = rules.bar_start[players - 1], rules.cards_per_type[players - 1]
    return replace(rules, bar_start=(bar,) * 4, cards_per_type=(cards,) * 4)


def variants(players: int) -> list[Variant]:
    """The default and all that differs from it in one parameter, in a game of so many players."""
    found = [Variant("", "", DEFAULT)]
    for parameter, levels in LEVELS.items():
        for label, value in levels.items():
            rules = replace(DEFAULT, **{parameter: value})
            if _effective(rules, players) != _effective(DEFAULT, players):
                found.append(Variant(parameter, label, rules))
    return found


def load_agent(path: Path) -> Entrant:
    """A trained model as an agent that always takes its most likely action.

    Raises:
        InputError: the file is no MaskablePPO model, or for no number of players under the default rules.
    """
    try:
        import torch
        from sb3_contrib import MaskablePPO

        from manjerico.agents.network import NetworkAgent
        from manjerico.experiments import checkpoint
    except ModuleNotFoundError as error:
        raise InputError(f"--agent needs the package {error.name}: install manjerico with its extra train") from None
    torch.set_num_threads(1)
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        model = MaskablePPO.load(path, device="cpu")
        spaces = model.observation_space, model.action_space
        shapes = flatdim(spaces[0]), flatdim(spaces[1])
    except Exception as error:  # whatever the readers of a zip file, its JSON, pickles and tensors raise
        raise InputError(f"{path}: not a trained MaskablePPO model: {first_line(error):.200}") from None
    if not (isinstance(spaces[0], Box) and len(spaces[0].shape) == 1 and isinstance(spaces[1], Discrete)):
        raise InputError(f"{path}: a model for Arraial has a flat Box and a Discrete space, not {spaces}")
    if not checkpoint.is_sound(model.policy):
        raise InputError(f"{path}: its weights are not all numbers up to {checkpoint.LARGEST_WEIGHT:,.0f}")
    made_for = [players for players in GAME.players if shapes in _shapes(DEFAULT, players)]
    if not made_for:
        raise InputError(
            f"{path}: its observations of {shapes[0]} numbers and {shapes[1]} actions are not those of Arraial under "
            "the default rules with any number of players"
        )
    short, _ = _shapes(DEFAULT, made_for[0])
    agent = NetworkAgent(model, skip_lookahead=shapes == short)
    return Entrant(path.stem, Trained(agent), digest, shapes, made_for[0])


def entrants(models: Sequence[Path]) -> list[Entrant]:
    """The scripted policies and these models.

    Raises:
        InputError: a model can't be used, or has the name of another agent.
    """
    found = [Entrant(name, Scripted(name), "") for name in POLICIES]
    for path in models:
        entrant = load_agent(path)
        taken = [other.name for other in found if in_files(other.name) == in_files(entrant.name)]
        if taken:
            raise InputError(f"{path}: there is an agent {taken[0]!r} already; agents are called as their files")
        found.append(entrant)
    return found


def cells(agents: Sequence[Entrant], numbers: Sequence[int] = GAME.players) -> list[Cell]:
    """All cells that these agents can play, the default rules first."""
    found = [
        Cell(players, entrant, variant)
        for players in numbers
        for variant in variants(players)
        for entrant in agents
        if entrant.fits(variant, players)
    ]
    return sorted(found, key=lambda cell: cell.variant.parameter != "")


def run(games: int, seed: int, models: Sequence[Path], folder: Path, console: Console) -> None:
    """Plays all cells that the folder doesn't hold yet, and writes the report on all that it then holds.

    Raises:
        InputError: a setting is wrong, or the folder holds cells of other settings.
        KeyboardInterrupt: all cells that were finished are saved.
    """
    settings = {
        "games": integer(games, "--games", 2, MOST_GAMES),
        "seed": integer(seed, "--seed", 0, MOST_SEED),
    }
    wanted = cells(entrants(models))
    make_folder(folder / "cells")
    with runs.locked(folder):
        _agree(folder / "settings.json", settings)
        missing = [cell for cell in wanted if not _saved(folder, cell, settings)]
        if missing:
            _add_meta(folder / "meta.json", seed)
        with progress_bar(console) as progress:
            task = progress.add_task("", total=len(wanted), completed=len(wanted) - len(missing))
            for cell in missing:
                told = f"{cell.players} {cell.entrant.name} {cell.variant.name}"
                progress.update(task, description=f"{told:.28}")
                figures = summarise(play(cell.entrant.player, games, cell.players, cell.variant.rules, seed))
                noted = {**cell.key(), **settings, "figures": figures, "hash": _hash(figures)}
                runs.write_json(folder / "cells" / cell.file, noted)
                progress.advance(task)
        write_report(folder, console)


def write_report(folder: Path, console: Console) -> None:
    """Writes tables and pictures from the cells in the folder."""
    from manjerico.experiments import balance_report  # imports matplotlib, when there is something to draw

    for path in balance_report.write(folder, list(read(folder))):
        console.print(str(path), soft_wrap=True, highlight=False)


def read(folder: Path) -> Iterator[dict[str, Any]]:
    """The cells in a folder, by players, then as ``variants`` lists them, then by agent: scripted ones first.

    Raises:
        InputError: a file is damaged.
    """
    found = [_read(path) for path in sorted((folder / "cells").glob("[0-9]-*.json"))]
    for players in GAME.players:
        for variant in variants(players):
            here = [c for c in found if c["players"] == players and c["rules"] == variant.rules.as_dict()]
            yield from sorted(here, key=lambda cell: _rank(cell["agent"]))


def _rank(agent: str) -> tuple[int, str]:
    return (POLICIES.index(agent) if agent in POLICIES else len(POLICIES)), agent


def _read(path: Path) -> dict[str, Any]:
    try:
        cell: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        whole = cell["hash"] == _hash(cell["figures"]) and {"players", "rules", "agent"} <= cell.keys()
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"{path}: damaged ({error!r}); remove it to have its games played again") from None
    if not whole:
        raise InputError(f"{path}: damaged (its figures were changed); remove it to have its games played again")
    return cell


def _hash(figures: Any) -> str:
    """Of a cell's figures as JSON, which tells a damaged file."""
    return hashlib.sha256(json.dumps(figures, sort_keys=True).encode()).hexdigest()


def _saved(folder: Path, cell: Cell, settings: dict[str, Any]) -> bool:
    """Whether the cell is saved.

    Raises:
        InputError: there is one of another model, other rules or settings.
    """
    path = folder / "cells" / cell.file
    if not path.exists():
        return False
    saved = _read(path)
    for name, value in {**cell.key(), **settings}.items():
        if saved.get(name) != value:
            what = f"another file {cell.entrant.name}.zip" if name == "digest" else f"another {name}"
            raise InputError(f"{path} was made with {what}; choose another folder with --out")
    return True


def _agree(path: Path, settings: dict[str, Any]) -> None:
    """Notes the settings, or compares them with those of the calls before.

    Raises:
        InputError: they differ, or the file is damaged.
    """
    if not path.exists():
        runs.write_json(path, settings)
        return
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        before = {name: saved[name] for name in settings}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"{path}: damaged ({error!r}); choose another folder with --out") from None
    for name, value in settings.items():
        if before[name] != value:
            begun = f"{path.parent} was begun with --{name} {before[name]}, not {value}"
            raise InputError(f"{begun}; choose another folder with --out")


def _add_meta(path: Path, seed: int) -> None:
    try:
        calls = list(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else []
    except (OSError, ValueError, TypeError):
        calls = []  # a note that can't be read is no reason to stop
    runs.write_json(path, [*calls, runs.meta(seed, DEFAULT.as_dict())])
