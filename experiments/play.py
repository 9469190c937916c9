"""A person plays against agents, or other people, in the terminal."""

from __future__ import annotations

import shlex
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from manjerico.core.agent import AnalysingAgent
from manjerico.core.errors import InputError
from manjerico.experiments import moves, saves, screen
from manjerico.experiments.table import HUMAN, Table, label, show_end, told

HINTS = 5
"""How many moves a hint names."""

ROOM = 3
"""Lines of a terminal that a page of moves leaves free."""

INTERRUPTED = 130

HELP = """\
A number takes that move; (+2) is what it scores at once. Words list the moves
that have them all, for example: {example}
Enter takes a move that is left alone, turns the page of a long list, and else
lists all moves again.

undo       back to your previous decision, any number of times; chance is not
           drawn again: the same decisions bring the same tiles or cards
hint       what {adviser} would do
board      draws the board again
save FILE  writes the game to a file and goes on
quit       saves and leaves, like Ctrl-C and the end of input; the game goes on
           with manjerico play --resume FILE
"""


class Left(Exception):  # noqa: N818  # no error
    """The person has had enough."""


class Session:
    """One sitting at a table.

    Args:
        table: who plays, and the game so far.
        console: where.
        adviser: the agent that gives hints, as the registry takes it; by default the first opponent.
        file: the file of the game, if it has one.

    Raises:
        InputError: there is no such adviser.
    """

    def __init__(self, table: Table, console: Console, adviser: str | None = None, file: Path | None = None) -> None:
        self.table = table
        self.console = console
        self.file = file
        game = table.match.game
        opponents = [name for name in table.names if name != HUMAN]
        self.adviser_name = adviser or (opponents or [game.strongest])[0]
        self.adviser = table.make(self.adviser_name)
        self.moves: list[moves.Move] = []
        self.offered: moves.Move | None = None
        self.pages: list[list[Text]] = []
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._help,
            "help": self._help,
            "hint": self._hint,
            "undo": self._undo,
            "board": lambda _: self._show_board(),
            "save": self._save,
            "quit": self._quit,
        }

    def run(self) -> int:
        """Plays to the end, or until the person leaves; saves in any case, whatever happens.

        Returns:
            The exit code.
        """
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            signal.signal(number, _leave)
        code = 0
        try:
            self._greet()
            while not self.table.match.is_over:
                if self.table.human_to_act:
                    self._turn()
                else:
                    self._wait()
            self.console.print(Rule("The end"))
            self._tell_others()
            show_end(self.console, self.table.positions, self.table.names)
        except (EOFError, Left):
            pass
        except KeyboardInterrupt:
            self.console.print()
            code = INTERRUPTED
        finally:
            self._keep()
        return code

    def _greet(self) -> None:
        match = self.table.match
        seats = ", ".join(label(seat, self.table.names) for seat in range(match.players))
        seed = "" if match.seed is None else f" Seed {match.seed}."
        self.console.print(f"{match.game.title}: {seats}.{seed} Type ? for help.")

    def _wait(self) -> None:
        """Lets an agent decide."""
        seat = self.table.match.current_player
        with self.console.status(f"{label(seat or 0, self.table.names)} thinks ..."):
            self.table.apply(self.table.ask())

    # --- A person's decision -----------------------------------------------------------------------------------------

    def _turn(self) -> None:
        """One decision of a person: lines are read until one of them is a move or takes one back."""
        self._show_board()
        self.console.print()
        self.moves = moves.moves_of(self.table.match)
        self._list(self.moves)
        before = self.table.match
        while self.table.match is before:
            self._answer(screen.read_line(self.console, f"{label(before.current_player or 0, None)}> "))

    def _answer(self, typed: str) -> None:
        if not typed:
            self._go_on()
            return
        self.offered, self.pages = None, []  # Enter never takes what has been forgotten meanwhile
        first, _, rest = typed.partition(" ")
        command = first.lower()
        if command in self.commands and (command == "save" or not rest):
            self.commands[command](rest.strip())
        elif typed.isdecimal():
            self._take(typed)
        else:
            self._find(typed)

    def _go_on(self) -> None:
        if self.offered:
            self.table.apply(self.offered.action)
        elif self.pages:
            self._turn_page()
        else:
            self._list(self.moves)

    def _take(self, number: str) -> None:
        for move in self.moves:
            if str(move.number) == number:
                self.table.apply(move.action)
                return
        self._say(f"There is no move {number:.20}; the moves are 1 to {len(self.moves)}.")

    def _find(self, typed: str) -> None:
        found = [move for move in self.moves if move.has(typed)]
        if found:
            self._list(found)
        else:
            self._say(f"No move has all these words: {typed}. Enter lists the moves, ? helps.")

    def _list(self, listed: list[moves.Move]) -> None:
        """Lists moves, page by page in a terminal; one that is left alone is offered."""
        self.offered = listed[0] if len(listed) == 1 else None
        lines = moves.lines(listed, self.console.width)
        size = max(1, self.console.height - ROOM) if screen.is_interactive(self.console) else len(lines)
        self.pages = [lines[start : start + size] for start in range(0, len(lines), size)]
        self._turn_page()
        if self.offered:
            self._say(f"Enter takes it: {self.offered.words}.")

    def _turn_page(self) -> None:
        for line in self.pages.pop(0):
            self.console.print(line, soft_wrap=True)
        if self.pages:
            self._say("Enter shows more moves.")

    # --- What is shown -----------------------------------------------------------------------------------------------

    def _show_board(self) -> None:
        match = self.table.match
        seat = match.current_player or 0
        self.console.print(Rule(f"Decision {len(match.actions) + 1}: {label(seat, None)}, your turn"))
        self.console.print(match.game.draw(match))
        self._tell_others()

    def _tell_others(self) -> None:
        """What was decided since the last decision of the person to act, or of anybody once the game is over."""
        positions = self.table.positions
        seats = [position.current_player for position in positions]
        since = len(positions) - 1
        people = {seat for seat, name in enumerate(self.table.names) if name == HUMAN}
        own = people if seats[-1] is None else {seats[-1]}
        while since > 0 and seats[since - 1] not in own:
            since -= 1
        for decision in range(since, len(positions) - 1):
            self.console.print(told(positions, decision, self.table.names))

    def _say(self, sentence: str) -> None:
        self.console.print(sentence, style="italic")

    # --- Commands ----------------------------------------------------------------------------------------------------

    def _help(self, _: str) -> None:
        match = self.table.match
        example = self.moves[-1].heading or self.moves[-1].words
        text = HELP.format(example=example, adviser=self.adviser_name)
        self.console.print(text)
        self.console.print(match.game.legend.replace("\n", " "))

    def _hint(self, _: str) -> None:
        match, name = self.table.match, self.adviser_name
        seed = self.table.seed_of(match.current_player)
        with self.console.status(f"{name} thinks ..."):
            if isinstance(self.adviser, AnalysingAgent):
                heading = f"{name} thinks (value for you, share of its search; it takes the first):"
                hints = [
                    (best.action, f"{best.value:+7.2f} {best.share:6.0%} ")
                    for best in match.analyse(self.adviser, seed)[:HINTS]
                ]
            else:
                heading, hints = f"{name} would take:", [(match.choose(self.adviser, seed), "")]
        self._say(heading)
        by_action = {move.action: move for move in self.moves}
        for action, numbers in hints:
            move = by_action[action]
            self.console.print(Text.assemble((f"{move.number:>3}", "bold cyan"), f" {numbers}{move.words}"))

    def _undo(self, _: str) -> None:
        if not self.table.undo():
            self._say("There is no earlier decision of yours.")

    def _save(self, name: str) -> None:
        path = Path(name).expanduser()
        if not name:
            self._say("Save takes the name of a file: save game.jsonl")
        elif path.exists() and path != self.file:
            self._say(f"{path} is there already; choose another name.")
        else:
            try:
                saves.save(path, self.table)
            except InputError as error:
                self._say(f"{error}.")
            else:
                self.file = path
                self._tell_where(path)

    def _quit(self, _: str) -> None:
        raise Left

    def _keep(self) -> None:
        """Saves what was played: in the game's file, or in a new one if it has none or that can't be written."""
        try:
            self.file = self.file or saves.fresh_path(self.table)
            saves.save(self.file, self.table)
        except InputError as error:
            self._say(f"{error}.")
            self.file = saves.fresh_path(self.table, Path(tempfile.gettempdir()))
            saves.save(self.file, self.table)
        self._tell_where(self.file)

    def _tell_where(self, path: Path) -> None:
        again = "replay" if self.table.match.is_over else "play --resume"
        purpose = "To see it again" if self.table.match.is_over else "To go on"
        command = f"manjerico {again} {shlex.quote(str(path))}"
        self.console.print(f"Saved. {purpose}: {command}", soft_wrap=True)


def _leave(number: int, _: FrameType | None) -> None:
    """A terminal that is closed, or a machine that shuts down, is a reason to leave, and to save first."""
    raise SystemExit(128 + number)
