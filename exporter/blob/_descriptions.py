"""Convert all of a level except its grids to JSON values, and back.

The walkable cells of a layer are stored only if they do not follow from the other data: `walkable`
is "legend" (the tiles say it), a number (cells at or above it are walkable), "chunk" (stored), or
None (absent). Masks have only their names here; their chunks are numbered in the order of layers
and names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from exporter.blob._described_values import (
    expect,
    expect_integer,
    expect_maps,
    expect_properties,
    expect_scalar,
    fields_of,
    known_fields,
    value_text,
)
from exporter.blob.values import INTEGER_MAXIMUM, INTEGER_MINIMUM, UnstorableError
from exporter.codecs.codec import Array
from exporter.model.errors import BlobError
from exporter.model.level import (
    Certificate,
    Column,
    ColumnType,
    Connection,
    ConnectionKind,
    HeightRange,
    Layer,
    Level,
    PlacedObject,
    Puzzle,
    Room,
    Table,
    Tile,
)
from exporter.model.level_values import LayerRole
from exporter.model.mission import Lock, LockKind, Mission

ROLES: tuple[str, ...] = get_args(LayerRole)
CONNECTION_KINDS: tuple[str, ...] = get_args(ConnectionKind)
LOCK_KINDS: tuple[str, ...] = get_args(LockKind)
COLUMN_TYPES: tuple[str, ...] = get_args(ColumnType)
# Every level and layer is narrower and lower.
LONGEST_SIDE = 1 << 24
MOST_SEED_DIGITS = 4096
_SEED = re.compile(f"-?[0-9]{{1,{MOST_SEED_DIGITS}}}")


def describe_level(level: Level, layers: list[dict[str, Any]]) -> dict[str, Any]:
    """Convert `level` to JSON values, without its grids.

    `layers` are the JSON values of its layers, from `describe_layer`.
    """
    mission = level.mission
    return {
        "name": level.name,
        "width": level.width,
        "height": level.height,
        "seed": _described_seed(level.seed),
        "rng": level.rng,
        "visibility_layer": level.visibility_layer,
        "properties": dict(level.properties),
        "layers": layers,
        **({} if mission is None else {"mission": mission.description()}),
    }


def level_fields(value: dict[str, Any]) -> dict[str, Any]:
    """Return arguments for `Level` from `value`, the JSON values of a level.

    Layers are not converted: they stay JSON values.

    Raises:
        BlobError: A field is missing or of the wrong type.
    """
    names = ("name", "width", "height", "seed", "rng", "visibility_layer", "properties", "layers")
    fields = {name: value[name] for name in names}
    expect(fields["name"], str)
    expect(fields["rng"], str)
    _check_size(expect(fields["width"], int), expect(fields["height"], int), "level")
    if fields["visibility_layer"] is not None:
        expect(fields["visibility_layer"], str)
    expect_properties(fields["properties"])
    expect(fields["layers"], list)
    fields["seed"] = _seed_of(fields["seed"])
    if value.get("mission") is not None:
        fields["mission"] = _mission_of(expect(value["mission"], dict))
    return fields


def _mission_of(described: dict[str, Any]) -> Mission:
    for key in ("start", "goal"):
        expect(described[key], str)
    for key in ("states", "stranded"):
        expect_integer(described[key])
    texts = tuple(expect(text, str) for text in expect(described["walkthrough"], list))
    locks = tuple(_lock_of(lock) for lock in expect_maps(described["locks"]))
    return Mission(**{**known_fields(described, MISSION), "locks": locks, "walkthrough": texts})


def _lock_of(described: dict[str, Any]) -> Lock:
    kind = described["kind"]
    if kind not in LOCK_KINDS:
        raise BlobError(f"the level data is damaged: unknown kind of lock {value_text(kind)}")
    cells, opened_from = (
        tuple(_cell_of(cell) for cell in expect(described[key], list))
        for key in ("cells", "opened_from")
    )
    return Lock(expect(described["name"], str), kind, cells, opened_from)


def _described_seed(seed: int | str) -> int | str | dict[str, str]:
    """Convert `seed` to a JSON value that keeps all digits of an integer."""
    if isinstance(seed, int) and not INTEGER_MINIMUM <= seed <= INTEGER_MAXIMUM:
        if abs(seed) >= 10**MOST_SEED_DIGITS:
            raise UnstorableError(f"a seed in a blob has at most {MOST_SEED_DIGITS} digits")
        return {"integer": str(seed)}
    return seed


def _seed_of(value: Any) -> int | str:
    if isinstance(value, dict):
        digits = expect(value["integer"], str)
        if not _SEED.fullmatch(digits):
            raise BlobError(
                f"the level data is damaged: the seed {value_text(digits)} is not an integer"
            )
        return int(digits)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise BlobError(f"the level data is damaged: {value_text(value)} is not a seed")
    return value


def describe_layer(layer: Layer) -> dict[str, Any]:
    """Convert `layer` to JSON values, without its cells.

    Raises:
        ValueError: Readers would refuse the layer, for example because of its tiles.
    """
    _check_layer(layer)
    return {
        "name": layer.name,
        "kind": layer.kind,
        "size": [layer.width, layer.height],
        "generator": layer.generator,
        "version": layer.version,
        "tiles": [fields_of(tile, TILE) for tile in layer.tiles],
        "walkable": _walkable_rule(layer),
        "heights": layer.heights and fields_of(layer.heights, HEIGHTS),
        "complete": layer.complete,
        "report": dict(layer.report),
        "rooms": [fields_of(room, ROOM) for room in layer.rooms],
        "certificate": layer.certificate and fields_of(layer.certificate, CERTIFICATE),
        "grid_aligned": layer.grid_aligned,
        "role": layer.role,
        "connections": [fields_of(entry, CONNECTION) for entry in layer.connections],
        "masks": list(layer.masks),
    }


def _check_layer(layer: Layer) -> None:
    if layer.role not in ROLES:
        raise ValueError(f"layer {layer.name!r} has the unknown role {layer.role!r}")
    for connection in layer.connections:
        known = connection.kind in CONNECTION_KINDS and len(connection.rooms) == 2
        if not known or not all(0 <= room < len(layer.rooms) for room in connection.rooms):
            raise ValueError(f"layer {layer.name!r} has no rooms or kind for {connection}")
    for name, mask in layer.masks.items():
        if mask.dtype != np.bool_ or mask.shape != layer.cells.shape:
            raise ValueError(
                f"mask {name!r} of layer {layer.name!r} must be bool of shape "
                f"{layer.cells.shape}, and is {mask.dtype} of shape {mask.shape}"
            )


# The keys that are written for each, and the only ones read: readers ignore others.
TILE = ("id", "name", "walkable", "opaque", "color")
HEIGHTS = ("minimum", "maximum", "units")
ROOM = ("name", "x", "y", "width", "height", "center")
CONNECTION = ("rooms", "x", "y", "kind")
MISSION = ("start", "goal", "locks", "walkthrough", "states", "stranded")
CERTIFICATE = (
    "regions_before",
    "regions_after",
    "cells_carved",
    "floor",
    "cells",
    "farthest",
    "start",
    "dead_ends",
    "chokes",
)


def size_of(description: dict[str, Any]) -> tuple[int, int]:
    """Return (width, height) of the layer with the JSON values `description`.

    Raises:
        BlobError: The values are not valid sizes.
    """
    width, height = expect(description["size"], list)
    _check_size(width, height, "layer")
    return width, height


def _check_size(width: Any, height: Any, what: str) -> None:
    if type(width) is not int or type(height) is not int:
        raise BlobError("the level data is damaged: the width or height is not a number")
    if not (0 <= width < LONGEST_SIDE and 0 <= height < LONGEST_SIDE):
        raise BlobError(
            f"the level data is damaged: the size {width} x {height} of a {what} is out of range"
        )


def layer_sizes(described: list[Any]) -> dict[str, tuple[int, int]]:
    """Return (width, height) of each layer by name, in order.

    `described` has the JSON values of the layers.

    Raises:
        BlobError: A size or name is invalid, or a name occurs twice.
    """
    sizes: dict[str, tuple[int, int]] = {}
    for description in described:
        name = expect(expect(description, dict)["name"], str)
        if name in sizes:
            raise BlobError(
                f"the level data is damaged: two layers have the name {value_text(name)}"
            )
        sizes[name] = size_of(description)
    return sizes


def has_derived_walkable(description: dict[str, Any]) -> bool:
    """Return whether a layer's walkable cells follow from its other data.

    `description` has the layer's JSON values.
    """
    rule = description["walkable"]
    return rule is not None and rule != "chunk"


def masks_of(description: dict[str, Any]) -> list[str]:
    """Return the mask names of the layer with the JSON values `description`.

    Raises:
        BlobError: A name is invalid or occurs twice.
    """
    names = [expect(name, str) for name in expect(description["masks"], list)]
    if len(set(names)) != len(names):
        raise BlobError("the level data is damaged: two masks of a layer have the same name")
    return names


def layer_of(
    description: dict[str, Any],
    cells: Array,
    walkable: NDArray[np.bool_] | None,
    masks: Mapping[str, NDArray[np.bool_]],
) -> Layer:
    """Build a layer from its JSON values and its decoded grids.

    Raises:
        BlobError: The description is invalid.
    """
    heights, certificate = description["heights"], description["certificate"]
    if description["kind"] not in ("tiles", "heights") or cells.dtype not in (np.uint8, np.uint16):
        raise BlobError("the level data is damaged: a layer has neither tiles nor heights")
    if description["role"] not in ROLES:
        raise BlobError(
            f"the level data is damaged: unknown role {value_text(description['role'])} of a layer"
        )
    rooms = tuple(_room_of(room) for room in expect(description["rooms"], list))
    layer = Layer(
        name=expect(description["name"], str),
        kind=description["kind"],
        cells=cells,
        generator=expect(description["generator"], str),
        version=expect_integer(description["version"]),
        tiles=tuple(_tile_of(tile) for tile in expect(description["tiles"], list)),
        walkable=walkable,
        heights=None if heights is None else _heights_of(heights),
        complete=expect(description["complete"], bool),
        report=expect(description["report"], dict),
        rooms=rooms,
        certificate=None if certificate is None else _certificate_of(certificate),
        grid_aligned=expect(description["grid_aligned"], bool),
        role=description["role"],
        connections=tuple(
            _connection_of(fields, len(rooms))
            for fields in expect(description["connections"], list)
        ),
        masks=masks,
    )
    derived = _derived_walkable(layer, description["walkable"])
    if derived is not None:
        object.__setattr__(layer, "walkable", derived)
    return layer


def _tile_of(fields: dict[str, Any]) -> Tile:
    if not 0 <= expect_integer(fields["id"]) <= 0xFFFF:
        raise BlobError(f"the level data is damaged: the tile id {fields['id']} is out of range")
    for key, kind in (("name", str), ("walkable", bool), ("opaque", bool), ("color", str)):
        expect(fields[key], kind)
    return Tile(**known_fields(fields, TILE))


def _heights_of(fields: dict[str, Any]) -> HeightRange:
    for key in ("minimum", "maximum"):
        if type(fields[key]) not in (int, float):
            raise BlobError(f"the level data is damaged: {value_text(fields[key])} is not a number")
    expect(fields["units"], str)
    return HeightRange(**known_fields(fields, HEIGHTS))


def _room_of(fields: dict[str, Any]) -> Room:
    expect(fields["name"], str)
    for key in ("x", "y", "width", "height"):
        expect_integer(fields[key])
    return Room(**{**known_fields(fields, ROOM), "center": _cell_of(fields["center"])})


def _cell_of(value: Any) -> tuple[int, int]:
    x, y = expect(value, list)
    return expect_integer(x), expect_integer(y)


def _connection_of(fields: dict[str, Any], rooms: int) -> Connection:
    first, second = _cell_of(fields["rooms"])
    expect_integer(fields["x"])
    expect_integer(fields["y"])
    if not (0 <= first < rooms and 0 <= second < rooms):
        raise BlobError(
            f"the level data is damaged: a connection joins the rooms {first} and {second}, which "
            "the layer does not have"
        )
    if fields["kind"] not in CONNECTION_KINDS:
        raise BlobError(
            f"the level data is damaged: unknown kind of connection {value_text(fields['kind'])}"
        )
    return Connection((first, second), fields["x"], fields["y"], fields["kind"])


def _certificate_of(fields: dict[str, Any]) -> Certificate:
    known = known_fields(fields, CERTIFICATE)
    start = known.pop("start")
    for number in known.values():
        expect_integer(number)
    return Certificate(**known, start=None if start is None else _cell_of(start))


def objects_of(described: Any) -> tuple[PlacedObject, ...]:
    """Build a level's objects from their JSON values.

    Raises:
        BlobError, KeyError: The values are malformed.
    """
    return tuple(
        PlacedObject(
            expect_integer(o["id"]),
            expect(o["name"], str),
            expect_integer(o["x"]),
            expect_integer(o["y"]),
            expect_properties(o["properties"]),
        )
        for o in expect_maps(described)
    )


def tables_of(described: Any) -> dict[str, Table]:
    """Build a level's tables, by name, from their JSON values.

    Raises:
        BlobError, KeyError: The values are malformed.
    """
    return _by_name([_table_of(table) for table in expect_maps(described)], "tables")


def puzzles_of(described: Any) -> dict[str, Puzzle]:
    """Build a level's puzzles, by name, from their JSON values.

    Raises:
        BlobError, KeyError: The values are malformed.
    """
    puzzles = [
        Puzzle(expect(p["name"], str), expect(p["kind"], str), expect(p["data"], dict))
        for p in expect_maps(described)
    ]
    return _by_name(puzzles, "puzzles")


_Named = TypeVar("_Named", Table, Puzzle)


def _by_name(things: list[_Named], what: str) -> dict[str, _Named]:
    named = {thing.name: thing for thing in things}
    if len(named) != len(things):
        raise BlobError(f"the level data is damaged: two {what} have the same name")
    return named


def _table_of(described: dict[str, Any]) -> Table:
    columns = tuple(_column_of(column) for column in expect_maps(described["columns"]))
    rows = tuple(tuple(expect(row, list)) for row in expect(described["rows"], list))
    for row in rows:
        if len(row) != len(columns):
            raise BlobError(
                "the level data is damaged: a row does not have the columns of its table"
            )
        for value in row:
            expect_scalar(value)
    return Table(expect(described["name"], str), columns, rows)


def _column_of(fields: dict[str, Any]) -> Column:
    if fields["type"] not in COLUMN_TYPES:
        raise BlobError(
            f"the level data is damaged: unknown column type {value_text(fields['type'])}"
        )
    return Column(expect(fields["name"], str), fields["type"], expect(fields["nullable"], bool))


def _walkable_rule(layer: Layer) -> str | int | None:
    if layer.walkable is None:
        return None
    if np.array_equal(_by_legend(layer), layer.walkable):
        return "legend"
    if layer.walkable.any():
        threshold = int(layer.cells[layer.walkable].min())
        if np.array_equal(layer.cells >= threshold, layer.walkable):
            return threshold
    return "chunk"


def _derived_walkable(layer: Layer, rule: str | int | None) -> NDArray[np.bool_] | None:
    if rule is None or rule == "chunk":
        return None
    if rule == "legend":
        return _by_legend(layer)
    if type(rule) is int:
        return np.asarray(layer.cells >= rule)
    raise BlobError(
        f"this version of the exporter does not know the rule {value_text(rule)} for walkable "
        "cells (update the exporter)"
    )


def _by_legend(layer: Layer) -> NDArray[np.bool_]:
    return layer.lookup([tile.walkable for tile in layer.tiles])
