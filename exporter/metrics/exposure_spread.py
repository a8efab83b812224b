"""How different the cells of a level are in what they see."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.metrics._sights import exposures, standard_deviation


@metric(
    "exposure_spread",
    most=1.0,
    needs=("visibility",),
    source="isovist area: Benedikt 1979",
    also=("exposure_deviation",),
)
def measure(measured: Measured) -> float:
    """Standard deviation of the floor cells' shares of an empty circle, as for `exposure_mean`."""
    count, total, squares, _, circle = exposures(measured)
    return standard_deviation(count, total, squares) / circle
