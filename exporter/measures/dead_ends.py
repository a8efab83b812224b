"""Find the floor cells with only one neighbouring floor cell."""

from __future__ import annotations

from exporter.grids.certificates import find_dead_ends
from exporter.measures import measure
from exporter.measures.maps import PINK, Mask
from exporter.measures.measured import Measured


@measure(
    "dead_ends",
    number=lambda level: level.certificate.dead_ends,
    unit="cells",
    shown=("dead end", PINK),
)
def dead_ends(level: Measured) -> Mask:
    """Floor cells with exactly one floor cell beside them (of four)."""
    return find_dead_ends(level.walkable)
