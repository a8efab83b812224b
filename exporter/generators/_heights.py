"""Read the heights of another layer for a generator.

A layer of heights covers the area of the level, whatever its own size. Here it is resampled to the
grid that a generator fills, and heights that users write are converted to 16-bit samples. Both use
exact integers and fractions.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Request
from exporter.generators._relief import SAMPLE_MAXIMUM
from exporter.grids.resampling import resampled
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import HeightRange
from exporter.model.parameters import Within

Path = tuple[str | int, ...]
# The heights that layers can have.
Height = Annotated[float, Within(-1_000_000, 1_000_000)]
HeightDifference = Annotated[float, Within(0, 2_000_000)]


@dataclass(frozen=True, slots=True, eq=False)
class Heights:
    """The heights of another layer, resampled to the requested cells.

    Attributes:
        name: The name of the other layer.
        samples: int32 [height, width] of 0 (lowest possible height) to 65535 (highest).
        range: The lowest and highest possible height, and their unit.
    """

    name: str
    samples: NDArray[np.int32]
    range: HeightRange

    @property
    def span(self) -> Fraction:
        """The difference of the highest and the lowest possible height."""
        return Fraction(self.range.maximum) - Fraction(self.range.minimum)

    def samples_below(self, height: float) -> int:
        """Return how many of the 65536 possible samples mean less than `height`.

        The sample s means `minimum + s * (maximum - minimum) / 65535`, computed exactly from the
        64-bit values. A sample of exactly this height is not counted.
        """
        share = (Fraction(height) - Fraction(self.range.minimum)) / self.span
        return ceil(share * SAMPLE_MAXIMUM)

    def steps_of(self, difference: float) -> int:
        """Convert a `difference` of heights to one of samples, rounded up."""
        return ceil(Fraction(difference) / self.span * SAMPLE_MAXIMUM)

    def describe(self) -> str:
        """Format the range of the heights for messages, with the unit."""
        return f"{self.range.minimum:.15g} to {self.range.maximum:.15g} {self.range.units}"


def heights_of(request: Request, name: str, path: Path, *, tiles: bool = False) -> Heights:
    """Return the heights of the layer `name` in the requested cells.

    A layer of the requested size is returned unchanged. Otherwise each height is interpolated
    between the four nearest samples, and rounded, halves up. Samples of a layer of the level's size
    are at the middles of cells; in a layer of another size, the first and the last sample of a row
    are on the edges of the area. `tiles` says that the result is for tiles, which are always at the
    middles of cells.

    Raises:
        ParameterError: The layer is not above this one in the spec, or has no heights. The error
            has `path`, that of the parameter that names the layer.
    """
    layer = request.finished_layer(name, path)
    if layer.kind != "heights" or layer.heights is None:
        able = [item.name for item in request.layers.values() if item.kind == "heights"]
        raise ParameterError(
            f"the layer {name!r} holds tiles, not heights "
            f"(allowed: {', '.join(able) or 'a layer of `heightmap`, above this one'})",
            path,
        )
    samples = layer.cells.astype(np.int32)
    if samples.shape != (request.height, request.width):
        middles = tiles or request.grid_aligned
        samples = resampled(samples, request.width, request.height, layer.grid_aligned, middles)
    return Heights(name, samples, layer.heights)
