# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Draw rooms that are not rectangles: polygons, and merged shapes.

A room is drawn onto a canvas of its own, in integers: a corner of a polygon lies in a direction
taken from a diamond of 4096 points around the centre, so neither sine nor cosine is needed. Every
shape is one 4-connected piece. Uncompiled, a room of usual size takes about a millisecond.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels.random_draws import Draws
else:
    from exporter.kernels.random_draws import Draws

# Points on one side of the diamond, and on all four.
SIDE: cython.longlong = 1024
AROUND: cython.longlong = 4096


def draw_polygon(
    canvas: cython.uchar[:, ::1],
    center_x: cython.longlong,
    center_y: cython.longlong,
    scale_x: cython.longlong,
    scale_y: cython.longlong,
    unit: cython.longlong,
    low: cython.longlong,
    high: cython.longlong,
    corners: cython.longlong,
    draws: Draws,
) -> None:
    """Draw a filled polygon with random corners around a centre.

    Each corner lies in its own share of the full turn, `radius * scale / unit` cells from the
    centre, where `radius` is drawn from `low`..`high`.

    Args:
        canvas: uint8 [height, width] of zeros, with a margin of one cell on every side that the
            polygon does not reach; receives 1 for the room.
        center_x: Column of the centre.
        center_y: Row of the centre.
        scale_x: The number of columns that a radius of `unit` covers.
        scale_y: The number of rows that a radius of `unit` covers.
        unit: The radius that `scale_x` and `scale_y` refer to.
        low: The smallest radius of a corner.
        high: The largest radius of a corner.
        corners: The number of corners.
        draws: The random numbers: direction, then radius, of every corner.
    """
    index: cython.longlong
    turn: cython.longlong
    dx: cython.longlong
    dy: cython.longlong
    first_x: cython.longlong = 0
    first_y: cython.longlong = 0
    last_x: cython.longlong = 0
    last_y: cython.longlong = 0
    for index in range(corners):
        turn = draws.next(index * AROUND // corners, (index + 1) * AROUND // corners)
        radius: cython.longlong = draws.next(low, high + 1)
        rest: cython.longlong = turn % SIDE
        if turn < SIDE:
            dx, dy = SIDE - rest, rest
        elif turn < 2 * SIDE:
            dx, dy = -rest, SIDE - rest
        elif turn < 3 * SIDE:
            dx, dy = rest - SIDE, -rest
        else:
            dx, dy = rest, rest - SIDE
        length: cython.longlong = isqrt(dx * dx + dy * dy)
        x: cython.longlong = center_x + _share(dx * radius * scale_x, length * unit)
        y: cython.longlong = center_y + _share(dy * radius * scale_y, length * unit)
        if index == 0:
            first_x, first_y = x, y
        else:
            _draw_line(canvas, last_x, last_y, x, y)
        last_x, last_y = x, y
    _draw_line(canvas, last_x, last_y, first_x, first_y)
    _fill(canvas)


@cython.cfunc
def _share(value: cython.longlong, parts: cython.longlong) -> cython.longlong:
    """Return `value / parts`, rounded, halves away from zero."""
    if value < 0:
        return -((2 * -value + parts) // (2 * parts))
    return (2 * value + parts) // (2 * parts)


@cython.cfunc
def _draw_line(
    canvas: cython.uchar[:, ::1],
    from_x: cython.longlong,
    from_y: cython.longlong,
    to_x: cython.longlong,
    to_y: cython.longlong,
) -> cython.void:
    """Draw a straight line (Bresenham's), 4-connected."""
    index: cython.longlong
    dx: cython.longlong = to_x - from_x
    dy: cython.longlong = to_y - from_y
    steps: cython.longlong = max(abs(dx), abs(dy))
    last_y: cython.longlong = from_y
    canvas[from_y, from_x] = 1
    for index in range(1, steps + 1):
        x: cython.longlong = from_x + _share(index * dx, steps)
        y: cython.longlong = from_y + _share(index * dy, steps)
        canvas[last_y, x] = 1
        canvas[y, x] = 1
        last_y = y


@cython.cfunc
def _fill(canvas: cython.uchar[:, ::1]) -> cython.void:
    """Fill the cells that drawn cells separate from the margin.

    Cells reached from the margin are marked 2 in sweeps from alternate corners until nothing
    changes; a room's outline has few bends, so few sweeps are enough.
    """
    height: cython.longlong = canvas.shape[0]
    width: cython.longlong = canvas.shape[1]
    x: cython.longlong
    y: cython.longlong
    changed: cython.bint = True
    for y in range(height):
        canvas[y, 0] = canvas[y, width - 1] = 2
    for x in range(width):
        canvas[0, x] = canvas[height - 1, x] = 2
    while changed:
        changed = False
        for y in range(1, height - 1):
            for x in range(1, width - 1):
                if canvas[y, x] == 0 and (canvas[y - 1, x] == 2 or canvas[y, x - 1] == 2):
                    canvas[y, x] = 2
                    changed = True
        for y in range(height - 2, 0, -1):
            for x in range(width - 2, 0, -1):
                if canvas[y, x] == 0 and (canvas[y + 1, x] == 2 or canvas[y, x + 1] == 2):
                    canvas[y, x] = 2
                    changed = True
    for y in range(height):
        for x in range(width):
            canvas[y, x] = 0 if canvas[y, x] == 2 else 1


def draw_merged(
    canvas: cython.uchar[:, ::1],
    center_x: cython.longlong,
    center_y: cython.longlong,
    extent_x: cython.longlong,
    extent_y: cython.longlong,
    draws: Draws,
) -> None:
    """Draw two to four overlapping rectangles and discs around a centre.

    The first lies around the centre; the centres of the others lie within it.

    Args:
        canvas: uint8 [height, width] of zeros; receives 1 for the room.
        center_x: Column of the centre.
        center_y: Row of the centre.
        extent_x: How many columns the room may reach from the centre, left and right.
        extent_y: How many rows the room may reach from the centre, up and down.
        draws: The random numbers: how many shapes, and the centre, kind and size of each.
    """
    part: cython.longlong
    x: cython.longlong
    y: cython.longlong
    offset_x: cython.longlong = 0
    offset_y: cython.longlong = 0
    inner_x: cython.longlong = 0
    inner_y: cython.longlong = 0
    for part in range(draws.next(2, 5)):
        if part > 0:
            offset_x = draws.next(-inner_x, inner_x + 1)
            offset_y = draws.next(-inner_y, inner_y + 1)
        disc: cython.bint = draws.next(0, 2) == 1
        room_x: cython.longlong = extent_x - abs(offset_x)
        room_y: cython.longlong = extent_y - abs(offset_y)
        half_x: cython.longlong = draws.next((room_x + 1) // 2, room_x + 1)
        half_y: cython.longlong = draws.next((room_y + 1) // 2, room_y + 1)
        if disc:
            half_x = half_y = min(half_x, half_y)
        if part == 0:
            # Half the size: so far away in both axes is still inside a disc.
            inner_x = half_x // 2
            inner_y = half_y // 2
        for y in range(-half_y, half_y + 1):
            for x in range(-half_x, half_x + 1):
                if not disc or x * x + y * y <= half_x * half_x:
                    canvas[center_y + offset_y + y, center_x + offset_x + x] = 1
