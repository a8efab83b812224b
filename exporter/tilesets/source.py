"""The image a level names for its tiles: read, checked and decoded."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError
from exporter.model.tileset import TilesetOptions, TilesetSource

_LARGEST_SIDE = 16384


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
                "tile numbers need an image (set image, or remove tiles)",
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
    hint = f"; sizes that fit: {', '.join(map(str, sides))}" if sides else ""
    raise ParameterError(
        f"{options.image} is {length} pixels {name}, which is not a whole number of tiles of "
        f"{options.tile_size} pixels (margin {options.margin}, spacing {options.spacing}{hint})",
        ("tileset", "tile_size"),
    )
