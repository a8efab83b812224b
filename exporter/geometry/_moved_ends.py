"""Move cuts that end on a straight side to the side's next corner.

This saves vertices. Such a cut leads from a reflex corner R to a point S on a side U V. Moving it
to U moves the triangle R S U from one face to the other, and S is no longer a vertex. The other
face stays convex if its angle at R does not exceed a half turn.
"""

from __future__ import annotations

import numpy as np

from exporter.geometry._subdivision import Faces

_Point = tuple[int, int]


def without_ends_on_sides(faces: Faces) -> Faces:
    """Move ends of cuts on straight sides to a corner, if faces stay convex."""
    ends = _ends_on_sides(faces)
    if not ends:
        return faces
    rings = _Rings(faces)
    for arriving, leaving in ends:
        # Moving one end may have changed the faces at another.
        if rings.is_end(arriving, leaving) and not rings.move_back(arriving, leaving):
            rings.move_on(arriving, leaving)
    return rings.faces()


def _ends_on_sides(faces: Faces) -> list[tuple[int, int]]:
    """Return the points on straight sides where exactly one cut ends.

    Returns:
        For each point its indices in `faces.corners`, as (arriving, leaving): in the face whose
        part of the side ends there, and in the face whose part starts there.
    """
    corners = faces.corners
    count = len(corners)
    if not count:
        return []
    following = np.arange(1, count + 1)
    following[faces.starts[1:] - 1] = faces.starts[:-1]
    before = np.empty(count, np.int64)
    before[following] = np.arange(count)
    numbers = corners[:, 1] << 32 | corners[:, 0]
    order = np.argsort(numbers, kind="stable")
    points = numbers[order]
    begins = np.flatnonzero(np.r_[True, points[1:] != points[:-1]])
    pairs = begins[np.diff(np.r_[begins, count]) == 2]
    first, second = order[pairs], order[pairs + 1]
    result: list[tuple[int, int]] = []
    for arriving, leaving in ((first, second), (second, first)):
        shared = numbers[following[arriving]] == numbers[before[leaving]]
        step = corners[arriving] - corners[before[arriving]]
        other = corners[following[leaving]] - corners[leaving]
        # Sides run along the lattice.
        straight = (np.sign(step) == np.sign(other)).all(axis=1) & (step == 0).any(axis=1)
        chosen = shared & straight
        result += zip(arriving[chosen].tolist(), leaving[chosen].tolist(), strict=True)
    return sorted(result)


class _Rings:
    """Faces as linked lists of corners, in which ends of cuts can be moved.

    Such an end is a corner of two faces that share a straight side: `arriving` is its index in the
    face whose part of the side ends there, `leaving` in the one whose part starts there.
    """

    def __init__(self, faces: Faces) -> None:
        count = len(faces.corners)
        self._faces = faces
        x, y = faces.corners.T.tolist()
        self._points: list[_Point] = list(zip(x, y, strict=True))
        self._moved: list[int] = []
        following = np.arange(1, count + 1)
        following[faces.starts[1:] - 1] = faces.starts[:-1]
        before = np.empty(count, np.int64)
        before[following] = np.arange(count)
        self._following: list[int] = following.tolist()
        self._before: list[int] = before.tolist()
        self._remaining = [True] * count

    def is_end(self, arriving: int, leaving: int) -> bool:
        """Return whether these corners of two faces are still the end of one cut.

        It must end on a straight side.
        """
        if not (self._remaining[arriving] and self._remaining[leaving]):
            return False
        end = self._points[arriving]
        start, target = self._points[self._before[arriving]], self._points[self._following[leaving]]
        reflex = self._points[self._before[leaving]]
        return (
            end == self._points[leaving]
            and reflex == self._points[self._following[arriving]]
            and _turn(start, end, target) == 0
        )

    def move_back(self, arriving: int, leaving: int) -> bool:
        """Move a cut's end to the side's previous corner; return whether it could."""
        target = self._before[arriving]
        reflex = self._before[leaving]
        outer = self._before[reflex]
        if _turn(self._points[outer], self._points[reflex], self._points[target]) < 0:
            return False
        if not self._take_out(arriving):
            return False
        self._move(leaving, target)
        return True

    def move_on(self, arriving: int, leaving: int) -> bool:
        """Move a cut's end to the side's next corner; return whether it could."""
        target = self._following[leaving]
        reflex = self._following[arriving]
        outer = self._following[reflex]
        if _turn(self._points[target], self._points[reflex], self._points[outer]) < 0:
            return False
        if not self._take_out(leaving):
            return False
        self._move(arriving, target)
        return True

    def _move(self, corner: int, target: int) -> None:
        self._points[corner] = self._points[target]
        self._moved.append(corner)

    def _take_out(self, corner: int) -> bool:
        """Remove `corner` from its face; a triangle is removed entirely.

        Return False, and change nothing, if the face would have no area afterwards.
        """
        before, following = self._before[corner], self._following[corner]
        last = self._before[before]
        if last == following:
            for removed in (before, corner, following):
                self._remaining[removed] = False
            return True
        start, end = self._points[before], self._points[following]
        behind = self._points[self._following[following]]
        if _turn(start, end, behind) == 0 and _turn(start, end, self._points[last]) == 0:
            return False
        self._remaining[corner] = False
        self._following[before] = following
        self._before[following] = before
        return True

    def faces(self) -> Faces:
        remaining = np.array(self._remaining)
        counts = np.concatenate([[0], np.cumsum(remaining)])[self._faces.starts]
        corners = self._faces.corners.copy()
        corners[self._moved] = np.array([self._points[corner] for corner in self._moved]).reshape(
            -1, 2
        )
        corners = corners[remaining]
        starts = counts[np.concatenate([[True], counts[1:] > counts[:-1]])]
        return Faces(corners, starts)


def _turn(first: _Point, middle: _Point, last: _Point) -> int:
    """Return which way a line turns at `middle`: above 0 for clockwise.

    Below 0 is counter-clockwise on the screen, 0 straight on or back.
    """
    (x, y), (to_x, to_y) = first, middle
    return (to_x - x) * (last[1] - to_y) - (to_y - y) * (last[0] - to_x)
