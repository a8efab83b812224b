"""Measure how many steps each cell is from the nearest goal."""

from __future__ import annotations

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._walking import (
    LARGEST_SAMPLE,
    GoalParameters,
    cost_of_walks,
    goal_cells,
    no_goal,
    walked_cells,
    walked_layers,
)
from exporter.grids.walking import steps_from
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import NO_STEPS, STEPS, HeightRange


@dataclass(frozen=True, kw_only=True)
class StepsFrom(GoalParameters):
    """Walking distance of every cell to the nearest goal.

    Each sample is a number of steps between 4-connected cells, 0 at a goal. 65535 marks cells from
    which no goal can be reached, and cells that cannot be walked on; longer ways than 65534 steps
    are 65534. A goal need not be walkable, but no way leads through it then.
    """


@generator(
    "steps_from",
    version=1,
    cost=cost_of_walks,
    shortfall=no_goal,
    makes="heights",
    role="data",
    also=("distance", "dijkstra", "steps"),
)
def generate(parameters: StepsFrom, request: Request) -> Generated:
    """Count the steps from the nearest goal to each cell."""
    parameters.check(request.width, request.height)
    layers = walked_layers(parameters, request)
    walkable = walked_cells(parameters, layers, request)
    goals = goal_cells(parameters, layers, request)
    steps = steps_from(goals, walkable)
    samples = np.where(steps < 0, NO_STEPS, np.minimum(steps, LARGEST_SAMPLE))
    return Generated(
        samples.astype(np.uint16),
        kind="heights",
        heights=HeightRange(0.0, float(NO_STEPS), STEPS),
        report={
            "goals": int(np.count_nonzero(goals)),
            "reached": int(np.count_nonzero(steps >= 0)),
            "unreachable": int(np.count_nonzero(walkable & (steps < 0))),
            "farthest": int(steps.max(initial=0)),
        },
    )
