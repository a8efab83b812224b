# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Open cells by a random walk until enough are open.

Every step depends on the one before. Uncompiled it takes about 2 microseconds a step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels.random_draws import Draws
else:
    from exporter.kernels.random_draws import Draws

COMPILED = cython.compiled


def stagger(
    cells: cython.uchar[:, ::1],
    dug: cython.int[::1],
    draws: Draws,
    start_x: cython.longlong,
    start_y: cython.longlong,
    border: cython.longlong,
    steps: cython.longlong,
    lifetime: cython.longlong,
    straight: cython.longlong,
    begun: cython.longlong = 0,
    tell: Callable[[int], None] | None = None,
    every: cython.longlong = 1,
) -> cython.longlong:
    """Open cells on a random walk until `dug` is full or no steps remain.

    Args:
        cells: uint8 [height, width]; 0 is open, 1 closed, 2 closed for ever.
        dug: int32 [required number of cells, at least 1]: receives the opened cells, as `y * width
            + x`.
        draws: The random numbers.
        start_x: Column where the walk starts, inside the border; that cell is not 2.
        start_y: Row where the walk starts.
        border: Cells at every edge that stay closed.
        steps: The largest number of steps.
        lifetime: Steps after which the walk starts again at a random open cell; 0 for never.
        straight: The chance in percent that a step keeps the direction.
        begun: How many open cells `dug` has at first.
        tell: Called with the number of cells in `dug`; None for no calls.
        every: The number of opened cells between two calls of `tell`.

    Returns:
        How many open cells `dug` has now.
    """
    width: cython.longlong = cells.shape[1]
    right: cython.longlong = width - border
    bottom: cython.longlong = cells.shape[0] - border
    wanted: cython.longlong = dug.shape[0]
    x: cython.longlong = start_x
    y: cython.longlong = start_y
    count: cython.longlong = begun
    age: cython.longlong = 0
    direction: cython.longlong = draws.next(0, 4)
    next_x: cython.longlong
    # Never reached without a callback: more than all cells.
    due: cython.longlong = wanted + 1 if tell is None else begun + every
    if count < wanted and cells[y, x] != 0:
        cells[y, x] = 0
        dug[count] = cython.cast(cython.int, y * width + x)
        count += 1
    for _step in range(steps):
        if count == wanted:
            break
        if lifetime > 0 and age == lifetime:
            next_x = dug[draws.next(0, count)]
            y = next_x // width
            x = next_x - y * width
            age = 0
        if draws.next(0, 100) >= straight:
            direction = draws.next(0, 4)
        age += 1
        next_x = x
        next_y: cython.longlong = y
        if direction == 0:
            next_y -= 1
        elif direction == 1:
            next_y += 1
        elif direction == 2:
            next_x += 1
        else:
            next_x -= 1
        if next_x < border or next_x >= right or next_y < border or next_y >= bottom:
            direction = draws.next(0, 4)
            continue
        if cells[next_y, next_x] == 2:
            direction = draws.next(0, 4)
            continue
        x = next_x
        y = next_y
        if cells[y, x] != 0:
            cells[y, x] = 0
            dug[count] = cython.cast(cython.int, y * width + x)
            count += 1
            if count >= due and tell is not None:
                due = count + every
                tell(count)
    return count
