"""How a league's games are played: who sits where, which deals, what depends on what."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from league_agents import LOADING

from manjerico.core import record, results
from manjerico.core.errors import InputError
from manjerico.core.game import find
from manjerico.experiments.evaluation import FIRST_SEED
from manjerico.experiments.league_games import (
    DEALS_IN_UNIT,
    MOST_DEALS,
    MOST_SEED,
    League,
    Played,
    Unit,
    deals_side_by_side,
    play,
    seatings,
    tables,
)

pytestmark = pytest.mark.usefixtures("agents_path")


def league(game: str = "arraial", players: int = 2, seed: int = 0) -> League:
    found = find(game)
    return League(found, players, found.default_rules, seed)


def lasting(games: list[Played]) -> list[Played]:
    """The games without what a clock measured."""
    return [replace(game, seconds=[]) for game in games]


# --- Tables and seats ------------------------------------------------------------------------------------------------


def test_every_choice_of_agents_is_a_table() -> None:
    assert tables(["c", "a", "b"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert tables(["c", "a", "b"], 3) == [("a", "b", "c")]
    assert len(tables(list("abcdef"), 4)) == 15


def test_too_few_agents_sit_at_a_table_more_than_once() -> None:
    assert tables(["b", "a"], 3) == [("a", "a", "b"), ("a", "b", "b")]
    assert tables(["b", "a"], 4) == [("a", "a", "a", "b"), ("a", "a", "b", "b"), ("a", "b", "b", "b")]
    assert tables(["a", "b", "c"], 4) == [("a", "a", "b", "c"), ("a", "b", "b", "c"), ("a", "b", "c", "c")]


def test_self_play() -> None:
    assert tables(["b", "a"], 3, self_play=True) == [*tables(["b", "a"], 3), ("a", "a", "a"), ("b", "b", "b")]
    assert seatings(("a", "a", "a"), 5) == [("a", "a", "a")]


@pytest.mark.parametrize(
    "table", [("a", "b"), ("a", "b", "c"), ("a", "b", "c", "d"), ("a", "a", "b"), ("a", "a", "b", "b")]
)
def test_seats_rotate(table: tuple[str, ...]) -> None:
    """In the games of a deal every agent has every seat as often as it has a place at the table."""
    for deal in range(7):
        games = seatings(table, deal)
        assert len(set(games)) == len(table)
        for seat in range(len(table)):
            assert Counter(game[seat] for game in games) == Counter(table)


def test_deals_change_who_moves_after_whom() -> None:
    after = Counter(game[(game.index("a") + 1) % 4] for deal in range(6) for game in seatings(tuple("abcd"), deal))
    assert after == {"b": 8, "c": 8, "d": 8}


def test_loading_code_takes_no_time_of_a_decision() -> None:
    game, _ = play(league(), Unit(("last", "loading"), (0,)))
    assert sum(game.seconds) < LOADING


def test_slow_agents_have_small_units() -> None:
    agents = {spec: league().make(spec) for spec in ("random", "greedy", "best", "last")}
    assert deals_side_by_side([agents["random"], agents["greedy"], agents["last"]]) == DEALS_IN_UNIT
    assert deals_side_by_side([agents["random"], agents["best"]]) == 1


# --- Deals -----------------------------------------------------------------------------------------------------------


def test_deals_are_no_training_deals() -> None:
    seeds = [league(seed=seed).deal_seed(deal) for seed, deal in product((0, 1, MOST_SEED), (0, 1, MOST_DEALS - 1))]
    assert len(set(seeds)) == len(seeds)
    assert min(seeds) >= FIRST_SEED + MOST_DEALS
    assert max(seeds) < 2**64


@pytest.mark.parametrize("game", ["azul", "arraial"])
def test_all_tables_play_the_same_deals(game: str) -> None:
    """By the record: the seed, and what lies open before anybody has decided."""
    pairs = [play(league(game), Unit(table, (0, 5))) for table in (("greedy", "random"), ("last", "random"))]
    openings = []
    for games in pairs:
        assert [(g.deal, g.rotation) for g in games] == [(0, 0), (0, 1), (5, 0), (5, 1)]
        assert [g.seats for g in games] == 2 * [games[0].table, games[0].table[::-1]]
        records = [record.loads(g.record) for g in games]
        assert [r["seed"] for r in records] == [league().deal_seed(deal) for deal in (0, 0, 5, 5)]
        openings.append([r["chance"][:6] for r in records])
    first, second = openings
    assert first == second
    assert first[0] == first[1] != first[2]


# --- Games -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("azul", 2), ("azul", 4), ("arraial", 2), ("arraial", 3)])
def test_records_replay(game: str, players: int) -> None:
    """With the same scores, sources and decisions."""
    (table, *_) = tables(["greedy", "random"], players)
    for played in play(league(game, players), Unit(table, (0, 1, 2))):
        read = record.loads(played.record)
        match = record.replay(read)
        assert match.is_over
        assert match.scores == played.scores
        assert played.places == results.places_of_game(match.scores)
        assert sum(played.decisions) == len(match.actions)
        assert [match.breakdown(seat) for seat in range(players)] == played.sources
        assert read["agents"] == list(played.seats)
        assert len(played.profile) == len(played.seconds) == players
        assert min(played.seconds) > 0


@pytest.mark.parametrize("table", [("greedy", "random"), ("best", "random"), ("last", "random")])
def test_a_game_is_the_same_in_whatever_unit(table: tuple[str, str]) -> None:
    together = play(league(), Unit(table, (0, 1, 2, 3)))
    apart = play(league(), Unit(table, (2, 3))) + play(league(), Unit(table, (0, 1)))
    assert lasting(together) == lasting(sorted(apart, key=lambda game: game.deal))


def test_an_agent_with_a_generator_of_its_own_repeats_a_unit() -> None:
    unit = Unit(("noisy", "random"), (0, 1, 2))
    first, second = play(league(), unit), play(league(), unit)
    assert lasting(first) == lasting(second)
    records = {record.dumps({**record.loads(game.record), "agents": []}) for game in first}
    assert len(records) == 6


def test_games_differ_by_league_table_deal_rotation_and_seat() -> None:
    """Of the random choices: a stream of its own each."""
    found = league()
    streams = {
        league(seed=seed).stream(table, deal, rotation, seat)
        for seed, table, deal, rotation, seat in product((0, 1), (("a", "b"), ("a", "c")), (0, 1), (0, 1), (0, 1))
    }
    assert len(streams) == 32
    assert found.stream("a", 1) == league().stream("a", 1) < 2**64


@pytest.mark.parametrize(
    ("spec", "message"), [("illegal", "agent 'illegal': azul: action [0-9]+ is not legal in game 0")]
)
def test_an_agent_that_cheats_is_named(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        play(league("azul"), Unit((spec, "random"), (0,)))


def test_the_stronger_agent_wins() -> None:
    games = play(league("azul"), Unit(("greedy", "random"), tuple(range(20))))
    won = np.mean([game.places[game.seats.index("greedy")] == 1 for game in games])
    assert won > 0.95
