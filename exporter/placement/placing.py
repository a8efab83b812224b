"""Placement: puts stairs, keys, chests and monsters on cells where they can be found.

A group of objects and what it meets on the map flow in, cells flow out. What is wanted of an object
is a row of filters over the cells (walkable, clear of walls, reachable, far enough); among the
cells that are left the choice is random, apart by a distance (Poisson disk), or the farthest or
nearest. Every name has a random stream of its own, so that a change of one group moves the others
only where it comes into their way. What cannot be placed is an error that says how many cells each
demand left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exporter.placement.board import PlacementBoard, Surroundings
from exporter.placement.parameters import ObjectParameters
from exporter.placement.placed import Placed

if TYPE_CHECKING:
    from exporter.streams import Stream


def place_group(
    one: ObjectParameters, number: int, surroundings: Surroundings, stream: Stream
) -> Placed:
    """Place a group of objects.

    No two objects share a cell.

    Args:
        one: The objects.
        number: Which group of that name it is, from 1 in the order in which they are placed.
        surroundings: What they meet on the map.
        stream: That of all objects; its portable stream is used, whatever `rng` is.

    Returns:
        Where they stand, and what those that are drawn from a table are.

    Raises:
        ParameterError: With the path of the parameter, for fewer places than wanted.
    """
    board = PlacementBoard(one, surroundings, stream.portable.child(one.name, number))
    if one.spawn is not None:
        # Most levels need none of it.
        from exporter.placement.spawning import place_spawned

        return place_spawned(board, one.spawn, surroundings.rows)
    return Placed(tuple((cell % board.width, cell // board.width) for cell in board.place()))
