"""Game records: what is written replays, and everything that a record must not be is one clear error."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from subjects import ARRAIAL_2, AZUL_2, Subject, on_all, on_each_game, on_few

from manjerico.core import record
from manjerico.core.errors import InputError
from manjerico.core.match import Match
from manjerico.core.record import RecordError

Record = dict[str, Any]


def finished(subject: Subject = AZUL_2) -> Record:
    return record.of_match(subject.played(7), agents=names(subject), note="Grüße")


def names(subject: Subject) -> list[str]:
    return ["anna", "berta", "carla", "dora"][: subject.players]


def unfinished(subject: Subject = AZUL_2) -> Record:
    return record.of_match(subject.played(7, decisions=subject.length // 2))


def position(match: Match) -> dict[str, Any]:
    """The state but for the generator, that a record doesn't hold."""
    return {name: match.state[name].tolist() for name in match.game.state.names or () if name != "rng"}


# --- Writing and replaying -------------------------------------------------------------------------------------------


@on_all
def test_round_trip(subject: Subject) -> None:
    for share in (0, 0.1, 0.5, None):
        decisions = None if share is None else int(share * subject.length)
        match = subject.played(subject.players, decisions, start=subject.players - 1)
        replayed = record.replay(record.loads(record.dumps(record.of_match(match))))
        assert position(replayed) == position(match)
        assert (replayed.actions, replayed.chance) == (match.actions, match.chance)
        assert (replayed.rules, replayed.players, replayed.start) == (match.rules, match.players, match.start)
        assert replayed.legal_actions() == match.legal_actions()
        if match.is_over:
            assert record.of_match(replayed) == record.of_match(match)


@on_few
def test_retrace(subject: Subject) -> None:
    """Every stage is the game as it was, its generator included: played on, it comes out the same."""
    match = subject.played(7, decisions=subject.length)
    stages = record.retrace(record.of_match(match))
    assert [stage.actions for stage in stages] == [match.actions[:k] for k in range(len(match.actions) + 1)]
    assert stages[-1].get_state() == match.get_state()
    for stage in stages[:: subject.length // 4]:
        for action in match.actions[len(stage.actions) :]:
            stage.apply(action)
        assert (stage.get_state(), stage.chance, stage.seed) == (match.get_state(), match.chance, 7)


@pytest.mark.parametrize("seed", [None, 8])
@on_few
def test_retrace_where_the_seed_did_not_decide(subject: Subject, seed: int | None) -> None:
    """What has happened stays; what comes can't be foreseen, but follows the rules."""
    match = subject.played(7, decisions=subject.length // 2)
    told = {**record.of_match(match), "seed": seed}
    if seed is None:
        del told["seed"]
    first, second = (record.retrace(told) for _ in range(2))
    assert [position(stage) for stage in first] == [position(stage) for stage in second]
    assert position(first[-1]) == position(match)
    assert first[-1].get_state() != second[-1].get_state()
    for stage in (first[0], first[-1]):
        assert (stage.seed, stage.pending_chance) == (None, 0)
        while not stage.is_over:
            stage.apply(stage.choose("random"))
        assert record.replay(record.of_match(stage)).scores == stage.scores


def test_scan(tmp_path: Path) -> None:
    """Records as they stand in the file, with all that replaying forgets."""
    path = tmp_path / "games.jsonl"
    record.write(path, [finished(), unfinished()])
    assert list(record.scan(path)) == [(f"{path}, line 1", finished()), (f"{path}, line 2", unfinished())]


@on_few
def test_what_a_record_holds(subject: Subject) -> None:
    match = subject.played(7)
    assert finished(subject) == {
        "format": 1,
        "game": subject.name,
        "players": subject.players,
        "start": 0,
        "rules": subject.rules.as_dict(),
        "chance": match.chance,
        "actions": match.actions,
        "scores": match.scores,
        "seed": 7,
        "agents": names(subject),
        "note": "Grüße",
    }
    assert "scores" not in unfinished(subject)


@on_few
def test_record_of_a_match_with_given_chance(subject: Subject) -> None:
    """It names no seed, for a seed did not decide."""
    match = subject.played(7)
    given = subject.new_game(chance=match.chance)
    for action in match.actions:
        given.apply(action)
    assert record.of_match(given) == {key: value for key, value in record.of_match(match).items() if key != "seed"}


@on_few
def test_an_unfinished_replay_goes_on_without_a_seed(subject: Subject) -> None:
    """Its chance from here on is not the seed's, so its record must not say so."""
    match = record.replay(unfinished(subject))
    assert match.pending_chance == 0
    while not match.is_over:
        match.apply(match.legal_actions()[-1])
    assert "seed" not in record.of_match(match)
    record.replay(record.of_match(match))


@on_few
def test_record_of_an_environment(subject: Subject) -> None:
    env = subject.begun(7)
    for action in subject.played(7).actions:
        env.step(action)
    assert env.record(names(subject), "Grüße") == finished(subject)


@on_few
def test_a_match_without_a_beginning_has_no_record(subject: Subject) -> None:
    match = subject.played(7, decisions=10)
    match.set_state(match.get_state())
    with pytest.raises(InputError, match="its beginning isn't known"):
        record.of_match(match)


@pytest.mark.parametrize("extra", [{"agents": ["anna"]}, {"agents": [1, 2]}, {"note": 5}])
@on_each_game
def test_records_are_checked_when_made(subject: Subject, extra: dict[str, Any]) -> None:
    (name,) = extra
    with pytest.raises(RecordError, match=f"{name} must be"):
        record.of_match(subject.played(7), **extra)


# --- Errors of one record --------------------------------------------------------------------------------------------


@on_few
def test_one_line_of_json(subject: Subject) -> None:
    text = record.dumps(finished(subject))
    assert "\n" not in text
    assert text.isascii()
    assert record.loads(text)["note"] == "Grüße"
    assert json.loads(text) == finished(subject)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value at column 1"),
        ("{", "not JSON: Expecting property name enclosed in double quotes at column 2"),
        ('{"format": 1,}', "not JSON"),
        ("[1, 2]", r"a record is a JSON object, not \[1, 2\]"),
        ("null", "a record is a JSON object, not None"),
        ('{"format": NaN}', "NaN is not JSON"),
        ('{"format": -Infinity}', "-Infinity is not JSON"),
        ('{"format": 1, "format": 1}', "the key 'format' is repeated"),
        ('{"rules": {"side": "A", "side": "A"}}', "the key 'side' is repeated"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "an integer has too many digits"),
    ],
)
def test_no_record(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=f"^games, line 3: .*{message}"):
        record.loads(text, "games, line 3")


WRONG_TYPES: list[Any] = [1.0, True, "1", None, [1], {}]


@pytest.mark.parametrize("key", ["format", "players", "start", "seed"])
@on_each_game
def test_integers_are_integers(subject: Subject, key: str) -> None:
    """No floats, no booleans, nothing that only looks like one."""
    for value in WRONG_TYPES:
        with pytest.raises(RecordError, match=f"^record: {key} must be an integer, not "):
            record.replay({**finished(subject), key: value})


@pytest.mark.parametrize("key", ["chance", "actions", "scores"])
@on_each_game
def test_lists_are_of_integers(subject: Subject, key: str) -> None:
    game = finished(subject)
    no_lists: list[Any] = [1, "12", None, {}]
    for value in no_lists:
        with pytest.raises(RecordError, match=f"^record: {key} must be a list of integers, not "):
            record.replay({**game, key: value})
    for value in WRONG_TYPES:
        with pytest.raises(RecordError, match=f"^record, {key}, position 1: an integer is expected, not "):
            record.replay({**game, key: [game[key][0], value, *game[key][2:]]})


@pytest.mark.parametrize("key", ["format", "game", "players", "start", "rules", "chance", "actions"])
@on_each_game
def test_missing_keys(subject: Subject, key: str) -> None:
    with pytest.raises(RecordError, match=f"^record: the key '{key}' is missing"):
        record.replay({name: value for name, value in finished(subject).items() if name != key})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"winner": 0}, "record: unknown key 'winner'; a record has format, game, "),
        ({"format": 2}, "record: format 2 is unknown; this version reads format 1"),
        ({"game": "chess"}, "record: game must be one of arraial, azul.*, not 'chess'"),
        ({"game": "azull"}, r"record: .*\(did you mean 'azul'\?\)"),
        ({"game": "arrayal"}, r"record: .*\(did you mean 'arraial'\?\)"),
        ({"game": 1}, "record: game must be one of"),
        ({"game": ["azul"]}, "record: game must be one of"),
        ({"players": 0}, "record: .*: num_players must be one of .*2, 3, 4, not 0"),
        ({"players": 5}, "record: .*: num_players must be one of .*2, 3, 4, not 5"),
        ({"start": 2}, "record: start must be a seat from 0 to 1, not 2"),
        ({"start": -1}, "record: start must be a seat from 0 to 1, not -1"),
        ({"seed": -1}, "record: seed must be an integer from 0 to 18446744073709551615, not -1"),
        ({"seed": 2**64}, "record: seed must be an integer from 0 to"),
        ({"agents": ["anna"]}, "record: agents must be a list of 2 names"),
        ({"agents": ["anna", 2]}, "record: agents must be a list of 2 names"),
        ({"agents": "ab"}, "record: agents must be a list of 2 names"),
        ({"note": 3}, "record: note must be a text, not 3"),
        ({"scores": [1, 2, 3]}, "record: scores must be 2 integers, not 3"),
        ({"rules": []}, "record: (Azul|Arraial)Rules: must be an object of fields and values"),
    ],
)
@on_each_game
def test_wrong_values(subject: Subject, changes: Record, message: str) -> None:
    with pytest.raises(RecordError, match=f"^{message}"):
        record.replay({**finished(subject), **changes})


@pytest.mark.parametrize(
    ("subject", "changes", "message"),
    [
        (AZUL_2, {"pillars": 1}, "unknown field 'pillars'; the fields are pillar_tiles, "),
        (AZUL_2, {"pillar_tiles": None}, "pillar_tiles must be an integer from 0 to 132, not None"),
        (AZUL_2, {"pillar_tiles": 1.0}, "pillar_tiles must be an integer from 0 to 132, not 1.0"),
        (AZUL_2, {"token_penalty_cap": -1}, "token_penalty_cap, unless None, must be an integer"),
        (AZUL_2, {"voluntary_give_ups": 1}, "voluntary_give_ups must be true or false, not 1"),
        (AZUL_2, {"side": "C"}, "side must be one of A, not 'C'"),
        (AZUL_2, {"side": ["A"]}, "side must be one of A"),
        (ARRAIAL_2, {"breadth": 8}, "unknown field 'breadth'; the fields are width, height, shapes, "),
        (ARRAIAL_2, {"width": 17}, "width must be an integer from 4 to 16, not 17"),
        (ARRAIAL_2, {"height": "14"}, "height, with width 8, must be an integer from 1 to 16, not '14'"),
        (ARRAIAL_2, {"max_slide": -1}, "max_slide, unless None, must be an integer from 0 to 15"),
        (ARRAIAL_2, {"shapes": [[[0, 0]]]}, r"shapes must be 8 lists of \[x, y\] cells, not 1"),
        (ARRAIAL_2, {"shapes": [[[1, 0]]] * 8}, r"shapes\[0\] must touch both x = 0 and y = 0"),
        (ARRAIAL_2, {"bar_start": [8, 8, 8, 15]}, r"bar_start\[3\] must be an integer from 0 to 14, not 15"),
        (ARRAIAL_2, {"bar_visitors_score_at_end": 1}, "bar_visitors_score_at_end must be true or false, not 1"),
    ],
)
def test_wrong_rules(subject: Subject, changes: Record, message: str) -> None:
    game = finished(subject)
    with pytest.raises(RecordError, match=f"^record: {type(subject.rules).__name__}: {message}"):
        record.replay({**game, "rules": {**game["rules"], **changes}})


@on_each_game
def test_missing_rules(subject: Subject) -> None:
    game = finished(subject)
    first, *others = game["rules"]
    with pytest.raises(RecordError, match=rf"^record: {type(subject.rules).__name__}: missing field '{first}'"):
        record.replay({**game, "rules": {name: game["rules"][name] for name in others}})


def test_the_rules_of_another_game() -> None:
    with pytest.raises(RecordError, match=r"^record: ArraialRules: unknown field 'pillar_tiles'"):
        record.replay({**finished(ARRAIAL_2), "rules": finished(AZUL_2)["rules"]})


@on_few
def test_illegal_actions(subject: Subject) -> None:
    game = finished(subject)
    at = subject.length // 2
    match = subject.played(7, decisions=at)
    illegal, count = int(match.action_mask().argmin()), subject.actions
    for action, message in (
        (illegal, rf"action {illegal} \({match.describe(illegal)}\) is not legal for player"),
        (count, f"from 0 to {count - 1}, not {count}"),
    ):
        actions = [*game["actions"][:at], action, *game["actions"][at:]]
        with pytest.raises(RecordError, match=f"^record, actions, position {at}: {subject.name}: .*{message}"):
            record.replay({**game, "actions": actions})


@on_few
def test_actions_after_the_end(subject: Subject) -> None:
    game = finished(subject)
    with pytest.raises(RecordError, match=rf"^record, actions, position {len(game['actions'])}: .*after the end"):
        record.replay({**game, "actions": [*game["actions"], 0]})


@on_few
def test_impossible_chance(subject: Subject) -> None:
    """A number that is no colour or card, in the set-up and later; one that is used up."""
    game, none = finished(subject), subject.kinds
    with pytest.raises(RecordError, match=rf"^record, chance: chance outcome {none} at position 2 is impossible there"):
        record.replay({**game, "chance": [*game["chance"][:2], none, *game["chance"][3:]]})
    for at, outcome in ((subject.set_up, none), (len(game["chance"]) - 1, 9)):
        chance = [*game["chance"][:at], outcome, *game["chance"][at + 1 :]]
        with pytest.raises(
            RecordError,
            match=rf"^record, actions, position \d+: chance outcome {outcome} at position {at} is impossible",
        ):
            record.replay({**game, "chance": chance})
    with pytest.raises(
        RecordError, match=rf"^record, chance: chance outcome 0 at position {subject.copies} is impossible there"
    ):
        record.replay({**unfinished(subject), "actions": [], "chance": [0] * subject.set_up})


@pytest.mark.parametrize("outcome", [-1, 40_000, 10**30])
@on_each_game
def test_chance_is_small(subject: Subject, outcome: int) -> None:
    game = finished(subject)
    with pytest.raises(
        RecordError, match=f"^record, chance: chance outcome at position 0 must be an integer.*{outcome}"
    ):
        record.replay({**game, "chance": [outcome, *game["chance"][1:]]})


@on_few
def test_missing_chance(subject: Subject) -> None:
    game, set_up = finished(subject), subject.set_up
    with pytest.raises(
        RecordError,
        match=f"^record, chance, position 4: an outcome is missing; the set-up needs {set_up} in all, not 4",
    ):
        record.replay({**game, "chance": game["chance"][:4]})
    count = len(game["chance"])
    with pytest.raises(
        RecordError,
        match=rf"^record, chance, position {count - 1}: an outcome is missing; action .* needs {count}",
    ):
        record.replay({**game, "chance": game["chance"][:-1]})


@on_few
def test_surplus_chance(subject: Subject) -> None:
    for game in (finished(subject), unfinished(subject)):
        count = len(game["chance"])
        with pytest.raises(RecordError, match=f"^record, chance, position {count}: 2 outcomes are left over"):
            record.replay({**game, "chance": [*game["chance"], 1, 2]})
    with pytest.raises(RecordError, match=r"^record, chance: 100000 chance outcomes are more than"):
        record.replay({**finished(subject), "chance": [0] * 100_000})


@on_few
def test_scores(subject: Subject) -> None:
    """Wrong, missing at the end, there before the end."""
    game, begun = finished(subject), unfinished(subject)
    scores = game["scores"]
    wrong = [*scores[:-1], scores[-1] + 1]
    with pytest.raises(
        RecordError, match=rf"^record: scores are {re.escape(f'{wrong}, but the game ends with {scores}')}$"
    ):
        record.replay({**game, "scores": wrong})
    with pytest.raises(
        RecordError,
        match=rf"^record: the game is finished, but scores are missing; expected {re.escape(str(scores))}$",
    ):
        record.replay({key: value for key, value in game.items() if key != "scores"})
    with pytest.raises(
        RecordError,
        match=rf"^record: scores are given, but the game is not finished after {len(begun['actions'])} actions",
    ):
        record.replay({**begun, "scores": scores})


# --- Files -----------------------------------------------------------------------------------------------------------

NAMES = ["games.jsonl", "games.jsonl.gz", "games.jsonl.zst"]


def games(count: int) -> list[Record]:
    """Of both games in turn."""
    return [record.of_match((AZUL_2, ARRAIAL_2)[seed % 2].played(seed)) for seed in range(count)]


@pytest.mark.parametrize("name", NAMES)
def test_files(tmp_path: Path, name: str) -> None:
    """Compressed by name; an appended compressed file has several members or frames."""
    path = tmp_path / name
    records = [finished(), unfinished(), *games(3)]
    record.write(path, records[:3])
    record.write(path, records[3:], append=True)
    assert [match.actions for match in record.read(path)] == [game["actions"] for game in records]
    record.write(str(path), records[:1])
    assert len(list(record.read(str(path)))) == 1


def test_compressed_files_are_compressed(tmp_path: Path) -> None:
    for name in NAMES:
        record.write(tmp_path / name, games(3))
    plain, gz, zst = [(tmp_path / name).read_bytes() for name in NAMES]
    assert gzip.decompress(gz) == plain
    assert zstandard.ZstdDecompressor().decompressobj().decompress(zst) == plain
    assert max(len(gz), len(zst)) < len(plain) / 2


@pytest.mark.parametrize("name", NAMES)
def test_empty_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"")
    assert list(record.read(path)) == []
    record.write(path, [])
    assert list(record.read(path)) == []


def test_games_before_an_error_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    lines = [record.dumps(game) for game in games(2)]
    path.write_text("\n".join([*lines, lines[0].replace('"format": 1', '"format": 7')]), encoding="utf-8")
    matches = record.read(path)
    assert [next(matches).seed, next(matches).seed] == [0, 1]
    with pytest.raises(RecordError, match=r"games.jsonl, line 3: format 7 is unknown"):
        next(matches)


@pytest.mark.parametrize(
    ("middle", "message"),
    [
        ("", "line 2: not JSON"),
        ("{}", "line 2: the key 'format' is missing"),
        ('{"format": 1', "line 2: not JSON"),
        ('{"format": 1, "format": 1}', "line 2: the key 'format' is repeated"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, middle: str, message: str) -> None:
    path = tmp_path / "games.jsonl"
    line = record.dumps(finished())
    path.write_text(f"{line}\n{middle}\n{line}\n", encoding="utf-8")
    with pytest.raises(RecordError, match=f"^{path}, {message}"):
        list(record.read(path))


def test_replay_errors_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    bad = {**finished(), "actions": [324]}
    record.write(path, [finished(), bad])
    with pytest.raises(RecordError, match=rf"^{path}, line 2, actions, position 0: azul: action 324 \(pass\) is not"):
        list(record.read(path))


def test_no_such_file(tmp_path: Path) -> None:
    for name in NAMES:
        with pytest.raises(RecordError, match=f"{name}: no such file"):
            list(record.read(tmp_path / name))
    with pytest.raises(RecordError, match=r"after line 0: can't be read: .*directory"):
        list(record.read(tmp_path))


def test_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    text = json.dumps(finished(), ensure_ascii=False)
    path.write_bytes(f"{text}\n{text}\n".encode("latin-1"))
    with pytest.raises(RecordError, match="can't be read: 'utf-8' codec can't decode byte 0xfc"):
        list(record.read(path))


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def cut_at_the_end(data: bytes) -> bytes:
    return data[:-3]


def overwritten_head(data: bytes) -> bytes:
    return b"\0\0\0\0" + data[4:]


def followed_by_junk(data: bytes) -> bytes:
    return data + b"junk"


def overwritten_middle(data: bytes) -> bytes:
    return data[:40] + bytes(len(data) - 80) + data[-40:]


@pytest.mark.parametrize("damage", [cut, cut_at_the_end, overwritten_head, followed_by_junk, overwritten_middle])
@pytest.mark.parametrize("name", NAMES[1:])
def test_damaged_files(tmp_path: Path, name: str, damage: Callable[[bytes], bytes]) -> None:
    """A truncated file must not pass for a short one."""
    path = tmp_path / name
    record.write(path, games(20))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(RecordError, match=rf"^{path}, (after )?line \d+: (can't be read|not JSON)"):
        list(record.read(path))


def test_cut_after_a_member_is_whole(tmp_path: Path) -> None:
    """Members are complete in themselves: what an interrupted run has written can be read."""
    for name in NAMES[1:]:
        path = tmp_path / name
        record.write(path, games(2))
        size = path.stat().st_size
        record.write(path, games(1), append=True)
        path.write_bytes(path.read_bytes()[:size])
        assert len(list(record.read(path))) == 2


def test_what_was_written_before_stays(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record.write(path, [finished()])
    before = path.read_text()
    with pytest.raises(RecordError, match="a list of records is written, not one record"):
        record.write(path, finished())
    with pytest.raises(RecordError, match="record 1: unknown key 'a'"):
        record.write(path, [finished(), {"a": 1}])
    with pytest.raises(RecordError, match="can't be written: No such file or directory"):
        record.write(tmp_path / "nowhere" / "games.jsonl", [finished()])
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]
