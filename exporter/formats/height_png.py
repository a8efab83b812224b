"""Write heights as a grey PNG with 16 bits a sample."""

from __future__ import annotations

from exporter.formats import FormatOptions, format
from exporter.formats.heights.samples import height_png
from exporter.model.level import Layer, Level


@format("height_png", kind="heightmap", suffix="png", each="heights")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return the heights of `layer` as PNG."""
    return height_png(layer)
