"""The command ``manjerico`` as a person meets it: in a process of its own, at a pipe or at a terminal."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest

COMMAND = [sys.executable, "-c", "from manjerico.experiments.cli import main; main()"]
PATIENCE = 120.0
"""Seconds; kernels may have to be compiled."""


def piped(*arguments: str, typed: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command at a pipe."""
    return subprocess.run(  # noqa: S603  # our own
        [*COMMAND, *arguments], cwd=cwd, input=typed, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


class Terminal:
    """The command at a pseudo-terminal of 80 columns and 40 rows."""

    def __init__(self, *arguments: str, cwd: Path, **environment: str) -> None:
        pty = pytest.importorskip("pty")
        termios = pytest.importorskip("termios")
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (40, 80))
        self.process = subprocess.Popen(  # noqa: S603  # our own
            [*COMMAND, *arguments],
            cwd=cwd,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", **environment},
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)

    def read_until(self, pattern: str) -> str:
        """What is shown up to a pattern, which must come; it is taken off ``seen``."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.seen)):
            text = self._read(end)
            assert text, self.seen
            self.seen += text
        before, self.seen = self.seen[: found.end()], self.seen[found.end() :]
        return before

    def _read(self, end: float) -> str:
        """What comes next, nothing if the process has ended."""
        while not select.select([self.master], [], [], 1.0)[0]:
            assert time.monotonic() < end, self.seen
        try:
            return os.read(self.master, 65536).decode(errors="replace")
        except OSError:  # the other side has been closed
            return ""

    def type(self, keys: str) -> None:
        """Types keys."""
        os.write(self.master, keys.encode())

    def end(self) -> int:
        """Reads on to the end of the process; returns its exit code."""
        end = time.monotonic() + PATIENCE
        while text := self._read(end):
            self.seen += text
        return self.process.wait(PATIENCE)
