"""Find the cells of walls that are drawn as areas or objects.

The parameter `solid` of a spec names such shapes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import floor

import numpy as np
from numpy.typing import NDArray

from exporter.handmade.areas import MAXIMUM_AREA_CELLS, CellBox, box_of, part_of, rectangle_of
from exporter.handmade.maps import HandArea, HandMap, HandObject
from exporter.model.errors import ParameterError
from exporter.model.suggestions import unknown_name
from exporter.model.texts import count, flow_text

Mask = NDArray[np.bool_]

# Words in the class, name or layer of drawn walls.
_WALL = re.compile(
    "collision|collid|solid|wall|block|obstacle|barrier|boundar|impass|hitbox", re.IGNORECASE
)


def _labels(item: HandArea | HandObject) -> tuple[str, ...]:
    """Return the texts by which `solid` can name `item`: class, name, layer."""
    return tuple(filter(None, (item.kind, item.name, item.group)))


def take_solid(drawn: HandMap, expected: Sequence[str]) -> tuple[HandMap, Mask | None]:
    """Return the map without its solid shapes, and the cells of these shapes.

    `expected` is the parameter `solid`: classes, names or layers of shapes that are walls. The
    cells are bool [height, width], or None if `expected` is empty.

    Raises:
        ParameterError: No shape has such a name, or the shapes cover too many cells; its path is
            the parameter `solid`.
    """
    if not expected:
        return drawn, None
    things: tuple[HandArea | HandObject, ...] = (*drawn.areas, *drawn.objects)
    known = dict.fromkeys(label for thing in things for label in _labels(thing))
    for index, name in enumerate(expected):
        if name not in known:
            message = unknown_name("area, object or layer", name, list(known))
            raise ParameterError(message, ("solid", index))
    chosen = set(expected)
    mask = np.zeros((drawn.height, drawn.width), bool)
    seen = 0
    for thing in things:
        if chosen.isdisjoint(_labels(thing)):
            continue
        box, cells = _cells(thing, drawn.width, drawn.height)
        seen += box.cells
        if seen > MAXIMUM_AREA_CELLS:
            raise ParameterError(
                f"the solid shapes cover too many cells (allowed: {MAXIMUM_AREA_CELLS} in all; "
                "draw fewer or smaller areas)",
                ("solid",),
            )
        if box.cells:
            mask[box.slices] |= cells
    return (
        replace(
            drawn,
            areas=tuple(area for area in drawn.areas if chosen.isdisjoint(_labels(area))),
            objects=tuple(item for item in drawn.objects if chosen.isdisjoint(_labels(item))),
        ),
        mask,
    )


def _cells(item: HandArea | HandObject, width: int, height: int) -> tuple[CellBox, Mask]:
    """Return a box of cells in the map, and which of these `item` covers.

    A cell is covered if its centre is inside the shape. A shape too thin to contain any centre
    covers the cell of its own middle.
    """
    if isinstance(item, HandObject) and not item.outline:
        return _box((item.x, item.y, 1, 1), width, height)
    area = item if isinstance(item, HandArea) else HandArea("", "", item.outline)
    rectangle = rectangle_of(area)
    if rectangle is not None:
        left, top, columns, rows = rectangle
        if not columns:
            left, columns = floor(_middle([x for x, _ in area.outline])), 1
        if not rows:
            top, rows = floor(_middle([y for _, y in area.outline])), 1
        return _box((left, top, columns, rows), width, height)
    box = box_of(area, width, height)
    cells = part_of(area, box) if box.cells else np.zeros((0, 0), bool)
    if cells.any():
        return box, cells
    x, y = (floor(_middle([end[axis] for end in area.outline])) for axis in (0, 1))
    return _box((x, y, 1, 1), width, height)


def _middle(ends: Sequence[float]) -> float:
    return (min(ends) + max(ends)) / 2


def _box(rectangle: tuple[int, int, int, int], width: int, height: int) -> tuple[CellBox, Mask]:
    """Return the part of `rectangle` that is in the map, with all its cells.

    `rectangle` is left, top, width and height, and `width` and `height` are the map's, in cells.
    """
    x, y, columns, rows = rectangle
    left, top = min(max(x, 0), width), min(max(y, 0), height)
    right, bottom = max(min(x + columns, width), left), max(min(y + rows, height), top)
    return CellBox(left, top, right, bottom), np.ones((bottom - top, right - left), bool)


def unread_areas(drawn: HandMap) -> Iterator[str]:
    """Yield warnings about shapes that may be walls but are read as areas.

    `drawn` is the map without its solid shapes.
    """
    nameless = Counter(area.group for area in drawn.areas if not (area.kind or area.name))
    for group, times in nameless.items():
        where = f" in {group!r}" if group else ""
        what = f"{count(times, 'area')} without a class and a name{where}"
        way_out = _solid(group) if group else "write `solid: []` to leave them out"
        yield f"not read: {what} (give it one in the map, or {way_out})"
    named = [area for area in drawn.areas if area.kind or area.name]
    yield from _unread_walls("area", named)
    yield from _unread_walls("object", [item for item in drawn.objects if item.outline])


def _unread_walls(what: str, things: Sequence[HandArea | HandObject]) -> Iterator[str]:
    """Yield warnings about shapes whose class, name or layer suggests walls.

    `what` is the noun for `things` in the message.
    """
    counter: Counter[tuple[str, str]] = Counter()
    for thing in things:
        labels = (("class", thing.kind), ("name", thing.name), ("layer", thing.group))
        counter.update([label for label in labels if _WALL.search(label[1])][:1])
    for (kind, text), times in counter.items():
        yield f"not read as walls: {count(times, what)} of the {kind} {text!r} ({_solid(text)})"


def _solid(label: str) -> str:
    return (
        f"write `solid: [{flow_text(label)}]` to make the cells walls, or `solid: []` to leave "
        "them as they are"
    )
