# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Lattice noise in fixed point: integers only, so every machine gives the same field.

The gradient noise is Perlin's (Ken Perlin, "Improving Noise", 2002: quintic fade), with 64
gradients of exactly equal length that have whole coordinates. On an unwarped grid all samples of
a row share their vertical interpolation, so each row first blends the corners above and below
into one line per lattice column (slope and offset), and a sample costs four multiplications.
The fallback without a compiler is `exporter.generators._noise.lattice_rows`, the same sums in
numpy.
"""

from __future__ import annotations

import cython

COMPILED = cython.compiled


def lattice_rows(
    field: cython.longlong[:, ::1],
    corners: cython.uchar[:, ::1],
    gradients: cython.longlong[:, ::1],
    columns: cython.longlong[:, ::1],
    rows: cython.longlong[:, ::1],
    lines: cython.longlong[:, ::1],
    weight: cython.longlong,
    shape: cython.int,
) -> None:
    """Add one octave of lattice noise to a field.

    Args:
        field: int64 [height, width]; an octave adds up to `weight * 2**12` either way.
        corners: uint8 [rows of the lattice, columns of the lattice], indices into `gradients`.
        gradients: int64 [3, 64 or 256]: x, y and constant part of what a corner adds.
        columns: int64 [3, width]: lattice column, offset in it and fade of it, both of 0..65536.
        rows: int64 [3, height]: the same for the rows.
        lines: int64 [2, columns of the lattice]: scratch.
        weight: Weight of the octave, 65536 for 1.
        shape: 0 as it is, 1 billow, 2 ridged.
    """
    height: cython.Py_ssize_t = field.shape[0]
    width: cython.Py_ssize_t = field.shape[1]
    lattice: cython.Py_ssize_t = corners.shape[1]
    one: cython.longlong = 1 << 28
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    below: cython.Py_ssize_t
    down: cython.longlong
    fade: cython.longlong
    first: cython.longlong
    second: cython.longlong
    value: cython.longlong
    for y in range(height):
        row = rows[0, y]
        down = rows[1, y]
        fade = rows[2, y]
        for i in range(lattice):
            above = corners[row, i]
            below = corners[row + 1, i]
            first = gradients[0, above]
            lines[0, i] = first * 65536 + (gradients[0, below] - first) * fade
            first = gradients[1, above] * down + gradients[2, above]
            second = gradients[1, below] * (down - 65536) + gradients[2, below]
            lines[1, i] = first * 65536 + (second - first) * fade
        for x in range(width):
            i = columns[0, x]
            down = columns[1, x]
            first = down * lines[0, i] + lines[1, i]
            second = (down - 65536) * lines[0, i + 1] + lines[1, i + 1]
            # 179 * sqrt(1/2) * 2**32 at most, brought to 2**28 (0.989 of it).
            value = (first + (((second - first) * columns[2, x]) >> 16)) >> 11
            if shape == 1:
                value = 2 * (value if value >= 0 else -value) - one
            elif shape == 2:
                value = one - (value if value >= 0 else -value)
                value = ((value * value) >> 27) - one
            field[y, x] += (value * weight) >> 16
