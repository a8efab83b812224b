"""Define the usual tiles, such as `wall`, and lists of tiles that grow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.model.level import BLACK, CLEAR, Tile
from exporter.model.tile_options import TileOptions as TileOptions

FLOOR = Tile(0, "floor", walkable=True, opaque=False, color=CLEAR)
WALL = Tile(1, "wall", walkable=False, opaque=True, color=BLACK)
FLOOR_AND_WALL = (FLOOR, WALL)
EMPTY = TileOptions(name="empty", walkable=False, color=CLEAR)

# Default meanings of the names of tiles.
USUAL_TILES: Mapping[str, TileOptions] = {
    tile.name: tile
    for tile in (
        TileOptions(name="floor"),
        TileOptions(name="wall", walkable=False, opaque=True),
        TileOptions(name="door", opaque=True, color="#8a5a2bff"),
        TileOptions(name="open_door", color="#b07a45ff"),
        TileOptions(name="water", walkable=False, color="#2f6fb0ff"),
        TileOptions(name="grass", color="#5f9e4fff"),
        TileOptions(name="rubble", color="#9a9188ff"),
        TileOptions(name="tree", walkable=False, opaque=True, color="#2f5f33ff"),
        TileOptions(name="bridge", color="#a5763fff"),
        TileOptions(name="trap", color="#b03030ff"),
        TileOptions(name="stairs_up", color="#d9c36aff"),
        TileOptions(name="stairs_down", color="#c0a040ff"),
        TileOptions(name="sand", color="#d8c586ff"),
        TileOptions(name="beach", color="#e3d49bff"),
        TileOptions(name="dirt", color="#8a6a48ff"),
        TileOptions(name="mud", color="#6b5138ff"),
        TileOptions(name="gravel", color="#968f86ff"),
        TileOptions(name="path", color="#b39a6bff"),
        TileOptions(name="road", color="#a08c70ff"),
        TileOptions(name="meadow", color="#7fb152ff"),
        TileOptions(name="forest", color="#3b7a3fff"),
        TileOptions(name="swamp", color="#6c7f45ff"),
        TileOptions(name="snow", color="#eef2f6ff"),
        TileOptions(name="ice", color="#b5dcecff"),
        TileOptions(name="rock", walkable=False, opaque=True, color="#83796fff"),
        TileOptions(name="cliff", walkable=False, opaque=True, color="#6f6459ff"),
        TileOptions(name="mountain", walkable=False, opaque=True, color="#8c8794ff"),
        TileOptions(name="shallows", color="#6fb3cfff"),
        TileOptions(name="river", walkable=False, color="#3f86c4ff"),
        TileOptions(name="lake", walkable=False, color="#3a7dbbff"),
        TileOptions(name="sea", walkable=False, color="#27609cff"),
        TileOptions(name="deep_water", walkable=False, color="#1f4f86ff"),
        TileOptions(name="lava", walkable=False, color="#e0582bff"),
        EMPTY,
    )
}


# Most columns, and most rows, of a drawing made of characters.
MAXIMUM_ART_SIDE = 512

# Default meanings of characters in drawings.
USUAL_GLYPHS: Mapping[str, TileOptions] = {
    glyph: USUAL_TILES[name]
    for glyph, name in {
        ".": "floor",
        "#": "wall",
        "+": "door",
        "'": "open_door",
        "~": "water",
        '"': "grass",
        ",": "rubble",
        "T": "tree",
        "=": "bridge",
        "^": "trap",
        "<": "stairs_up",
        ">": "stairs_down",
    }.items()
}


class Legend:
    """A list of tiles, to which tiles with new names can be added."""

    def __init__(self, tiles: tuple[Tile, ...] = ()) -> None:
        self._tiles = sorted(tiles, key=lambda tile: tile.id)
        self._named = {tile.name: tile for tile in reversed(self._tiles)}

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles by ascending id."""
        return tuple(self._tiles)

    def find(self, name: str) -> Tile | None:
        """Return the first tile called `name`, or None."""
        return self._named.get(name)

    def add(self, requested: Tile | TileOptions | str) -> int:
        """Return the id of the tile named like `requested`; add it if missing.

        `requested` is a tile, the options of one in a spec, or the name of a usual tile such as
        `wall`.
        """
        if isinstance(requested, str):
            requested = USUAL_TILES[requested]
        known = self.find(requested.name)
        if known is not None:
            return known.id
        number = self._tiles[-1].id + 1 if self._tiles else 0
        tile = requested if isinstance(requested, Tile) else tile_of(requested)
        tile = replace(tile, id=number)
        self._tiles.append(tile)
        self._named[tile.name] = tile
        return number


def tile_of(options: TileOptions) -> Tile:
    """Return the tile that `options` of a spec describe; its id is 0."""
    color = options.color or (CLEAR if options.walkable else BLACK)
    return Tile(0, options.name, options.walkable, options.opaque, color)


def cells_of(ids: NDArray[np.int32]) -> NDArray[np.uint8] | NDArray[np.uint16]:
    """Convert tile `ids` to the smallest type for them: uint8, else uint16."""
    if ids.size and int(ids.max()) > 255:
        return ids.astype(np.uint16)
    return ids.astype(np.uint8)
