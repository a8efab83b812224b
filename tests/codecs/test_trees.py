"""Trees of JSON values, coded by column: they round-trip, and repetition costs little."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.codecs._trees import decode_tree, encode_tree

MOST = 100_000
keys = st.text(st.characters(exclude_characters="\n"), max_size=4)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-100, 100)
    | st.floats(allow_nan=False)
    | st.decimals(-1000, 1000, places=2).map(float)
    | st.text(max_size=12)
)
trees = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(keys, inner, max_size=6),
    max_leaves=40,
)
records = st.lists(
    st.fixed_dictionaries(
        {"id": st.integers(0, 500), "at": st.lists(st.integers(0, 99), min_size=2, max_size=2)},
        optional={"kind": st.sampled_from(["goblin", "torch"]), "speed": st.floats(0, 9)},
    ),
    max_size=40,
)


@settings(deadline=None, max_examples=80)
@given(trees | records)
def test_a_tree_comes_back(tree: Any) -> None:
    # repr distinguishes 1 from 1.0 and True, and 0.0 from -0.0.
    assert repr(decode_tree(encode_tree(tree), MOST)) == repr(tree)


def test_half_characters_come_back() -> None:
    tree = json.loads('["\\ud800", {"\\udfff": 1}]')
    assert decode_tree(encode_tree(tree), MOST) == tree


def test_more_texts_than_a_symbol_counts_come_back() -> None:
    tree = [f"text {number % 300}" for number in range(900)]
    assert decode_tree(encode_tree(tree), MOST) == tree


def test_records_cost_little_more_than_their_information() -> None:
    rng = np.random.default_rng(5)
    # 6 bits of kind and place: the keys must cost next to nothing.
    rows = [
        {"id": number, "kind": ["rat", "bat"][int(rng.integers(2))], "x": int(rng.integers(32))}
        for number in range(1000)
    ]
    assert len(encode_tree(rows)) * 8 < 1000 * 6 * 1.2 + 600


def test_numbers_near_others_are_reported_by_their_distance() -> None:
    rng = np.random.default_rng(6)
    rows = []
    for _ in range(400):
        x, y = (int(value) for value in rng.integers(0, 1 << 20, 2))
        rows.append({"x": x, "y": y, "to": [x + int(rng.integers(4)), y - int(rng.integers(4))]})
    assert len(encode_tree(rows)) * 8 < 400 * (40 + 4) * 1.15 + 600


def test_a_key_with_a_line_feed_and_too_deep_a_tree_are_refused() -> None:
    with pytest.raises(ValueError, match="line feed"):
        encode_tree({"a\nb": 1})
    deep: Any = 1
    for _ in range(65):
        deep = [deep]
    with pytest.raises(ValueError, match="too deep"):
        encode_tree(deep)
    assert decode_tree(encode_tree(deep[0]), MOST) == deep[0]


@settings(deadline=None, max_examples=120)
@given(st.binary(max_size=80))
def test_any_bytes_are_a_tree_or_an_error(stream: bytes) -> None:
    with contextlib.suppress(ValueError, IndexError):
        decode_tree(stream, 5000)


def test_lists_of_nothing_are_stopped_by_the_limit() -> None:
    stream = encode_tree([None] * 4000)
    assert len(stream) < 120
    with pytest.raises(ValueError, match="over the size limit"):
        decode_tree(stream, 3000)
