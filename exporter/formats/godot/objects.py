"""Write a level's objects as nodes: markers or scene instances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from exporter.formats._rooms import layer_rooms
from exporter.formats.godot.display import display_values
from exporter.formats.godot.exported_variables import Variable, fitting
from exporter.formats.godot.nodes import Node
from exporter.formats.godot.object_scenes import ObjectScene
from exporter.formats.godot.property_values import metadata_value
from exporter.formats.godot.text import is_metadata_name, node_name
from exporter.formats.godot.tile_cells import cells_of, tiles_as_scenes
from exporter.formats.godot.values import Value, Vector2, Vector2i
from exporter.formats.heights.samples import height_range
from exporter.model.errors import LevelError, ParameterError
from exporter.model.level import Layer, Level, PlacedObject
from exporter.model.level_values import LayerDisplay, PropertyValue
from exporter.model.mission import Mission
from exporter.model.texts import unused_name


def objects_node(
    level: Level,
    name: str,
    tile_size: int,
    scenes: Mapping[str, ObjectScene],
    display: LayerDisplay,
) -> Node:
    """Return a node with a child node for each object of the level.

    A child is an instance of the object's scene, or else a Marker2D. Several objects with one name
    get numbers; each is in the group of its name. Instances that replace tiles follow. `scenes` are
    the game's, by the objects' scene names (`PlacedObject.called`); `tile_size` is a cell's side in
    pixels; `display` says how the node is drawn.

    Raises:
        LevelError: An object's property does not fit its scene's variable of that name.
        ParameterError: The same, for a property of an object that is not in the spec.
    """
    names = _node_names(level)
    paths = _paths(level, names, "..")
    _check_variables(level, scenes, paths)
    children = []
    for thing, own in zip(level.objects, names, strict=True):
        called = thing.called(scenes)
        scene = None if called is None else scenes[called]
        children.append(_object_node(thing, own, tile_size, scene, paths))
    used = set(names)
    for name_of_tile in tiles_as_scenes(level, scenes):
        scene = scenes[name_of_tile]
        for number, (x, y, layers) in enumerate(cells_of(level, name_of_tile), 1):
            children.append(
                Node(
                    unused_name(f"{node_name(name_of_tile)}_{number}", used),
                    "",
                    {"position": _middle(x, y, tile_size)} if scene.placed else {},
                    {"object": name_of_tile, "cell": Vector2i(x, y), "layers": layers},
                    (name_of_tile,),
                    instance=scene.resource,
                )
            )
    look = display_values(display, ("objects", "godot"), "Node2D", ParameterError)
    return Node(name, "Node2D", look, children=tuple(children))


def _node_names(level: Level) -> list[str]:
    """Return a unique node name for each object of the level, in order."""
    counts = Counter(thing.name for thing in level.objects)
    seen: Counter[str] = Counter()
    used: set[str] = set()
    names = []
    for thing in level.objects:
        seen[thing.name] += 1
        expected = node_name(thing.name)
        if counts[thing.name] > 1:
            expected += f"_{seen[thing.name]}"
        names.append(unused_name(expected, used))
    return names


def _paths(level: Level, names: Sequence[str], parent: str) -> dict[str, str]:
    """Return, for each name of objects, the node path of the first object.

    `names` are the node names of the objects, `parent` is the path of the node above.
    """
    things = zip(level.objects, names, strict=True)
    return {thing.name: f"{parent}/{name}" for thing, name in reversed(list(things))}


def level_metadata(
    level: Level, height_files: Mapping[str, str], objects: str = ""
) -> dict[str, Value]:
    """Return the metadata of a level's root node.

    `height_files` has the names of the EXR files of height layers, by layer name; `objects` is the
    name of the node with the objects, for paths to objects in the level's properties.
    """
    own: dict[str, Value] = {
        "level": level.name,
        "seed": level.seed,
        "rng": level.rng,
        "size": Vector2i(level.width, level.height),
    }
    if height_files:
        own["heights"] = {
            layer.name: _heights(layer, height_files[layer.name])
            for layer in level.height_layers()
            if layer.name in height_files
        }
    own |= _rooms(level)
    if level.mission is not None:
        own["mission"] = _mission(level.mission)
    paths = _paths(level, _node_names(level), objects) if level.properties else {}
    return _with_properties(own, level.properties, paths)


def _mission(mission: Mission) -> dict[str, Value]:
    """Return the mission as data for the addon's `LevelMission`."""
    return {
        "start": mission.start,
        "goal": mission.goal,
        "locks": tuple(
            {
                "name": lock.name,
                "kind": lock.kind,
                "cells": tuple(Vector2i(*cell) for cell in lock.cells),
                "opened_from": tuple(Vector2i(*cell) for cell in lock.opened_from),
            }
            for lock in mission.locks
        ),
        "walkthrough": mission.walkthrough,
    }


def _rooms(level: Level) -> dict[str, Value]:
    """Return the play layers' rooms and connections; empty without rooms.

    Connections name rooms by their indices in the list of all rooms.
    """
    rooms: list[Value] = []
    ways: list[Value] = []
    for layer in level.play_layers():
        before = len(rooms)
        rooms += [
            {
                "name": node.room.name,
                "layer": layer.name,
                "position": Vector2i(node.room.x, node.room.y),
                "size": Vector2i(node.room.width, node.room.height),
                "center": Vector2i(*node.room.center),
                "neighbours": tuple(before + other for other in node.neighbours),
                "doors": tuple(Vector2i(x, y) for x, y in node.doors),
            }
            for node in layer_rooms(layer)
        ]
        ways += [
            {
                "rooms": tuple(before + room for room in connection.rooms),
                "cell": Vector2i(connection.x, connection.y),
                "kind": connection.kind,
            }
            for connection in layer.connections
        ]
    return {"rooms": tuple(rooms), "connections": tuple(ways)} if rooms else {}


def _object_node(
    thing: PlacedObject,
    name: str,
    tile_size: int,
    scene: ObjectScene | None,
    paths: Mapping[str, str],
) -> Node:
    middle = _middle(thing.x, thing.y, tile_size)
    own: dict[str, Value] = {
        "id": thing.id,
        "object": thing.name,
        "cell": Vector2i(thing.x, thing.y),
    }
    metadata = _with_properties(own, thing.properties, paths)
    if scene is None:
        return Node(name, "Marker2D", {"position": middle}, metadata, (thing.name,))
    return Node(
        name,
        "",
        {"position": middle} if scene.placed else {},
        metadata,
        (thing.name,),
        instance=scene.resource,
        variables={
            name: fitting(value, variable, paths)
            for name, value, variable in _set_variables(thing, scene)
        },
    )


def _middle(x: int, y: int, tile_size: int) -> Vector2:
    return Vector2((2 * x + 1) * tile_size / 2, (2 * y + 1) * tile_size / 2)


def _check_variables(
    level: Level, scenes: Mapping[str, ObjectScene], paths: Mapping[str, str]
) -> None:
    """Check that objects' properties fit the variables of their scenes.

    Raises:
        LevelError: Properties do not fit; the error lists all of them.
        ParameterError: A property of an object that is not in the spec does not fit.
    """
    errors: dict[tuple[int, str], LevelError] = {}
    for thing in level.objects:
        called = thing.called(scenes)
        if called is None:
            continue
        for name, value, variable in _set_variables(thing, scenes[called]):
            try:
                fitting(value, variable, paths)
            except ValueError as error:
                message = f"{name!r} {error}"
                if thing.entry is None:
                    raise ParameterError(message, ("scenes", called)) from None
                path = ("objects", thing.entry, "properties", name)
                errors.setdefault((thing.entry, name), LevelError(message, path))
    if errors:
        first, *others = errors.values()
        raise LevelError(first.message, first.path, tuple(others))


def _set_variables(
    thing: PlacedObject, scene: ObjectScene
) -> Iterator[tuple[str, PropertyValue, Variable]]:
    """Yield the properties of `thing` that set a variable of its scene.

    A property is yielded as its name, its value and the variable. Null leaves a variable unchanged.
    """
    for name, value in thing.properties.items():
        if value is not None and name in scene.variables:
            yield name, value, scene.variables[name]


def _with_properties(
    own: dict[str, Value], users: Mapping[str, PropertyValue], paths: Mapping[str, str]
) -> dict[str, Value]:
    """Return the metadata `own` with the user's properties, `users`, added.

    The entry `properties` has all of them, by name. A property is also an entry of its own if Godot
    allows its name and no other entry has it. `paths` has the node paths of objects, by name.
    """
    if not users:
        return own
    values = {name: metadata_value(value, paths) for name, value in users.items()}
    entries = own | {"properties": values}
    free = {
        name: value
        for name, value in values.items()
        if is_metadata_name(name) and name not in entries
    }
    return entries | free


def _heights(layer: Layer, file: str) -> dict[str, Value]:
    """Return a height layer's file, size and range, as metadata for scripts."""
    heights = height_range(layer)
    return {
        "file": file,
        "size": Vector2i(layer.width, layer.height),
        "minimum": float(heights.minimum),
        "maximum": float(heights.maximum),
        "units": heights.units,
    }
