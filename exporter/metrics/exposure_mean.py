"""How much the floor of a level sees."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.metrics._sights import exposures


@metric(
    "exposure_mean",
    most=1.0,
    needs=("visibility",),
    source="isovist area: Benedikt 1979",
    also=("exposure", "mean_exposure", "visibility", "fov"),
)
def measure(measured: Measured) -> float:
    """Mean share of an empty circle of the radius of sight that a floor cell sees.

    Cells that are seen count whether they are floor or not, as does the cell itself; the circle has
    as many cells as are seen on an empty map. Floor that blocks sight is left out.
    """
    count, total, _, _, circle = exposures(measured)
    return total / (count * circle) if count else 0.0
