"""Make 16-bit heightmaps from fractal noise, equal on every platform.

The noise comes from `_noise`: it is summed in fixed point from integer hashes. Floating point takes
part only in water erosion, and there only in operations that IEEE 754 defines exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Extremes, Generated, Parts, Request, generator
from exporter.generators._erosion import DROPLET_STEPS_A_SECOND, TellRelief, hydraulic, thermal
from exporter.generators._noise import (
    UNIT,
    Field,
    Fractal,
    bound,
    fractal_noise,
    octaves,
    warped_positions,
)
from exporter.generators._relief import SAMPLE_MAXIMUM, island, samples, scale, stretch, terraces
from exporter.generators._relief_sources import relief_of_layer, relief_of_picture
from exporter.kernels import erosion, noise
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import HeightRange
from exporter.model.parameters import (
    About,
    FileName,
    LayerName,
    OptionGroups,
    Parameters,
    Percent,
    Within,
)
from exporter.streams import PortableStream


@dataclass(frozen=True, kw_only=True)
class Heightmap(Parameters):
    """Hills, mountains and islands as 16-bit height samples.

    The sum of several octaves of noise, each finer and weaker than the one before. A layer or a
    picture can replace the noise or be mixed with it. Then the heights can be shaped into an
    island, cut into terraces and eroded, in this order.
    """

    option_groups: ClassVar[OptionGroups] = {
        "Instead of noise": ("from_layer", "rises", "reach", "from_image", "roughness_percent"),
        "Noise": ("lacunarity", "gain_percent", "warp", "warp_size"),
        "Erosion": (
            "thermal_rounds", "talus_percent", "droplets", "droplet_steps", "droplet_radius",
            "droplet_strength_percent",
        ),
        "Heights": ("normalise", "minimum", "maximum", "units", "walkable_above"),
    }  # fmt: skip

    from_layer: Annotated[
        LayerName | None,
        About("Layer whose distance to walls gives the heights, instead of noise."),
    ] = None
    rises: Annotated[
        Literal["floor", "walls"],
        About("With `from_layer`: whether walkable cells rise (`floor`) or the others (`walls`)."),
    ] = "floor"
    reach: Annotated[
        int,
        Within(1, 4096),
        About("With `from_layer`: distance at which the greatest height is reached.", "cells"),
    ] = 16
    from_image: Annotated[
        FileName | None,
        About(
            "Picture, relative to the spec, whose brightness gives the heights: PNG, JPEG, GIF, "
            "BMP, WebP, TGA, PGM or PPM."
        ),
    ] = None
    roughness_percent: Annotated[
        Percent, About("With `from_layer` or `from_image`: share of noise in the heights.", "%")
    ] = 0

    basis: Annotated[
        Literal["gradient", "value", "simplex", "cellular", "cracks", "plates"],
        About(
            "Noise of an octave: `gradient` (Perlin noise), `value`, `simplex`, `cellular` "
            "(mounds), `cracks` (lines between cells) or `plates` (flat cells).",
            also=("noise", "noise_type"),
        ),
    ] = "gradient"
    shape: Annotated[
        Literal["plain", "billow", "ridged"],
        About("Shape of an octave: unchanged (`plain`), rounded hills or sharp ridges."),
    ] = "plain"
    feature_size: Annotated[
        int,
        Within(2, 65536),
        About(
            "Width of the largest hills.",
            "samples",
            also=("scale", "frequency", "zoom", "wavelength"),
        ),
    ] = 64
    octaves: Annotated[
        int,
        Within(1, 16),
        About("Number of octaves; those with features below two samples are left out."),
    ] = 6
    lacunarity: Annotated[
        float, Within(1.25, 4), About("Frequency of each octave relative to the one before.")
    ] = 2.0
    gain_percent: Annotated[
        int,
        Within(1, 100),
        About(
            "Strength of each octave relative to the one before.", "%", also=("persistence", "gain")
        ),
    ] = 50
    warp: Annotated[
        int, Within(0, 4096), About("Strength of the domain warp; 0: none.", "samples")
    ] = 0
    warp_size: Annotated[
        int, Within(2, 65536), About("Width of the features of the domain warp.", "samples")
    ] = 64
    island_percent: Annotated[
        Percent, About("How much the edges of the map are lowered; 100 lowers them to 0.", "%")
    ] = 0
    terraces: Annotated[
        int, Within(0, 256), About("Number of flat levels, at least 2; 0: none.")
    ] = 0
    terrace_sharpness_percent: Annotated[
        Percent, About("Steepness between terraces; 100 gives cliffs.", "%")
    ] = 80
    thermal_rounds: Annotated[
        int,
        Within(0, 1000),
        About("Rounds of thermal erosion, in which slopes above `talus_percent` slide down."),
    ] = 0
    talus_percent: Annotated[
        float,
        Within(0, 100),
        About(
            "Steepest stable slope: greatest difference of neighbouring samples.",
            "% of the height range",
        ),
    ] = 1.0
    droplets: Annotated[
        int,
        Within(0, 10_000_000),
        About(
            "Droplets of water erosion. A tenth of the number of samples is a good start.",
            also=("erosion", "rain"),
        ),
    ] = 0
    droplet_steps: Annotated[
        int, Within(1, 1000), About("Longest path of a droplet.", "samples")
    ] = 30
    droplet_radius: Annotated[
        int, Within(1, 16), About("Radius in which a droplet erodes.", "samples")
    ] = 3
    droplet_strength_percent: Annotated[
        int, Within(1, 100), About("How much ground a droplet picks up.", "%")
    ] = 30
    normalise: Annotated[
        bool,
        About(
            "Stretch the heights to the full range. If false, equal noise gives equal heights in "
            "every level."
        ),
    ] = True
    minimum: Annotated[
        float,
        Within(-1_000_000, 1_000_000),
        About("Height of the sample 0.", "`units`", also=("min_height",)),
    ] = 0.0
    maximum: Annotated[
        float,
        Within(-1_000_000, 1_000_000),
        About("Height of the sample 65535.", "`units`", also=("max_height", "amplitude")),
    ] = 1.0
    units: Annotated[str, Within(1, 32, length=True), About("Name of the unit of heights.")] = (
        "metres"
    )
    walkable_above: Annotated[
        Annotated[float, Within(-1_000_000, 1_000_000)] | None,
        About(
            "Samples above this height are walkable. If unset, the layer has no walkability.",
            "`units`",
        ),
    ] = None

    def check(self, width: int, height: int) -> None:
        """Refuse parameters that contradict each other."""
        if self.maximum <= self.minimum:
            raise ParameterError(
                f"maximum {self.maximum:g} is not greater than minimum {self.minimum:g}",
                (self.changed("maximum", "minimum"),),
            )
        if self.terraces == 1:
            raise ParameterError(
                "1 terrace would make the map flat (allowed: 0, or 2 to 256)", ("terraces",)
            )
        if self.from_layer is not None and self.from_image is not None:
            raise ParameterError(
                "`from_layer` and `from_image` cannot be used together (remove one of them)",
                ("from_image",),
            )


def cost(parameters: Heightmap, width: int, height: int) -> Cost:
    """Estimate the time of noise, sliding ground and drops of water."""
    samples = width * height
    pointwise = parameters.warp > 0 or parameters.basis not in ("gradient", "value")
    octaves = parameters.octaves * samples * (3 if parameters.warp else 1)
    noise_seconds = kernel_seconds(noise, octaves, 30e6, 100e3) if pointwise else octaves / 150e6
    slides = parameters.thermal_rounds * samples
    drops = parameters.droplets * parameters.droplet_steps
    return most_expensive(
        width,
        height,
        Cost(noise_seconds, ("octaves",)),
        Cost(kernel_seconds(erosion, slides, 50e6, 10e6), ("thermal_rounds",)),
        Cost(kernel_seconds(erosion, drops, 6e6, DROPLET_STEPS_A_SECOND), ("droplets",)),
    )


def _halo(parameters: Heightmap, _radius: int) -> int:
    """Return the halo 0; refuse parameters that need the whole map.

    Raises:
        ParameterError: There is such a parameter; the error has its path.
    """
    needs = {
        "from_layer": "distances from walls",
        "from_image": "a picture",
        "thermal_rounds": "erosion",
        "droplets": "erosion",
    }
    for name, what in needs.items():
        if getattr(parameters, name):
            raise ParameterError(
                f"heights with {what} need the whole map at once, and a world is built in chunks "
                f"(remove {name!r}, or `chunk`)",
                (name,),
            )
    if parameters.island_percent and parameters.normalise:
        raise ParameterError(
            "an island in a world of chunks cannot stretch its heights over the whole map (write "
            "`normalise: false`)",
            ("island_percent",),
        )
    return 0


def _survey(parameters: Heightmap, request: Request, part: tuple[slice, slice]) -> Extremes:
    """Return the lowest and highest noise of a chunk, before it is scaled.

    `part` are the chunk's rows and columns.
    """
    field = _noise(parameters, request)[part]
    return Extremes(int(field.min()), int(field.max()))


@generator(
    "heightmap",
    version=1,
    parts=Parts(_halo, _survey, lambda parameters: bool(parameters.normalise)),
    cost=cost,
    makes="heights",
    also=("noise", "perlin", "simplex", "terrain", "elevation", "hills", "erosion", "fractal"),
)
def generate(parameters: Heightmap, request: Request) -> Generated:
    """Make heights, shape them, and scale them to 16 bits."""
    parameters.check(request.width, request.height)
    relief = shape_relief(parameters, request, make_relief(parameters, request))
    # Stretched noise is 0 to the greatest in the whole map; terraces leave both as they are.
    extremes = request.extremes
    if extremes is not None and _is_shaped(parameters):
        extremes = Extremes(0, UNIT if extremes.least < extremes.greatest else 0)
    cells = _samples(parameters, relief, extremes)
    return Generated(
        cells,
        kind="heights",
        heights=HeightRange(parameters.minimum, parameters.maximum, parameters.units),
        walkable=walkable(parameters, cells),
    )


def _samples(
    parameters: Heightmap, relief: Field, extremes: Extremes | None = None
) -> NDArray[np.uint16]:
    if parameters.normalise:
        return stretch(relief, SAMPLE_MAXIMUM, extremes).astype(np.uint16)
    return samples(relief)


def _record(
    parameters: Heightmap, request: Request, step: str, relief: Field, number: int = 0, of: int = 0
) -> Field:
    """Add `relief` to the trace, if there is one, and return it.

    `step` is the frame's title. `number` counts steps of this title, out of `of`; 0 if they are not
    counted.
    """
    if request.trace is not None:
        request.trace.frame(step, lambda: _samples(parameters, relief), number=number, of=of)
    return relief


def _teller(parameters: Heightmap, request: Request, step: str, of: int) -> TellRelief | None:
    """Return a callback that adds a relief to the trace; None without one.

    The callback takes the relief and the number of the step, out of `of`; `step` is the title.
    """
    if request.trace is None:
        return None
    return lambda relief, number: _record(parameters, request, step, relief, number, of)


def make_relief(parameters: Heightmap, request: Request) -> Field:
    """Return the layer's heights before they are shaped.

    They come from another layer or a picture, with some noise if requested, or from noise alone.
    """
    if parameters.from_layer is not None:
        relief = relief_of_layer(request, parameters.from_layer, parameters.rises, parameters.reach)
    elif parameters.from_image is not None:
        relief = relief_of_picture(request, parameters.from_image)
    else:
        return noise_relief(parameters, request)
    _record(parameters, request, "heights of the source", relief)
    share = parameters.roughness_percent
    if share:
        rough = noise_relief(parameters, replace(request, trace=None))
        relief = (relief * (100 - share) + rough * share) // 100
        _record(parameters, request, "roughness", relief)
    return relief


def noise_relief(parameters: Heightmap, request: Request) -> Field:
    """Return noise as heights from 0 to 2**28; record octaves in the trace.

    With `normalise` the lowest and highest noise become the ends of the range, else the bounds of
    all possible noise do. Noise that is normalised, but not shaped further, is returned unscaled,
    since it is scaled at the end in any case.
    """
    fractal, stream = _fractal(parameters), _relief_stream(request)

    def scaled(field: Field) -> Field:
        if parameters.normalise:
            return stretch(field, UNIT, request.extremes) if _is_shaped(parameters) else field
        most = bound(fractal, stream)
        return scale(np.clip(field, -most, most), -most, 2 * most, UNIT)

    if request.trace is None:
        return scaled(_noise(parameters, request))
    count = sum(1 for _ in octaves(fractal, stream))

    def tell(field: Field, number: int) -> None:
        _record(parameters, request, "octave", scaled(field), number, count)

    return scaled(_noise(parameters, request, tell))


def _fractal(parameters: Heightmap) -> Fractal:
    return Fractal(
        feature_size=parameters.feature_size,
        octaves=parameters.octaves,
        lacunarity=parameters.lacunarity,
        gain=parameters.gain_percent,
        basis=parameters.basis,
        shape=parameters.shape,
    )


def _relief_stream(request: Request) -> PortableStream:
    # No reference program makes heightmaps, so this is always the portable stream.
    return request.stream.portable.child("relief")


def _noise(
    parameters: Heightmap, request: Request, tell: Callable[[Field, int], None] | None = None
) -> Field:
    """Return the sum of the octaves; call `tell`, if given, after each."""
    stream = _relief_stream(request)
    size = request.width, request.height
    positions = None
    if parameters.warp:
        positions = warped_positions(
            stream.child("warp"), *size, parameters.warp, parameters.warp_size
        )
    return fractal_noise(_fractal(parameters), stream, *size, positions, tell)


def _is_shaped(parameters: Heightmap) -> bool:
    """Return whether the heights are more than scaled noise.

    They are if they come from a layer or picture, or are an island, terraced or eroded.
    """
    return bool(
        parameters.from_layer
        or parameters.from_image
        or parameters.island_percent
        or parameters.terraces
        or parameters.thermal_rounds
        or parameters.droplets
    )


def shape_relief(parameters: Heightmap, request: Request, relief: Field) -> Field:
    """Apply island, terraces and erosion to `relief`, in this order."""
    if parameters.island_percent:
        relief = island(relief, parameters.island_percent, request.window)
        _record(parameters, request, "island", relief)
    if parameters.terraces:
        relief = terraces(relief, parameters.terraces, parameters.terrace_sharpness_percent)
        _record(parameters, request, "terraces", relief)
    if parameters.thermal_rounds:
        talus, rounds = round(parameters.talus_percent * UNIT / 100), parameters.thermal_rounds
        tell = _teller(parameters, request, "thermal erosion, round", rounds)
        relief = thermal(relief, rounds, talus, tell)
    if parameters.droplets:
        relief = hydraulic(
            relief,
            request.stream.portable.draws("droplets"),
            parameters.droplets,
            parameters.droplet_steps,
            parameters.droplet_radius,
            parameters.droplet_strength_percent,
            request.trace,
            _teller(parameters, request, "drop", parameters.droplets),
        )
    return relief


def walkable(parameters: Heightmap, cells: NDArray[np.uint16]) -> NDArray[np.bool_] | None:
    """Return which `cells` are above `walkable_above`; None if that is unset."""
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
