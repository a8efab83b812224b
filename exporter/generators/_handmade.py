"""Make layers from hand-made maps, such as those of Tiled or LDtk.

A reader makes a `HandMap` from a file; this module puts one of its layers into the requested grid,
with the map's objects and named areas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request
from exporter.handmade.areas import MAXIMUM_AREA_CELLS, box_of, part_of, rectangle_of
from exporter.handmade.legend import WALL, Legend, TileOptions, cells_of
from exporter.handmade.maps import HandArea, HandLayer, HandMap, HandObject
from exporter.handmade.meaning import Cells, layer_tiles
from exporter.handmade.names import called, changed_names, with_legal_names
from exporter.handmade.solid import take_solid, unread_areas
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, PlacedObject, Room, Tile
from exporter.model.level_values import Scalar
from exporter.model.limits import MAXIMUM_SIDE
from exporter.model.parameters import About, FileName, Name, Parameters, Within
from exporter.model.suggestions import unknown_name
from exporter.model.texts import flow_text

# Named areas that are no rectangles: each has a mask.
MAXIMUM_MASKS = 256
# Cells in the masks of one layer.
MAXIMUM_MASK_CELLS = 1 << 27

TileNumber = Annotated[int, Within(1, 2**32 - 1)]
Offset = Annotated[int, Within(-MAXIMUM_SIDE, MAXIMUM_SIDE)]
# A name in a map editor: free text.
Label = Annotated[str, Within(1, 1024, length=True)]


@dataclass(frozen=True, kw_only=True)
class LayerId(Parameters):
    """A layer's number in its file, which stays when it is renamed."""

    id: Annotated[int, Within(1, 2**31 - 1)]


@dataclass(frozen=True, kw_only=True)
class HandmadeParameters(MapParameters):
    """Parameters of all generators that read hand-made maps."""

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
    names: Annotated[
        dict[Label, Name],
        Within(0, 4096, length=True),
        About(
            "What objects, rooms and areas are called in the level, by their class or name in the "
            "map.",
            also=("rename", "aliases"),
        ),
    ] = field(default_factory=dict)
    solid: Annotated[
        tuple[Label, ...] | None,
        Within(0, 256, length=True),
        About(
            "Classes, names or layers of areas and tile objects that are walls; `[]` if none of "
            "the map is.",
            also=("collision", "walls", "blocking"),
        ),
    ] = None

    def object_names(self) -> tuple[str, ...] | None:
        """Return the names of objects that the spec lists.

        None if all objects of the map are used, whose names only the file has.
        """
        if isinstance(self.objects, bool):
            return None if self.objects else ()
        return self.objects


def layer_of(drawn: HandMap, expected: str | LayerId | None, file: str) -> HandLayer:
    """Return the layer of the hand-made map that the spec names.

    Args:
        drawn: The map.
        expected: How the spec names the layer: its name, with a number if the name repeats
            (`Walls#2`), or its id; None for the map's only layer.
        file: The map's name for messages.

    Raises:
        ParameterError: There is no such layer, or several could be meant.
    """
    names = [layer.name for layer in drawn.layers]
    if not names:
        raise ParameterError(f"{file} has no tile layer (draw one)", ("file",))
    if expected is None:
        if len(names) == 1:
            return drawn.layers[0]
        displayed = ", ".join(_distinct(names)[:20])
        raise ParameterError(f"{file} has several layers (choose one with `layer`: {displayed})")
    if isinstance(expected, LayerId):
        numbers = [layer.number for layer in drawn.layers]
        if expected.id not in numbers:
            known = ", ".join(f"{layer.number} for {layer.name}" for layer in drawn.layers[:20])
            message = f"{file} has no layer of tiles with the id {expected.id} (there are: {known})"
            raise ParameterError(message, ("layer", "id"))
        return drawn.layers[numbers.index(expected.id)]
    result = [layer for layer in drawn.layers if layer.name == expected]
    name, sign, position = expected.rpartition("#")
    if not result and sign and position.isdecimal():
        same = [layer for layer in drawn.layers if layer.name == name]
        result = same[int(position) - 1 : int(position)] if int(position) else []
    if not result:
        raise ParameterError(unknown_name("layer", expected, _distinct(names)), ("layer",))
    if len(result) > 1:
        message = (
            f"{file} has {len(result)} layers called {expected!r} (write `layer: "
            f"{flow_text(f'{expected}#1')}` for the lowest, {flow_text(f'{expected}#2')} for the "
            "next, "
            f"or the id that Tiled shows, as `layer: {{id: {result[0].number}}}`)"
        )
        raise ParameterError(message, ("layer",))
    return result[0]


def _distinct(names: Sequence[str]) -> list[str]:
    """Return `names` as a spec writes them: with a number (`#2`) if repeated."""
    counts: Counter[str] = Counter()
    distinct = []
    for name in names:
        counts[name] += 1
        distinct.append(f"{name}#{counts[name]}" if names.count(name) > 1 else name)
    return distinct


def hand_made(
    drawn: HandMap, layer: HandLayer, parameters: HandmadeParameters, request: Request
) -> Generated:
    """Make the requested grid from `layer` of the hand-made map `drawn`.

    The result has the map's objects and named areas; a chunk has neither.

    Raises:
        ParameterError: The map has another size, a tile has no meaning, or the spec has a name that
            the map lacks.
    """
    at = _offset(drawn, parameters, request)
    cells, tiles = layer_tiles(layer, parameters.legend, parameters.fill)
    drawn, walls = take_solid(drawn, parameters.solid or ())
    if walls is not None:
        cells, tiles = _walled(cells, tiles, walls)
    if request.part is not None:
        # A chunk has neither rooms nor objects.
        x, y = at[0] - request.part.x, at[1] - request.part.y
        return Generated(_laid(cells, (x, y), request.width, request.height), tiles)
    cells = _laid(cells, at, request.width, request.height)
    unread = () if parameters.solid == () else tuple(unread_areas(drawn))
    drawn, changed = with_legal_names(drawn, parameters.names)
    areas = _Areas(at, request.width, request.height)
    for area in drawn.areas:
        areas.add(area)
    used = list(_selected_objects(drawn.objects, parameters))
    inside = [item for item in used if _holds(item, at, request.width, request.height)]
    notes = [*drawn.notes, *_object_notes(drawn, parameters, used, len(inside))]
    used_names = {called(item) for item in used}
    changed = {old: new for old, new in changed.items() if new in used_names}
    if changed:
        notes.append(changed_names(changed))
    notes += unread
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
            PlacedObject(number, called(item), item.x + at[0], item.y + at[1], _properties(item))
            for number, item in enumerate(inside, 1)
        ),
    )


def _walled(
    cells: Cells, tiles: tuple[Tile, ...], walls: NDArray[np.bool_]
) -> tuple[Cells, tuple[Tile, ...]]:
    """Turn the free cells that `walls` marks into walls.

    Free cells are walkable or empty. Returns the new cells, and `tiles` with the tile of a wall.
    """
    legend = Legend(tiles)
    wall = legend.add(WALL)
    free = np.zeros(max(tile.id for tile in tiles) + 1, bool)
    for tile in tiles:
        free[tile.id] = tile.walkable or tile.empty
    return cells_of(np.where(walls & free[cells], wall, cells.astype(np.int32))), legend.tiles


def halo(parameters: HandmadeParameters, _radius: int) -> int:
    """Return the halo 0: no cell of a hand-made map affects another one.

    Raises:
        ParameterError: The parameters use the map's objects, which chunks cannot have.
    """
    if parameters.objects is not False:
        raise ParameterError(
            "the objects of a hand-made map cannot be used in a world (write `objects: false`, or "
            "remove `chunk`)",
            ("objects",) if parameters.objects is not True else (),
        )
    return 0


def shortfall(parameters: HandmadeParameters, layer: Layer) -> str:
    """Return a warning about what `layer` lacks of the hand-made map, or ""."""
    return "; ".join(layer.report.get("notes", ()))


def _offset(drawn: HandMap, parameters: HandmadeParameters, request: Request) -> tuple[int, int]:
    """Return the cell (x, y) of the layer at which the map's first cell lies.

    Raises:
        ParameterError: The map has another size than the layer, and the parameter `at` is not set.
    """
    if parameters.at is not None:
        return parameters.at
    width, height = request.window.whole
    if (drawn.width, drawn.height) == (width, height):
        return 0, 0
    raise ParameterError(
        f"{parameters.file} has {drawn.width} x {drawn.height} cells, but the layer has {width} x "
        f"{height} (write `size: [{drawn.width}, {drawn.height}]`, or `at: [0, 0]` to lay it "
        "there and fill the rest)",
        ("file",),
    )


def _laid(cells: Cells, at: tuple[int, int], width: int, height: int) -> Cells:
    """Lay `cells` on a grid of zeros of `width` x `height`, cut off to fit.

    The first of `cells` is laid at (x, y) `at`, which may be outside.
    """
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


def _properties(item: HandObject) -> Mapping[str, Scalar]:
    """Return the properties of `item`, and its name if it also has a class."""
    if item.kind and item.name and item.name != item.kind:
        return {"name": item.name, **item.properties}
    return item.properties


def _selected_objects(
    objects: Sequence[HandObject], parameters: HandmadeParameters
) -> Iterator[HandObject]:
    """Yield those of `objects` that the parameter `objects` selects.

    Objects with neither a class nor a name are never selected.

    Raises:
        ParameterError: The map has no object of a selected name.
    """
    expected = parameters.objects
    if expected is False:
        return
    if not isinstance(expected, bool):
        there = dict.fromkeys(called(item) for item in objects)
        for index, name in enumerate(expected):
            if name not in there:
                message = f"{unknown_name('object', name, list(there))} in {parameters.file}"
                raise ParameterError(message, ("objects", index))
    for item in objects:
        name = called(item)
        if not name or (not isinstance(expected, bool) and name not in expected):
            continue
        yield item


def _holds(item: HandObject, at: tuple[int, int], width: int, height: int) -> bool:
    """Return whether `item`, moved by (x, y) `at`, lies in the grid."""
    return 0 <= item.x + at[0] < width and 0 <= item.y + at[1] < height


def _object_notes(
    drawn: HandMap, parameters: HandmadeParameters, objects: Sequence[HandObject], inside: int
) -> Iterator[str]:
    """Yield warnings about objects and properties that are left out.

    `objects` are the selected ones, of which `inside` lie in the layer. Each warning has a fix.
    """
    nameless = sum(not called(item) for item in drawn.objects)
    if nameless and parameters.objects is True:
        yield (
            f"{nameless} of {len(drawn.objects)} objects have neither a class nor a name and are "
            f"left out (give them one{_solid_layers(drawn)}, or list the ones to keep: "
            "`objects: [NAME, ...]`)"
        )
    if inside < len(objects):
        yield (
            f"{len(objects) - inside} of {len(objects)} objects lie outside the layer (move them "
            "onto the map, or list the ones to keep: `objects: [NAME, ...]`)"
        )
    dropped = sorted({name for item in objects for name in item.left_out})
    if dropped:
        displayed = ", ".join(dropped[:5]) + (
            f" and {len(dropped) - 5} more" if len(dropped) > 5 else ""
        )
        yield (
            f"objects have properties that are no texts, numbers or truth values: {displayed} "
            "(they "
            "are left out; write them as text)"
        )


def _solid_layers(drawn: HandMap) -> str:
    """Return a hint how nameless objects with outlines become walls, or ""."""
    layers = dict.fromkeys(
        item.group for item in drawn.objects if not called(item) and item.outline and item.group
    )
    if not layers:
        return ""
    listed = ", ".join(flow_text(layer) for layer in list(layers)[:5])
    return f", write `solid: [{listed}]` to make their cells walls"


class _Areas:
    """Collects the rooms and named areas of a map.

    `at` is the cell (x, y) of the grid at which the map begins.
    """

    def __init__(self, at: tuple[int, int], width: int, height: int) -> None:
        self.rooms: list[Room] = []
        self.masks: dict[str, NDArray[np.bool_]] = {}
        self._at = at
        self._width = width
        self._height = height
        self._looked_at = 0

    def add(self, area: HandArea) -> None:
        """Add an area: a room if it is a rectangle, otherwise a mask.

        An area with neither a name nor a class is left out.

        Raises:
            ParameterError: There are too many areas that are not rectangles, or they are too large.
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
        remaining = (len(self.masks) + (not known)) * self._width * self._height
        if len(self.masks) + (not known) > MAXIMUM_MASKS or remaining > MAXIMUM_MASK_CELLS:
            raise ParameterError(
                "the map has too many named areas that are not rectangles (allowed: "
                f"{min(MAXIMUM_MASKS, MAXIMUM_MASK_CELLS // (self._width * self._height))}; draw "
                "rectangles, or give several the same name)",
                ("file",),
            )
        if self._looked_at > MAXIMUM_AREA_CELLS:
            raise ParameterError(
                "the named areas that are not rectangles cover too many cells (allowed: "
                f"{MAXIMUM_AREA_CELLS} in all; draw fewer, smaller or upright ones)",
                ("file",),
            )
        if not known:
            self.masks[name] = np.zeros((self._height, self._width), bool)
        if box.cells:
            self.masks[name][box.slices] |= part_of(area, box)


def _clipped(
    name: str, rectangle: tuple[int, int, int, int], width: int, height: int
) -> Room | None:
    """Return `rectangle` as a room cut off at the edges; None if outside."""
    x, y, columns, rows = rectangle
    left, right = max(x, 0), min(x + columns, width)
    top, bottom = max(y, 0), min(y + rows, height)
    if left >= right or top >= bottom:
        return None
    columns, rows = right - left, bottom - top
    return Room(name, left, top, columns, rows, (left + columns // 2, top + rows // 2))
