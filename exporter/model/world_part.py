"""Define which chunk of a world a level is.

A world is a map that is too large to build at once, so it is built chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SightRule:
    """How fields of view are computed in a world, the same in all chunks.

    Attributes:
        layer: The name of the layer whose opaque cells block sight.
        algorithm: The name of the algorithm.
        radius: The range of sight in cells.
        see_walls: Whether `raycast` sees the opaque cells at the ends of its rays.
    """

    layer: str
    algorithm: str
    radius: int
    see_walls: bool


@dataclass(frozen=True, slots=True, eq=False)
class WorldPart:
    """The world that a level is a chunk of, and the chunk's position.

    Attributes:
        world: The name of the world.
        size: The width and height of the world in cells.
        chunk: The side of a chunk in cells; those at the right and the bottom may be smaller.
        column: The chunk's column, from 0.
        row: The chunk's row, from 0.
        grounds: For each layer, by name, and each tile id the id of the tile that usually surrounds
            such cells, counted in the whole world; equal for all chunks.
        sight: The rule of the world's field of view; None without one.
        objects: The names of the objects that the spec places in the world.
    """

    world: str
    size: tuple[int, int]
    chunk: int
    column: int
    row: int
    grounds: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    sight: SightRule | None = None
    objects: frozenset[str] = frozenset()

    @property
    def columns(self) -> int:
        """The number of chunks in a row of the world."""
        return -(-self.size[0] // self.chunk)

    @property
    def rows(self) -> int:
        """The number of rows of chunks in the world."""
        return -(-self.size[1] // self.chunk)

    @property
    def folder(self) -> str:
        """The folder of the chunks' files, inside the world's output folder."""
        return f"{self.world}.world"

    @property
    def origin(self) -> tuple[int, int]:
        """The chunk's first cell (x, y) in the world."""
        return self.column * self.chunk, self.row * self.chunk
