"""Make tilesets: one sheet of tile pictures for all layers of a level.

A tile's number counts along the rows of the sheet and is stable. In a drawn sheet every distinct
legend begins a new row, and a tile's first number is the row's first number plus the tile's id; its
other pictures follow on later rows. A tile added at the end of a legend, or a layer added at the
end of a level, takes free numbers and moves none. With an image, the numbers are the image's own. A
sheet too large for engines is packed: only the tiles of the level remain in it.
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
        level: The level whose tile layers are to be shown.
        extrusion: Pixels by which the edge of every tile is repeated around it.
        frame: Which picture of animations is drawn: 0 is the still one.

    Raises:
        ParameterError: If the level's tileset names tiles or numbers that do not exist.
        LevelError: If the sheet is larger than engines can hold, even with nothing in it but the
            tiles of the level.
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
    """Return the tileset with every tile of the image or the legends."""
    # Only the one that is needed: drawing prepares pictures when it is imported.
    if level.tileset is None or level.tileset.pixels is None:
        from exporter.tilesets.drawn import drawn_tileset

        return drawn_tileset(level, frame)
    from exporter.tilesets.image import image_tileset

    return image_tileset(level)
