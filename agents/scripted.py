"""A game's scripted policies as agents."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from manjerico.core.errors import choice
from manjerico.core.game import Game, Records
from manjerico.core.rules import Rules


class ScriptedAgent:
    """One of ``Game.policies``. It looks at the states, since compiled policies read them; see their sources for what.

    Args:
        game: which game.
        rules: its rules object; by default its default rules.
        policy: the name.

    Raises:
        InputError: the game has no such policy.
    """

    needs_states = True

    def __init__(self, game: Game, policy: str, rules: Rules | None = None) -> None:
        self.game = game
        self.name = policy
        self._which = list(game.policies).index(choice(policy, "policy", game.policies))
        rules = game.check_rules(rules)
        self._params = game.make_params(rules)
        self._words = np.zeros((game.num_actions(rules) + 63) // 64, np.uint64)

    def act(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8], states: Records
    ) -> npt.NDArray[np.int64]:
        """One legal action for each state."""
        actions = np.zeros(states.size, np.int64)
        self.game.choose_many(self._which, self._params, states, self._words, actions)
        return actions
