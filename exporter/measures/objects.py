"""Count the objects with a given name in a level."""

from __future__ import annotations

from exporter.measures import measure
from exporter.measures.measured import Measured


@measure("objects", arguments=("object",), needs=("objects",), also=("count",))
def objects(level: Measured, name: str) -> int:
    """Number of placed objects of a name."""
    return len(level.objects.get(name, ()))
