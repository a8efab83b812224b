"""Place the groups of objects of a level, each in a stage of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from exporter.build.inputs import Inputs
from exporter.model.level import Layer
from exporter.reading.yaml_reader import Path as ValuePath
from exporter.streams import open_stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.grids.room_maps import RoomMap
    from exporter.placement.demands import GroupSurroundings
    from exporter.placement.ground import PlacementGround
    from exporter.placement.observed import ObservedGroup
    from exporter.placement.parameters import ObjectParameters
    from exporter.placement.placed import PlacedGroup
    from exporter.placement.spawn_rows import SpawnRow


def place_group(index: int, name: str, number: int, inputs: Inputs) -> PlacedGroup:
    """Place the objects of one group, an entry of the spec's `objects`.

    Args:
        index: The group's index in the spec's `objects`, for messages only.
        name: The name of the objects.
        number: The group's number among the groups of that name, from 1 in build order.
        inputs: The inputs of the stage.

    Returns:
        The cells of the objects, and the names of objects drawn from a spawn table.

    Raises:
        SpecError: A required object finds no cell, or a rule of the group makes no sense here.
    """
    from exporter.placement.placing import place_group

    item, surroundings = group_surroundings(index, name, number, inputs)
    # No reference program has such objects: they use the portable stream.
    stream = open_stream("portable", inputs.spec("seed"), "objects")
    path: ValuePath = ("objects", index)
    placed: PlacedGroup = inputs.attempt(path, place_group, item, number, surroundings, stream)
    return placed


def observe_group(
    index: int, name: str, number: int, inputs: Inputs, origin: tuple[int, int] = (0, 0)
) -> ObservedGroup:
    """Return which cells a group could use, and why the others are excluded.

    Too few cells are no error.

    Args:
        index: The group's index in the spec's `objects`, for messages only.
        name: The name of the objects.
        number: The group's number among the groups of that name, from 1 in build order.
        inputs: The inputs of the stage.
        origin: The first cell (x, y) of the level in its world.

    Raises:
        SpecError: A rule of the group makes no sense on this map.
    """
    from exporter.placement.observed import observe_group

    item, surroundings = group_surroundings(index, name, number, inputs)
    stream = open_stream("portable", inputs.spec("seed"), "objects", origin)
    path: ValuePath = ("objects", index)
    seen: ObservedGroup = inputs.attempt(path, observe_group, item, number, surroundings, stream)
    return seen


def group_surroundings(
    index: int, name: str, number: int, inputs: Inputs
) -> tuple[ObjectParameters, GroupSurroundings]:
    """Return a group's parameters, and what its rules read of the level.

    The group is the one with this `number` among those called `name`, from 1 in build order;
    `index` is its index in the spec's `objects`, for messages only.

    Raises:
        SpecError: A layer or object that the group names is missing.
    """
    from exporter.placement.demands import GroupSurroundings

    item = inputs.group(name, number)
    path: ValuePath = ("objects", index)
    return item, GroupSurroundings(
        ground=inputs.attempt(path, inputs.ground, item.layer),
        unavailable=inputs.unavailable(name, number),
        earlier=inputs.object_cells(name),
        only_in=_mask(inputs, path, item, "only_in"),
        never_in=_mask(inputs, path, item, "never_in"),
        measured=_measured_layer(inputs, path, item),
        steps=lambda names, backup: inputs.walking_steps(item.layer, names, aside=backup),
        cells=lambda names: inputs.standing_cells(*names),
        rooms=lambda: inputs.rooms(item.layer),
        rows=_spawn_rows(inputs, path, item),
    )


def _spawn_rows(inputs: Inputs, path: ValuePath, item: ObjectParameters) -> tuple[SpawnRow, ...]:
    if item.spawn is None:
        return ()
    from exporter.model.tables.table import build_table
    from exporter.placement.spawn_rows import spawn_rows

    name = item.spawn.table
    table = build_table(name, inputs.spec("tables", name))
    rows: tuple[SpawnRow, ...] = inputs.attempt(path, spawn_rows, item.spawn, table)
    return rows


def _mask(
    inputs: Inputs,
    path: ValuePath,
    item: ObjectParameters,
    parameter: Literal["only_in", "never_in"],
) -> NDArray[np.bool_] | None:
    """Return the cells that `only_in` or `never_in` of a group selects.

    They are the walkable cells of the layer that the `parameter` of the group `item` names: bool
    [height, width]. None if the parameter is unset. `path` is the group's path in the spec.
    """
    from exporter.placement.ground import mask_of_layer

    name = getattr(item, parameter)
    if name is None:
        return None
    mask: NDArray[np.bool_] = inputs.attempt(path, mask_of_layer, inputs.layer(name), parameter)
    return mask


def _measured_layer(inputs: Inputs, path: ValuePath, item: ObjectParameters) -> Layer | None:
    """Return the layer of steps that the parameter `steps` of a group names.

    None if it is unset. `path` is the path of the group `item` in the spec.
    """
    from exporter.placement.ground import heights_of_layer

    if item.steps is None:
        return None
    layer: Layer = inputs.attempt(path, heights_of_layer, inputs.layer(item.steps))
    return layer


def find_ground(name: str, inputs: Inputs) -> PlacementGround:
    """Return the walkable cells of layer `name` where objects can be placed.

    An empty name means all layers on which objects are placed by default.

    Raises:
        ParameterError: No object can be placed on this layer; the error has the path of the
            parameter.
    """
    from exporter.placement.ground import common_ground, ground_of_layer

    if name:
        return ground_of_layer(inputs.layer(name))
    return common_ground([inputs.layer(ground_layer) for ground_layer in inputs.ground_layers()])


def find_rooms(ground: str, inputs: Inputs) -> RoomMap | None:
    """Return the rooms on the layer `ground`, and their connections.

    An empty name means all layers on which objects are placed by default. None if there are no
    rooms.

    Raises:
        ParameterError: No object can be placed on this layer.
    """
    from exporter.grids.room_maps import room_map

    return room_map(inputs.ground(ground or None).layers)


def measure_steps(
    layer: str, backup: int, names: tuple[str, ...], inputs: Inputs
) -> NDArray[np.int32]:
    """Return each cell's walking steps to the nearest object in `names`.

    Args:
        layer: The layer to walk on; empty for all layers on which objects are placed by default.
        backup: 1 to give unwalkable cells the steps of their nearest neighbour plus 1; 0 not to.
        names: The names of the objects.
        inputs: The inputs of the stage.

    Returns:
        int32 [height, width]; -1 for cells from which no object can be reached.

    Raises:
        ParameterError: No object can be placed on this layer.
    """
    from exporter.grids.walking import walking_steps

    ground = inputs.ground(layer or None)
    return walking_steps(ground.walkable, inputs.standing_cells(*names), aside=bool(backup))
