"""What the rules dataclasses of all games share: exchange with JSON, with every field checked."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from manjerico.core.errors import InputError, shown


@dataclasses.dataclass(frozen=True)
class Rules:
    """Base of a game's frozen, hashable rules. Subclasses check their fields in ``__post_init__``.

    A field that is added later gets a default that means "as before", so that old records stay readable.
    """

    def _set(self, name: str, value: Any) -> None:
        """Replaces a field by its checked value, in ``__post_init__``: a plain ``int`` for a NumPy one."""
        object.__setattr__(self, name, value)

    def as_dict(self) -> dict[str, Any]:
        """The fields as JSON values: tuples become lists."""
        return {field.name: _to_json(getattr(self, field.name)) for field in dataclasses.fields(self)}

    @classmethod
    def from_dict(cls, fields: Any) -> Self:
        """The rules with exactly these fields.

        Raises:
            InputError: a field is unknown, missing or has a value that isn't allowed.
        """
        if not isinstance(fields, Mapping):
            raise InputError(f"{cls.__name__}: must be an object of fields and values, not {fields!r}")
        known = [field.name for field in dataclasses.fields(cls)]
        for name in fields:
            if name not in known:
                raise InputError(f"{cls.__name__}: unknown field {name!r}; the fields are {', '.join(known)}")
        for name in known:
            if name not in fields:
                raise InputError(f"{cls.__name__}: missing field {name!r}")
        return cls(**fields)


def differences(before: Mapping[str, Any], rules: Rules) -> str:
    """Where fields, as of :meth:`Rules.as_dict`, differ from rules: "pillar_tiles 1, not 2"; empty if nowhere."""
    return ", ".join(
        f"{name} {shown(before.get(name))}, not {shown(value)}"
        for name, value in rules.as_dict().items()
        if before.get(name) != value
    )


def _to_json(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return [_to_json(item) for item in value] if isinstance(value, tuple) else value
