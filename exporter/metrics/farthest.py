"""How far the farthest cell of a map is."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric(
    "farthest",
    unit="steps",
    source="eccentricity of a vertex in a graph",
    also=("longest_walk", "diameter", "depth"),
)
def measure(measured: Measured) -> int:
    """Steps from the start to the farthest cell that can be reached from it.

    The start is the first cell, row by row, of the largest region.
    """
    return measured.certificate.farthest
