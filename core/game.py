"""``Game``: the description of a game, against which everything else in ``core`` is written.

A game is one record dtype for its states and five compiled functions on arrays of such records:

``new_game(params, states, index, seed, players, start, tape)``
    sets a state up;
``legal_actions(params, states, index, words) -> count``
    writes the legal actions as a set (``core/bits.py``), none after the end;
``apply(params, states, index, action, tape)``
    carries out a legal action and all that follows up to the next decision;
``observe(params, states, index, seat, out)``
    writes what a seat sees as a float32 vector, with lookahead if ``out`` is that long;
``redeterminise(params, states, index, seed)``
    resamples what nobody knows, so that a search can't foresee it.

``params`` is an array of one record with the rule set and the tables made from it. ``tape`` notes or gives chance
outcomes (``core/tape.py``). Chance comes from the ``rng`` field (``core/rng.py``).

A *policy* is one more kind of compiled function, ``policy(params, states, index, words, stream) -> action``: it chooses
among the legal actions in ``words`` and draws from ``stream`` (uint64[2]), never from the state's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from manjerico.core import batch_driver, drivers
from manjerico.core.compile import direct, record_array
from manjerico.core.errors import InputError, choice
from manjerico.core.layout import ActionViews, Layout
from manjerico.core.rules import Rules

if TYPE_CHECKING:
    from rich.console import RenderableType

    from manjerico.core.match import Match

Records = npt.NDArray[np.void]
Kernel = Callable[..., Any]

ENTRY_POINTS = "manjerico.games"
"""The entry-point group under which a distribution offers its games: name = "module:GAME"."""

NOBODY = -1
"""The ``player`` of a state after the end of the game."""


def common_fields(seats: int, sources: int) -> list[tuple[Any, ...]]:
    """The fields with which every game's state begins; ``core`` reads no others."""
    return [
        ("rng", np.uint64, 2),  # the generator: key and number of draws
        ("score", np.int16, seats),  # points by seat
        ("sources", np.int16, (seats, sources)),  # points by seat and source, ``Game.sources``
        ("player", np.int8),  # seat to act, NOBODY after the end
        ("players", np.int8),  # seats in the game
        ("start", np.int8),  # seat that started the game
    ]


def state_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a game's states: aligned fields, and the gaps between them as fields too.

    NumPy copies a record field by field and leaves garbage in its gaps, but a state is its bytes.
    """
    aligned = np.dtype(fields, align=True)
    layout: list[tuple[str, Any, int]] = []
    at = 0
    for name in aligned.names or ():
        kind, start = aligned.fields[name][:2]  # type: ignore[index]  # it has fields
        if start > at:
            layout.append((f"gap_{at}", np.dtype((np.uint8, start - at)), at))
        layout.append((name, kind, start))
        at = start + kind.itemsize
    if aligned.itemsize > at:
        layout.append((f"gap_{at}", np.dtype((np.uint8, aligned.itemsize - at)), at))
    names, formats, offsets = zip(*layout, strict=True)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets}, align=True)


@dataclass(frozen=True, eq=False)
class Game:
    """One game: rules, compiled functions, sizes and words."""

    name: str
    """The name in records, on the command line and of the entry point."""
    title: str
    version: int
    """Raised when behaviour changes: the environment's name is ``<name>_v<version>``."""
    players: range
    """The numbers of players that the game allows."""
    rules: type[Rules]
    """The rules dataclass; called without arguments it gives the default rules."""
    presets: Mapping[str, Rules]
    state: np.dtype[Any]
    params: np.dtype[Any]
    sources: tuple[str, ...]
    """Names of the sources of points, as in the state's ``sources``."""
    make_params: Callable[[Any], Records]
    num_actions: Callable[[Any], int]
    """The number of action ids under a rule set."""
    max_chance: Callable[[Any], int]
    """The most chance outcomes in a game under a rule set."""
    layout: Callable[[Any, int], Layout]
    """The observation's layout for a rule set and a number of players."""
    fault: Callable[[Any, int, Any], str]
    """(rules, number of players, state record): what makes the state impossible, "" if it is possible. Compiled code
    trusts a state, so one that comes from outside must be checked."""
    describe: Callable[[Any, Any, int], str]
    """(rules, state record, action) in words."""
    draw: Callable[[Match], RenderableType]
    """A match as something that rich can print."""
    new_game: Kernel
    legal_actions: Kernel
    apply: Kernel
    observe: Kernel
    redeterminise: Kernel
    policies: Mapping[str, Kernel]
    """Scripted policies by name, from the weakest to the strongest."""
    lookahead: Callable[[Any, int], Layout] | None = None
    """The layout of an observation that goes on with what actions would bring; None: the game has no such."""
    action_views: Callable[[Any, int], ActionViews] | None = None
    """What actions have in common, in an observation with lookahead; None: nothing worth telling."""
    listing: Callable[[Any, Any, int], tuple[str, str]] | None = None
    """(rules, state record, action): the heading under which a list for people has the action, and the words there;
    None: a list without headings."""
    legend: str = ""
    """How people read what ``draw`` draws."""
    profile: Callable[[Any, Records], list[dict[str, float]]] | None = None
    """(rules, the states of a finished game: at its start and after each decision): for each seat figures that tell how
    it played, by name; None: the game has none beside the sources of points."""

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        return find, (self.name,)

    @functools.cached_property
    def types(self) -> tuple[Any, Any]:
        """The numba types of params and states."""
        return record_array(self.params), record_array(self.state)

    @functools.cached_property
    def entries(self) -> tuple[Kernel, Kernel, Kernel]:
        """``apply``, ``legal_actions`` and ``observe`` for calls from Python; types must be exact."""
        return direct(self.apply), direct(self.legal_actions), direct(self.observe)

    @functools.cached_property
    def default_rules(self) -> Rules:
        """The rules if nobody names others."""
        return self.rules()

    @property
    def strongest(self) -> str:
        """The name of the strongest scripted policy."""
        return list(self.policies)[-1]

    @functools.cached_property
    def step(self) -> Kernel:
        """See :func:`manjerico.core.drivers.make_step`; called directly, so types must be exact."""
        return direct(drivers.make_step(self))

    @functools.cached_property
    def playouts(self) -> Kernel:
        """See :func:`manjerico.core.drivers.make_playouts`."""
        return drivers.make_playouts(self)

    @functools.cached_property
    def choose(self) -> Kernel:
        """See :func:`manjerico.core.drivers.make_choose`."""
        return drivers.make_choose(self)

    @functools.cached_property
    def advance(self) -> Kernel:
        """See :func:`manjerico.core.drivers.make_advance`."""
        return drivers.make_advance(self)

    @functools.cached_property
    def observe_many(self) -> Kernel:
        """See :func:`manjerico.core.drivers.make_observe_many`."""
        return drivers.make_observe_many(self)

    @functools.cached_property
    def conceal(self) -> Kernel:
        """See :func:`manjerico.core.drivers.make_conceal`."""
        return drivers.make_conceal(self)

    @functools.cached_property
    def choose_many(self) -> Kernel:
        """See :func:`manjerico.core.drivers.make_choose_many`."""
        return drivers.make_choose_many(self)

    @functools.cached_property
    def batch_step(self) -> Kernel:
        """See :func:`manjerico.core.batch_driver.make_batch_step`."""
        return batch_driver.make_batch_step(self)

    @functools.cached_property
    def next_episode(self) -> Kernel:
        """See :func:`manjerico.core.batch_driver.make_next_episode`."""
        return batch_driver.make_next_episode(self)

    def observation(self, rules: Any, players: int, lookahead: bool) -> Layout:
        """The layout of what a player is shown.

        Raises:
            InputError: the game has no lookahead.
        """
        if not lookahead:
            return self.layout(rules, players)
        if self.lookahead is None:
            raise InputError(f"{self.name}: lookahead must be False, the game has none")
        return self.lookahead(rules, players)

    def check_players(self, players: Any) -> int:
        """``players`` if the game allows so many.

        Raises:
            InputError: otherwise.
        """
        allowed = ", ".join(map(str, self.players))
        if isinstance(players, bool) or not isinstance(players, int | np.integer) or int(players) not in self.players:
            raise InputError(f"{self.name}: num_players must be one of {allowed}, not {players!r}")
        return int(players)

    def check_rules(self, rules: Any) -> Rules:
        """``rules``, or the default rules for None.

        Raises:
            InputError: ``rules`` are not this game's.
        """
        if rules is None:
            return self.default_rules
        if not isinstance(rules, self.rules):
            raise InputError(f"{self.name}: rules must be {self.rules.__name__}(...), not {rules!r}")
        return rules

    def preset_rules(self, name: str | None) -> Rules:
        """The rules of a preset, or the default rules for None.

        Raises:
            InputError: the game has no such preset.
        """
        return self.default_rules if name is None else self.presets[choice(name, "--rules", self.presets)]


_registered: dict[str, Game] = {}


def register(game: Game) -> Game:
    """Makes a game known in this process that no installed distribution offers."""
    _registered[game.name] = game
    return game


def names() -> list[str]:
    """The names of all known games."""
    return sorted({*_registered, *(point.name for point in entry_points(group=ENTRY_POINTS))})


def find(name: str | Game) -> Game:
    """The game of that name: registered in this process, or offered by an installed distribution.

    Raises:
        InputError: there is none.
    """
    if isinstance(name, Game):
        return name
    if not isinstance(name, str) or name not in _registered:
        choice(name, "game", names())
        (point,) = entry_points(group=ENTRY_POINTS, name=name)
        _registered[name] = point.load()
    return _registered[name]
