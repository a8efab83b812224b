"""Mark choke cells, and the cells that see one.

Without a choke cell, its region would fall apart.
"""

from __future__ import annotations

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._derived import DerivedParameters, classes, measured
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class ChokeVisibility(DerivedParameters):
    """Choke cells (blocking one splits the floor) and the floor seeing them."""


@generator(
    "choke_visibility", version=1, stage="sight", role="data", also=("chokes", "choke_points")
)
def generate(parameters: ChokeVisibility, request: Request) -> Generated:
    """Mark cells whose removal splits a region, and the floor that sees them."""
    from exporter.grids.certificates import find_chokes

    level = measured(parameters, request)
    table, floor = level.sight, level.sighted_floor
    chokes = find_chokes(floor)
    watching = np.zeros(floor.shape, bool)
    y, x = np.nonzero(chokes)
    for first in range(0, len(x), _AT_A_TIME):
        batch = slice(first, first + _AT_A_TIME)
        across, down = table.viewing_cells(x[batch], y[batch])
        watching[down, across] = True
    marks = np.where(floor, np.where(chokes, 3, np.where(watching, 2, 1)), 0).astype(np.uint8)
    result = classes(
        marks, (("floor", "#00000000"), ("watching", "#3878c890"), ("choke", "#e08020d0"))
    )
    report = {"chokes": int(chokes.sum()), "watching": int((marks == 2).sum())}
    return Generated(result.cells, result.tiles, report=report)


# Chokes that are handled together: enough to be quick, few enough to need little memory.
_AT_A_TIME = 256
