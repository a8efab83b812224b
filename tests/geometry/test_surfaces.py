"""Triangles of regions: they cover each cell once, and meet corner to corner."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.geometry.surfaces import (
    corner_points,
    face_triangles,
    region_faces,
    with_points_on_sides,
)


def plans() -> list[NDArray[np.int64]]:
    random = np.random.default_rng(5)
    sizes = random.integers(1, 14, (150, 2))
    return [
        random.integers(0, 3, size) if number % 2 else (random.random(size) < 0.7).astype(int)
        for number, size in enumerate(sizes.tolist())
    ]


def test_triangles_of_regions_cover_them_once_without_t_junctions() -> None:
    for plan in plans():
        height, width = plan.shape
        faces = [region_faces(plan == kind) for kind in range(3)]
        points = corner_points(faces, (height, width))
        edges: set[tuple[tuple[int, int], tuple[int, int]]] = set()
        count = 0
        for kind, face in enumerate(faces):
            stitched = with_points_on_sides(face, points)
            triangles = stitched.corners[face_triangles(stitched)]
            first, second = (triangles[:, n] - triangles[:, 0] for n in (1, 2))
            areas = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
            # Clockwise on the screen, and none is empty.
            assert (areas > 0).all()
            assert areas.sum() == 2 * (plan == kind).sum()
            for corners in triangles.tolist():
                ring = [tuple(corner) for corner in corners]
                edges.update(zip(ring, [*ring[1:], ring[0]], strict=True))
                count += 3
        assert len(edges) == count
        for (x, y), (to_x, to_y) in edges:
            border = (x == to_x and x in (0, width)) or (y == to_y and y in (0, height))
            assert border or ((to_x, to_y), (x, y)) in edges


def test_a_cut_that_ends_on_a_side_is_moved_to_a_corner() -> None:
    # An L whose cut along the lattice would end in the middle of a side.
    mask = np.array([[1, 1, 1], [1, 0, 0]], bool)
    assert {tuple(point) for point in region_faces(mask).corners.tolist()} == {
        (0, 0),
        (3, 0),
        (3, 1),
        (1, 1),
        (1, 2),
        (0, 2),
    }
