"""Visibility in a blob: a rule to derive it by, which costs nothing.

A reader recomputes the table from the opaque cells; they are those of the visibility's layer, or
of a chunk of their own when they belong to no layer.
"""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np

from exporter.blob._grids import read_grid, write_grid
from exporter.blob.container import NONE, Chunk, Container
from exporter.codecs import Limits
from exporter.codecs._codec import Profile
from exporter.errors import BlobError
from exporter.level import Level

DERIVE = 32
# Rules a reader must know, by number.
RULES = ("symmetric", "shadowcast", "raycast")
PARAMETERS = struct.Struct("<BBH")


def write_visibility(level: Level, number: int, profile: Profile) -> list[Chunk]:
    """Return the chunks a level's visibility needs.

    Raises:
        ValueError: When its algorithm has no number in the format.
    """
    table = level.visibility
    assert table is not None
    if table.algorithm not in RULES:
        raise ValueError(f"a blob cannot name the visibility algorithm {table.algorithm!r}")
    payload = PARAMETERS.pack(RULES.index(table.algorithm), int(table.see_walls), table.radius)
    height, width = table.opaque.shape
    side = NONE
    for item, layer in enumerate(level.layers.values()):
        if layer.name == level.visibility_layer and np.array_equal(layer.opaque, table.opaque):
            side = item
    chunks: list[Chunk] = []
    if side == NONE:
        chunks = write_grid("OPAQ", np.asarray(table.opaque), number, 0, profile)
    chunks.append(
        Chunk("VISI", DERIVE, payload, level=number, width=width, height=height, side=side)
    )
    return chunks


def read_visibility(container: Container, level: Level, number: int, limits: Limits) -> Level:
    """Return the level with its visibility.

    Raises:
        BlobError: When the rule or the layer it names is not known.
    """
    found = [
        index
        for index, chunk in enumerate(container)
        if (chunk.type, chunk.level) == ("VISI", number)
    ]
    if not found:
        return level
    chunk = container.load(found[0])
    if chunk.codec != DERIVE:
        raise BlobError(f"visibility codec {chunk.codec} is not known here")
    payload = chunk.payload
    if len(payload) != PARAMETERS.size:
        raise BlobError("broken visibility rule")
    rule, see_walls, radius = PARAMETERS.unpack(payload)
    if rule >= len(RULES) or see_walls > 1:
        raise BlobError(f"visibility rule {rule} is not known here")
    size = (chunk.width, chunk.height)
    if chunk.side == NONE:
        opaque = read_grid(container, "OPAQ", number, 0, size, limits).astype(np.bool_)
    else:
        opaque = list(level.layers.values())[chunk.side].opaque
        if opaque.shape != (chunk.height, chunk.width):
            raise BlobError("the visibility's layer has another size")
    from exporter.visibility import compute_visibility

    table = compute_visibility(opaque, radius=radius, algorithm=RULES[rule])
    return replace(level, visibility=table)
