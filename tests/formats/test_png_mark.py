"""The mark of our own pictures: still a valid PNG, and lost with the first changed byte."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, PngImagePlugin

from cases import each_case
from exporter.formats.images.png import SIGNATURE, encode_png
from exporter.formats.images.png_mark import is_marked_png, mark_png

PIXELS = np.arange(3 * 5 * 4, dtype=np.uint8).reshape(3, 5, 4)
PICTURE = encode_png(PIXELS)


def test_a_marked_picture_has_the_same_pixels_and_names_the_exporter() -> None:
    marked = mark_png(PICTURE)
    assert is_marked_png(marked)
    with Image.open(io.BytesIO(marked)) as picture:
        assert isinstance(picture, PngImagePlugin.PngImageFile)
        picture.load()
        assert picture.text["Software"] == "Level Exporter"
        assert np.array_equal(np.asarray(picture), PIXELS)


def test_every_changed_byte_ends_it() -> None:
    marked = mark_png(PICTURE)
    for index in range(len(marked)):
        changed = bytearray(marked)
        changed[index] ^= 1
        assert not is_marked_png(bytes(changed)), index


def test_a_picture_that_was_saved_again_is_not_ours() -> None:
    with Image.open(io.BytesIO(mark_png(PICTURE))) as picture:
        assert isinstance(picture, PngImagePlugin.PngImageFile)
        texts = PngImagePlugin.PngInfo()
        for name, text in picture.text.items():
            texts.add_text(name, text)
        saved = io.BytesIO()
        picture.save(saved, "PNG", pnginfo=texts)
    assert not is_marked_png(saved.getvalue())


@each_case("data", [b"", PICTURE, SIGNATURE, b"x" + mark_png(PICTURE)[1:]])
def test_nothing_else_is_ours(data: bytes) -> None:
    assert not is_marked_png(data)


def test_bytes_behind_or_between_end_it() -> None:
    marked = mark_png(PICTURE)
    assert not is_marked_png(marked + b"\0")
    assert not is_marked_png(marked[:40] + b"\0" + marked[40:])
    assert not is_marked_png(marked[:-1])
