"""Step in a framed grid: Python kernels import it, C inlines `_steps.pxd`."""

from __future__ import annotations


def neighbour(position: int, step: int, stride: int) -> int:
    """Return the position one step on: 0 up, 1 down, 2 right, 3 left.

    Args:
        position: Cells before it, counted row after row.
        step: Which way.
        stride: Cells in a framed row.
    """
    if step == 0:
        return position - stride
    if step == 1:
        return position + stride
    return position + 1 if step == 2 else position - 1
