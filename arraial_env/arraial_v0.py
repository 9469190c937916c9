"""Arraial as a PettingZoo AEC environment.

| | |
|---|---|
| Import | `from arraial_env import arraial_v0` |
| Agents | `player_0` .. `player_1` (`player_0` alone, or up to `player_3`) |
| Actions | Discrete(344), masked |
| Observations | `{"observation": float32 vector, "action_mask": int8[344]}` |
| Observation shape | (769,) with 1 player, (920,) with 2 players, (1071,) with 3, (1222,) with 4 |
| Longer by | 360 with `lookahead=True` |
| Parallel API | no |

One to four players let pieces fall into their streets, as the rotating octagon in the middle shows them, for three
phases. The rules, numbered, with what implements and proves each, are in `docs/rules-arraial.md`. Sizes and ids on this
page are those of the default board, 8 columns by 14 rows; other rules have others. One player alone plays for score;
that is a Gymnasium environment too, `gymnasium.make("Arraial-v0")` (`manjerico/core/single.py`).

### Observation

Everything public, as the observing player sees it: the phase and the piles, each card of the octagon and of the row
with its piece as the observer sees it turned now, then the players from the observer on in turn order. With
`lookahead=True` it goes on with where the octagon's pieces may come to rest on the observer's own board, now and after
one or two rotations, and what that would bring. Counts are divided by what is usual, so values lie in about 0..1.
The slices are named in `arraial_env/observation.py`; `docs/observation-arraial.md` lists them. The order of the pile is
hidden from everybody; its contents are not.

The action mask holds the legal actions of the agent to act; it is all zeros for the others and after the end.

### Actions

| ids | meaning |
|---|---|
| 0-335 | place the piece of slot s with its bounding box's corner at column x, row y: 112 s + 8 y + x |
| 336 | rotate the octagon by 90 degrees clockwise |
| 337 | end the turn |
| 338-340 | refill the lowest empty slot with card 0, 1 or 2 of the row |
| 341-343 | discard the card of slot 0, 1 or 2 unplaced |

Slots are 0-2, columns count from the left and rows from the bottom. On a board of W columns and H rows there are
3 W H + 8 ids, and the placements are W H s + W y + x. `arraial_env.actions.describe` says an id in words.

### Rewards

| `reward` | what an agent gets |
|---|---|
| `"place"` (default) | at the end (players beaten - players who beat it) / (players - 1); the sum is 0 |
| `"margin"` | at the end its points minus the best opponent's, times 1/50 |
| `"dense"` | each change of its own score when it happens, couples lost to others included, times 1/50 |
| `"lead"` | each change of the same margin when it happens, times 1/50 |

A player alone gets at the end the score, times 1/50, under `"place"` and `"margin"` alike. `reward_scale` replaces the
factor. At the end every agent's `info` holds its `score`, `place` and points by source:
score = `coloured` + `white` + `couples`. Until then they are 0, also after an illegal action.

### Arguments

`num_players` (1-4, by default 2) · `rules` (`ArraialRules.rulebook()` or your own) · `reward`, `reward_scale` ·
`illegal_action` (`"terminate"`, `"raise"`, `"random"`) · `render_mode` (`"ansi"`, `"human"`) · `lookahead` (`False`
or `True`; see above). An episode begins with `reset(seed, options={"start": seat})`.

### Version history

* v0: first version.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arraial_env.game import GAME
from arraial_env.rules import ArraialRules
from manjerico.core.aec import GameEnv
from manjerico.core.match import Match

if TYPE_CHECKING:  # imported when they are wanted: they compile more than one game needs
    from manjerico.core.single import SingleAgentEnv
    from manjerico.core.vector import GameVectorEnv


def env(num_players: int = 2, **options: Any) -> GameEnv:
    """The environment, with the arguments above; an illegal action that ends the game is also logged as a warning.

    It does natively what PettingZoo's order-enforcing, out-of-bounds and illegal-action wrappers do.
    """
    return GameEnv(GAME, num_players, **options)


def raw_env(num_players: int = 2, **options: Any) -> GameEnv:
    """The environment without warnings; range and legality of actions are tested all the same."""
    return GameEnv(GAME, num_players, warn=False, **options)


def single_env(num_players: int = 1, **options: Any) -> SingleAgentEnv:
    """One seat as a Gymnasium environment, by default a score attack: ``gymnasium.make("Arraial-v0")``."""
    from manjerico.core.single import SingleAgentEnv

    return SingleAgentEnv(GAME, num_players, **options)


def vector_env(num_envs: int = 1, num_players: int = 1, **options: Any) -> GameVectorEnv:
    """Many games as a Gymnasium vector environment: ``gymnasium.make_vec("Arraial-v0", num_envs)``."""
    from manjerico.core.vector import GameVectorEnv

    return GameVectorEnv(GAME, num_envs, num_players, **options)


def new_game(
    seed: int | None = None,
    num_players: int = 2,
    rules: ArraialRules | None = None,
    start: int = 0,
    chance: Sequence[int] = (),
) -> Match:
    """A single game, for search, notebooks and puzzles; see :class:`manjerico.core.match.Match`."""
    return Match(GAME, num_players, rules, seed, start, chance)
