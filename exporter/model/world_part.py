"""Define the part of a world that a level is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SightRule:
    """The rule of a field of view, and the layer that blocks it."""

    layer: str
    algorithm: str
    radius: int
    see_walls: bool


@dataclass(frozen=True, slots=True, eq=False)
class WorldPart:
    """The part of a world that a level is.

    Attributes:
        world: The world's name.
        size: Its width and height in cells.
        chunk: The side of its parts in cells; those at the right and the bottom may be smaller.
        column: The part's place from the left, from 0.
        row: Its place from the top, from 0.
        grounds: For the legends of layers, by the layers' names, which ground lies around tiles:
            see `exporter.tilesets.surroundings`. It is the same for all parts.
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
        """Parts in a row of the world."""
        return -(-self.size[0] // self.chunk)

    @property
    def rows(self) -> int:
        """Rows of parts of the world."""
        return -(-self.size[1] // self.chunk)

    @property
    def folder(self) -> str:
        """Return the folder with the parts' files, beside the world's."""
        return f"{self.world}.world"

    @property
    def origin(self) -> tuple[int, int]:
        """The cell of the world that is the part's first: x, y."""
        return self.column * self.chunk, self.row * self.chunk
