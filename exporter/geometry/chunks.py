"""Divide a map into square chunks; the last ones may be smaller."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MapChunk:
    """A chunk of a map, as a rectangle of cells."""

    x: int
    y: int
    width: int
    height: int


def chunks_of(shape: tuple[int, ...], side: int) -> list[MapChunk]:
    """Divide a map of `shape` (height, width) into chunks, row after row.

    `side` is the side of a chunk in cells.

    >>> [(chunk.x, chunk.y, chunk.width, chunk.height) for chunk in chunks_of((2, 5), 3)]
    [(0, 0, 3, 2), (3, 0, 2, 2)]

    Raises:
        ValueError: `side` is not positive.
    """
    if side < 1:
        raise ValueError(f"the chunk size {side} is not positive")
    height, width = shape
    return [
        MapChunk(x, y, min(side, width - x), min(side, height - y))
        for y in range(0, height, side)
        for x in range(0, width, side)
    ]
