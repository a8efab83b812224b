"""Read drawings made of characters, each standing for a tile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators._tile_options import AnyTile
from exporter.handmade.legend import (
    FLOOR,
    FLOOR_AND_WALL,
    MAXIMUM_ART_SIDE,
    USUAL_GLYPHS,
    USUAL_TILES,
    WALL,
    Legend,
    TileOptions,
    cells_of,
)
from exporter.model.errors import ParameterError
from exporter.model.parameters import Within
from exporter.model.tile_options import TileName

__all__ = [
    "FLOOR",
    "FLOOR_AND_WALL",
    "MAXIMUM_ART_SIDE",
    "TRANSPARENT",
    "USUAL_GLYPHS",
    "USUAL_TILES",
    "WALL",
    "AnyTile",
    "Art",
    "Glyph",
    "Legend",
    "TileName",
    "TileOptions",
    "cells_of",
    "read_drawing",
]

TRANSPARENT = -1

Art = Annotated[str, Within(1, MAXIMUM_ART_SIDE * (MAXIMUM_ART_SIDE + 1), length=True)]
Glyph = Annotated[str, Within(1, 1, length=True)]


def read_drawing(
    art: str, glyphs: Mapping[str, AnyTile], legend: Legend, path: tuple[str | int, ...]
) -> NDArray[np.int32]:
    """Return the tile ids of the drawing `art`: int32 [height, width].

    A space, and the missing end of a short line, is -1: transparent. `glyphs` are the spec's own
    characters and their tiles, used before the usual ones. Tiles that `legend` lacks are added to
    it.

    Raises:
        ParameterError: The drawing has an unknown character, is empty or too big; the error has
            `path`.
    """
    lines = art.rstrip("\n").split("\n")
    width = max(len(line) for line in lines)
    if not 1 <= width <= MAXIMUM_ART_SIDE or len(lines) > MAXIMUM_ART_SIDE:
        raise ParameterError(
            f"the drawing has {width} x {len(lines)} characters "
            f"(allowed: 1 to {MAXIMUM_ART_SIDE} each way)",
            path,
        )
    meanings = {**USUAL_GLYPHS, **glyphs}
    ids = np.full((len(lines), width), TRANSPARENT, np.int32)
    known = {" ": TRANSPARENT}
    for y, line in enumerate(lines):
        for x, glyph in enumerate(line):
            if glyph in known:
                ids[y, x] = known[glyph]
                continue
            if glyph not in meanings:
                raise ParameterError(
                    f"line {y + 1} of the drawing has the character {glyph!r}, which is not in "
                    f"`glyphs` (known: {' '.join(meanings)})",
                    path,
                )
            ids[y, x] = known[glyph] = legend.add(meanings[glyph])
    return ids
