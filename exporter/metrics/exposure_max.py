"""How much the most exposed cell of a level sees."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.metrics._sights import exposures


@metric(
    "exposure_max",
    most=1.0,
    needs=("visibility",),
    source="isovist area: Benedikt 1979",
)
def measure(measured: Measured) -> float:
    """Largest share of an empty circle that a floor cell sees; counted as for `exposure_mean`."""
    *_, most, circle = exposures(measured)
    return most / circle
