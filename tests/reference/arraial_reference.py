"""Arraial, a slow and literal reference implementation.

It is written from the numbered rules alone and shares no code with the library that it checks. Every method names
the rules it carries out (A6, C4, ...) and does so in the order of the rule text: a board is a list of pieces lying on
squares, a piece falls row by row and slides column by column, a zone is found by walking from piece to piece. Speed is
no aim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

# ---------------------------------------------------------------------------------------------------------------------
# Rules fields: the default
# ---------------------------------------------------------------------------------------------------------------------

DEFAULT: dict[str, Any] = {
    "width": 8,
    "height": 14,
    "shapes": [
        [[0, 0], [1, 0], [0, 1], [1, 1]],  # yellow O
        [[0, 0], [1, 0], [2, 0], [3, 0]],  # yellow I
        [[0, 0], [1, 0], [2, 0], [2, 1]],  # blue L
        [[0, 0], [1, 0], [2, 0], [0, 1]],  # blue J
        [[0, 0], [1, 0], [1, 1], [2, 1]],  # green S
        [[1, 0], [2, 0], [0, 1], [1, 1]],  # green Z
        [[0, 0], [1, 0], [2, 0], [1, 1]],  # red T
        [[0, 0], [1, 0], [2, 0], [2, 1]],  # red L
    ],
    "cards_per_type": [1, 2, 3, 3],
    "bar_start": [8, 8, 8, 7],
    "min_pieces": [1, 1, 2],
    "max_slide": None,
    "bar_drop": 2,
    "bar_visitors_score_at_end": True,
    "couple_points": 2,
}

# ---------------------------------------------------------------------------------------------------------------------
# Section A: material
# ---------------------------------------------------------------------------------------------------------------------

YELLOW, BLUE, GREEN, RED = range(4)  # A2
COLOURS = (YELLOW, BLUE, GREEN, RED)
TYPES = range(8)  # A2
SLOTS = (0, 1, 2)  # A5
ROW_CARDS = 3  # A5
QUARTER_TURNS = 4  # A6
SIDES_BY_PLAYERS = {1: (0,), 2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}  # A6
ACTION_POINTS = 3  # B1
LAST_PHASE = 3  # D4

Square = tuple[int, int]  # (column from the left, row from the bottom)


def colour_of(kind: int) -> int:
    """A2: two types of each colour, in order."""
    return kind // 2


class Shape(NamedTuple):
    """A polyomino in one orientation; the bounding box's lower left corner is (0, 0)."""

    cells: tuple[Square, ...]
    width: int
    height: int

    def squares(self, x: int, y: int) -> list[Square]:
        """The squares that it covers when its bounding box's lower left corner lies on (x, y)."""
        return [(x + dx, y + dy) for dx, dy in self.cells]


def shape_of(cells: Iterable[Square]) -> Shape:
    """A2: the shape of these cells, shifted to the bounding box's corner (0, 0)."""
    cells = list(cells)
    left = min(x for x, _ in cells)
    bottom = min(y for _, y in cells)
    shifted = tuple((x - left, y - bottom) for x, y in cells)
    return Shape(shifted, 1 + max(x for x, _ in shifted), 1 + max(y for _, y in shifted))


def turned(shape: Shape) -> Shape:
    """A2: the shape after one quarter turn clockwise, (x, y) to (y, -x)."""
    return shape_of((y, -x) for x, y in shape.cells)


# ---------------------------------------------------------------------------------------------------------------------
# Section F: the numbering of the actions
# ---------------------------------------------------------------------------------------------------------------------


class Action(NamedTuple):
    """A decision in plain words; fields that do not apply are -1."""

    kind: str  # "place", "rotate", "end", "refill" or "discard"
    slot: int = -1
    x: int = -1
    y: int = -1
    index: int = -1  # type: ignore[assignment]  # the card of the row that a refill takes; hides tuple.index


def place_id(slot: int, x: int, y: int, width: int, height: int) -> int:
    """F: place the card of a slot with the bounding box's lower left corner on (x, y)."""
    return slot * width * height + y * width + x


def rotate_id(width: int, height: int) -> int:
    """F: rotate the octagon."""
    return 3 * width * height


def end_id(width: int, height: int) -> int:
    """F: end the turn."""
    return 3 * width * height + 1


def refill_id(index: int, width: int, height: int) -> int:
    """F: refill the lowest empty slot with this card of the row."""
    return 3 * width * height + 2 + index


def discard_id(slot: int, width: int, height: int) -> int:
    """F: discard the card of a slot unplaced."""
    return 3 * width * height + 5 + slot


def decode(action: int, width: int, height: int) -> Action:
    """F: the meaning of an action id on a board of this size."""
    places = 3 * width * height
    if action not in range(places + 8):
        raise ValueError(f"action must be an id below {places + 8}, not {action!r}")
    if action < places:
        slot, anchor = divmod(action, width * height)
        y, x = divmod(anchor, width)
        return Action("place", slot=slot, x=x, y=y)
    if action == places:
        return Action("rotate")
    if action == places + 1:
        return Action("end")
    if action < places + 5:
        return Action("refill", index=action - places - 2)
    return Action("discard", slot=action - places - 5)


# ---------------------------------------------------------------------------------------------------------------------
# Boards
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Piece:
    """One piece at rest on a board."""

    colour: int
    squares: set[Square]
    visitors: int = 0  # C6: the visitors that moved in when this piece was placed


def neighbours(square: Square) -> list[Square]:
    """C6: the squares that share an edge with this one, on the board or not."""
    x, y = square
    return [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]


def corners(square: Square) -> list[Square]:
    """C6: the squares that touch this one only at a corner, on the board or not."""
    x, y = square
    return [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]


class Board:
    """A street board: a grid and the pieces on it (A1). The level bar is no part of it (C3)."""

    def __init__(self, width: int, height: int) -> None:
        """A1: an empty grid."""
        self.width = width
        self.height = height
        self.pieces: list[Piece] = []
        self.at: dict[Square, Piece] = {}  # which piece covers a square

    def add(self, piece: Piece) -> None:
        """Put a piece on its squares, which must be free squares of the grid."""
        for x, y in piece.squares:
            assert 0 <= x < self.width
            assert 0 <= y < self.height
            assert (x, y) not in self.at
        self.pieces.append(piece)
        for square in piece.squares:
            self.at[square] = piece

    # --- falling and sliding (C1, C2) --------------------------------------------------------------------------------

    def fits(self, shape: Shape, x: int, y: int) -> bool:
        """C1, C2: off no side, not below the bottom row, and on no occupied square; above the top row all is free."""
        if x < 0 or x + shape.width > self.width or y < 0:
            return False
        for dx, dy in shape.cells:  # noqa: SIM110 - half of all time is spent here, and all() takes twice as long
            if (x + dx, y + dy) in self.at:
                return False
        return True

    def is_inside(self, shape: Shape, y: int) -> bool:
        """C1: no square sticks out above the top row."""
        return y + shape.height <= self.height

    def fall(self, shape: Shape, x: int) -> int:
        """C1: the row at which a piece comes to rest that enters from above in this column position."""
        y = self.height
        while self.fits(shape, x, y - 1):
            y -= 1
        return y

    def slides(self, shape: Shape, x: int, y: int, max_slide: int | None) -> list[int]:
        """C2: the columns to which a piece that landed at (x, y) can be slid and where it can stop."""
        stops = []
        for step in (-1, +1):
            column = x + step
            while (max_slide is None or abs(column - x) <= max_slide) and self.fits(shape, column, y):
                if not self.fits(shape, column, y - 1):  # it cannot fall any further
                    stops.append(column)
                column += step
        return stops

    def columns(self, shape: Shape) -> range:
        """C1: the column positions that fit into the grid."""
        return range(self.width - shape.width + 1)

    def resting_places(self, shape: Shape, max_slide: int | None) -> set[Square]:
        """C1, C2: all places where the piece can come to rest on the whole board."""
        places = set()
        for x in self.columns(shape):
            y = self.fall(shape, x)
            if self.is_inside(shape, y):  # otherwise it is no landing, and no slide starts there
                places.add((x, y))
                for column in self.slides(shape, x, y, max_slide):
                    places.add((column, y))
        return places

    def has_full_row(self, y: int) -> bool:
        """C8: every square of the row is covered."""
        return all((x, y) in self.at for x in range(self.width))

    # --- zones (C6, C7) ----------------------------------------------------------------------------------------------

    def touching(self, colour: int, squares: Iterable[Square]) -> list[Piece]:
        """C6: the pieces of a colour that touch these squares edge to edge, each once."""
        found: list[Piece] = []
        for square in squares:
            for neighbour in neighbours(square):
                piece = self.at.get(neighbour)
                if piece is not None and piece.colour == colour and piece not in found:
                    found.append(piece)
        return found

    def connected(self, piece: Piece) -> list[Piece]:
        """C6: all pieces of the colour connected edge to edge with this one, which comes first."""
        group = [piece]
        for member in group:  # the list grows while it is walked
            for other in self.touching(piece.colour, member.squares):
                if other not in group:
                    group.append(other)
        return group

    def groups_touching(self, colour: int, squares: Iterable[Square]) -> list[list[Piece]]:
        """C6: the connected groups of a colour, single pieces among them, that touch these squares."""
        groups: list[list[Piece]] = []
        for piece in self.touching(colour, squares):
            if not any(piece in group for group in groups):
                groups.append(self.connected(piece))
        return groups

    def zones(self, colour: int) -> list[list[Piece]]:
        """C6: the zones of a colour: connected groups of two or more pieces."""
        zones: list[list[Piece]] = []
        seen: set[Piece] = set()
        for piece in self.pieces:
            if piece.colour == colour and piece not in seen:
                group = self.connected(piece)
                seen.update(group)
                if len(group) >= 2:
                    zones.append(group)
        return zones

    def largest_zone(self, colour: int) -> int:
        """C7: the number of squares of the largest zone of a colour, 0 if there is none."""
        return max((squares_of(zone) for zone in self.zones(colour)), default=0)


def squares_of(zone: list[Piece]) -> int:
    """C7: the size of a zone is measured in squares."""
    return sum(len(piece.squares) for piece in zone)


def visitors_in(zone: list[Piece]) -> int:
    """C6: the visitors that stand in a zone."""
    return sum(piece.visitors for piece in zone)


class Seat:
    """What one player has."""

    def __init__(self, side: int, width: int, height: int, bar: int) -> None:
        """A1, A4, A6: an empty board and a level bar, on one side of the central board."""
        self.side = side
        self.board = Board(width, height)
        self.bar: int | None = bar  # the number of rows below the bar; None once it is removed
        self.whites_on_bar = 0
        self.whites = 0  # D2: in the street

    def visitors(self, colour: int) -> int:
        """C6: the coloured visitors in the street."""
        return sum(piece.visitors for piece in self.board.pieces if piece.colour == colour)


# ---------------------------------------------------------------------------------------------------------------------
# The game
# ---------------------------------------------------------------------------------------------------------------------


class Options(NamedTuple):
    """C3-C5: where a card can be placed, and whether that costs the level bar."""

    places: set[Square]
    loses_bar: bool


EVENTS = (
    # turns
    "rotations",
    "rotations_barred",  # B2: not legal because pieces are still owed
    "early_ends",
    "spent_turns",  # ended by themselves
    "spent_turns_rotating",  # ended by themselves with a rotation
    "twin_cards",  # F2: a card placed or discarded while another slot holds the same type
    # refills
    "refill_choices",
    "refill_choices_equal",  # B5: all cards of the row are of one type
    "refills_automatic",
    "refills_exact",  # B5: as many cards in the row as empty slots
    "refills_without_cards",
    "rows_short",  # B6: the pile could not fill the row
    # phases
    "phase_ends_1",
    "phase_ends_2",
    "phase_ends_3",
    "bars_dropped",
    "bars_floored",  # D2: not below 0
    "bars_lost_at_phase_end",
    "whites_moved",
    "whites_lost",
    # placements
    "bars_lost_by_placement",
    "bars_lost_by_choice",  # C4: another card would have fitted below the bar
    "bars_lost_wantonly",  # C4: a rotation that was legal would have made this card fit
    "places_above_bar_barred",  # C4: only the places below the bar are legal, and there are others
    "landings_stuck",  # C1: a column in which the placed card would have stuck out
    "landings_stuck_above_gap",  # C1: and it would fit wholly inside the grid further down
    "slide_only_places",  # C2: the placed card had such places
    "slides_under_overhang",  # C2: it was placed on one
    "slides_over_gaps",  # C2: and every way to it leads over an unsupported place
    "slides_too_long",  # C2: the placed card had places beyond `max_slide`
    "cards_unchoosable",  # C5: while others can be chosen
    "cards_all_unchoosable",  # C5
    "forced_discards",
    "discards_after_placement",  # C5: by a player who placed a piece before in this turn
    # what they earn
    "single_pieces",
    "corner_touches",  # C6: single pieces that touch the colour at a corner
    "zones_founded",
    "zones_founded_of_three",  # C6: the piece joins two or more single pieces
    "zones_grown",
    "zones_merged",
    "couples_first",
    "couples_grown",  # C7: by their owner
    "couples_taken",
    "couples_equal",  # C7: equality changes nothing
    "lines_1",
    "lines_2",
    "lines_3",
    "lines_4",
    "lines_5",  # C8: by an upright piece five squares high
    "lines_apart",  # C8: two lines at once that are not neighbours
    "lines_without_bar",
    "lines_losing_bar",  # C4: a line by the piece that cost the bar
    "bars_at_top",  # C8: the bar stays
    # result
    "bar_visitors_counted",
    "bar_visitors_uncounted",
    "ties",
)
"""What ``ReferenceArraial.events`` counts."""


class ReferenceArraial:
    """One game. `draw(pile)` decides every chance event: it gets a copy of the pile's counts and returns a type.

    A `draw` that names a type the pile does not hold is answered with ValueError, and the game is void after it.
    """

    def __init__(self, players: int, start: int, rules: Mapping[str, Any], draw: Callable[[list[int]], int]) -> None:
        """Section A: set-up, with the octagon filled before the row (A5)."""
        if players not in SIDES_BY_PLAYERS:
            raise ValueError(f"players must be 1, 2, 3 or 4, not {players!r}")
        if start not in range(players):
            raise ValueError(f"start must be a seat below {players}, not {start!r}")
        if set(rules) != set(DEFAULT):
            raise ValueError(f"unknown or missing rules fields: {sorted(set(rules) ^ set(DEFAULT))}")

        self.rules: dict[str, Any] = dict(rules)
        self.events: Counter[str] = Counter()
        self._draw = draw

        self.players = players
        self.width: int = rules["width"]  # A1
        self.height: int = rules["height"]
        self.max_slide: int | None = rules["max_slide"]
        # A2, A6: each type in its four orientations, by quarter turns clockwise from the table
        self.shapes: list[list[Shape]] = []
        for cells in rules["shapes"]:
            orientations = [shape_of((x, y) for x, y in cells)]
            while len(orientations) < QUARTER_TURNS:
                orientations.append(turned(orientations[-1]))
            self.shapes.append(orientations)

        bar = rules["bar_start"][players - 1]  # A4
        self.seats = [Seat(side, self.width, self.height, bar) for side in SIDES_BY_PLAYERS[players]]
        self.couple_owners: list[int | None] = [None for _ in COLOURS]  # C7
        self.pile: list[int] = [rules["cards_per_type"][players - 1] for _ in TYPES]  # A3
        self.discards = [0 for _ in TYPES]
        self.slots: list[int | None] = [None for _ in SLOTS]
        self.row: list[int] = []
        self.rotation = 0  # A6

        self.phase = 1  # A5
        self.over = False
        self.refilling = False  # B5: a choice is open
        self.current_player: int | None = None
        self.points = 0  # B1: action points left
        self.owed = 0  # B2: pieces still owed
        self._pieces_placed = 0  # in this turn
        self._options: dict[int, Options] = {}  # of the present decision, by slot

        self._fill_slots()  # A5
        self._fill_row()
        self._begin_turn(start)  # A7

    # --- what everybody sees -----------------------------------------------------------------------------------------

    @property
    def acting(self) -> Seat:
        """The seat that is to act."""
        if self.current_player is None:
            raise ValueError("the game is over")
        return self.seats[self.current_player]

    @property
    def scores(self) -> list[int]:
        """E1, D4: the present scores by seat."""
        return [sum(self.breakdown(seat).values()) for seat in range(self.players)]

    def breakdown(self, player: int) -> dict[str, int]:
        """E1, D4: the points of a seat by source; visitors on a bar count at the end only, if at all."""
        seat = self.seats[player]
        whites = seat.whites
        if self.over and self.rules["bar_visitors_score_at_end"]:
            whites += seat.whites_on_bar
        couples = sum(owner == player for owner in self.couple_owners)
        return {
            "coloured": sum(piece.visitors for piece in seat.board.pieces),
            "white": whites,
            "couples": couples * int(self.rules["couple_points"]),
        }

    def shape_seen(self, kind: int, turns: int = 0) -> Shape:
        """A6: the shape on a card as the acting player sees it, or would see it after some rotations."""
        return self.shapes[kind][(self.rotation + turns - self.acting.side) % QUARTER_TURNS]

    def card_in(self, slot: int) -> int:
        """The card of a filled slot."""
        kind = self.slots[slot]
        if kind is None:
            raise ValueError(f"slot {slot} is empty")
        return kind

    def filled_slots(self) -> list[int]:
        """B3: the slots that hold a card, in ascending order."""
        return [slot for slot in SLOTS if self.slots[slot] is not None]

    def empty_slots(self) -> list[int]:
        """B5: the slots that hold no card, in ascending order."""
        return [slot for slot in SLOTS if self.slots[slot] is None]

    def snapshot(self) -> dict[str, Any]:
        """The whole state in plain data."""
        return {
            "phase": self.phase,
            "over": self.over,
            "player": self.current_player,
            "rotation": self.rotation,
            "slots": list(self.slots),
            "row": list(self.row),
            "pile": list(self.pile),
            "discards": list(self.discards),
            "points": self.points,
            "owed": self.owed,
            "refilling": self.refilling,
            "players": [self._seat_snapshot(player) for player in range(self.players)],
        }

    def _seat_snapshot(self, player: int) -> dict[str, Any]:
        """What one player has, in plain data."""
        seat = self.seats[player]
        board = seat.board
        colours: list[list[int | None]] = [[None for _ in range(self.width)] for _ in range(self.height)]
        zoned = [[False for _ in range(self.width)] for _ in range(self.height)]
        largest = [0 for _ in COLOURS]
        for (x, y), piece in board.at.items():
            colours[y][x] = piece.colour
        for colour in COLOURS:
            for zone in board.zones(colour):
                largest[colour] = max(largest[colour], squares_of(zone))
                for piece in zone:
                    for x, y in piece.squares:
                        zoned[y][x] = True
        breakdown = self.breakdown(player)
        return {
            "bar": seat.bar,
            "whites_on_bar": seat.whites_on_bar,
            "whites": seat.whites,
            "coloured": [seat.visitors(colour) for colour in COLOURS],
            "couples": [owner == player for owner in self.couple_owners],
            "board": colours,
            "zoned": zoned,
            "largest": largest,
            "score": sum(breakdown.values()),
            "breakdown": breakdown,
        }

    # --- decisions (section F) ---------------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """F, F1, F2: the ids of all legal actions, ascending."""
        if self.over:
            return []
        if self.refilling:
            return sorted(self._legal_refills())
        actions = self._legal_places()
        if self.owed > 0 and not actions:
            actions += self._legal_discards()
        actions += self._legal_rotation()
        actions += self._legal_end()
        return sorted(actions)

    def apply(self, action: int) -> None:
        """Carry out one legal action and everything that follows from it up to the next decision."""
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action!r}")
        move = decode(action, self.width, self.height)
        if not self.refilling:
            self._count_decision()
        if move.kind == "place":
            self._place(move.slot, move.x, move.y)
        elif move.kind == "rotate":
            self._rotate()
        elif move.kind == "end":
            self._end()
        elif move.kind == "refill":
            self._refill(move.index)
        else:
            self._discard(move.slot)
        self._options = {}

    def options(self, slot: int) -> Options:
        """C3-C5: where the acting player can place the card of a filled slot, found once for each decision."""
        if slot not in self._options:
            self._options[slot] = self._options_of(self.shape_seen(self.card_in(slot)))
        return self._options[slot]

    def _options_of(self, shape: Shape) -> Options:
        """C3-C5: where the acting player can place a shape."""
        seat = self.acting
        anywhere = seat.board.resting_places(shape, self.max_slide)
        if seat.bar is None:
            return Options(anywhere, loses_bar=False)
        below = {(x, y) for x, y in anywhere if y + shape.height <= seat.bar}  # C3
        if below:
            return Options(below, loses_bar=False)
        return Options(anywhere, loses_bar=len(anywhere) > 0)  # C4; C5 if there is no place at all

    def _legal_places(self) -> list[int]:
        """B3, C1-C5: every filled slot with every place for its card."""
        actions = []
        for slot in self.filled_slots():
            for x, y in self.options(slot).places:
                actions.append(place_id(slot, x, y, self.width, self.height))
        return actions

    def _legal_rotation(self) -> list[int]:
        """B1, B2: as many action points must remain as pieces are still owed."""
        return [rotate_id(self.width, self.height)] if self._can_rotate() else []

    def _can_rotate(self) -> bool:
        """B2."""
        return self.points - 1 >= self.owed

    def _legal_end(self) -> list[int]:
        """B4: no piece is owed any more."""
        return [end_id(self.width, self.height)] if self.owed == 0 else []

    def _legal_refills(self) -> list[int]:
        """B5: any card of the row."""
        return [refill_id(index, self.width, self.height) for index in range(len(self.row))]

    def _legal_discards(self) -> list[int]:
        """C5: any card of the octagon, if a piece is owed and no card can be chosen."""
        return [discard_id(slot, self.width, self.height) for slot in self.filled_slots()]

    def _count_decision(self) -> None:
        """Events: what was not legal at this decision."""
        if self.points > 0 and not self._can_rotate():
            self._count("rotations_barred")
        cards = self.filled_slots()
        unchoosable = [slot for slot in cards if not self.options(slot).places]
        if cards and len(unchoosable) == len(cards):
            self._count("cards_all_unchoosable")
        else:
            self._count("cards_unchoosable", len(unchoosable))

    def _count(self, event: str, times: int = 1) -> None:
        """Events: one of `EVENTS` happened; what happened no times is not entered."""
        assert event in EVENTS
        if times > 0:
            self.events[event] += times

    # --- cards (sections A and H) ------------------------------------------------------------------------------------

    def _draw_card(self) -> int:
        """H1: one card from the pile."""
        kind = self._draw(list(self.pile))
        if kind not in TYPES or self.pile[kind] == 0:
            raise ValueError(f"type {kind!r} cannot be drawn from the pile {self.pile}")
        self.pile[kind] -= 1
        return kind

    def _fill_slots(self) -> None:
        """A5, D1: fill the empty slots from the pile in ascending order."""
        for slot in self.empty_slots():
            if sum(self.pile) > 0:
                self.slots[slot] = self._draw_card()

    def _fill_row(self) -> None:
        """A5, B6, D1: fill the row to three, as far as the pile goes."""
        while len(self.row) < ROW_CARDS and sum(self.pile) > 0:
            self.row.append(self._draw_card())
        if len(self.row) < ROW_CARDS:
            self._count("rows_short")

    def _use_card(self, slot: int) -> int:
        """B3, C5: the card of the slot is discarded, and the slot stays empty until the turn ends."""
        kind = self.card_in(slot)
        self.slots[slot] = None
        self.discards[kind] += 1
        if kind in self.slots:
            self._count("twin_cards")
        return kind

    # --- a turn (section B) ------------------------------------------------------------------------------------------

    def _begin_turn(self, player: int) -> None:
        """B1, B2: three action points, and the pieces that the phase asks for."""
        self.current_player = player
        self.points = ACTION_POINTS
        self.owed = self.rules["min_pieces"][self.phase - 1]
        self._pieces_placed = 0

    def _spend_point(self) -> None:
        """B1, B4: with no action point left the turn ends by itself."""
        self.points -= 1
        if self.points == 0:
            self._count("spent_turns")
            self._end_turn()

    def _rotate(self) -> None:
        """B1: rotate the octagon by 90 degrees clockwise."""
        self.rotation = (self.rotation + 1) % QUARTER_TURNS
        self._count("rotations")
        if self.points == 1:
            self._count("spent_turns_rotating")
        self._spend_point()

    def _end(self) -> None:
        """B4: end the turn with action points left."""
        self._count("early_ends")
        self._end_turn()

    def _discard(self, slot: int) -> None:
        """C5: a card that cannot be placed counts as a piece."""
        self._use_card(slot)
        self._count("forced_discards")
        if self._pieces_placed > 0:
            self._count("discards_after_placement")
        self.owed -= 1
        self._spend_point()

    def _end_turn(self) -> None:
        """B5: refill by itself, unless more cards lie in the row than slots are empty."""
        empty = self.empty_slots()
        if len(self.row) > len(empty):
            self.refilling = True
            return
        if len(self.row) == len(empty):
            self._count("refills_exact")
        self._count("refills_automatic" if self.row else "refills_without_cards")
        for slot in empty:
            if self.row:
                self.slots[slot] = self.row.pop(0)
        self._end_refill()

    def _refill(self, index: int) -> None:
        """B5: the lowest empty slot gets the chosen card; the row closes up."""
        self._count("refill_choices")
        if len(set(self.row)) == 1:
            self._count("refill_choices_equal")
        self.slots[self.empty_slots()[0]] = self.row.pop(index)
        if not self.empty_slots():
            self.refilling = False
            self._end_refill()

    def _end_refill(self) -> None:
        """B6: with an empty slot the phase ends; otherwise the row is filled and the next player's turn begins."""
        if self.empty_slots():
            self._end_phase()
            return
        self._fill_row()
        self._begin_turn(self._next_player())

    def _next_player(self) -> int:
        """A7, D3: by seat, ascending."""
        assert self.current_player is not None
        return (self.current_player + 1) % self.players

    # --- placing a piece (section C) ---------------------------------------------------------------------------------

    def _place(self, slot: int, x: int, y: int) -> None:
        """B3, C1-C8: one piece comes to rest and earns what it earns."""
        seat = self.acting
        options = self.options(slot)
        shape = self.shape_seen(self.card_in(slot))
        self._count_placement(slot, shape, x, y)
        kind = self._use_card(slot)
        if options.loses_bar:  # C4: the bar goes before anything is earned
            self._count("bars_lost_by_placement")
            self._lose_bar(seat)
        piece = Piece(colour_of(kind), set(shape.squares(x, y)))
        self._count_zone(piece, seat.board.groups_touching(piece.colour, piece.squares))
        seat.board.add(piece)
        self._pieces_placed += 1
        self._earn_visitor(seat, piece)
        self._earn_couple(seat, piece)
        self._earn_lines(seat, piece, options.loses_bar)
        self.owed = max(0, self.owed - 1)
        self._spend_point()

    def _lose_bar(self, seat: Seat) -> None:
        """C4, D2: the level bar and the white visitors on it are removed for the rest of the game."""
        self._count("whites_lost", seat.whites_on_bar)
        seat.bar = None
        seat.whites_on_bar = 0

    def _earn_visitor(self, seat: Seat, piece: Piece) -> None:
        """C6: a visitor moves into the zone that the piece is part of, if none stands in it yet."""
        zone = seat.board.connected(piece)
        if len(zone) >= 2 and visitors_in(zone) == 0:
            piece.visitors += 1

    def _earn_couple(self, seat: Seat, piece: Piece) -> None:
        """C7: the first zone of the colour brings the couple; later a larger zone than the owner's largest does."""
        zone = seat.board.connected(piece)
        if len(zone) < 2:
            return
        owner = self.couple_owners[piece.colour]
        if owner is None:
            self.couple_owners[piece.colour] = self.current_player
            self._count("couples_first")
        elif owner == self.current_player:
            self._count("couples_grown")
        else:
            largest = self.seats[owner].board.largest_zone(piece.colour)
            if squares_of(zone) > largest:
                self.couple_owners[piece.colour] = self.current_player
                self._count("couples_taken")
            elif squares_of(zone) == largest:
                self._count("couples_equal")

    def _earn_lines(self, seat: Seat, piece: Piece, bar_just_lost: bool) -> None:
        """C8: each row that the piece fills raises the bar by one row and puts one white visitor on it."""
        rows = sorted({y for _, y in piece.squares})
        lines = [y for y in rows if seat.board.has_full_row(y)]
        if not lines:
            return
        if seat.bar is None:
            self._count("lines_losing_bar" if bar_just_lost else "lines_without_bar")
            return
        self._count(f"lines_{len(lines)}")
        if lines[-1] - lines[0] >= len(lines):
            self._count("lines_apart")
        for _ in lines:
            if seat.bar < self.height:
                seat.bar += 1
            else:
                self._count("bars_at_top")
            seat.whites_on_bar += 1

    def _count_placement(self, slot: int, shape: Shape, x: int, y: int) -> None:
        """Events: how a piece came to its place, and where it could not go."""
        seat = self.acting
        board = seat.board
        options = self.options(slot)
        landings = {column: board.fall(shape, column) for column in board.columns(shape)}
        # C1
        stuck = [column for column in landings if not board.is_inside(shape, landings[column])]
        if stuck:
            self._count("landings_stuck")
        if any(board.fits(shape, column, row) for column in stuck for row in range(self.height - shape.height + 1)):
            self._count("landings_stuck_above_gap")
        # C2
        if any(landings[column] != row for column, row in options.places):
            self._count("slide_only_places")
        if landings[x] != y:
            self._count("slides_under_overhang")
            if not self._has_supported_way(shape, landings, x, y):
                self._count("slides_over_gaps")
        anywhere = board.resting_places(shape, self.max_slide)
        if self.max_slide is not None and board.resting_places(shape, None) != anywhere:
            self._count("slides_too_long")
        # C4
        if not options.loses_bar and anywhere != options.places:
            self._count("places_above_bar_barred")
        if options.loses_bar:
            others = [self.options(other) for other in self.filled_slots() if other != slot]
            if any(other.places and not other.loses_bar for other in others):
                self._count("bars_lost_by_choice")
            after_rotating = self._options_of(self.shape_seen(self.card_in(slot), turns=1))
            if self._can_rotate() and after_rotating.places and not after_rotating.loses_bar:
                self._count("bars_lost_wantonly")

    def _has_supported_way(self, shape: Shape, landings: Mapping[int, int], x: int, y: int) -> bool:
        """C2: whether a slide to (x, y) exists on which the piece is supported in every column."""
        for step in (-1, +1):
            column = x + step  # backwards, from the end of the slide to its start
            while self.max_slide is None or abs(column - x) <= self.max_slide:
                if not self.acting.board.fits(shape, column, y) or self.acting.board.fits(shape, column, y - 1):
                    break
                if landings[column] == y:
                    return True
                column += step
        return False

    def _count_zone(self, piece: Piece, joined: list[list[Piece]]) -> None:
        """Events: what the piece does to the zones of its colour; `joined` are the groups that it touches."""
        zones = [group for group in joined if len(group) >= 2]
        if not joined:
            self._count("single_pieces")
            touched = [self.acting.board.at.get(corner) for square in piece.squares for corner in corners(square)]
            if any(other is not None and other.colour == piece.colour for other in touched):
                self._count("corner_touches")
        elif not zones:
            self._count("zones_founded")
            if len(joined) >= 2:
                self._count("zones_founded_of_three")
        elif len(zones) == 1:
            self._count("zones_grown")
        else:
            self._count("zones_merged")

    # --- end of a phase (section D) ----------------------------------------------------------------------------------

    def _end_phase(self) -> None:
        """D1-D4: the next phase, or the end of the game."""
        self._count(f"phase_ends_{self.phase}")
        if self.phase == LAST_PHASE:
            self._end_game()
            return
        # D1
        for kind in TYPES:
            self.pile[kind] += self.discards[kind]
            self.discards[kind] = 0
        self._fill_slots()
        self._fill_row()
        # D2
        for seat in self.seats:
            if seat.bar is not None:
                self._drop_bar(seat, seat.bar)
        # D3
        self.phase += 1
        self._begin_turn(self._next_player())

    def _drop_bar(self, seat: Seat, bar: int) -> None:
        """D2: the bar drops, and is lost if it overlaps a piece; otherwise its visitors move into the street."""
        dropped = bar - int(self.rules["bar_drop"])
        if dropped < 0:
            dropped = 0
            self._count("bars_floored")
        seat.bar = dropped
        if any(y >= dropped for _, y in seat.board.at):
            self._count("bars_lost_at_phase_end")
            self._lose_bar(seat)
            return
        self._count("bars_dropped")
        self._count("whites_moved", seat.whites_on_bar)
        seat.whites += seat.whites_on_bar
        seat.whites_on_bar = 0

    def _end_game(self) -> None:
        """D4, E2: no bar drops."""
        self.over = True
        self.current_player = None
        self.points = 0
        self.owed = 0
        on_bars = sum(seat.whites_on_bar for seat in self.seats)
        counted = self.rules["bar_visitors_score_at_end"]
        self._count("bar_visitors_counted" if counted else "bar_visitors_uncounted", on_bars)
        if self.scores.count(max(self.scores)) > 1:
            self._count("ties")
