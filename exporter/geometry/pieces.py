"""Divide walkable cells into convex polygons for navigation meshes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from exporter.geometry._cuts import find_cuts
from exporter.geometry._lattice import lattice_of
from exporter.geometry._subdivision import Faces, convex_faces
from exporter.geometry._thin_faces import without_thin_faces
from exporter.geometry.area import UNITS, Area, area_of, shrunk_area
from exporter.geometry.chunks import MapChunk, chunks_of
from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Convex polygons that cover an area exactly and overlap nowhere.

    Adjacent pieces share whole edges: where a corner of one piece lies on the side of another, that
    side has a vertex, too. So a side may consist of several edges in a straight line, and pieces
    can be joined by equal edges.

    Attributes:
        vertices: int32 [vertices, 2]: x and y, y down, in units; no two are equal.
        corners: int32: the indices of the vertices of each piece, clockwise on the screen, one
            piece after the other.
        starts: int32 [pieces + 1]: the index in `corners` where each piece starts, and the end.
        units: The number of coordinate units in one cell; 1 if the area was not shrunk by a radius.
    """

    vertices: NDArray[np.int32]
    corners: NDArray[np.int32]
    starts: NDArray[np.int32]
    units: int

    def __len__(self) -> int:
        """Return the number of pieces."""
        return self.starts.size - 1


def convex_pieces(mask: NDArray[np.bool_], agent_radius: int = 0, units: int = UNITS) -> Pieces:
    """Cut the part of a mask where an agent fits into convex pieces.

    The pieces are few, but not the fewest possible: a cave of 256 x 256 with 54,000 floor cells has
    about 2,280. Long and thin pieces are cut across, because engines compute inexactly in them.
    Time and memory grow with the cells and the corners: about 10 bytes a cell, up to 1.5 KB for
    each reflex corner, and for a checkerboard 400 bytes a cell. Use `convex_pieces_by_chunk` where
    that is too much.

    Args:
        mask: bool [height, width], sides up to 8192; may be empty.
        agent_radius: How far pieces keep away from cells outside the mask, in units.
        units: The number of units in one cell, if the area is shrunk.

    Raises:
        ValueError: The mask has not two dimensions or is too large; the radius is negative.
    """
    area = shrunk_area(mask, agent_radius, None, units) if agent_radius else area_of(mask)
    return gathered_pieces(area_faces(area), area.units)


def convex_pieces_by_chunk(
    mask: NDArray[np.bool_], chunk: int, agent_radius: int = 0, units: int = UNITS
) -> Iterator[tuple[MapChunk, Pieces]]:
    """Cut a mask into convex pieces that cross no chunk border.

    The sides of chunks are `chunk` cells. Pieces keep `agent_radius` away from cells outside the
    mask, in `units` of a cell's side. Pieces on both sides of a border share whole edges, too. Only
    two rows of chunks are held in memory at a time. Chunks come row after row, with pieces in
    coordinates of the whole map.

    Raises:
        ValueError: The mask has not two dimensions or is too large; the radius is negative; `chunk`
            is not positive.
    """
    units = units if agent_radius else 1
    rows: list[list[tuple[MapChunk, Faces]]] = []
    for _, parts in groupby(chunks_of(mask.shape, chunk), key=lambda part: part.y):
        row = []
        for part in parts:
            if agent_radius:
                area = shrunk_area(mask, agent_radius, part, units)
            else:
                area = area_of(mask, part)
            row.append((part, area_faces(area)))
        rows.append(row)
        if len(rows) > 1:
            yield from _stitched_row(rows, len(rows) - 2, units)
            rows = rows[-2:]
    if rows:
        yield from _stitched_row(rows, len(rows) - 1, units)


def area_faces(area: Area) -> Faces:
    """Cut an area into convex faces, none of them long and thin."""
    lattice = lattice_of(area)
    slanted = find_cuts(lattice)
    return without_thin_faces(convex_faces(lattice, slanted), area.units)


def _stitched_row(
    rows: list[list[tuple[MapChunk, Faces]]], index: int, units: int
) -> Iterator[tuple[MapChunk, Pieces]]:
    """Yield the chunks of row `index`, with their faces as pieces.

    On borders these get the corners of the chunks beside them, above and below.
    """
    for position, (part, faces) in enumerate(rows[index]):
        left, right = part.x * units, (part.x + part.width) * units
        top, bottom = part.y * units, (part.y + part.height) * units
        row = rows[index]
        if position > 0:
            faces = with_corners_on_line(faces, row[position - 1][1], 0, left)
        if position + 1 < len(row):
            faces = with_corners_on_line(faces, row[position + 1][1], 0, right)
        if index > 0:
            faces = with_corners_on_line(faces, rows[index - 1][position][1], 1, top)
        if index + 1 < len(rows):
            faces = with_corners_on_line(faces, rows[index + 1][position][1], 1, bottom)
        yield part, gathered_pieces(faces, units)


def begun_before_turns(faces: Faces) -> Faces:
    """Rotate the list of each face's corners so that the second is a turn.

    The last is a turn, too, if possible. Godot derives from the first three vertices which side of
    a polygon is inside. If these are collinear, it takes every point as outside, and returns a
    point on an edge as the closest.
    """
    count = len(faces.corners)
    if count == 0:
        return faces
    firsts, ends = faces.starts[:-1], faces.starts[1:]
    following = np.arange(1, count + 1)
    following[ends - 1] = firsts
    before = np.empty(count, np.int64)
    before[following] = np.arange(count)
    arriving = faces.corners - faces.corners[before]
    leaving = arriving[following]
    turns = arriving[:, 0] * leaving[:, 1] != arriving[:, 1] * leaving[:, 0]
    ranks = 2 * turns[following] + turns[before]
    best = np.maximum.reduceat(ranks * count - np.arange(count), firsts)
    sizes = ends - firsts
    shifts = np.repeat(-best % count - firsts, sizes)
    begins = np.repeat(firsts, sizes)
    order = begins + (np.arange(count) - begins + shifts) % np.repeat(sizes, sizes)
    return Faces(faces.corners[order], faces.starts)


def gathered_pieces(faces: Faces, units: int) -> Pieces:
    """Convert faces to pieces, with their vertices in row-major order.

    `units` is the number of coordinate units in one cell.
    """
    faces = begun_before_turns(faces)
    numbers = faces.corners[:, 1] << 32 | faces.corners[:, 0]
    vertices, corners = np.unique(numbers, return_inverse=True)
    return Pieces(
        np.stack([vertices & 0xFFFFFFFF, vertices >> 32], 1).astype(np.int32),
        corners.astype(np.int32),
        faces.starts.astype(np.int32),
        units,
    )


def with_corners_on_line(faces: Faces, others: Faces, axis: int, line: int) -> Faces:
    """Add to `faces` the corners that `others` have on a common line.

    Args:
        faces: Faces on one side of the line.
        others: Faces on the other side of the line.
        axis: 0 for a vertical line, 1 for a horizontal line.
        line: The x of a vertical line, the y of a horizontal one.
    """
    along = np.unique(others.corners[others.corners[:, axis] == line, 1 - axis])
    following = np.arange(1, len(faces.corners) + 1)
    following[faces.starts[1:] - 1] = faces.starts[:-1]
    begins, ends = faces.corners, faces.corners[following]
    on_line = np.flatnonzero((begins[:, axis] == line) & (ends[:, axis] == line))
    begin, end = begins[on_line, 1 - axis], ends[on_line, 1 - axis]
    first = np.searchsorted(along, np.minimum(begin, end), side="right")
    behind = np.searchsorted(along, np.maximum(begin, end), side="left")
    counts = behind - first
    # Which of `along`, edge after edge; backwards where the edge goes backwards.
    nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    forwards = np.repeat(end > begin, counts)
    chosen = np.where(forwards, np.repeat(first, counts) + nth, np.repeat(behind, counts) - 1 - nth)
    further = np.empty((chosen.size, 2), np.int64)
    further[:, axis] = line
    further[:, 1 - axis] = along[chosen]
    corners = np.insert(faces.corners, np.repeat(on_line + 1, counts), further, axis=0)
    added = np.zeros(len(faces.corners) + 1, np.int64)
    added[on_line + 1] = counts
    return Faces(corners, faces.starts + np.cumsum(added)[faces.starts])
