# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Compute noise in fixed point, equal on every machine.

The gradient noise is Perlin's (Ken Perlin, "Improving Noise", 2002: quintic fade), with 64
gradients of exactly equal length that have whole coordinates. On an unwarped grid all samples of
a row share their vertical interpolation, so each row first blends the corners above and below
into one line per lattice column (slope and offset), and a sample costs four multiplications
(`lattice_rows`). The other functions take a position for every sample, for warped fields and for
bases that are no lattice of squares: simplex noise (Perlin 2001, in the skewed form of Gustavson,
"Simplex noise demystified", 2005) and cellular noise (Steven Worley, "A cellular texture basis
function", 1996).

Without a compiler, the numpy function `exporter.generators._noise.lattice_rows` takes the place of
`lattice_rows`; the others run interpreted, at some 10 microseconds a sample and octave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:
    from exporter.kernels import _uncompiled as cython

if cython.compiled:
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

COMPILED = cython.compiled


def lattice_rows(
    field: cython.longlong[:, ::1],
    corners: cython.uchar[:, ::1],
    gradients: cython.longlong[:, ::1],
    columns: cython.longlong[:, ::1],
    rows: cython.longlong[:, ::1],
    edges: cython.longlong[::1],
    lines: cython.longlong[:, ::1],
    weight: cython.longlong,
    shape: cython.int,
) -> None:
    """Add one octave of gradient noise to `field`, on an unwarped grid.

    Args:
        field: int64 [height, width]; an octave adds up to `weight * 2**12` either way.
        corners: uint8 [rows of the lattice, columns of the lattice], indices into `gradients`.
        gradients: int64 [3, 64 or 256]: x, y and constant part of what a corner adds.
        columns: int64 [3, width]: lattice column, how far to the right of it the sample is
            (0..65535), and the smoothed form of that.
        rows: int64 [3, height]: the same for the rows.
        edges: int64 [columns of the lattice]: the first sample at or to the right of each lattice
            column.
        lines: int64 [2, columns of the lattice]: working space.
        weight: Weight of the octave, 65536 for 1.
        shape: How the values are changed: 0 nothing, 1 billows, 2 ridges.
    """
    height: cython.Py_ssize_t = field.shape[0]
    lattice: cython.Py_ssize_t = corners.shape[1]
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    first: cython.longlong
    second: cython.longlong
    for y in range(height):
        row: cython.Py_ssize_t = rows[0, y]
        down: cython.longlong = rows[1, y]
        fade: cython.longlong = rows[2, y]
        for i in range(lattice):
            above: cython.Py_ssize_t = corners[row, i]
            below: cython.Py_ssize_t = corners[row + 1, i]
            first = gradients[0, above]
            lines[0, i] = first * 65536 + (gradients[0, below] - first) * fade
            first = gradients[1, above] * down + gradients[2, above]
            second = gradients[1, below] * (down - 65536) + gradients[2, below]
            lines[1, i] = first * 65536 + (second - first) * fade
        for i in range(lattice - 1):
            slope_left: cython.longlong = lines[0, i]
            left: cython.longlong = lines[1, i]
            slope_right: cython.longlong = lines[0, i + 1]
            right: cython.longlong = lines[1, i + 1]
            for x in range(edges[i], edges[i + 1]):
                down = columns[1, x]
                first = down * slope_left + left
                second = (down - 65536) * slope_right + right
                # 179 * sqrt(1/2) * 2**32 at most, brought to 2**28 (0.989 of it).
                value: cython.longlong = (first + (((second - first) * columns[2, x]) >> 16)) >> 11
                field[y, x] += (_shaped(value, shape) * weight) >> 16


def lattice_points(
    field: cython.longlong[:, ::1],
    across: cython.longlong[:, ::1],
    down: cython.longlong[:, ::1],
    gradients: cython.longlong[:, ::1],
    octave: cython.ulonglong[::1],
    weight: cython.longlong,
    shape: cython.int,
) -> None:
    """Add one octave of gradient noise to `field`, at given positions.

    The result is that of `lattice_rows` if the positions are those of a grid.

    Args:
        field: int64 [height, width]; an octave adds up to `weight * 2**12` either way.
        across: int64 [height, width], x of every sample, 16 fraction bits.
        down: int64 [height, width], y of every sample.
        gradients: int64 [3, 64 or 256]: x, y and constant part of what a corner adds.
        octave: uint64 [4]: key, lattice points per sample (24 fraction bits), shift of x, of y.
        weight: Weight of the octave, 65536 for 1.
        shape: How the values are changed: 0 nothing, 1 billows, 2 ridges.
    """
    key: cython.ulonglong = cython.cast(cython.ulonglong, octave[0])
    frequency: cython.longlong = cython.cast(cython.longlong, octave[1])
    shift_x: cython.longlong = cython.cast(cython.longlong, octave[2])
    shift_y: cython.longlong = cython.cast(cython.longlong, octave[3])
    kinds: cython.Py_ssize_t = gradients.shape[1]
    drop: cython.int = 58 if kinds == 64 else 56
    height: cython.Py_ssize_t = field.shape[0]
    width: cython.Py_ssize_t = field.shape[1]
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    u: cython.longlong
    v: cython.longlong
    for y in range(height):
        for x in range(width):
            u = ((cython.cast(cython.longlong, across[y, x]) * frequency) >> 24) + shift_x
            v = ((cython.cast(cython.longlong, down[y, x]) * frequency) >> 24) + shift_y
            i: cython.longlong = u >> 16
            j: cython.longlong = v >> 16
            u &= 65535
            v &= 65535
            a: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, _hash(key, i, j) >> drop)
            b: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, _hash(key, i, j + 1) >> drop)
            c: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, _hash(key, i + 1, j) >> drop)
            d: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, _hash(key, i + 1, j + 1) >> drop)
            fade: cython.longlong = _fade(v)
            # The same sums in the same order as `lattice_rows`, so that both agree exactly.
            first: cython.longlong = gradients[0, a]
            slope: cython.longlong = first * 65536 + (gradients[0, b] - first) * fade
            first = gradients[1, a] * v + gradients[2, a]
            second: cython.longlong = gradients[1, b] * (v - 65536) + gradients[2, b]
            left: cython.longlong = u * slope + first * 65536 + (second - first) * fade
            first = gradients[0, c]
            slope = first * 65536 + (gradients[0, d] - first) * fade
            first = gradients[1, c] * v + gradients[2, c]
            second = gradients[1, d] * (v - 65536) + gradients[2, d]
            right: cython.longlong = (u - 65536) * slope + first * 65536 + (second - first) * fade
            first = (left + (((right - left) * _fade(u)) >> 16)) >> 11
            field[y, x] += (_shaped(first, shape) * weight) >> 16


def simplex_points(
    field: cython.longlong[:, ::1],
    across: cython.longlong[:, ::1],
    down: cython.longlong[:, ::1],
    gradients: cython.longlong[:, ::1],
    octave: cython.ulonglong[::1],
    weight: cython.longlong,
    shape: cython.int,
) -> None:
    """Add one octave of simplex noise to `field`, at given positions.

    The arguments are those of `lattice_points`: the positions, the octave and its weight.
    """
    key: cython.ulonglong = cython.cast(cython.ulonglong, octave[0])
    frequency: cython.longlong = cython.cast(cython.longlong, octave[1])
    shift_x: cython.longlong = cython.cast(cython.longlong, octave[2])
    shift_y: cython.longlong = cython.cast(cython.longlong, octave[3])
    # (sqrt(3) - 1) / 2 in 24 fraction bits, (3 - sqrt(3)) / 6 in 16.
    skew: cython.longlong = 6140887
    unskew: cython.longlong = 13849
    half: cython.longlong = 1 << 31
    height: cython.Py_ssize_t = field.shape[0]
    width: cython.Py_ssize_t = field.shape[1]
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    corner: cython.int
    u: cython.longlong
    v: cython.longlong
    for y in range(height):
        for x in range(width):
            u = ((cython.cast(cython.longlong, across[y, x]) * frequency) >> 24) + shift_x
            v = ((cython.cast(cython.longlong, down[y, x]) * frequency) >> 24) + shift_y
            reach: cython.longlong = ((u + v) * skew) >> 24
            u += reach
            v += reach
            i: cython.longlong = u >> 16
            j: cython.longlong = v >> 16
            u &= 65535
            v &= 65535
            # Which of the two triangles of the skewed square, by its middle corner.
            step_i: cython.longlong = 1 if u > v else 0
            step_j: cython.longlong = 1 - step_i
            reach = ((u + v) * unskew) >> 16
            u -= reach
            v -= reach
            total: cython.longlong = 0
            for corner in range(3):
                if corner == 1:
                    i += step_i
                    j += step_j
                    u += unskew - 65536 * step_i
                    v += unskew - 65536 * step_j
                elif corner == 2:
                    i += step_j
                    j += step_i
                    u += unskew - 65536 * step_j
                    v += unskew - 65536 * step_i
                # (1/2 - distance^2)^4 times the gradient, in 32 fraction bits.
                reach = half - u * u - v * v
                if reach > 0:
                    reach = (reach * reach) >> 32
                    reach = (reach * reach) >> 32
                    kind: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, _hash(key, i, j) >> 58)
                    total += reach * (gradients[0, kind] * u + gradients[1, kind] * v)
            # 0.0100163 * sqrt(32045) at most, brought to 2**28.
            total = ((total >> 20) * 36500) >> 16
            field[y, x] += (_shaped(total, shape) * weight) >> 16


def cellular_points(
    field: cython.longlong[:, ::1],
    across: cython.longlong[:, ::1],
    down: cython.longlong[:, ::1],
    octave: cython.ulonglong[::1],
    kind: cython.int,
    weight: cython.longlong,
    shape: cython.int,
) -> None:
    """Add one octave of cellular noise to `field`, at given positions.

    Every square of the lattice has one point.

    Args:
        field: int64 [height, width]; an octave adds up to `weight * 2**12` either way.
        across: int64 [height, width], x of every sample, 16 fraction bits.
        down: int64 [height, width], y of every sample.
        octave: uint64 [4]: key, lattice points per sample (24 fraction bits), shift of x, of y.
        kind: What is added: 0 the nearness of the nearest point; 1 the distance to the border of
            its area, where another point is as near; 2 a random constant for each point's area.
        weight: Weight of the octave, 65536 for 1.
        shape: How the values are changed: 0 nothing, 1 billows, 2 ridges.
    """
    key: cython.ulonglong = cython.cast(cython.ulonglong, octave[0])
    frequency: cython.longlong = cython.cast(cython.longlong, octave[1])
    shift_x: cython.longlong = cython.cast(cython.longlong, octave[2])
    shift_y: cython.longlong = cython.cast(cython.longlong, octave[3])
    one: cython.longlong = 1 << 28
    height: cython.Py_ssize_t = field.shape[0]
    width: cython.Py_ssize_t = field.shape[1]
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    column: cython.longlong
    row: cython.longlong
    u: cython.longlong
    v: cython.longlong
    apart_x: cython.longlong
    apart_y: cython.longlong
    value: cython.longlong
    for y in range(height):
        for x in range(width):
            u = ((cython.cast(cython.longlong, across[y, x]) * frequency) >> 24) + shift_x
            v = ((cython.cast(cython.longlong, down[y, x]) * frequency) >> 24) + shift_y
            i: cython.longlong = u >> 16
            j: cython.longlong = v >> 16
            nearest: cython.longlong = 1 << 40
            second: cython.longlong = 1 << 40
            owner: cython.ulonglong = 0
            for row in range(j - 1, j + 2):
                for column in range(i - 1, i + 2):
                    word: cython.ulonglong = _hash(key, column, row)
                    apart_x = column * 65536 + cython.cast(cython.longlong, word & 65535) - u
                    apart_y = row * 65536 + cython.cast(cython.longlong, (word >> 16) & 65535) - v
                    distance: cython.longlong = apart_x * apart_x + apart_y * apart_y
                    if distance < nearest:
                        second = nearest
                        nearest = distance
                        owner = word
                    elif distance < second:
                        second = distance
            if kind == 0:
                value = one - 2 * _root(nearest)
            elif kind == 1:
                value = 2 * (_root(second) - _root(nearest)) - one
            else:
                value = cython.cast(cython.longlong, owner >> 35) - one
            value = one if value > one else (-one if value < -one else value)
            field[y, x] += (_shaped(value, shape) * weight) >> 16


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _root(square: cython.longlong) -> cython.longlong:
    """Return the square root of `square`; both are in fixed point.

    `square` has 32 fraction bits, the result 28. The IEEE square root is exact to the last bit
    everywhere; its argument is an integer below 2**53.
    """
    return cython.cast(cython.longlong, sqrt(cython.cast(cython.double, square * 4096))) << 6


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _shaped(value: cython.longlong, shape: cython.int) -> cython.longlong:
    """Return `value` (-1..1) as it is (`shape` 0), as billow (1) or ridge (2)."""
    one: cython.longlong = 1 << 28
    if shape == 1:
        return 2 * (value if value >= 0 else -value) - one
    if shape == 2:
        value = one - (value if value >= 0 else -value)
        return ((value * value) >> 27) - one
    return value


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _fade(t: cython.longlong) -> cython.longlong:
    """Return the smooth step 6t^5 - 15t^4 + 10t^3 for t of 0..65536."""
    cube: cython.longlong = (t * t * t) >> 16
    one: cython.longlong = 65536
    rest: cython.longlong = (6 * t * t - 15 * one * t + 10 * one * one) >> 16
    return (cube * rest) >> 32


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _hash(key: cython.ulonglong, x: cython.longlong, y: cython.longlong) -> cython.ulonglong:
    """Hash the lattice point (x, y) to 64 bits, as `hash_grid` does."""
    mask: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    low: cython.ulonglong = 0xFFFFFFFF
    step: cython.ulonglong = 0x9E3779B97F4A7C15
    multiplier_1: cython.ulonglong = 0xBF58476D1CE4E5B9
    multiplier_2: cython.ulonglong = 0x94D049BB133111EB
    number: cython.ulonglong = cython.cast(cython.ulonglong, y & low) << 32
    number = (number | cython.cast(cython.ulonglong, x & low)) + 1
    value: cython.ulonglong = (key + number * step) & mask
    value = ((value ^ (value >> 30)) * multiplier_1) & mask
    value = ((value ^ (value >> 27)) * multiplier_2) & mask
    return value ^ (value >> 31)
