"""A hall with a pillar every few cells, some of them fallen."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from exporter.extend import (
    BLACK,
    CLEAR,
    About,
    Generated,
    MapParameters,
    Request,
    Tile,
    Within,
    generator,
)

# Each number in the cells is the id of one of these tiles. A colour is "#rrggbb" or "#rrggbbaa":
# CLEAR is "#00000000", which is drawn transparent, BLACK is "#000000ff".
FLOOR = Tile(0, "floor", walkable=True, opaque=False, color=CLEAR)
PILLAR = Tile(1, "pillar", walkable=False, opaque=True, color=BLACK)
TILES = (FLOOR, PILLAR)


# `MapParameters` adds `connect`, `fixed`, `only_in` and `never_in`; the exporter does what they
# say. A generator of heights derives from `Parameters` instead.
@dataclass(frozen=True, kw_only=True)
class Pillars(MapParameters):
    """A hall with pillars in rows."""

    every: Annotated[int, Within(2, 64), About("From one pillar to the next.", "cells")] = 4
    fallen_percent: Annotated[int, Within(0, 100), About("Share of missing pillars.", "%")] = 20


# Increase the version when the same parameters give other cells.
@generator("my_extension", version=1, tiles=TILES)
def generate(parameters: Pillars, request: Request) -> Generated:
    """Raise the pillars, then take away some of them."""
    width, height = request.width, request.height
    cells = np.full((height, width), FLOOR.id, np.uint8)
    cells[1 :: parameters.every, 1 :: parameters.every] = PILLAR.id
    # Draw only from the stream: then the same spec gives the same cells on every machine.
    fallen = request.stream.chance("fallen", width, height, parameters.fallen_percent)
    cells[fallen] = FLOOR.id
    return Generated(cells, TILES)
