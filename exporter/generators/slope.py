"""Measure how steep a layer of heights is in each cell."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, Parts, Request, generator, next_cells
from exporter.generators._heights import heights_of
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import HeightRange
from exporter.model.parameters import About, LayerName, Parameters


@dataclass(frozen=True, kw_only=True)
class Slope(Parameters):
    """Steepness in heights: the largest difference to the neighbours.

    Its unit is that of the heights per cell. `bands` makes tiles of it, such as cliffs.
    """

    of: Annotated[
        LayerName,
        About(
            "Layer of heights, of any size.",
            also=("heights", "from_layer", "layer", "relief", "heightmap"),
        ),
    ]


@generator(
    "slope",
    version=1,
    parts=Parts(next_cells),
    makes="heights",
    also=("steepness", "cliffs", "gradient"),
    role="data",
)
def generate(parameters: Slope, request: Request) -> Generated:
    """Measure how steep each cell is: its largest difference to a neighbour."""
    heights = heights_of(request, parameters.of, ("of",))
    low, high = heights.range.minimum, heights.range.maximum
    return Generated(
        steepness(heights.samples).astype(np.uint16),
        kind="heights",
        heights=HeightRange(0.0, high - low, f"{heights.range.units} per cell"),
    )


def steepness(samples: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return each sample's largest difference to its four neighbours."""
    steepest = np.zeros_like(samples)
    across, down = abs(np.diff(samples, axis=1)), abs(np.diff(samples, axis=0))
    np.maximum(steepest[:, 1:], across, out=steepest[:, 1:])
    np.maximum(steepest[:, :-1], across, out=steepest[:, :-1])
    np.maximum(steepest[1:], down, out=steepest[1:])
    np.maximum(steepest[:-1], down, out=steepest[:-1])
    return steepest
