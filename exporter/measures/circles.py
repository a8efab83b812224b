"""Show the distances that objects of a group keep from other things."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exporter.measures import measure
from exporter.measures.maps import GREEN, ORANGE, SKY, Circle, Mask, OverlayMap, classes
from exporter.measures.measured import Measured


@measure("circles", arguments=("entry",), also=("spacing", "clear_radius", "clear"))
def circles(level: Measured, entry: str) -> OverlayMap:
    """Cells near placed objects, by their `spacing` and `clear_radius`.

    Distances are Euclidean between centres of cells. Objects are those of the finished level.
    """
    index = level.entry(entry)
    item = level.making.groups[index]
    things = [thing for thing in level.level.objects if thing.entry == index]
    shape = level.level.height, level.level.width
    near, clear, own = (np.zeros(shape, bool) for _ in range(3))
    for thing in things:
        own[thing.y, thing.x] = True
        # Nearer than `spacing`, and up to `clear_radius`.
        _add_disc(near, thing.x, thing.y, item.spacing**2 - 1)
        if item.clear_radius:
            _add_disc(clear, thing.x, thing.y, item.clear_radius**2)
    marks = []
    for thing in things:
        if item.spacing > 1:
            marks.append(Circle(thing.x, thing.y, item.spacing))
        if item.clear_radius:
            marks.append(Circle(thing.x, thing.y, item.clear_radius))
    displayed = classes(
        (near, f"nearer than spacing {item.spacing}", SKY),
        (clear, f"clear within {item.clear_radius}", GREEN),
        (own, item.name, ORANGE),
    )
    return replace(displayed, marks=tuple(marks))


def _add_disc(mask: Mask, x: int, y: int, square: int) -> None:
    """Mark in `mask` the cells up to a distance from (x, y).

    `square` is the square of the distance.
    """
    radius = 0
    while (radius + 1) ** 2 <= square:
        radius += 1
    top, left = max(y - radius, 0), max(x - radius, 0)
    part = mask[top : y + radius + 1, left : x + radius + 1]
    rows, columns = np.ogrid[: part.shape[0], : part.shape[1]]
    part |= np.square(rows + top - y) + np.square(columns + left - x) <= square
