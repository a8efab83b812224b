"""Cut long and thin faces into shorter ones.

Engines look for the polygon around a point with floating-point numbers of 32 bits, which fail in
long and thin triangles: Godot 4.6 projects a point by barycentric coordinates, and in a piece that
is L long and h wide that is wrong by up to about 6e-8 L^3 / h^2 (3 pixels at 160 cells by 1).
"""

from __future__ import annotations

import numpy as np

from exporter.geometry._subdivision import Faces

# The greatest L^3 / h^2 of a face, in cells: 20 by 1, 50 by 4, 125 by 16. At 16 pixels a cell a
# point is then at most a hundredth of a pixel beside its place.
SLENDERNESS = 8000
# Shorter faces, in cells, are skipped.
SHORT = 16

_Point = tuple[int, int]


def without_thin_faces(faces: Faces, units: int) -> Faces:
    """Cut across faces that are too long and thin, at whole coordinates.

    `units` is the number of coordinate units in one cell. Faces beside a cut get a corner at its
    end. A face that cannot be cut stays.
    """
    if len(faces.starts) < 2:
        return faces
    low = np.minimum.reduceat(faces.corners, faces.starts[:-1])
    high = np.maximum.reduceat(faces.corners, faces.starts[:-1])
    long = np.flatnonzero((high - low).max(axis=1) > SHORT * units).tolist()
    thin = [face for face in long if _is_thin(_ring(faces, face), units)]
    if not thin:
        return faces
    rings = {face: _ring(faces, face) for face in _with_neighbours(faces, thin)}
    owners = {edge: face for face, ring in rings.items() for edge in _edges(ring)}
    count = len(faces.starts) - 1
    waiting = thin[::-1]
    while waiting:
        face = waiting.pop()
        ends = _cut_across(rings[face], units) if _is_thin(rings[face], units) else None
        if ends is None:
            continue
        for edge, point in ends:
            _insert(rings, owners, edge, point)
            _insert(rings, owners, edge[::-1], point)
        ring = rings[face]
        first, second = sorted(ring.index(point) for _, point in ends)
        rings[face] = ring[: first + 1] + ring[second:]
        rings[count] = ring[first : second + 1]
        for changed in (face, count):
            owners.update(dict.fromkeys(_edges(rings[changed]), changed))
            waiting.append(changed)
        count += 1
    return _replaced(faces, rings, count)


def _ring(faces: Faces, face: int) -> list[_Point]:
    x, y = faces.corners[faces.starts[face] : faces.starts[face + 1]].T.tolist()
    return list(zip(x, y, strict=True))


def _with_neighbours(faces: Faces, some: list[int]) -> list[int]:
    """Return the faces numbered `some`, and all that share an edge with one."""
    owner = np.repeat(np.arange(len(faces.starts) - 1), np.diff(faces.starts))
    following = np.arange(1, len(owner) + 1)
    following[faces.starts[1:] - 1] = faces.starts[:-1]
    points = faces.corners[:, 1] << 32 | faces.corners[:, 0]
    # Edges with equal middles are one edge, or cross: a face too many does no harm.
    middles = points + points[following]
    chosen = np.isin(middles, middles[np.isin(owner, some)])
    neighbours: list[int] = np.unique(owner[chosen]).tolist()
    return neighbours


def _replaced(faces: Faces, rings: dict[int, list[_Point]], count: int) -> Faces:
    """Return `faces` with some replaced, and some added at the end.

    `rings` has the new corners of each by its number; `count` is how many faces there are then.
    """
    lengths = np.zeros(count, np.int64)
    lengths[: len(faces.starts) - 1] = np.diff(faces.starts)
    parts, behind = [], 0
    for face in sorted(rings):
        begin = int(faces.starts[min(face, len(faces.starts) - 1)])
        parts += [faces.corners[behind:begin], np.array(rings[face])]
        behind = int(faces.starts[min(face + 1, len(faces.starts) - 1)])
        lengths[face] = len(rings[face])
    parts.append(faces.corners[behind:])
    return Faces(np.concatenate(parts), np.concatenate([[0], np.cumsum(lengths)]))


def _edges(ring: list[_Point]) -> zip[tuple[_Point, _Point]]:
    return zip(ring, ring[1:] + ring[:1], strict=True)


def _is_thin(ring: list[_Point], units: int) -> bool:
    """Return whether a face is too long for its width (area / length).

    `ring` are its corners; `units` is the number of coordinate units in one cell.
    """
    doubled = sum(x * b - a * y for (x, y), (a, b) in _edges(ring))
    length = _length(ring, _long_axis(ring))
    return length > SHORT * units and 4 * length**5 > SLENDERNESS * units * doubled**2


def _length(ring: list[_Point], axis: int) -> int:
    along = [point[axis] for point in ring]
    return max(along) - min(along)


def _long_axis(ring: list[_Point]) -> int:
    return 0 if _length(ring, 0) >= _length(ring, 1) else 1


def _cut_across(
    ring: list[_Point], units: int
) -> list[tuple[tuple[_Point, _Point], _Point]] | None:
    """Find a cut across a face near its middle, at a whole cell.

    Returns the two edges that it meets, each with the (x, y) where it does; None if no cut fits.
    """
    axis = _long_axis(ring)
    low = min(point[axis] for point in ring)
    length = _length(ring, axis)
    middle = (low + length // 2) // units * units
    for shift in range(0, length // 4, units):
        for line in (middle + shift, middle - shift):
            ends = [
                (edge, point)
                for edge in _edges(ring)
                if (point := _crossing(edge, axis, line)) is not None
            ]
            if len(ends) == 2:
                return ends
    return None


def _crossing(edge: tuple[_Point, _Point], axis: int, line: int) -> _Point | None:
    """Return where `edge` meets a line; None unless at whole coordinates.

    The line is x = `line` if `axis` is 0, else y = `line`.
    """
    first, second = edge
    along, last = first[axis], second[axis]
    if along == line:
        return first
    if not min(along, last) < line < max(along, last):
        return None
    rise, rest = divmod((second[1 - axis] - first[1 - axis]) * (line - along), last - along)
    if rest:
        return None
    across = first[1 - axis] + rise
    return (line, across) if axis == 0 else (across, line)


def _insert(
    rings: dict[int, list[_Point]],
    owners: dict[tuple[_Point, _Point], int],
    edge: tuple[_Point, _Point],
    point: _Point,
) -> None:
    """Add `point` as a corner on `edge` to the face that has it, if any.

    `owners` has the number of the face of each edge, `rings` the corners of each face.
    """
    if point in edge or edge not in owners:
        return
    face = owners.pop(edge)
    ring = rings[face]
    ring.insert(ring.index(edge[0]) + 1, point)
    owners[edge[0], point] = owners[point, edge[1]] = face
