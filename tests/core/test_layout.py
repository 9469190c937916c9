"""The table of an observation."""

from __future__ import annotations

from typing import Any

import numpy as np

from manjerico.core.layout import Layout, Part, offsets, prefixed

PARTS = [
    Part("phase", (2,), 1, 1, "one-hot"),
    Part("tiles", (2, 3), 10, 22, "tiles by seat and colour"),
    Part("score", (1,), 100, 304, "score"),
]


def test_offsets() -> None:
    assert offsets(PARTS) == {"phase": 0, "tiles": 2, "score": 8, "size": 9}


def test_prefixed() -> None:
    names = [part.name for part in prefixed("me", PARTS)]
    assert names == ["me.phase", "me.tiles", "me.score"]
    assert prefixed("me", PARTS)[1].shape == (2, 3)


def test_slices_cover_the_vector() -> None:
    layout = Layout(PARTS)
    assert layout.size == 9
    assert layout.slices == {"phase": slice(0, 2), "tiles": slice(2, 8), "score": slice(8, 9)}


def test_highest() -> None:
    expected = np.array([1, 1, *[2.2] * 6, 3.04], np.float32)
    assert np.array_equal(Layout(PARTS).highest(), expected)
    assert Layout(PARTS).highest().dtype == np.float32


def test_decode_gives_the_integers_back() -> None:
    """All integers that can stand there survive the division in 32 bits."""
    layout = Layout(PARTS)
    for k in range(305):
        integers: dict[str, Any] = {"phase": [0, 1], "tiles": [[k % 23, 0, 22], [1, 2, 3]], "score": [k]}
        vector = np.concatenate([np.ravel(integers[p.name]) / np.float32(p.scale) for p in PARTS]).astype(np.float32)
        assert {name: values.tolist() for name, values in layout.decode(vector).items()} == integers


def test_markdown() -> None:
    assert Layout(PARTS).markdown().splitlines() == [
        "| from | to | name | shape | divided by | meaning |",
        "|---|---|---|---|---|---|",
        "| 0 | 2 | `phase` | 2 | 1 | one-hot |",
        "| 2 | 8 | `tiles` | 2 x 3 | 10 | tiles by seat and colour |",
        "| 8 | 9 | `score` | 1 | 100 | score |",
    ]
