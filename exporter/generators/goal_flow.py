"""Compute for each cell the next step towards the nearest goal."""

from __future__ import annotations

import numpy as np

from exporter.generators import Generated, Request, generator
from exporter.generators._walking import (
    GoalParameters,
    cost_of_walks,
    goal_cells,
    no_goal,
    walked_cells,
    walked_layers,
)
from exporter.grids.walking import EAST, HERE, NORTH, NOWHERE, SOUTH, WEST, flow, steps_from
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import CLEAR, Tile

TILES = (
    Tile(NORTH, "north", walkable=True, opaque=False, color="#4f8fdca0"),
    Tile(EAST, "east", walkable=True, opaque=False, color="#e0b040a0"),
    Tile(SOUTH, "south", walkable=True, opaque=False, color="#d05a50a0"),
    Tile(WEST, "west", walkable=True, opaque=False, color="#58b070a0"),
    Tile(HERE, "here", walkable=True, opaque=False, color="#ffffffff"),
    Tile(NOWHERE, "none", walkable=False, opaque=False, color=CLEAR),
)


@dataclass(frozen=True, kw_only=True)
class GoalFlow(GoalParameters):
    """Direction of the next step to the nearest goal, for every cell.

    The tiles are `north` (0), `east` (1), `south` (2), `west` (3), `here` (4) at a goal and `none`
    (5) where no goal can be reached. Of several directions that are as short, it is the first one
    in that order.
    """


@generator(
    "goal_flow",
    version=1,
    cost=cost_of_walks,
    shortfall=no_goal,
    tiles=TILES,
    role="data",
    also=("flow_field", "flowfield", "vector_field"),
)
def generate(parameters: GoalFlow, request: Request) -> Generated:
    """Point every cell at its neighbour that is nearest to a goal."""
    parameters.check(request.width, request.height)
    layers = walked_layers(parameters, request)
    goals = goal_cells(parameters, layers, request)
    steps = steps_from(goals, walked_cells(parameters, layers, request))
    return Generated(
        flow(steps),
        TILES,
        report={
            "goals": int(np.count_nonzero(goals)),
            "reached": int(np.count_nonzero(steps >= 0)),
        },
    )
