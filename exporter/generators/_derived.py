"""Make layers that are computed from visibility (derived layers).

A derived layer describes the floor: cells that are walkable and transparent. It has either tiles,
one for each class of floor and one for all other cells, or 16-bit samples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, Request
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import CLEAR, HeightRange, Layer, Tile
from exporter.model.parameters import About, LayerName, Parameters, Within

if TYPE_CHECKING:
    from exporter.measures.measured import Measured

FULL = 65535
BLOCKED = Tile(0, "blocked", walkable=False, opaque=True, color=CLEAR)


@dataclass(frozen=True, kw_only=True)
class DerivedParameters(Parameters):
    """Parameters of all layers computed from visibility."""

    needs_visibility: ClassVar[bool] = True

    of: Annotated[
        LayerName | None, About("Tile layer to analyse; default: the layer of `visibility`.")
    ] = None
    radius: Annotated[
        Annotated[int, Within(1, 64)] | None,
        About("Radius of sight; default: the radius of `visibility`.", "cells"),
    ] = None


@dataclass(frozen=True, kw_only=True)
class GradedParameters(DerivedParameters):
    """Parameters of such layers whose values can be classes."""

    levels: Levels = 0

    def check(self, width: int, height: int) -> None:
        """Refuse a single class: `levels` must be 0 (no classes) or at least 2."""
        if self.levels == 1:
            raise ParameterError("the value 1 is not allowed (allowed: 0, or 2 to 16)", ("levels",))


def sight_radius(parameters: DerivedParameters, radius: int) -> int:
    """Return how far around a cell other cells affect what it sees.

    This is the `radius` of the parameters, or else `radius`, that of the level's `visibility`.
    """
    return parameters.radius or radius


def viewers_radius(parameters: DerivedParameters, radius: int) -> int:
    """Return how far around a cell other cells affect which cells see it.

    Whether another cell sees it depends on the cells around that one, so this is twice the radius
    of sight. `radius` is that of the level's `visibility`, used if the parameters have none.
    """
    return 2 * sight_radius(parameters, radius)


def measured(parameters: DerivedParameters, request: Request) -> Measured:
    """Return the layer to measure, with a visibility table that fits it.

    This is the level's own visibility table if it has the layer's walls and the radius of the
    parameters; else a table computed by the same rule.

    Raises:
        ParameterError: There is no visibility, or the layer is unsuitable or too large.
    """
    from exporter.measures.measured import Measured
    from exporter.visibility import compute_visibility

    name = parameters.of or request.visibility_layer
    if request.visibility is None or name is None:
        raise ParameterError(
            "this layer needs the level's visibility (add `visibility: {radius: 8}` to the level)"
        )
    table, layer = request.visibility(), _tile_layer(request, name)
    if layer.cells.shape != (request.height, request.width):
        raise ParameterError(
            "a layer derived from visibility cannot have its own size (remove `size`)", ("size",)
        )
    radius = parameters.radius or table.radius
    if radius != table.radius or not np.array_equal(layer.opaque, table.opaque):
        try:
            table = compute_visibility(
                layer.opaque, radius, table.algorithm, see_walls=table.see_walls
            )
        except ValueError as error:
            raise ParameterError(str(error), ("radius",)) from None
    return Measured(layer, lambda: table)


def _tile_layer(request: Request, name: str) -> Layer:
    layer = request.finished_layer(name, ("of",))
    if layer.kind != "tiles" or not layer.grid_aligned:
        raise ParameterError(
            f"{name!r} is not a tile layer, or differs in size from the level", ("of",)
        )
    return layer


def classes(marks: NDArray[np.uint8], names: tuple[tuple[str, str], ...]) -> Generated:
    """Return a tile layer from the class of each cell.

    `marks`, uint8 [height, width], has the class of each cell, from 1. Cells outside the floor are
    0 and become the tile `blocked`. `names` has the name and colour of the tile for each class.
    """
    legend = (
        Tile(number, name, walkable=True, opaque=False, color=color)
        for number, (name, color) in enumerate(names, start=1)
    )
    return Generated(marks, (BLOCKED, *legend))


def graded(
    values: NDArray[np.int32],
    full: int,
    levels: int,
    floor: NDArray[np.bool_],
    word: str,
    heights: HeightRange,
) -> Generated:
    """Return `values` as a layer of 16-bit samples, or of tiles by class.

    Args:
        values: int32 [height, width]; cells outside the floor become 0, or the tile `blocked`.
        full: The largest value, which becomes the sample 65535 or belongs to the last class;
            greater values count as this one.
        levels: The number of classes, each a tile; 0 for samples.
        floor: bool [height, width]: the cells to grade.
        word: The first part of the tiles' names, before the number of the class.
        heights: The range and unit that samples stand for.
    """
    full = max(full, 1)
    remaining = np.where(floor, np.minimum(values, full), 0).astype(np.int64)
    if levels == 0:
        samples = (2 * remaining * FULL + full) // (2 * full)
        return Generated(samples.astype(np.uint16), kind="heights", heights=heights)
    steps = np.minimum(remaining * levels // full, levels - 1) + 1
    marks = np.where(floor, steps, 0).astype(np.uint8)
    return classes(marks, tuple((f"{word}_{step}", _ramp(step, levels)) for step in range(levels)))


def _ramp(step: int, levels: int) -> str:
    """Return the colour of class `step`, from dark blue to bright yellow."""
    dark, bright = (24, 28, 72), (255, 226, 96)
    last = max(levels - 1, 1)
    parts = [
        (first * (last - step) + second * step) // last
        for first, second in zip(dark, bright, strict=True)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts) + "a0"


Levels = Annotated[
    int,
    Within(0, 16),
    About(
        "Number of classes, at least 2, as tiles from low to high for bitmaps and tilemaps; 0: "
        "16-bit samples for the heightmap formats."
    ),
]
