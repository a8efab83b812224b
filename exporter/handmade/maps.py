"""Represent a hand-made map, drawn in any editor.

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
from exporter.model.level_values import Scalar

AreaShape = Literal["polygon", "ellipse"]


@dataclass(frozen=True, slots=True)
class HandTile:
    """A tile as a map's file describes it.

    Attributes:
        name: The tile's class or name; empty if the file has none.
        properties: The tile's properties with plain values.
        source: The tile's name in messages, such as `tile 6 of walls.tsx`.
        color: `#rrggbb` or `#rrggbbaa`; empty if the file has none.
    """

    name: str = ""
    properties: Mapping[str, Scalar] = field(default_factory=dict)
    source: str = ""
    color: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class HandLayer:
    """A layer of tiles of a hand-made map.

    Attributes:
        name: The layer's name, after the names of its groups: `Group/Walls`.
        cells: uint16 or uint32 [height, width]: numbers of tiles, as the file has them; 0 is no
            tile.
        tiles: The file's description of each tile number, if it has one.
        origin: Column and row that the editor shows for the first cell.
        number: The editor's number of the layer, to tell layers of one name apart; 0 without one.
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
        name: The name of this object; may be empty.
        kind: The object's class; may be empty.
        x: Column of the object's cell, which may lie outside the map.
        y: Row of the object's cell.
        position: The exact position, in cells.
        properties: The properties with plain values.
        left_out: Names of other properties, such as lists and references.
        group: The name of the object's layer.
        outline: The corners of the shape or picture in order, in cells; empty for a point.
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
        name: The name of this area; may be empty.
        kind: The area's class; may be empty.
        outline: The corners in order, in cells; for an ellipse, of the rectangle around it.
        shape: What the corners are of: `polygon`, or the rectangle around an `ellipse`.
        properties: The properties with plain values.
        left_out: Names of other properties, such as lists and references.
        group: The name of the area's layer.
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
        width: Width in cells.
        height: Height in cells.
        layers: The layers of tiles, all as large as the map, bottom to top.
        objects: The objects, in the order of the file.
        areas: The named areas, in the order of the file.
        not_read: What the file has but levels cannot have, such as pictures; for warnings.
        notes: Suggestions to change the file; for warnings.
    """

    width: int
    height: int
    layers: tuple[HandLayer, ...]
    objects: tuple[HandObject, ...] = ()
    areas: tuple[HandArea, ...] = ()
    not_read: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
