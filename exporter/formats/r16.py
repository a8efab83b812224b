"""Write heights as 16-bit little-endian numbers, top row first.

The file has no header.
"""

from __future__ import annotations

from exporter.formats import FormatOptions, format
from exporter.formats.heights.samples import height_rows
from exporter.model.level import Layer, Level


@format("r16", kind="heightmap", suffix="r16", each="heights")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return the heights of `layer` as raw bytes."""
    return height_rows(layer)
