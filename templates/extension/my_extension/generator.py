"""A hall with a pillar every few cells, some of them fallen."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from exporter.extend import (
    BLACK,
    CLEAR,
    About,
    Generated,
    Parameters,
    Request,
    Tile,
    Within,
    generator,
)

FLOOR = Tile(0, "floor", walkable=True, opaque=False, color=CLEAR)
PILLAR = Tile(1, "pillar", walkable=False, opaque=True, color=BLACK)
TILES = (FLOOR, PILLAR)


@dataclass(frozen=True, kw_only=True)
class Pillars(Parameters):
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
