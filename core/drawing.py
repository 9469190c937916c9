"""Showing what rich can print: as text for those who ask for it, or on the terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH = 110
"""Columns of a drawing that is returned as text."""


def to_text(drawn: RenderableType, colour: bool | None = None) -> str:
    """A drawing as a string, with ANSI colours if the terminal has them, or as ``colour`` says."""
    from rich.console import Console  # imported when something is drawn

    system = Console().color_system if colour is None else ("256" if colour else None)
    console = Console(
        file=io.StringIO(),
        width=WIDTH,
        color_system=system,  # type: ignore[arg-type]  # the property's own values
        force_terminal=system is not None,
        legacy_windows=False,
    )
    console.print(drawn)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]  # it is the StringIO above
    return text


def show(drawn: RenderableType) -> None:
    """Prints a drawing to the terminal, with question marks for what its encoding can't say."""
    from rich.console import Console

    console = Console()
    try:
        "█·│".encode(console.encoding)
    except UnicodeEncodeError:
        text = to_text(drawn, colour=False)
        console.out(text.encode(console.encoding, "replace").decode(console.encoding), end="", highlight=False)
        return
    console.print(drawn)
