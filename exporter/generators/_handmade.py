"""Maps drawn by hand as layers: the parameters, whatever program they were drawn in, and the rest.

A reader has made a `HandMap` of a file; here one of its layers is laid into the grid that the spec
asks for, with the objects and named areas of the map.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request
from exporter.handmade.areas import box_of, part_of, rectangle_of
from exporter.handmade.legend import TileOptions
from exporter.handmade.maps import HandArea, HandLayer, HandMap, HandObject
from exporter.handmade.meaning import Cells, layer_tiles
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, PlacedObject, Room, Scalar
from exporter.model.limits import MAXIMUM_SIDE
from exporter.model.parameters import NAME_PATTERN, NAME_RULE, About, FileName, Name, Within
from exporter.model.suggestions import unknown_name

# Named areas that are no rectangles: each has a mask.
MAXIMUM_MASKS = 256
# Cells in the masks of one layer.
MAXIMUM_MASK_CELLS = 1 << 27
# Cells of the boxes around all of them, several in one mask too: each is looked at.
MAXIMUM_AREA_CELLS = 1 << 29

TileNumber = Annotated[int, Within(1, 2**32 - 1)]
Offset = Annotated[int, Within(-MAXIMUM_SIDE, MAXIMUM_SIDE)]


@dataclass(frozen=True, kw_only=True)
class HandMadeParameters(MapParameters):
    """Parameters of every map that is drawn by hand in a map editor."""

    file: Annotated[FileName, About("File of the map, relative to the spec.")]
    legend: Annotated[
        dict[TileNumber, Name | TileOptions],
        Within(0, 4096, length=True),
        About(
            "Tiles by their numbers in the file: the name of a known tile, or `{name, walkable, "
            "opaque, color}`. It goes before what the file says of them."
        ),
    ] = field(default_factory=dict)
    fill: Annotated[
        Name | TileOptions,
        About("Tile of cells in which the map has none, and of cells around it."),
    ] = "empty"
    at: Annotated[
        tuple[Offset, Offset] | None,
        About(
            "Cell [x, y] of the layer where the top left cell of the map lies; the map may then "
            "have another size than the layer. Default: both have the same size.",
            "cells",
        ),
    ] = None
    objects: Annotated[
        bool | tuple[Name, ...],
        About(
            "Whether its objects become objects of the level: all, none, or those of the listed "
            "names."
        ),
    ] = True

    def object_names(self) -> tuple[str, ...] | None:
        """Return the names of its objects as far as the spec lists them."""
        if isinstance(self.objects, bool):
            return None if self.objects else ()
        return self.objects


def layer_of(drawn: HandMap, wanted: str | None, file: str) -> HandLayer:
    """Return the layer of a map that a spec names, or the only one.

    Raises:
        ParameterError: There is none, or none of that name, or several of them.
    """
    names = [layer.name for layer in drawn.layers]
    if not names:
        raise ParameterError(f"{file} has no layer of tiles (draw one)", ("file",))
    if wanted is None:
        if len(names) == 1:
            return drawn.layers[0]
        shown = ", ".join(names[:20])
        raise ParameterError(f"{file} has several layers; choose one with `layer` ({shown})")
    found = [layer for layer in drawn.layers if layer.name == wanted]
    if not found:
        raise ParameterError(unknown_name("layer", wanted, names), ("layer",))
    if len(found) > 1:
        message = f"{file} has {len(found)} layers called {wanted!r} (rename all but one)"
        raise ParameterError(message, ("layer",))
    return found[0]


def hand_made(
    drawn: HandMap, layer: HandLayer, parameters: HandMadeParameters, request: Request
) -> Generated:
    """Lay a layer of a map into the wanted grid, with the map's objects and areas.

    Raises:
        ParameterError: The map has another size, a tile has no meaning, or an object no name.
    """
    at = _place(drawn, parameters, request)
    cells, tiles = layer_tiles(layer, parameters.legend, parameters.fill)
    if request.part is not None:
        # A part has neither rooms nor objects of its own.
        x, y = at[0] - request.part.x, at[1] - request.part.y
        return Generated(_laid(cells, (x, y), request.width, request.height), tiles)
    cells = _laid(cells, at, request.width, request.height)
    areas = _Areas(at, request.width, request.height)
    for area in drawn.areas:
        areas.add(area)
    taken = list(_wanted_objects(drawn.objects, parameters))
    inside = [one for one in taken if _holds(one, at, request.width, request.height)]
    notes = [*drawn.notes, *_object_notes(drawn, parameters, taken, len(inside))]
    report = {"notes": notes} if notes else {}
    if drawn.not_read:
        report["not_read"] = list(drawn.not_read)
    return Generated(
        cells,
        tiles,
        report=report,
        rooms=tuple(areas.rooms),
        masks=areas.masks,
        objects=tuple(
            PlacedObject(number, _kind(one), one.x + at[0], one.y + at[1], _properties(one))
            for number, one in enumerate(inside, 1)
        ),
    )


def halo(parameters: HandMadeParameters, _radius: int) -> int:
    """Return the halo of a map that was drawn, none.

    Raises:
        ParameterError: The map brings objects.
    """
    if parameters.objects is not False:
        raise ParameterError(
            "objects of a map that was drawn are not those of a world (write `objects: false`, or "
            "remove `chunk`)",
            ("objects",) if parameters.objects is not True else (),
        )
    return 0


def shortfall(parameters: HandMadeParameters, layer: Layer) -> str:
    """Return what of the map is not in the level, for a warning; empty for nothing."""
    return "; ".join(layer.report.get("notes", ()))


def _place(drawn: HandMap, parameters: HandMadeParameters, request: Request) -> tuple[int, int]:
    """Return the cell in which the map begins."""
    if parameters.at is not None:
        return parameters.at
    width, height = request.window.whole
    if (drawn.width, drawn.height) == (width, height):
        return 0, 0
    raise ParameterError(
        f"{parameters.file} has {drawn.width} x {drawn.height} cells, the layer "
        f"{width} x {height} (write `size: [{drawn.width}, {drawn.height}]`, or "
        "`at: [0, 0]` to lay it there and fill the rest)",
        ("file",),
    )


def _laid(cells: Cells, at: tuple[int, int], width: int, height: int) -> Cells:
    """Return the cells of a map inside another grid; 0 around it."""
    rows, columns = cells.shape
    x, y = at
    if (x, y) == (0, 0) and (rows, columns) == (height, width):
        return cells
    grid = np.zeros((height, width), cells.dtype)
    left, right = max(x, 0), min(x + columns, width)
    top, bottom = max(y, 0), min(y + rows, height)
    if left < right and top < bottom:
        grid[top:bottom, left:right] = cells[top - y : bottom - y, left - x : right - x]
    return grid


def _kind(one: HandObject) -> str:
    return one.kind or one.name


def _properties(one: HandObject) -> Mapping[str, Scalar]:
    """Return the values of an object; its own name is one if it has a class beside it."""
    if one.kind and one.name and one.name != one.kind:
        return {"name": one.name, **one.properties}
    return one.properties


def _wanted_objects(
    objects: Sequence[HandObject], parameters: HandMadeParameters
) -> Iterator[HandObject]:
    """Yield the objects that the spec wants.

    Raises:
        ParameterError: One has no name that objects can have, or the map has none of a name.
    """
    wanted = parameters.objects
    if wanted is False:
        return
    if not isinstance(wanted, bool):
        there = dict.fromkeys(_kind(one) for one in objects)
        for index, name in enumerate(wanted):
            if name not in there:
                message = f"{unknown_name('object', name, list(there))} in {parameters.file}"
                raise ParameterError(message, ("objects", index))
    for one in objects:
        name = _kind(one)
        if not name or (not isinstance(wanted, bool) and name not in wanted):
            continue
        if not re.fullmatch(NAME_PATTERN, name):
            raise ParameterError(
                f"the object at cell ({one.x}, {one.y}) of {one.group!r} in {parameters.file} is "
                f"called {name!r} (names of objects are {NAME_RULE}; rename it, or list those "
                "that are wanted: `objects: [NAME, ...]`)",
                ("objects",),
            )
        yield one


def _holds(one: HandObject, at: tuple[int, int], width: int, height: int) -> bool:
    """Whether the cell of an object is in the grid."""
    return 0 <= one.x + at[0] < width and 0 <= one.y + at[1] < height


def _object_notes(
    drawn: HandMap, parameters: HandMadeParameters, objects: Sequence[HandObject], inside: int
) -> Iterator[str]:
    """Say what of the objects gets lost, and the way out."""
    nameless = sum(not _kind(one) for one in drawn.objects)
    if nameless and parameters.objects is True:
        yield (
            f"{nameless} of {len(drawn.objects)} objects have neither a class nor a name and are "
            "left out (give them one, or list those that are wanted: `objects: [NAME, ...]`)"
        )
    if inside < len(objects):
        yield (
            f"{len(objects) - inside} of {len(objects)} objects lie outside the layer (move them "
            "onto the map, or list those that are wanted: `objects: [NAME, ...]`)"
        )
    lost = sorted({name for one in objects for name in one.left_out})
    if lost:
        shown = ", ".join(lost[:5]) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
        yield (
            f"objects have properties that are no texts, numbers or truth values: {shown} (they "
            "are left out; write them as text)"
        )


class _Areas:
    """The rooms and named areas of a map, as they are gathered."""

    def __init__(self, at: tuple[int, int], width: int, height: int) -> None:
        self.rooms: list[Room] = []
        self.masks: dict[str, NDArray[np.bool_]] = {}
        self._at = at
        self._width = width
        self._height = height
        self._looked_at = 0

    def add(self, area: HandArea) -> None:
        """Make an area a room if it is a rectangle, else a mask; areas of one name are joined.

        Raises:
            ParameterError: There are too many that are no rectangles.
        """
        name = area.name or area.kind
        if not name:
            return
        x, y = self._at
        moved = tuple((px + x, py + y) for px, py in area.outline)
        area = replace(area, outline=moved)
        rectangle = rectangle_of(area)
        if rectangle is not None:
            room = _clipped(name, rectangle, self._width, self._height)
            if room is not None:
                self.rooms.append(room)
            return
        box = box_of(area, self._width, self._height)
        self._looked_at += box.cells
        known = name in self.masks
        kept = (len(self.masks) + (not known)) * self._width * self._height
        if len(self.masks) + (not known) > MAXIMUM_MASKS or kept > MAXIMUM_MASK_CELLS:
            raise ParameterError(
                "the map has too many named areas that are no rectangles (allowed: "
                f"{min(MAXIMUM_MASKS, MAXIMUM_MASK_CELLS // (self._width * self._height))}; "
                "draw rectangles, or give several the same name)",
                ("file",),
            )
        if self._looked_at > MAXIMUM_AREA_CELLS:
            raise ParameterError(
                "the named areas that are no rectangles cover too many cells (allowed: "
                f"{MAXIMUM_AREA_CELLS} in all; draw fewer, smaller or upright ones)",
                ("file",),
            )
        if not known:
            self.masks[name] = np.zeros((self._height, self._width), bool)
        if box.cells:
            self.masks[name][box.place] |= part_of(area, box)


def _clipped(
    name: str, rectangle: tuple[int, int, int, int], width: int, height: int
) -> Room | None:
    """Return the part of a rectangle that is in the grid, as a room; None if there is none."""
    x, y, columns, rows = rectangle
    left, right = max(x, 0), min(x + columns, width)
    top, bottom = max(y, 0), min(y + rows, height)
    if left >= right or top >= bottom:
        return None
    columns, rows = right - left, bottom - top
    return Room(name, left, top, columns, rows, (left + columns // 2, top + rows // 2))
