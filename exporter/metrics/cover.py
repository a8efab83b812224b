"""How much of a level one can hide from."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured
from exporter.visibility.hiding import cover_thousandths


@metric("cover", most=1.0, needs=("visibility",), source="the layer `cover`", also=("shelter",))
def measure(measured: Measured) -> float:
    """Mean cover of the floor: share of the other floor within the radius that does not see a cell.

    As the layer `cover` has it: for each cell in whole thousandths, rounded down, and full where
    there is no other floor within the radius.
    """
    floor = measured.sighted_floor
    shares = cover_thousandths(measured.sight, floor)[floor]
    return int(shares.sum(dtype=int)) / (1000 * shares.size) if shares.size else 0.0
