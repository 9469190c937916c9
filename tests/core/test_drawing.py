"""Drawings as text, of both games: colours only where they are wanted, and the environment draws its match."""

from __future__ import annotations

import io
import re
import sys

import pytest
from subjects import ARRAIAL_3, AZUL_3, Subject, on, on_each_game

from manjerico.core import drawing
from manjerico.core.match import Match

ESCAPE = "\x1b"


def text(match: Match) -> str:
    return drawing.to_text(match.game.draw(match), colour=False)


@on_each_game
def test_colour_only_when_asked(subject: Subject) -> None:
    match = subject.played(7, 60)
    assert ESCAPE not in text(match)
    coloured = drawing.to_text(match.game.draw(match), colour=True)
    assert ESCAPE in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text(match)


@on_each_game
def test_no_colour_codes_in_a_file(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output is no terminal here, so nothing asks for them; ``FORCE_COLOR`` does."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    match = subject.played(7, 60)
    assert drawing.to_text(match.game.draw(match)) == text(match)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert ESCAPE in drawing.to_text(match.game.draw(match))


@on(AZUL_3, ARRAIAL_3)
def test_environment_renders_the_match(subject: Subject) -> None:
    env = subject.env(render_mode="ansi")
    env.reset(seed=3, options={"start": 1})
    match = subject.new_game(3, start=1)
    for action in subject.played(3, 12, start=1).actions:
        env.step(action)
        match.apply(action)
        assert env.render() == text(match)


@on_each_game
def test_a_terminal_without_the_characters(
    subject: Subject, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Under ``LANG=C`` printing them raised."""
    narrow = io.TextIOWrapper(sys.stdout.buffer, encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", narrow)
    match = subject.played(7, 20)
    drawing.show(match.game.draw(match))
    shown = capsysbinary.readouterr().out.decode("ascii")
    assert shown == text(match).encode("ascii", "replace").decode()
    narrow.detach()
