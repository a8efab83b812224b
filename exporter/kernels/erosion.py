# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Erode heights by drops of water that carve gullies, and by slides.

The water's method is that of Hans Theobald Beyer ("Implementation of a method for hydraulic
erosion", 2015), known from Sebastian Lague's film. A drop runs downhill with some inertia, picks up
ground where it is fast, and drops it where it is slow or climbs. Every drop runs over the ground
that earlier ones left, so the loop is sequential. Floats are used only in + - * / and the square
root, which IEEE 754 defines to the last bit. Uncompiled a drop takes about 2 milliseconds. Slides
are also written in numpy, as `exporter.generators._erosion.slides`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.exporter.kernels.random_draws import Draws
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from exporter.kernels.random_draws import Draws

COMPILED = cython.compiled


def erode(
    ground: cython.double[:, ::1],
    brush: cython.double[:, ::1],
    draws: Draws,
    droplets: cython.longlong,
    steps: cython.int,
    inertia: cython.double,
    capacity: cython.double,
    erosion: cython.double,
    deposition: cython.double,
    evaporation: cython.double,
) -> None:
    """Let drops run over `ground` one after the other, and change it.

    Args:
        ground: float64 [height, width], heights of 0 to 1; both sides at least 2.
        brush: float64 [2 r + 1, 2 r + 1]: the shares of the cells around a drop in what it picks
            up; the sum is 1.
        draws: The random numbers for every drop's start: x, then y.
        droplets: How many drops fall.
        steps: The largest number of steps of a drop.
        inertia: How much of its direction a drop keeps, 0 to 1.
        capacity: How much ground a drop can carry, for each unit of slope, speed and water.
        erosion: Share of its free capacity that a drop picks up in a step.
        deposition: Share of its surplus that a drop leaves in a step.
        evaporation: Share of its water that a drop loses in a step.
    """
    height: cython.Py_ssize_t = ground.shape[0]
    width: cython.Py_ssize_t = ground.shape[1]
    reach: cython.Py_ssize_t = brush.shape[0] // 2
    right: cython.double = width - 1
    bottom: cython.double = height - 1
    climb: cython.double
    amount: cython.double
    for _drop in range(droplets):
        # On a grid of 1/256 samples, short of the last row and column.
        x: cython.double = draws.next(0, (width - 1) * 256) * 0.00390625
        y: cython.double = draws.next(0, (height - 1) * 256) * 0.00390625
        toward_x: cython.double = 0.0
        toward_y: cython.double = 0.0
        speed: cython.double = 1.0
        water: cython.double = 1.0
        sediment: cython.double = 0.0
        for _step in range(steps):
            column: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, x)
            row: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, y)
            u: cython.double = x - column
            v: cython.double = y - row
            north_west: cython.double = ground[row, column]
            north_east: cython.double = ground[row, column + 1]
            south_west: cython.double = ground[row + 1, column]
            south_east: cython.double = ground[row + 1, column + 1]
            before: cython.double = (north_west * (1.0 - u) + north_east * u) * (1.0 - v) + (
                south_west * (1.0 - u) + south_east * u
            ) * v
            climb = (north_east - north_west) * (1.0 - v) + (south_east - south_west) * v
            toward_x = toward_x * inertia - climb * (1.0 - inertia)
            climb = (south_west - north_west) * (1.0 - u) + (south_east - north_east) * u
            toward_y = toward_y * inertia - climb * (1.0 - inertia)
            length: cython.double = sqrt(toward_x * toward_x + toward_y * toward_y)
            if length == 0.0:
                break
            toward_x = toward_x / length
            toward_y = toward_y / length
            x = x + toward_x
            y = y + toward_y
            if not (x >= 0.0 and y >= 0.0 and x < right and y < bottom):
                break
            climb = _height(ground, x, y) - before
            carry: cython.double = -climb * speed * water * capacity
            if carry < 0.0001:
                carry = 0.0001
            if climb > 0.0 or sediment > carry:
                if climb > 0.0:
                    # Fill the pit it came from, at most level.
                    amount = climb if climb < sediment else sediment
                else:
                    amount = (sediment - carry) * deposition
                sediment = sediment - amount
                ground[row, column] += amount * (1.0 - u) * (1.0 - v)
                ground[row, column + 1] += amount * u * (1.0 - v)
                ground[row + 1, column] += amount * (1.0 - u) * v
                ground[row + 1, column + 1] += amount * u * v
            else:
                amount = (carry - sediment) * erosion
                if amount > -climb:
                    amount = -climb
                sediment = sediment + _dig(ground, brush, column, row, reach, amount)
            speed = speed * speed - climb * 4.0
            speed = sqrt(speed) if speed > 0.0 else 0.0
            water = water * (1.0 - evaporation)


def slide(
    relief: cython.longlong[:, ::1],
    change: cython.longlong[:, ::1],
    talus: cython.longlong,
    diagonal: cython.longlong,
) -> None:
    """Add to `change` how much ground slides between neighbours.

    Args:
        relief: int64 [height, width], the heights; not changed.
        change: int64 [height, width], to which the slides are added.
        talus: The largest difference of neighbours in a row or column at which nothing slides.
        diagonal: The same for diagonal neighbours.
    """
    height: cython.Py_ssize_t = relief.shape[0]
    width: cython.Py_ssize_t = relief.shape[1]
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    moved: cython.longlong
    for y in range(height):
        for x in range(width):
            if x + 1 < width:
                moved = _surplus(relief[y, x + 1] - relief[y, x], talus)
                change[y, x] += moved
                change[y, x + 1] -= moved
            if y + 1 == height:
                continue
            moved = _surplus(relief[y + 1, x] - relief[y, x], talus)
            change[y, x] += moved
            change[y + 1, x] -= moved
            if x + 1 < width:
                moved = _surplus(relief[y + 1, x + 1] - relief[y, x], diagonal)
                change[y, x] += moved
                change[y + 1, x + 1] -= moved
            if x > 0:
                moved = _surplus(relief[y + 1, x - 1] - relief[y, x], diagonal)
                change[y, x] += moved
                change[y + 1, x - 1] -= moved


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _surplus(rise: cython.longlong, talus: cython.longlong) -> cython.longlong:
    """Return a sixteenth of what `rise` exceeds `talus` by, with its sign."""
    if rise > talus:
        return (rise - talus) >> 4
    if rise < -talus:
        return -((-rise - talus) >> 4)
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _height(ground: cython.double[:, ::1], x: cython.double, y: cython.double) -> cython.double:
    """Return the height at (x, y), interpolated between four samples."""
    column: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, x)
    row: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, y)
    u: cython.double = x - column
    v: cython.double = y - row
    return (ground[row, column] * (1.0 - u) + ground[row, column + 1] * u) * (1.0 - v) + (
        ground[row + 1, column] * (1.0 - u) + ground[row + 1, column + 1] * u
    ) * v


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _dig(
    ground: cython.double[:, ::1],
    brush: cython.double[:, ::1],
    column: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    reach: cython.Py_ssize_t,
    amount: cython.double,
) -> cython.double:
    """Dig up to `amount` out of the cells around a sample; return how much."""
    left: cython.Py_ssize_t = column - reach if column > reach else 0
    above: cython.Py_ssize_t = row - reach if row > reach else 0
    beyond: cython.Py_ssize_t = column + reach + 1
    below: cython.Py_ssize_t = row + reach + 1
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    taken: cython.double = 0.0
    if beyond > ground.shape[1]:
        beyond = ground.shape[1]
    if below > ground.shape[0]:
        below = ground.shape[0]
    for j in range(above, below):
        for i in range(left, beyond):
            part: cython.double = brush[j - row + reach, i - column + reach] * amount
            if part > ground[j, i]:
                part = ground[j, i]
            ground[j, i] -= part
            taken = taken + part
    return taken
