"""Write animated PNG (APNG, part of PNG since its third edition, 2025).

A viewer without animation shows the first picture. Each later picture is stored as the smallest
rectangle around the changed pixels, with its unchanged pixels transparent.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.deflate import compress
from exporter.formats.images.png import SIGNATURE, png_chunk

Picture = NDArray[np.uint8]
Box = tuple[slice, slice]

_RGBA = 6
# The previous picture stays; a new one is laid over it or replaces it.
_KEEP = 0
_REPLACE, _OVER = 0, 1


def encode_animation(pictures: Iterable[Picture], milliseconds: Sequence[int]) -> bytes:
    """Encode `pictures` as an animated PNG that repeats.

    They are uint8 [height, width, 3], all of one size. `milliseconds` is how long each is shown, 0
    to 65535.

    Raises:
        ValueError: There are no pictures, the numbers of pictures and times differ, or the sizes
            differ.
    """
    chunks: list[bytes] = []
    number = 0
    before: Picture | None = None
    for picture, time in zip(pictures, milliseconds, strict=True):
        if before is None:
            height, width = picture.shape[:2]
            head = struct.pack(">IIBBBBB", width, height, 8, _RGBA, 0, 0, 0)
            chunks = [
                png_chunk(b"IHDR", head),
                png_chunk(b"acTL", struct.pack(">II", len(milliseconds), 0)),
            ]
        elif picture.shape != before.shape:
            raise ValueError("the pictures of an animation differ in size")
        box = _changed_box(before, picture)
        chunks.append(png_chunk(b"fcTL", _control(number, box, time, over=before is not None)))
        number += 1
        data = _data(before, picture, box)
        if before is None:
            chunks.append(png_chunk(b"IDAT", data))
        else:
            chunks.append(png_chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
        before = picture
    if before is None:
        raise ValueError("an animation has no pictures (give at least one)")
    return SIGNATURE + b"".join(chunks) + png_chunk(b"IEND", b"")


def _control(number: int, box: Box, time: int, *, over: bool) -> bytes:
    """Return the content of the control chunk (`fcTL`) of a picture.

    `number` counts the animation's chunks, `box` is where the picture changes, and `time` is how
    many milliseconds it is shown. If `over`, the picture is laid over the previous one; otherwise
    it replaces that.
    """
    rows, columns = box
    return struct.pack(
        ">IIIIIHHBB",
        number,
        columns.stop - columns.start,
        rows.stop - rows.start,
        columns.start,
        rows.start,
        time,
        1000,
        _KEEP,
        _OVER if over else _REPLACE,
    )


def _changed_box(before: Picture | None, picture: Picture) -> Box:
    """Return the smallest rectangle around the pixels that changed.

    It is the whole picture if there is no picture before, and one pixel if nothing changed.
    """
    height, width = picture.shape[:2]
    if before is None:
        return slice(0, height), slice(0, width)
    different = (before != picture).any(axis=2)
    rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    if not rows.size:
        return slice(0, 1), slice(0, 1)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _data(before: Picture | None, picture: Picture, box: Box) -> bytes:
    """Return the zlib stream of `box` of `picture`, unchanged pixels clear.

    `before` is the previous picture; None for the first.
    """
    part = picture[box]
    lines = np.zeros((part.shape[0], 1 + 4 * part.shape[1]), np.uint8)
    pixels = lines[:, 1:].reshape(*part.shape[:2], 4)
    changed = np.ones(part.shape[:2], bool)
    if before is not None:
        changed = (before[box] != part).any(axis=2)
    pixels[changed, :3] = part[changed]
    pixels[changed, 3] = 255
    lines[:, 1:] = pixels.reshape(part.shape[0], -1)
    return compress(lines.tobytes())
