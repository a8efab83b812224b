"""What a level may say of its tiles' pictures, and the image it names.

    tileset:
      image: art/dungeon.png        # beside the spec; without it the tiles are drawn
      tile_size: 16
      tiles: {floor: [4, 5, 6], wall: 16, door: 9}
      autotile: {wall: blob}        # 47 pictures from number 16 on

Numbers count along the rows of the image, from 0. Several numbers are variants, chosen by a
cell's place; `null` leaves the cells empty.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.errors import ParameterError
from exporter.grids.neighbourhoods import AutotileSet
from exporter.parameters import About, FileName, Parameters, Within

TileNumber = Annotated[int, Within(0, 65535)]
TileNumbers = TileNumber | tuple[TileNumber, ...] | None
_LARGEST_SIDE = 16384


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


def open_tileset(options: TilesetOptions, read_file: Callable[[str], bytes]) -> TilesetSource:
    """Return the tileset a level asks for.

    Args:
        options: What the spec says.
        read_file: Reads a file by its path relative to the spec.

    Raises:
        ParameterError: If the image is none, too large, or not made of such tiles.
    """
    if options.image is None:
        if options.tiles:
            raise ParameterError(
                "numbers of tiles belong to an image (set image, or leave tiles out)",
                ("tileset", "tiles"),
            )
        return TilesetSource(options)
    pixels = _decode(read_file(options.image), options.image)
    for name, length in (("wide", pixels.shape[1]), ("high", pixels.shape[0])):
        _check_length(options, name, length)
    return TilesetSource(options, pixels)


def _decode(data: bytes, path: str) -> NDArray[np.uint8]:
    from PIL import Image

    place = ("tileset", "image")
    try:
        with Image.open(io.BytesIO(data)) as image:
            if max(image.size) > _LARGEST_SIDE:
                raise ParameterError(
                    f"{path} is larger than {_LARGEST_SIDE} x {_LARGEST_SIDE} pixels", place
                )
            return np.asarray(image.convert("RGBA"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ParameterError(f"{path} is not a picture that can be read ({error})", place) from None


def _check_length(options: TilesetOptions, name: str, length: int) -> None:
    """Refuse an image that does not consist of whole tiles in one direction."""
    step = options.tile_size + options.spacing
    inner = length - 2 * options.margin + options.spacing
    if inner >= step and inner % step == 0:
        return
    plain = options.margin == options.spacing == 0
    sides = [side for side in (8, 12, 16, 24, 32, 48, 64, 128) if plain and length % side == 0]
    hint = f"; sides that would fit: {', '.join(map(str, sides))}" if sides else ""
    raise ParameterError(
        f"{options.image} is {length} pixels {name}, which is no whole number of tiles of "
        f"{options.tile_size} pixels (margin {options.margin}, spacing {options.spacing}{hint})",
        ("tileset", "tile_size"),
    )
