"""Heights: orientation, byte order and meaning of the samples in each of their files."""

from __future__ import annotations

import io
import json
import struct

import numpy as np
import pytest
from PIL import Image

from cases import each_case
from exporter.formats.exr import encode_exr
from exporter.formats.heights.samples import (
    UNITY_SIDES,
    height_metadata,
    height_png,
    height_rows,
    real_heights,
    unity_raw,
    unity_side,
)
from exporter.model.level import HeightRange, Layer, Level

CRYPT = Level("crypt", 8, 8)


def layer(height: int, width: int, heights: HeightRange | None = None) -> Layer:
    cells = (np.arange(height * width) * 257 % 65536).astype(np.uint16).reshape(height, width)
    return Layer("relief", "heights", cells, "test", heights=heights)


def read_exr(data: bytes) -> tuple[list[str], np.ndarray]:
    """Read an uncompressed scan line EXR of float channels: their names, and the last one."""
    magic, version = struct.unpack_from("<II", data)
    assert (magic, version) == (20000630, 2)
    position, attributes = 8, {}
    while data[position]:
        name, kind = data[position : position + 60].split(b"\0")[:2]
        position += len(name) + len(kind) + 2
        (size,) = struct.unpack_from("<i", data, position)
        attributes[name.decode()] = data[position + 4 : position + 4 + size]
        position += 4 + size
    assert attributes["compression"] == b"\0"
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"])
    assert attributes["dataWindow"] == attributes["displayWindow"]
    assert (left, top) == (0, 0)
    width, height = right + 1, bottom + 1
    channels = attributes["channels"]
    names = []
    while channels[0]:
        name, _, channels = channels.partition(b"\0")
        assert struct.unpack_from("<i", channels) == (2,)
        names.append(name.decode())
        channels = channels[16:]
    offsets = struct.unpack_from(f"<{height}Q", data, position + 1)
    rows = []
    for number, offset in enumerate(offsets):
        assert struct.unpack_from("<ii", data, offset) == (number, 4 * width)
        rows.append(np.frombuffer(data, "<f4", width, offset + 8))
    assert offsets[-1] + 8 + 4 * width == len(data)
    return names, np.array(rows)


def test_r16_is_little_endian_with_the_top_row_first() -> None:
    result = layer(3, 5)
    assert np.array_equal(np.frombuffer(height_rows(result), "<u2").reshape(3, 5), result.cells)


def test_png_keeps_all_sixteen_bits() -> None:
    result = layer(3, 5)
    with Image.open(io.BytesIO(height_png(result))) as picture:
        assert np.array_equal(np.asarray(picture), result.cells)


def test_raw_has_the_bottom_row_first() -> None:
    result = layer(33, 33)
    rows = np.frombuffer(unity_raw(CRYPT, result), "<u2").reshape(33, 33)
    assert np.array_equal(rows[::-1], result.cells)
    assert not np.array_equal(rows, result.cells)


@each_case(("height", "width"), [(32, 32), (33, 65), (17, 17), (8193, 8193)])
def test_other_sizes_are_no_terrain(height: int, width: int) -> None:
    result = Layer("relief", "heights", np.zeros((height, width), np.uint8), "test")
    assert unity_side(CRYPT, result) is None
    with pytest.raises(ValueError, match="do not fit a Unity terrain"):
        unity_raw(CRYPT, result)


def test_unity_sides_are_powers_of_two_and_one() -> None:
    assert all(2**n + 1 == side for n, side in enumerate(UNITY_SIDES, 5))


def test_real_heights_run_from_minimum_to_maximum() -> None:
    cells = np.array([[0, 65535, 13107]], np.uint16)
    result = Layer("relief", "heights", cells, "test", heights=HeightRange(-100.0, 400.0))
    assert real_heights(result).tolist() == [[-100.0, 400.0, 0.0]]
    assert real_heights(result).dtype == np.float32


def test_exr_holds_one_float_channel_called_r() -> None:
    values = real_heights(layer(7, 4, HeightRange(-3.5, 1e6)))
    names, read = read_exr(encode_exr(values))
    assert names == ["R"]
    assert np.array_equal(read, values)


def test_metadata_tells_size_range_row_order_and_scale() -> None:
    result = layer(40, 65, HeightRange(-10, 250.5, "feet"))
    document = json.loads(height_metadata(CRYPT, result, {"r16": "a.r16", "exr": "a.exr"}))
    assert document["size"] == [65, 40]
    assert (document["minimum"], document["maximum"], document["units"]) == (-10, 250.5, "feet")
    assert (document["row_order"], document["scale"]) == ("top_to_bottom", 65535)
    assert list(document["files"]) == ["a.r16", "a.exr"]


def test_metadata_of_a_unity_terrain_makes_up_for_its_divisor() -> None:
    result = layer(33, 33, HeightRange(0, 600))
    document = json.loads(height_metadata(CRYPT, result, {"png": "a.png", "raw": "a.raw"}))
    assert (document["row_order"], document["scale"]) == ("bottom_to_top", 65536)
    assert document["files"]["a.png"]["row_order"] == "top_to_bottom"
    # Unity: sample / 65536 * size.y
    assert 65535 / 65536 * document["unity_terrain_height"] == pytest.approx(600)
