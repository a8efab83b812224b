"""Measure how many cells each cell sees."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from exporter.generators import Extremes, Generated, Parts, Request, generator
from exporter.generators._derived import GradedParameters, graded, measured, sight_radius
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import HeightRange
from exporter.model.parameters import About


@dataclass(frozen=True, kw_only=True)
class Exposure(GradedParameters):
    """The number of cells that each floor cell sees.

    It is high in open places and low in corners.
    """

    full: Annotated[
        Literal["map", "circle"],
        About(
            "Value that counts as full: that of the most exposed cell of the map, or of an empty "
            "circle, which makes maps comparable."
        ),
    ] = "map"


def _survey(parameters: Exposure, request: Request, part: tuple[slice, slice]) -> Extremes:
    """Return the largest number of cells that a cell of a chunk sees.

    It is at least 1, and is `greatest` of the result. `part` are the chunk's rows and columns,
    without its halo.
    """
    level = measured(parameters, request)
    counts = np.where(level.sighted_floor, level.sight.count, 0)[part]
    return Extremes(1, int(counts.max(initial=1)))


@generator(
    "exposure",
    version=1,
    parts=Parts(sight_radius, _survey, lambda item: item.full == "map"),
    stage="sight",
    role="data",
    also=("fov", "visibility", "openness"),
)
def generate(parameters: Exposure, request: Request) -> Generated:
    """Count the cells that each floor cell sees, as samples or classes."""
    parameters.check(request.width, request.height)
    level = measured(parameters, request)
    counts, floor = level.sight.count, level.sighted_floor
    if parameters.full == "circle":
        from exporter.visibility.sums import circle_size

        full = circle_size(level.sight)
    elif request.extremes is not None:
        full = request.extremes.greatest
    else:
        full = int(counts.max(where=floor, initial=1))
    heights = HeightRange(0.0, float(full), "cells")
    return graded(counts, full, parameters.levels, floor, "exposure", heights)
