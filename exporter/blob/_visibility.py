"""Store a level's visibility in a blob: its rule, perhaps with the table.

A reader recomputes the visibility table from the opaque cells of the layer that blocks sight, or of
a separate chunk if they belong to no layer. For readers that prefer loading to computing, the table
can be stored, too, compressed with the map as context.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.blob._budget import DecodingBudget
from exporter.blob._grids import read_truth, write_grid
from exporter.blob._sight import DerivedSight
from exporter.blob.container import NONE, Chunk, Container
from exporter.codecs.codec import Profile
from exporter.codecs.visibility import encode_visibility
from exporter.model.errors import BlobError
from exporter.model.level import Level
from exporter.model.sight import Sight

DERIVE = 32
CODED = 20
# Rules every reader knows, by number. Other rules are not allowed in a blob: a reader computes the
# field of view by the rule, and does not use coded planes in its stead.
SIGHT_RULES = ("symmetric", "shadowcast", "raycast")
PARAMETERS = struct.Struct("<BBH")
# The exporter's own limits (`exporter.visibility`); all readers refuse more.
LARGEST_RADIUS = 64
LONGEST_SIDE = 8192

VisibilityForm = Literal["derive", "coded"]


def with_readable_sight(level: Level) -> Level:
    """Return `level` without a visibility that no reader could recompute."""
    if level.visibility is None or level.visibility.algorithm in SIGHT_RULES:
        return level
    return replace(level, visibility=None, visibility_layer=None)


def write_visibility(
    level: Level, number: int, profile: Profile, form: VisibilityForm
) -> list[Chunk]:
    """Return the chunks that store the visibility of `level`.

    `number` is the level's index in a pack; `form` is `derive` to store only the rule, or `coded`
    to store the table, too.

    Raises:
        ValueError: The format has no number for the visibility's algorithm, or the stored table is
            not what the algorithm gives.
    """
    table = level.visibility
    assert table is not None
    if table.algorithm not in SIGHT_RULES:
        known = ", ".join(SIGHT_RULES)
        raise ValueError(
            f"a blob cannot hold the visibility of the rule {table.algorithm!r}, which its readers "
            f"do not know (known: {known}); leave the level's visibility out"
        )
    payload = PARAMETERS.pack(
        SIGHT_RULES.index(table.algorithm), int(table.see_walls), table.radius
    )
    if not _follows_from_rule(table):
        raise ValueError(
            f"the visibility differs from the result of {table.algorithm!r} for its map"
        )
    codec = DERIVE
    if form == "coded":
        offsets, planes = full_planes(table)
        codec, payload = CODED, payload + encode_visibility(planes, offsets, table.opaque)
    height, width = table.opaque.shape
    side = NONE
    for item, layer in enumerate(level.layers.values()):
        if layer.name == level.visibility_layer and np.array_equal(layer.opaque, table.opaque):
            side = item
    chunks: list[Chunk] = []
    if side == NONE:
        chunks = write_grid("OPAQ", np.asarray(table.opaque), number, 0, profile)
    chunks.append(
        Chunk("VISI", codec, payload, level=number, width=width, height=height, side=side)
    )
    return chunks


def read_visibility(
    container: Container, level: Level, number: int, budget: DecodingBudget
) -> Level:
    """Return `level` with the visibility in its chunks, if there is one.

    `number` is the level's index in a pack. The visibility table is computed on first use, and its
    cost subtracted from `budget`.

    Raises:
        BlobError: The rule, its radius or its layer is invalid.
    """
    result = container.find("VISI", number)
    if not result:
        return level
    chunk = container.load(result[0])
    rule, see_walls, radius = _rule_of(chunk)
    size = (chunk.width, chunk.height)
    if chunk.side == NONE:
        opaque = read_truth(container, "OPAQ", number, 0, size, budget.limits)
    else:
        opaque = list(level.layers.values())[chunk.side].opaque
        if opaque.shape != (chunk.height, chunk.width):
            raise BlobError("the visibility and its layer differ in size")
    if not 1 <= radius <= LARGEST_RADIUS:
        raise BlobError(f"a radius of {radius} is out of range (allowed: 1 to {LARGEST_RADIUS})")
    if not all(1 <= side <= LONGEST_SIDE for side in size):
        raise BlobError(
            f"a map of {size[0]} x {size[1]} cells has no valid size for visibility (allowed: 1 "
            f"to {LONGEST_SIDE} each way)"
        )
    sight = DerivedSight(opaque, radius, SIGHT_RULES[rule], bool(see_walls), budget)
    return replace(level, visibility=sight)


def _rule_of(chunk: Chunk) -> tuple[int, int, int]:
    """Return the sight rule in `chunk`: its number, `see_walls`, and radius.

    `see_walls` is 1 if viewers see the walls at the ends of rays, else 0.
    """
    if chunk.codec not in (DERIVE, CODED):
        raise BlobError(
            f"unknown visibility codec {chunk.codec}: the data is damaged or from a newer exporter"
        )
    payload = chunk.payload[: PARAMETERS.size]
    if len(payload) != PARAMETERS.size or (chunk.codec == DERIVE and payload != chunk.payload):
        raise BlobError("the level data is damaged: the visibility rule cannot be read")
    rule, see_walls, radius = PARAMETERS.unpack(payload)
    if rule >= len(SIGHT_RULES) or see_walls > (SIGHT_RULES[rule] == "raycast"):
        raise BlobError(
            f"unknown visibility rule {rule}: the data is damaged or from a newer exporter"
        )
    return rule, see_walls, radius


def full_planes(table: Sight) -> tuple[list[tuple[int, int]], NDArray[np.bool_]]:
    """Return every offset of `table`, with the plane that belongs to it.

    If sight is mutual, a table stores one of two opposite offsets; the other is added here. A plane
    is bool [height, width]: whether each cell sees the cell at the offset. The planes are stacked
    to [offsets, height, width].
    """
    offsets = [(int(dx), int(dy)) for dx, dy in table.offsets]
    planes = [table.plane(index) for index in range(len(offsets))]
    if table.mutual:
        planes += [table.opposite_plane(index) for index in range(len(offsets))]
        offsets += [(-dx, -dy) for dx, dy in offsets]
    return offsets, np.array(planes, np.bool_).reshape(len(offsets), *table.opaque.shape)


def _derived(opaque: NDArray[np.bool_], radius: int, algorithm: str, see_walls: bool) -> Sight:
    # Imported here: only blobs with visibility need to know how it is computed.
    from exporter.visibility import compute_visibility

    return compute_visibility(opaque, radius, algorithm, see_walls=see_walls)


def _follows_from_rule(table: Sight) -> bool:
    if isinstance(table, DerivedSight):
        return True
    derived = _derived(table.opaque, table.radius, table.algorithm, table.see_walls)
    return np.array_equal(table.offsets, derived.offsets) and np.array_equal(
        table.blocks, derived.blocks
    )
