"""How many parts a map falls into."""

from __future__ import annotations

from exporter.metrics import metric
from exporter.metrics._measured import Measured


@metric(
    "regions",
    source="connected components: Rosenfeld, Pfaltz 1966",
    also=("components", "islands"),
)
def measure(measured: Measured) -> int:
    """Number of separate regions of floor: cells hang together by their sides."""
    return measured.certificate.regions_after
