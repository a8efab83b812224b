"""Place stairs, keys, chests and monsters on suitable cells.

A group is one entry of `objects:` in a spec. Its options are filters over the cells, applied in
turn (walkable, clear of walls, reachable, far enough). Among the cells left, the choice is random
with a minimum distance (Poisson disk), or the farthest or nearest cells are taken. Every name has
its own random stream, so a change of one group moves others only where they collide. If there are
too few cells, the error lists how many each filter left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.placement.board import PlacementBoard
from exporter.placement.demands import GroupSurroundings
from exporter.placement.parameters import ObjectParameters
from exporter.placement.placed import PlacedGroup

if TYPE_CHECKING:
    from exporter.streams import Stream


def place_group(
    item: ObjectParameters, number: int, surroundings: GroupSurroundings, stream: Stream
) -> PlacedGroup:
    """Choose the cells of an object group, each cell at most once.

    Args:
        item: The group's parameters in the spec.
        number: The group's number among the groups of its name, from 1 in the order of placement.
        surroundings: The map around the group.
        stream: The random stream of all objects. Its portable variant is used, whatever `rng` the
            spec sets.

    Raises:
        ParameterError: There are fewer cells than required; the error has the path of the parameter
            after which too few were left.
    """
    board = PlacementBoard(item, surroundings, stream.portable.child(item.name, number))
    if item.spawn is not None:
        # Most levels do not need it.
        from exporter.placement.spawning import place_spawned

        return place_spawned(board, item.spawn, surroundings.rows)
    return PlacedGroup(tuple((cell % board.width, cell // board.width) for cell in board.place()))
