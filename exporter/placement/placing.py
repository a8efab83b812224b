"""Place stairs, keys, chests and monsters on reachable cells.

A group of objects is placed on a map and gets its cells. The options of an object are filters over
the cells, one after the other (walkable, clear of walls, reachable, far enough); among the
remaining cells the choice is random, apart by a distance (Poisson disk), or the farthest or
nearest. Every name has its own random stream, so a change of one group moves others only where they
collide. A failure is an error with the number of cells that each filter left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.placement.board import PlacementBoard
from exporter.placement.demands import Surroundings
from exporter.placement.parameters import ObjectParameters
from exporter.placement.placed import PlacedGroup

if TYPE_CHECKING:
    from exporter.streams import Stream


def place_group(
    item: ObjectParameters, number: int, surroundings: Surroundings, stream: Stream
) -> PlacedGroup:
    """Place a group of objects.

    No two objects share a cell.

    Args:
        item: The objects.
        number: Which group of that name it is, from 1 in the order in which they are placed.
        surroundings: Their surroundings on the map.
        stream: That of all objects; its portable stream is used, whatever `rng` is.

    Returns:
        Their cells, and the names of objects that are drawn from a table.

    Raises:
        ParameterError: With the path of the parameter, for fewer cells than requested.
    """
    board = PlacementBoard(item, surroundings, stream.portable.child(item.name, number))
    if item.spawn is not None:
        # Most levels do not need it.
        from exporter.placement.spawning import place_spawned

        return place_spawned(board, item.spawn, surroundings.rows)
    return PlacedGroup(tuple((cell % board.width, cell // board.width) for cell in board.place()))
