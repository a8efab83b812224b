"""Make maps that look everywhere like a small sample.

After Maxim Gumin's WaveFunctionCollapse (2016), which chooses a pattern of the sample for each
cell. If no pattern fits a cell, the map is started again with other choices, a limited number of
times.
"""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Request, generator
from exporter.generators._legend import (
    MAXIMUM_ART_SIDE,
    TRANSPARENT,
    AnyTile,
    Art,
    Glyph,
    Legend,
    TileOptions,
    cells_of,
    read_drawing,
)
from exporter.generators._patterns import (
    MAXIMUM_PATTERNS,
    Ids,
    Patterns,
    check_sample,
    patterns_of_pairs,
    patterns_of_sample,
)
from exporter.generators._pictures import color_number, color_text, read_colors
from exporter.generators._wave import TellChoices, contradiction, possible_patterns, try_once
from exporter.kernels import wave_function
from exporter.model.costs import Cost, kernel_seconds, most_expensive
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Tile
from exporter.model.parameters import About, Color, FileName, Name, Names, OptionGroups, Within

MAXIMUM_WORK = 1 << 22
MAXIMUM_COLORS = 64
# Of cells that are not decided yet, in steps.
UNDECIDED = "#80808060"

PatternTile = Annotated[Name, Names("tile")]
Pair = tuple[PatternTile, PatternTile]
Pairs = Annotated[tuple[Pair, ...], Within(0, 4096, length=True)]


@dataclass(frozen=True, kw_only=True)
class WeightedTile(TileOptions):
    """A tile of an adjacency list."""

    weight: Annotated[int, Within(1, 1000), About("Relative frequency.")] = 1
    alone: Annotated[bool, About("Whether it never touches another tile of its kind.")] = False


@dataclass(frozen=True, kw_only=True)
class WaveFunctionCollapse(MapParameters):
    """Maps like a small sample, or by a list of allowed neighbours.

    Give one of `sample` (a drawing), `sample_image` (a picture) or `tiles` with their allowed
    neighbours. Every small square of the result occurs in the sample.
    """

    option_groups: ClassVar[OptionGroups] = {
        "Reading the sample": ("glyphs", "colors", "pattern", "symmetry", "periodic_sample"),
        "Neighbours of tiles": ("adjacent", "beside", "above"),
        **MapParameters.option_groups,
    }

    sample: Annotated[Art | None, About("Drawing to imitate, one character for each cell.")] = None
    glyphs: Annotated[
        dict[Glyph, AnyTile],
        Within(0, 256, length=True),
        About("Further characters of `sample`, and the tiles they stand for."),
    ] = field(default_factory=dict)
    sample_image: Annotated[
        FileName | None,
        About(
            "Picture to imitate, one pixel for each cell, at most 512 each way, relative to the "
            "spec."
        ),
    ] = None
    colors: Annotated[
        dict[Color, AnyTile],
        Within(0, MAXIMUM_COLORS, length=True),
        About("Tile of each colour of the picture. Without any, bright colours are walkable."),
    ] = field(default_factory=dict)
    pattern: Annotated[
        int, Within(2, 5), About("Side of the squares that occur in the sample.", "cells")
    ] = 3
    symmetry: Annotated[bool, About("Whether the sample may be turned and mirrored.")] = True
    periodic_sample: Annotated[
        bool, About("Whether the sample continues at its opposite side.")
    ] = True
    tiles: Annotated[
        tuple[WeightedTile, ...], Within(0, 256, length=True), About("Tiles of an adjacency list.")
    ] = ()
    adjacent: Annotated[Pairs, About("Pairs of tiles that may touch on any side.")] = ()
    beside: Annotated[Pairs, About("Pairs of tiles that may touch as left and right.")] = ()
    above: Annotated[Pairs, About("Pairs of tiles that may touch as upper and lower.")] = ()
    periodic: Annotated[bool, About("Whether the map continues at its opposite side.")] = False
    attempts: Annotated[
        int, Within(1, 1000), About("Attempts before an incomplete map is accepted.")
    ] = 20

    def check(self, width: int, height: int) -> None:
        """Refuse all but one of `sample`, `sample_image` and `tiles`.

        An unreadable `sample` is refused, too.
        """
        given = [
            name
            for name in ("sample", "sample_image", "tiles")
            if getattr(self, name) not in (None, ())
        ]
        if len(given) != 1:
            raise ParameterError(
                "give exactly one of `sample`, `sample_image` and `tiles` "
                f"(given: {', '.join(given) or 'none'})",
                (given[1] if given else "sample",),
            )
        if self.sample is not None:
            # Its patterns may be too many as well, but counting them can take seconds.
            check_sample(_sampled(self, Legend()), self.pattern, ("sample",))
        if self.tiles:
            _listed(self, Legend())


def _shortfall(parameters: WaveFunctionCollapse, layer: Layer) -> str:
    left = layer.report.get("undecided", 0)
    if not left:
        return ""
    if "contradiction" in layer.report:
        x, y = layer.report["contradiction"]
        return (
            f"no map has these given cells: nothing fits at ({x}, {y}) (change `fixed`, `only_in` "
            "or `never_in` there, or give more patterns)"
        )
    height, width = layer.cells.shape
    margin = 0 if parameters.periodic or parameters.tiles else parameters.pattern - 1
    cells = max(width - margin, 1) * max(height - margin, 1)
    return (
        f"{left} of {cells} cells are undecided after {layer.report['attempts']} attempts "
        "(raise `attempts`, try another seed, or give more patterns)"
    )


def cost(parameters: WaveFunctionCollapse, width: int, height: int) -> Cost:
    """Estimate the time of cutting patterns, and of some of the attempts."""
    sample = len(parameters.sample or "") * (8 if parameters.symmetry else 1)
    patterns = len(parameters.tiles) or min(sample or MAXIMUM_PATTERNS, MAXIMUM_PATTERNS)
    work = min(width * height * patterns, MAXIMUM_WORK)
    # Most maps succeed soon; only one in ten of the attempts is counted.
    attempts = 1 + parameters.attempts / 10
    seconds = kernel_seconds(wave_function, attempts * work, 3e6, 100e3)
    return most_expensive(
        width, height, Cost(seconds, ("attempts",)), Cost(sample * 6e-6, ("sample",))
    )


@generator(
    "wave_function_collapse", version=1, cost=cost, shortfall=_shortfall, also=("wfc", "overlap")
)
def generate(parameters: WaveFunctionCollapse, request: Request) -> Generated:
    """Read the patterns; try to fill the map with them until they fit."""
    parameters.check(request.width, request.height)
    legend = Legend()
    patterns = _patterns(parameters, request, legend)
    margin = 0 if parameters.periodic else patterns.size - 1
    width, height = max(request.width - margin, 1), max(request.height - margin, 1)
    count = len(patterns.weights)
    if width * height * count > MAXIMUM_WORK:
        raise ParameterError(
            f"{width} x {height} cells with {count} patterns are too many "
            f"(allowed: {MAXIMUM_WORK} cells times patterns)",
            ("size",),
        )
    stream = request.stream.portable
    possible = None
    if request.fixed is not None:
        possible = possible_patterns(patterns, legend, request.fixed, parameters.periodic)
    report: dict[str, Any] = {"patterns": count}
    attempts = parameters.attempts
    result = None if possible is None else contradiction(patterns, possible, parameters.periodic)
    if result is not None:
        # Every further attempt would end alike.
        report["contradiction"] = result
        attempts = 1
    chosen, left = np.empty(0, np.int32), 1
    attempt = 0
    while left and attempt < attempts:
        chosen, left = try_once(
            patterns,
            width,
            height,
            parameters.periodic,
            stream.child("attempt", attempt),
            possible,
            *_telling(request, patterns, legend.tiles, attempt + 1, (height, width)),
        )
        attempt += 1
    report |= {"attempts": attempt, "undecided": left}
    cells = _drawn(patterns, chosen.reshape(height, width), request.width, request.height)
    return Generated(cells_of(cells), legend.tiles, complete=not left, report=report)


def _telling(
    request: Request,
    patterns: Patterns,
    tiles: tuple[Tile, ...],
    attempt: int,
    shape: tuple[int, int],
) -> tuple[TellChoices | None, int]:
    """Return a callback that adds the choices so far to the trace.

    The second result is after how many choices to call it. The callback is None without a trace. It
    shows undecided cells in a tile of their own; `shape` is the number of patterns down and across.
    """
    trace = request.trace
    if trace is None:
        return None, 1
    undecided = Tile(max(tile.id for tile in tiles) + 1, "undecided", False, False, UNDECIDED)
    step = "choice" if attempt == 1 else f"attempt {attempt}, choice"

    def tell(number: int, chosen: Ids, decided: NDArray[np.bool_]) -> None:
        def draw() -> Ids:
            cells = _drawn(patterns, chosen.reshape(shape), request.width, request.height)
            rows = np.minimum(np.arange(request.height), shape[0] - 1)
            columns = np.minimum(np.arange(request.width), shape[1] - 1)
            known = decided.reshape(shape)[rows[:, None], columns]
            return np.where(known, cells, np.int32(undecided.id))

        trace.frame(step, draw, (*tiles, undecided), number=number)

    return tell, trace.every(shape[0] * shape[1])


def _patterns(parameters: WaveFunctionCollapse, request: Request, legend: Legend) -> Patterns:
    """Return the patterns of the spec's list, drawing or picture of tiles."""
    if parameters.tiles:
        return _listed(parameters, legend)
    if parameters.sample is not None:
        sample, path = _sampled(parameters, legend), ("sample",)
    else:
        sample, path = _painted(parameters, request, legend), ("sample_image",)
    return patterns_of_sample(
        sample, parameters.pattern, parameters.symmetry, parameters.periodic_sample, path
    )


def _sampled(parameters: WaveFunctionCollapse, legend: Legend) -> Ids:
    """Return the tile ids of the drawing `sample`: int32 [height, width]."""
    sample = read_drawing(parameters.sample or "", parameters.glyphs, legend, ("sample",))
    if (sample == TRANSPARENT).any():
        raise ParameterError(
            "the sample has spaces, or lines of different length (draw a rectangle without spaces)",
            ("sample",),
        )
    return sample


def _painted(parameters: WaveFunctionCollapse, request: Request, legend: Legend) -> Ids:
    """Return the tile ids of the picture that `sample_image` names."""
    name, path = parameters.sample_image or "", ("sample_image",)
    pixels = read_colors(request.read_project_file(name, path), name, path)
    if max(pixels.shape) > MAXIMUM_ART_SIDE:
        height, width = pixels.shape
        raise ParameterError(
            f"{name} has {width} x {height} pixels (allowed: {MAXIMUM_ART_SIDE} each way)", path
        )
    numbers, inverse = np.unique(pixels, return_inverse=True)
    if len(numbers) > MAXIMUM_COLORS:
        raise ParameterError(f"{name} has {len(numbers)} colours (allowed: {MAXIMUM_COLORS})", path)
    options = {color_number(color): tile for color, tile in parameters.colors.items()}
    ids = []
    for number in numbers.tolist():
        color = color_text(number)
        if number not in options and options:
            raise ParameterError(
                f"{name} has the colour {color}, which stands for no tile (known: "
                f"{', '.join(parameters.colors)})",
                ("colors",),
            )
        bright = sum(number >> shift & 255 for shift in (24, 16, 8)) >= 3 * 128
        plain = TileOptions(
            name=f"color_{color[1:]}", walkable=bright, opaque=not bright, color=color
        )
        ids.append(legend.add(options.get(number, plain)))
    return np.array(ids, np.int32)[inverse.reshape(pixels.shape)]


def _listed(parameters: WaveFunctionCollapse, legend: Legend) -> Patterns:
    """Return a pattern for each listed tile, by its allowed neighbours.

    Raises:
        ParameterError: Two tiles have the same name, or a neighbour is not in the list.
    """
    for index, tile in enumerate(parameters.tiles):
        if legend.add(tile) != index:
            raise ParameterError(
                f"two tiles have the name {tile.name!r} (rename one)", ("tiles", index)
            )
    beside: set[tuple[int, int]] = set()
    above: set[tuple[int, int]] = set()
    for key, targets in (("adjacent", (beside, above)), ("beside", (beside,)), ("above", (above,))):
        for index, names in enumerate(getattr(parameters, key)):
            first, second = (_number(legend, name, (key, index)) for name in names)
            for target in targets:
                target.add((first, second))
                if key == "adjacent":
                    target.add((second, first))
    for number, tile in enumerate(parameters.tiles):
        if not tile.alone:
            beside.add((number, number))
            above.add((number, number))
    return patterns_of_pairs([tile.weight for tile in parameters.tiles], beside, above)


def _number(legend: Legend, name: str, path: tuple[str | int, ...]) -> int:
    tile = legend.find(name)
    if tile is None:
        names = ", ".join(tile.name for tile in legend.tiles)
        raise ParameterError(f"there is no tile {name!r} (known: {names})", path)
    return tile.id


def _drawn(patterns: Patterns, chosen: Ids, width: int, height: int) -> Ids:
    """Return the tile of each cell: int32 [height, width].

    `chosen` has the number of the pattern at each position. A pattern gives its first tile; at the
    right and lower edge all of its tiles are used.
    """
    rows, columns = np.arange(height), np.arange(width)
    y = np.minimum(rows, chosen.shape[0] - 1)
    x = np.minimum(columns, chosen.shape[1] - 1)
    numbers = chosen[y[:, None], x[None, :]]
    tiles: Ids = patterns.tiles[numbers, (rows - y)[:, None], (columns - x)[None, :]]
    return tiles
