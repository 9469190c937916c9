"""Azul: Summer Pavilion as a PettingZoo AEC environment.

| | |
|---|---|
| Import | `from azul_env import azul_v0` |
| Agents | `player_0` .. `player_1` (up to `player_3`) |
| Actions | Discrete(325), masked |
| Observations | `{"observation": float32 vector, "action_mask": int8[325]}` |
| Observation shape | (299,) with 2 players, (386,) with 3, (473,) with 4 |
| Parallel API | no |

Two to four players draft tiles from displays and place them on the seven stars of their board, for six rounds. The
rules, numbered, with what implements and proves each, are in `docs/rules-azul.md`.

### Observation

Everything public, as the observing player sees it: the table, each display, then the players from the observer on in
turn order, then an outlook on the observer's own board. Counts are divided by what is usual, so values lie in about
0..1.
The slices are named in `azul_env/observation.py`; `docs/observation-azul.md` lists them. The order of the bag is
hidden from everybody; its contents are not.

The action mask holds the legal actions of the agent to act; it is all zeros for the others and after the end.

### Actions

| ids | meaning |
|---|---|
| 0-59 | take a colour from a source: 6 * source + colour; displays 0-8 (shown as 1-9), centre 9 |
| 60-185 | place on outer star i, space n, with k wild tiles: 60 + 21 i + n (n - 1) / 2 + k |
| 186-311 | place colour c on centre space n with k wild tiles: 186 + 3 n (n - 1) + n c + k |
| 312-317 | pick a tile of a colour from the supply |
| 318-323 | give up a tile of a colour |
| 324 | pass |

Colours: 0 orange, 1 red, 2 blue, 3 yellow, 4 green, 5 purple. `azul_env.actions.describe` says an id in words.

### Rewards

| `reward` | what an agent gets |
|---|---|
| `"place"` (default) | at the end (players beaten - players who beat it) / (players - 1); the sum is 0 |
| `"margin"` | at the end its points minus the best opponent's, times 1/50 |
| `"dense"` | each change of its own score when it happens, end bonuses included, times 1/50 |
| `"lead"` | each change of the same margin when it happens, times 1/50 |

`reward_scale` replaces the factor. At the end every agent's `info` holds its `score`, `place` and points by source:
score = 5 + `placements` + `stars` + `numbers` - `losses`. Until then they are 0, also after an illegal action.

### Arguments

`num_players` (2-4) · `rules` (`AzulRules.rulebook()`, `AzulRules.digest()` or your own) · `reward`, `reward_scale` ·
`illegal_action` (`"terminate"`, `"raise"`, `"random"`) · `render_mode` (`"ansi"`, `"human"`). An episode begins with
`reset(seed, options={"start": seat})`.

### Version history

* v0: first version.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from azul_env.game import GAME
from azul_env.rules import AzulRules
from manjerico.core.aec import GameEnv
from manjerico.core.match import Match

if TYPE_CHECKING:  # imported when they are wanted: they compile more than one game needs
    from manjerico.core.single import SingleAgentEnv
    from manjerico.core.vector import GameVectorEnv


def env(**options: Any) -> GameEnv:
    """The environment, with the arguments above; an illegal action that ends the game is also logged as a warning.

    It does natively what PettingZoo's order-enforcing, out-of-bounds and illegal-action wrappers do.
    """
    return GameEnv(GAME, **options)


def raw_env(**options: Any) -> GameEnv:
    """The environment without warnings; range and legality of actions are tested all the same."""
    return GameEnv(GAME, warn=False, **options)


def single_env(num_players: int = 2, **options: Any) -> SingleAgentEnv:
    """One seat as a Gymnasium environment: ``gymnasium.make("AzulSummerPavilion-v0")``."""
    from manjerico.core.single import SingleAgentEnv

    return SingleAgentEnv(GAME, num_players, **options)


def vector_env(num_envs: int = 1, num_players: int = 2, **options: Any) -> GameVectorEnv:
    """Many games as a Gymnasium vector environment: ``gymnasium.make_vec("AzulSummerPavilion-v0", num_envs)``."""
    from manjerico.core.vector import GameVectorEnv

    return GameVectorEnv(GAME, num_envs, num_players, **options)


def new_game(
    seed: int | None = None,
    num_players: int = 2,
    rules: AzulRules | None = None,
    start: int = 0,
    chance: Sequence[int] = (),
) -> Match:
    """A single game, for search, notebooks and puzzles; see :class:`manjerico.core.match.Match`."""
    return Match(GAME, num_players, rules, seed, start, chance)
