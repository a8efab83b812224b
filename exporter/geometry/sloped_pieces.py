"""Cut a walkable area with slopes into convex pieces.

Heights of the ground are known at the centres of cells. So on slopes, pieces have their corners at
cell centres, and each lies in the square between four of them. Pieces are few, because engines
limit how many they search for a path.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.geometry.area import Area
from exporter.geometry.pieces import Pieces, area_faces, gathered_pieces
from exporter.geometry.surfaces import Faces, corner_points, with_points_on_sides

# Units of a cell: an agent keeps off walls by one of them.
UNITS = 4
# Lines between the middles of two cells, in units from the first.
_OFFSETS = np.array([0, 1, UNITS - 1, UNITS])
# Where an agent fits between the middles of four cells, as the numbers of the lines to the left,
# above, to the right and below; by the walkable cells, whose bits are 1 for the first, 2 for that
# to the right, 4 for that below the first, and 8 for the last.
_CORNERS = {1: (0, 0, 1, 1), 2: (2, 0, 3, 1), 4: (0, 2, 1, 3), 8: (2, 2, 3, 3)}
_STRIPS = {3: (0, 0, 3, 1), 12: (0, 2, 3, 3), 5: (0, 0, 1, 3), 10: (2, 0, 3, 3)}
_PARTS = {
    **{bits: [part] for bits, part in (_CORNERS | _STRIPS).items()},
    6: [_CORNERS[2], _CORNERS[4]],
    9: [_CORNERS[1], _CORNERS[8]],
    7: [_STRIPS[3], (0, 1, 1, 3)],
    11: [_STRIPS[3], (2, 1, 3, 3)],
    13: [_STRIPS[12], (0, 0, 1, 2)],
    14: [_STRIPS[12], (2, 0, 3, 2)],
    15: [(0, 0, 3, 3)],
}


def sloped_pieces(mask: NDArray[np.bool_], sloped: NDArray[np.bool_]) -> Pieces:
    """Cut the part of a mask where an agent fits into convex pieces.

    Pieces keep a quarter of a cell away from cells outside the mask. Adjacent pieces share whole
    edges: a corner of one on the side of another is a corner of both.

    Args:
        mask: bool [height, width].
        sloped: bool [height + 1, width + 1]: True at the corners of cells where the four adjacent
            cell centres differ in height.
    """
    height, width = mask.shape
    around = np.pad(mask, 1).astype(np.int64)
    walkable = around[:-1, :-1] + 2 * around[:-1, 1:] + 4 * around[1:, :-1] + 8 * around[1:, 1:]
    fields = np.zeros((height + 1, 3, width + 1, 3), bool)
    pieces = []
    for bits, parts in _PARTS.items():
        here = walkable == bits
        level = (here & ~sloped)[:, None, :, None]
        y, x = np.nonzero(here & sloped)
        first = np.stack([x, y], 1)[:, None] * UNITS - UNITS // 2
        for left, top, right, bottom in parts:
            fields[:, top:bottom, :, left:right] |= level
            around_it = [[left, top], [right, top], [right, bottom], [left, bottom]]
            pieces.append((first + _OFFSETS[around_it]).reshape(-1, 2))
    # Beyond the middles of the outer cells nothing is walkable but for a unit.
    inside = fields.reshape(3 * height + 3, 3 * width + 3)[2:-2, 2:-2]
    corners = np.concatenate(pieces)
    faces = [
        area_faces(Area(np.ascontiguousarray(inside), _lines(width), _lines(height), UNITS)),
        Faces(corners, np.arange(0, len(corners) + 1, 4)),
    ]
    points = corner_points(faces, (height * UNITS, width * UNITS))
    flat, slopes = (with_points_on_sides(some, points) for some in faces)
    starts = np.concatenate([flat.starts, slopes.starts[1:] + len(flat.corners)])
    return gathered_pieces(Faces(np.concatenate([flat.corners, slopes.corners]), starts), UNITS)


def _lines(cells: int) -> NDArray[np.int64]:
    """Return the grid lines across `cells` cells, in units, ascending."""
    middles = np.arange(-UNITS, cells * UNITS, UNITS)[:, None] + UNITS // 2
    lines: NDArray[np.int64] = (middles + _OFFSETS[:-1]).ravel()[2:-1]
    return lines
