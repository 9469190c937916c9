"""A third game, tic-tac-toe in one file, goes through everything without a line in ``core``."""

from __future__ import annotations

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tictactoe
from beside import play_beside
from pettingzoo.test import api_test, render_test, seed_test
from players import scripted, stream
from tictactoe import TicTacToeRules

from arraial_env.game import GAME as ARRAIAL
from azul_env.game import GAME as AZUL
from manjerico.core import drawing, record
from manjerico.core.aec import GameEnv
from manjerico.core.errors import InputError
from manjerico.core.game import NOBODY, Game, common_fields, find, names, register, state_dtype
from manjerico.core.games import Batch
from manjerico.core.match import IllegalActionError, Match

GAME = tictactoe.GAME
X_WINS = [0, 3, 1, 4, 2]
DRAW = [0, 1, 2, 4, 3, 5, 7, 6, 8]


def match_of(actions: list[int], **options: Any) -> Match:
    match = Match(GAME, **options)
    for action in actions:
        match.apply(action)
    return match


def make_env(**options: Any) -> GameEnv:
    return GameEnv(GAME, **options)


# --- The toy ---------------------------------------------------------------------------------------------------------


def test_the_toy_is_small() -> None:
    assert len(Path(tictactoe.__file__).read_text(encoding="utf-8").splitlines()) < 150


@pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box",
    "ignore:Action mask numpy array is all zeros",
)
def test_toy_by_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(20):
        api_test(make_env(), num_cycles=100)
    seed_test(make_env, num_cycles=100)
    render_test(make_env)
    assert "..." in capsys.readouterr().out


def test_toy_match() -> None:
    match = match_of(X_WINS)
    assert match.is_over
    assert (match.scores, match.returns(), match.breakdown(0)) == ([1, 0], [1.0, -1.0], {"line": 1})
    assert match_of(X_WINS, rules=TicTacToeRules(misere=True)).scores == [0, 1]
    assert match_of(X_WINS, start=1).scores == [0, 1]
    assert match_of(DRAW).returns() == [0.0, 0.0]
    assert match_of(X_WINS[:3]).legal_actions() == [2, 4, 5, 6, 7, 8]
    with pytest.raises(IllegalActionError, match=r"tictactoe: action 0 \(mark square 1\) is not legal for player 1"):
        match_of(X_WINS[:3]).apply(0)


def test_toy_state() -> None:
    match = match_of(X_WINS[:3])
    other = Match(GAME)
    other.set_state(match.get_state())
    assert (other.legal_actions(), other.current_player) == (match.legal_actions(), 1)
    seen = GAME.layout(match.rules, 2).decode(match.observation(1))
    assert seen["to_act"].tolist() == [1]
    assert seen["mine"].tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert seen["theirs"].tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_toy_drawing() -> None:
    assert drawing.to_text(GAME.draw(match_of(X_WINS)), colour=False) == "XXX\nOO.\n...\n"


def test_toy_environment() -> None:
    env = make_env(reward="dense", reward_scale=2, rules=TicTacToeRules(misere=True))
    env.reset(seed=1)
    for action in X_WINS:
        env.step(action)
    assert env.metadata["name"] == "tictactoe_v0"
    assert env.rewards == {"player_0": 0.0, "player_1": 2.0}
    assert env.infos["player_1"] == {"illegal_action": "", "score": 1, "place": 1, "line": 1}


def test_toy_records(tmp_path: Path) -> None:
    """A game without chance has an empty list of it."""
    path = tmp_path / "games.jsonl.gz"
    played = [match_of(X_WINS), match_of(DRAW, seed=5, start=1), match_of(X_WINS[:2], rules=TicTacToeRules(True))]
    record.write(path, [record.of_match(match) for match in played])
    for match, replayed in zip(played, record.read(path), strict=True):
        assert match.chance == replayed.chance == []
        assert (replayed.actions, replayed.start, replayed.rules) == (match.actions, match.start, match.rules)
        assert replayed.scores == match.scores
    with pytest.raises(record.RecordError, match="1 chance outcomes are more than the 0"):
        record.replay({**record.of_match(played[0]), "chance": [1]})
    with pytest.raises(record.RecordError, match="TicTacToeRules: misere must be true or false, not 0"):
        record.replay({**record.of_match(played[0]), "rules": {"misere": 0}})


def test_toy_drivers() -> None:
    """With a single policy, where Azul has several."""
    choices = stream(1)
    match = Match(GAME, seed=0)
    while not match.is_over:
        match.apply(scripted(match, "random", choices))
    states, words, ours = np.zeros(1, GAME.state), np.zeros(1, np.uint64), stream(1)
    params, no_tape = GAME.make_params(match.rules), np.zeros(0, np.int16)
    assert GAME.playouts(params, states, 0, words, ours, no_tape, np.uint64(0), 2, 1) == len(match.actions)
    assert states.tobytes() == match.get_state()


@pytest.mark.parametrize("rules", [TicTacToeRules(), TicTacToeRules(misere=True)])
def test_toy_batch(rules: TicTacToeRules) -> None:
    """The same games as single matches play, until the scripted player has nobody left to wait for."""
    batch = Batch(GAME, 40, 2, rules)
    batch.start(batch.all, range(40), [k % 2 for k in range(40)])
    matches = [Match(GAME, 2, rules, k, k % 2) for k in range(40)]
    play_beside(batch, matches, np.random.default_rng(1))
    assert len({tuple(match.scores) for match in matches}) == 3
    batch.controllers[:] = batch.policy("random")
    batch.start(batch.all, range(40), [0] * 40)
    batch.advance(batch.all)
    assert (batch.states["player"] == NOBODY).all()


def test_toy_copies() -> None:
    env = make_env()
    env.reset(seed=1)
    env.step(4)
    for copied in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):  # noqa: S301  # our own bytes
        assert copied.record() == env.record()
        copied.step(0)
    assert env.record()["actions"] == [4]


# --- The register ----------------------------------------------------------------------------------------------------


def test_games_are_found_by_name() -> None:
    """Offered by an installed distribution, or registered in this process."""
    assert find("azul") is AZUL
    assert find("arraial") is ARRAIAL
    assert find("tictactoe") is GAME
    assert find(GAME) is GAME
    assert {"arraial", "azul", "tictactoe"} <= set(names())


@pytest.mark.parametrize("name", ["chess", "", None, 3, ["azul"], {}])
def test_unknown_games(name: Any) -> None:
    with pytest.raises(InputError, match=r"game must be one of arraial, azul.*tictactoe, not "):
        find(name)


def test_a_copy_of_a_game_is_the_game() -> None:
    for game in (AZUL, ARRAIAL, GAME):
        assert copy.deepcopy(game) is game
        assert pickle.loads(pickle.dumps(game)) is game  # noqa: S301  # our own bytes


def test_register_returns_the_game() -> None:
    assert register(GAME) is GAME


@pytest.mark.parametrize("players", [1, 5, 0, 2.0, "2", None, True])
def test_check_players(players: Any) -> None:
    with pytest.raises(InputError, match="azul: num_players must be one of 2, 3, 4, not "):
        AZUL.check_players(players)


@pytest.mark.parametrize("players", [0, 5, -1, 1.0, "2", None, True])
def test_check_players_of_arraial(players: Any) -> None:
    with pytest.raises(InputError, match="arraial: num_players must be one of 1, 2, 3, 4, not "):
        ARRAIAL.check_players(players)


def test_check_rules() -> None:
    assert AZUL.check_rules(None) == AZUL.rules()
    with pytest.raises(InputError, match=r"azul: rules must be AzulRules\(...\), not TicTacToeRules"):
        AZUL.check_rules(TicTacToeRules())


# --- States are bytes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [AZUL, ARRAIAL, GAME], ids=lambda game: game.name)
def test_states_have_no_gaps(game: Game) -> None:
    """NumPy's copies leave garbage in gaps, so that equal states had different bytes."""
    covered = sum(field[0].itemsize for field in (game.state.fields or {}).values())
    assert covered == game.state.itemsize
    state = np.zeros(1, game.state)
    for _ in range(50):
        garbage = np.full(state.nbytes, 255, np.uint8)
        del garbage
        assert state.copy().tobytes() == state.tobytes()


def test_state_dtype_keeps_the_fields_where_they_are() -> None:
    fields = [*common_fields(3, 2), ("board", np.uint64, 3), ("flag", np.int8)]
    aligned, ours = np.dtype(fields, align=True), state_dtype(fields)
    assert aligned.names is not None
    assert [name for name in ours.names or () if not name.startswith("gap_")] == list(aligned.names)
    for name in aligned.names:
        assert ours.fields[name] == aligned.fields[name]  # type: ignore[index]
    assert ours.itemsize == aligned.itemsize
    assert ours.isalignedstruct


def test_random_games_of_the_toy_end_fairly() -> None:
    """X, who begins, wins 58.5 percent of random games, O 28.8 and 12.7 are draws (known numbers of the game)."""
    rng = random.Random(1)
    results = []
    for _ in range(2000):
        match = Match(GAME, seed=0)
        while not match.is_over:
            match.apply(rng.choice(match.legal_actions()))
        results.append(tuple(match.scores))
    assert results.count((1, 0)) / 2000 == pytest.approx(0.585, abs=0.04)
    assert results.count((0, 1)) / 2000 == pytest.approx(0.288, abs=0.04)
