"""Place the objects of a world in any window of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from exporter.model.level import Layer, PlacedObject
from exporter.model.property_values import plain_values
from exporter.model.windows import Window
from exporter.placement.ground import (
    PlacementGround,
    common_ground,
    ground_of_layer,
    heights_of_layer,
    mask_of_layer,
)
from exporter.placement.parameters import ObjectParameters
from exporter.streams import Stream

# Cells of objects: int64 [objects, 2], x and y in the world, row by row.
Cells = NDArray[np.int64]


def cells_in(cells: Cells, window: Window) -> Cells:
    """Return the `cells` that are inside `window`.

    `cells` are int64 [n, 2]: x and y in the world.
    """
    x, y = cells[:, 0], cells[:, 1]
    inside = (x >= window.x) & (x < window.right) & (y >= window.y) & (y < window.bottom)
    return cells[inside]


def place_in_window(
    item: ObjectParameters,
    number: int,
    window: Window,
    layers: Mapping[str, Layer],
    ground: Sequence[str],
    used: Iterable[Cells],
    stream: Stream,
) -> Cells:
    """Place a group of objects in `window`; return their cells in the world.

    Each cell is decided independently of the others.

    Args:
        item: The parameters of the group.
        number: The group's number among the groups of its name, from 1 in build order.
        window: The cells to place objects on. Near its edge, within `clear_radius`, objects may
            differ from those of a larger window.
        layers: The layers in the window that the group reads.
        ground: The names of the layers on which objects are placed by default.
        used: The cells of earlier groups.
        stream: The random stream of all objects, with the window's first cell as its origin.

    Raises:
        ParameterError: No object can be placed on this layer; the error has the path of the
            parameter.
    """
    from exporter.placement.demands import GroupSurroundings
    from exporter.placement.placing import place_group

    occupied = np.zeros((window.height, window.width), bool)
    for cells in used:
        near = cells_in(cells, window)
        occupied[near[:, 1] - window.y, near[:, 0] - window.x] = True
    surroundings = GroupSurroundings(
        ground=_ground(item, layers, ground),
        unavailable=occupied,
        earlier=(),
        # Groups whose cells are decided independently read none of these.
        steps=_never,
        cells=_never,
        rooms=_never,
        only_in=None if item.only_in is None else mask_of_layer(layers[item.only_in], "only_in"),
        never_in=None
        if item.never_in is None
        else mask_of_layer(layers[item.never_in], "never_in"),
        measured=None if item.steps is None else heights_of_layer(layers[item.steps]),
    )
    placed = place_group(item, number, surroundings, stream)
    origin = np.array([window.x, window.y], np.int64)
    return np.array(placed.cells, np.int64).reshape(-1, 2) + origin


def numbered_objects(
    groups: Sequence[ObjectParameters], cells: Mapping[int, Cells], window: Window
) -> tuple[PlacedObject, ...]:
    """Return the objects inside `window`, with cells relative to it.

    Their ids count from 1 in each window.

    Args:
        groups: The groups in the order of the spec.
        cells: The cells of each group in the world, by the group's index in the spec.
        window: A window of the world.
    """
    result: list[PlacedObject] = []
    for index in sorted(cells, key=lambda index: (groups[index].after_others, index)):
        item = groups[index]
        properties = plain_values(item.properties)
        result += [
            PlacedObject(0, item.name, x - window.x, y - window.y, properties, entry=index)
            for x, y in cells_in(cells[index], window).tolist()
        ]
    return tuple(replace(item, id=number) for number, item in enumerate(result, 1))


def _ground(
    item: ObjectParameters, layers: Mapping[str, Layer], ground: Sequence[str]
) -> PlacementGround:
    if item.layer is not None:
        return ground_of_layer(layers[item.layer])
    return common_ground([layers[name] for name in ground if layers[name].role == "play"])


def _never(*_: object) -> NoReturn:
    raise AssertionError("a group that is decided cell by cell looks no further")
