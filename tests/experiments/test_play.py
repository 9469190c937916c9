"""A person at the table: by script at a pipe and at a terminal, with every mistake that can be made."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from subjects import ARRAIAL_2, AZUL_2, Subject
from terminal import Terminal, piped
from typer.testing import CliRunner

from manjerico.agents import registry
from manjerico.core import record
from manjerico.core.agent import Estimate
from manjerico.core.errors import InputError
from manjerico.core.game import Records, find
from manjerico.core.match import Match
from manjerico.experiments import moves, saves
from manjerico.experiments.cli import app
from manjerico.experiments.table import HUMAN, Table

ESCAPE = "\x1b"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games are saved where one is, and playing sets signal handlers."""
    monkeypatch.chdir(tmp_path)
    numbers = [signal.SIGTERM, signal.SIGHUP]
    handlers = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, handlers, strict=True):
        signal.signal(number, handler)


def run(*arguments: str, typed: str = "") -> Result:
    """The command in this process, which is faster."""
    result: Result = CliRunner().invoke(app, arguments, input=typed)
    return result


def played(*arguments: str, typed: str) -> str:
    result = run("play", *arguments, typed=typed)
    assert result.exit_code == 0, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


def saved(text: str) -> Path:
    """The file that a session was left in."""
    return Path(re.findall(r"Saved\. To .*: manjerico (?:play --resume|replay) (\S+)\n", text)[-1])


def match_in(path: Path) -> Match:
    (match,) = record.read(path)
    return match


# --- Whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["azul", "arraial"])
def test_a_game_at_a_pipe(game: str, tmp_path: Path) -> None:
    """Always the first move; plain text, and the result of all seats at the end."""
    done = piped("play", game, "--against", "greedy", "--seed", "3", typed="1\n" * 200, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert ESCAPE not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    match = match_in(tmp_path / saved(done.stdout))
    assert match.is_over
    end = done.stdout.partition("The end")[2]
    for source in match.game.sources:
        assert source in end
    for seat, name in enumerate([HUMAN, "greedy"]):
        assert re.search(rf"\d +player_{seat} \({name}\) .* {match.scores[seat]} ", end)


@pytest.mark.parametrize("game", ["azul", "arraial"])
def test_a_game_at_a_terminal(game: str, tmp_path: Path) -> None:
    with Terminal("play", game, "--against", "random", "--seed", "3", cwd=tmp_path) as terminal:
        while "The end" not in terminal.read_until(r"player_0> |The end"):
            terminal.type("1\n")
        assert terminal.end() == 0
        assert "manjerico replay" in terminal.seen
        assert ESCAPE + "[1" in terminal.seen
    (file,) = tmp_path.glob(f"{game}-*.jsonl")
    assert match_in(file).is_over


def test_no_colours(tmp_path: Path) -> None:
    with Terminal("play", "azul", cwd=tmp_path, NO_COLOR="1") as terminal:
        board = terminal.read_until("player_0> ")
        assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|38)[;m]", board)


# --- Leaving and going on --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_ctrl_c_and_a_closed_terminal_save(tmp_path: Path, number: int, code: int) -> None:
    with Terminal("play", "azul", "--seed", "3", cwd=tmp_path) as terminal:
        terminal.read_until("player_0> ")
        terminal.type("2\n")
        terminal.read_until("Decision 3(.|\n)*player_0> ")
        terminal.process.send_signal(number)
        assert terminal.end() == code
        assert "Traceback" not in terminal.seen
        file = tmp_path / saved(terminal.seen.replace("\r\n", "\n"))
    assert len(match_in(file).actions) == 2


@pytest.mark.parametrize("typed", ["", "quit\n"])
def test_the_end_of_input_and_quit_save(typed: str) -> None:
    out = played("azul", "--seed", "3", typed="2\n" + typed)
    (found,) = [found for _, found in record.scan(saved(out))]
    assert (found["agents"], found["seed"], len(found["actions"])) == ([HUMAN, "heuristic"], 3, 2)


def test_a_resumed_game_goes_on_as_if_never_left() -> None:
    """The agents' choices and chance come out the same."""
    options = ["arraial", "--against", "random", "--seed", "3"]
    whole = match_in(saved(played(*options, typed="1\n" * 200)))
    first = saved(played(*options, typed="1\n" * 20))
    out = played("--resume", str(first), typed="1\n" * 200)
    assert saved(out) == first
    resumed = match_in(first)
    assert (resumed.actions, resumed.chance, resumed.scores) == (whole.actions, whole.chance, whole.scores)


def test_undo_goes_back_over_a_resumption() -> None:
    file = saved(played("azul", "--seed", "3", typed="2\n2\n"))
    out = played("--resume", str(file), typed="undo\nUNDO\nundo\n")
    assert "There is no earlier decision of yours." in out
    assert match_in(file).actions == []


def test_a_resumed_game_keeps_its_note() -> None:
    record.write("game.jsonl", [record.of_match(AZUL_2.new_game(7), [HUMAN, "greedy"], note="Grüße")])
    played("--resume", "game.jsonl", typed="1\n")
    ((_, found),) = record.scan("game.jsonl")
    assert (found["note"], len(found["actions"])) == ("Grüße", 2)


def test_save() -> None:
    Path("taken.jsonl").write_text("something else")
    typed = "save taken.jsonl\nsave\nsave no/where.jsonl\nsave game.jsonl.gz\n2\nsave game.jsonl.gz\n2\n"
    out = played("azul", "--seed", "3", typed=typed)
    assert "taken.jsonl is there already; choose another name." in out
    assert "Save takes the name of a file: save game.jsonl" in out
    assert "no/where.jsonl: can't be written: No such file or directory." in out
    assert out.count("Saved. To go on: manjerico play --resume game.jsonl.gz") == 3
    assert len(match_in(Path("game.jsonl.gz")).actions) == 4
    assert Path("taken.jsonl").read_text() == "something else"


def test_two_games_left_in_one_second_are_two_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saves.time, "strftime", lambda _: "now")
    files = [saved(played("azul", typed="")) for _ in range(3)]
    assert [file.name for file in files] == ["azul-now.jsonl", "azul-now-2.jsonl", "azul-now-3.jsonl"]


def test_a_game_is_kept_elsewhere_if_it_can_not_be_written_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saves, "fresh_path", lambda _, folder=Path("gone"): folder / "game.jsonl")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    out = played("azul", typed="2\n")
    assert "gone/game.jsonl: can't be written" in out
    assert saved(out) == tmp_path / "game.jsonl"
    assert saved(out).exists()


def test_what_goes_wrong_loses_nothing() -> None:
    class Broken:
        def act(self, *_: object) -> None:
            raise RuntimeError("broken")

    registry.register("broken", lambda *_: Broken())
    result = run("play", "azul", "--against", "broken", typed="2\n")
    assert isinstance(result.exception, RuntimeError)
    assert len(match_in(saved(result.output)).actions) == 1


# --- Decisions -------------------------------------------------------------------------------------------------------


def test_what_one_hears_before_a_decision() -> None:
    out = played("azul", "--against", "greedy", "--seed", "3", typed="1\n2\n2\n")
    second = out.split("Decision")[2]
    assert "player_0, your turn" in second
    assert second.count("player_1 (greedy): take orange from display 2") == 1
    assert second.count("player_1 (greedy)") == 1
    assert re.search(r"centre\n +8 2 red \(-2\) +9 1 yellow \(-1\)", second)


def test_words_find_moves() -> None:
    out = played("azul", "--seed", "3", typed="green disp\nBLUE\n\nwinter\n0\n99\nundo\n")
    found = out.split("player_0> ")
    assert re.findall(r"^display \d", found[1], re.MULTILINE) == ["display 1", "display 3", "display 4", "display 5"]
    assert found[2].endswith("    9 1 blue and 1 purple\nEnter takes it: take blue from display 4.\n")
    assert "Decision 3" in found[3]
    assert "No move has all these words: winter. Enter lists the moves, ? helps." in found[4]
    assert "There is no move 0; the moves are 1 to " in found[5]
    assert "There is no move 99; the moves are 1 to " in found[6]
    assert "Decision 1:" in found[7]


def test_enter_takes_only_what_was_just_offered() -> None:
    for between in ("winter", "99", "hint", "save"):
        out = played("azul", "--seed", "3", typed=f"blue\n{between}\n\n")
        assert "Decision 3" not in out
        assert out.count("display 1\n") == 2


def test_numbers_stay_those_of_the_whole_list() -> None:
    match = match_in(saved(played("azul", "--seed", "3", typed="green\n7\n")))
    assert match.describe(match.actions[0]) == "take green from display 3"


def test_undo_does_not_draw_again() -> None:
    """Whoever takes back a round's last decision and decides the same again meets the same tiles."""
    options = ["azul", "--against", "random", "--seed", "3"]
    plain = match_in(saved(played(*options, typed="1\n" * 40)))
    undone = match_in(saved(played(*options, typed="1\n" * 40 + "undo\n" * 30 + "1\n" * 30)))
    assert undone.chance == plain.chance
    assert undone.actions == plain.actions
    assert len(plain.chance) > len(match_in(saved(played(*options, typed="1\n"))).chance)


def test_hint_of_an_agent_that_only_chooses() -> None:
    out = played("azul", "--seed", "3", "--against", "random", "--hints", "greedy", typed="hint\n")
    assert "greedy would take:\n  4 take orange from display 2\n" in out


class Thinker:
    """Thinks the last actions best."""

    name = "thinker"

    def __init__(self, game: str) -> None:
        self.match = Match(find(game), 2)

    def act(self, *_: object) -> None:
        raise AssertionError("nobody plays here")

    def analyse(self, states: Records) -> list[list[tuple[int, float, float]]]:
        self.match.set_state(states[:1].tobytes())
        return [[(action, 0.5, 0.1) for action in reversed(self.match.legal_actions())]]


def test_hint_of_an_agent_that_analyses() -> None:
    registry.register("thinker", lambda game, *_: Thinker(game.name))
    out = played("azul", "--seed", "3", "--hints", "thinker", typed="hint\n")
    hints = out.partition("thinker thinks (value for you, share of its search; it takes the first):\n")[2].splitlines()
    assert hints[0] == " 12   +0.50    10% take green from display 5"
    assert len([line for line in hints if "10%" in line]) == 5


def test_help_and_board() -> None:
    out = played("arraial", typed="?\nboard\n")
    assert "A number takes that move" in out
    assert find("arraial").legend.split(".")[0].split()[-1] in out
    assert out.count("Decision 1: player_0, your turn") == 2


def test_two_people_at_one_table() -> None:
    out = played("azul", "--against", "human", typed="1\n1\nundo\n")
    assert re.findall(r"Decision (\d): (player_\d)", out) == [
        ("1", "player_0"),
        ("2", "player_1"),
        ("3", "player_0"),
        ("2", "player_1"),
    ]


def test_alone_and_with_three_others() -> None:
    assert "Arraial: player_0 (human)." in played("arraial", "--players", "1", typed="1\n")
    out = played("azul", "--players", "4", "--seat", "2", "--start", "1", "--against", "random", typed="1\n")
    assert "player_0 (random), player_1 (random), player_2 (human), player_3 (random)." in " ".join(out.split())
    assert "Decision 2: player_2, your turn" in out
    out = played("azul", "--against", "random", "--against", "greedy", "--rules", "digest", typed="1\n")
    assert "player_0 (human), player_1 (random), player_2 (greedy)." in out


def test_long_lists_are_paged_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("manjerico.experiments.play.ROOM", 37)  # of a terminal's rows this leaves few
    monkeypatch.setattr("manjerico.experiments.screen.is_interactive", lambda _: True)
    monkeypatch.setenv("LINES", "40")
    lines = iter(["", "", "", "5"])

    def type_line(*_: object) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("manjerico.experiments.screen.read_line", type_line)
    out = played("azul", "--seed", "3", typed="")
    pages = out.partition("Decision 3")[0].split("Enter shows more moves.")
    assert len(pages) == 4
    for words, page in zip(("display 2", "display 3", "display 5", " 12 "), pages, strict=True):
        assert words in page


# --- Mistakes --------------------------------------------------------------------------------------------------------


def files() -> None:
    """Files of several kinds, none of which can be resumed."""
    over, begun = AZUL_2.played(7), AZUL_2.played(7, decisions=9)
    record.write("over.jsonl", [record.of_match(over, [HUMAN, "greedy"])])
    record.write("agents.jsonl", [record.of_match(begun, ["random", "greedy"])])
    record.write("nobody.jsonl", [record.of_match(begun)])
    record.write("stranger.jsonl", [record.of_match(begun, [HUMAN, "anna"])])
    record.write("human.jsonl", [record.of_match(begun, [HUMAN, "greedy"])])
    record.write("two.jsonl", [record.of_match(begun)] * 2)
    Path("empty.jsonl").touch()
    Path("text.jsonl").write_text("Once upon a time")


MISTAKES = [
    ("", "play takes a game, for example: manjerico play azul --against greedy"),
    ("chess", "game must be one of arraial, azul, not 'chess'"),
    (
        "azul --against greddy",
        "agent of azul must be one of .*, not 'greddy' \\(did you mean 'greedy'\\?\\)",
    ),
    ("azul --hints greddy", "agent of azul must be one of .*, not 'greddy' \\(did you mean 'greedy'\\?\\)"),
    ("azul --players 7", "azul: num_players must be one of 2, 3, 4, not 7"),
    (
        "azul --players 4 --against greedy --against random",
        "--against names 2 opponents for 3 other seats: name one for all, or each",
    ),
    ("azul --seat 2", "--seat must be an integer from 0 to 1, not 2"),
    ("azul --start -1", "--start must be an integer from 0 to 1, not -1"),
    ("azul --seed -1", f"seed must be an integer from 0 to {2**64 - 1}, not -1"),
    ("azul --rules house", "--rules must be one of digest, rulebook, not 'house'"),
    ("--resume none.jsonl", "none.jsonl: no such file"),
    ("--resume empty.jsonl", "empty.jsonl: holds 0 games; only a file of one can be resumed"),
    ("--resume text.jsonl", "text.jsonl, line 1: not JSON: Expecting value at column 1"),
    ("--resume two.jsonl", "two.jsonl: holds 2 games; only a file of one can be resumed"),
    ("--resume over.jsonl", "over.jsonl: the game is over; manjerico replay shows it"),
    ("--resume agents.jsonl", "can't be resumed, for no seat is human: the players are random, greedy"),
    ("--resume nobody.jsonl", "can't be resumed, for no seat is human: it doesn't say who played"),
    ("--resume stranger.jsonl", "agent of azul must be one of .*, not 'anna'"),
    ("arraial --resume human.jsonl", "human.jsonl is a game of azul, not of arraial"),
    ("--resume human.jsonl --seed 4", "--resume goes on as the game began: besides it only --hints can be given"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_mistakes(arguments: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("manjerico.core.game._registered", {})  # other tests of this process make toys known
    files()
    before = sorted(Path().iterdir())
    result = run("play", *arguments.split())
    assert isinstance(result.exception, InputError), result.output
    assert re.search(message, str(result.exception))
    assert "\n" not in str(result.exception)
    assert sorted(Path().iterdir()) == before


# --- The parts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("subject", [AZUL_2, ARRAIAL_2], ids=str)
def test_every_legal_action_is_listed_once(subject: Subject) -> None:
    """Under headings that don't repeat, with what it does to the score."""
    for decisions in range(0, subject.length, 12):
        match = subject.played(7, decisions=decisions)
        listed = moves.moves_of(match)
        assert sorted(move.action for move in listed) == match.legal_actions()
        assert [move.number for move in listed] == list(range(1, len(listed) + 1))
        headings = [move.heading for move in listed]
        assert sorted(headings, key=headings.index) == headings
        assert len({(move.heading, move.short) for move in listed}) == len(listed)
        for move in listed[::3]:
            after, seat = match.clone(), match.current_player
            assert seat is not None
            after.apply(move.action)
            assert move.gain == after.scores[seat] - match.scores[seat]
            assert move.has(move.words)


def test_a_list_fits_the_screen() -> None:
    match = ARRAIAL_2.new_game(7)
    for width in (20, 80, 120):
        drawn = moves.lines(moves.moves_of(match), width)
        assert max(line.cell_len for line in drawn) <= max(width, 40)
    assert len(moves.lines(moves.moves_of(match), 120)) < len(moves.lines(moves.moves_of(match), 40))


def test_positions_are_never_changed() -> None:
    table = Table([AZUL_2.new_game(7)], [HUMAN, "greedy"])
    first = table.match.get_state()
    table.apply(table.match.legal_actions()[0])
    table.apply(table.ask())
    assert [len(position.actions) for position in table.positions] == [0, 1, 2]
    assert table.positions[0].get_state() == first
    assert table.undo()
    assert table.match.get_state() == first
    assert not table.undo()


def test_estimates_are_of_legal_actions() -> None:
    class Wrong(Thinker):
        def analyse(self, _: Records) -> list[list[tuple[int, float, float]]]:
            return [[(324, 1.0, 1.0)]]

    match = AZUL_2.new_game(7)
    assert match.analyse(Thinker("azul"))[0] == Estimate(match.legal_actions()[-1], 0.5, 0.1)
    with pytest.raises(InputError, match=r"action 324 .* is not legal"):
        match.analyse(Wrong("azul"))
    with pytest.raises(InputError, match="the game is over, there is nothing to analyse"):
        AZUL_2.played(7).analyse(Thinker("azul"))
    with pytest.raises(InputError, match=r"azul: only agents that search can analyse, .*, not greedy$"):
        match.analyse(registry.make("greedy", AZUL_2.game))
