"""What a level may say of its tiles' pictures.

    tileset:
      image: art/dungeon.png        # beside the spec; without it the tiles are drawn
      tile_size: 16
      tiles: {floor: [4, 5, 6], wall: 16, door: 9}
      autotile: {wall: blob}        # 47 pictures from number 16 on

Numbers count along the rows of the image, from 0. Several numbers are variants, chosen by a
cell's place; `null` leaves the cells empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from exporter.model.parameters import About, FileName, Parameters, Within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# 47 pictures for all neighbourhoods, or 16 for the four sides alone.
AutotileSet = Literal["blob", "edges"]

TileNumber = Annotated[int, Within(0, 65535)]
TileNumbers = TileNumber | tuple[TileNumber, ...] | None


@dataclass(frozen=True, kw_only=True)
class TilesetOptions(Parameters):
    """The pictures of a level's tiles."""

    image: Annotated[
        FileName | None,
        About("Picture with the tiles, relative to the spec; drawn without one."),
    ] = None
    tile_size: Annotated[
        int, Within(1, 512), About("Side of a tile in the image.", unit="pixels")
    ] = 16
    margin: Annotated[
        int, Within(0, 256), About("Free border around the tiles of the image.", unit="pixels")
    ] = 0
    spacing: Annotated[
        int, Within(0, 256), About("Free space between the tiles of the image.", unit="pixels")
    ] = 0
    tiles: Annotated[
        Mapping[str, TileNumbers],
        About(
            "Numbers in the image by tile name: one, several variants, or null for no picture. "
            "Without any, a tile's number is its id."
        ),
    ] = field(default_factory=dict)
    autotile: Annotated[
        Mapping[str, AutotileSet],
        About(
            "Tiles whose picture follows their neighbours: `edges` takes 16 pictures, `blob` 47, "
            "beginning at the tile's number."
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class TilesetSource:
    """A level's tileset as it was asked for, with the pixels of its image.

    `pixels` is uint8 [height, width, 4], or None where the tiles are drawn.
    """

    options: TilesetOptions
    pixels: NDArray[np.uint8] | None = None
