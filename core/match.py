"""``Match``: one game being played. The plain single-game object for search, notebooks, puzzles and records."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from manjerico.core import drawing, results, tape
from manjerico.core.agent import Agent, AnalysingAgent, Estimate, ask, concealed, name_of
from manjerico.core.drivers import ILLEGAL, list_members
from manjerico.core.errors import InputError, integer, shown
from manjerico.core.game import NOBODY, Game
from manjerico.core.games import check_actions
from manjerico.core.rng import SEEDS
from manjerico.core.rules import Rules


class IllegalActionError(InputError):
    """An action that the rules don't allow here."""


class Match:
    """One game: its state, and all decisions and chance outcomes since the start.

    Args:
        game: the game's description.
        players: number of players; by default the smallest that the game allows.
        rules: the game's rules object; by default its default rules.
        seed: decides all chance, 0 <= seed < 2**64; by default a fresh one is drawn.
        start: the seat that starts.
        chance: outcomes for the draws to come, the set-up's first, in the order of a record; once they are used up,
            the seed decides.

    Raises:
        InputError: one of them has a value that isn't allowed.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        rules: Rules | None = None,
        seed: int | None = None,
        start: int = 0,
        chance: Sequence[int] = (),
    ) -> None:
        self.game = game
        self.players = game.check_players(game.players[0] if players is None else players)
        self.rules = game.check_rules(rules)
        self.num_actions = game.num_actions(self.rules)
        self._params = game.make_params(self.rules)
        self._sizes: dict[bool, int] = {}  # of observations, without lookahead and with it
        self._words = np.zeros((self.num_actions + 63) // 64, np.uint64)
        self.begin(seed, start, chance)

    def begin(self, seed: int | None = None, start: int = 0, chance: Sequence[int] = ()) -> None:
        """Starts a new game with the same rules and players; arguments as for the constructor."""
        seed = secrets.randbits(64) if seed is None else integer(seed, "seed", 0, SEEDS - 1)
        start = integer(start, "start", 0, self.players - 1)
        notes = tape.blank(self.game.max_chance(self.rules))
        tape.give(notes, chance)
        states = np.zeros(1, self.game.state)
        self.game.new_game(self._params, states, 0, np.uint64(seed), self.players, start, notes)
        tape.check(notes)
        self.start = start
        self.seed: int | None = None if len(chance) else seed
        self.actions: list[int] = []
        self._whole = True
        self._tape = notes
        self._states = states
        self._refresh()

    def _refresh(self) -> None:
        _, legal_actions, _ = self.game.entries
        legal_actions(self._params, self._states, 0, self._words)

    def __repr__(self) -> str:
        turn = "over" if self.is_over else f"seat {self.current_player} to act"
        return f"<Match {self.game.name}: {self.players} players, {len(self.actions)} decisions, {turn}>"

    def __str__(self) -> str:
        """The board as text."""
        return drawing.to_text(self.game.draw(self))

    @property
    def state(self) -> Any:
        """The state's record; see the game's ``state.py``. After changing it by hand call :meth:`set_state`."""
        return self._states[0]

    @property
    def current_player(self) -> int | None:
        """The seat to act, None after the end."""
        player = int(self._states["player"][0])
        return None if player == NOBODY else player

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.current_player is None

    @property
    def is_whole(self) -> bool:
        """Whether all is known since the start, so that the match can be recorded; False after :meth:`set_state`."""
        return self._whole

    @property
    def scores(self) -> list[int]:
        """Points by seat, as they stand."""
        points: list[int] = self._states["score"][0, : self.players].tolist()
        return points

    @property
    def chance(self) -> list[int]:
        """All chance outcomes so far, as in a record."""
        return tape.noted(self._tape)

    def breakdown(self, seat: int) -> dict[str, int]:
        """The points of a seat by source, as they stand (H2)."""
        points = self._states["sources"][0, integer(seat, "seat", 0, self.players - 1)].tolist()
        return dict(zip(self.game.sources, points, strict=True))

    def legal_actions(self) -> list[int]:
        """The ids of the legal actions, ascending; empty after the end."""
        members = np.empty(self.num_actions, np.int64)
        legal: list[int] = members[: list_members(self._words, members)].tolist()
        return legal

    def action_mask(self) -> npt.NDArray[np.int8]:
        """1 for each legal action (int8 [num_actions])."""
        return np.unpackbits(self._words.view(np.uint8), count=self.num_actions, bitorder="little").view(np.int8)

    def is_legal(self, action: int) -> bool:
        """Whether an action is legal.

        Raises:
            InputError: it is no action id.
        """
        return self._has(self._check_range(action))

    def _has(self, action: int) -> bool:
        return bool(int(self._words[action >> 6]) >> (action & 63) & 1)

    def describe(self, action: int) -> str:
        """An action in words."""
        return self.game.describe(self.rules, self.state, self._check_range(action))

    def _check_range(self, action: Any) -> int:
        return integer(action, f"{self.game.name}: action", 0, self.num_actions - 1)

    def check_legal(self, action: Any) -> int:
        """``action`` if it is legal.

        Raises:
            InputError: it is no action id.
            IllegalActionError: it is not legal here.
        """
        action_id = self._check_range(action)
        if self._has(action_id):
            return action_id
        if self.current_player is None:
            raise IllegalActionError(f"{self.game.name}: action {action_id} comes after the end of the game")
        raise IllegalActionError(
            f"{self.game.name}: action {action_id} ({self.describe(action_id)}) is not legal for player "
            f"{self.current_player} at decision {len(self.actions)}; {int(self.action_mask().sum())} actions are"
        )

    def apply(self, action: int) -> None:
        """Carries out an action.

        Raises:
            InputError: the action is not legal, or an outcome that was given is impossible. Then nothing has happened,
                and given outcomes that were still pending are dropped.
        """
        action = self.check_legal(action)
        before = (self._states.copy(), self._tape.copy()) if tape.pending(self._tape) else None
        apply, _, _ = self.game.entries
        apply(self._params, self._states, 0, action, self._tape)
        if before is not None:
            try:
                tape.check(self._tape)
            except InputError:
                self._states, self._tape = before
                tape.drop_pending(self._tape)
                raise
        self.actions.append(action)
        self._refresh()

    def give_chance(self, outcomes: Sequence[int]) -> None:
        """Gives outcomes for the draws to come, after those given before; then the generator decides again.

        Raises:
            InputError: they are no outcomes, or more than a game can have.
        """
        tape.give(self._tape, outcomes)
        if len(outcomes):
            self.seed = None

    @property
    def pending_chance(self) -> int:
        """How many given outcomes have not been used yet."""
        return tape.pending(self._tape)

    def drop_pending_chance(self) -> None:
        """Forgets the outcomes given for draws to come: the generator decides them."""
        tape.drop_pending(self._tape)

    def _step(self, action: int, observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> int:
        """``apply`` for an environment: one call that also writes what the next player sees and may do.

        Returns:
            The next player, ``NOBODY`` after the end, or ``ILLEGAL`` with nothing changed.
        """
        player: int = self.game.step(self._params, self._states, 0, action, self._tape, self._words, observation, mask)
        if player != ILLEGAL:
            self.actions.append(action)
        return player

    def observation(self, seat: int | None = None, lookahead: bool = False) -> npt.NDArray[np.float32]:
        """What a seat sees, by default the current player (float32, of the layout :meth:`Game.observation`)."""
        seat = self.current_player or 0 if seat is None else integer(seat, "seat", 0, self.players - 1)
        size = self._sizes.get(lookahead)
        if size is None:
            size = self._sizes[lookahead] = self.game.observation(self.rules, self.players, lookahead).size
        return self._observe(seat, size)

    def _observe(self, seat: int, size: int) -> npt.NDArray[np.float32]:
        """``observation`` for an environment, which knows the layout's size."""
        out = np.empty(size, np.float32)
        _, _, observe = self.game.entries
        observe(self._params, self._states, 0, seat, out)
        return out

    def choose(self, policy: str | Agent, seed: int = 0) -> int:
        """What a scripted policy, by its name, or an agent would do here.

        Args:
            policy: who is asked. An agent sees the observation with lookahead, where the game has one.
            seed: decides where it decides at random, and what an agent that looks at states sees in place of what
                nobody knows.

        Raises:
            InputError: the game has no such policy, the game is over, or the agent's action is not legal.
        """
        agent = policy if isinstance(policy, Agent) else None
        number = 0 if agent else self._policy(policy)
        if self.is_over:
            raise InputError(f"{self.game.name}: the game is over, there is nothing to choose")
        stream = self._stream(seed)
        return self._choose(number, stream) if agent is None else self._ask(agent, stream)

    def _policy(self, name: Any) -> int:
        if isinstance(name, str) and name in self.game.policies:
            return list(self.game.policies).index(name)
        raise InputError(
            f"policy must be one of {', '.join(self.game.policies)}, or an agent, as manjerico.agents.registry.make() "
            f"returns it, not {shown(name)}"
        )

    def analyse(self, agent: AnalysingAgent, seed: int = 0) -> list[Estimate]:
        """What an agent thinks of the actions here, best first; ``seed`` as for :meth:`choose`.

        Raises:
            InputError: the game is over, the agent can't analyse, or it speaks of an action that is not legal.
        """
        if not isinstance(agent, AnalysingAgent):
            raise InputError(
                f"{self.game.name}: only agents that search can analyse, as manjerico.agents.registry.make() returns "
                f"them, not {name_of(agent)}"
            )
        if self.is_over:
            raise InputError(f"{self.game.name}: the game is over, there is nothing to analyse")
        (rows,) = agent.analyse(concealed(self.game, self._params, self._states, self._stream(seed)[None]))
        return [Estimate(self.check_legal(action), value, share) for action, value, share in rows]

    def _stream(self, seed: int) -> npt.NDArray[np.uint64]:
        """For an agent's random choices here: one that depends on the decision's number too."""
        return np.array([integer(seed, "seed", 0, SEEDS - 1), len(self.actions)], np.uint64)

    def _ask(self, agent: Agent, stream: npt.NDArray[np.uint64]) -> int:
        rows = self.observation(lookahead=self.game.lookahead is not None)[None], self.action_mask()[None]
        decided = ask(agent, self.game, self._params, self._states, stream[None], *rows)
        return self.check_legal(int(check_actions(self.game, decided, 1, f"{name_of(agent)}: ")[0]))

    def _choose(self, number: int, stream: npt.NDArray[np.uint64]) -> int:
        """``choose`` for an environment: by the policy's number, with a stream that goes on."""
        action: int = self.game.choose(number, self._params, self._states, 0, self._words, stream)
        return action

    def returns(self) -> list[float]:
        """The reward by place of each seat (H1), zeros until the end."""
        if not self.is_over:
            return [0.0] * self.players
        return results.rewards_of_game("place", self.scores)

    def get_state(self) -> bytes:
        """The state's bytes, the generator included."""
        return self._states.tobytes()

    def set_state(self, state: bytes) -> None:
        """Goes on from a state of the same rules and number of players; what was played before is forgotten.

        A match set to a state can't be recorded, since its record would not replay.

        Raises:
            InputError: the bytes are no such state.
        """
        if not isinstance(state, bytes | bytearray) or len(state) != self.game.state.itemsize:
            raise InputError(f"{self.game.name}: a state is {self.game.state.itemsize} bytes, not {state!r:.60}")
        states = np.frombuffer(state, self.game.state).copy()
        if int(states["players"][0]) != self.players:
            raise InputError(f"{self.game.name}: that state has {states['players'][0]} players, not {self.players}")
        fault = self.game.fault(self.rules, self.players, states[0])
        if fault:
            raise InputError(f"{self.game.name}: that state is impossible: {fault}")
        self._states = states
        self.actions = []
        self._tape = tape.blank(self.game.max_chance(self.rules))
        self.seed = None
        self._whole = False
        self._refresh()

    def redeterminise(self, seed: int) -> None:
        """Resamples what nobody knows: from here on chance is decided by ``seed``. Search must do this to a clone."""
        self.game.redeterminise(self._params, self._states, 0, np.uint64(integer(seed, "seed", 0, SEEDS - 1)))
        self.seed = None

    def clone(self) -> Self:
        """An independent copy."""
        return copy.deepcopy(self)
