"""Write tile ids as comma-separated values, a line for each row of cells."""

from __future__ import annotations

from exporter.formats import FormatOptions, format
from exporter.model.level import Layer, Level


@format("csv", kind="tilemap", suffix="cells.csv", each="tiles")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return the tile ids of `layer` as CSV, a line for each row of cells."""
    return "".join(",".join(map(str, row)) + "\n" for row in layer.cells.tolist()).encode()
