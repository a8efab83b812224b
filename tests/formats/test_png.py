"""PNG files that other readers decode to exactly the pixels that went in."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cases import each_case
from exporter.formats.images.png import encode_png

SIZES = st.tuples(st.integers(1, 40), st.integers(1, 40))


def decode(data: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(data)) as picture:
        return np.asarray(picture)


@settings(deadline=None, max_examples=60)
@given(SIZES, st.integers(1, 6), st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_colours_come_back(size: tuple[int, int], repeat: int, colors: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    palette = random.integers(0, 256, (colors, 4), np.uint8)
    pixels = palette[random.integers(0, colors, size)]
    picture = decode(encode_png(pixels, repeat=repeat))
    assert np.array_equal(picture, pixels.repeat(repeat, 0).repeat(repeat, 1))


@settings(deadline=None, max_examples=60)
@given(SIZES, st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_pixels_may_become_rectangles(
    size: tuple[int, int], across: int, down: int, seed: int
) -> None:
    pixels = np.random.default_rng(seed).integers(0, 3, (*size, 4), np.uint8) * np.uint8(80)
    picture = decode(encode_png(pixels, repeat=(across, down)))
    assert np.array_equal(picture, pixels.repeat(down, 0).repeat(across, 1))


@settings(deadline=None, max_examples=40)
@given(SIZES, st.integers(1, 3), st.integers(1, 65535), st.integers(0, 2**32 - 1))
def test_sixteen_bits_of_grey_come_back(
    size: tuple[int, int], repeat: int, step: int, seed: int
) -> None:
    walk = np.random.default_rng(seed).integers(-step, step + 1, size).cumsum(axis=1)
    samples = (walk % 65536).astype(np.uint16)
    data = encode_png(samples, repeat=repeat)
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.mode == "I;16"
        assert np.array_equal(np.asarray(picture), samples.repeat(repeat, 0).repeat(repeat, 1))


def test_smooth_heights_compress() -> None:
    y, x = np.mgrid[0:257, 0:257]
    samples = (x * 90 + y * 70 + (x * y) // 9).astype(np.uint16)
    assert len(encode_png(samples)) < samples.nbytes // 2


@settings(deadline=None, max_examples=40)
@given(SIZES, st.integers(1, 3), st.integers(1, 50_000), st.integers(0, 2**32 - 1))
def test_any_period_gives_the_same_pixels(
    size: tuple[int, int], repeat: int, period: int, seed: int
) -> None:
    pixels = np.random.default_rng(seed).integers(0, 3, (*size, 4), np.uint8) * np.uint8(80)
    picture = decode(encode_png(pixels, repeat=repeat, period=period))
    assert np.array_equal(picture, pixels.repeat(repeat, 0).repeat(repeat, 1))


def test_the_right_period_makes_a_picture_of_tiles_small() -> None:
    tile = np.random.default_rng(1).integers(0, 256, (16, 16, 4), np.uint8)
    pixels = np.tile(tile, (20, 20, 1))
    assert len(encode_png(pixels, period=16)) * 5 < len(encode_png(pixels))


def test_a_picture_of_many_strips_comes_back() -> None:
    pixels = np.zeros((9, 120_000, 4), np.uint8)
    pixels[::2, ::3] = (9, 8, 7, 255)
    data = encode_png(pixels, repeat=2)
    assert np.array_equal(decode(data), pixels.repeat(2, 0).repeat(2, 1))


@each_case(
    "pixels",
    [
        np.zeros((0, 3, 4), np.uint8),
        np.zeros((3, 3, 3), np.uint8),
        np.zeros((3, 3), np.int32),
        np.zeros((3, 0), np.uint16),
    ],
)
def test_other_arrays_are_refused(pixels: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"PNG|pixel"):
        encode_png(pixels)
