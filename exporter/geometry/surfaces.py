"""Cover cells with triangles that share their vertices.

Regions are cut into convex faces. The end of a cut in the middle of a straight side is moved to a
corner nearby, since each extra point costs a triangle in every surface that meets there. Adjacent
faces then get each other's corners on their common sides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.geometry._cuts import find_cuts
from exporter.geometry._lattice import lattice_of
from exporter.geometry._moved_ends import without_ends_on_sides
from exporter.geometry._subdivision import Faces as Faces
from exporter.geometry._subdivision import convex_faces
from exporter.geometry.area import Area, area_of
from exporter.geometry.pieces import Pieces


def region_faces(mask: NDArray[np.bool_]) -> Faces:
    """Divide the cells of a mask into convex polygons.

    Args:
        mask: bool [height, width], sides up to 8192; may be empty.

    Raises:
        ValueError: The mask has not two dimensions, or is too large.
    """
    return surface_faces(area_of(mask))


def surface_faces(area: Area) -> Faces:
    """Divide an area into convex polygons, with few points on straight sides."""
    lattice = lattice_of(area)
    slanted = find_cuts(lattice)
    return without_ends_on_sides(convex_faces(lattice, slanted))


def corner_points(faces: list[Faces], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Mark which points are corners of polygons: bool [height + 1, width + 1].

    Args:
        faces: The faces of all regions.
        shape: Height and width of the map, in the coordinates of the faces.
    """
    points = np.zeros((shape[0] + 1, shape[1] + 1), bool)
    for some in faces:
        points[some.corners[:, 1], some.corners[:, 0]] = True
    return points


def with_points_on_sides(faces: Faces, points: NDArray[np.bool_]) -> Faces:
    """Add a corner to each polygon where a point lies on one of its sides.

    `points` is bool [height + 1, width + 1]: the corners of all polygons.
    """
    for axis in (0, 1):
        faces = _with_points_along(faces, points if axis == 0 else points.T, axis)
    return faces


def shared_corners(faces: Faces) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the corners of `faces`, each point once, and triangles of them.

    Points are int64 [points, 2]; triangles are int32 [triangles, 3], indices of points.
    """
    if not len(faces.corners):
        return np.zeros((0, 2), np.int64), np.zeros((0, 3), np.int32)
    stride = int(faces.corners[:, 0].max()) + 1
    points, places = renumbered(faces.corners[:, 1] * stride + faces.corners[:, 0])
    rows, columns = np.divmod(points, stride)
    return np.stack([columns, rows], 1), places[face_triangles(faces)]


def renumbered(numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the distinct values of `numbers`, and the index of each number.

    The values are ascending; they must be small and not negative. This does what `numpy.unique`
    does, but without sorting.
    """
    used = np.zeros(int(numbers.max(initial=-1)) + 1, bool)
    used[numbers] = True
    places = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(used), places[numbers]


def face_triangles(faces: Faces) -> NDArray[np.int64]:
    """Divide convex polygons into triangles.

    A fan of triangles from one corner would have empty triangles if the two sides at this corner
    have further corners on them. The edges of these sides are joined to the corner after the side's
    other end instead.

    Returns:
        int64 [triangles, 3]: indices of `faces.corners`, clockwise on the screen.
    """
    if not len(faces.corners):
        return np.zeros((0, 3), np.int64)
    order, turns = _from_fitting_corners(faces)
    count = len(faces.corners)
    firsts, ends = faces.starts[:-1], faces.starts[1:]
    face = np.repeat(np.arange(len(firsts)), ends - firsts)
    places = np.arange(count)
    following = _following(faces)
    # The ends of the two sides at the first corner.
    others = turns & (places != firsts[face])
    near = np.minimum.reduceat(np.where(others, places, count), firsts)
    far = np.maximum.reduceat(np.where(others, places, -1), firsts)
    many_near, many_far = near - firsts > 1, ends - far > 1
    on_near, on_far = places < near[face], places >= far[face]
    tips = np.where(on_near, near[face] + 1, np.where(on_far, far[face] - 1, firsts[face]))
    remaining = np.where(on_near, many_near[face], np.where(on_far, many_far[face], True))
    remaining &= ~((places == near[face]) & many_near[face])
    remaining &= ~((places == far[face] - 1) & many_far[face])
    result: NDArray[np.int64] = order[
        np.stack([places[remaining], following[remaining], tips[remaining]], 1)
    ]
    return result


def piece_triangles(pieces: Pieces) -> NDArray[np.int32]:
    """Divide convex pieces into triangles.

    Returns:
        int32 [triangles, 3]: indices of `pieces.vertices`, clockwise on the screen.
    """
    corners = pieces.vertices[pieces.corners].astype(np.int64)
    result = face_triangles(Faces(corners, pieces.starts.astype(np.int64)))
    return pieces.corners[result]


def _following(faces: Faces) -> NDArray[np.int64]:
    """Return, for each corner, the index of the next corner of its face."""
    following = np.arange(1, len(faces.corners) + 1)
    following[faces.starts[1:] - 1] = faces.starts[:-1]
    return following


def _from_fitting_corners(faces: Faces) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Rotate the corners of each face so that the first is a turn.

    If possible, the corners before and after are turns, too. Returns indices of corners, face after
    face, and which of them are turns.
    """
    count = len(faces.corners)
    firsts = faces.starts[:-1]
    following = _following(faces)
    before = np.empty(count, np.int64)
    before[following] = np.arange(count)
    arriving = faces.corners - faces.corners[before]
    leaving = arriving[following]
    turns = arriving[:, 0] * leaving[:, 1] != arriving[:, 1] * leaving[:, 0]
    ranks = 3 * turns + turns[following] + turns[before]
    best = np.maximum.reduceat(ranks * count - np.arange(count), firsts)
    sizes = np.diff(faces.starts)
    shifts = np.repeat(-best % count - firsts, sizes)
    begins = np.repeat(firsts, sizes)
    order = begins + (np.arange(count) - begins + shifts) % np.repeat(sizes, sizes)
    return order, turns[order]


def _with_points_along(faces: Faces, points: NDArray[np.bool_], axis: int) -> Faces:
    """Add corners to `faces` at the `points` on their sides along one axis.

    `axis` is 0 for horizontal sides, 1 for vertical ones, for which `points` is transposed.
    """
    stride = points.shape[1]
    along = np.flatnonzero(points)
    numbers = faces.corners[:, 1 - axis] * stride + faces.corners[:, axis]
    following = _following(faces)
    lines = faces.corners[:, 1 - axis]
    sides = np.flatnonzero(lines == lines[following])
    begin, end = numbers[sides], numbers[following[sides]]
    first = np.searchsorted(along, np.minimum(begin, end), side="right")
    behind = np.searchsorted(along, np.maximum(begin, end), side="left")
    counts = behind - first
    if not counts.any():
        return faces
    # Which of `along`, side after side; backwards where the side goes backwards.
    nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    forwards = np.repeat(end > begin, counts)
    chosen = np.where(forwards, np.repeat(first, counts) + nth, np.repeat(behind, counts) - 1 - nth)
    further = np.empty((chosen.size, 2), np.int64)
    further[:, 1 - axis], further[:, axis] = np.divmod(along[chosen], stride)
    corners = np.insert(faces.corners, np.repeat(sides + 1, counts), further, axis=0)
    added = np.zeros(len(faces.corners) + 1, np.int64)
    added[sides + 1] = counts
    return Faces(corners, faces.starts + np.cumsum(added)[faces.starts])
