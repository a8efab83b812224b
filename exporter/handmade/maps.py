"""Represent a hand-made map, whatever editor it was made in.

Readers of file formats make these values; generators turn them into layers, rooms and objects.
Positions are in cells of the map, from the top left corner of cell (0, 0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Scalar

AreaShape = Literal["polygon", "ellipse"]


@dataclass(frozen=True, slots=True)
class HandTile:
    """The description of a tile in a map's file.

    Attributes:
        name: Its class or name; empty if the file gives it none.
        properties: Its values, as far as they are plain.
        source: Its name in messages, for example `tile 6 of walls.tsx`.
        color: `#rrggbb` or `#rrggbbaa`; empty if the file gives it none.
    """

    name: str = ""
    properties: Mapping[str, Scalar] = field(default_factory=dict)
    source: str = ""
    color: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class HandLayer:
    """A layer of tiles of a hand-made map.

    Attributes:
        name: Its name, with the names of the groups it is in: `Group/Walls`.
        cells: uint16 or uint32 [height, width]: numbers of tiles, as the file has them; 0 is no
            tile.
        tiles: What the file says of those numbers; one that is missing is a tile of which it
            says nothing.
        origin: Column and row that its program shows for its first cell.
        number: What its program calls it where names repeat; 0 if it has no such number.
    """

    name: str
    cells: NDArray[np.unsignedinteger[Any]]
    tiles: Mapping[int, HandTile] = field(default_factory=dict)
    origin: tuple[int, int] = (0, 0)
    number: int = 0


@dataclass(frozen=True, slots=True)
class HandObject:
    """An object at a point of a hand-made map.

    Attributes:
        name: The name of this one thing; may be empty.
        kind: Its class; may be empty.
        x: Column of its cell, which may lie outside the map.
        y: Row of that cell.
        position: Its exact position, in cells.
        properties: Its plain values.
        left_out: Names of its other values, such as lists and references.
        outline: The corners of its shape or picture in order, in cells; empty for a point.
        group: The name of the layer it is in.
    """

    name: str
    kind: str
    x: int
    y: int
    position: tuple[float, float]
    properties: Mapping[str, Scalar] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    group: str = ""
    outline: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class HandArea:
    """A named area of a hand-made map.

    Attributes:
        name: The name of this one area; may be empty.
        kind: Its class; may be empty.
        outline: Its corners in order, in cells; of an ellipse the four corners around it.
        shape: How the corners are to be read.
        properties: Its values, as far as they are plain.
        left_out: Names of the values that are not plain.
        group: The name of the layer it is in.
    """

    name: str
    kind: str
    outline: tuple[tuple[float, float], ...]
    shape: AreaShape = "polygon"
    properties: Mapping[str, Scalar] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class HandMap:
    """A hand-made map: its layers, objects and areas.

    Attributes:
        width: Cells in a row.
        height: Rows.
        layers: The grids of tiles, all of that size, from the lowest to the topmost.
        objects: The things on it, in the order of the file.
        areas: The named parts of it, in the order of the file.
        not_read: Parts of the file that levels do not have, such as pictures.
        notes: Suggested changes of the file, for warnings.
    """

    width: int
    height: int
    layers: tuple[HandLayer, ...]
    objects: tuple[HandObject, ...] = ()
    areas: tuple[HandArea, ...] = ()
    not_read: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
