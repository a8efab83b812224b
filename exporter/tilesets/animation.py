"""Add the later pictures of animated tiles (water, lava) to a sheet.

The sheet is repeated below itself for each later frame of the animation. So a tile's number in a
later frame is its first number plus a multiple of the sheet's tile count, and no number changes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level
from exporter.model.limits import MAXIMUM_PICTURE_SIDE
from exporter.tilesets import level_tileset
from exporter.tilesets.materials import MOVING, material_of
from exporter.tilesets.tileset import Tileset

FRAMES = 4
# How long each frame is shown.
MILLISECONDS = 300


@dataclass(frozen=True, slots=True, eq=False)
class Animation:
    """The animated tiles of a tileset.

    Attributes:
        frames: The tileset drawn for each frame.
        numbers: The numbers of the animated tiles.
    """

    frames: tuple[Tileset, ...]
    numbers: tuple[int, ...]

    def frames_of(self, number: int) -> list[int]:
        """Return the numbers of the pictures of tile `number`, frame by frame."""
        return [number + frame * self.frames[0].count for frame in range(FRAMES)]

    def sheet(self, picture: Callable[[Tileset], NDArray[np.uint8]]) -> NDArray[np.uint8]:
        """Return one sheet with all frames, below each other.

        `picture` returns the sheet of a tileset, uint8 [height, width, 4]. Later frames have only
        the animated tiles.

        Raises:
            ParameterError: The sheet would be larger than engines can hold.
        """
        first, *later = map(picture, self.frames)
        if len(first) * FRAMES > MAXIMUM_PICTURE_SIDE:
            raise ParameterError(
                f"the animated tiles need a sheet of {len(first) * FRAMES} rows of pixels "
                f"(allowed: {MAXIMUM_PICTURE_SIDE}; write `animated: false`)",
                ("animated",),
            )
        rows, columns = self.frames[0].rows, self.frames[0].columns
        moves = np.zeros(rows * columns, bool)
        moves[list(self.numbers)] = True
        across, down = first.shape[1] // columns, len(first) // rows
        mask = moves.reshape(rows, columns).repeat(down, 0).repeat(across, 1)
        return np.concatenate([first, *(np.where(mask[..., None], each, 0) for each in later)])


def level_animation(level: Level, extrusion: int) -> Animation | None:
    """Return the animation of a level's drawn tiles; None if no tile moves.

    `extrusion` is the width in pixels of the frame that repeats each tile's edge around the tile.

    Raises:
        ParameterError: The level's tileset names tiles or numbers that do not exist.
        LevelError: The sheet is larger than engines can hold, even if reduced to the level's tiles.
    """
    if level.tileset is not None and level.tileset.pixels is not None:
        return None
    tiles = chain.from_iterable(layer.tiles for layer in level.tile_layers())
    if not any(material_of(tile).family in MOVING for tile in tiles):
        return None  # found without drawing every frame
    frames = tuple(level_tileset(level, extrusion, frame) for frame in range(FRAMES))
    first, *later = (tileset.pictures() for tileset in frames)
    moves = np.zeros(len(first), bool)
    for pictures in later:
        moves |= (pictures != first).any(axis=(1, 2, 3))
    numbers = np.flatnonzero(moves).tolist()
    return Animation(frames, tuple(numbers)) if numbers else None
