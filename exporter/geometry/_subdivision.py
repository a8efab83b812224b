"""Find the faces into which cuts divide an area.

A face is a polygon without cuts inside. Nodes are the lattice points where edges meet or turn;
edges run from node to node. Where a cut ends on the side of a piece there is a node, so the faces
on both sides of an edge share both of its ends.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.geometry._lattice import DOWN, RIGHT, Lattice
from exporter.kernels import warn_uncompiled
from exporter.kernels.convex_faces import COMPILED, drop_edges, trace_faces
from exporter.model.lazy_dataclass import dataclass

HALF_EDGES_IN_A_SECOND = 4_000_000
# Two directions of slanted cuts, at most 2^14 units aside and down, differ by more than 2^-30 in
# this measure, so whole numbers of this size tell them apart.
QUARTER_TURN = 1 << 34


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Polygons that together cover an area.

    Attributes:
        corners: int64 [corners, 2]: x and y of the corners of each face, clockwise on the screen,
            one face after the other.
        starts: int64 [faces + 1]: the index in `corners` where each face starts, and the end.
    """

    corners: NDArray[np.int64]
    starts: NDArray[np.int64]


def convex_faces(lattice: Lattice, slanted: NDArray[np.int32]) -> Faces:
    """Return the convex faces of an area after cutting it.

    The cuts along grid lines are in the marks of `lattice`. `slanted`, int32 [cuts, 2], has the
    ends of the other cuts, as indices of the flattened lattice. Cuts that are not needed are
    dropped.
    """
    halves = _half_edges(_edges(lattice, slanted), lattice)
    warn_uncompiled(COMPILED, "convex_faces", halves.starts.size, HALF_EDGES_IN_A_SECOND)
    before, after = _circles(halves.starts)
    remaining = np.ones(halves.starts.size, np.uint8)
    drop_edges(
        halves.optional.data,
        halves.twins.data,
        halves.steps_x.data,
        halves.steps_y.data,
        before.data,
        after.data,
        remaining.data,
    )
    order = np.zeros(halves.starts.size, np.int32)
    starts = np.zeros(halves.starts.size + 1, np.int32)
    count = trace_faces(
        halves.twins.data, before.data, (halves.inside & remaining).data, order.data, starts.data
    )
    starts = starts[: count + 1]
    order = order[: starts[-1]]
    corner = ~_passed(halves, after)[order]
    corners_before = np.concatenate([[0], np.cumsum(corner)])
    rows, columns = np.divmod(halves.starts[order[corner]], lattice.stride)
    corners = np.stack([lattice.columns[columns], lattice.rows[rows]], 1)
    return Faces(corners, corners_before[starts])


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Edges between nodes, the points where edges meet or turn.

    `firsts` are the ends nearer to the upper left. `right` and `left` are 1 if the area lies on
    that side, seen from first to second.
    """

    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]
    right: NDArray[np.uint8]
    left: NDArray[np.uint8]


def _edges(lattice: Lattice, slanted: NDArray[np.int32]) -> _Edges:
    """Return the edges along grid lines (marked) and `slanted`, node to node."""
    marks, inside = lattice.marks.ravel(), lattice.inside.ravel()
    stride = lattice.stride
    nodes = _nodes(lattice, slanted)
    # A stretch of marked unit edges always ends at a node, so the next node is the other end.
    flat = np.flatnonzero(marks[nodes] & RIGHT)
    flat_firsts, flat_seconds = nodes[flat], nodes[flat + 1]
    by_column = nodes[np.lexsort((nodes, nodes % stride))]
    steep = np.flatnonzero(marks[by_column] & DOWN)
    steep_firsts, steep_seconds = by_column[steep], by_column[steep + 1]
    both = np.ones(len(slanted), np.uint8)
    ends = np.sort(slanted, axis=1).astype(np.int64)
    right = np.concatenate([inside[flat_firsts], inside[steep_firsts - 1], both])
    left = np.concatenate([inside[flat_firsts - stride], inside[steep_firsts], both])
    return _Edges(
        np.concatenate([flat_firsts, steep_firsts, ends[:, 0]]),
        np.concatenate([flat_seconds, steep_seconds, ends[:, 1]]),
        right,
        left,
    )


def _nodes(lattice: Lattice, slanted: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return where edges meet or turn, as ascending indices of the lattice."""
    right = lattice.marks & RIGHT
    down = (lattice.marks & DOWN) >> 1
    left, up = np.zeros_like(right), np.zeros_like(down)
    left[:, 1:] = right[:, :-1]
    up[1:] = down[:-1]
    node = (right != left) | (down != up) | (right & down != 0)
    node.ravel()[slanted.ravel()] = True
    return np.flatnonzero(node)


@dataclass(frozen=True, slots=True, eq=False)
class _HalfEdges:
    """Edges as seen from one end: two half-edges each, with opposite steps.

    They are sorted by their start, then clockwise from the right. `twins` is the other half of
    each. `inside` is 1 if the area is on its right; `optional` has one half of every edge that may
    be dropped, the longest first.
    """

    starts: NDArray[np.int64]
    steps_x: NDArray[np.int64]
    steps_y: NDArray[np.int64]
    twins: NDArray[np.int32]
    inside: NDArray[np.uint8]
    optional: NDArray[np.int32]


def _half_edges(edges: _Edges, lattice: Lattice) -> _HalfEdges:
    count = edges.firsts.size
    starts = np.concatenate([edges.firsts, edges.seconds])
    ends = np.concatenate([edges.seconds, edges.firsts])
    steps_x = lattice.columns[ends % lattice.stride] - lattice.columns[starts % lattice.stride]
    steps_y = lattice.rows[ends // lattice.stride] - lattice.rows[starts // lattice.stride]
    order = np.lexsort((_angles(steps_x, steps_y), starts))
    position = np.empty(2 * count, np.int32)
    position[order] = np.arange(2 * count, dtype=np.int32)
    twins = np.concatenate([position[count:], position[:count]])[order]
    # Between the area and the rest no edge can be dropped.
    optional = position[:count][edges.right & edges.left != 0]
    steps_x, steps_y = steps_x[order], steps_y[order]
    lengths = steps_x * steps_x + steps_y * steps_y
    return _HalfEdges(
        starts[order],
        steps_x,
        steps_y,
        twins,
        np.concatenate([edges.right, edges.left])[order],
        optional[np.lexsort((optional, -lengths[optional]))],
    )


def _angles(steps_x: NDArray[np.int64], steps_y: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return integers that grow with the clockwise angle of each step."""
    quarter = np.select(
        [(steps_x > 0) & (steps_y >= 0), (steps_x <= 0) & (steps_y > 0), steps_x < 0], [0, 1, 2], 3
    )
    along = np.where(quarter % 2 == 0, abs(steps_x), abs(steps_y))
    beside = np.where(quarter % 2 == 0, abs(steps_y), abs(steps_x))
    angles: NDArray[np.int64] = quarter * QUARTER_TURN + beside * QUARTER_TURN // (along + beside)
    return angles


def _circles(starts: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the neighbours of each half-edge in the circle around its start."""
    index = np.arange(starts.size, dtype=np.int32)
    turn = np.flatnonzero(starts[1:] != starts[:-1]).astype(np.int32)
    first, last = np.append(index[:1], turn + 1), np.append(turn, index[-1:])
    before, after = index - 1, index + 1
    before[first], after[last] = last, first
    return before, after


def _passed(halves: _HalfEdges, after: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mark half-edges that start where a straight line merely goes on.

    Such a start has no other edges, so it is no corner. `after` has the next half-edge around the
    start of each.
    """
    turn = halves.steps_x * halves.steps_y[after] - halves.steps_y * halves.steps_x[after]
    alone = after[after] == np.arange(after.size)
    passed: NDArray[np.bool_] = alone & (turn == 0)
    return passed
