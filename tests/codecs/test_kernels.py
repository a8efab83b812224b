"""Kernels: interpreted and compiled they give the same bytes and the same cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import exporter.codecs._range
import exporter.codecs.bitmap
import exporter.codecs.heights
import exporter.codecs.tiles
import exporter.codecs.visibility
import exporter.kernels
from cases import each_case
from exporter.codecs import Side, decode, encode
from exporter.codecs.visibility import decode_visibility, encode_visibility
from interpreted_kernels import interpreted

KERNELS = {
    "codec_coder": exporter.codecs._range,
    "codec_bitmap": exporter.codecs.bitmap,
    "codec_tiles": exporter.codecs.tiles,
    "codec_heights": exporter.codecs.heights,
    "codec_visibility": exporter.codecs.visibility,
}


def grids() -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(7)
    walls = (rng.random((33, 41)) < 0.3).astype(np.uint8)
    ramp = np.add.outer(np.arange(29) * 911, np.arange(37) * 403)
    return {
        "bitmap": walls,
        "bitmap of bools": walls.astype(bool),
        "tiles": (walls * 5 + rng.integers(0, 3, walls.shape)).astype(np.uint8),
        "blocks": np.kron(rng.integers(0, 6, (6, 6)), np.ones((5, 5))).astype(np.uint16) * 900,
        "heights": (ramp + rng.integers(0, 90, ramp.shape)).astype(np.uint16),
        "noise": rng.integers(0, 65536, (21, 17)).astype(np.uint16),
        "signed": rng.integers(-30000, 30000, (19, 18)).astype(np.int32),
        "one row": rng.integers(0, 5, 300).astype(np.uint8),
    }


@each_case("name", list(grids()))
def test_interpreted_kernels_give_the_same_frames(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    array = grids()[name]
    with_kernels = encode(array)
    for kernel, user in KERNELS.items():
        monkeypatch.setattr(user, kernel, interpreted(kernel))
    frame = encode(array)
    assert frame == with_kernels
    assert np.array_equal(decode(frame), array)


def test_interpreted_kernels_go_on_from_a_prior_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    first = np.kron(rng.integers(0, 4, (9, 9)), np.ones((3, 3))).astype(np.uint8)
    second = np.kron(rng.integers(0, 4, (7, 9)), np.ones((3, 3))).astype(np.uint8)
    side = Side(prior=_payload(encode(first, "tiles")), prior_shape=first.shape)
    with_kernels = encode(second, "tiles", side=side)
    for kernel, user in KERNELS.items():
        monkeypatch.setattr(user, kernel, interpreted(kernel))
    assert encode(second, "tiles", side=side) == with_kernels
    assert np.array_equal(decode(with_kernels, side=side), second)


def test_the_interpreted_visibility_kernel_gives_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(9)
    opaque = rng.random((9, 13)) < 0.3
    offsets = [(1, 0), (-1, 0), (2, 1), (-2, -1), (0, 3)]
    planes = np.zeros((5, 9, 13), bool)
    planes[:, 3:6, 2:11] = rng.random((5, 3, 9)) < 0.6
    planes &= ~opaque
    with_kernels = encode_visibility(planes, offsets, opaque)
    for kernel, user in KERNELS.items():
        monkeypatch.setattr(user, kernel, interpreted(kernel))
    assert encode_visibility(planes, offsets, opaque) == with_kernels
    assert np.array_equal(decode_visibility(with_kernels, opaque, offsets).planes, planes)


def _payload(frame: bytes) -> bytes:
    from exporter.codecs import frame_header

    return frame[frame_header(frame).payload_at :]
