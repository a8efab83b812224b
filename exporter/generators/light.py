"""Compute the brightness of each cell in the light of objects."""

from __future__ import annotations

from math import isqrt
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, Parts, Request, generator
from exporter.generators._derived import FULL, GradedParameters, graded, measured, viewers_radius
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import HeightRange
from exporter.model.parameters import About, ObjectName, Percent, Within

Falloff = Literal["linear", "smooth", "none"]


@dataclass(frozen=True, kw_only=True)
class Light(GradedParameters):
    """Light of placed objects: it reaches seen cells and fades."""

    objects: Annotated[
        tuple[ObjectName, ...],
        Within(1, 256, length=True),
        About("Names of the placed objects that emit light."),
    ]
    radius: Annotated[
        Annotated[int, Within(1, 64)] | None,
        About("Radius of the light; default: the radius of `visibility`.", "cells"),
    ] = None
    falloff: Annotated[
        Falloff, About("How light fades: `linear`, `smooth` (slow at first, then fast) or `none`.")
    ] = "linear"
    strength_percent: Annotated[int, Within(1, 100), About("Brightness at an object.", "%")] = 100
    ambient_percent: Annotated[Percent, About("Smallest brightness of all cells.", "%")] = 0
    combine: Annotated[
        Literal["brightest", "sum"],
        About("Light of several objects in a cell: the brightest, or the sum up to full light."),
    ] = "brightest"
    walls: Annotated[bool, About("Whether cells that are not floor are lit, too.")] = True


@generator(
    "light",
    version=1,
    stage="sight",
    role="data",
    parts=Parts(viewers_radius),
    also=("lamps", "torches"),
)
def generate(parameters: Light, request: Request) -> Generated:
    """Light the cells that lamps (objects) see, less with the distance."""
    parameters.check(request.width, request.height)
    lamps = sorted(
        {(item.x, item.y) for item in request.objects if item.name in parameters.objects}
    )
    level = measured(parameters, request)
    table = level.sight
    fading = _fading(table.radius, parameters.falloff, parameters.strength_percent * FULL // 100)
    light = np.zeros(table.shape, np.int32)

    def draw() -> Generated:
        lit = np.maximum(light, parameters.ambient_percent * FULL // 100)
        displayed = np.ones(table.shape, bool) if parameters.walls else level.sighted_floor
        heights = HeightRange(0.0, 1.0, "brightness")
        return graded(lit, FULL, parameters.levels, displayed, "light", heights)

    for number, (x, y) in enumerate(lamps, 1):
        top, left = max(0, y - table.radius), max(0, x - table.radius)
        window = light[top : y + table.radius + 1, left : x + table.radius + 1]
        height, width = window.shape
        first, begin = top - y + table.radius, left - x + table.radius
        lit = table.visible_from(x, y)[top : top + height, left : left + width]
        shine = np.where(lit, fading[first : first + height, begin : begin + width], 0)
        if parameters.combine == "sum":
            window += shine
            np.minimum(window, FULL, out=window)
        else:
            np.maximum(window, shine, out=window)
        if request.trace is not None:
            result = draw()
            request.trace.frame("light", result.cells, result.tiles, number=number, of=len(lamps))
    result = draw()
    return Generated(
        result.cells, result.tiles, result.kind, result.heights, report={"lights": len(lamps)}
    )


def _fading(radius: int, falloff: Falloff, strength: int) -> NDArray[np.int32]:
    """Return how much light a lamp gives to each cell around it.

    The lamp is in the middle of the result, int32 [2 * radius + 1, 2 * radius + 1], and gives
    `strength` there and nothing beyond `radius`. Between, the light stays (`falloff: none`) or
    falls so that it would reach 0 at radius + 1: the last cells still get some. Only integers are
    used; distances are in 256ths of a cell, rounded down.
    """
    side = range(-radius, radius + 1)
    end = radius + 1
    rows = []
    for dy in side:
        row = []
        for dx in side:
            square = dx * dx + dy * dy
            if square > radius * radius:
                row.append(0)
            elif falloff == "none":
                row.append(strength)
            elif falloff == "smooth":
                row.append(strength * (end * end - square) // (end * end))
            else:
                row.append(strength * (end * 256 - isqrt(square << 16)) // (end * 256))
        rows.append(row)
    return np.array(rows, np.int32)
