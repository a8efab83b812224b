"""Tilesets: which picture stands for a tile id, in one sheet for all tile layers of a level.

Numbers count along the rows of the sheet and are stable. In a drawn sheet every distinct legend
begins a row of its own, and a tile's first number is the row's first number plus the tile's id; its
other pictures follow on later rows. A tile added at the end of a legend, or a layer added at the
end of a level, takes free numbers and moves none. With an image, the numbers are the image's own.
"""

from __future__ import annotations

from exporter.model.level import Level
from exporter.tilesets.drawings import Drawing
from exporter.tilesets.tileset import Terrain, Tileset

__all__ = ["Drawing", "Terrain", "Tileset", "level_tileset"]


def level_tileset(level: Level, extrusion: int = 0) -> Tileset:
    """Return the tileset of a level: the image it names, or drawn tiles.

    Args:
        level: Whose tile layers are to be shown.
        extrusion: Pixels by which the edge of every tile is repeated around it.

    Raises:
        ParameterError: If the level's tileset names tiles or numbers that do not exist.
    """
    # Only the one that is needed: drawing prepares pictures when it is imported.
    if level.tileset is None or level.tileset.pixels is None:
        from exporter.tilesets.drawn import drawn_tileset

        return drawn_tileset(level).extruded(extrusion)
    from exporter.tilesets.image import image_tileset

    return image_tileset(level).extruded(extrusion)
