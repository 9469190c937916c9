"""The observation: decoded by its layout it is the whole public position, from every seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import azul_reference as reference
import numpy as np
import pytest
from players import azul

from azul_env import AzulRules, azul_v0
from azul_env.observation import HIGHEST_SCORE, layout
from azul_env.state import ACQUIRE, PLAY
from manjerico.core.match import Match

HIDDEN = {"rng"}
"""Fields of the state that no player may see."""
HISTORY = {"start", "sources"}
"""Fields that tell of the past and decide nothing to come."""
DERIVED = {"offers", "wild", "bag_size", "tower_size", "supply_size"}
"""Fields that repeat others (``test_compare.py`` checks them)."""

DOCS = Path(__file__).parents[2] / "docs" / "observation-azul.md"


def flag(seen: dict[str, Any], name: str, seats: list[str]) -> list[bool]:
    return [bool(seen[f"{prefix}.{name}"][0]) for prefix in seats]


def decoded(observation: np.ndarray, seat: int, players: int) -> dict[str, Any]:
    """The position by the fields of the state, from nothing but an observation."""
    seen = layout(players).decode(observation)
    prefixes = ["me", *(f"opponent_{k}" for k in range(1, players))]
    by_seat = [prefixes[(other - seat) % players] for other in range(players)]

    def holder(name: str) -> int:
        flags = flag(seen, name, by_seat)
        assert sum(flags) <= 1
        return flags.index(True) if any(flags) else -1

    acquire, play = seen["phase"].tolist()
    assert bool(seen["marker_in_centre"][0]) == (holder("marker") < 0)
    displays = [seen[f"display_{k + 1}"].tolist() for k in range(2 * players + 1)]
    return {
        "round": 1 + seen["round"].tolist().index(1),
        "phase": ACQUIRE if acquire else PLAY if play else 2,
        "picks": int(seen["picks"][0]),
        "giving_up": int(seen["giving_up"][0]),
        "supply": seen["supply"].tolist(),
        "bag": seen["bag"].tolist(),
        "tower": seen["tower"].tolist(),
        "displays": displays + [[0] * 6] * (9 - len(displays)) + [seen["market"].tolist()],
        "player": holder("to_act"),
        "starter": holder("starter"),
        "marker": holder("marker"),
        "passed": sum(1 << s for s, passed in enumerate(flag(seen, "passed", by_seat)) if passed),
        "players": players,
        "score": [int(seen[f"{prefix}.score"][0]) for prefix in by_seat],
        "hand": [seen[f"{prefix}.hand"].tolist() for prefix in by_seat],
        "kept": [seen[f"{prefix}.kept"].tolist() for prefix in by_seat],
        "board": [sum(1 << k for k in np.flatnonzero(seen[f"{prefix}.board"]).tolist()) for prefix in by_seat],
        "centre": [(seen[f"{prefix}.centre"] - 1).tolist() for prefix in by_seat],
        "centre_used": [sum(1 << c for c in np.flatnonzero(seen[f"{prefix}.centre_used"])) for prefix in by_seat],
        "numbers_paid": [sum(1 << n for n in np.flatnonzero(seen[f"{prefix}.numbers_paid"])) for prefix in by_seat],
    }


def public(match: Match) -> dict[str, Any]:
    """The same from the state; a field that is added to the state must find its place here or among the above."""
    names = [name for name in match.state.dtype.names if not name.startswith("gap_")]
    position = {name: match.state[name].tolist() for name in names if name not in HIDDEN | HISTORY | DERIVED}
    for name in ("score", "hand", "kept", "board", "centre", "centre_used", "numbers_paid"):
        position[name] = position[name][: match.players]
    return position


@pytest.mark.parametrize("preset", ["rulebook", "digest"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_round_trip(players: int, preset: str) -> None:
    """The documented observation was wrong (PettingZoo 922, 1237): every position of some games, from every seat."""
    for seed in range(2):
        played = azul(seed, players, preset, start=seed % players)
        match = Match(played.game, players, played.rules, seed, start=seed % players)
        for action in [*played.actions, None]:
            expected = public(match)
            for seat in range(players):
                assert decoded(match.observation(seat), seat, players) == expected
            if action is not None:
                match.apply(action)
        assert match.is_over


def covered(match: Match, seat: int) -> list[set[int]]:
    """The covered numbers of each star, as the reference has them."""
    board = int(match.state["board"][seat])
    return [{k + 1 for k in range(6) if board >> (6 * star + k) & 1} for star in range(7)]


@pytest.mark.parametrize("preset", ["rulebook", "digest"])
def test_outlook(preset: str) -> None:
    """Points and supply tiles for a tile on each empty space, by what the reference says of C6 and C7."""
    for decisions in range(20, 120, 20):
        match = azul(decisions, 3, preset, decisions)
        rules = match.rules.as_dict()
        for seat in range(3):
            seen = layout(3).decode(match.observation(seat))
            board = covered(match, seat)
            for (star, number), structures in reference.STRUCTURES_AT.items():
                gain, tiles = 0, 0
                if number not in board[star]:
                    after = [numbers | {number} if k == star else numbers for k, numbers in enumerate(board)]
                    gain = reference.chain_points(after[star], number)
                    closed = [s for s in structures if all(n in after[k] for k, n in s.spaces)]
                    tiles = sum(rules[f"{structure.kind}_tiles"] for structure in closed)
                assert (seen["gain"][star, number - 1], seen["earned"][star, number - 1]) == (gain, tiles)


def test_the_observer_comes_first() -> None:
    match = azul(3, 4, decisions=70)
    parts = layout(4)
    views = [match.observation(seat) for seat in range(4)]
    for seat in range(4):
        assert np.array_equal(views[seat][parts.slices["me.hand"]], np.float32(match.state["hand"][seat]) / 10)
        for k in range(1, 4):
            other = views[(seat + k) % 4]
            assert np.array_equal(views[seat][parts.slices[f"opponent_{k}.board"]], other[parts.slices["me.board"]])
    assert len({view.tobytes() for view in views}) == 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bounds_of_the_space(players: int) -> None:
    highest = layout(players).highest()
    reached = np.zeros_like(highest)
    for seed in range(25):
        played = azul(seed, players, "digest" if seed % 2 else "rulebook")
        match = Match(played.game, players, played.rules, seed)
        for action in played.actions:
            match.apply(action)
            reached = np.maximum(reached, match.observation())
            assert match.observation().min() >= 0
    assert (reached <= highest).all()
    one_hot = layout(players).slices["round"]
    assert (reached[one_hot] == 1).all()


def test_bounds_are_reached() -> None:
    """The most points, and two structures of 132 tiles each for one space."""
    rules = AzulRules(pillar_tiles=132, statue_tiles=132, window_tiles=132)
    match = azul_v0.new_game(rules=rules)
    match.state["score"][0] = HIGHEST_SCORE
    match.state["board"][0] = 2**42 - 1 - 0b10  # all but space 2 of the orange star, of a pillar and a statue
    parts, seen = layout(2), match.observation(0)
    assert (seen <= parts.highest()).all()
    assert seen[parts.slices["me.score"]] == parts.highest()[parts.slices["me.score"]]
    assert seen[parts.slices["earned"]].max() == parts.highest()[parts.slices["earned"]].max()


def test_every_integer_survives() -> None:
    """In 32 bits, times the unit, each number that can stand in a part can be told from its neighbours."""
    for part in layout(4).parts:
        numbers = np.arange(part.highest + 1)
        written = numbers.astype(np.float32) * np.float32(1 / part.scale)
        assert np.array_equal(np.rint(written.astype(np.float64) * part.scale), numbers)
        assert written.max() <= np.float32(part.highest / part.scale)


def test_documentation() -> None:
    """If this fails, put what ``layout(2).markdown()`` gives into ``docs/observation-azul.md``."""
    text = DOCS.read_text(encoding="utf-8")
    table = text[text.index("| from |") :]
    assert table.strip() == layout(2).markdown()


@pytest.mark.parametrize(("players", "size"), [(2, 299), (3, 386), (4, 473)])
def test_sizes(players: int, size: int) -> None:
    assert layout(players).size == size == azul_v0.new_game(num_players=players).observation().size
