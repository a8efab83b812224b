"""Divide a map into chunks, squares cut off at the right and lower edge."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a map, in cells."""

    x: int
    y: int
    width: int
    height: int


def chunks_of(shape: tuple[int, ...], side: int) -> list[Chunk]:
    """Return the chunks of a map of shape (height, width), row after row.

    >>> [(chunk.x, chunk.y, chunk.width, chunk.height) for chunk in chunks_of((2, 5), 3)]
    [(0, 0, 3, 2), (3, 0, 2, 2)]

    Raises:
        ValueError: `side` is not positive.
    """
    if side < 1:
        raise ValueError(f"the side of a chunk is positive, not {side}")
    height, width = shape
    return [
        Chunk(x, y, min(side, width - x), min(side, height - y))
        for y in range(0, height, side)
        for x in range(0, width, side)
    ]
