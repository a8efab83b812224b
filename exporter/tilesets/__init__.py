"""Make tilesets: one sheet of tile pictures for all layers of a level.

A tile's number counts along the rows of the sheet, and stays the same when a level grows. In a
drawn sheet each distinct legend begins a new row, and a tile's first picture has the row's first
number plus the tile's id; its other pictures follow on later rows. A tile added at the end of a
legend, or a layer added at the end of a level, takes free numbers and moves none. If the level has
an image, numbers are those of the image's tiles. If a sheet is too large for engines, only the
tiles of the level remain in it.
"""

from __future__ import annotations

from exporter.model.errors import LevelError
from exporter.model.level import Level
from exporter.model.limits import MAXIMUM_PICTURE_SIDE
from exporter.tilesets.drawings import PictureGrid
from exporter.tilesets.tileset import NeighbourhoodTile, Tileset

__all__ = ["NeighbourhoodTile", "PictureGrid", "Tileset", "level_tileset"]


def level_tileset(level: Level, extrusion: int = 0, frame: int = 0) -> Tileset:
    """Return the tileset of a level: its image cut into tiles, or drawn tiles.

    Args:
        level: The level with the tile layers to show.
        extrusion: Width in pixels of the frame that repeats each tile's edge around the tile.
        frame: Which picture of animated tiles to draw; 0 is the picture without animation.

    Raises:
        ParameterError: The level's tileset names tiles or numbers that do not exist.
        LevelError: The sheet is larger than engines can hold, even if reduced to the level's tiles.
    """
    tileset = _whole(level, frame)
    if max(tileset.sides(extrusion)) > MAXIMUM_PICTURE_SIDE:
        tileset = tileset.packed()
    width, height = tileset.sides(extrusion)
    if max(width, height) > MAXIMUM_PICTURE_SIDE:
        raise LevelError(
            f"the tiles of the level need a sheet of {width} x {height} pixels (allowed: "
            f"{MAXIMUM_PICTURE_SIDE} each way; use fewer or smaller pictures)",
            ("tileset", "image"),
        )
    return tileset.extruded(extrusion)


def _whole(level: Level, frame: int) -> Tileset:
    """Return the tileset with all its tiles: cut from an image, or drawn.

    `frame` is which picture of animated tiles to draw.
    """
    # Imported only if needed: drawing prepares pictures when it is imported.
    if level.tileset is None or level.tileset.pixels is None:
        from exporter.tilesets.drawn import drawn_tileset

        return drawn_tileset(level, frame)
    from exporter.tilesets.image import image_tileset

    return image_tileset(level)
