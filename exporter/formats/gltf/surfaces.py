"""Turn a plan of cells into triangles: floors, tops, sides, banks, ...

X is to the right, y up, and z down on the plan. All surfaces share one set of points of the plan,
so that no corner of one lies on a side of another. With uneven ground, they consist of its
triangles.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exporter.formats.gltf.glb import Triangles
from exporter.formats.gltf.ground import ModelGround
from exporter.formats.gltf.plan import NOTHING, CellPlan
from exporter.geometry.surfaces import (
    Faces,
    corner_points,
    region_faces,
    renumbered,
    shared_corners,
    with_points_on_sides,
)
from exporter.model.lazy_dataclass import dataclass

# The ends of sides of cells, begin and end, and the rows and columns of these cells.
_Ends: TypeAlias = tuple[NDArray[Any], NDArray[Any], tuple[NDArray[np.int64], NDArray[np.int64]]]

# The sides of a cell: the step to the neighbour (rows, columns), and the normal.
_SIDES = (((-1, 0), (0, 0, -1)), ((1, 0), (0, 0, 1)), ((0, -1), (-1, 0, 0)), ((0, 1), (1, 0, 0)))


@dataclass(frozen=True, slots=True)
class ModelScale:
    """The sizes of a model, in its unit: a cell's side and a wall's height."""

    cell: float
    wall: float


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Triangles of a 3D model that belong to one kind of cell.

    Attributes:
        mesh: The name of the mesh that contains them.
        kind: The index of the kind in `CellPlan.kinds`.
        upright: Whether they are sides, not tops.
        triangles: The triangles.
    """

    mesh: str
    kind: int
    upright: bool
    triangles: Triangles


def plan_surfaces(
    plan: CellPlan, scale: ModelScale, ceiling: bool, ground: ModelGround | None = None
) -> Iterator[Surface]:
    """Yield the surfaces of `plan`, mesh after mesh and kind after kind.

    Walls and lower blocks are closed bodies. Banks are the sides of liquids and pits, which lie
    below the floor. Without `ground`, the floor is level.
    """
    flats: list[_Flat]
    borders: _PlanBorders | _GroundBorders
    if ground is None:
        faces = [region_faces(plan.cells == number) for number in range(len(plan.kinds))]
        points = corner_points(faces, plan.cells.shape)
        if plan.is_part:
            # So corners meet those of adjacent chunks, whatever these have.
            points[[0, -1]] = points[:, [0, -1]] = True
        flats = [_level_flat(with_points_on_sides(some, points), scale) for some in faces]
        borders = _PlanBorders(points)
    else:
        flats = [_ground_flat(ground, number + 1, scale) for number in range(len(plan.kinds))]
        borders = _GroundBorders(ground)
    for number, kind in enumerate(plan.kinds):
        flat = flats[number]
        if not kind.height:
            mesh = "liquids" if kind.depth else "floors"
            yield Surface(mesh, number, False, flat.at(-kind.depth * scale.cell, True))
            if ceiling:
                yield Surface("ceiling", number, False, flat.at(scale.wall, False))
            continue
        mesh, height = body_mesh(kind.height), kind.height * scale.wall
        yield Surface(mesh, number, False, flat.at(height, True))
        yield Surface(mesh, number, False, flat.at(0.0, False))
    yield from _upright_surfaces(plan, scale, borders)


def body_mesh(height: float) -> str:
    """Return the mesh for bodies of `height`: `walls` or `obstacles`.

    The height is a share of a wall's height; walls have 1.
    """
    return "walls" if height == 1 else "obstacles"


def box(
    low: tuple[float, float, float], high: tuple[float, float, float], cell: float
) -> Triangles:
    """Return a box from corner `low` to `high`, with pictures on its sides.

    A picture covers a square with the side `cell`.
    """
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


@dataclass(frozen=True, slots=True, eq=False)
class _Flat:
    """Triangles that cover some cells, to be placed at a height above ground.

    Attributes:
        places: [vertices, 2]: x and y on the plan, in cells.
        indices: [triangles, 3]: corners in `places`, counter-clockwise as seen from above.
        normals: float32 [vertices, 3], of the side that looks up.
        heights: float64 [vertices]: the ground's heights; None on level ground.
        cell: The side of a cell in the model.
    """

    places: NDArray[np.float64]
    indices: NDArray[np.integer[Any]]
    normals: NDArray[np.float32]
    heights: NDArray[np.float64] | None
    cell: float

    def at(self, height: float, up: bool) -> Triangles:
        """Return the triangles at `height` above the ground, facing `up` or down."""
        positions = np.empty((len(self.places), 3), np.float32)
        positions[:, ::2] = self.places * self.cell
        positions[:, 1] = height if self.heights is None else self.heights + height
        indices = self.indices if up else self.indices[:, ::-1]
        normals = self.normals if up else 0 - self.normals
        return Triangles(positions, indices.reshape(-1), normals, self.places.astype(np.float32))


def _level_flat(faces: Faces, scale: ModelScale) -> _Flat:
    """Return `faces`, polygons of the plan, as a surface on level ground."""
    places, triangles = shared_corners(faces)
    normals = np.zeros((len(places), 3), np.float32)
    normals[:, 1] = 1
    # On the plan triangles are clockwise as seen from above.
    return _Flat(places.astype(np.float64), triangles[:, ::-1], normals, None, scale.cell)


def _ground_flat(ground: ModelGround, region: int, scale: ModelScale) -> _Flat:
    """Return the surface of the ground in the region numbered `region`."""
    triangles = ground.triangles[ground.regions == region]
    indices: NDArray[np.integer[Any]]
    if ground.slopes is None:
        # Each plane has its own corners.
        planes, numbers = ground.planes(triangles, scale.cell)
        numbered = triangles * len(planes) + numbers[:, None]
        corners, indices = np.unique(numbered, return_inverse=True)
        corners, numbers = np.divmod(corners, len(planes))
    else:
        corners, indices = renumbered(triangles)
    rows, columns = np.divmod(corners, ground.halves.shape[1])
    places = np.stack([columns, rows], 1) / 2
    normals = planes[numbers] if ground.slopes is None else ground.normals(places, scale.cell)
    heights = ground.halves[rows, columns]
    return _Flat(places, indices.reshape(-1, 3)[:, ::-1], normals, heights, scale.cell)


def _upright_surfaces(
    plan: CellPlan, scale: ModelScale, borders: _PlanBorders | _GroundBorders
) -> Iterator[Surface]:
    heights = plan.of_cells([kind.height * scale.wall for kind in plan.kinds], 0.0)
    grounds = plan.of_cells([-kind.depth * scale.cell for kind in plan.kinds], np.inf)
    low_bodies = np.zeros_like(heights)
    parts: dict[tuple[str, int], list[_Sides]] = {}
    for step, normal in _SIDES:
        for lower, upper, name in ((low_bodies, heights, ""), (grounds, grounds, "banks")):
            for kind, sides in _sides_towards(plan, lower, upper, step, normal, borders):
                mesh = name or body_mesh(plan.kinds[kind].height)
                parts.setdefault((mesh, kind), []).append(sides)
    for mesh, kind in sorted(parts):
        yield Surface(mesh, kind, True, _quads_of(parts[mesh, kind], scale, borders.ground))


@dataclass(frozen=True, slots=True, eq=False)
class _PlanBorders:
    """Divides the sides of cells on level ground at the corners in `points`.

    `points` is bool [height + 1, width + 1]: the corners of cells to divide at.
    """

    points: NDArray[np.bool_]
    ground: None = None

    def sides(self, step: tuple[int, int], seen: NDArray[np.bool_]) -> _Ends:
        """Divide the sides that look towards `step`; return their ends and cells.

        `step` is rows and columns to the neighbour; `seen`, bool [height, width], has the cells
        whose side is seen. The ends are two arrays of x and y in cells; the cells are rows and
        columns.
        """
        height, width = seen.shape
        # The lattice line on which a cell's side lies, and the points at its two ends.
        rows, columns = max(step[0], 0), max(step[1], 0)
        starting = self.points[rows : rows + height, columns : columns + width]
        if step[0]:
            ending = self.points[rows : rows + height, 1:]
            first, last = np.argwhere(seen & starting), np.argwhere(seen & ending)
            last[:, 1] += 1
        else:
            ending = self.points[1:, columns : columns + width]
            first, last = (np.argwhere((seen & ends).T)[:, ::-1] for ends in (starting, ending))
            last[:, 0] += 1
        offset = np.array([columns, rows])
        begins, ends = first[:, ::-1] + offset, last[:, ::-1] + offset
        if step in ((-1, 0), (0, 1)):
            begins, ends = ends, begins
        return begins, ends, (first[:, 0], first[:, 1])


class _GroundBorders:
    """Divides the sides of cells on uneven ground, one part for each triangle."""

    def __init__(self, ground: ModelGround) -> None:
        self.ground = ground
        width = ground.halves.shape[1]
        begins = ground.triangles.ravel()
        ends = ground.triangles[:, [1, 2, 0]].ravel()
        self._sides: dict[tuple[int, int], _Ends] = {}
        rows, columns = np.divmod(begins, width)
        down, right = np.divmod(ends, width)
        down, right = down - rows, right - columns
        for step, _ in _SIDES:
            # Clockwise on the screen: the neighbour is to the left of the way along a side.
            line, across = (rows, down) if step[0] else (columns, right)
            forwards = right * -step[0] + down * step[1] > 0
            here = np.flatnonzero((line % 2 == 0) & (across == 0) & forwards)
            first = np.stack([columns[here], rows[here]], 1)
            last = first + np.stack([right[here], down[here]], 1)
            # The cell beside the middle of the side.
            y, x = ((first + last)[:, [1, 0]] - np.array(step)).T // 4
            self._sides[step] = last / 2, first / 2, (y, x)

    def sides(self, step: tuple[int, int], seen: NDArray[np.bool_]) -> _Ends:
        begins, ends, cells = self._sides[step]
        chosen = seen[cells]
        return begins[chosen], ends[chosen], (cells[0][chosen], cells[1][chosen])


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """Upright rectangles that all look in the same direction.

    Attributes:
        begins: [sides, 2]: x and z of the end that is left as seen from outside.
        ends: [sides, 2]: x and z of the other end.
        lows: float64 [sides]: the heights of their lower edges above the ground.
        highs: float64 [sides]: the heights of their upper edges above the ground.
        normal: Their common normal: x, y, z.
    """

    begins: NDArray[Any]
    ends: NDArray[Any]
    lows: NDArray[np.float64]
    highs: NDArray[np.float64]
    normal: tuple[int, int, int]


def _sides_towards(
    plan: CellPlan,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    step: tuple[int, int],
    normal: tuple[int, int, int],
    borders: _PlanBorders | _GroundBorders,
) -> Iterator[tuple[int, _Sides]]:
    """Yield each kind of cell with its sides that look in one direction.

    `step` is the direction: rows and columns to the neighbour; `normal` is its normal. `borders`
    divides the sides. `lower` and `upper` have the heights at which each cell's sides begin and
    end, with a border of one cell; `upper` is infinite where nothing is. A cell has a side where
    its neighbour's `upper` is lower than its own. If `lower` is `upper`, the side begins at the
    neighbour's height.
    """
    height, width = plan.cells.shape
    here = np.s_[1:-1, 1:-1]
    beside = np.s_[1 + step[0] : height + 1 + step[0], 1 + step[1] : width + 1 + step[1]]
    seen = (upper[beside] < upper[here]) & np.isfinite(upper[here])
    seen &= plan.cells != NOTHING
    if not seen.any():
        return
    begins, ends, cells = borders.sides(step, seen)
    kinds = plan.cells[cells]
    lows = np.where(lower is upper, upper[beside][cells], lower[here][cells])
    highs = upper[here][cells]
    for kind in np.unique(kinds).tolist():
        own = kinds == kind
        yield kind, _Sides(begins[own], ends[own], lows[own], highs[own], normal)


def _quads_of(parts: list[_Sides], scale: ModelScale, ground: ModelGround | None) -> Triangles:
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
            corners[:, [0, 3], 1] += ground.at_halves(part.begins)[:, None]
            corners[:, [1, 2], 1] += ground.at_halves(part.ends)[:, None]
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
    """Return the vertex indices of `count` rectangles of four vertices each."""
    first = np.arange(0, count * 4, 4)[:, None]
    indices: NDArray[np.int64] = first + np.array([0, 1, 2, 0, 2, 3])
    return indices.reshape(-1)
