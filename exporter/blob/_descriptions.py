"""The small facts of a level as plain values, and back.

`walkable` of a layer is not stored where it follows from the cells: "legend" (the walkable tiles
of the legend), a number (cells at or above it are walkable), "chunk" (stored), None (absent).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.codecs._codec import Array
from exporter.model.errors import BlobError
from exporter.model.level import Certificate, HeightRange, Layer, Level, Room, Tile


def describe_level(level: Level, layers: list[dict[str, Any]]) -> dict[str, Any]:
    """Return everything of a level that has no chunk of its own."""
    return {
        "name": level.name,
        "width": level.width,
        "height": level.height,
        "seed": level.seed,
        "rng": level.rng,
        "visibility_layer": level.visibility_layer,
        "properties": dict(level.properties),
        "layers": layers,
    }


def level_fields(value: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of `Level`, with `layers` still described.

    Raises:
        BlobError: When a field is missing or of the wrong type.
    """
    names = ("name", "width", "height", "seed", "rng", "visibility_layer", "properties", "layers")
    fields = {name: value[name] for name in names}
    _expect(fields["name"], str)
    _expect(fields["rng"], str)
    _expect(fields["width"], int)
    _expect(fields["height"], int)
    _expect(fields["properties"], dict)
    _expect(fields["layers"], list)
    return fields


def describe_layer(layer: Layer) -> dict[str, Any]:
    """Return everything of a layer but its cells."""
    return {
        "name": layer.name,
        "kind": layer.kind,
        "size": [layer.width, layer.height],
        "generator": layer.generator,
        "version": layer.version,
        "tiles": [_fields(tile, TILE) for tile in layer.tiles],
        "walkable": _walkable_rule(layer),
        "heights": layer.heights and _fields(layer.heights, HEIGHTS),
        "complete": layer.complete,
        "report": dict(layer.report),
        "rooms": [_fields(room, ROOM) for room in layer.rooms],
        "certificate": layer.certificate and _fields(layer.certificate, CERTIFICATE),
        "grid_aligned": layer.grid_aligned,
    }


# What is written of each, and all that is read: readers ignore keys they do not know.
TILE = ("id", "name", "walkable", "opaque", "color")
HEIGHTS = ("minimum", "maximum", "units")
ROOM = ("name", "x", "y", "width", "height", "center")
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
    """Return the width and height of a described layer.

    Raises:
        BlobError: When they are no sizes.
    """
    width, height = description["size"]
    if not (isinstance(width, int) and isinstance(height, int)):
        raise BlobError("broken level data: a size is not a number")
    if not (0 <= width < 1 << 24 and 0 <= height < 1 << 24):
        raise BlobError(f"a layer of {width} x {height} is out of range")
    return width, height


def layer_of(
    description: dict[str, Any], cells: Array, walkable: NDArray[np.bool_] | None
) -> Layer:
    """Return the described layer; `walkable` is given where it has a chunk of its own.

    Raises:
        BlobError: When the description does not make a layer.
    """
    for tile in description["tiles"]:
        _expect(tile["id"], int)
        if not 0 <= tile["id"] <= 0xFFFF:
            raise BlobError(f"tile id {tile['id']} is out of range")
    heights, certificate = description["heights"], description["certificate"]
    if description["kind"] not in ("tiles", "heights") or cells.dtype not in (np.uint8, np.uint16):
        raise BlobError("broken level data: a layer is neither tiles nor heights")
    layer = Layer(
        name=_expect(description["name"], str),
        kind=description["kind"],
        cells=cells,
        generator=_expect(description["generator"], str),
        version=_expect(description["version"], int),
        tiles=tuple(Tile(**_known(tile, TILE)) for tile in description["tiles"]),
        walkable=walkable,
        heights=None if heights is None else HeightRange(**_known(heights, HEIGHTS)),
        complete=bool(description["complete"]),
        report=_expect(description["report"], dict),
        rooms=tuple(
            Room(**{**_known(room, ROOM), "center": tuple(room["center"])})
            for room in description["rooms"]
        ),
        certificate=None if certificate is None else _certificate_of(certificate),
        grid_aligned=bool(description["grid_aligned"]),
    )
    derived = _derived_walkable(layer, description["walkable"])
    if derived is not None:
        object.__setattr__(layer, "walkable", derived)
    return layer


def _certificate_of(fields: dict[str, Any]) -> Certificate:
    start = fields["start"]
    known = _known(fields, CERTIFICATE)
    return Certificate(**{**known, "start": None if start is None else tuple(start)})


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
    if isinstance(rule, int):
        return np.asarray(layer.cells >= rule)
    raise BlobError(f"the rule {rule!r} for walkable cells is not known here")


def _by_legend(layer: Layer) -> NDArray[np.bool_]:
    return layer.lookup([tile.walkable for tile in layer.tiles])


def _fields(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def _known(value: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value[name] for name in names}


def _expect(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise BlobError(f"broken level data: {value!r} is not of type {kind.__name__}")
    return value
