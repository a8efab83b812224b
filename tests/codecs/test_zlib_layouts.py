"""The layouts of zlib: each in its best case, and broken ones refused."""

from __future__ import annotations

import zlib as platform_zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from cases import each_case
from exporter.codecs import choose, decode_payload
from exporter.codecs.zlib import BITS, PLAIN, PLANES, STEPS, VALUES
from exporter.model.errors import BlobError

RNG = np.random.default_rng(5)
NOISE = RNG.integers(0, 1 << 16, (40, 50)).astype(np.uint16)
SLOPE = (np.add.outer(np.arange(40) * 700, np.arange(50) * 31) + NOISE % 7).astype(np.uint16)
SAMPLES = np.dtype("<u2")


def payload(array: NDArray[Any]) -> bytes:
    return choose(array, "zlib").payload


@each_case(
    ("array", "layout"),
    [
        (RNG.integers(0, 20, (40, 50)).astype(np.uint8), PLAIN),
        (RNG.integers(0, 2, (40, 50)).astype(np.uint8), BITS),
        (RNG.integers(0, 9, (40, 50)).astype(np.int32), PLANES),
        (RNG.integers(0, 9, (40, 50)).astype(np.uint16) * 5000, VALUES),
        (np.repeat(NOISE, 2, axis=1), PLANES),
        (SLOPE, STEPS),
    ],
)
def test_each_layout_is_accepted_for_its_kind_of_grid(array: NDArray[Any], layout: int) -> None:
    assert payload(array)[0] == layout


def steps_sequentially(data: bytes, height: int, width: int) -> NDArray[np.uint16]:
    """Decode layout 3 as the format describes it."""
    low, high = data[: height * width], data[height * width :]
    cells = [[0] * width for _ in range(height)]
    for y in range(height):
        total = 0
        for x in range(width):
            folded = low[y * width + x] | high[y * width + x] << 8
            total += -(folded >> 1) - 1 if folded & 1 else folded >> 1
            cells[y][x] = ((cells[y - 1][x] if y else 0) + total) % 65536
    return np.array(cells, np.uint16)


@settings(deadline=None, max_examples=60)
@given(arrays.arrays(np.uint16, arrays.array_shapes(min_dims=2, max_dims=2, max_side=12)))
def test_steps_are_what_the_format_says(steps: NDArray[np.uint16]) -> None:
    planes = steps.reshape(-1, 1).view(np.uint8).T.tobytes()
    result = decode_payload(1, b"\3" + platform_zlib.compress(planes), steps.shape, SAMPLES)
    assert np.array_equal(result, steps_sequentially(planes, *steps.shape))


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 1 << 32), st.sampled_from([(300,), (17, 19), (3, 9, 11)]))
def test_steep_samples_of_any_dimensions_come_back(seed: int, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(seed)
    array = np.cumsum(rng.integers(0, 70000, shape), axis=-1).astype(np.uint16)
    assert np.array_equal(decode_payload(1, payload(array), shape, SAMPLES), array)


@each_case(
    ("broken", "dtype", "why"),
    [
        (b"\5" + platform_zlib.compress(bytes(4)), "<u2", "unknown number of the byte layout"),
        (b"\3" + platform_zlib.compress(bytes(2)), "u1", "unknown number of the byte layout"),
        (
            b"\4\0\7\0" + platform_zlib.compress(bytes(2)),
            "<i4",
            "unknown number of the byte layout",
        ),
        (
            b"\4\1\7\0\x09\0" + platform_zlib.compress(b"\0\2"),
            "<u2",
            "a palette index is larger than the palette",
        ),
        (b"\4\1\7\0\x09\0" + platform_zlib.compress(b"\0"), "<u2", "declared length"),
        (b"\4\1\7", "<u2", "zlib data"),
    ],
)
def test_a_broken_payload_is_refused(broken: bytes, dtype: str, why: str) -> None:
    with pytest.raises(BlobError, match=why):
        decode_payload(1, broken, (1, 2), np.dtype(dtype))


def test_a_list_of_values_gives_the_cells() -> None:
    stored = b"\4\1\7\0\x09\1" + platform_zlib.compress(b"\0\1\1\0")
    result = decode_payload(1, stored, (2, 2), SAMPLES)
    assert result.tolist() == [[7, 265], [265, 7]]
