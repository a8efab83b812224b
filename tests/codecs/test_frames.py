"""Frames: any array goes in, the same comes out; anything else is refused."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from cases import each_case
from exporter.codecs import CODECS, Limits, Side, codec_by_number, decode, encode, frame_header
from exporter.model.errors import BlobError

TYPES = (np.bool_, np.uint8, np.uint16, np.int32)


def any_array() -> st.SearchStrategy[NDArray[Any]]:
    shapes = arrays.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=14)
    return st.sampled_from(TYPES).flatmap(lambda dtype: arrays.arrays(dtype, shapes))


def few_valued() -> st.SearchStrategy[NDArray[Any]]:
    return st.builds(
        lambda dtype, height, width, values, seed: (
            np.random.default_rng(seed).integers(0, values, (height, width)).astype(dtype)
        ),
        st.sampled_from(TYPES[1:]),
        st.integers(1, 40),
        st.integers(1, 40),
        st.integers(1, 300),
        st.integers(0, 2**32),
    )


def assert_same(array: NDArray[Any], again: NDArray[Any]) -> None:
    assert again.dtype == array.dtype
    assert again.shape == array.shape
    assert np.array_equal(again, array)


@settings(deadline=None, max_examples=120)
@given(any_array() | few_valued(), st.sampled_from(["small", "fast"]))
def test_an_array_comes_back_with_type_and_shape(array: NDArray[Any], profile: Any) -> None:
    assert_same(array, decode(encode(array, profile=profile)))


@settings(deadline=None, max_examples=60)
@given(any_array() | few_valued(), st.sampled_from(CODECS.names()))
def test_every_codec_gives_back_what_it_takes(array: NDArray[Any], name: str) -> None:
    try:
        frame = encode(array, name)
    except ValueError:
        return
    assert codec_by_number(frame_header(frame).codec).name == name
    assert_same(array, decode(frame))


@pytest.mark.parametrize("shape", [(2**31,), (2**24, 2**20), (1,) * 3])
def test_a_frame_is_at_most_24_bytes_longer_than_its_payload(shape: tuple[int, ...]) -> None:
    frame = encode(np.zeros((1,) * len(shape), np.uint8))
    head = frame_header(frame).payload_at - len(shape)
    assert head + 5 * len(shape) <= 24


def test_views_and_foreign_byte_orders_are_encoded_by_their_values() -> None:
    array = np.arange(600, dtype=np.uint16).reshape(20, 30)
    assert_same(array[::2, ::-3].copy(), decode(encode(array[::2, ::-3])))
    assert_same(array, decode(encode(array.astype(">u2"))))
    assert_same(array.T.copy(), decode(encode(np.asfortranarray(array).T)))


@pytest.mark.parametrize("array", [np.zeros(3), np.zeros(3, np.int64), np.array(["a"])])
def test_other_element_types_are_refused(array: NDArray[Any]) -> None:
    with pytest.raises(TypeError, match="allowed: bool, uint8, uint16, int32"):
        encode(array)


def test_other_numbers_of_dimensions_are_refused() -> None:
    for array in (np.array(1, np.uint8), np.zeros((1, 1, 1, 1), np.uint8)):
        with pytest.raises(ValueError, match="dimensions"):
            encode(array)


def test_unknown_codecs_and_profiles_are_named() -> None:
    with pytest.raises(KeyError, match="bitmap"):
        encode(np.zeros(3, np.uint8), "bitmaps")
    with pytest.raises(ValueError, match="small, fast"):
        encode(np.zeros(3, np.uint8), profile="tiny")  # type: ignore[arg-type]


def test_a_codec_says_when_it_does_not_take_an_array() -> None:
    with pytest.raises(ValueError, match="cannot encode"):
        encode(np.arange(9, dtype=np.uint8), "bitmap")


def test_the_kind_of_an_array_is_detected_from_its_content() -> None:
    rng = np.random.default_rng(0)
    ramp = np.add.outer(np.arange(64) * 37, np.arange(64) * 91)
    cases = {
        "pack": np.full((30, 30), 9, np.int32),
        "bitmap": np.kron(np.eye(8, dtype=np.uint8), np.ones((5, 5), np.uint8)),
        "tiles": np.kron(np.arange(9, dtype=np.uint8).reshape(3, 3), np.ones((9, 9), np.uint8)),
        "heights": (ramp + rng.integers(0, 50, (64, 64))).astype(np.uint16),
        "columns": np.frombuffer(b'[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]' * 1, np.uint8),
        "stored": rng.integers(0, 256, 2000).astype(np.uint8),
        "zlib": np.arange(0, 90_000_000, 9001, dtype=np.int32),
    }
    for name, array in cases.items():
        assert codec_by_number(frame_header(encode(array)).codec).name == name


def test_a_layer_that_follows_from_another_costs_next_to_nothing() -> None:
    walls = (np.random.default_rng(1).random((60, 60)) < 0.4).astype(np.uint8)
    framed = np.pad(walls, 1)
    ids = walls * 4 + framed[:-2, 1:-1] * 2 + framed[1:-1, :-2]
    side = Side(walls)
    frame = encode(ids, side=side)
    assert 3 * len(frame) < len(encode(ids))
    assert_same(ids, decode(frame, side=side))
    with pytest.raises(BlobError, match="missing"):
        decode(frame)


@settings(deadline=None, max_examples=80)
@given(few_valued(), st.data())
def test_any_flipped_bit_is_noticed(array: NDArray[Any], data: st.DataObject) -> None:
    frame = bytearray(encode(array))
    at = data.draw(st.integers(0, 8 * len(frame) - 1))
    frame[at >> 3] ^= 1 << (at & 7)
    with pytest.raises(BlobError):
        decode(bytes(frame))


@settings(deadline=None, max_examples=80)
@given(few_valued(), st.data())
def test_any_cut_is_noticed(array: NDArray[Any], data: st.DataObject) -> None:
    frame = encode(array)
    with pytest.raises(BlobError):
        decode(frame[: data.draw(st.integers(0, len(frame) - 1))])


def sealed(codec: int, array: NDArray[Any], payload: bytes) -> bytes:
    """Return a frame with any payload and a right checksum."""
    head = bytearray(encode(array, "stored"))
    head = head[: frame_header(bytes(head)).payload_at - 4]
    head[2] = codec
    return bytes(head) + zlib.crc32(payload, zlib.crc32(head)).to_bytes(4, "little") + payload


@settings(deadline=None, max_examples=250)
@given(
    st.sampled_from([0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 40]),
    st.sampled_from(TYPES),
    st.sampled_from([(30,), (9, 11), (2, 5, 3), (0, 3)]),
    st.binary(max_size=60),
)
def test_hostile_payloads_with_right_checksums_are_refused_or_decode_to_the_shape(
    number: int, dtype: Any, shape: tuple[int, ...], payload: bytes
) -> None:
    array = np.zeros(shape, dtype)
    try:
        again = decode(sealed(number, array, payload))
    except BlobError:
        return
    assert again.shape == shape
    assert again.dtype == dtype
    if dtype == np.bool_:
        assert set(again.reshape(-1).view(np.uint8).tolist()) <= {0, 1}


@settings(deadline=None, max_examples=80)
@given(few_valued(), st.data())
def test_damaged_payloads_with_right_checksums_never_do_worse_than_an_error(
    array: NDArray[Any], data: st.DataObject
) -> None:
    frame = encode(array)
    header = frame_header(frame)
    payload = bytearray(frame[header.payload_at :])
    for _ in range(data.draw(st.integers(1, 4))):
        if payload:
            payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    try:
        again = decode(sealed(header.codec, array, bytes(payload)))
    except BlobError:
        return
    assert again.shape == array.shape


@each_case("number", [3, 19, 33, 127])
def test_a_frame_of_an_unknown_codec_is_refused(number: int) -> None:
    with pytest.raises(BlobError, match=f"unknown codec {number}:"):
        decode(sealed(number, np.zeros((4, 5), np.uint8), b"\1\0"))


def test_giant_dimensions_are_refused_before_anything_is_allocated() -> None:
    head = bytes((0xC5, 0x16, 2)) + b"\xff\xff\xff\xff\x0f" * 2
    frame = head + zlib.crc32(head).to_bytes(4, "little")
    with pytest.raises(BlobError, match="over the limit"):
        decode(frame)


def test_limits_are_the_callers_to_set() -> None:
    frame = encode(np.zeros((100, 100), np.uint8))
    assert decode(frame, Limits(cells=10_000)).size == 10_000
    with pytest.raises(BlobError, match="over the limit"):
        decode(frame, Limits(cells=9_999))


@each_case("data", [b"", b"\xc5", b"\xc5\x15\x00", b"PNG" * 9, b"\xc5\x25" + b"0" * 9])
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(BlobError):
        decode(data)


def test_packing_uses_the_width_the_distinct_values_need() -> None:
    five = np.array([3, 9, 9, 9, 1, 200, 77, 9], np.uint8)
    frame = encode(five, "pack")
    # count, five values, eight codes of three bits
    assert len(frame) - frame_header(frame).payload_at == 1 + 5 + 3
    assert frame[frame_header(frame).payload_at + 1] == 9  # the most frequent has code 0
    item = encode(np.full(50, 7, np.uint8), "pack")
    assert len(item) - frame_header(item).payload_at == 2
    many = np.arange(256, dtype=np.uint8)
    assert encode(many, "pack").endswith(many.tobytes())


@each_case("name", sorted(CODECS.all()))
@each_case("shape", [(1 << 28, 1 << 28, 0), (1 << 28, 0), (0, 1 << 28, 1 << 28)])
def test_no_cells_in_endless_rows_take_no_time(name: str, shape: tuple[int, ...]) -> None:
    frame = encode((np.add.outer(np.arange(40), np.arange(40)) % 7).astype(np.uint8), "stored")
    dimensions = b"".join(b"\x80\x80\x80\x80\x01" if length else b"\0" for length in shape)
    head = bytes((frame[0], 0x14 | len(shape), CODECS.get(name).number)) + dimensions
    payload = encode(np.arange(40, dtype=np.uint8), "stored")
    check = zlib.crc32(payload, zlib.crc32(head)).to_bytes(4, "little")
    with pytest.raises(BlobError):
        decode(head + check + payload)
