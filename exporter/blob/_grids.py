"""Grids in a blob: a layer as one chunk, or split into parts that can be read alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from exporter.blob.container import NONE, VALUES, Chunk, Container
from exporter.codecs import Codec, Encoded, Limits, Side, choose, decode_payload
from exporter.codecs._codec import ELEMENTS, NO_SIDE, Array, Profile, canonical, element_code
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
    """Return the chunks of a grid [height, width], row of parts by row of parts.

    Of several parts one may be the prior of others: they go on from what it taught, so that
    parts cost hardly more than the whole, and any part needs at most one other.
    """
    cells = canonical(cells)
    pieces = [
        np.ascontiguousarray(cells[top : top + height, left : left + width])
        for top, height in parts(cells.shape[0])
        for left, width in parts(cells.shape[1])
    ]
    alone = [choose(piece, profile=profile) for piece in pieces]
    chosen, prior = alone, NONE
    if len(pieces) > 1:
        # The part that was hardest to tell has the most to teach.
        first = max(range(len(alone)), key=lambda index: len(alone[index].payload))
        if alone[first].codec.continues:
            prior = first
            side = Side(prior=alone[first].payload, prior_shape=pieces[first].shape)
            chosen = [
                encoded if index == first else _shorter(piece, encoded, alone[first].codec, side)
                for index, (piece, encoded) in enumerate(zip(pieces, alone, strict=True))
            ]
    return [
        Chunk(
            name,
            encoded.codec.number,
            encoded.payload,
            element_code(cells.dtype),
            level,
            item,
            index,
            piece.shape[1],
            piece.shape[0],
            prior=NONE if encoded is alone[index] else prior,
        )
        for index, (piece, encoded) in enumerate(zip(pieces, chosen, strict=True))
    ]


def _shorter(piece: Array, alone: Encoded, codec: Codec, side: Side) -> Encoded:
    """Return the part coded with the prior, or as it was when that is not shorter."""
    try:
        with_prior = choose(piece, codec.name, side=side)
    except ValueError:
        return alone
    return with_prior if len(with_prior.payload) < len(alone.payload) else alone


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
            chunk.codec,
            chunk.payload,
            shape,
            dtype,
            _side_of(container, chunk, found),
            limits,
        )
    assert cells is not None  # there is always at least one part
    return cells


def _side_of(container: Container, chunk: Chunk, found: list[int]) -> Side:
    """Return the prior a part goes on from.

    Raises:
        BlobError: When it is no other part of this grid, or goes on from one itself.
    """
    if chunk.prior == NONE:
        return NO_SIDE
    if chunk.prior >= len(found) or chunk.prior == chunk.cell:
        raise BlobError(f"chunk {chunk.type} goes on from a part that does not exist")
    prior = container.load(found[chunk.prior])
    if prior.prior != NONE or prior.codec != chunk.codec:
        raise BlobError(f"chunk {chunk.type} goes on from a part it cannot go on from")
    return Side(prior=prior.payload, prior_shape=(prior.height, prior.width))


def _element(chunk: Chunk) -> np.dtype[Any]:
    if chunk.element == VALUES or chunk.element >= len(ELEMENTS):
        raise BlobError(f"chunk {chunk.type} has no known element type")
    return ELEMENTS[chunk.element]
