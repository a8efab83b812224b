"""Heights as Unity's terrains read them: 16-bit little-endian numbers, bottom row first.

Only for squares of 33, 65, ... 4097 samples, the sizes such a terrain can have.
"""

from __future__ import annotations

from exporter.formats import FormatOptions, format
from exporter.formats.heights.samples import UNITY_SIDES, fits_unity_terrain, unity_raw
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level


@format("raw", kind="heightmap", suffix="raw", each="heights")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return the samples of a height layer.

    Raises:
        ParameterError: The layer is no such square.
    """
    if not fits_unity_terrain(layer):
        raise ParameterError(
            f"layer {layer.name!r} has {layer.width} x {layer.height} samples and has no .raw "
            f"(allowed: a square of {', '.join(map(str, UNITY_SIDES))})"
        )
    return unity_raw(layer)
