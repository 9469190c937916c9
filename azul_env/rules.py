"""The rule parameters of Azul: Summer Pavilion, with the two presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from azul_env.geometry import SIDES, TILES
from manjerico.core.errors import boolean, choice, integer
from manjerico.core.rules import Rules


@dataclass(frozen=True)
class AzulRules(Rules):
    """Where the two sources differ (``docs/rules-azul.md``). The defaults are the published rulebook of 2019.

    Raises:
        InputError: a field has a value that isn't allowed.
    """

    pillar_tiles: int = 1
    """Supply tiles for an enclosed pillar, 0..132 (C7)."""
    statue_tiles: int = 2
    """Supply tiles for an enclosed statue, 0..132 (C7)."""
    window_tiles: int = 3
    """Supply tiles for an enclosed window, 0..132 (C7)."""
    token_penalty_cap: int | None = None
    """The most points that the start marker costs, 0..132, or None for no cap (B5)."""
    centre_closed_at_floor: bool = False
    """Whether a player with 1 point may not be first to take from the centre while a display holds tiles (B5)."""
    number_bonus_each_round: bool = False
    """Whether sets of numbers pay at the end of the round of their completion, not at the end of the game (E2)."""
    voluntary_give_ups: bool = True
    """Whether a player who passes may keep fewer than four tiles (D2)."""
    side: str = "A"
    """The side of the player board."""

    def __post_init__(self) -> None:
        where = type(self).__name__
        for name in ("pillar_tiles", "statue_tiles", "window_tiles"):
            self._set(name, integer(getattr(self, name), f"{where}: {name}", 0, TILES))
        if self.token_penalty_cap is not None:
            cap = integer(self.token_penalty_cap, f"{where}: token_penalty_cap, unless None,", 0, TILES)
            self._set("token_penalty_cap", cap)
        for name in ("centre_closed_at_floor", "number_bonus_each_round", "voluntary_give_ups"):
            self._set(name, boolean(getattr(self, name), f"{where}: {name}"))
        choice(self.side, f"{where}: side", SIDES)

    @classmethod
    def rulebook(cls) -> Self:
        """The published rulebook of 2019: the default."""
        return cls()

    @classmethod
    def digest(cls) -> Self:
        """The digest of the rules, taken literally where it differs from the rulebook."""
        return cls(
            pillar_tiles=2,
            statue_tiles=2,
            window_tiles=3,
            token_penalty_cap=4,
            centre_closed_at_floor=True,
            number_bonus_each_round=True,
        )


PRESETS = {"rulebook": AzulRules.rulebook(), "digest": AzulRules.digest()}
"""The presets by name, for the command line."""
