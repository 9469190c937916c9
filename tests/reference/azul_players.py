"""Small scripted players that drive two implementations of Azul into common and rare corners.

`PLAYERS` holds the players, `RULES` the presets and some rules that neither preset has, `DRAWS` ways to draw from the
bag, unfair ones among them: the presets with a fair bag hardly ever reach an untaken marker, lapsed picks or a round
with nothing to draft.

A player is a function of the game and a random generator that returns one legal action. None of them searches; each
scores the legal actions by a simple rule, and a few times in a hundred decisions moves at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from azul_reference import (
    ACTIONS,
    CENTRE,
    CENTRE_STAR,
    COLOURS,
    DIGEST,
    LAST_ROUND,
    LOWEST_SCORE,
    MOST_KEPT_TILES,
    NUMBER_POINTS,
    PASS,
    RULEBOOK,
    SPACES,
    STAR_POINTS,
    STARS,
    STRUCTURES_AT,
    WILD_BY_ROUND,
    Action,
    ReferenceAzul,
    Seat,
    Star,
    chain_points,
)

Player = Callable[[ReferenceAzul, random.Random], int]
Value = Callable[[Action], float]
Draw = Callable[[list[int]], int]

# ---------------------------------------------------------------------------------------------------------------------
# Helpers
# ---------------------------------------------------------------------------------------------------------------------


def best(actions: Iterable[int], value: Value, rng: random.Random) -> int:
    """The action of highest value; ties are broken at random."""
    return max(actions, key=lambda action: (value(ACTIONS[action]), rng.random()))


def of_kind(actions: Iterable[int], kind: str) -> list[int]:
    """Those of the actions that are of one kind."""
    return [action for action in actions if ACTIONS[action].kind == kind]


def tiles_taken(game: ReferenceAzul, move: Action) -> list[int]:
    """The six counts of the tiles that a draft takes (B2, B3)."""
    tiles = game.source_tiles(move.source)
    taken = [0] * len(COLOURS)
    taken[move.colour] = tiles[move.colour]
    taken[game.wild] = min(1, tiles[game.wild])
    return taken


def takes_marker(game: ReferenceAzul, move: Action) -> bool:
    """Whether a draft is the first from the centre (B5)."""
    return move.source == CENTRE and game.marker is None


def marker_cost(game: ReferenceAzul, move: Action) -> int:
    """The points that a draft costs (B5)."""
    if not takes_marker(game, move):
        return 0
    return min(sum(tiles_taken(game, move)), game.acting.score - LOWEST_SCORE)


def chain_after(star: Star, number: int) -> int:
    """The points of a placement on this space (C6)."""
    return chain_points([*star, number], number)


def closes(seat: Seat, move: Action, kinds: tuple[str, ...] = ("pillar", "statue", "window")) -> list[str]:
    """The kinds of the structures that a placement would close (C7)."""
    here = (move.star, move.number)
    return [
        structure.kind
        for structure in STRUCTURES_AT[here]
        if structure.kind in kinds
        and all(space == here or space[1] in seat.board[space[0]] for space in structure.spaces)
    ]


def bonus_tiles(game: ReferenceAzul, move: Action) -> int:
    """The supply tiles that a placement would earn (C8)."""
    earned = sum(int(game.rules[f"{kind}_tiles"]) for kind in closes(game.acting, move))
    return min(earned, sum(game.supply))


def next_wild(game: ReferenceAzul) -> int | None:
    """The wild colour of the next round, if there is one."""
    return WILD_BY_ROUND.get(game.round + 1)


def open_cost(star: Star) -> int:
    """The tiles that the open spaces of a star still cost."""
    return sum(number for number in SPACES if number not in star)


# ---------------------------------------------------------------------------------------------------------------------
# The sensible players: one evaluation, four weightings
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Taste:
    """What a sensible player gives weight to."""

    tile: float = 1.1  # price of a tile spent
    wild: float = 0.4  # surcharge for a wild tile spent
    bonus: float = 1.6  # a supply tile earned
    approach: float = 0.3  # a step towards a structure, for each tile it will earn
    star: float = 1.0  # progress of a star, as a share of its points
    number: float = 0.3  # progress of a number, as a share of its points
    marker: float = 1.0  # a point lost with the marker
    saved: float = 0.0  # a tile of the next wild colour
    quantity: float = 0.6  # any tile drafted
    shortest_first: float = 0.0  # each tile a space costs, on top of their price
    least: float = 0.0  # with four tiles or fewer in hand, a placement worth less than this is put off


SENSIBLE = Taste()
BUILDER = Taste(bonus=2.2, approach=0.6)
CHEAPEST = Taste(shortest_first=10.0, quantity=1.0, least=-60.0)
CHAINER = Taste(star=2.2, bonus=1.0, approach=0.1, number=0.1)
SAVER = Taste(saved=2.5)


def colour_worth(game: ReferenceAzul, colour: int, taste: Taste) -> float:
    """The worth of one more tile of a colour to the acting player."""
    seat = game.acting
    worth = 0.0
    if next_wild(game) == colour:
        worth += 0.3 + taste.saved
    if colour == game.wild:
        return worth + 2.0
    own = seat.hand[colour] + seat.kept[colour]
    star = seat.board[colour]
    centre = seat.board[CENTRE_STAR]
    open_numbers = [number for number in SPACES if number not in star]
    if colour not in centre.values():
        open_numbers += [number for number in SPACES if number not in centre]
    if own + 1 in open_numbers:
        worth += 0.8
    if own < sum(sorted(open_numbers)[:3]):
        worth += 0.6 + taste.star * STAR_POINTS[colour] / 20 * 0.1 * len(star)
    return worth


def draft_worth(game: ReferenceAzul, move: Action, taste: Taste) -> float:
    """The worth of a draft to a sensible player."""
    taken = tiles_taken(game, move)
    worth = -taste.marker * marker_cost(game, move)
    for colour in COLOURS:
        if taken[colour]:
            worth += taken[colour] * (taste.quantity + colour_worth(game, colour, taste))
    return worth


def placement_worth(game: ReferenceAzul, move: Action, taste: Taste) -> float:
    """The worth of a placement to a sensible player."""
    seat = game.acting
    star = seat.board[move.star]
    worth = float(chain_after(star, move.number))
    worth += taste.bonus * bonus_tiles(game, move)
    for structure in STRUCTURES_AT[move.star, move.number]:
        covered = sum(number in seat.board[s] for s, number in structure.spaces)
        worth += taste.approach * game.rules[f"{structure.kind}_tiles"] * covered / len(structure.spaces)
    share = (len(star) + 1) / len(SPACES)
    worth += taste.star * STAR_POINTS[move.star] * share * share * 0.3
    if move.number in NUMBER_POINTS:
        there = 1 + sum(move.number in seat.board[s] for s in STARS)
        worth += taste.number * NUMBER_POINTS[move.number] * there / len(STARS)
    worth -= move.number * (taste.tile + taste.shortest_first) + move.wilds * taste.wild
    saved = next_wild(game)
    if saved is not None and taste.saved > 0 and move.colour == saved:
        worth -= taste.saved * (move.number - move.wilds)
    return worth


def least_useful(game: ReferenceAzul, actions: list[int], taste: Taste, rng: random.Random) -> int:
    """Of several give-ups the one of the tile least worth keeping."""

    def value(move: Action) -> float:
        kept_for_later = 3.0 if move.colour == next_wild(game) else 0.0
        return -kept_for_later - (0.0 if move.colour == game.wild else colour_worth(game, move.colour, taste))

    return best(actions, value, rng)


def sensible(game: ReferenceAzul, rng: random.Random, taste: Taste, whim: float = 0.05) -> int:
    """Draft by worth, place as long as it pays, give up only what must be given up."""
    actions = game.legal_actions()
    if len(actions) == 1 or rng.random() < whim * (0.3 if game.phase == "play" else 1.0):
        return rng.choice(actions)
    if game.phase == "acquire":
        return best(actions, lambda move: draft_worth(game, move, taste), rng)
    if game.picks_owed > 0:
        return best(actions, lambda move: colour_worth(game, move.colour, taste), rng)
    placements = of_kind(actions, "place")
    if placements:
        choice = best(placements, lambda move: placement_worth(game, move, taste), rng)
        must_spend = PASS not in actions or game.round == LAST_ROUND or game.acting.hand[game.wild] > 0
        if must_spend or placement_worth(game, ACTIONS[choice], taste) > taste.least:
            return choice
    if PASS in actions:
        return PASS
    return least_useful(game, of_kind(actions, "give_up"), taste, rng)


# ---------------------------------------------------------------------------------------------------------------------
# The players
# ---------------------------------------------------------------------------------------------------------------------


def uniform(game: ReferenceAzul, rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(game.legal_actions())


def builder(game: ReferenceAzul, rng: random.Random) -> int:
    """Drafts useful colours and prefers placements that close structures or come close to it."""
    return sensible(game, rng, BUILDER)


def cheapest(game: ReferenceAzul, rng: random.Random) -> int:
    """Drafts many tiles and places on the cheapest space first."""
    return sensible(game, rng, CHEAPEST)


def chainer(game: ReferenceAzul, rng: random.Random) -> int:
    """Places where the chain is longest and completes stars."""
    return sensible(game, rng, CHAINER)


def hoarder(game: ReferenceAzul, rng: random.Random) -> int:
    """Takes as much as it can, places little and cheaply, gives up many tiles and passes late with four tiles kept."""
    actions = game.legal_actions()
    if rng.random() < 0.04:
        return rng.choice(actions)
    if game.phase == "acquire":
        return best(actions, lambda move: sum(tiles_taken(game, move)), rng)
    if game.picks_owed > 0:
        return best(actions, lambda move: game.supply[move.colour], rng)
    cheap = [action for action in of_kind(actions, "place") if ACTIONS[action].number <= 3]
    if cheap and sum(game.acting.hand) > MOST_KEPT_TILES:
        return best(cheap, lambda move: -move.number - move.wilds, rng)
    if PASS in actions:
        return PASS
    return best(of_kind(actions, "give_up"), lambda move: game.acting.hand[move.colour], rng)


def giver(game: ReferenceAzul, rng: random.Random) -> int:
    """Gives up tiles it could keep, the more readily at the floor, where that costs nothing."""
    actions = game.legal_actions()
    if rng.random() < 0.05:
        return rng.choice(actions)
    if game.phase == "acquire":  # the dearest way from the centre, to get to the floor
        return best(actions, lambda move: marker_cost(game, move), rng)
    give_ups = of_kind(actions, "give_up")
    at_floor = game.acting.score == LOWEST_SCORE
    if give_ups and (game.giving_up or rng.random() < (0.6 if at_floor else 0.3)):
        if PASS in actions and rng.random() < 0.2:
            return PASS
        return rng.choice(give_ups)
    placements = of_kind(actions, "place")
    return rng.choice(placements or actions)


def centre_lover(game: ReferenceAzul, rng: random.Random) -> int:
    """Takes from the centre of the table as soon as it can and fills the centre star."""
    actions = game.legal_actions()
    if rng.random() < 0.04:
        return rng.choice(actions)
    seat = game.acting
    in_star = seat.board[CENTRE_STAR].values()
    if game.phase == "acquire":

        def draft_value(move: Action) -> float:
            wanted = 0.5 if move.colour in in_star else 1.0
            return 10.0 * (move.source == CENTRE) + wanted * sum(tiles_taken(game, move))

        return best(actions, draft_value, rng)
    if game.picks_owed > 0:
        return best(actions, lambda move: (move.colour not in in_star) * (1 + seat.hand[move.colour]), rng)
    placements = of_kind(actions, "place")
    if placements:
        # the dearest centre space first while the colours are still many, then the outer spaces next to the centre
        return best(placements, lambda move: 20.0 * (move.star == CENTRE_STAR) + move.number - 0.5 * move.wilds, rng)
    if PASS in actions:
        return PASS
    return least_useful(game, of_kind(actions, "give_up"), SENSIBLE, rng)


def hunt(game: ReferenceAzul, rng: random.Random, numbers: tuple[int, ...]) -> int:
    """Covers every space of the first number, then of the second and so on; other spaces only with tiles to spare."""
    actions = game.legal_actions()
    if rng.random() < 0.03:
        return rng.choice(actions)
    seat = game.acting
    missing = {number: [star for star in STARS if number not in seat.board[star]] for number in numbers}
    hunted = next((number for number in numbers if missing[number]), numbers[-1])

    def need(colour: int) -> float:
        """What the hunted number still needs of a colour."""
        if colour == game.wild:
            return 1.5
        own = seat.hand[colour] + seat.kept[colour]
        wanted = hunted * (colour in missing[hunted])
        if CENTRE_STAR in missing[hunted] and colour not in seat.board[CENTRE_STAR].values():
            wanted = max(wanted, hunted)
        return 1.0 + 0.1 * own if own < wanted else 0.1

    if game.phase == "acquire":

        def draft_value(move: Action) -> float:
            taken = tiles_taken(game, move)
            return sum(taken[c] * need(c) for c in COLOURS) - marker_cost(game, move)

        return best(actions, draft_value, rng)
    if game.picks_owed > 0:
        return best(actions, lambda move: need(move.colour), rng)
    placements = of_kind(actions, "place")
    prey = [action for action in placements if ACTIONS[action].number == hunted]
    if prey:
        return best(prey, lambda move: -move.wilds + chain_after(seat.board[move.star], move.number), rng)
    if PASS in actions and game.round < LAST_ROUND:
        return PASS
    if placements:
        return best(placements, lambda move: -move.number - 2.0 * (move.star == CENTRE_STAR), rng)
    if PASS in actions:
        return PASS
    return best(of_kind(actions, "give_up"), lambda move: -need(move.colour), rng)


def number_hunter(game: ReferenceAzul, rng: random.Random) -> int:
    """All ones, then all twos, threes and fours."""
    return hunt(game, rng, (1, 2, 3, 4))


def four_hunter(game: ReferenceAzul, rng: random.Random) -> int:
    """All fours first, then the rest: the dearest bonus, which `number_hunter` reaches late or not at all."""
    return hunt(game, rng, (4, 1, 2, 3))


def wild_saver(game: ReferenceAzul, rng: random.Random) -> int:
    """Collects the colour that is wild in the next round and keeps it."""
    return sensible(game, rng, SAVER)


PLAYERS: dict[str, Player] = {
    "uniform": uniform,
    "builder": builder,
    "cheapest": cheapest,
    "chainer": chainer,
    "hoarder": hoarder,
    "giver": giver,
    "centre_lover": centre_lover,
    "number_hunter": number_hunter,
    "four_hunter": four_hunter,
    "wild_saver": wild_saver,
}

# ---------------------------------------------------------------------------------------------------------------------
# Rules and draws
# ---------------------------------------------------------------------------------------------------------------------

RULES: dict[str, dict[str, Any]] = {
    "rulebook": RULEBOOK,
    "digest": DIGEST,
    # so many bonus tiles that bag, tower and supply run dry
    "generous": {**RULEBOOK, "pillar_tiles": 4, "statue_tiles": 6, "window_tiles": 8},
    "lavish": {**DIGEST, "pillar_tiles": 6, "statue_tiles": 8, "window_tiles": 11},
    # each remaining field against its presets
    "strict": {**RULEBOOK, "centre_closed_at_floor": True, "voluntary_give_ups": False},
    "bare": {
        **DIGEST,
        "pillar_tiles": 0,
        "statue_tiles": 0,
        "window_tiles": 1,
        "token_penalty_cap": 0,
        "centre_closed_at_floor": False,
    },
    "mixed": {**RULEBOOK, "token_penalty_cap": 2, "number_bonus_each_round": True, "voluntary_give_ups": False},
}


def fair_draw(rng: random.Random) -> Draw:
    """I1: every tile in the bag with equal probability."""
    return lambda bag: rng.choices(COLOURS, bag)[0]


def clumped_draw(rng: random.Random) -> Draw:
    """Mostly the colour drawn last: displays of a single colour."""
    last = rng.choice(COLOURS)

    def draw(bag: list[int]) -> int:
        nonlocal last
        if bag[last] == 0 or rng.random() < 0.05:
            last = rng.choices(COLOURS, bag)[0]
        return last

    return draw


def lowest_draw(_rng: random.Random) -> Draw:
    """Always the lowest colour in the bag."""
    return lambda bag: next(colour for colour in COLOURS if bag[colour] > 0)


def even_draw(rng: random.Random) -> Draw:
    """Always a colour of which the bag holds most: displays of many colours."""
    return lambda bag: max(COLOURS, key=lambda colour: (bag[colour], rng.random()))


DRAWS: dict[str, Callable[[random.Random], Draw]] = {
    "fair": fair_draw,
    "clumped": clumped_draw,
    "lowest": lowest_draw,
    "even": even_draw,
}
