"""Encode a scene as data in a level's blob, for the addon's importer.

The data is made from the same tree of nodes as the `.tscn`, so both describe the same scene. It
contains no code: the importer knows the few classes and properties of a level's scene, the only
script is the addon's own copy, and files lie beside the blob, except scenes of objects.

The value is a Dictionary:

    format         1, or 2 with instances of other scenes
    script         SHA-256 of the script of large levels, as hexadecimal digits
    tile_size      side of a cell in pixels
    resources      Array of [class, file name] or [class, properties]
    nodes          Array of [parent, class, name, groups, properties, resources, metadata]

`parent` is the index of an earlier node, -1 for the root. The `resources` of a node map names of
properties to indices in the list `resources`. A node with the script of large levels has the class
`LevelChunks`. A TileMapLayer has its cells not as one PackedByteArray of records of 12 bytes but as
three PackedInt32Array: the records' columns of 32 bits, of which the first has differences from the
number before.

An instance of another scene has the class `SceneInstance`, that scene as its resource `scene`,
which is [`PackedScene`, path], and as property `variables` a Dictionary of [number of the Variant
type, value]. The importer instances only scenes that the settings of the import allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.formats.godot.nodes import Node, Scene
from exporter.formats.godot.scripts import HOOK, large_level_script
from exporter.formats.godot.values import (
    Color,
    ExternalResource,
    NodePath,
    NodeReference,
    PackedByteArray,
    PackedInt32Arrays,
    PackedVector2Array,
    Raw,
    StringName,
    SubResource,
    TypedArray,
    Value,
    Vector2,
    Vector2i,
    Vector3,
    Vector3i,
)
from exporter.formats.godot.variants import Packable, packed

FORMAT = 1
FORMAT_WITH_INSTANCES = 2
FORMAT_ISOMETRIC = 3
CHUNKS_CLASS = "LevelChunks"
INSTANCE_CLASS = "SceneInstance"
# Numbers of Godot's Variant types, as variables have them.
_VARIABLE_TYPES: dict[type, int] = {
    type(None): 0,
    bool: 1,
    int: 2,
    float: 3,
    str: 4,
    Vector2: 5,
    Vector2i: 6,
    Vector3: 9,
    Vector3i: 10,
    Color: 20,
    StringName: 21,
    NodePath: 22,
    NodeReference: 24,
    ExternalResource: 24,
    tuple: 28,
    TypedArray: 28,
}

# The most frequent types of values that need no other form.
_PLAIN_TYPES = frozenset({bool, int, float, str, Vector2})


def scene_description(
    scene: Scene, tile_size: int, diamond: tuple[int, int] | None = None
) -> bytes:
    """Encode `scene` as bytes: 4 bytes of length, then a zlib stream.

    `tile_size` is a cell's side in pixels. `diamond` is width and height of isometric cells in
    pixels; None for square cells.

    Raises:
        ValueError: A node has a script that is not the exporter's own for large levels, or a value
            of a type that the addon cannot read.
    """
    nodes = _Nodes()
    nodes.add(scene.root, -1)
    version = FORMAT_WITH_INSTANCES if nodes.has_instances else FORMAT
    layout: dict[str, Packable] = {}
    if diamond is not None:
        # Older addons, which know squares alone, refuse it.
        version, layout = FORMAT_ISOMETRIC, {"diamond": Vector2i(*diamond)}
    return packed(
        {
            "format": version,
            **layout,
            "script": sha256(large_level_script().encode()).hexdigest(),
            "tile_size": tile_size,
            "resources": nodes.resources,
            "nodes": nodes.rows,
        }
    )


class _Nodes:
    """Collects the nodes of a scene and their resources, each resource once."""

    def __init__(self) -> None:
        self.rows: list[Packable] = []
        self.resources: list[Packable] = []
        self.has_instances = False
        self._external: dict[ExternalResource, int] = {}
        # By identity; the resources are kept, so that no other object gets the same id.
        self._sub: dict[int, tuple[SubResource, int]] = {}

    def add(self, node: Node, parent: int) -> None:
        """Add `node` and all nodes below it; `parent` is the index of its parent."""
        own = len(self.rows)
        links: dict[str, Packable] = {}
        values: dict[str, Packable] = {}
        kind = node.type
        for name, value in node.properties.items():
            if parent == -1 and name in ("script", HOOK):
                continue  # the settings of the import name the game's script
            if name == "script":
                _expect_chunks_script(value)
                kind = CHUNKS_CLASS
            elif isinstance(value, (ExternalResource, SubResource)):
                links[name] = self._resource(value)
            elif name == "tile_map_data" and isinstance(value, PackedByteArray):
                values[name] = _cell_columns(value.data)
            else:
                values[name] = _plain(value)
        if node.instance is not None:
            self.has_instances = True
            kind = INSTANCE_CLASS
            links["scene"] = self._resource(node.instance)
            values["variables"] = {name: _variable(value) for name, value in node.variables.items()}
        metadata = {
            name: _plain(value) for name, value in node.metadata.items() if value is not None
        }
        self.rows.append([parent, kind, node.name, node.groups, values, links, metadata])
        for child in node.children:
            self.add(child, own)

    def _resource(self, resource: ExternalResource | SubResource) -> int:
        if isinstance(resource, ExternalResource):
            if resource not in self._external:
                self._external[resource] = len(self.resources)
                self.resources.append([resource.type, resource.path])
            return self._external[resource]
        if id(resource) not in self._sub:
            self._sub[id(resource)] = resource, len(self.resources)
            self.resources.append([resource.type, _plain(resource.properties)])
        return self._sub[id(resource)][1]


def _expect_chunks_script(value: Value) -> None:
    if not isinstance(value, SubResource) or value.properties != {
        "script/source": large_level_script()
    }:
        raise ValueError("a scene description can hold no script except that of large levels")


def _variable(value: Value) -> list[Packable]:
    """Return the number of Godot's Variant type of `value`, and plain data."""
    number = _VARIABLE_TYPES[type(value)]
    match value:
        case StringName(text) | NodePath(text) | NodeReference(text):
            return [number, text]
        case ExternalResource(_, path):
            return [number, path]
        case TypedArray(_, entries):
            return [number, [_variable(entry) for entry in entries]]
        case tuple():
            return [number, [_variable(entry) for entry in value]]
    return [number, _plain(value)]


def _plain(value: Any) -> Packable:
    if type(value) in _PLAIN_TYPES:
        return value  # type: ignore[no-any-return]
    match value:
        case PackedByteArray(data):
            return data
        case PackedVector2Array(points):
            return points
        case PackedInt32Arrays(numbers, starts):
            return [numbers, starts]
        case Mapping():
            return {name: _plain(entry) for name, entry in value.items()}
        case tuple():
            return [_plain(entry) for entry in value]
        case Raw() | ExternalResource() | SubResource():
            raise ValueError(f"a {type(value).__name__} inside of another value has no plain form")
    plain: Packable = value
    return plain


def _cell_columns(data: bytes) -> list[Packable]:
    """Return a TileMapLayer's cells as three columns, which compress better."""
    columns: NDArray[np.int32] = np.frombuffer(data, "<i4", offset=2).reshape(-1, 3).T
    return [np.diff(columns[0], prepend=np.int32(0)), columns[1], columns[2]]
