"""Legends that users write: tiles with a meaning, and characters or colours that stand for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators._tile_options import TileName as TileName
from exporter.generators._tile_options import TileOptions as TileOptions
from exporter.model.errors import ParameterError
from exporter.model.level import BLACK, CLEAR, Tile
from exporter.model.parameters import Within

FLOOR = Tile(0, "floor", walkable=True, opaque=False, color=CLEAR)
WALL = Tile(1, "wall", walkable=False, opaque=True, color=BLACK)
FLOOR_AND_WALL = (FLOOR, WALL)

MAXIMUM_ART_SIDE = 512
TRANSPARENT = -1

Art = Annotated[str, Within(1, MAXIMUM_ART_SIDE * (MAXIMUM_ART_SIDE + 1), length=True)]
Glyph = Annotated[str, Within(1, 1, length=True)]

# What characters mean in drawings when the spec does not say otherwise.
USUAL_GLYPHS: Mapping[str, TileOptions] = {
    ".": TileOptions(name="floor"),
    "#": TileOptions(name="wall", walkable=False, opaque=True),
    "+": TileOptions(name="door", opaque=True, color="#8a5a2bff"),
    "'": TileOptions(name="open_door", color="#b07a45ff"),
    "~": TileOptions(name="water", walkable=False, color="#2f6fb0ff"),
    '"': TileOptions(name="grass", color="#5f9e4fff"),
    ",": TileOptions(name="rubble", color="#9a9188ff"),
    "T": TileOptions(name="tree", walkable=False, opaque=True, color="#2f5f33ff"),
    "=": TileOptions(name="bridge", color="#a5763fff"),
    "^": TileOptions(name="trap", color="#b03030ff"),
    "<": TileOptions(name="stairs_up", color="#d9c36aff"),
    ">": TileOptions(name="stairs_down", color="#c0a040ff"),
}
USUAL_TILES: Mapping[str, TileOptions] = {tile.name: tile for tile in USUAL_GLYPHS.values()}


class Legend:
    """Tiles that can be looked up by name and added to."""

    def __init__(self, tiles: tuple[Tile, ...] = ()) -> None:
        self._tiles = sorted(tiles, key=lambda tile: tile.id)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles by ascending id."""
        return tuple(self._tiles)

    def find(self, name: str) -> Tile | None:
        """Return the first tile called `name`, if there is one."""
        return next((tile for tile in self._tiles if tile.name == name), None)

    def add(self, wanted: Tile | TileOptions) -> int:
        """Return the id of the tile of that name, which is added at the end if it is new."""
        known = self.find(wanted.name)
        if known is not None:
            return known.id
        number = self._tiles[-1].id + 1 if self._tiles else 0
        if isinstance(wanted, Tile):
            tile = replace(wanted, id=number)
        else:
            color = wanted.color or (CLEAR if wanted.walkable else BLACK)
            tile = Tile(number, wanted.name, wanted.walkable, wanted.opaque, color)
        self._tiles.append(tile)
        return number


def cells_of(ids: NDArray[np.int32]) -> NDArray[np.uint8] | NDArray[np.uint16]:
    """Return ids as cells: uint8 if they fit, else uint16."""
    if ids.size and int(ids.max()) > 255:
        return ids.astype(np.uint16)
    return ids.astype(np.uint8)


def read_drawing(
    art: str, glyphs: Mapping[str, TileOptions], legend: Legend, path: tuple[str | int, ...]
) -> NDArray[np.int32]:
    """Return the tile ids of a drawing made of characters: int32 [height, width].

    A space, and what short lines lack, is -1: transparent. The spec's `glyphs` go before the
    usual ones; tiles that are new are added to the legend.

    Raises:
        ParameterError: At `path`, for an unknown character or a drawing that is empty or too big.
    """
    lines = art.rstrip("\n").split("\n")
    width = max(len(line) for line in lines)
    if not 1 <= width <= MAXIMUM_ART_SIDE or len(lines) > MAXIMUM_ART_SIDE:
        raise ParameterError(
            f"the drawing has {width} x {len(lines)} characters "
            f"(allowed: 1 to {MAXIMUM_ART_SIDE} each way)",
            path,
        )
    meanings = {**USUAL_GLYPHS, **glyphs}
    ids = np.full((len(lines), width), TRANSPARENT, np.int32)
    known = {" ": TRANSPARENT}
    for y, line in enumerate(lines):
        for x, glyph in enumerate(line):
            if glyph in known:
                ids[y, x] = known[glyph]
                continue
            if glyph not in meanings:
                raise ParameterError(
                    f"line {y + 1} of the drawing has the character {glyph!r}, which no glyph "
                    f"explains (known: {' '.join(meanings)})",
                    path,
                )
            ids[y, x] = known[glyph] = legend.add(meanings[glyph])
    return ids
