"""Step from cell to cell in a framed grid, stored as one row of numbers.

A framed grid has cells around the map that nothing enters. Interpreted kernels import this module,
compiled ones inline `_steps.pxd`.
"""

from __future__ import annotations


def neighbour(position: int, step: int, stride: int) -> int:
    """Return the index of the cell one `step` from the cell `position`.

    Steps are 0 up, 1 down, 2 right, 3 left. `stride` is the number of cells in a row of the grid,
    with its frame.
    """
    if step == 0:
        return position - stride
    if step == 1:
        return position + stride
    return position + 1 if step == 2 else position - 1
