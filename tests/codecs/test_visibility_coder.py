"""The visibility coder: any offsets, any rule, in the context of the map."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from exporter.blob._visibility import full_planes
from exporter.codecs.visibility import (
    coding_order,
    decode_visibility,
    encode_visibility,
    unpack_planes,
)
from exporter.model.errors import BlobError
from exporter.visibility import compute_visibility


def random_map(seed: int, height: int = 24, width: int = 31) -> NDArray[np.bool_]:
    return np.asarray(np.random.default_rng(seed).random((height, width)) < 0.25)


def random_planes(offsets: list[Any], opaque: NDArray[np.bool_], seed: int) -> NDArray[np.bool_]:
    height, width = opaque.shape
    planes = np.random.default_rng(seed).random((len(offsets), height, width)) < 0.5
    for plane, (dx, dy) in zip(planes, offsets, strict=True):
        inside = np.zeros((height, width), bool)
        inside[max(0, -dy) : height - max(0, dy), max(0, -dx) : width - max(0, dx)] = True
        plane &= inside & ~opaque
    return planes


@pytest.mark.parametrize("rule", ["symmetric", "shadowcast", "raycast"])
def test_a_table_comes_back_and_is_small(rule: str) -> None:
    opaque = random_map(1)
    offsets, planes = full_planes(compute_visibility(opaque, 6, rule))
    payload = encode_visibility(planes, offsets, opaque)
    again = decode_visibility(payload, opaque, offsets)
    assert list(again.offsets) == offsets
    assert np.array_equal(again.planes, planes)
    assert len(payload) * 8 < planes.size * 0.12


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(-7, 7), st.integers(-7, 7)).filter(any), unique=True, max_size=30
    ),
    st.integers(0, 99),
)
def test_any_set_of_offsets_and_any_bits_come_back(offsets: list[Any], seed: int) -> None:
    opaque = random_map(seed, 9, 11)
    planes = random_planes(offsets, opaque, seed)
    again = decode_visibility(encode_visibility(planes, offsets, opaque), opaque, offsets)
    assert np.array_equal(again.planes, planes)


def test_planes_come_in_coding_order_unless_another_is_requested_for() -> None:
    opaque = random_map(3)
    offsets = [(2, 0), (0, 1), (-1, 0), (1, 1)]
    planes = random_planes(offsets, opaque, 3)
    again = decode_visibility(encode_visibility(planes, offsets, opaque), opaque)
    assert list(again.offsets) == coding_order(offsets)
    assert np.array_equal(again.planes[3], planes[0])


def test_packed_planes_hold_the_bits_of_transparent_viewers() -> None:
    opaque = random_map(4)
    offsets, planes = full_planes(compute_visibility(opaque, 3, "symmetric"))
    packed = np.packbits(planes[:, ~opaque], axis=1)
    assert np.array_equal(unpack_planes(packed, opaque), planes)
    assert encode_visibility(packed, offsets, opaque) == encode_visibility(planes, offsets, opaque)


def test_impossible_bits_and_wrong_shapes_are_refused() -> None:
    opaque = np.zeros((4, 5), bool)
    opaque[1, 1] = True
    good = np.zeros((1, 4, 5), bool)
    for y, x in ((1, 1), (2, 4)):
        bad = good.copy()
        bad[0, y, x] = True
        with pytest.raises(ValueError, match="a wall cannot see"):
            encode_visibility(bad, [(1, 0)], opaque)
    with pytest.raises(ValueError, match="fit"):
        encode_visibility(good, [(1, 0), (0, 1)], opaque)
    for offsets in ([(0, 0)], [(256, 0)]):
        with pytest.raises(ValueError, match="offsets"):
            encode_visibility(good, offsets, opaque)


@settings(deadline=None, max_examples=80)
@given(st.binary(max_size=50))
def test_any_bytes_are_planes_or_an_error(payload: bytes) -> None:
    opaque = random_map(5, 6, 7)
    try:
        planes = decode_visibility(payload, opaque).planes
    except BlobError:
        return
    assert not planes[:, opaque].any()
