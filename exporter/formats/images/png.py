"""Write PNG (ISO/IEC 15948) without libraries, so that bytes are stable.

Pictures are RGBA with 8 bits or grey with 16 bits. `repeat` enlarges a picture while it is
written: repeated lines take hardly any time and no memory, so the bitmap of a large map is cheap.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from exporter.deflate import BLOCK_BYTES, Block, Tokens, row_tokens, wrap

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY, _RGBA = 0, 6
_UP = 2


def encode_png(
    pixels: NDArray[np.uint8] | NDArray[np.uint16],
    *,
    repeat: int | tuple[int, int] = 1,
    period: int = 1,
) -> bytes:
    """Encode pixels as PNG.

    Args:
        pixels: uint8 [height, width, 4] (red, green, blue, alpha) or uint16 [height, width] (grey).
        repeat: Side of the square each pixel becomes, or width and height of a rectangle.
        period: After how many pixels a colour picture probably repeats: the size of tiles in a
            picture of tiles. A wrong value only makes the file larger.

    Raises:
        ValueError: The array has another type or shape, or is empty.
    """
    if pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 4:
        depth, color = 8, _RGBA
        samples = pixels.view(np.uint8)
    elif pixels.dtype == np.uint16 and pixels.ndim == 2:
        depth, color = 16, _GREY
        # Samples of two bytes are stored high byte first.
        samples = pixels.astype(">u2").view(np.uint8).reshape(*pixels.shape, 2)
    else:
        raise ValueError(f"a PNG cannot hold an array of {pixels.dtype} and shape {pixels.shape}")
    height, width, _ = samples.shape
    if not height or not width:
        raise ValueError("a picture has no pixels")
    across, down = repeat if isinstance(repeat, tuple) else (repeat, repeat)
    header = struct.pack(">IIBBBBB", width * across, height * down, depth, color, 0, 0, 0)
    data = _picture_data(samples, across, down, period)
    return (
        SIGNATURE + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", data) + png_chunk(b"IEND", b"")
    )


def png_chunk(name: bytes, data: bytes) -> bytes:
    """Return a PNG chunk of type `name`: length, name, data and checksum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _picture_data(pixels: NDArray[np.uint8], across: int, down: int, period: int) -> bytes:
    """Return the zlib stream of filtered lines, each pixel enlarged.

    A pixel becomes `across` by `down` pixels. After `period` pixels the picture probably repeats.
    """
    _, width, size = pixels.shape
    # Matches look back one period, inside the line and inside deflate's window.
    distance = size * max(1, min(period, width * across, 32768 // size))
    return wrap(_blocks(pixels, across, down, distance), distance)


def _blocks(pixels: NDArray[np.uint8], across: int, down: int, distance: int) -> Iterator[Block]:
    """Yield the filtered lines in blocks for deflate, with repeats marked.

    A pixel becomes `across` by `down` pixels. `distance` is how many bytes back a line probably
    repeats.
    """
    height, width, size = pixels.shape
    line = 1 + width * across * size
    # A line that repeats the one above it: all differences are zero.
    again = np.zeros((1, line), np.uint8)
    again[0, 0] = _UP
    again_tokens, _ = row_tokens(again, distance)
    rows = max(1, BLOCK_BYTES // line)
    for start in range(0, height, rows):
        part = np.repeat(pixels[max(start - 1, 0) : start + rows], across, axis=1)
        above = np.zeros((1, line - 1), np.uint8) if start == 0 else part[:1].reshape(1, -1)
        lines = _filter_lines(part[start > 0 :].reshape(-1, line - 1), above, size, distance)
        tokens, first = row_tokens(lines, distance)
        if down > 1:
            tokens = _with_repeats(tokens, first, again_tokens, down - 1)
        pieces = partial(_pieces, lines, again.tobytes() * (down - 1))
        yield Block(tokens, pieces, lines.size * down)


def _pieces(lines: NDArray[np.uint8], after: bytes) -> Iterator[bytes]:
    if not after:
        yield lines.tobytes()
        return
    for row in lines:
        yield row.tobytes() + after


def _filter_lines(
    lines: NDArray[np.uint8], above: NDArray[np.uint8], size: int, distance: int
) -> NDArray[np.uint8]:
    """Return each of `lines` with the PNG filter that suits it best.

    `lines` is uint8 [rows, bytes], `above` the line before the first, uint8 [1, bytes]. `size` is
    how many bytes a pixel has, `distance` how many bytes back the picture probably repeats.
    """
    up = np.concatenate([above, lines[:-1]])
    # Drawn pictures compress by repetition, heights by small differences.
    flat = size == 4
    candidates = [(0, lines), (_UP, lines - up)]
    if not flat:
        left = np.zeros_like(lines)
        left[:, size:] = lines[:, :-size]
        corner = np.zeros_like(lines)
        corner[:, size:] = up[:, :-size]
        average = (left.astype(np.uint16) + up) >> 1
        candidates.append((1, lines - left))
        candidates.append((3, lines - average.astype(np.uint8)))
        candidates.append((4, lines - _paeth(left, up, corner)))
    out = np.empty((lines.shape[0], lines.shape[1] + 1), np.uint8)
    best: NDArray[np.int64] | None = None
    for number, filtered in candidates:
        if flat:
            cost = np.count_nonzero(filtered[:, distance:] != filtered[:, :-distance], axis=1)
        else:
            # The usual estimate: the sum of the differences, as signed bytes.
            cost = np.abs(filtered.view(np.int8).astype(np.int16)).sum(axis=1, dtype=np.int64)
        better = np.ones(len(lines), bool) if best is None else cost < best
        best = cost if best is None else np.minimum(best, cost)
        out[better, 0] = number
        out[better, 1:] = filtered[better]
    return out


def _paeth(
    left: NDArray[np.uint8], up: NDArray[np.uint8], corner: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return which of three neighbours is nearest to left + up - corner.

    Of equally near ones it is the first of left, up and corner (PNG's Paeth filter).
    """
    to_left = np.abs(up.astype(np.int16) - corner)
    to_up = np.abs(left.astype(np.int16) - corner)
    to_corner = np.abs(left.astype(np.int16) + up - 2 * corner.astype(np.int16))
    use_left = (to_left <= to_up) & (to_left <= to_corner)
    return np.where(use_left, left, np.where(to_up <= to_corner, up, corner))


def _with_repeats(tokens: Tokens, first: NDArray[np.int64], repeated: Tokens, times: int) -> Tokens:
    """Return `tokens` with the line `repeated`, `times` times, after each row.

    `first` has the index of each row's first token in `tokens`, and the end.
    """
    inserted = repeated.values.size * times
    counts = np.diff(first)
    rows = counts.size
    values = np.empty(tokens.values.size + rows * inserted, np.uint16)
    matches = np.empty(values.size, bool)
    own = np.ones(values.size, bool)
    ends = np.cumsum(counts + inserted)
    own[((ends - inserted)[:, None] + np.arange(inserted)).reshape(-1)] = False
    values[own], matches[own] = tokens.values, tokens.matches
    values[~own] = np.tile(repeated.values, rows * times)
    matches[~own] = np.tile(repeated.matches, rows * times)
    return Tokens(values, matches)
