"""Objects placed on given layers, as a build does it, without a spec around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from exporter.build.object_groups import ObjectGroups
from exporter.grids.room_maps import room_map
from exporter.grids.walking import walking_steps
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, PlacedObject, Table
from exporter.placement.demands import GroupSurroundings
from exporter.placement.ground import PlacementGround, common_ground, ground_of_layer
from exporter.placement.parameters import ObjectParameters
from exporter.placement.placing import place_group
from exporter.placement.spawn_rows import spawn_rows
from exporter.reading.build_order import build_graph
from exporter.streams import Stream


def placed_groups(
    objects: Sequence[ObjectParameters],
    layers: Mapping[str, Layer],
    play: Sequence[str],
    stream: Stream,
    tables: Mapping[str, Table] = MappingProxyType({}),
) -> ObjectGroups:
    """Place groups of objects in the order of a build.

    Args:
        objects: In the order of the spec.
        layers: The finished layers by name.
        play: The names of the play layers.
        stream: That of all objects.
        tables: Tables that they are drawn from.

    Raises:
        ParameterError: With the path (index, parameter).
    """
    height, width = next(iter(layers.values())).cells.shape if layers else (1, 1)
    groups = ObjectGroups(objects, (width, height))
    for part in build_graph({}, objects, None, {}, None).ordered():
        if part.kind != "objects":
            continue
        index = int(part.key)
        try:
            objects[index].check(width, height)
            ground = _ground(objects[index], layers, play)
            name, number = groups.begin(index)
            around = _surroundings(groups, name, number, ground)
            spawn = objects[index].spawn
            if spawn is not None:
                around = replace(around, rows=spawn_rows(spawn, tables[spawn.table]))
            places = place_group(objects[index], number, around, stream)
        except ParameterError as error:
            raise ParameterError(error.message, (index, *error.path)) from None
        groups.finish(index, places, None)
    return groups


def place_objects(
    objects: Sequence[ObjectParameters],
    layers: Mapping[str, Layer],
    play: Sequence[str],
    stream: Stream,
) -> tuple[PlacedObject, ...]:
    """Return the objects of `placed_groups`."""
    return placed_groups(objects, layers, play, stream).all


def _ground(
    item: ObjectParameters, layers: Mapping[str, Layer], play: Sequence[str]
) -> PlacementGround:
    if item.layer is not None:
        return ground_of_layer(layers[item.layer])
    return common_ground([layers[name] for name in play])


def _surroundings(
    groups: ObjectGroups, name: str, number: int, ground: PlacementGround
) -> GroupSurroundings:
    @cache
    def steps(names: tuple[str, ...], backup: bool) -> NDArray[np.int32]:
        return walking_steps(ground.walkable, groups.cells(*names), aside=backup)

    return GroupSurroundings(
        ground,
        groups.unavailable(name, number),
        groups.cells(name),
        steps,
        lambda names: groups.cells(*names),
        lambda: room_map(ground.layers),
    )


def is_clear(x: int, y: int, radius: int, free: NDArray[np.bool_]) -> bool:
    """Return whether all cells of a disc are inside and free."""
    return all(
        0 <= x + dx < free.shape[1] and 0 <= y + dy < free.shape[0] and free[y + dy, x + dx]
        for dx in range(-radius, radius + 1)
        for dy in range(-radius, radius + 1)
        if dx * dx + dy * dy <= radius * radius
    )
