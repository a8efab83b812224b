"""Define the section `tileset` of a spec: pictures for a level's tiles.

    tileset:
      image: art/dungeon.png        # beside the spec; without it the tiles are drawn
      tile_size: 16
      tiles: {floor: [4, 5, 6], wall: 16, door: 9}
      autotile: {wall: blob}        # 47 pictures from number 16 on
      transitions: [[water, sand]]  # sand lies on water, and its edges show it

Pictures in the image are numbered along its rows, from 0. A list of numbers has variants, chosen by
a cell's position; `null` leaves the cells empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, FileName, Names, Parameters, Within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# 47 pictures for all neighbourhoods, or 16 for the four sides alone.
AutotileSet = Literal["blob", "edges"]
# Or 16 for the four cells around a point, drawn half a tile off.
PictureSet = Literal["blob", "edges", "corners"]

TileNumber = Annotated[int, Within(0, 65535)]
TileNumbers = TileNumber | tuple[TileNumber, ...] | None


@dataclass(frozen=True, kw_only=True)
class TilesetOptions(Parameters):
    """Pictures of a level's tiles."""

    image: Annotated[
        FileName | None,
        About(
            "Image with the tiles, relative to the spec: PNG, JPEG, GIF, BMP, WebP, TGA, PGM or "
            "PPM; default: drawn by the exporter."
        ),
    ] = None
    style: Annotated[
        str | None,
        About(
            "Palette of the drawn tiles, not with an image; default: `stone`.",
            also=("palette", "theme", "colors"),
        ),
    ] = None
    tile_size: Annotated[
        int, Within(1, 512), About("Side of a tile in the image.", unit="pixels")
    ] = 16
    margin: Annotated[
        int, Within(0, 256), About("Border around all tiles of the image.", unit="pixels")
    ] = 0
    spacing: Annotated[
        int, Within(0, 256), About("Space between the tiles of the image.", unit="pixels")
    ] = 0
    tiles: Annotated[
        Mapping[Annotated[str, Names("tile")], TileNumbers],
        About(
            "Numbers in the image by tile name: one, a list of variants, or null for no picture. "
            "Default: the number of a tile is its id."
        ),
    ] = field(default_factory=dict)
    autotile: Annotated[
        Mapping[Annotated[str, Names("tile")], PictureSet],
        About(
            "Tiles whose picture depends on their neighbours, by name: `edges` uses 16 pictures, "
            "`blob` 47, from the tile's number on; `corners` uses 16, or 15 that are listed, and "
            "draws them half a tile up and left, between the cells (only with an image)."
        ),
    ] = field(default_factory=dict)
    transitions: Annotated[
        tuple[
            Annotated[tuple[Annotated[str, Names("tile")], ...], Within(2, 64, length=True)], ...
        ],
        About(
            "Tiles that lie over each other, each list from the bottom to the top: below the "
            "edges of a tile the one before it is seen. All but the first of a list need an "
            "`autotile` (only with an image).",
            example="[[water, sand, grass]]",
        ),
    ] = ()
    targets: Annotated[
        Mapping[str, Any],
        About(
            "Tilesets that the team keeps by hand, by engine, with the keys of the target's "
            "`tileset` in exporter.yaml: `tiles` are added to those there, other keys replace "
            "them; null for the exporter's own tiles."
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class TilesetSource:
    """The tileset of a level, with the pixels of its image.

    `pixels` is uint8 [height, width, 4], or None if the tiles are drawn.
    """

    options: TilesetOptions
    pixels: NDArray[np.uint8] | None = None
