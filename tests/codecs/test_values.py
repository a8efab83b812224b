"""Values: any tree of maps, lists and scalars comes back, and records cost what columns cost."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.codecs import Limits, decode, encode
from exporter.codecs._value_reader import decode_values
from exporter.codecs._value_writer import encode_values
from exporter.model.errors import BlobError

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-100, 100)
    | st.floats(allow_nan=False)
    | st.decimals(-1000, 1000, places=2).map(float)
    | st.text(st.characters(exclude_categories=()), max_size=12)
    | st.from_regex(r"#[0-9a-f]{6}(?:[0-9a-f]{2})?", fullmatch=True)
)
trees = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(st.sampled_from(["x", "y", "name", "hp"]) | st.text(max_size=3), inner)
    ),
    max_leaves=40,
)
records = st.lists(
    st.fixed_dictionaries(
        {"id": st.integers(0, 500), "at": st.tuples(st.integers(0, 99), st.integers(0, 99))},
        optional={"kind": st.sampled_from(["goblin", "torch"]), "speed": st.floats(0, 9)},
    ),
    max_size=40,
)


@settings(deadline=None, max_examples=200)
@given(trees | records)
def test_a_tree_comes_back(tree: Any) -> None:
    plain = json.loads(json.dumps(tree))
    again = decode_values(encode_values(tree))
    # repr tells 1 from 1.0 and True, and 0.0 from -0.0.
    assert repr(again) == repr(plain)


def test_not_a_number_and_infinities_keep_their_bits() -> None:
    again = decode_values(encode_values([float("nan"), float("inf"), float("-inf"), -0.0]))
    assert [repr(value) for value in again] == ["nan", "inf", "-inf", "-0.0"]


def test_tuples_and_numpy_scalars_become_plain() -> None:
    tree = {"a": (np.int64(3), np.float64(0.5), np.bool_(True))}
    assert decode_values(encode_values(tree)) == {"a": [3, 0.5, True]}


@pytest.mark.parametrize("value", [{1: 2}, {"a": object()}, b"bytes", {3, 4}])
def test_other_values_are_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        encode_values(value)


def test_records_cost_little_more_than_their_information() -> None:
    rng = np.random.default_rng(5)
    # 6 bits of kind and place relative to the one before: the keys must cost next to nothing.
    rows = [
        {"id": number, "kind": ["rat", "bat"][int(rng.integers(2))], "x": int(rng.integers(32))}
        for number in range(1000)
    ]
    assert len(encode_values(rows)) * 8 < 1000 * 6 * 1.1 + 400


def test_numbers_near_others_are_told_by_their_distance() -> None:
    rng = np.random.default_rng(6)
    rows = []
    for _ in range(400):
        x, y = (int(value) for value in rng.integers(0, 1 << 20, 2))
        rows.append({"x": x, "y": y, "to": [x + int(rng.integers(4)), y - int(rng.integers(4))]})
    assert len(encode_values(rows)) * 8 < 400 * (40 + 4) * 1.12 + 400


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=80))
def test_any_bytes_are_values_or_an_error(stream: bytes) -> None:
    with contextlib.suppress(BlobError):
        decode_values(stream, Limits(values=5000))


@settings(deadline=None, max_examples=150)
@given(records, st.data())
def test_damaged_values_are_values_or_an_error(tree: Any, data: st.DataObject) -> None:
    stream = bytearray(encode_values(tree))
    if stream:
        stream[data.draw(st.integers(0, len(stream) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(BlobError):
        decode_values(bytes(stream), Limits(values=5000))


def test_lists_of_nothing_are_stopped_by_the_limit() -> None:
    stream = encode_values([None] * 4000)
    assert len(stream) < 80
    with pytest.raises(BlobError, match="limit"):
        decode_values(stream, Limits(values=3000))


def test_deep_nesting_is_stopped_by_the_limit() -> None:
    tree: Any = []
    for _ in range(40):
        tree = [tree]
    assert decode_values(encode_values(tree)) == tree
    with pytest.raises(BlobError, match="deeper"):
        decode_values(encode_values(tree), Limits(depth=30))


@pytest.mark.parametrize(
    "style",
    [
        {},
        {"separators": (",", ":")},
        {"indent": 2},
        {"indent": "\t"},
        {"ensure_ascii": False},
        {"indent": 4, "ensure_ascii": False},
    ],
)
def test_json_texts_in_pythons_styles_come_back_as_they_were(style: dict[str, Any]) -> None:
    rows = [{"id": number, "note": "été", "at": [number, 2.5]} for number in range(60)]
    for end in ("", "\n"):
        text = (json.dumps({"rows": rows}, **style) + end).encode()
        array = np.frombuffer(text, np.uint8)
        frame = encode(array)
        assert decode(frame).tobytes() == text
        assert len(frame) < 200


@pytest.mark.parametrize("text", ['{"a":1, "b":2}', '{"a": 1.50}', '{"a": 1, "a": 2}', "[1,\n2]"])
def test_other_json_is_stored_some_other_way(text: str) -> None:
    array = np.frombuffer(text.encode(), np.uint8)
    with pytest.raises(ValueError, match="does not take"):
        encode(array, "columns")
    assert decode(encode(array)).tobytes() == text.encode()
