"""Turn a plan into triangles: floors, tops, sides, banks, ceiling.

X is to the right, y up, and z down on the plan. All surfaces share one set of points of the plan,
so that no corner of one lies on a side of another. They follow the ground, where there is one: each
cell that is not level is a surface of four triangles.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from exporter.formats.gltf.glb import Triangles
from exporter.formats.gltf.ground import Ground
from exporter.formats.gltf.plan import NOTHING, Plan
from exporter.geometry.surfaces import (
    Faces,
    corner_points,
    face_triangles,
    region_faces,
    with_points_on_sides,
)
from exporter.model.lazy_dataclass import dataclass

# The sides of a cell: the step to the neighbour (rows, columns), and the normal.
_SIDES = (((-1, 0), (0, 0, -1)), ((1, 0), (0, 0, 1)), ((0, -1), (-1, 0, 0)), ((0, 1), (1, 0, 0)))


@dataclass(frozen=True, slots=True)
class Scale:
    """Lengths in the model's units: a cell's side and a wall's height."""

    cell: float
    wall: float


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A surface of one kind.

    Attributes:
        mesh: The name of the mesh that it belongs to.
        kind: The place in the plan's kinds.
        upright: Whether it is a side.
        triangles: Its triangles.
    """

    mesh: str
    kind: int
    upright: bool
    triangles: Triangles


def plan_surfaces(
    plan: Plan, scale: Scale, ceiling: bool, ground: Ground | None = None
) -> Iterator[Surface]:
    """Yield the surfaces of a plan, mesh after mesh of each kind.

    Walls and lower blocks are closed bodies. Banks are between the floor and what lies
    below it.
    """
    cells = [plan.cells == number for number in range(len(plan.kinds))]
    regions, points = _regions(cells, ground)
    if plan.is_part:
        # Whatever corners the surfaces beside it have, these have them, too.
        points[[0, -1]] = points[:, [0, -1]] = True
    for number, kind in enumerate(plan.kinds):
        flat = _Flat(regions[number], points, cells[number], scale, ground)
        if not kind.height:
            mesh = "liquids" if kind.depth else "floors"
            yield Surface(mesh, number, False, flat.at(-kind.depth * scale.cell, True))
            if ceiling:
                yield Surface("ceiling", number, False, flat.at(scale.wall, False))
            continue
        mesh, height = body_mesh(kind.height), kind.height * scale.wall
        yield Surface(mesh, number, False, flat.at(height, True))
        yield Surface(mesh, number, False, flat.at(0.0, False))
    yield from _upright_surfaces(plan, scale, points, ground)


def ground_surface(ground: Ground, scale: Scale) -> Triangles:
    """Return the ground below all cells, without anything on it."""
    cells = np.ones(ground.sloped.shape, bool)
    (region,), points = _regions([cells], ground)
    return _Flat(region, points, cells, scale, ground).at(0.0, True)


def body_mesh(height: float) -> str:
    """Name the mesh of bodies of a height, as a share of a wall's."""
    return "walls" if height == 1 else "obstacles"


def box(
    low: tuple[float, float, float], high: tuple[float, float, float], cell: float
) -> Triangles:
    """Return a box with a picture on each cell of its sides."""
    positions, normals, coordinates = [], [], []
    for axis in range(3):
        across, up = [(2, 1), (0, 2), (0, 1)][axis]
        for end, sign in ((low, -1), (high, 1)):
            normal = [0.0, 0.0, 0.0]
            normal[axis] = sign
            corners = []
            for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)):
                corner = [0.0, 0.0, 0.0]
                corner[axis] = end[axis]
                corner[across] = (low, high)[u][across]
                corner[up] = (low, high)[v][up]
                corners.append(corner)
            first, second, third = (np.array(corner) for corner in corners[:3])
            if np.dot(np.cross(second - first, third - first), normal) < 0:
                corners.reverse()
            positions += corners
            normals += [normal] * 4
            coordinates += [(corner[across] / cell, -corner[up] / cell) for corner in corners]
    return Triangles(
        np.array(positions, np.float32),
        _quads(6),
        np.array(normals, np.float32),
        np.array(coordinates, np.float32),
    )


def _regions(
    cells: list[NDArray[np.bool_]], ground: Ground | None
) -> tuple[list[Faces], NDArray[np.bool_]]:
    """Return the faces of level regions, and where surfaces have corners."""
    shape = cells[0].shape if cells else (0, 0)
    level = cells if ground is None else [mask & ~ground.sloped for mask in cells]
    faces = [region_faces(mask) for mask in level]
    points = corner_points(faces, (shape[0], shape[1]))
    if ground is not None:
        for rows in (slice(None, -1), slice(1, None)):
            points[rows, :-1] |= ground.sloped
            points[rows, 1:] |= ground.sloped
    return faces, points


class _Flat:
    """The surface of some cells, at any height above the ground."""

    def __init__(
        self,
        faces: Faces,
        points: NDArray[np.bool_],
        cells: NDArray[np.bool_],
        scale: Scale,
        ground: Ground | None,
    ) -> None:
        corners, indices = _shared_corners(with_points_on_sides(faces, points))
        self._scale = scale
        self._places = corners.astype(np.float64)
        # On the plan they are clockwise as seen from above.
        self._indices = indices[:, ::-1]
        self._heights: NDArray[np.float64] | None = None
        self._normals = np.zeros((len(corners), 3), np.float32)
        self._normals[:, 1] = 1
        if ground is not None:
            level = ground.at_corners(corners)
            slopes = self._add_slopes(np.argwhere(cells & ground.sloped), ground)
            self._heights = np.concatenate([level, slopes])

    def at(self, height: float, up: bool) -> Triangles:
        """Return its triangles at a height, which face up or down."""
        positions = np.empty((len(self._places), 3), np.float32)
        positions[:, ::2] = self._places * self._scale.cell
        positions[:, 1] = height if self._heights is None else self._heights + height
        indices = self._indices if up else self._indices[:, ::-1]
        normals = self._normals if up else 0 - self._normals
        return Triangles(positions, indices.reshape(-1), normals, self._places.astype(np.float32))

    def _add_slopes(self, cells: NDArray[np.int64], ground: Ground) -> NDArray[np.float64]:
        """Add four triangles around the middle of each cell (row, column).

        Returns:
            The heights of their vertices.
        """
        y, x = cells[:, 0], cells[:, 1]
        stride = ground.corners.shape[1]
        # Around the cell as on the plan: clockwise as seen from above.
        around = np.stack([y * stride + x, y * stride + x + 1], 1)
        around = np.concatenate([around, around[:, ::-1] + stride], 1)
        corners, indices = np.unique(around, return_inverse=True)
        indices = indices.reshape(-1, 4) + len(self._places)
        middles = len(self._places) + len(corners) + np.arange(len(cells))
        rows, columns = np.divmod(corners, stride)
        right, down = (slope[rows, columns] / self._scale.cell for slope in ground.slopes)
        first, second, third, fourth = ground.corners.reshape(-1)[around.T]
        along = (second + third - first - fourth) / (2 * self._scale.cell)
        across = (third + fourth - first - second) / (2 * self._scale.cell)
        falling = np.stack(
            [
                np.concatenate([right, along]),
                np.concatenate([down, across]),
            ],
            1,
        )
        normals = np.ones((len(falling), 3))
        normals[:, ::2] = -falling
        normals /= np.sqrt((normals * normals).sum(axis=1, keepdims=True))
        self._places = np.concatenate(
            [self._places, np.stack([columns, rows], 1), np.stack([x, y], 1) + 0.5]
        )
        self._normals = np.concatenate([self._normals, normals.astype(np.float32)])
        following = np.roll(indices, -1, axis=1)
        fans = np.stack([following, indices, np.repeat(middles[:, None], 4, 1)], 2)
        self._indices = np.concatenate([self._indices, fans.reshape(-1, 3)])
        return np.concatenate([ground.corners[rows, columns], ground.middles[y, x]])


def _shared_corners(faces: Faces) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the points of faces, once each and in order, and triangles."""
    if not len(faces.corners):
        return np.zeros((0, 2), np.int64), np.zeros((0, 3), np.int64)
    stride = int(faces.corners[:, 0].max()) + 1
    numbers = faces.corners[:, 1] * stride + faces.corners[:, 0]
    used = np.zeros(int(numbers.max()) + 1, bool)
    used[numbers] = True
    places = np.cumsum(used, dtype=np.int32) - 1
    rows, columns = np.divmod(np.flatnonzero(used), stride)
    triangles: NDArray[np.int64] = places[numbers][face_triangles(faces)]
    return np.stack([columns, rows], 1), triangles


def _upright_surfaces(
    plan: Plan, scale: Scale, points: NDArray[np.bool_], ground: Ground | None
) -> Iterator[Surface]:
    heights = plan.of_cells([kind.height * scale.wall for kind in plan.kinds], 0.0)
    grounds = plan.of_cells([-kind.depth * scale.cell for kind in plan.kinds], np.inf)
    low_bodies = np.zeros_like(heights)
    parts: dict[tuple[str, int], list[_Sides]] = {}
    for step, normal in _SIDES:
        for lower, upper, name in ((low_bodies, heights, ""), (grounds, grounds, "banks")):
            for kind, sides in _sides_towards(plan, lower, upper, step, normal, points):
                mesh = name or body_mesh(plan.kinds[kind].height)
                parts.setdefault((mesh, kind), []).append(sides)
    for mesh, kind in sorted(parts):
        yield Surface(mesh, kind, True, _quads_of(parts[mesh, kind], scale, ground))


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """Upright rectangles with one normal.

    Attributes:
        begins: int64 [sides, 2]: x and z of the end that is left as seen from outside.
        ends: int64 [sides, 2]: x and z of the other end.
        lows: float64 [sides]: the heights of their lower edges above the ground.
        highs: float64 [sides]: those of their upper edges.
        normal: The normal.
    """

    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    lows: NDArray[np.float64]
    highs: NDArray[np.float64]
    normal: tuple[int, int, int]


def _sides_towards(
    plan: Plan,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    step: tuple[int, int],
    normal: tuple[int, int, int],
    points: NDArray[np.bool_],
) -> Iterator[tuple[int, _Sides]]:
    """Yield the sides of each kind that look in one direction.

    Args:
        plan: The plan.
        lower: The height at which a side towards a cell begins; with a frame of a cell.
        upper: The height to which a cell's own side goes; a side is where that of the neighbour
            is lower. Infinite where nothing is.
        step: Rows and columns to the neighbour.
        normal: The normal.
        points: The points at which sides end.
    """
    height, width = plan.cells.shape
    here = np.s_[1:-1, 1:-1]
    beside = np.s_[1 + step[0] : height + 1 + step[0], 1 + step[1] : width + 1 + step[1]]
    seen = (upper[beside] < upper[here]) & np.isfinite(upper[here])
    seen &= plan.cells != NOTHING
    if not seen.any():
        return
    along_rows = step[0] != 0
    # The lattice line on which a cell's side lies, and the points at its two ends.
    rows, columns = max(step[0], 0), max(step[1], 0)
    starting = points[rows : rows + height, columns : columns + width]
    if along_rows:
        ending = points[rows : rows + height, 1:]
        first, last = np.argwhere(seen & starting), np.argwhere(seen & ending)
        last[:, 1] += 1
    else:
        ending = points[1:, columns : columns + width]
        first, last = (np.argwhere((seen & ends).T)[:, ::-1] for ends in (starting, ending))
        last[:, 0] += 1
    cells = first[:, 0], first[:, 1]
    kinds = plan.cells[cells]
    lows = np.where(lower is upper, upper[beside][cells], lower[here][cells])
    highs = upper[here][cells]
    offset = np.array([columns, rows])
    begins, ends = first[:, ::-1] + offset, last[:, ::-1] + offset
    if normal in ((0, 0, -1), (1, 0, 0)):
        begins, ends = ends, begins
    for kind in np.unique(kinds).tolist():
        own = kinds == kind
        yield kind, _Sides(begins[own], ends[own], lows[own], highs[own], normal)


def _quads_of(parts: list[_Sides], scale: Scale, ground: Ground | None) -> Triangles:
    positions, normals, coordinates = [], [], []
    for part in parts:
        count = len(part.lows)
        corners = np.empty((count, 4, 3), np.float32)
        corners[:, [0, 3], ::2] = (part.begins * scale.cell)[:, None]
        corners[:, [1, 2], ::2] = (part.ends * scale.cell)[:, None]
        corners[:, :2, 1], corners[:, 2:, 1] = part.lows[:, None], part.highs[:, None]
        normals.append(np.tile(np.array(part.normal, np.float32), (count * 4, 1)))
        picture = np.empty((count, 4, 2), np.float32)
        axis = 0 if part.normal[2] else 1
        sign = 1 if part.normal[0] < 0 or part.normal[2] > 0 else -1
        picture[:, [0, 3], 0] = sign * part.begins[:, axis, None]
        picture[:, [1, 2], 0] = sign * part.ends[:, axis, None]
        picture[:, :, 1] = corners[:, :, 1] / -scale.cell
        if ground is not None:
            corners[:, [0, 3], 1] += ground.at_corners(part.begins)[:, None]
            corners[:, [1, 2], 1] += ground.at_corners(part.ends)[:, None]
        positions.append(corners.reshape(-1, 3))
        coordinates.append(picture.reshape(-1, 2))
    count = sum(len(part.lows) for part in parts)
    return Triangles(
        np.concatenate(positions),
        _quads(count),
        np.concatenate(normals),
        np.concatenate(coordinates),
    )


def _quads(count: int) -> NDArray[np.int64]:
    """Return the indices of rectangles of four vertices each."""
    first = np.arange(0, count * 4, 4)[:, None]
    indices: NDArray[np.int64] = first + np.array([0, 1, 2, 0, 2, 3])
    return indices.reshape(-1)
