"""Files that are replaced whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from manjerico.core.errors import InputError


def make_folder(path: Path) -> None:
    """Makes a folder and those above it, if they aren't there.

    Raises:
        InputError: it can't be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: can't be made: {error.strerror}") from None


@contextmanager
def replaced_file(path: Path) -> Iterator[Path]:
    """A path to write to, which replaces ``path`` once it is whole.

    Raises:
        InputError: it can't be written; the old one stays.
    """
    if not path.name or (path.exists() and not path.is_file()):
        raise InputError(f"{path}: is no file that can be replaced")
    part = path.with_name(f"part-{path.name}")
    try:
        yield part
        part.replace(path)
    except (OSError, RuntimeError) as error:
        with suppress(OSError):
            part.unlink()
        raise InputError(f"{path}: can't be written ({error}); what was saved before is still there") from None
