"""What of a level goes into which chunk, and how it is put together again.

    LEVL  everything small: name, size, legends, reports, rooms, certificates (values)
    CELL  one part of a layer's cells; layers over 256 cells are split so that worlds stream
    WALK  walkable, where neither the legend nor a threshold gives it
    VISI  visibility: the rule to derive it by, perhaps what it gives
    OPAQ  the opaque cells of a visibility that belongs to no layer
    OBJS, TABL, PUZZ  objects, tables, puzzles (values)

Levels of a pack differ in the chunks' `level` number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from exporter.blob._descriptions import (
    describe_layer,
    describe_level,
    layer_of,
    level_fields,
    size_of,
)
from exporter.blob._grids import read_grid, write_grid
from exporter.blob._visibility import VisibilityForm, read_visibility, write_visibility
from exporter.blob.container import Chunk, Container, read_container, write_container
from exporter.blob.values import decode_values, encode_values
from exporter.codecs import Limits
from exporter.codecs._codec import Profile, canonical
from exporter.codecs._waiting import announce
from exporter.model.errors import BlobError
from exporter.model.level import Column, Layer, Level, PlacedObject, Puzzle, Table

KNOWN = frozenset({"LEVL", "CELL", "WALK", "VISI", "OPAQ", "OBJS", "TABL", "PUZZ"})


def write_blob(
    level: Level, profile: Profile = "small", visibility: VisibilityForm = "derive"
) -> bytes:
    """Return the blob of one level; every grid is decoded and compared before it is written.

    Args:
        level: The level.
        profile: `small` (fewest bytes) or `fast` (cheap to decode in scripts).
        visibility: `derive` stores the rule, which costs nothing; `coded` also stores what it
            gives, for readers that would rather load than compute.

    Raises:
        ValueError: When something is too large for the format.
    """
    return write_pack([level], profile, visibility)


def read_blob(data: bytes, limits: Limits | None = None) -> Level:
    """Return the level of a blob (of a pack, the first).

    Raises:
        BlobError: For anything that is not an undamaged blob within the limits.
    """
    return read_pack(data, limits)[0]


def write_pack(
    levels: Sequence[Level], profile: Profile = "small", visibility: VisibilityForm = "derive"
) -> bytes:
    """Return one blob of many levels."""
    chunks: list[Chunk] = []
    for number, level in enumerate(levels):
        announce([canonical(layer.cells) for layer in level.layers.values()], profile)
        chunks += _level_chunks(level, number, profile, visibility)
    return write_container(chunks)


def read_pack(data: bytes, limits: Limits | None = None) -> list[Level]:
    """Return all levels of a blob.

    Raises:
        BlobError: For anything that is not an undamaged blob within the limits.
    """
    limits = limits or Limits()
    container = read_container(bytes(data), limits)
    for chunk in container:
        if chunk.type not in KNOWN and not chunk.ancillary:
            raise BlobError(f"chunk {chunk.type} is not known here: the blob is too new")
    count = 1 + max((chunk.level for chunk in container), default=0)
    levels = []
    for number in range(count):
        level = _read_level(container, number, limits)
        levels.append(level)
        used = sum(layer.cells.nbytes for layer in level.layers.values())
        limits = replace(limits, total=limits.total - used)
    return levels


def _level_chunks(
    level: Level, number: int, profile: Profile, visibility: VisibilityForm
) -> list[Chunk]:
    layers = list(level.layers.values())
    described = [describe_layer(layer) for layer in layers]
    chunks = [_values_chunk("LEVL", describe_level(level, described), number)]
    for item, (layer, description) in enumerate(zip(layers, described, strict=True)):
        earlier = [before.cells for before in layers[:item]]
        chunks += write_grid("CELL", layer.cells, number, item, profile, earlier)
        if description["walkable"] == "chunk" and layer.walkable is not None:
            chunks += write_grid("WALK", layer.walkable, number, item, profile)
    if level.visibility is not None:
        chunks += write_visibility(level, number, profile, visibility)
    if level.objects:
        objects = [
            {"id": o.id, "name": o.name, "x": o.x, "y": o.y, "properties": dict(o.properties)}
            for o in level.objects
        ]
        chunks.append(_values_chunk("OBJS", objects, number))
    if level.tables:
        chunks.append(
            _values_chunk("TABL", [_describe_table(t) for t in level.tables.values()], number)
        )
    if level.puzzles:
        puzzles = [{"name": p.name, "kind": p.kind, "data": p.data} for p in level.puzzles.values()]
        chunks.append(_values_chunk("PUZZ", puzzles, number))
    return chunks


def _read_level(container: Container, number: int, limits: Limits) -> Level:
    try:
        fields = level_fields(_values(container, "LEVL", number, limits))
        layers = _read_layers(container, number, fields.pop("layers"), limits)
        level = Level(
            **fields,
            layers=layers,
            objects=tuple(
                PlacedObject(o["id"], o["name"], o["x"], o["y"], o["properties"])
                for o in _values(container, "OBJS", number, limits, [])
            ),
            tables={
                t["name"]: _table_of(t) for t in _values(container, "TABL", number, limits, [])
            },
            puzzles={
                p["name"]: Puzzle(p["name"], p["kind"], p["data"])
                for p in _values(container, "PUZZ", number, limits, [])
            },
        )
        return read_visibility(container, level, number, limits)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        # The bytes are as they were written, but do not describe a level.
        raise BlobError(f"broken level data: {error!r}") from error


def _read_layers(
    container: Container, number: int, described: list[Any], limits: Limits
) -> dict[str, Layer]:
    layers: dict[str, Layer] = {}
    budget = limits.total
    for item, description in enumerate(described):
        size = size_of(description)
        earlier = [layer.cells for layer in layers.values()]
        cells = read_grid(container, "CELL", number, item, size, limits, earlier)
        walkable = None
        if description["walkable"] == "chunk":
            walkable = read_grid(container, "WALK", number, item, size, limits).astype(np.bool_)
        layer = layer_of(description, cells, walkable)
        budget -= cells.nbytes + (0 if layer.walkable is None else layer.walkable.nbytes)
        if budget < 0:
            raise BlobError(f"the layers are over the limit of {limits.total} bytes")
        layers[layer.name] = layer
    return layers


def _values_chunk(name: str, value: Any, level: int) -> Chunk:
    codec, payload = encode_values(value)
    return Chunk(name, codec, payload, level=level)


_MISSING = object()


def _values(
    container: Container, name: str, level: int, limits: Limits, default: Any = _MISSING
) -> Any:
    found = container.find(name, level)
    if found:
        loaded = container.load(found[0])
        return decode_values(loaded.codec, loaded.payload, limits)
    if default is _MISSING:
        raise BlobError(f"the blob has no {name} chunk for level {level}")
    return default


def _describe_table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "columns": [
            {"name": c.name, "type": c.type, "nullable": c.nullable} for c in table.columns
        ],
        "rows": [list(row) for row in table.rows],
    }


def _table_of(description: dict[str, Any]) -> Table:
    columns = tuple(
        Column(str(c["name"]), c["type"], bool(c["nullable"])) for c in description["columns"]
    )
    return Table(description["name"], columns, tuple(tuple(row) for row in description["rows"]))
