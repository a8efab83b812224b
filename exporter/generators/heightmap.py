"""Heightmaps: 16-bit relief from fractal noise, the same bytes on every platform.

The noise is summed in fixed point from integer hashes (see `_noise` and the kernel `noise`); no
floating point takes part in a sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.errors import ParameterError
from exporter.generators import Generated, Request, generator
from exporter.generators._noise import ONE, Field, Fractal, bound, fractal_noise
from exporter.generators._relief import (
    SAMPLE_MAXIMUM,
    island,
    samples,
    scale,
    stretch,
    terraces,
)
from exporter.level import HeightRange
from exporter.parameters import About, Parameters, Within


@dataclass(frozen=True, kw_only=True)
class Heightmap(Parameters):
    """Hills, mountains and islands as 16-bit height samples.

    Octaves of noise are summed, each finer and weaker than the one before; then the relief can be
    sunk into an island and cut into terraces.
    """

    basis: Annotated[
        Literal["gradient", "value"],
        About("Noise of an octave: `gradient` (Perlin) is smoother, `value` blockier."),
    ] = "gradient"
    shape: Annotated[
        Literal["plain", "billow", "ridged"],
        About("What an octave becomes: as it is, rounded hills, or sharp ridges."),
    ] = "plain"
    feature_size: Annotated[
        int, Within(2, 65536), About("Width of the largest hills.", "samples")
    ] = 64
    octaves: Annotated[
        int,
        Within(1, 16),
        About("How many sizes of features are summed; those below two samples are left out."),
    ] = 6
    lacunarity: Annotated[
        float, Within(1.25, 4), About("How many times finer each octave is than the one before.")
    ] = 2.0
    gain: Annotated[
        int, Within(1, 100), About("Strength of each octave against the one before.", "%")
    ] = 50
    island: Annotated[
        int, Within(0, 100), About("How far the edges are sunk; 100 brings them to 0.", "%")
    ] = 0
    terraces: Annotated[
        int, Within(0, 256), About("Number of flat levels, at least 2; 0 for none.")
    ] = 0
    terrace_sharpness: Annotated[
        int, Within(0, 100), About("100 gives cliffs between terraces, less gives slopes.", "%")
    ] = 80
    normalise: Annotated[
        bool,
        About(
            "Stretch the result to the full range. Without it the same noise value is the same "
            "height in every level."
        ),
    ] = True
    minimum: Annotated[
        float, Within(-1_000_000, 1_000_000), About("Real height of the sample 0.", "units")
    ] = 0.0
    maximum: Annotated[
        float, Within(-1_000_000, 1_000_000), About("Real height of the sample 65535.", "units")
    ] = 1.0
    units: Annotated[str, Within(1, 32, length=True), About("Name of the unit of heights.")] = (
        "metres"
    )
    walkable_above: Annotated[
        Annotated[float, Within(-1_000_000, 1_000_000)] | None,
        About("Samples above this real height can be walked; nothing says so without it.", "units"),
    ] = None


@generator("heightmap", version=1)
def generate(parameters: Heightmap, request: Request) -> Generated:
    """Sum the noise, shape the relief, scale it to 16 bits."""
    if parameters.maximum <= parameters.minimum:
        raise ParameterError(
            f"maximum {parameters.maximum:g} is not above minimum {parameters.minimum:g}",
            ("maximum",),
        )
    if parameters.terraces == 1:
        raise ParameterError("1 terrace would be a plain (allowed: 0, or 2 to 256)", ("terraces",))
    relief = shape_relief(parameters, noise_relief(parameters, request))
    cells = (
        stretch(relief, SAMPLE_MAXIMUM).astype(np.uint16)
        if parameters.normalise
        else samples(relief)
    )
    return Generated(
        cells,
        kind="heights",
        heights=HeightRange(parameters.minimum, parameters.maximum, parameters.units),
        walkable=walkable(parameters, cells),
    )


def noise_relief(parameters: Heightmap, request: Request) -> Field:
    """Return the noise, with `normalise` stretched to the full range."""
    fractal = Fractal(
        feature_size=parameters.feature_size,
        octaves=parameters.octaves,
        lacunarity=parameters.lacunarity,
        gain=parameters.gain,
        basis=parameters.basis,
        shape=parameters.shape,
    )
    # No reference program makes heightmaps, so this is always the portable stream.
    stream = request.stream.portable.child("relief")
    field = fractal_noise(fractal, stream, request.width, request.height)
    if parameters.normalise:
        return stretch(field, ONE)
    most = bound(fractal, stream)
    return scale(np.clip(field, -most, most), -most, 2 * most, ONE)


def shape_relief(parameters: Heightmap, relief: Field) -> Field:
    """Apply the steps that were asked for, in their order."""
    if parameters.island:
        relief = island(relief, parameters.island)
    if parameters.terraces:
        relief = terraces(relief, parameters.terraces, parameters.terrace_sharpness)
    return relief


def walkable(parameters: Heightmap, cells: NDArray[np.uint16]) -> NDArray[np.bool_] | None:
    """Return which samples lie above `walkable_above`, compared exactly."""
    if parameters.walkable_above is None:
        return None
    lowest, highest = Fraction(parameters.minimum), Fraction(parameters.maximum)
    share = (Fraction(parameters.walkable_above) - lowest) / (highest - lowest)
    # The samples that are at most this high.
    threshold = share * SAMPLE_MAXIMUM // 1
    if threshold < 0:
        return np.ones(cells.shape, bool)
    if threshold >= SAMPLE_MAXIMUM:
        return np.zeros(cells.shape, bool)
    return cells > np.uint16(threshold)
