"""Write heights in their own units as OpenEXR, one 32-bit float a sample."""

from __future__ import annotations

from exporter.formats import FormatOptions, format
from exporter.formats.heights.samples import real_heights
from exporter.formats.images.exr import encode_exr
from exporter.model.level import Layer, Level


@format("exr", kind="heightmap", suffix="exr", each="heights")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return a layer of heights as OpenEXR."""
    return encode_exr(real_heights(layer))
