"""Encode a level as the chunks of a blob, and decode it again.

    LEVL  everything small: name, size, legends, reports, rooms, certificates (values)
    CELL  one part of a layer's cells; layers over 256 cells are split so that worlds stream
    WALK  walkable, where neither the legend nor a threshold gives it
    mask  one mask of a layer; masks are numbered through the layers in the order of LEVL
    VISI  visibility: the rule to compute it by, perhaps with the computed table
    OPAQ  the opaque cells of a visibility that belongs to no layer
    OBJS, TABL, PUZZ  objects, tables, puzzles (values)
    gdsc  the scene of Godot's importer, which the target adds; readers of levels skip it

Levels of a pack differ in the chunks' `level` number.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from exporter.blob._budget import DecodingBudget
from exporter.blob._descriptions import (
    describe_layer,
    describe_level,
    has_derived_walkable,
    layer_of,
    layer_sizes,
    level_fields,
    masks_of,
    objects_of,
    puzzles_of,
    tables_of,
)
from exporter.blob._grids import read_grid, read_truth, write_grid
from exporter.blob._visibility import VisibilityForm, read_visibility, write_visibility
from exporter.blob.container import Chunk, Container, read_container, write_container
from exporter.blob.values import Deflate, UnstorableError, read_values, values_chunk
from exporter.codecs import Limits
from exporter.codecs.codec import Array, Profile, canonical
from exporter.codecs.uncompiled import announce
from exporter.deflate import compress
from exporter.model.errors import BlobError
from exporter.model.level import Layer, Level, Table

GODOT_SCENE = "gdsc"
KNOWN = frozenset({"LEVL", "CELL", "WALK", "mask", "VISI", "OPAQ", "OBJS", "TABL", "PUZZ"})


def write_blob(
    level: Level,
    profile: Profile = "small",
    visibility: VisibilityForm = "derive",
    *,
    independent_parts: bool = False,
) -> bytes:
    """Encode a level as a blob; each encoded array is decoded and compared.

    Args:
        level: The level.
        profile: `small` (fewest bytes) or `fast` (fast to decode in scripts).
        visibility: `derive` stores only the rule, in a few bytes; `coded` also stores the table,
            for readers that prefer loading to computing.
        independent_parts: Whether each part of a layer can be decoded without other parts and
            layers, so that a world can be streamed; makes `small` blobs larger.

    Raises:
        TypeError: The format does not support the type of a value.
        UnstorableError: The format cannot store a value: a number that is not finite, an integer
            beyond 64 bits other than the seed, a text with U+0000, an object position beyond 32
            bits, or two tables of one name.
        ValueError: Something is too large for the format.
    """
    return write_pack([level], profile, visibility, independent_parts=independent_parts)


def read_blob(data: bytes, limits: Limits | None = None, level: int = 0) -> Level:
    """Decode one level of a blob.

    The level's visibility table is computed on first use.

    Args:
        data: The bytes of the blob.
        limits: The limits of memory and work; use `Limits.for_strangers()` for files from others.
            The default is enough for the largest levels that the exporter makes, but not for every
            visibility table.
        level: The index of the level in a pack.

    Raises:
        BlobError: The data is not a blob, is damaged, exceeds the limits, or has no such level.
    """
    container = _known_container(data, limits)
    return _read_level(container, level, DecodingBudget(limits))


def write_pack(
    levels: Sequence[Level],
    profile: Profile = "small",
    visibility: VisibilityForm = "derive",
    *,
    independent_parts: bool = False,
) -> bytes:
    """Encode several levels as one blob.

    `profile` is `small` (fewest bytes) or `fast` (fast to decode in scripts); `visibility` is
    `derive` to store only the rule of sight, or `coded` to store its result, too. With
    `independent_parts`, each part of a layer can be decoded alone. Errors are those of
    `write_blob`.
    """
    chunks: list[Chunk] = []
    for number, level in enumerate(levels):
        announce([canonical(layer.cells) for layer in level.layers.values()], profile)
        chunks += level_chunks(level, number, profile, visibility, independent_parts)
    return write_container(chunks)


def level_chunks(
    level: Level,
    number: int = 0,
    profile: Profile = "small",
    visibility: VisibilityForm = "derive",
    independent_parts: bool = False,
    deflate: Deflate = compress,
    quick: bool = False,
) -> list[Chunk]:
    """Encode a level as chunks of a blob.

    Args:
        level: The level.
        number: The level's index in a pack.
        profile: `small` (fewest bytes) or `fast` (fast to decode in scripts).
        visibility: `derive` stores only the rule, `coded` also the table.
        independent_parts: Whether each part of a layer can be decoded alone.
        deflate: Compresses JSON texts.
        quick: Whether to save time where it hardly costs bytes.
    """
    chunks = _layer_chunks(level, number, profile, independent_parts, deflate, quick)
    if level.visibility is not None:
        chunks += write_visibility(level, number, profile, visibility)
    return chunks + _list_chunks(level, number, deflate)


def read_pack(data: bytes, limits: Limits | None = None) -> list[Level]:
    """Decode all levels of a blob.

    `limits` are the limits of memory and work for all levels together.

    Raises:
        BlobError: The data is not a blob, is damaged, or exceeds the limits.
    """
    container = _known_container(data, limits)
    budget = DecodingBudget(limits)
    last = max((chunk.level for chunk in container), default=0)
    return [_read_level(container, number, budget) for number in range(last + 1)]


def _known_container(data: bytes, limits: Limits | None) -> Container:
    """Return the container of a blob that has no unknown critical chunks.

    A chunk is critical if readers that do not know it may not skip it.
    """
    container = read_container(bytes(data), limits)
    for chunk in container:
        if chunk.type not in KNOWN and not chunk.ancillary:
            raise BlobError(
                f"unknown chunk {chunk.type}: the blob is from a newer exporter (update the "
                "exporter)"
            )
    return container


def _layer_chunks(
    level: Level,
    number: int,
    profile: Profile,
    independent: bool,
    deflate: Deflate,
    quick: bool,
) -> list[Chunk]:
    described: list[dict[str, Any]] = []
    grids: list[Chunk] = []
    layers = list(level.layers.values())
    masks = 0
    for item, layer in enumerate(layers):
        described.append(describe_layer(layer))
        earlier = [before.cells for before in layers[:item]]
        grids += write_grid("CELL", layer.cells, number, item, profile, earlier, independent, quick)
        named = [
            ("mask", masks + position, mask) for position, mask in enumerate(layer.masks.values())
        ]
        if described[-1]["walkable"] == "chunk" and layer.walkable is not None:
            named.insert(0, ("WALK", item, layer.walkable))
        for name, position, cells in named:
            grids += write_grid(name, cells, number, position, profile, (), independent)
        masks += len(layer.masks)
    return [values_chunk("LEVL", describe_level(level, described), number, deflate), *grids]


def _list_chunks(level: Level, number: int, deflate: Deflate) -> list[Chunk]:
    """Return the chunks of a level's objects, tables and puzzles."""
    objects = [
        {"id": o.id, "name": o.name, "x": o.x, "y": o.y, "properties": dict(o.properties)}
        for o in level.objects
    ]
    tables = [_describe_table(table) for table in level.tables.values()]
    puzzles = [{"name": p.name, "kind": p.kind, "data": p.data} for p in level.puzzles.values()]
    lists: list[tuple[str, list[Any]]] = [("OBJS", objects), ("TABL", tables), ("PUZZ", puzzles)]
    chunks = [values_chunk(name, value, number, deflate) for name, value in lists if value]
    try:
        for read, value in ((objects_of, objects), (tables_of, tables), (puzzles_of, puzzles)):
            read(value)
    except BlobError as error:
        raise UnstorableError(f"blob readers would reject this level: {error}") from error
    return chunks


def _read_level(container: Container, number: int, budget: DecodingBudget) -> Level:
    budget.charge_grids(container, number)
    try:
        fields = level_fields(read_values(container, "LEVL", number, budget))
        layers = _read_layers(container, number, fields.pop("layers"), budget)
        level = Level(
            **fields,
            layers=layers,
            objects=objects_of(read_values(container, "OBJS", number, budget, [])),
            tables=tables_of(read_values(container, "TABL", number, budget, [])),
            puzzles=puzzles_of(read_values(container, "PUZZ", number, budget, [])),
        )
        return read_visibility(container, level, number, budget)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        # The bytes are as they were written, but do not describe a level.
        raise BlobError(f"the level data is damaged: {error!r}") from error


def _read_layers(
    container: Container, number: int, described: list[Any], budget: DecodingBudget
) -> dict[str, Layer]:
    limits = budget.limits
    sizes = list(layer_sizes(described).values())
    for description, (width, height) in zip(described, sizes, strict=True):
        if has_derived_walkable(description):
            budget.charge_walkable(width * height)
    layers: dict[str, Layer] = {}
    earlier: list[Array] = []
    places = count()
    for item, (description, size) in enumerate(zip(described, sizes, strict=True)):
        cells = read_grid(container, "CELL", number, item, size, limits, earlier)
        walkable = None
        if description["walkable"] == "chunk":
            walkable = read_truth(container, "WALK", number, item, size, limits)
        masks = {
            name: read_truth(container, "mask", number, next(places), size, limits)
            for name in masks_of(description)
        }
        layer = layer_of(description, cells, walkable, masks)
        layers[layer.name] = layer
        earlier.append(cells)
    return layers


def _describe_table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "columns": [
            {"name": c.name, "type": c.type, "nullable": c.nullable} for c in table.columns
        ],
        "rows": [list(row) for row in table.rows],
    }
