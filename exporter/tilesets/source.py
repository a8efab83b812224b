"""Read and check the image that a level names for its tiles."""

from __future__ import annotations

from collections.abc import Callable

from exporter.model.errors import ParameterError
from exporter.model.picture_files import read_colors
from exporter.model.tileset import TilesetOptions, TilesetSource


def open_tileset(options: TilesetOptions, read_file: Callable[[str], bytes]) -> TilesetSource:
    """Read the image that a level's option `tileset` names, and check it.

    `read_file` reads a file by its path relative to the spec.

    Raises:
        ParameterError: The image is unreadable, too large, or not made of tiles of the given size;
            or an option needs an image and none is named.
    """
    if options.image is None:
        if options.tiles:
            raise ParameterError(
                "tile numbers need an image (write `image: FILE`, or remove `tiles`)",
                ("tileset", "tiles"),
            )
        for name, kind in options.autotile.items():
            if kind == "corners":
                raise ParameterError(
                    "a corner set needs an image (write `image: FILE`, or `blob` here)",
                    ("tileset", "autotile", name),
                )
        if options.transitions:
            raise ParameterError(
                "transitions need an image (write `image: FILE`, or remove `transitions`; drawn "
                "tiles have edges that fit each other)",
                ("tileset", "transitions"),
            )
        return TilesetSource(options)
    pixels = read_colors(read_file(options.image), options.image, ("tileset", "image"))
    for name, length in (("wide", pixels.shape[1]), ("high", pixels.shape[0])):
        _check_length(options, name, length)
    return TilesetSource(options, pixels)


def _check_length(options: TilesetOptions, name: str, length: int) -> None:
    """Check that an image is a whole number of tiles wide or high.

    `length` is its side in pixels, `name` is `wide` or `high` for the message.

    Raises:
        ParameterError: A part of a tile is left over.
    """
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
