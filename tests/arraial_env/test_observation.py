"""The observation: decoded by its layout it is the whole public position, from every seat."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import arraial_reference as reference
import numpy as np
import pytest
from arraial_players import RULES
from players import arraial, words_of

from arraial_env import ArraialRules, arraial_v0
from arraial_env.actions import Place, decode
from arraial_env.geometry import COLOURS
from arraial_env.observation import action_views, layout, lookahead
from manjerico.core.match import Match

HIDDEN = {"rng"}
"""Fields of the state that no player may see."""
HISTORY = {"start", "sources"}
"""Fields that tell of the past and decide nothing to come."""
DERIVED = {"occupied", "pile_size"}
"""Fields that repeat others (``test_compare.py`` checks them)."""
BY_SEAT = ("score", "squares", "zoned", "largest", "visitors", "street", "waiting", "bar")

DOCS = Path(__file__).parents[2] / "docs" / "observation-arraial.md"

ODD_RULES = ["4x4", "16x8", "5x25", "pentominoes", "large"]


def rules_of(name: str) -> ArraialRules:
    return ArraialRules.from_dict(RULES[name])


def plain(seen: dict[str, Any], name: str) -> int:
    return int(seen[name][0])


def one_hot(flags: np.ndarray) -> int:
    """Which flag is set, -1 for none."""
    assert set(flags.tolist()) <= {0, 1}
    assert flags.sum() <= 1
    return int(flags.argmax()) if flags.any() else -1


def board_of(grid: np.ndarray) -> list[int]:
    """Flags by row and column as two lanes."""
    assert set(grid.ravel().tolist()) <= {0, 1}
    whole = sum(1 << square for square in np.flatnonzero(grid).tolist())
    return [whole & (2**64 - 1), whole >> 64]


def card_of(seen: dict[str, Any], place: str, rules: ArraialRules, turn: int) -> int:
    """The type of a card; its piece must be shown as the observer sees it turned."""
    kind, grid = one_hot(seen[f"{place}.type"]), seen[f"{place}.shape"]
    cells: set[tuple[int, int]] = set()
    if kind >= 0:
        shape = reference.shape_of(rules.shapes[kind])
        for _ in range(turn):
            shape = reference.turned(shape)
        cells = set(shape.cells)
    assert {(x, y) for y, x in np.argwhere(grid).tolist()} == cells
    return kind


def boards_of(seen: dict[str, Any], prefix: str) -> dict[str, Any]:
    """The squares of each colour and those of zones, that only the observer's own seat has in parts of their own."""
    if prefix == "me":
        grids, zoned = [seen[f"me.{colour}"] for colour in COLOURS], seen["me.zoned"]
    else:
        code = seen[f"{prefix}.board"]
        assert code.max() <= 8
        in_zone = code > 4
        grids = [(code - 4 * in_zone == 1 + colour).astype(int) for colour in range(4)]
        zoned = in_zone.astype(int)
    covered = sum(grids)
    heights = [1 + max(np.flatnonzero(column).tolist(), default=-1) for column in covered.T]
    assert seen[f"{prefix}.tops"].tolist() == heights
    return {"squares": [board_of(grid) for grid in grids], "zoned": board_of(zoned)}


def seat_of(seen: dict[str, Any], prefix: str) -> dict[str, Any]:
    below = seen[f"{prefix}.below"].tolist()
    rows = sum(below)
    assert below == [1] * rows + [0] * (len(below) - rows)
    in_game = plain(seen, f"{prefix}.bar")
    assert in_game or not rows
    return {
        "score": plain(seen, f"{prefix}.score"),
        "largest": seen[f"{prefix}.largest"].tolist(),
        "visitors": seen[f"{prefix}.visitors"].tolist(),
        "street": plain(seen, f"{prefix}.street"),
        "waiting": plain(seen, f"{prefix}.waiting"),
        "bar": rows if in_game else -1,
        **boards_of(seen, prefix),
    }


def decoded(observation: np.ndarray, seat: int, players: int, rules: ArraialRules) -> dict[str, Any]:
    """The position by the fields of the state, from nothing but an observation."""
    seen = layout(rules, players).decode(observation)
    prefixes = ["me", *(f"opponent_{k}" for k in range(1, players))]
    by_seat = [prefixes[(other - seat) % players] for other in range(players)]
    player = one_hot(np.array([plain(seen, f"{prefix}.to_act") for prefix in by_seat]))
    phase, turn = one_hot(seen["phase"]), one_hot(seen["turn"])
    assert (phase < 0) == (player < 0)
    seats = [seat_of(seen, prefix) for prefix in by_seat]
    return {
        "player": player,
        "players": players,
        "phase": 3 if player < 0 else 1 + phase,
        "points": plain(seen, "points"),
        "owed": plain(seen, "owed"),
        "refilling": plain(seen, "refilling"),
        "rotation": (turn + reference.SIDES_BY_PLAYERS[players][seat]) % 4,
        "pile": seen["pile"].tolist(),
        "discards": seen["discards"].tolist(),
        "slots": [card_of(seen, f"slot_{k}", rules, turn) for k in range(3)],
        "row": [card_of(seen, f"row_{k}", rules, turn) for k in range(3)],
        "couples": [
            one_hot(np.array([seen[f"{prefix}.couples"][colour] for prefix in by_seat])) for colour in range(4)
        ],
        **{name: [one[name] for one in seats] for name in BY_SEAT},
    }


def public(match: Match) -> dict[str, Any]:
    """The same from the state; a field that is added to the state must find its place here or among the above."""
    names = [name for name in match.state.dtype.names if not name.startswith("gap_")]
    position = {name: match.state[name].tolist() for name in names if name not in HIDDEN | HISTORY | DERIVED}
    for name in BY_SEAT:
        position[name] = position[name][: match.players]
    return position


def replayed(played: Match, start: int) -> Iterator[tuple[Match, reference.ReferenceArraial]]:
    """Every position of a game, in the kernels' and in the reference's words."""
    drawn = iter(played.chance)
    slow = reference.ReferenceArraial(played.players, start, played.rules.as_dict(), lambda _pile: next(drawn))
    match = arraial_v0.new_game(played.seed, played.players, played.rules, start)  # type: ignore[arg-type]
    for action in played.actions:
        yield match, slow
        match.apply(action)
        slow.apply(action)
    yield match, slow


@pytest.mark.parametrize("name", ["default", *ODD_RULES])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_round_trip(players: int, name: str) -> None:
    """The documented observation was wrong (PettingZoo 922, 1237): every position of some games, from every seat."""
    rules = rules_of(name)
    for seed in range(2 if name == "default" else 1):
        start = seed % players
        match = arraial(seed, players, rules, decisions=0, start=start)
        for action in [*arraial(seed, players, rules, start=start).actions, None]:
            expected = public(match)
            for seat in range(players):
                assert decoded(match.observation(seat), seat, players, rules) == expected
            if action is not None:
                match.apply(action)
        assert match.is_over


# --- The lookahead ---------------------------------------------------------------------------------------------------


LOOKAHEAD = ("rest", "earned", "zone", "gaps", "lost")


def looked_ahead(slow: reference.ReferenceArraial, seat: int) -> dict[str, Any]:
    """The lookahead's parts for a seat, by what the reference says of C1-C8."""
    own = slow.seats[seat]
    told = {name: np.zeros((3, 3, slow.width), int) for name in LOOKAHEAD}
    for rotations, slot in itertools.product(range(3), slow.filled_slots()):
        kind = slow.card_in(slot)
        shape = slow.shapes[kind][(slow.rotation - own.side + rotations) % 4]
        places = own.board.resting_places(shape, slow.max_slide)
        below = set() if own.bar is None else {(x, y) for x, y in places if y + shape.height <= own.bar}
        lost = own.bar is not None and not below
        for x, y in sorted(below or places, key=lambda place: place[1]):  # the highest of a column comes last
            squares = shape.squares(x, y)
            zone = own.board.groups_touching(reference.colour_of(kind), squares)
            at = rotations, slot, x
            told["rest"][at] = 1 + y
            told["zone"][at] = size_with(zone, squares)
            told["earned"][at] = earned(slow, seat, kind, squares, zone)
            told["earned"][at] += 0 if lost or own.bar is None else lines(own.board, squares)
            told["gaps"][at] = gaps(own.board, squares)
            told["lost"][at] = lost
    return {name: grid.tolist() for name, grid in told.items()}


Squares = list[tuple[int, int]]
Zones = list[list[reference.Piece]]


def size_with(zones: Zones, squares: Squares) -> int:
    return sum(map(reference.squares_of, zones)) + len(squares) if zones else 0


def earned(slow: reference.ReferenceArraial, seat: int, kind: int, squares: Squares, zones: Zones) -> int:
    """Points of a visitor and of a couple, for a piece that touches these zones."""
    if not zones:
        return 0
    colour = reference.colour_of(kind)
    owner = slow.couple_owners[colour]
    wins = owner is None or (owner != seat and size_with(zones, squares) > slow.seats[owner].board.largest_zone(colour))
    visitor = not any(map(reference.visitors_in, zones))
    return visitor + wins * int(slow.rules["couple_points"])


def lines(board: reference.Board, squares: Squares) -> int:
    """Rows that these squares fill."""
    after = {*board.at, *squares}
    return sum(all((x, y) in after for x in range(board.width)) for y in {y for _, y in squares})


def gaps(board: reference.Board, squares: Squares) -> int:
    """Empty squares that nothing lies above but these squares."""
    count = 0
    for column in {x for x, _ in squares}:
        top = max(y for x, y in squares if x == column)
        for y in range(top):
            roofed = any((column, above) in board.at for above in range(y, board.height))
            count += not roofed and (column, y) not in squares
    return count


@pytest.mark.parametrize("name", ["default", *ODD_RULES, "4x32", "confetti", "narrow", "crumbs", "slide_1", "bar_at_0"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_lookahead(players: int, name: str) -> None:
    """Of every seat, whoever is to act, at every decision of a game."""
    rules = rules_of(name)
    parts = lookahead(rules, players)
    for match, slow in replayed(arraial(players + 1, players, rules), start=0):
        for seat in range(players):
            seen = parts.decode(match.observation(seat, lookahead=True))
            assert {part: seen[part].tolist() for part in LOOKAHEAD} == looked_ahead(slow, seat)


def test_lookahead_is_what_happens() -> None:
    """To the player who is to act: of the placements of a slot and column the highest, and what comes of it."""
    rules = ArraialRules()
    happened: Counter[str] = Counter()
    for seed, decisions in itertools.product(range(6), range(10, 90, 4)):
        match = arraial(seed, 3, decisions=decisions)
        if match.is_over or match.state["refilling"]:
            continue
        player = match.current_player
        assert player is not None
        parts = lookahead(rules, 3).decode(match.observation(player, lookahead=True))
        seen = {name: parts[name][0] for name in LOOKAHEAD}
        highest = np.zeros((3, 8), int)
        for place in (decode(action, rules.width, rules.height) for action in match.legal_actions()):
            if isinstance(place, Place):
                highest[place.slot, place.x] = 1 + place.y  # ids of a column ascend with its rows
        assert np.array_equal(seen["rest"], highest)
        for slot, x in np.argwhere(highest).tolist():
            trial = match.clone()
            trial.apply(112 * slot + 8 * (highest[slot, x] - 1) + x)
            before, after = match.state, trial.state
            if after["phase"] > before["phase"]:  # otherwise the bar has dropped
                continue
            lost = bool(before["bar"][player] >= 0 > after["bar"][player])
            assert seen["lost"][slot, x] == lost
            lines = 0 if after["bar"][player] < 0 else int(after["bar"][player] - before["bar"][player])
            assert seen["earned"][slot, x] == int(after["score"][player] - before["score"][player]) + lines
            happened.update({"points": seen["earned"][slot, x], "lines": lines, "bars lost": int(lost)})
    assert min(happened.values()) > 5, happened
    assert len(happened) == 3


def test_rotations_ahead_become_the_present() -> None:
    """What the lookahead says of one and two rotations is what it says once they are made."""
    rotated = 0
    for decisions in range(0, 60, 3):
        match = arraial(5, 2, decisions=decisions)
        player = match.current_player
        assert player is not None
        before = lookahead(ArraialRules(), 2).decode(match.observation(player, lookahead=True))
        rotate = 3 * 112
        if match.is_legal(rotate) and match.state["points"] > 1:
            match.apply(rotate)
            after = lookahead(ArraialRules(), 2).decode(match.observation(player, lookahead=True))
            rotated += 1
            for name in LOOKAHEAD:
                assert np.array_equal(before[name][1:], after[name][:2])
    assert rotated > 5


# --- Views of actions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["default", *ODD_RULES])
def test_views_tell_of_their_actions(name: str) -> None:
    """A group's entries are its slot's card and the present lookahead on its slot and column."""
    rules = rules_of(name)
    parts = lookahead(rules, 2)
    views = action_views(rules, 2)
    match = arraial(3, 2, rules, decisions=7)
    observation = match.observation(0, lookahead=True)
    seen = parts.decode(observation)
    assert len(views.groups) == match.num_actions
    told: set[int] = set()
    for action, group in enumerate(views.groups.tolist()):
        made = decode(action, rules.width, rules.height)
        entries = views.entries[group]
        if not isinstance(made, Place):
            assert (entries == -1).all()
            assert (views.groups == group).sum() == 1
            continue
        values = [seen[part][0, made.slot, made.x] for part in LOOKAHEAD] + seen[f"slot_{made.slot}.type"].tolist()
        scales = [part.scale for part in parts.parts if part.name in LOOKAHEAD] + [1] * 8
        assert observation[entries].tolist() == [
            np.float32(v) / np.float32(scale) for v, scale in zip(values, scales, strict=True)
        ]
        told.add(group)
    assert len(told) == 3 * rules.width


# --- Order, bounds, documentation ------------------------------------------------------------------------------------


def test_the_observer_comes_first() -> None:
    match = arraial(3, 4, decisions=70)
    parts = layout(ArraialRules(), 4)
    views = [match.observation(seat) for seat in range(4)]
    for seat in range(4):
        own = [score / 20 for score in match.scores]
        assert views[seat][parts.slices["me.score"]] == np.float32(own[seat])
        for k in range(1, 4):
            other = views[(seat + k) % 4]
            for name in ("score", "below", "visitors", "couples", "largest", "tops"):
                theirs = views[seat][parts.slices[f"opponent_{k}.{name}"]]
                assert np.array_equal(theirs, other[parts.slices[f"me.{name}"]])
    assert len({view.tobytes() for view in views}) == 4


@pytest.mark.parametrize("name", ["default", "5x25", "large", "couples_5"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_bounds_of_the_space(players: int, name: str) -> None:
    rules = rules_of(name)
    highest = lookahead(rules, players).highest()
    reached = np.zeros_like(highest)
    for seed in range(4):
        played = arraial(seed, players, rules)
        match = Match(played.game, players, rules, seed)
        for action in played.actions:
            match.apply(action)
            seen = match.observation(lookahead=True)
            reached = np.maximum(reached, seen)
            assert seen.min() >= 0
    assert (reached <= highest).all()
    for part in ("phase", "points", "turn"):
        if (players, part) != (1, "turn"):  # the octagon may never have turned so far
            assert (reached[layout(rules, players).slices[part]] == 1).all()


def told(match: Match, name: str, number: int) -> np.ndarray:
    """What seat 0 sees where a field of the state has this number everywhere."""
    parts = layout(match.rules, match.players)  # type: ignore[arg-type]
    match.state[name][:] = number
    seen = match.observation(0)
    assert (seen <= parts.highest()).all()
    numbers = parts.decode(seen)
    part = name if name in numbers else f"me.{name}"
    assert (numbers[part] == number).all()
    return seen[parts.slices[part]]


def test_every_integer_survives() -> None:
    """In 32 bits each number that can stand in a part can be told from its neighbours, and lies in the space."""
    for cards in range(1, 31):
        match = arraial_v0.new_game(1, rules=ArraialRules(cards_per_type=(cards,) * 4))
        for name in ("pile", "discards"):
            assert [told(match, name, number).max() for number in (0, cards)] == [0, 1]
            for number in range(1, cards):
                told(match, name, number)
    for name in ("default", "16x8", "4x32"):
        rules = rules_of(name)
        match = arraial_v0.new_game(1, rules=rules)
        parts = {part.name: part for part in layout(rules, 2).parts}
        for field in ("score", "waiting", "street", "visitors", "largest"):
            part = parts[f"me.{field}"]
            for number in range(part.highest + 1):
                told(match, field, number)


def test_hidden_is_the_order_of_the_pile() -> None:
    """H2: states that differ in the generator alone look the same to everybody, and have the same legal actions."""
    match = arraial(5, 3, decisions=30)
    other = match.clone()
    other.redeterminise(77)
    assert other.get_state() != match.get_state()
    assert np.array_equal(words_of(other), words_of(match))
    for seat in range(3):
        assert np.array_equal(other.observation(seat, lookahead=True), match.observation(seat, lookahead=True))


def test_documentation() -> None:
    """If this fails, put ``lookahead(ArraialRules(), 2).markdown()`` into ``docs/observation-arraial.md``."""
    text = DOCS.read_text(encoding="utf-8")
    table = text[text.index("| from |") :]
    assert table.strip() == lookahead(ArraialRules(), 2).markdown()


@pytest.mark.parametrize(("players", "size"), [(1, 769), (2, 920), (3, 1071), (4, 1222)])
def test_sizes(players: int, size: int) -> None:
    match = arraial_v0.new_game(num_players=players)
    assert layout(ArraialRules(), players).size == size == match.observation().size
    assert lookahead(ArraialRules(), players).size == size + 360 == match.observation(lookahead=True).size
