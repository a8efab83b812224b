"""Measure how far along the walk from some objects to others a cell is."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._derived import FULL
from exporter.generators._walking import (
    WalkParameters,
    cost_of_walks,
    object_cells,
    walked_cells,
    walked_layers,
)
from exporter.grids.walking import Detours, detours, no_way, steps_from
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import CLEAR, HeightRange, Tile
from exporter.model.parameters import About, ObjectName, Within

TILES = (
    Tile(0, "empty", walkable=False, opaque=False, color=CLEAR),
    Tile(1, "way", walkable=True, opaque=False, color="#e0b040a0"),
)


@dataclass(frozen=True, kw_only=True)
class Between(WalkParameters):
    """How far each cell lies on the way between objects, or the way itself.

    With `a` steps from the nearest start and `b` steps to the nearest goal, a cell's share is
    `a / (a + b)`: 0 at a start, 1 at a goal.
    """

    start: Annotated[
        tuple[ObjectName, ...],
        Within(1, 256, length=True),
        About("Names of the placed objects where ways begin.", also=("from", "source")),
    ]
    goal: Annotated[
        tuple[ObjectName, ...],
        Within(1, 256, length=True),
        About("Names of the placed objects where ways end.", also=("to", "end", "target", "exit")),
    ]
    show: Annotated[
        Literal["share", "way"],
        About(
            "`share`: 16-bit samples from 0 at a start to 65535 at a goal; cells that do not reach "
            "both are 0 and not walkable. `way`: tiles `way` on the shortest ways, elsewhere "
            "`empty`."
        ),
    ] = "share"
    max_detour: Annotated[
        int,
        Within(0, 65534),
        About(
            "How much longer than the shortest a way may be on which the tiles `way` lie.",
            "steps",
            also=("slack",),
        ),
    ] = 0

    def check(self, width: int, height: int) -> None:
        """Refuse `max_detour` unless the layer shows the `way`.

        Raises:
            ParameterError: `max_detour` has no effect; the error has the path of `max_detour`.
        """
        if self.max_detour and self.show != "way":
            raise ParameterError(
                "`max_detour` has no effect without `show: way` (add that, or remove `max_detour`)",
                ("max_detour",),
            )


@generator(
    "between", version=1, cost=cost_of_walks, role="data", also=("difficulty", "shortest_way")
)
def generate(parameters: Between, request: Request) -> Generated:
    """Return each cell's share of the walk from start to goal, or the path.

    With `show: way` the result marks the cells of the path instead.
    """
    parameters.check(request.width, request.height)
    walkable = walked_cells(parameters, walked_layers(parameters, request), request)
    walks = detours(
        steps_from(object_cells(parameters.start, request), walkable),
        steps_from(object_cells(parameters.goal, request), walkable),
    )
    if walks.shortest is None:
        raise ParameterError(no_way(parameters.start, parameters.goal, walks, walkable), ("goal",))
    way = walks.within(parameters.max_detour)
    report = {
        "shortest": walks.shortest,
        "reached": int(np.count_nonzero(walks.total >= 0)),
        "way": int(np.count_nonzero(way)),
    }
    if parameters.show == "way":
        return Generated(way.astype(np.uint8), TILES, report=report)
    return Generated(
        _shares(walks),
        kind="heights",
        heights=HeightRange(0.0, 1.0, "share"),
        walkable=walks.total >= 0,
        report=report,
    )


def _shares(walks: Detours) -> np.ndarray[tuple[int, ...], np.dtype[np.uint16]]:
    """Convert how far along the walk each cell is to samples of 0 to 65535."""
    total = np.maximum(walks.total, 1).astype(np.int64)
    samples = (2 * walks.from_start.astype(np.int64) * FULL + total) // (2 * total)
    return np.where(walks.total >= 0, samples, 0).astype(np.uint16)
