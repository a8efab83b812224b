"""Draw a tileset's sheet with diamonds, for isometric maps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError
from exporter.model.limits import MAXIMUM_PICTURE_SIDE
from exporter.tilesets.tileset import Tileset


def diamond_sheet(
    tileset: Tileset, cell: tuple[int, int], *, x_up: bool = False
) -> NDArray[np.uint8]:
    """Return a tileset's sheet with diamonds in place of squares.

    Tile numbers stay the same. Each pixel of the screen lies in exactly one diamond, so diamonds
    fit without gaps.

    Args:
        tileset: The tileset; its tiles are square, without space between them.
        cell: Width and height of a diamond in pixels, both even.
        x_up: Whether x goes right and up and y right and down, as in Unity; otherwise x goes right
            and down, and y left and down.

    Returns:
        uint8 [height, width, 4].

    Raises:
        ParameterError: The sheet would be larger than engines can hold.
    """
    width, height = cell
    sides = tileset.columns * width, tileset.rows * height
    if max(sides) > MAXIMUM_PICTURE_SIDE:
        raise ParameterError(
            f"the tiles need a sheet of {sides[0]} x {sides[1]} pixels (allowed: "
            f"{MAXIMUM_PICTURE_SIDE} each way; use smaller diamonds)",
            ("grid", "cell"),
        )
    rows, columns = np.mgrid[:height, :width]
    # Middles of pixels, in whole numbers: from the middle of the diamond right, from the top down.
    right = (2 * columns + 1 - width) * height
    down = (2 * rows + 1) * width
    whole = 2 * width * height
    x, y = down + right, down - right
    if x_up:
        x, y = whole - 1 - y, x
    inside = (x >= 0) & (x < whole) & (y >= 0) & (y < whole)
    size = tileset.tile_size
    at_x, at_y = (np.where(inside, part, 0) * size // whole for part in (x, y))
    pictures = tileset.pictures()[:, at_y, at_x]
    pictures[:, ~inside] = 0
    grid = pictures.reshape(tileset.rows, tileset.columns, height, width, 4).swapaxes(1, 2)
    return np.ascontiguousarray(grid.reshape(sides[1], sides[0], 4))
