"""Make faces on both sides of a line share their corners on it."""

from __future__ import annotations

import numpy as np

from exporter.geometry._subdivision import Faces


def with_corners_on_line(faces: Faces, others: Faces, axis: int, line: int) -> Faces:
    """Add the corners of faces across a line to faces on this side.

    Args:
        faces: Faces on one side of the line.
        others: Faces on the other side of the line.
        axis: 0 for a vertical line, 1 for a horizontal line.
        line: The x, or the y, of the line.
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
