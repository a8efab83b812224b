"""Write Unity terrain heights: 16-bit little-endian, bottom row first.

A layer must be a square of 33, 65, ... 4097 samples, the sizes of Unity's terrains, or a chunk of a
world, whose adjacent chunks share the samples of their edges.
"""

from __future__ import annotations

from exporter.formats import FormatOptions, UnfitError, format
from exporter.formats.heights.samples import UNITY_SIDES, unity_raw, unity_side
from exporter.model.level import Layer, Level


@format("raw", kind="heightmap", suffix="raw", each="heights")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return the heights of `layer` as Unity's RAW.

    Raises:
        UnfitError: The layer is no square with a side that Unity's terrains can have.
    """
    if unity_side(level, layer) is not None:
        return unity_raw(level, layer)
    raise UnfitError(
        f"layer {layer.name!r} has {layer.width} x {layer.height} samples, so it cannot be "
        f"written as .raw (allowed: a square of {', '.join(map(str, UNITY_SIDES))})"
    )
