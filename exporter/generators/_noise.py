"""Compute fractal noise: a sum of octaves, each finer than the one before.

Noise is computed in fixed point: a field is int64 [height, width], in which 2**28 means 1.
Positions are in samples with 16 fraction bits. Nothing here uses floating point, so a field is the
same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import isqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exporter.kernels import noise, view, warn_uncompiled
from exporter.model.lazy_dataclass import dataclass
from exporter.streams import PortableStream, derive_key, hash_grid

Field = NDArray[np.int64]
Basis = Literal["gradient", "value", "simplex", "cellular", "cracks", "plates"]
Shape = Literal["plain", "billow", "ridged"]
SHAPES: dict[Shape, int] = {"plain": 0, "billow": 1, "ridged": 2}
CELLULAR: dict[Basis, int] = {"cellular": 0, "cracks": 1, "plates": 2}

UNIT = 1 << 28
FRACTION = 1 << 16


@dataclass(frozen=True, slots=True)
class Fractal:
    """The settings of fractal noise, which is a sum of octaves.

    Attributes:
        feature_size: The distance of lattice points of the first octave, in samples.
        octaves: The number of octaves. Those whose lattice points are less than two samples apart
            are left out, but never the first.
        lacunarity: How many times finer each octave is than the one before.
        gain: The strength of each octave relative to the one before, in percent.
        basis: The kind of noise that an octave is.
        shape: What is done with an octave's values: `plain` keeps them, `billow` and `ridged` fold
            them.
    """

    feature_size: int
    octaves: int = 1
    lacunarity: float = 2.0
    gain: int = 50
    basis: Basis = "gradient"
    shape: Shape = "plain"


@dataclass(frozen=True, slots=True)
class Octave:
    """One octave of fractal noise.

    Attributes:
        weight: The factor of its values; 65536 is 1.
        frequency: The distance of two adjacent samples in lattice points, with 24 fraction bits.
        key: The key of the hash that gives its random numbers.
        offset_x: What is added to the x of each sample, in lattice points with 16 fraction bits.
        offset_y: What is added to the y of each sample, likewise.
    """

    weight: int
    frequency: int
    key: int
    offset_x: int
    offset_y: int


def octaves(fractal: Fractal, stream: PortableStream) -> Iterator[Octave]:
    """Yield the octaves of `fractal`, coarsest first.

    Each gets random numbers of its own, derived from the path of `stream`.
    """
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


def fractal_noise(
    fractal: Fractal,
    stream: PortableStream,
    width: int,
    height: int,
    positions: tuple[Field, Field] | None = None,
    tell: Callable[[Field, int], None] | None = None,
) -> Field:
    """Return fractal noise for a grid of samples.

    Args:
        fractal: The octaves to sum.
        stream: The source of the noise; its origin is the first sample.
        width: The number of samples in a row.
        height: The number of rows.
        positions: int64 [height, width], x and y of every sample with 16 fraction bits, for
            fields that are warped; None for the plain grid.
        tell: Called after each octave with the sum so far and its number, from 1; optional.

    Returns:
        A field with values from -b to b, where b is `bound(fractal, stream)`.
    """
    field = np.zeros((height, width), np.int64)
    if positions is None and fractal.basis in ("gradient", "value"):
        if tell is None:
            _add_grid(field, fractal, octaves(fractal, stream), stream.origin)
            return field
        # Sums of whole numbers: the same in any order.
        for number, octave in enumerate(octaves(fractal, stream), 1):
            _add_grid(field, fractal, [octave], stream.origin)
            tell(field, number)
        return field
    in_a_second = 50_000 if fractal.basis in CELLULAR else 150_000
    warn_uncompiled(noise.COMPILED, "noise", fractal.octaves * width * height, in_a_second)
    positions = positions or grid_positions(width, height, stream.origin)
    for number, octave in enumerate(octaves(fractal, stream), 1):
        _add_points(field, fractal, octave, positions)
        if tell is not None:
            tell(field, number)
    return field


def _add_grid(
    field: Field, fractal: Fractal, summed: Iterable[Octave], origin: tuple[int, int]
) -> None:
    """Add octaves of gradient or value noise to `field`, in place.

    `field` is a plain grid, not warped, whose first sample is at `origin`. It is processed in
    blocks of rows, each small enough to stay in the processor's cache.
    """
    height, width = field.shape
    gradients = corner_table(fractal.basis)
    shape = SHAPES[fractal.shape]
    add = noise.lattice_rows if noise.COMPILED else lattice_rows
    prepared = []
    for octave in summed:
        columns = lattice_positions(width, octave.frequency, octave.offset_x, origin[0])
        rows = lattice_positions(height, octave.frequency, octave.offset_y, origin[1])
        first, top = int(columns[0, 0]), int(rows[0, 0])
        columns[0] -= first
        rows[0] -= top
        across, down = int(columns[0, -1]) + 2, int(rows[0, -1]) + 2
        words = hash_grid(octave.key, across, down, first, top)
        words >>= np.uint64(64 - (gradients.shape[1] - 1).bit_length())
        edges = np.searchsorted(columns[0], np.arange(across)).astype(np.int64)
        lines = np.empty((2, across), np.int64)
        prepared.append((words.astype(np.uint8), columns, rows, edges, lines, octave.weight))
    block = max(1, 32768 // width)
    for top in range(0, height, block):
        part = field[top : top + block]
        for corners, columns, rows, edges, lines, weight in prepared:
            down_part = rows[:, top : top + block].copy()
            add(part, corners, gradients, columns, down_part, edges, lines, weight, shape)


def _add_points(
    field: Field, fractal: Fractal, octave: Octave, positions: tuple[Field, Field]
) -> None:
    """Add `octave` to `field`, in place, at any x and y given in `positions`."""
    numbers = np.array([octave.key, octave.frequency, octave.offset_x, octave.offset_y], np.uint64)
    samples = view(field), view(positions[0]), view(positions[1])
    shape = SHAPES[fractal.shape]
    if fractal.basis in CELLULAR:
        kind = CELLULAR[fractal.basis]
        noise.cellular_points(*samples, view(numbers), kind, octave.weight, shape)
        return
    add = noise.simplex_points if fractal.basis == "simplex" else noise.lattice_points
    add(*samples, view(corner_table(fractal.basis)), view(numbers), octave.weight, shape)


def grid_positions(
    width: int, height: int, origin: tuple[int, int] = (0, 0)
) -> tuple[Field, Field]:
    """Return x and y of all samples: int64 [height, width], 16 fraction bits.

    `origin` is x and y of the first sample, without fraction bits.
    """
    across = np.empty((height, width), np.int64)
    down = np.empty((height, width), np.int64)
    across[:] = np.arange(origin[0], origin[0] + width, dtype=np.int64) << 16
    down[:] = (np.arange(origin[1], origin[1] + height, dtype=np.int64) << 16)[:, None]
    return across, down


def warped_positions(
    stream: PortableStream, width: int, height: int, distance: int, size: int
) -> tuple[Field, Field]:
    """Return x and y of samples, displaced by noise (domain warping).

    Both are int64 [height, width] with 16 fraction bits. The method is Inigo Quilez's.

    Args:
        stream: The random stream of the noise.
        width: The number of columns.
        height: The number of rows.
        distance: The largest distance, about, that a sample is moved, in samples.
        size: The feature size of the noise that moves samples, in samples.
    """
    across, down = grid_positions(width, height, stream.origin)
    fractal = Fractal(size, 2)
    across += (fractal_noise(fractal, stream.child("x"), width, height) * distance) >> 12
    down += (fractal_noise(fractal, stream.child("y"), width, height) * distance) >> 12
    return across, down


def bound(fractal: Fractal, stream: PortableStream) -> int:
    """Return the largest absolute value that noise of `fractal` can have."""
    return sum((UNIT * octave.weight) >> 16 for octave in octaves(fractal, stream))


def lattice_positions(count: int, frequency: int, offset: int, first: int = 0) -> Field:
    """Return where samples of a row or column are on an octave's lattice.

    The three rows of the result are the index of the lattice point before each sample, how far the
    sample is from there (0 to 65535), and the smoothed form of that, used for blending.

    Args:
        count: The number of samples.
        frequency: The distance of samples in lattice points, with 24 fraction bits.
        offset: What is added to each position, in lattice points with 16 fraction bits.
        first: The number of the first sample.
    """
    position = np.arange(first, first + count, dtype=np.int64) << 16
    position = ((position * frequency) >> 24) + offset
    within = position & (FRACTION - 1)
    return np.stack([position >> 16, within, quintic(within)])


def quintic(t: Field) -> Field:
    """Return the smooth step 6t^5 - 15t^4 + 10t^3 of `t`; 65536 means 1."""
    cube = (t * t * t) >> 16
    rest = (6 * t * t - 15 * FRACTION * t + 10 * FRACTION * FRACTION) >> 16
    return (cube * rest) >> 32


def corner_table(basis: Basis) -> Field:
    """Return the values that lattice points of `basis` noise choose from.

    The result is int64 [3, choices]: the x and y of a gradient, and a constant. Value noise has no
    gradients, other noise no constants.
    """
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
    edges: Field,
    lines: Field,
    weight: int,
    shape: int,
) -> None:
    """Add one octave to `field` in numpy, as the compiled kernel does.

    The arguments are those of `exporter.kernels.noise.lattice_rows`, which this replaces in
    installations without compiled kernels.
    """
    left = columns[0]
    down, fade = rows[1][:, None], rows[2][:, None]
    above, below = corners[rows[0]], corners[rows[0] + 1]
    slope_x = gradients[0][above]
    slope = slope_x * FRACTION + (gradients[0][below] - slope_x) * fade
    first = gradients[1][above] * down + gradients[2][above]
    second = gradients[1][below] * (down - FRACTION) + gradients[2][below]
    base = first * FRACTION + (second - first) * fade
    first = columns[1] * slope[:, left] + base[:, left]
    second = (columns[1] - FRACTION) * slope[:, left + 1] + base[:, left + 1]
    value = (first + (((second - first) * columns[2]) >> 16)) >> 11
    field += (shaped(value, shape) * weight) >> 16


def shaped(value: Field, shape: int) -> Field:
    """Fold noise `value` into billows (`shape` 1) or ridges (2), or keep it."""
    if shape == 1:
        value = 2 * np.abs(value) - UNIT
    elif shape == 2:
        value = UNIT - np.abs(value)
        value = ((value * value) >> 27) - UNIT
    return value
