"""Fractal noise fields: octaves of lattice noise summed in fixed point.

A field is int64 [height, width]; 2**28 stands for 1. Positions are in samples with 16 fraction
bits. Nothing here uses floating point, so a field is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import noise
from exporter.streams import PortableStream, derive_key, hash_grid

Field = NDArray[np.int64]
Basis = Literal["gradient", "value"]
Shape = Literal["plain", "billow", "ridged"]
SHAPES: dict[Shape, int] = {"plain": 0, "billow": 1, "ridged": 2}

ONE = 1 << 28
FRACTION = 1 << 16


@dataclass(frozen=True, slots=True)
class Fractal:
    """A sum of octaves.

    Attributes:
        feature_size: Distance of lattice points of the first octave, in samples.
        octaves: How many are summed; those finer than two samples are left out.
        lacunarity: How much finer each octave is than the one before.
        gain: How much weaker it is, in percent.
        basis: The noise of an octave.
        shape: What is done to an octave's values.
    """

    feature_size: int
    octaves: int = 1
    lacunarity: float = 2.0
    gain: int = 50
    basis: Basis = "gradient"
    shape: Shape = "plain"


@dataclass(frozen=True, slots=True)
class Octave:
    """One octave: its weight (65536 is 1), lattice points a sample (24 fraction bits), key."""

    weight: int
    frequency: int
    key: int
    offset_x: int
    offset_y: int


def octaves(fractal: Fractal, stream: PortableStream) -> Iterator[Octave]:
    """Yield the octaves of a sum, each with a key and a lattice shift of its own."""
    # Whole numbers from here on: the factor keeps 8 fraction bits.
    finer = round(fractal.lacunarity * 256)
    for number in range(fractal.octaves):
        frequency = ((finer**number) << 24) // (fractal.feature_size * 256**number)
        if number and frequency > 1 << 23:
            return
        key = derive_key((*stream.path, "octave", number))
        shift = int(hash_grid(key, 1, 1, 2**32 - 1, 2**32 - 1)[0, 0])
        yield Octave(
            weight=(FRACTION * fractal.gain**number) // 100**number,
            frequency=frequency,
            key=key,
            offset_x=shift & 0xFFFF,
            offset_y=(shift >> 16) & 0xFFFF,
        )


def fractal_noise(fractal: Fractal, stream: PortableStream, width: int, height: int) -> Field:
    """Return the sum of octaves on the samples (0, 0) to (width - 1, height - 1).

    The result lies within `bound(fractal)` either way.
    """
    field = np.zeros((height, width), np.int64)
    gradients = corner_table(fractal.basis)
    add = noise.lattice_rows if noise.COMPILED else lattice_rows
    for octave in octaves(fractal, stream):
        columns = lattice_positions(width, octave.frequency, octave.offset_x)
        rows = lattice_positions(height, octave.frequency, octave.offset_y)
        across, down = int(columns[0, -1]) + 2, int(rows[0, -1]) + 2
        corners = hash_grid(octave.key, across, down)
        corners >>= np.uint64(64 - (gradients.shape[1] - 1).bit_length())
        lines = np.empty((2, across), np.int64)
        add(
            field,
            corners.astype(np.uint8),
            gradients,
            columns,
            rows,
            lines,
            octave.weight,
            SHAPES[fractal.shape],
        )
    return field


def bound(fractal: Fractal, stream: PortableStream) -> int:
    """Return the largest magnitude the sum can reach."""
    return sum((ONE * octave.weight) >> 16 for octave in octaves(fractal, stream))


def lattice_positions(count: int, frequency: int, offset: int) -> Field:
    """Return lattice index, offset of 0..65535 and its fade for samples 0..count-1."""
    position = np.arange(count, dtype=np.int64) << 16
    position = ((position * frequency) >> 24) + offset
    within = position & (FRACTION - 1)
    return np.stack([position >> 16, within, quintic(within)])


def quintic(t: Field) -> Field:
    """Return 6t^5 - 15t^4 + 10t^3 for t of 0..65536, as 0..65536."""
    cube = (t * t * t) >> 16
    rest = (6 * t * t - 15 * FRACTION * t + 10 * FRACTION * FRACTION) >> 16
    return (cube * rest) >> 32


def corner_table(basis: Basis) -> Field:
    """Return what a lattice corner adds: x, y and constant part, int64 [3, 64 or 256]."""
    if basis == "value":
        # 256 even steps from -1 to 1, in the scale that gradients reach.
        steps = (np.arange(256, dtype=np.int64) * 2 - 255) * (1 << 23)
        return np.stack([np.zeros_like(steps), np.zeros_like(steps), steps // 255])
    # All whole points on the circle of radius sqrt(32045): 64 gradients of equal length.
    points: list[tuple[int, int, int]] = []
    for x in range(-179, 180):
        y = isqrt(32045 - x * x)
        if x * x + y * y == 32045:
            points += [(x, -y, 0), (x, y, 0)]
    return np.array(list(zip(*points, strict=True)), np.int64)


def lattice_rows(
    field: Field,
    corners: NDArray[np.uint8],
    gradients: Field,
    columns: Field,
    rows: Field,
    lines: Field,
    weight: int,
    shape: int,
) -> None:
    """Add one octave as `exporter.kernels.noise.lattice_rows` does, with numpy."""
    left = columns[0]
    block = max(1, 32768 // field.shape[1])
    for top in range(0, field.shape[0], block):
        row, down, fade = (part[:, None] for part in rows[:, top : top + block])
        above, below = corners[row[:, 0]], corners[row[:, 0] + 1]
        slope_x = gradients[0][above]
        slope = slope_x * FRACTION + (gradients[0][below] - slope_x) * fade
        first = gradients[1][above] * down + gradients[2][above]
        second = gradients[1][below] * (down - FRACTION) + gradients[2][below]
        base = first * FRACTION + (second - first) * fade
        first = columns[1] * slope[:, left] + base[:, left]
        second = (columns[1] - FRACTION) * slope[:, left + 1] + base[:, left + 1]
        value = (first + (((second - first) * columns[2]) >> 16)) >> 11
        field[top : top + block] += (shaped(value, shape) * weight) >> 16


def shaped(value: Field, shape: int) -> Field:
    """Return values of -1..1 as they are (0), folded into billows (1) or ridges (2)."""
    if shape == 1:
        value = 2 * np.abs(value) - ONE
    elif shape == 2:
        value = ONE - np.abs(value)
        value = ((value * value) >> 27) - ONE
    return value
