"""The balance report: its figures against a slow count of the same games, resuming, mistakes, files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.spaces import Box, MultiDiscrete
from rich.console import Console
from sb3_contrib import MaskablePPO

from arraial_env.actions import Discard, Place, decode
from arraial_env.game import GAME
from arraial_env.geometry import extent, turns_of
from arraial_env.rules import ArraialRules
from arraial_env.state import NONE
from manjerico.core.errors import InputError
from manjerico.core.game import Game, find
from manjerico.core.games import Batch, Indices
from manjerico.core.match import Match
from manjerico.experiments import balance, balance_report
from manjerico.experiments.balance import write_report
from manjerico.experiments.balance_games import CAUSES, POLICIES, Games, Scripted, play, summarise
from manjerico.experiments.balance_tidy import WATCHED
from manjerico.experiments.evaluation import FIRST_SEED
from manjerico.experiments.selfplay import SelfPlay
from manjerico.experiments.vec_env import BatchVecEnv

USUAL = ArraialRules()
SMALL_LEVELS: dict[str, dict[str, Any]] = {
    "height": {"13": 13, "14": 14},
    "bar_start": {"8": USUAL.bar_start},
    "bar_drop": {"2": 2},
    "max_slide": {"any": None},
    "shapes": {"default": USUAL.shapes},
    "couple_points": {"2": 2, "3": 3},
}
"""Three rule sets for each number of players."""


class Logged:
    """A scripted policy whose actions are noted by game."""

    def __init__(self, name: str, games: int) -> None:
        self.policy = Scripted(name)
        self.actions: list[list[int]] = [[] for _ in range(games)]

    def decide(self, batch: Batch, indices: Indices) -> Indices:
        actions = self.policy.decide(batch, indices)
        for index, action in zip(indices.tolist(), actions.tolist(), strict=True):
            self.actions[index].append(action)
        return actions


class SlowCount:
    """One game, replayed and counted one square at a time."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.rules = match.rules
        assert isinstance(self.rules, ArraialRules)
        self.counts: dict[str, list[Any]] = {
            name: [0] * match.players for name in ("paid", "lost_visitors", "pieces", "discards", "decisions")
        }
        self.lost: list[str] = [""] * match.players
        self.legal: Counter[int] = Counter()

    def rows(self, seat: int) -> list[list[bool]]:
        """The board, row 0 first."""
        low, high = self.match.state["occupied"][seat].tolist()
        board, width = low | high << 64, self.rules.width
        return [[bool(board >> (y * width + x) & 1) for x in range(width)] for y in range(self.rules.height)]

    def full(self, seat: int) -> int:
        return sum(all(row) for row in self.rows(seat))

    def apply(self, action: int) -> None:
        """Plays an action and notes what comes of it."""
        match, state = self.match, self.match.state
        seat = match.current_player
        assert seat is not None
        self.legal[len(match.legal_actions())] += 1
        self.counts["decisions"][seat] += 1
        phase, bars, waiting = int(state["phase"]), state["bar"].tolist(), state["waiting"].tolist()
        what, full, top = decode(action, self.rules.width, self.rules.height), self.full(seat), 0
        if isinstance(what, Place):
            turn = (int(state["rotation"]) - [[0], [0, 2], [0, 1, 2], [0, 1, 2, 3]][match.players - 1][seat]) % 4
            top = what.y + extent(turns_of(self.rules.shapes[int(state["slots"][what.slot])])[turn])[1]
            self.counts["pieces"][seat] += 1
        self.counts["discards"][seat] += isinstance(what, Discard)
        match.apply(action)
        if bars[seat] != NONE and top <= bars[seat]:
            self.counts["paid"][seat] += self.full(seat) - full
            waiting[seat] += self.full(seat) - full
        for other in range(match.players):
            if bars[other] != NONE and int(match.state["bar"][other]) == NONE:
                by_piece = other == seat and top > bars[seat]
                self.lost[other] = f"{'placement' if by_piece else 'drop'} {phase}"
                self.counts["lost_visitors"][other] += waiting[other]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_figures_against_a_slow_count(players: int, policy: str) -> None:
    rules = ArraialRules(height=12, bar_start=(9, 10, 9, 9)) if policy != "random" else ArraialRules()
    number = 9
    logged = Logged(policy, number)
    games = play(logged, number, players, rules, seed=3)
    legal: Counter[int] = Counter()
    for k in range(number):
        slow = SlowCount(Match(GAME, players, rules, FIRST_SEED + (3 << 24) + k, start=k % players))
        for action in logged.actions[k]:
            slow.apply(action)
        legal += slow.legal
        assert slow.match.is_over
        assert games.starts[k] == k % players
        assert games.scores[k].tolist() == slow.match.scores
        assert games.lines[k].tolist() == [slow.full(seat) for seat in range(players)]
        assert games.boards[k].tolist() == [slow.rows(seat) for seat in range(players)]
        for name, counts in slow.counts.items():
            assert getattr(games, name)[k].tolist() == counts, name
        assert [["", *CAUSES][how] for how in games.lost_how[k]] == slow.lost
        white = games.sources[k, :, 1]
        assert white.tolist() == (games.paid - games.lost_visitors)[k].tolist()
    assert {count: number for count, number in enumerate(games.legal.tolist()) if number} == dict(legal)


def test_summary() -> None:
    """Two games of two players, made up: the figures by hand."""
    batch = Batch(WATCHED, 2, 2)
    games = Games.blank(batch, [0, 1])
    games.scores[:] = [[10, 6], [4, 4]]
    games.sources[:] = [[[5, 3, 2], [6, 0, 0]], [[4, 0, 0], [2, 0, 2]]]
    games.paid[:] = [[3, 1], [0, 0]]
    games.lost_visitors[:] = [[0, 1], [0, 0]]
    games.lost_how[:] = [[0, 1], [4, 4]]
    games.decisions[:] = [[30, 31], [40, 43]]
    games.legal[[1, 2, 10]] = [72, 36, 36]
    games.boards[0, 0, :2] = True
    games.boards[1, 1, -1, 0] = True
    figures = summarise(games)
    assert figures["score"]["value"] == 6
    assert figures["sources"] == {"coloured": 4.25, "white": 0.75, "couples": 1.0}
    assert figures["bars_lost"]["value"] == 0.75
    assert figures["bars_lost_by"] == {
        "placement 1": 0.25,
        "placement 2": 0,
        "placement 3": 0,
        "drop 1": 0.5,
        "drop 2": 0,
    }
    assert figures["game_decisions"]["value"] == 72
    assert figures["legal"] == {"mean": 3.5, "median": 1, "percentile_95": 10, "most": 10, "forced": 0.5}
    assert figures["covered"] == pytest.approx(17 / (4 * 8 * 14))
    assert figures["reaches_top"] == 0.25
    assert figures["game_visitors"] == {"mean": 10.5, "most": 15, "over": 0}
    first, second = figures["seats"]
    assert (first["reward"]["value"], first["wins"]["value"], first["score"]) == (0.5, 0.75, 7)
    assert (second["reward"]["value"], second["wins"]["value"], second["score"]) == (-0.5, 0.25, 5)
    assert figures["ties"] == 0.5


def test_the_position_in_turn_order_counts_from_who_starts() -> None:
    batch = Batch(WATCHED, 3, 3)
    games = Games.blank(batch, [0, 1, 2])
    games.legal[1] = 1
    games.scores[:] = [[9, 5, 1], [1, 9, 5], [5, 1, 9]]  # who starts has 9, who comes next 5
    seats = summarise(games)["seats"]
    assert [seat["score"] for seat in seats] == [9, 5, 1]
    assert [seat["reward"]["value"] for seat in seats] == [1, 0, -1]
    assert [seat["wins"]["value"] for seat in seats] == [1, 0, 0]


def test_variants() -> None:
    """One parameter at a time, nothing twice; what differs for others only is no variant."""
    for players in GAME.players:
        found = balance.variants(players)
        assert len({balance._effective(variant.rules, players) for variant in found}) == len(found)
        for variant in found[1:]:
            usual = USUAL.as_dict()
            assert [k for k, value in variant.rules.as_dict().items() if value != usual[k]] == [variant.parameter]
        names = {variant.name for variant in found}
        assert ("bar_start=7" in names) == (players < 4)
        assert ("bar_start=8" in names) == (players == 4)
        assert ("cards_per_type=2" in names) == (players == 1)
        assert {"height=10", "height=16", "max_slide=0", "shapes=trominoes"} <= names
    assert balance.label_of_default("bar_start", 4) == "7"
    assert balance.label_of_default("max_slide", 1) == "any"
    assert len(balance.PENTOMINOES) == len(balance.TROMINOES) == 8
    assert {len(shape) for shape in balance.PENTOMINOES} == {5}
    assert len({min(turns_of(shape)) for shape in balance.PENTOMINOES}) == 8


def test_tidy_is_stronger_than_greedy_and_keeps_more_bars() -> None:
    for players in (1, 4):
        tidy, greedy = (summarise(play(Scripted(name), 60, players, ArraialRules(), 0)) for name in ("tidy", "greedy"))
        assert tidy["score"]["low"] > greedy["score"]["high"]
        assert tidy["bars_lost"]["high"] < greedy["bars_lost"]["low"]


# --- Runs ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "LEVELS", SMALL_LEVELS)
    monkeypatch.setattr(balance_report, "LEVELS", SMALL_LEVELS)


def run(folder: Path, games: int = 3, seed: int = 0, models: tuple[Path, ...] = ()) -> None:
    balance.run(games, seed, models, folder, Console(quiet=True))


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted((folder / "cells").iterdir())}


@pytest.mark.usefixtures("_small")
def test_interrupted_and_gone_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "write_report", lambda *_: None)
    run(tmp_path / "whole")
    played = 0

    def interrupted(*arguments: Any) -> Games:
        nonlocal played
        played += 1
        if played == 6:
            raise KeyboardInterrupt
        return play(*arguments)

    monkeypatch.setattr(balance, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "parts")
    assert len(contents(tmp_path / "parts")) == 5
    run(tmp_path / "parts")
    assert played == 6 + 4 * 3 * 3 - 5  # players, policies, rule sets
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    monkeypatch.setattr(balance, "play", None)
    run(tmp_path / "parts")
    calls = json.loads((tmp_path / "parts" / "meta.json").read_text())
    assert len(calls) == 2
    assert {"numpy", "numba", "python"} <= calls[0]["versions"].keys()


def model(folder: Path, name: str, game: Game = GAME, seed: int = 0) -> Path:
    """An untrained model for two players."""
    env = BatchVecEnv(SelfPlay(game, 2, 2, None, {"random": 1.0}, 1, "dense", None).batch)
    small = {"net_arch": [4]}
    untrained = MaskablePPO("MlpPolicy", env, n_steps=2, batch_size=2, seed=seed, device="cpu", policy_kwargs=small)
    untrained.save(folder / name)
    return folder / name


@pytest.mark.usefixtures("_small")
def test_files_and_a_trained_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "out"
    monkeypatch.setattr(balance, "write_report", lambda *_: None)
    run(folder)
    monkeypatch.setattr(balance, "write_report", write_report)
    before = contents(folder)
    run(folder, models=(model(tmp_path, "pair.zip"),))
    added = contents(folder).keys() - before.keys()
    assert added == {"2-pair-default.json", "2-pair-couple_points=3.json"}  # another height is another observation
    report = (folder / "balance.md").read_text()
    assert "| 2 | pair |" in report
    assert "*pair*, 2 players (a network plays only" in report
    assert "height=13" in report.split("## Not played")[1]
    assert "| 2 | greedy | **14** |" in report
    assert "| 4 | tidy | 13 |" in report
    pictures = sorted(path.name for path in folder.glob("*.png"))
    assert pictures == sorted(balance_report.PICTURES)
    for name in pictures:
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
    assert "nan" not in report
    for heading, rule in zip(report.splitlines(), report.splitlines()[1:], strict=False):
        if rule.startswith("| ---"):
            assert heading.count("|") == rule.count("|")
    with pytest.raises(InputError, match=r"2-pair-default\.json was made with another file pair\.zip"):
        run(folder, models=(model(tmp_path, "pair.zip", seed=1),))


@pytest.mark.usefixtures("_small")
def test_other_settings_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "write_report", lambda *_: None)
    run(tmp_path)
    with pytest.raises(InputError, match="was begun with --games 3, not 4; choose another folder with --out"):
        run(tmp_path, games=4)
    with pytest.raises(InputError, match="was begun with --seed 0, not 1"):
        run(tmp_path, seed=1)
    with pytest.raises(InputError, match="--games must be an integer from 2 to"):
        run(tmp_path, games=1)
    monkeypatch.setitem(SMALL_LEVELS["height"], "13", 12)
    with pytest.raises(InputError, match=r"height=13\.json was made with another rules"):
        run(tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr(balance, "LEVELS", SMALL_LEVELS)
    cell = tmp_path / "cells" / "1-random-default.json"
    whole = json.loads(cell.read_text())
    for damaged in (
        "{",
        "[]",
        "{}",
        json.dumps({**whole, "figures": {**whole["figures"], "pieces": 1.0}}),
        json.dumps({name: value for name, value in whole.items() if name != "rules"}),
    ):
        cell.write_text(damaged)
        with pytest.raises(
            InputError, match=r"1-random-default\.json: damaged .* remove it to have its games played again"
        ):
            run(tmp_path)
    cell.write_text(json.dumps({**whole, "games": 2}))
    with pytest.raises(InputError, match=r"1-random-default\.json was made with another games"):
        run(tmp_path)
    for damaged in ("[]", "{}", "5"):
        (tmp_path / "settings.json").write_text(damaged)
        with pytest.raises(InputError, match=r"settings\.json: damaged .* choose another folder"):
            run(tmp_path)


def spoilt(path: Path) -> Path:
    """A model with a weight that is no number."""
    untrained = MaskablePPO.load(path, device="cpu")
    with torch.no_grad():
        untrained.policy.action_net.bias[0] = float("nan")
    untrained.save(path)
    return path


class Rolls(gymnasium.Env[np.ndarray, np.ndarray]):
    """As large as Arraial, with actions of another kind."""

    observation_space = Box(0, 1, (920,), np.float32)
    action_space = MultiDiscrete([172, 172])


def for_other_spaces(folder: Path) -> Path:
    MaskablePPO("MlpPolicy", Rolls(), n_steps=2, batch_size=2, device="cpu").save(folder / "rolls.zip")
    return folder / "rolls.zip"


def test_models_that_are_refused(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.zip"
    nothing.write_bytes(b"PK")
    for path, message in (
        (nothing, "nothing.zip: not a trained MaskablePPO model"),
        (tmp_path / "missing.zip", "missing.zip: not a trained MaskablePPO model: .*No such file"),
        (model(tmp_path, "azul.zip", find("azul")), "are not those of Arraial under the default rules"),
        (model(tmp_path, "greedy.zip"), "there is an agent 'greedy' already"),
        (spoilt(model(tmp_path, "nan.zip")), "nan.zip: its weights are not all numbers up to 10,000"),
        (for_other_spaces(tmp_path), "a model for Arraial has a flat Box and a Discrete space"),
    ):
        with pytest.raises(InputError, match=message):
            balance.entrants([path])
    pair = model(tmp_path, "a b.zip"), model(tmp_path, "a-b.zip")
    with pytest.raises(InputError, match=r"a-b\.zip: there is an agent 'a b' already"):
        balance.entrants(pair)
