"""Pictures from anywhere: few formats, pixels counted before decoding, broken ones refused."""

from __future__ import annotations

import struct
import sys
import warnings
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cases import each_case
from exporter.generators._pictures import read_colors as read_numbers
from exporter.model import picture_files
from exporter.model.errors import ParameterError
from exporter.model.limits import MAXIMUM_PIXELS, MAXIMUM_TEXT_BYTES
from measured import measured

WHERE = ("layers", "plan", "image")
MEBIBYTE = 1 << 20


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def blank_png(width: int, height: int, bits: int = 1, colors: int = 0) -> bytes:
    """A PNG of zeros, compressed as it is made: its bytes are a thousandth of its pixels."""
    row = bytes(1 + (width * bits * (3 if colors == 2 else 1) + 7) // 8)
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, bits, colors, 0, 0, 0)
    return b"".join(
        [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), chunk(b"IDAT", data), chunk(b"IEND", b"")]
    )


def saved(format: str, **options: object) -> bytes:
    pixels = np.random.default_rng(3).integers(0, 256, (24, 20, 3)).astype(np.uint8)
    out = BytesIO()
    Image.fromarray(pixels).save(out, format, **options)
    return out.getvalue()


@each_case("format", ["png", "gif", "bmp", "webp", "tga", "ppm", "jpeg"])
def test_a_picture_of_every_allowed_format_is_read(format: str) -> None:
    data = saved(format, **({"lossless": True} if format == "webp" else {}))
    pixels = picture_files.read_colors(data, "x", WHERE)
    expected = np.asarray(Image.open(BytesIO(data)).convert("RGBA"))
    np.testing.assert_array_equal(pixels, expected)


@each_case("format", ["tiff", "eps", "ico", "pcx", "pdf", "dds", "jpeg2000"])
def test_other_formats_that_pillow_knows_are_refused(format: str) -> None:
    data = saved(format)
    with pytest.raises(ParameterError, match="allowed: PNG, JPEG, GIF") as caught:
        picture_files.read_colors(data, "x", WHERE)
    assert caught.value.path == WHERE


def test_colours_become_numbers_in_the_order_red_green_blue_alpha() -> None:
    out = BytesIO()
    Image.fromarray(np.array([[[1, 2, 3, 4], [255, 0, 128, 255]]], np.uint8)).save(out, "png")
    assert read_numbers(out.getvalue(), "x", WHERE).tolist() == [[0x01020304, 0xFF0080FF]]


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_picture_is_turned_as_its_camera_says(orientation: int) -> None:
    upright = np.arange(6, dtype=np.uint8).reshape(2, 3)
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = BytesIO()
    quarters = {1: 0, 3: 2, 6: 1, 8: 3}[orientation]
    Image.fromarray(np.rot90(upright, quarters).copy()).save(out, "png", exif=exif)
    assert np.array_equal(picture_files.read_colors(out.getvalue(), "a.png", ())[..., 0], upright)


@pytest.mark.parametrize(("width", "height"), [(4097, 4096), (1, MAXIMUM_PIXELS + 1)])
def test_one_pixel_row_too_many_is_refused(width: int, height: int) -> None:
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
    with pytest.raises(ParameterError, match=f"{width} x {height} pixels .allowed: 16777216"):
        picture_files.read_greys(data, "x", WHERE)


@pytest.mark.skipif(sys.platform == "win32", reason="memory is measured with getrusage")
@pytest.mark.parametrize("side", [13_312, 60_000])
def test_a_small_file_of_very_many_pixels_takes_no_memory(tmp_path: Path, side: int) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(blank_png(side, min(side, 13_312)))
    assert path.stat().st_size < MEBIBYTE
    setup = "import PIL.Image, PIL.PngImagePlugin"
    code = f"""
from exporter.model.picture_files import read_colors
try:
    read_colors(open({str(path)!r}, "rb").read(), "bomb.png", ())
except Exception as error:
    answer = [type(error).__name__, str(error)]
"""
    result = measured(setup, code)
    assert result.answer[0] == "ParameterError"
    assert "pixels" in result.answer[1]
    assert result.bytes < 32 * MEBIBYTE


@pytest.mark.skipif(sys.platform == "win32", reason="memory is measured with getrusage")
@pytest.mark.parametrize(("reader", "bits", "colors"), [("colors", 8, 2), ("greys", 16, 0)])
def test_the_largest_picture_takes_no_more_than_its_pixels(
    tmp_path: Path, reader: str, bits: int, colors: int
) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(blank_png(4096, 4096, bits, colors))
    setup = "from exporter.model.picture_files import read_colors, read_greys\nimport PIL.Image"
    code = f"answer = read_{reader}(open({str(path)!r}, 'rb').read(), 'x', ()).shape[:2]"
    result = measured(setup, code)
    assert result.answer == [4096, 4096]
    assert result.bytes < 320 * MEBIBYTE


def test_a_jpeg_with_scans_without_end_is_refused() -> None:
    data = saved("jpeg", progressive=True)
    last = data.rindex(b"\xff\xda")
    bomb = data[:last] + data[last:-2] * 1000 + data[-2:]
    assert picture_files.read_colors(data, "x", WHERE).shape == (24, 20, 4)
    with pytest.raises(ParameterError, match="more than 64 scans"):
        picture_files.read_colors(bomb, "x", WHERE)


def test_large_pictures_in_words_are_refused() -> None:
    small = b"P2 3 1 255\n0 128 255\n"
    assert picture_files.read_greys(small, "x", WHERE).tolist() == [[0, 128 * 257, 65535]]
    with pytest.raises(ParameterError, match=f"plain text .allowed: {MAXIMUM_TEXT_BYTES}"):
        picture_files.read_greys(small.ljust(MAXIMUM_TEXT_BYTES + 1), "x", WHERE)


SEEDS = [saved(format) for format in ("png", "gif", "bmp", "webp", "tga", "ppm", "jpeg")]


@given(
    seed=st.sampled_from(SEEDS),
    edits=st.lists(st.tuples(st.integers(0, 400), st.binary(min_size=0, max_size=4)), max_size=4),
    cut=st.integers(0, 2000),
)
@settings(deadline=None, max_examples=120)
def test_a_damaged_picture_is_read_or_refused(
    seed: bytes, edits: list[tuple[int, bytes]], cut: int
) -> None:
    data = bytearray(seed)
    for position, new in edits:
        data[position : position + len(new)] = new
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for read in (picture_files.read_colors, picture_files.read_greys):
            try:
                read(bytes(data[: len(data) - cut]), "x", WHERE)
            except ParameterError as error:
                assert error.path == WHERE
