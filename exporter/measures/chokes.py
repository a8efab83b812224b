"""Find the cells that every path between two areas must pass."""

from __future__ import annotations

from exporter.grids.certificates import find_chokes
from exporter.measures import measure
from exporter.measures.maps import RED, Mask
from exporter.measures.measured import Measured


@measure(
    "chokes",
    number=lambda level: level.certificate.chokes,
    unit="cells",
    shown=("choke", RED),
    source="articulation points: Hopcroft, Tarjan 1973",
    also=("bottlenecks",),
)
def chokes(level: Measured) -> Mask:
    """Floor cells whose removal splits their region."""
    return find_chokes(level.walkable)
