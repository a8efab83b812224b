"""Slow checks of outlines and convex pieces, with whole numbers alone."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from exporter.geometry.area import Area
from exporter.geometry.outlines import Outlines
from exporter.geometry.pieces import Pieces

Point = tuple[int, int]
Mask = NDArray[np.bool_]


def rings_of(result: Outlines) -> list[list[list[Point]]]:
    """Return every polygon as its rings, the outer one first."""
    rings = [
        [(x, y) for x, y in result.vertices[start:end].tolist()]
        for start, end in zip(result.rings[:-1], result.rings[1:], strict=True)
    ]
    return [
        rings[start:end]
        for start, end in zip(result.polygons[:-1], result.polygons[1:], strict=True)
    ]


def filled(rings: list[list[Point]], shape: tuple[int, ...]) -> Mask:
    """Return the cells whose centres are inside by the even-odd rule."""
    crossed = np.zeros((shape[0], shape[1] + 1), int)
    for ring in rings:
        for (x, y), (other_x, other_y) in zip(ring, ring[1:] + ring[:1], strict=True):
            if x == other_x:
                crossed[min(y, other_y) : max(y, other_y), x] += 1
    return np.cumsum(crossed, axis=1)[:, :-1] % 2 == 1


def doubled_area(ring: list[Point]) -> int:
    """Return twice the area, positive if the ring is clockwise on the screen."""
    turned = ring[1:] + ring[:1]
    return sum(x * b - a * y for (x, y), (a, b) in zip(ring, turned, strict=True))


def pieces_of(pieces: Pieces) -> list[list[Point]]:
    """Return every piece as its points."""
    points = [(x, y) for x, y in pieces.vertices.tolist()]
    assert len(set(points)) == len(points)
    return [
        [points[corner] for corner in pieces.corners[start:end].tolist()]
        for start, end in zip(pieces.starts[:-1], pieces.starts[1:], strict=True)
    ]


def check_pieces(polygons: list[list[Point]], area: Area) -> None:
    """Assert that pieces are convex, cover the area exactly and share all their edges.

    Every edge occurs once in its direction. So the edges that do not occur in the other one are the
    boundary of the area that the pieces cover (counted with multiplicity); if those are exactly the
    boundary of the area, every point of the area is covered once and no other point at all.
    """
    edges: Counter[tuple[Point, Point]] = Counter()
    for ring in polygons:
        assert len(ring) >= 3
        assert len(set(ring)) == len(ring)
        assert doubled_area(ring) > 0
        turned = ring[1:] + ring[:1]
        for before, corner, after in zip(ring, turned, turned[1:] + turned[:1], strict=True):
            step = corner[0] - before[0], corner[1] - before[1]
            following = after[0] - corner[0], after[1] - corner[1]
            turn = step[0] * following[1] - step[1] * following[0]
            straight_on = step[0] * following[0] + step[1] * following[1] > 0
            assert turn > 0 or (turn == 0 and straight_on)
            edges[before, corner] += 1
        # Convex at every corner, and only once around: it meets a lattice line twice at most.
        ups = [a[1] < b[1] for a, b in zip(ring, turned, strict=True) if a[1] != b[1]]
        assert sum(a != b for a, b in zip(ups, ups[1:] + ups[:1], strict=True)) == 2
    assert all(count == 1 for count in edges.values())
    sizes = np.outer(np.diff(area.rows), np.diff(area.columns))
    assert sum(map(doubled_area, polygons)) == 2 * int(sizes[area.fields].sum())
    outer = {edge for edge in edges if edge[::-1] not in edges}
    assert _unit_edges(outer, area) == _boundary(area)


def joined_parts(polygons: list[list[Point]]) -> int:
    """Return how many parts there are when pieces with an equal edge are joined."""
    parents = list(range(len(polygons)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    owners: dict[tuple[Point, Point], int] = {}
    for index, ring in enumerate(polygons):
        for edge in zip(ring, ring[1:] + ring[:1], strict=True):
            owners[edge] = index
    for (begin, end), owner in owners.items():
        if (end, begin) in owners:
            parents[root(owner)] = root(owners[end, begin])
    return sum(root(index) == index for index in range(len(polygons)))


def _boundary(area: Area) -> set[tuple[Point, Point]]:
    """Return the unit edges around the area, clockwise, by numbers of lattice lines."""
    fields = np.pad(area.fields, 1)
    result = set()
    for y, x in np.argwhere(area.fields).tolist():
        if not fields[y, x + 1]:
            result.add(((x, y), (x + 1, y)))
        if not fields[y + 1, x + 2]:
            result.add(((x + 1, y), (x + 1, y + 1)))
        if not fields[y + 2, x + 1]:
            result.add(((x + 1, y + 1), (x, y + 1)))
        if not fields[y + 1, x]:
            result.add(((x, y + 1), (x, y)))
    return result


def _unit_edges(edges: set[tuple[Point, Point]], area: Area) -> set[tuple[Point, Point]]:
    """Return the unit edges of edges along the lattice, by numbers of lattice lines.

    An end between two lattice lines, as at the border of a chunk, counts as the line before.
    """
    result = set()
    for begin, end in edges:
        assert begin[0] == end[0] or begin[1] == end[1]
        x, last_x = np.searchsorted(area.columns, [begin[0], end[0]], side="right").tolist()
        y, last_y = np.searchsorted(area.rows, [begin[1], end[1]], side="right").tolist()
        step_x, step_y = int(np.sign(last_x - x)), int(np.sign(last_y - y))
        while (x, y) != (last_x, last_y):
            unit = ((x - 1, y - 1), (x - 1 + step_x, y - 1 + step_y))
            assert unit not in result
            result.add(unit)
            x, y = x + step_x, y + step_y
    return result


def shrunk(mask: Mask, radius: int, x: int, y: int) -> bool:
    """Return whether a square of twice the radius around a point touches only the mask.

    The point is given in 1/512 of a cell, so that it can lie between all lattice lines.
    """
    height, width = mask.shape
    low_x, high_x = x - 2 * radius, x + 2 * radius
    low_y, high_y = y - 2 * radius, y + 2 * radius
    for row in range(low_y // 512, -(-high_y // 512)):
        for column in range(low_x // 512, -(-high_x // 512)):
            if not (0 <= row < height and 0 <= column < width and mask[row, column]):
                return False
    return True


def random_mask(random: np.random.Generator, side: int = 24) -> Mask:
    """Return a mask of random size, density and coarseness."""
    shape = random.integers(0, side + 1, 2)
    mask = random.random(shape) < random.choice([0.1, 0.4, 0.6, 0.75, 0.9, 0.96, 1])
    if random.random() < 0.3:
        mask = np.kron(mask, np.ones(random.integers(1, 4, 2), bool))
    return mask.astype(bool)
