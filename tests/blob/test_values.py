"""Values: any tree of maps, lists and scalars comes back bit for bit, and nothing else is read."""

from __future__ import annotations

import contextlib
import json
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.blob.values import NUMBER, decode_values, encode_values
from exporter.codecs import Limits
from exporter.model.errors import BlobError
from hostile_values import REFUSED

texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.integers(-100, 100)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
trees = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(texts, inner, max_size=6),
    max_leaves=40,
)


def read(payload: bytes, **limits: int) -> Any:
    return decode_values(NUMBER, payload, Limits(**limits))


def read_text(json_text: bytes, **limits: int) -> Any:
    return read(zlib.compress(json_text), **limits)


@settings(deadline=None, max_examples=80)
@given(trees)
def test_a_tree_comes_back(tree: Any) -> None:
    # repr distinguishes 1 from 1.0 and True, and 0.0 from -0.0.
    assert repr(read(encode_values(tree))) == repr(tree)


def test_the_payload_is_json_without_white_space_in_a_zlib_stream() -> None:
    tree = {"b": [1, 5.0, -0.0, 1e22, None, True], "a": 'a "b"\n é \x7f', "": {}}
    text = '{"b":[1,5.0,-0.0,1e+22,null,true],"a":"a \\"b\\"\\n é \x7f","":{}}'
    assert zlib.decompress(encode_values(tree)).decode() == text


def test_tuples_and_numpy_scalars_become_plain() -> None:
    tree = {"a": (np.int64(3), np.float64(0.5), np.bool_(True))}
    assert repr(read(encode_values(tree))) == "{'a': [3, 0.5, True]}"


@each_case("value", [{1: 2}, {"a": object()}, b"bytes", {3, 4}])
def test_other_types_are_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        encode_values(value)


@each_case(
    ("value", "message"),
    [
        ({"a": [1, 2**63]}, r"^OBJS\.a\[1\]: 9223372036854775808 does not fit in 64 bits"),
        (-(2**63) - 1, "64 bits"),
        (10**100, "an integer of 333 bits does not fit"),
        (float("nan"), "cannot store nan"),
        (np.float64("-inf"), "cannot store -inf"),
        ("a\0b", r"U\+0000"),
        ({"\ud800": 1}, r"U\+D800"),
    ],
)
def test_what_no_blob_can_hold_is_refused_with_its_position(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        encode_values(value, "OBJS")


def test_what_readers_would_refuse_for_its_size_is_not_written() -> None:
    encode_values([1, [2]], limits=Limits(values=4, depth=2, text=7))
    for limits in (Limits(values=3), Limits(depth=1), Limits(text=6)):
        with pytest.raises(ValueError, match=r"at most|levels deep"):
            encode_values([1, [2]], limits=limits)


@each_case("text", REFUSED.values())
def test_a_text_that_is_not_such_json_is_refused(text: bytes) -> None:
    with pytest.raises(BlobError):
        read_text(text)


@each_case(
    ("text", "value"),
    [
        (b"-0", 0),
        (b"9223372036854775807", 2**63 - 1),
        (b"-9223372036854775808", -(2**63)),
        (b"1E2", 100.0),
        (b'"\\ud83d\\ude00\\/\\\\u0000"', "\N{GRINNING FACE}/\\u0000"),
        (b'[[],{},"[{,"]', [[], {}, "[{,"]),
    ],
)
def test_other_writers_json_is_read(text: bytes, value: Any) -> None:
    assert repr(read_text(text)) == repr(value)


def test_limits_are_exact() -> None:
    text = b'[[],{},{"a":[1,2.5]},"[,"]'
    for limit, least in (("values", 8), ("depth", 3), ("text", len(text))):
        read_text(text, **{limit: least})
        with pytest.raises(BlobError, match=r"more than|larger than|levels deep"):
            read_text(text, **{limit: least - 1})


def test_64_levels_are_read_and_a_million_are_refused_at_once() -> None:
    assert json.dumps(read_text(b"[" * 64 + b"]" * 64)) == "[" * 64 + "]" * 64
    for depth in (65, 1_000_000):
        with pytest.raises(BlobError, match="nested more than 64 levels deep"):
            read_text(b"[" * depth + b"]" * depth)


def test_a_stream_that_inflates_without_end_is_stopped() -> None:
    with pytest.raises(BlobError, match="larger than 16777216 bytes"):
        read_text(b"[" + b"0," * (1 << 23) + b"0]")


def test_a_damaged_cut_or_longer_stream_is_refused() -> None:
    payload = encode_values(["goblin"] * 5)
    broken = payload[:-1] + bytes((payload[-1] ^ 1,))
    for other in (payload[:-1], payload + b"\0", payload + payload, payload[2:], broken, b""):
        with pytest.raises(BlobError, match="broken values"):
            read(other)


def test_another_codec_is_refused() -> None:
    with pytest.raises(BlobError, match="codec 20"):
        decode_values(20, encode_values(1), Limits())


@settings(deadline=None, max_examples=80)
@given(trees, st.data())
def test_damaged_text_is_values_or_an_error(tree: Any, data: st.DataObject) -> None:
    text = bytearray(zlib.decompress(encode_values(tree)))
    text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(BlobError):
        again = read_text(bytes(text))
        assert repr(read(encode_values(again))) == repr(again)
