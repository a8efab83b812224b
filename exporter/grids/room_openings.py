"""Find the openings of rooms, and cells for doors in them.

An opening is a row of adjacent cells at a room's edge, each beside a walkable cell outside the
room. A door fits into a line of cells that closes the opening, with walls at both ends and floor
along both sides. This line is the edge of the room itself if the room's rectangle includes its
walls, else the cells in front of it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass

# Around the grid, so that no line or side of it leaves it: an opening and two cells more.
_FRAME = 2


@dataclass(frozen=True, slots=True)
class DoorPlaces:
    """The cells where doors fit, and counts of the rooms' openings.

    An opening is where cells of a room adjoin walkable cells outside.

    Attributes:
        doors: The cells (x, y) that become doors.
        walls: The cells (x, y) beside doors in wide openings that become walls.
        openings: The number of openings of all rooms.
        existing: The number of openings that already have a door, inside or adjacent.
        unfit: The number of openings into which no door fits: too wide, or in a corner.
    """

    doors: tuple[tuple[int, int], ...]
    walls: tuple[tuple[int, int], ...]
    openings: int
    existing: int
    unfit: int


def door_places(
    walkable: NDArray[np.bool_],
    labels: NDArray[np.int32],
    present: NDArray[np.bool_],
    expected: NDArray[np.bool_] | None = None,
    max_width: int = 1,
) -> DoorPlaces:
    """Return cells for doors: at most one for each opening, none adjacent.

    An opening is where cells of a room adjoin walkable cells outside. Openings are sorted by
    direction (right, down, left, up), then in reading order. An opening between two rooms belongs
    to the room with the lower number. A door beside another door is left out. A wide opening gets
    walls except for a door in its middle, so connected cells stay connected.

    Args:
        walkable: bool [height, width]: the walkable cells.
        labels: int32 [height, width]: the room of each cell, from `room_labels`.
        present: bool [height, width]: the existing doors.
        expected: bool [height, width]: the cells that may become doors; None allows all.
        max_width: The widest opening that gets a door, in cells.
    """
    walks, ways = _framed(walkable), _framed(present & walkable)
    allowed = _framed(np.ones(walkable.shape, bool) if expected is None else expected)
    stride = walkable.shape[1] + 2 * _FRAME
    doors: list[int] = []
    walls: list[int] = []
    openings = remaining = unfit = 0
    for first, length, along, outward in _openings(walkable, labels):
        openings += 1
        lines = [range(at, at + length * along, along) for at in (first, first + outward)]
        if any(ways[cell] for line in lines for cell in line):
            remaining += 1
            continue
        line = next((item for item in lines if _closes(walks, item, along, outward)), None)
        if line is None or length > max_width:
            unfit += 1
            continue
        middle = line[(length - 1) // 2]
        if any(ways[middle + step] for step in (-stride, -1, 1, stride)):
            remaining += 1
            continue
        if not allowed[middle]:
            continue
        doors.append(middle)
        ways[middle] = 1
        for cell in line:
            if cell != middle:
                walls.append(cell)
                walks[cell] = 0
    return DoorPlaces(_points(doors, stride), _points(walls, stride), openings, remaining, unfit)


def _framed(mask: NDArray[np.bool_]) -> bytearray:
    """Return `mask` with a frame of False, row after row, as mutable bytes."""
    return bytearray(np.pad(mask, _FRAME).tobytes())


def _openings(
    walkable: NDArray[np.bool_], labels: NDArray[np.int32]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the openings of all rooms, as positions in the framed grid.

    Each is four numbers: the opening's first cell at the room's edge, the count of its cells, the
    distance to the next cell of the opening, and the distance to the cell outside the room.
    """
    stride = walkable.shape[1] + 2 * _FRAME
    framed = np.pad(np.where(walkable, labels, -1), _FRAME, constant_values=-1).ravel()
    for outward, along in ((1, stride), (stride, 1), (-1, stride), (-stride, 1)):
        there = np.roll(framed, -outward)
        edge = np.flatnonzero((framed > 0) & (there >= 0) & (there != framed))
        # An opening shared by two rooms belongs to the first of them.
        edge = edge[(there[edge] == 0) | (framed[edge] < there[edge])]
        if not edge.size:
            continue
        if along != 1:
            # Down the columns, so that the cells of an opening follow each other.
            edge = edge[np.lexsort((edge // stride, edge % stride))]
        goes_on = (edge[1:] - edge[:-1] == along) & (framed[edge[1:]] == framed[edge[:-1]])
        starts = np.flatnonzero(np.concatenate([[True], ~goes_on]))
        lengths = np.diff(starts, append=edge.size)
        firsts = edge[starts]
        order = np.argsort(firsts, kind="stable")
        for first, length in zip(firsts[order].tolist(), lengths[order].tolist(), strict=True):
            yield first, length, along, outward


def _closes(walks: bytearray, line: range, along: int, outward: int) -> bool:
    """Return whether a door fits into the cells `line` of a row or column.

    It fits if there are walls at both ends of the line and floor along both sides. `along` and
    `outward` are the distances to the next cell of the line and to the cell beside it.
    """
    if walks[line[0] - along] or walks[line[-1] + along]:
        return False
    return all(walks[cell] and walks[cell - outward] and walks[cell + outward] for cell in line)


def _points(cells: list[int], stride: int) -> tuple[tuple[int, int], ...]:
    return tuple((cell % stride - _FRAME, cell // stride - _FRAME) for cell in cells)
