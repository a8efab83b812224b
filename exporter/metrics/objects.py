"""How many objects of a name stand in a level."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric("objects", arguments=("object",), needs=("objects",), also=("count",))
def measure(measured: Measured, name: str) -> int:
    """Number of placed objects of a name."""
    return len(measured.objects.get(name, ()))
