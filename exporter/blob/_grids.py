"""Grids in a blob: a layer as one chunk, or split into parts that can be read alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from exporter.blob.container import VALUES, Chunk, Container
from exporter.codecs import Limits, choose, decode_payload
from exporter.codecs._codec import ELEMENTS, Array, Profile, canonical, element_code
from exporter.errors import BlobError

# The size of a part. Smaller parts cost more bytes: every part learns its statistics anew.
PART = 256


def parts(length: int, part: int = PART) -> list[tuple[int, int]]:
    """Return the (start, length) of the parts of a row or column.

    Every part has `part` cells, the last one what is left: between half and one and a half.
    """
    count = max(1, (length + part // 2) // part)
    starts = [index * part for index in range(count)]
    ends = [*starts[1:], length]
    return [(start, end - start) for start, end in zip(starts, ends, strict=True)]


def write_grid(name: str, cells: Array, level: int, item: int, profile: Profile) -> list[Chunk]:
    """Return the chunks of a grid [height, width], row of parts by row of parts."""
    cells = canonical(cells)
    chunks: list[Chunk] = []
    for top, height in parts(cells.shape[0]):
        for left, width in parts(cells.shape[1]):
            part = np.ascontiguousarray(cells[top : top + height, left : left + width])
            chosen = choose(part, profile=profile)
            chunks.append(
                Chunk(
                    name,
                    chosen.codec.number,
                    chosen.payload,
                    element_code(part.dtype),
                    level,
                    item,
                    len(chunks),
                    width,
                    height,
                )
            )
    return chunks


def read_grid(
    container: Container, name: str, level: int, item: int, size: tuple[int, int], limits: Limits
) -> Array:
    """Return a whole grid of `size` (width, height) from its parts.

    Raises:
        BlobError: When parts are missing or do not fit together.
    """
    width, height = size
    columns, rows = parts(width), parts(height)
    found = [
        index
        for index, chunk in enumerate(container)
        if (chunk.type, chunk.level, chunk.item) == (name, level, item)
    ]
    if len(found) != len(columns) * len(rows):
        raise BlobError(f"parts of {name} {item} are missing")
    cells: Array | None = None
    for number, index in enumerate(found):
        chunk = container.load(index)
        (top, rows_here), (left, columns_here) = (
            rows[number // len(columns)],
            columns[number % len(columns)],
        )
        dtype = _element(chunk)
        if cells is None:
            limits.check((height, width), dtype)
            cells = np.zeros((height, width), dtype)
        shape = (rows_here, columns_here)
        if (chunk.cell, chunk.height, chunk.width) != (number, *shape) or cells.dtype != dtype:
            raise BlobError(f"the parts of {name} {item} do not fit together")
        cells[top : top + shape[0], left : left + shape[1]] = decode_payload(
            chunk.codec, chunk.payload, shape, dtype, limits=limits
        )
    assert cells is not None  # there is always at least one part
    return cells


def _element(chunk: Chunk) -> np.dtype[Any]:
    if chunk.element == VALUES or chunk.element >= len(ELEMENTS):
        raise BlobError(f"chunk {chunk.type} has no known element type")
    return ELEMENTS[chunk.element]
