"""Animated PNGs show the pictures they were made of, in every reader."""

from __future__ import annotations

import io
import zlib

import numpy as np
import pytest
from PIL import Image

from cases import each_case
from exporter.formats.images.animation import encode_animation


def frames_of(data: bytes) -> list[np.ndarray]:
    """Return the pictures of a file as another program shows them."""
    result = []
    with Image.open(io.BytesIO(data)) as picture:
        for number in range(getattr(picture, "n_frames", 1)):
            picture.seek(number)
            result.append(np.asarray(picture.convert("RGB")))
    return result


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return the chunks of a PNG by a plain reading of the standard, with their sums checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    result, position = [], 8
    while position < len(data):
        length = int.from_bytes(data[position : position + 4], "big")
        name, content = (
            data[position + 4 : position + 8],
            data[position + 8 : position + 8 + length],
        )
        checksum = int.from_bytes(data[position + 8 + length : position + 12 + length], "big")
        assert checksum == zlib.crc32(name + content)
        result.append((name, content))
        position += 12 + length
    return result


def random_pictures(seed: int) -> list[np.ndarray]:
    """Return pictures of which each changes a rectangle of the one before, or some pixels."""
    random = np.random.default_rng(seed)
    height, width = random.integers(1, 40, 2)
    pictures = [random.integers(0, 256, (height, width, 3), np.uint8)]
    for _ in range(random.integers(0, 12)):
        picture = pictures[-1].copy()
        kind = random.integers(0, 4)
        if kind == 0:
            y, x = random.integers(0, height), random.integers(0, width)
            picture[y:, x:] = random.integers(0, 256, 3)
        elif kind == 1:
            picture[random.random((height, width)) < 0.1] = random.integers(0, 256, 3)
        elif kind == 2:
            picture[-1, -1, 2] ^= 1
        pictures.append(picture)
    return pictures


@each_case("seed", range(25))
def test_every_picture_is_displayed_as_it_is(seed: int) -> None:
    pictures = random_pictures(seed)
    data = encode_animation(pictures, [40] * len(pictures))
    assert data == encode_animation(iter(pictures), [40] * len(pictures))
    result = frames_of(data)
    assert len(result) == len(pictures)
    for item, other in zip(result, pictures, strict=True):
        assert np.array_equal(item, other)


def test_chunks_are_in_the_order_of_the_standard_with_their_times() -> None:
    pictures = random_pictures(7)
    times = [10 * number for number in range(len(pictures))]
    result = chunks(encode_animation(pictures, times))
    names = [name for name, _ in result]
    middle = [b"fcTL", b"fdAT"] * (len(pictures) - 1)
    assert names == [b"IHDR", b"acTL", b"fcTL", b"IDAT", *middle, b"IEND"]
    assert result[1][1] == len(pictures).to_bytes(4, "big") + bytes(4)
    numbers = [content[:4] for name, content in result if name in (b"fcTL", b"fdAT")]
    assert numbers == [number.to_bytes(4, "big") for number in range(len(numbers))]
    controls = [content for name, content in result if name == b"fcTL"]
    assert [int.from_bytes(content[20:22], "big") for content in controls] == times
    assert {content[22:24] for content in controls} == {(1000).to_bytes(2, "big")}


def test_only_the_rectangle_that_changed_is_stored() -> None:
    first = np.zeros((50, 60, 3), np.uint8)
    second = first.copy()
    second[10:13, 20:25] = 9
    control = [
        content
        for name, content in chunks(encode_animation([first, second, second], [1] * 3))
        if name == b"fcTL"
    ]
    boxes = [
        [int.from_bytes(item[at : at + 4], "big") for at in (4, 8, 12, 16)] for item in control
    ]
    assert boxes == [[60, 50, 0, 0], [5, 3, 20, 10], [1, 1, 0, 0]]


@each_case(
    ("pictures", "times", "message"),
    [
        ([], [], "an animation has no pictures "),
        ([np.zeros((2, 2, 3), np.uint8)], [], "shorter"),
        ([], [40], "longer"),
        (
            [np.zeros((2, 2, 3), np.uint8), np.zeros((2, 3, 3), np.uint8)],
            [40, 40],
            "the pictures of an animation differ in size",
        ),
    ],
)
def test_what_is_no_animation_is_refused(
    pictures: list[np.ndarray], times: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        encode_animation(pictures, times)
