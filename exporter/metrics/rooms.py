"""How many rooms a map has."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric("rooms", also=("room_count",))
def measure(measured: Measured) -> int:
    """Number of rooms that the generators of the `play` layers built."""
    return len(measured.rooms)
