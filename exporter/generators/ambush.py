"""Mark ambush cells, which are seen from nearby cells only."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from exporter.generators import Generated, Parts, Request, generator
from exporter.generators._derived import DerivedParameters, classes, measured, viewers_radius
from exporter.measures.ambush import MAX_FAR_PERCENT, MIN_NEAR_CELLS, NEAR_RADIUS, ambush
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, Percent, Within


@dataclass(frozen=True, kw_only=True)
class Ambush(DerivedParameters):
    """Cells for an ambush: seen from near floor, hardly from farther away.

    A floor cell is one if at least `min_near_cells` floor cells within `near_radius` see it, and at
    most `max_far_percent` of the floor cells beyond, up to `radius`.
    """

    near_radius: Annotated[
        int, Within(1, 63), About("Largest distance of a near cell.", "cells")
    ] = NEAR_RADIUS
    min_near_cells: Annotated[
        int, Within(0, 10_000), About("Smallest number of near cells that see it.", "cells")
    ] = MIN_NEAR_CELLS
    max_far_percent: Annotated[
        Percent, About("Largest share of the farther floor that sees it.", "%")
    ] = MAX_FAR_PERCENT


@generator("ambush", version=1, parts=Parts(viewers_radius), stage="sight", role="data")
def generate(parameters: Ambush, request: Request) -> Generated:
    """Mark the floor cells that many near and few far cells see."""
    level = measured(parameters, request)
    near, least, far = parameters.near_radius, parameters.min_near_cells, parameters.max_far_percent
    marks = level.sighted_floor.astype(np.uint8) + ambush(level, near, least, far)
    result = classes(marks, (("floor", "#00000000"), ("ambush", "#c03028c0")))
    return Generated(result.cells, result.tiles, report={"ambush_cells": int((marks == 2).sum())})
