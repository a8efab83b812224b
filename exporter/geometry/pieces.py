"""Convex pieces of a walkable area, as navigation meshes need them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exporter.geometry._cuts import find_cuts
from exporter.geometry._lattice import Lattice, lattice_of
from exporter.geometry._subdivision import Faces, convex_faces
from exporter.geometry.area import Area, area_of, shrunk_area
from exporter.geometry.chunks import Chunk, chunks_of


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Convex polygons that cover an area exactly and overlap nowhere.

    Pieces that share an edge share both of its ends: wherever the corner of one piece lies on
    the side of another, that has a vertex there, too. So a side may consist of several edges in
    a straight line, and joining pieces by equal edges connects exactly what is connected.

    Attributes:
        vertices: int32 [vertices, 2]: x and y, y down, in units; no two are equal.
        corners: int32: the vertices around every piece, clockwise on the screen, one piece after
            the other.
        starts: int32 [pieces + 1]: where every piece begins in `corners`, and the end.
        units: How many units are one cell: 1, or 256 for an area shrunk by a radius.
    """

    vertices: NDArray[np.int32]
    corners: NDArray[np.int32]
    starts: NDArray[np.int32]
    units: int

    def __len__(self) -> int:
        """Return how many pieces there are."""
        return self.starts.size - 1


def convex_pieces(mask: NDArray[np.bool_], agent_radius: int = 0) -> Pieces:
    """Cut the cells of a mask, or the part of them where an agent fits, into convex pieces.

    Few pieces, not the fewest: a cave of 256 x 256 with 54,238 floor cells gives about 2,200.
    The time grows with the corners and cells; memory is about 40 bytes a cell of the mask and
    about a kilobyte for each reflex corner.

    Args:
        mask: bool [height, width], sides up to 8192, also empty.
        agent_radius: By how much the area is shrunk first, in 1/256 of a cell; see
            `exporter.geometry.area.shrunk_area`.

    Raises:
        ValueError: The mask has not two dimensions or is too large; the radius is negative.
    """
    lattice, faces, units = _cut(mask, agent_radius, 0)
    return _gathered(lattice, faces, units)


def convex_pieces_by_chunk(
    mask: NDArray[np.bool_], chunk: int, agent_radius: int = 0
) -> list[tuple[Chunk, Pieces]]:
    """Cut an area into convex pieces of which none crosses the border of a chunk.

    Pieces on both sides of such a border share edges as all others do.

    Args:
        mask: As for `convex_pieces`.
        chunk: The side of a chunk, in cells.
        agent_radius: As for `convex_pieces`.

    Returns:
        Every chunk with its pieces, row after row; vertices are those of the whole map.

    Raises:
        ValueError: As for `convex_pieces`; or `chunk` is not positive.
    """
    chunks = chunks_of(mask.shape, chunk)
    lattice, faces, units = _cut(mask, agent_radius, chunk)
    columns = lattice.columns[faces.corners % lattice.stride] // (chunk * units)
    rows = lattice.rows[faces.corners // lattice.stride] // (chunk * units)
    across = -(-mask.shape[1] // chunk)
    # The least column and row of a piece's vertices are those of its chunk.
    if faces.starts.size > 1:
        columns = np.minimum.reduceat(columns, faces.starts[:-1])
        rows = np.minimum.reduceat(rows, faces.starts[:-1])
    number = rows * across + columns
    order = np.argsort(number, kind="stable")
    bounds = np.searchsorted(number[order], np.arange(len(chunks) + 1))
    return [
        (each, _gathered(lattice, _taken(faces, order[bounds[index] : bounds[index + 1]]), units))
        for index, each in enumerate(chunks)
    ]


def _cut(mask: NDArray[np.bool_], agent_radius: int, chunk: int) -> tuple[Lattice, Faces, int]:
    area: Area = shrunk_area(mask, agent_radius, chunk) if agent_radius else area_of(mask)
    lattice = lattice_of(area, chunk)
    slanted = find_cuts(lattice)
    return lattice, convex_faces(lattice, slanted), area.units


def _taken(faces: Faces, chosen: NDArray[np.int64]) -> Faces:
    """Return some of the faces."""
    lengths = np.diff(faces.starts)[chosen]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    shift = np.repeat(faces.starts[chosen] - starts[:-1], lengths)
    return Faces(faces.corners[np.arange(starts[-1]) + shift], starts)


def _gathered(lattice: Lattice, faces: Faces, units: int) -> Pieces:
    """Return faces with the vertices they have, in row-major order."""
    positions, corners = np.unique(faces.corners, return_inverse=True)
    vertices = np.stack(
        [lattice.columns[positions % lattice.stride], lattice.rows[positions // lattice.stride]], 1
    )
    return Pieces(
        vertices.astype(np.int32),
        corners.astype(np.int32),
        faces.starts.astype(np.int32),
        units,
    )
