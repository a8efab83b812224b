"""Cut an area into few convex pieces, by cuts from its reflex corners.

A field is a rectangle between adjacent grid lines; it is closed if it does not belong to the area.
A reflex corner has three open fields and one closed field around it. Every reflex corner must be
cut, in a direction within the quadrant opposite to its closed field. A cut between two reflex
corners resolves both (none is reflex afterwards), so as many of these cuts as possible are chosen,
of which no two cross or share a corner. For cuts along grid lines this would be a bipartite
matching (Lipski and others; Ohtsuki, "Minimum dissection of rectilinear regions", 1982). With
slanted cuts it is a maximum independent set, which local search approximates. Every other reflex
corner gets a cut of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.geometry._lattice import DOWN, RIGHT, Lattice, reflex_kinds
from exporter.kernels import warn_uncompiled
from exporter.kernels.corner_cuts import COMPILED, CornerCuts
from exporter.kernels.independent_set import choose_independent

# The most lattice lines that a slanted cut spans, and the most such cuts considered for a corner.
# More make hardly fewer pieces: on caves a reach of 32 gives 1 % fewer for ten times the
# conflicts, four cuts for a corner less than 1 % fewer; a reach of 8 gives 4 % more.
REACH = 16
MOST = 2
# On caves a candidate is in conflict with about ten; where there are more, they are sought again.
PAIRS_FOR_A_CANDIDATE = 16
CORNERS_IN_A_SECOND = 10_000


def find_cuts(lattice: Lattice, reach: int = REACH) -> NDArray[np.int32]:
    """Choose cuts that divide an area into convex pieces.

    Args:
        lattice: The area, as a grid of points; cuts along grid lines are added to its marks.
        reach: How many grid lines a slanted cut may span; with 0 all pieces are rectangles.

    Returns:
        int32 [cuts, 2]: the two ends of each slanted cut, as indices of the flattened lattice.
    """
    kinds = reflex_kinds(lattice)
    corners = np.flatnonzero(kinds).astype(np.int32)
    if corners.size == 0:
        return np.zeros((0, 2), np.int32)
    warn_uncompiled(COMPILED, "corner_cuts", corners.size, CORNERS_IN_A_SECOND)
    backup, down = _steps(reach)
    cuts = CornerCuts(
        kinds.ravel().data,
        lattice.marks.ravel().data,
        lattice.columns.data,
        lattice.rows.data,
        backup.data,
        down.data,
        np.zeros(2 * sum(lattice.marks.shape), np.int32).data,
        np.zeros(lattice.marks.size, np.int32).data,
    )
    candidates = _candidates(lattice, cuts, corners)
    chosen = candidates[_choose(candidates, _conflicts(lattice, cuts, candidates))]
    straight = _is_straight(chosen, lattice.stride)
    _mark(lattice, chosen[straight])
    left = np.setdiff1d(corners, chosen.ravel(), assume_unique=True)
    return _resolve(cuts, corners.size, left, chosen[~straight])


def _candidates(
    lattice: Lattice, cuts: CornerCuts, corners: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return possible cuts between `corners`, shortest first: int32 [cuts, 2]."""
    ends = np.zeros((2, corners.size * (MOST + 2)), np.int32)
    count = cuts.find_candidates(corners.data, MOST, ends[0].data, ends[1].data)
    firsts, seconds = ends[:, :count]
    wide = lattice.columns[seconds % lattice.stride] - lattice.columns[firsts % lattice.stride]
    high = lattice.rows[seconds // lattice.stride] - lattice.rows[firsts // lattice.stride]
    order = np.lexsort((seconds, firsts, wide * wide + high * high))
    return np.ascontiguousarray(ends[:, order].T)


def _conflicts(
    lattice: Lattice, cuts: CornerCuts, candidates: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """List for each candidate those that cross it or share an end with it.

    The result is where each list starts in the second array, which has all lists.
    """
    count = len(candidates)
    firsts, seconds = np.ascontiguousarray(candidates.T)
    wide = abs(firsts % lattice.stride - seconds % lattice.stride)
    high = seconds // lattice.stride - firsts // lattice.stride
    entries = np.zeros((2, 2 * int((wide + high).sum())), np.int32)
    pairs = np.zeros(2 * PAIRS_FOR_A_CANDIDATE * count, np.int32)
    while True:
        needed = cuts.find_conflicts(
            firsts.data,
            seconds.data,
            entries[0].data,
            entries[1].data,
            np.full(count, -1, np.int32).data,
            pairs.data,
        )
        if needed <= pairs.size:
            break
        pairs = np.zeros(needed, np.int32)
    pairs = pairs[:needed]
    # Both directions as one sorted number each, one candidate times the count plus the other.
    later, earlier = pairs[::2].astype(np.int64), pairs[1::2].astype(np.int64)
    numbers = np.concatenate([later * count + earlier, earlier * count + later])
    numbers.sort()
    starts = np.searchsorted(numbers, np.arange(count + 1) * count)
    return starts, (numbers % max(count, 1)).astype(np.int32)


def _choose(
    candidates: NDArray[np.int32], conflicts: tuple[NDArray[np.int64], NDArray[np.int32]]
) -> NDArray[np.bool_]:
    """Choose many `candidates` that do not cross or share an end.

    `conflicts` lists, for each, those that do. The result is bool [candidates].
    """
    starts, others = conflicts
    chosen = np.zeros(len(candidates), np.uint8)
    scratch = np.zeros((2, len(candidates)), np.int32)
    choose_independent(starts.data, others.data, chosen.data, scratch[0].data, scratch[1].data)
    return chosen.view(np.bool_)


def _resolve(
    cuts: CornerCuts, corners: int, left: NDArray[np.int32], slanted: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Cut at the corners `left` too; return all slanted cuts: int32 [cuts, 2].

    `slanted` are those chosen before, `corners` is the number of all reflex corners.
    """
    waiting = np.zeros(corners, np.int32)
    waiting[: left.size] = left
    room = len(slanted) + corners
    ends = np.zeros((2, room), np.int32)
    ends[:, : len(slanted)] = slanted.T
    alive, resolving = np.zeros((2, room), np.uint8)
    entries = np.zeros((2, room * 4 * REACH), np.int32)
    count = cuts.resolve(
        waiting.data,
        left.size,
        ends[0].data,
        ends[1].data,
        alive.data,
        resolving.data,
        len(slanted),
        entries[0].data,
        entries[1].data,
    )
    return np.ascontiguousarray(ends[:, :count].T[alive[:count] != 0])


def _steps(reach: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return x and y of all offsets of 1 to `reach`, nearest first."""
    backup, down = (grid.ravel() + 1 for grid in np.indices((reach, reach), np.int32))
    order = np.lexsort((down, backup, backup * backup + down * down))
    return backup[order], down[order]


def _is_straight(cuts: NDArray[np.int32], stride: int) -> NDArray[np.bool_]:
    """Return which of `cuts` run along grid lines: bool [cuts]."""
    firsts, seconds = cuts.T
    straight: NDArray[np.bool_] = (firsts // stride == seconds // stride) | (
        firsts % stride == seconds % stride
    )
    return straight


def _mark(lattice: Lattice, cuts: NDArray[np.int32]) -> None:
    """Mark the unit edges of `cuts`, which are along grid lines, in `lattice`.

    The second end of a cut is to the right of or below the first.
    """
    stride = lattice.stride
    marks = lattice.marks.ravel()
    firsts, seconds = cuts.T.astype(np.int64)
    across = firsts // stride == seconds // stride
    for chosen, step, mark in ((across, 1, RIGHT), (~across, stride, DOWN)):
        lengths = (seconds[chosen] - firsts[chosen]) // step
        begins = np.cumsum(lengths) - lengths
        nth = np.arange(lengths.sum()) - np.repeat(begins, lengths)
        marks[np.repeat(firsts[chosen], lengths) + nth * step] |= np.uint8(mark)
