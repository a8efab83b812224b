"""Exposure: the number of cells that each cell sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Extremes, Generated, Parts, Request, generator
from exporter.generators._derived import (
    GradedParameters,
    Source,
    graded,
    sight_radius,
    source_of,
)
from exporter.model.level import HeightRange
from exporter.model.parameters import About


@dataclass(frozen=True, kw_only=True)
class Exposure(GradedParameters):
    """Number of cells that each floor cell sees: high in open places, low in corners."""

    full: Annotated[
        Literal["map", "circle"],
        About(
            "Value that counts as full: that of the most exposed cell of the map, or of an empty "
            "circle, which makes maps comparable."
        ),
    ] = "map"


def _greatest(counts: NDArray[np.int32], source: Source) -> int:
    return int(counts[source.floor].max()) if source.floor.any() else 1


def _survey(parameters: Exposure, request: Request, part: tuple[slice, slice]) -> Extremes:
    """Return what the most exposed cell of a part sees; those of its halo see less than they do."""
    source = source_of(parameters, request)
    counts = np.where(source.floor, source.table.count, 0)[part]
    return Extremes(1, int(counts.max(initial=1)))


@generator(
    "exposure",
    version=1,
    parts=Parts(sight_radius, _survey, lambda one: one.full == "map"),
    stage="sight",
    role="data",
    also=("fov", "visibility", "openness"),
)
def generate(parameters: Exposure, request: Request) -> Generated:
    """Take the counts of the table."""
    parameters.check(request.width, request.height)
    source = source_of(parameters, request)
    counts = source.table.count
    if parameters.full == "circle":
        from exporter.visibility.sums import circle_size

        full = circle_size(source.table)
    else:
        full = _greatest(counts, source) if request.extremes is None else request.extremes.greatest
    heights = HeightRange(0.0, float(full), "cells")
    return graded(counts, full, parameters.levels, source.floor, "exposure", heights)
