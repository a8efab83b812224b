"""Where one is not seen: cover, and cells for an ambush; see the layers of these names.

A visibility table and the floor flow in, a grid flows out, all in whole numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.visibility.table import VisibilityTable

# What a cell for an ambush is, unless it is said.
NEAR_RADIUS = 3
MIN_NEAR_CELLS = 6
MAX_FAR_PERCENT = 10


def cover_thousandths(table: VisibilityTable, floor: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the share of the floor around each cell that does not see it: int32 [height, width].

    In thousandths, rounded down; 1000 where no other floor is around. "Around" is within the
    table's offsets, and nobody is around oneself.
    """
    import numpy as np

    from exporter.visibility.sums import circle_counts, viewer_counts

    near = circle_counts(table, floor).astype(np.int64)
    hidden = near - viewer_counts(table, floor)
    return np.where(near > 0, hidden * 1000 // np.maximum(near, 1), 1000).astype(np.int32)


def ambush_cells(
    table: VisibilityTable,
    floor: NDArray[np.bool_],
    near_radius: int = NEAR_RADIUS,
    min_near_cells: int = MIN_NEAR_CELLS,
    max_far_percent: int = MAX_FAR_PERCENT,
) -> NDArray[np.bool_]:
    """Return the floor cells for an ambush: bool [height, width].

    At least `min_near_cells` floor cells within `near_radius` see such a cell, and at most
    `max_far_percent` of the floor cells beyond, within the table's offsets.
    """
    import numpy as np

    from exporter.visibility.sums import circle_counts, viewer_counts

    far = viewer_counts(table, floor, beyond=near_radius).astype(np.int64)
    near = viewer_counts(table, floor) - far
    farther = circle_counts(table, floor, beyond=near_radius)
    hidden = far * 100 <= farther * max_far_percent
    ambush: NDArray[np.bool_] = floor & (near >= min_near_cells) & hidden
    return ambush
