"""Azul: Summer Pavilion (side A), a slow and literal reference implementation.

It is written from the numbered rules alone and shares no code with the library that it checks. Every method names
the rules it carries out (A7, C8, ...) and does so in the order of the rule text. Speed is no aim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# ---------------------------------------------------------------------------------------------------------------------
# Rules fields: the two presets
# ---------------------------------------------------------------------------------------------------------------------

RULEBOOK: dict[str, Any] = {
    "pillar_tiles": 1,
    "statue_tiles": 2,
    "window_tiles": 3,
    "token_penalty_cap": None,
    "centre_closed_at_floor": False,
    "number_bonus_each_round": False,
    "voluntary_give_ups": True,
    "side": "A",
}

DIGEST: dict[str, Any] = {
    "pillar_tiles": 2,
    "statue_tiles": 2,
    "window_tiles": 3,
    "token_penalty_cap": 4,
    "centre_closed_at_floor": True,
    "number_bonus_each_round": True,
    "voluntary_give_ups": True,
    "side": "A",
}

# ---------------------------------------------------------------------------------------------------------------------
# Section A: material
# ---------------------------------------------------------------------------------------------------------------------

ORANGE, RED, BLUE, YELLOW, GREEN, PURPLE = range(6)  # A1
COLOURS = (ORANGE, RED, BLUE, YELLOW, GREEN, PURPLE)
TILES_OF_EACH_COLOUR = 22  # A1
DISPLAYS_BY_PLAYERS = {2: 5, 3: 7, 4: 9}  # A2
TILES_ON_A_DISPLAY = 4  # A2
SUPPLY_SPACES = 10  # A3
STARTING_SCORE = 5  # A4
LOWEST_SCORE = 1  # A4
LAST_ROUND = 6  # A5
WILD_BY_ROUND = {1: PURPLE, 2: GREEN, 3: ORANGE, 4: YELLOW, 5: BLUE, 6: RED}  # A5
MOST_KEPT_TILES = 4  # D2

CENTRE = 9  # G: the centre of the table as a source; the displays are the sources 0-8

# Outer star i has the colour i; the centre star comes last.
CENTRE_STAR = 6
STARS = (ORANGE, RED, BLUE, YELLOW, GREEN, PURPLE, CENTRE_STAR)
SPACES = (1, 2, 3, 4, 5, 6)

# F1
STAR_POINTS = {CENTRE_STAR: 12, RED: 14, BLUE: 15, YELLOW: 16, ORANGE: 17, GREEN: 18, PURPLE: 20}
# F2
NUMBER_POINTS = {1: 4, 2: 8, 3: 12, 4: 16}

Space = tuple[int, int]  # (star, number of the space)


class Structure(NamedTuple):
    """A pillar, statue or window and the spaces that enclose it (C7)."""

    kind: str
    position: int
    spaces: tuple[Space, ...]


def side_a_structures() -> list[Structure]:
    """Section C, side A geometry: the table, row by row, for i = 0..5."""
    structures = []
    for i in range(6):
        pillar = ((i, 2), (i, 3), (CENTRE_STAR, ((i + 5) % 6) + 1), (CENTRE_STAR, i + 1))
        structures.append(Structure("pillar", i, pillar))
    for i in range(6):
        statue = ((i, 1), (i, 2), ((i + 1) % 6, 3), ((i + 1) % 6, 4))
        structures.append(Structure("statue", i, statue))
    for i in range(6):
        window = ((i, 5), (i, 6))
        structures.append(Structure("window", i, window))
    return structures


STRUCTURES = side_a_structures()
STRUCTURES_AT: dict[Space, list[Structure]] = {
    (star, number): [structure for structure in STRUCTURES if (star, number) in structure.spaces]
    for star in STARS
    for number in SPACES
}

# ---------------------------------------------------------------------------------------------------------------------
# Section G: the numbering of the actions
# ---------------------------------------------------------------------------------------------------------------------


class Action(NamedTuple):
    """A decision in plain words; fields that do not apply are -1."""

    kind: str  # "draft", "place", "pick", "give_up" or "pass"
    source: int = -1
    star: int = -1
    number: int = -1
    colour: int = -1
    wilds: int = -1


PASS = 324


def draft_id(source: int, colour: int) -> int:
    """G, ids 0-59."""
    return source * 6 + colour


def place_id(star: int, number: int, colour: int, wilds: int) -> int:
    """G, ids 60-185 (outer stars, whose colour is the star's own) and 186-311 (centre star)."""
    if star == CENTRE_STAR:
        return 186 + 6 * (number * (number - 1) // 2) + number * colour + wilds
    return 60 + 21 * star + number * (number - 1) // 2 + wilds


def pick_id(colour: int) -> int:
    """G, ids 312-317."""
    return 312 + colour


def give_up_id(colour: int) -> int:
    """G, ids 318-323."""
    return 318 + colour


def all_actions() -> dict[int, Action]:
    """G: the whole table, id by id."""
    table: dict[int, Action] = {}
    for source in range(10):
        for colour in COLOURS:
            table[draft_id(source, colour)] = Action("draft", source=source, colour=colour)
    for star in range(6):
        for number in SPACES:
            for wilds in range(number):
                action = Action("place", star=star, number=number, colour=star, wilds=wilds)
                table[place_id(star, number, star, wilds)] = action
    for number in SPACES:
        for colour in COLOURS:
            for wilds in range(number):
                action = Action("place", star=CENTRE_STAR, number=number, colour=colour, wilds=wilds)
                table[place_id(CENTRE_STAR, number, colour, wilds)] = action
    for colour in COLOURS:
        table[pick_id(colour)] = Action("pick", colour=colour)
    for colour in COLOURS:
        table[give_up_id(colour)] = Action("give_up", colour=colour)
    table[PASS] = Action("pass")
    return table


ACTIONS = all_actions()

# ---------------------------------------------------------------------------------------------------------------------
# Boards
# ---------------------------------------------------------------------------------------------------------------------

Star = dict[int, int]  # number of a covered space -> colour of the tile lying there


def no_tiles() -> list[int]:
    """Six counts, all zero."""
    return [0, 0, 0, 0, 0, 0]


def chain_points(star: Iterable[int], number: int) -> int:
    """C6: one point plus one for each other tile connected along the ring 1-2-3-4-5-6-1 to the tile on `number`.

    `star` holds the numbers of the covered spaces, the new one among them.
    """
    covered = set(star)
    chain = {number}
    for direction in (+1, -1):
        neighbour = (number - 1 + direction) % 6 + 1
        while neighbour in covered and neighbour not in chain:
            chain.add(neighbour)
            neighbour = (neighbour - 1 + direction) % 6 + 1
    return len(chain)


def is_enclosed(board: list[Star], structure: Structure) -> bool:
    """C7: every space that encloses the structure is covered."""
    return all(number in board[star] for star, number in structure.spaces)


def is_complete(star: Star) -> bool:
    """F1: all six spaces of the star are covered."""
    return all(number in star for number in SPACES)


def is_number_complete(board: list[Star], number: int) -> bool:
    """F2: all seven spaces of this number are covered, six on the outer stars and one on the centre star."""
    return all(number in board[star] for star in STARS)


@dataclass
class Seat:
    """What one player has."""

    score: int = STARTING_SCORE
    hand: list[int] = field(default_factory=no_tiles)  # tiles beside the board
    kept: list[int] = field(default_factory=no_tiles)  # tiles in the corners of the board
    board: list[Star] = field(default_factory=lambda: [{} for _ in STARS])
    passed: bool = False
    numbers_paid: set[int] = field(default_factory=set)
    placements: int = 0  # H2: points by source
    stars: int = 0
    numbers: int = 0
    losses: int = 0


# ---------------------------------------------------------------------------------------------------------------------
# The game
# ---------------------------------------------------------------------------------------------------------------------


EVENTS = (
    "bag_refills",
    "supply_short",
    "displays_short",
    "nothing_to_draft",
    "picks",
    "picks_lapsed",
    "pillars",
    "statues",
    "windows",
    "double_closings",
    "outer_stars",
    "centre_stars",
    "numbers_1",
    "numbers_2",
    "numbers_3",
    "numbers_4",
    "floors",
    "give_ups",
    "voluntary_give_ups",
    "kept_tiles",
    "kept_costs",
    "ties",
    "wild_only_drafts",
    "marker_taken",
    "marker_untaken",
    "marker_cap",
    "centre_closed",
    "wilds_used",
    "centre_placements",
    "full_rings",
)
"""What ``ReferenceAzul.events`` counts."""


class ReferenceAzul:
    """One game. `draw(bag)` decides every chance event: it gets a copy of the bag and returns the colour drawn.

    A `draw` that names a colour the bag does not hold is answered with ValueError, and the game is void after it.
    """

    def __init__(self, players: int, start: int, rules: Mapping[str, Any], draw: Callable[[list[int]], int]) -> None:
        """Sections A and G: set-up, with the supply filled before the displays (A3)."""
        if players not in DISPLAYS_BY_PLAYERS:
            raise ValueError(f"players must be 2, 3 or 4, not {players!r}")
        if start not in range(players):
            raise ValueError(f"start must be a seat below {players}, not {start!r}")
        if set(rules) != set(RULEBOOK):
            raise ValueError(f"unknown or missing rules fields: {sorted(set(rules) ^ set(RULEBOOK))}")
        if rules["side"] != "A":
            raise ValueError(f"only side A is implemented, not {rules['side']!r}")

        self.rules: dict[str, Any] = dict(rules)
        self.events: Counter[str] = Counter()
        self._draw = draw

        self.players = players
        self.seats = [Seat() for _ in range(players)]  # A4
        self.bag = [TILES_OF_EACH_COLOUR for _ in COLOURS]  # A1
        self.tower = no_tiles()
        self.supply = no_tiles()
        self.centre = no_tiles()
        self.displays = [no_tiles() for _ in range(DISPLAYS_BY_PLAYERS[players])]  # A2

        self.round = 1
        self.phase = "acquire"
        self.starter = start  # A6
        self.marker: int | None = None  # B6: None while the marker lies in the centre
        self.current_player: int | None = start
        self.picks_owed = 0
        self.giving_up = False

        self._fill_supply()
        self._fill_displays()
        self._begin_phase_1()

    # --- what everybody sees -----------------------------------------------------------------------------------------

    @property
    def wild(self) -> int:
        """A5: the wild colour of the current round."""
        return WILD_BY_ROUND[self.round]

    @property
    def scores(self) -> list[int]:
        """The present scores by seat."""
        return [seat.score for seat in self.seats]

    @property
    def acting(self) -> Seat:
        """The seat that is to act."""
        if self.current_player is None:
            raise ValueError("the game is over")
        return self.seats[self.current_player]

    def source_tiles(self, source: int) -> list[int]:
        """B2: the tiles of a source, a display or the centre."""
        return self.centre if source == CENTRE else self.displays[source]

    def sources(self) -> list[int]:
        """B2: the numbers of the sources that exist in this game, in ascending order."""
        return [*range(len(self.displays)), CENTRE]

    def snapshot(self) -> dict[str, Any]:
        """The whole state in plain data."""
        return {
            "round": self.round,
            "phase": self.phase,
            "player": self.current_player,
            "wild": self.wild,
            "displays": [list(display) for display in self.displays],
            "centre": list(self.centre),
            "supply": list(self.supply),
            "bag": list(self.bag),
            "tower": list(self.tower),
            "starter": self.starter,
            "marker": self.marker,
            "passed": [seat.passed for seat in self.seats],
            "picks_owed": self.picks_owed,
            "giving_up": self.giving_up,
            "players": [
                {
                    "score": seat.score,
                    "hand": list(seat.hand),
                    "kept": list(seat.kept),
                    "board": [[star.get(number) for number in SPACES] for star in seat.board],
                    "breakdown": {
                        "placements": seat.placements,
                        "stars": seat.stars,
                        "numbers": seat.numbers,
                        "losses": seat.losses,
                    },
                    "numbers_paid": sorted(seat.numbers_paid),
                }
                for seat in self.seats
            ],
        }

    # --- decisions (section G) ---------------------------------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """G, G1, G2: the ids of all legal actions, ascending."""
        if self.phase == "over":
            return []
        if self.phase == "acquire":
            return sorted(self._legal_drafts())
        if self.picks_owed > 0:
            return sorted(self._legal_picks())
        actions = []
        if not self.giving_up:
            actions += self._legal_placements()
        actions += self._legal_give_ups()
        actions += self._legal_pass()
        return sorted(actions)

    def apply(self, action: int) -> None:
        """Carry out one legal action and everything that follows from it up to the next decision."""
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action!r}")
        move = ACTIONS[action]
        if move.kind == "draft":
            self._draft(move.source, move.colour)
        elif move.kind == "place":
            self._place(move.star, move.number, move.colour, move.wilds)
        elif move.kind == "pick":
            self._pick(move.colour)
        elif move.kind == "give_up":
            self._give_up(move.colour)
        else:
            self._pass()

    def _legal_drafts(self) -> list[int]:
        """B2, B3: a source and a colour in it that is not wild, or the wild colour of a source that has no other."""
        actions = []
        for source in self.sources():
            if source == CENTRE and self._centre_is_closed():
                continue
            tiles = self.source_tiles(source)
            others = [colour for colour in COLOURS if colour != self.wild and tiles[colour] > 0]
            if others:
                actions += [draft_id(source, colour) for colour in others]
            elif tiles[self.wild] > 0:
                actions.append(draft_id(source, self.wild))
        return actions

    def _centre_is_closed(self) -> bool:
        """B5 [digest]: a player at score 1 may not be first to take from the centre while a display holds tiles."""
        return (
            self.rules["centre_closed_at_floor"]
            and self.marker is None
            and self.acting.score == LOWEST_SCORE
            and any(sum(display) > 0 for display in self.displays)
        )

    def _legal_placements(self) -> list[int]:
        """C2-C5: every open space with every way to pay for it."""
        actions = []
        for star in STARS:
            for number in SPACES:
                if number in self.acting.board[star]:
                    continue
                for colour in self._colours_allowed(star):
                    for wilds in self._payments(number, colour):
                        actions.append(place_id(star, number, colour, wilds))
        return actions

    def _colours_allowed(self, star: int) -> list[int]:
        """C3: an outer star takes its own colour. C5: the centre star takes any colour not in it already."""
        if star != CENTRE_STAR:
            return [star]
        already_there = self.acting.board[CENTRE_STAR].values()
        return [colour for colour in COLOURS if colour not in already_there]

    def _payments(self, number: int, colour: int) -> list[int]:
        """C2-C4: the numbers of wild tiles with which `number` tiles of `colour` can be paid."""
        own = self.acting.hand[colour]
        if colour == self.wild:
            return [0] if own >= number else []
        wilds = self.acting.hand[self.wild]
        return list(range(max(0, number - own), min(number - 1, wilds) + 1))

    def _legal_picks(self) -> list[int]:
        """C8: any colour that lies in the supply."""
        return [pick_id(colour) for colour in COLOURS if self.supply[colour] > 0]

    def _legal_give_ups(self) -> list[int]:
        """D2, G1: any colour in hand; without `voluntary_give_ups` only with more than four tiles in hand."""
        hand = self.acting.hand
        if not self.rules["voluntary_give_ups"] and sum(hand) <= MOST_KEPT_TILES:
            return []
        return [give_up_id(colour) for colour in COLOURS if hand[colour] > 0]

    def _legal_pass(self) -> list[int]:
        """D1, D3, G: the pass is legal when at most four tiles are in hand."""
        return [PASS] if sum(self.acting.hand) <= MOST_KEPT_TILES else []

    # --- points ------------------------------------------------------------------------------------------------------

    def _lose(self, seat: Seat, points: int) -> int:
        """A4: a loss stops at score 1. Returns the points really lost (H2)."""
        lost = min(points, seat.score - LOWEST_SCORE)
        if lost < points:
            self.events["floors"] += 1
        seat.score -= lost
        seat.losses += lost
        return lost

    # --- the bag (A7, section I) -------------------------------------------------------------------------------------

    def _draw_tile(self) -> int | None:
        """A7, I1: draw one tile; the bag is refilled only now if it is empty. None if the tower is empty, too."""
        if sum(self.bag) == 0:
            if sum(self.tower) == 0:
                return None
            self.bag = self.tower
            self.tower = no_tiles()
            self.events["bag_refills"] += 1
        colour = self._draw(list(self.bag))
        if colour not in COLOURS or self.bag[colour] == 0:
            raise ValueError(f"colour {colour!r} cannot be drawn from the bag {self.bag}")
        self.bag[colour] -= 1
        return colour

    def _fill_supply(self) -> None:
        """A3, A7, C9: fill the supply up to ten tiles, as far as the tiles go."""
        while sum(self.supply) < SUPPLY_SPACES:
            colour = self._draw_tile()
            if colour is None:
                self.events["supply_short"] += 1
                return
            self.supply[colour] += 1

    def _fill_displays(self) -> None:
        """A2, A7, E1: fill the displays in order with four tiles each, as far as the tiles go."""
        for display in self.displays:
            while sum(display) < TILES_ON_A_DISPLAY:
                colour = self._draw_tile()
                if colour is None:
                    self.events["displays_short"] += 1
                    return
                display[colour] += 1

    # --- phase 1: acquire tiles (section B) --------------------------------------------------------------------------

    def _begin_phase_1(self) -> None:
        """B1: the starting player has the first turn. A7: with nothing to draft phase 2 follows at once."""
        self.phase = "acquire"
        self.current_player = self.starter
        for seat in self.seats:
            seat.passed = False
        if self._nothing_left_to_draft():
            self.events["nothing_to_draft"] += 1
            self._begin_phase_2()

    def _nothing_left_to_draft(self) -> bool:
        """B1: displays and centre are empty."""
        return all(sum(self.source_tiles(source)) == 0 for source in self.sources())

    def _draft(self, source: int, colour: int) -> None:
        """B2-B5: take tiles from one source."""
        if self._centre_is_closed() and sum(self.centre) > 0:
            self.events["centre_closed"] += 1
        tiles = self.source_tiles(source)
        taken = no_tiles()
        if colour == self.wild:  # B3: a source that holds only wild tiles
            taken[self.wild] = 1
            self.events["wild_only_drafts"] += 1
        else:  # B2: all tiles of the colour, and exactly one wild tile if there is any
            taken[colour] = tiles[colour]
            if tiles[self.wild] > 0:
                taken[self.wild] = 1
        for c in COLOURS:
            tiles[c] -= taken[c]
            self.acting.hand[c] += taken[c]
        if source != CENTRE:  # B4: what is left of a display moves to the centre
            for c in COLOURS:
                self.centre[c] += tiles[c]
                tiles[c] = 0
        if source == CENTRE and self.marker is None:
            self._take_marker(sum(taken))
        self._end_turn_of_phase_1()

    def _take_marker(self, tiles_taken: int) -> None:
        """B5: the first to take from the centre takes the marker and loses a point for each tile taken."""
        self.marker = self.current_player
        self.events["marker_taken"] += 1
        loss = tiles_taken
        cap = self.rules["token_penalty_cap"]
        if cap is not None and loss > cap:  # [digest]
            loss = cap
            self.events["marker_cap"] += 1
        self._lose(self.acting, loss)

    def _end_turn_of_phase_1(self) -> None:
        """B1: the next seat acts, until displays and centre are empty."""
        if self._nothing_left_to_draft():
            self._begin_phase_2()
        else:
            assert self.current_player is not None
            self.current_player = (self.current_player + 1) % self.players

    # --- phase 2: play tiles and score (sections C and D) ------------------------------------------------------------

    def _begin_phase_2(self) -> None:
        """B6: a marker nobody took goes to the starting player. D4: kept tiles join the hand. C1: the marker starts."""
        self.phase = "play"
        if self.marker is None:
            self.marker = self.starter
            self.events["marker_untaken"] += 1
        for seat in self.seats:
            for colour in COLOURS:
                seat.hand[colour] += seat.kept[colour]
                seat.kept[colour] = 0
        self.current_player = self.marker

    def _place(self, star: int, number: int, colour: int, wilds: int) -> None:
        """C2-C8: pay, place one tile, score it, and earn bonus tiles."""
        seat = self.acting
        # C2, C3: `number` tiles are paid, `wilds` of them wild; one of the colour is placed, the rest go to the tower
        seat.hand[colour] -= number - wilds
        seat.hand[self.wild] -= wilds
        seat.board[star][number] = colour
        self.tower[colour] += number - wilds - 1
        self.tower[self.wild] += wilds
        self.events["wilds_used"] += wilds
        if star == CENTRE_STAR:
            self.events["centre_placements"] += 1
        # C6
        points = chain_points(seat.board[star], number)
        seat.score += points
        seat.placements += points
        if points == 6:
            self.events["full_rings"] += 1
        # C7, C8
        earned = self._earned_tiles(seat, star, number)
        present = sum(self.supply)
        self.picks_owed = min(earned, present)
        if earned > present:
            self.events["picks_lapsed"] += 1
        if self.picks_owed == 0:
            self._end_turn_of_phase_2()

    def _earned_tiles(self, seat: Seat, star: int, number: int) -> int:
        """C7, C8: the supply tiles earned by the structures that this placement closes; several add up."""
        tiles = {
            "pillar": self.rules["pillar_tiles"],
            "statue": self.rules["statue_tiles"],
            "window": self.rules["window_tiles"],
        }
        earned = 0
        closed = 0
        for structure in STRUCTURES_AT[star, number]:
            if is_enclosed(seat.board, structure):
                earned += tiles[structure.kind]
                closed += 1
                self.events[structure.kind + "s"] += 1
        if closed >= 2:
            self.events["double_closings"] += 1
        return earned

    def _pick(self, colour: int) -> None:
        """C8: take one tile from the supply; the turn ends with the last one."""
        self.supply[colour] -= 1
        self.acting.hand[colour] += 1
        self.picks_owed -= 1
        self.events["picks"] += 1
        if self.picks_owed == 0:
            self._end_turn_of_phase_2()

    def _give_up(self, colour: int) -> None:
        """D2, G: one tile goes to the tower at once at -1 point, and this turn can only end with the pass."""
        self.events["give_ups"] += 1
        if sum(self.acting.hand) <= MOST_KEPT_TILES:
            self.events["voluntary_give_ups"] += 1
        self.acting.hand[colour] -= 1
        self.tower[colour] += 1
        self._lose(self.acting, 1)
        self.giving_up = True

    def _pass(self) -> None:
        """D2, D4: the tiles still in hand, at most four, are kept in the corners of the board."""
        seat = self.acting
        seat.passed = True
        self.events["kept_tiles"] += sum(seat.hand)
        for colour in COLOURS:
            seat.kept[colour] += seat.hand[colour]
            seat.hand[colour] = 0
        self.giving_up = False
        self._end_turn_of_phase_2()

    def _end_turn_of_phase_2(self) -> None:
        """C9, C1: the supply is filled, then the next player who has not passed acts, or the round ends."""
        round_is_over = all(seat.passed for seat in self.seats)
        if round_is_over and self.round == LAST_ROUND:
            self._end_game()  # C9: nothing is drawn any more
            return
        self._fill_supply()
        if round_is_over:
            self._end_round()
            return
        assert self.current_player is not None
        self.current_player = (self.current_player + 1) % self.players
        while self.acting.passed:
            self.current_player = (self.current_player + 1) % self.players

    # --- round end and game end (sections E and F) -------------------------------------------------------------------

    def _end_round(self) -> None:
        """E1, E2: prepare the next round."""
        self.round += 1
        self._fill_displays()
        assert self.marker is not None
        self.starter = self.marker
        self.marker = None
        if self.rules["number_bonus_each_round"]:
            self._pay_numbers()
        self._begin_phase_1()

    def _pay_numbers(self) -> None:
        """F2, E2: pay the numbers that are complete, once per player and number."""
        for seat in self.seats:
            for number, points in NUMBER_POINTS.items():
                if number not in seat.numbers_paid and is_number_complete(seat.board, number):
                    seat.numbers_paid.add(number)
                    seat.score += points
                    seat.numbers += points
                    self.events[f"numbers_{number}"] += 1

    def _pay_stars(self) -> None:
        """F1: pay the complete stars."""
        for seat in self.seats:
            for star in STARS:
                if is_complete(seat.board[star]):
                    seat.score += STAR_POINTS[star]
                    seat.stars += STAR_POINTS[star]
                    self.events["centre_stars" if star == CENTRE_STAR else "outer_stars"] += 1

    def _end_game(self) -> None:
        """F1, F2 (E2), F3, F4: bonuses, then the cost of the tiles still kept, then the winner."""
        self._pay_stars()
        self._pay_numbers()
        for seat in self.seats:
            kept = sum(seat.kept)
            if kept > 0:
                self.events["kept_costs"] += self._lose(seat, kept)
        if self.scores.count(max(self.scores)) > 1:
            self.events["ties"] += 1
        self.phase = "over"
        self.current_player = None
