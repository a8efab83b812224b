"""Decode one part of a layer without the others, for large worlds."""

from __future__ import annotations

from exporter.blob._budget import DecodingBudget
from exporter.blob._descriptions import layer_sizes, level_fields
from exporter.blob._grids import StoredGrid
from exporter.blob.container import NONE, read_container
from exporter.blob.values import read_values
from exporter.codecs import Limits
from exporter.codecs.codec import Array
from exporter.model.errors import BlobError
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of a layer: its cells, and their position in the layer.

    Attributes:
        x: The column of its upper left cell in the layer.
        y: The row of that cell.
        cells: uint8 or uint16 [height, width]: tile ids, or height samples.
    """

    x: int
    y: int
    cells: Array


def read_part(
    data: bytes, layer: str, part: int, level: int = 0, limits: Limits | None = None
) -> Part:
    """Decode one part of a layer in a blob.

    Layers are stored in parts of 256 x 256 cells, numbered row by row; the last part of a row or
    column has a side of 128 to 383. A part may depend on another part, or on the same part of an
    earlier layer, which is then decoded, too; not in blobs written with `independent_parts`.

    Args:
        data: The bytes of the blob.
        layer: The layer's name.
        part: The index of the part, from 0.
        level: The index of the level in a pack.
        limits: The limits of memory and work for the level data and this part.

    Raises:
        BlobError: The part or the blob is damaged.
        KeyError: The level has no such layer.
        IndexError: The layer has no such part.
    """
    budget = DecodingBudget(limits)
    limits = budget.limits
    container = read_container(bytes(data), limits)
    try:
        described = level_fields(read_values(container, "LEVL", level, budget))["layers"]
        sizes = layer_sizes(described)
    except (KeyError, TypeError, ValueError) as error:
        raise BlobError(
            f"the level data is damaged: {type(error).__name__} {error} (export the level again)"
        ) from error
    if layer not in sizes:
        raise KeyError(f"the level has no layer {layer!r} (it has {', '.join(sizes)})")
    item, size = list(sizes).index(layer), sizes[layer]
    grid = StoredGrid(container, "CELL", level, item, size, limits)
    if not 0 <= part < len(grid):
        raise IndexError(f"layer {layer!r} has no chunk {part} (it has {len(grid)})")
    by_item = list(sizes.values())
    # Dependencies come first. Every step leads to an earlier layer, so it ends.
    chain = [grid]
    while (side := chain[-1].entry(part).side) != NONE:
        if side >= item or by_item[side] != size:
            raise BlobError(f"a chunk of layer {item} depends on a layer that it may not depend on")
        item = side
        chain.append(StoredGrid(container, "CELL", level, item, size, limits))
    for stored in chain:
        budget.charge(f"part {part}", *stored.price(part))
    cells: Array | None = None
    for stored in reversed(chain):
        cells = stored.part(part, cells)
    assert cells is not None  # the chain begins with the layer itself
    return Part(*grid.corner(part), cells)
