"""Choose tiles by height: a tile for each range of heights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Generated, MapParameters, Parts, Request, cells_alone, generator
from exporter.generators._heights import Height, Heights, Path, heights_of
from exporter.generators._legend import USUAL_TILES, Legend, TileOptions, cells_of
from exporter.generators._relief import SAMPLE_MAXIMUM
from exporter.generators._tile_options import AnyTile
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, LayerName, Parameters, Within

Samples = NDArray[np.int32]
StepTile = Annotated[
    AnyTile | None,
    About(
        "Tile of these heights: a known name, `empty` for none, or `{name, walkable, opaque, "
        "color}`.",
        also=("tiles", "terrain", "biome"),
    ),
]
Below = Annotated[
    Height | None,
    About(
        "Upper end, not included: heights below it that are in no earlier step. The last step "
        "has none.",
        "units of the heights",
        also=("under", "to", "max", "until", "at_most"),
    ),
]


@dataclass(frozen=True, kw_only=True)
class NestedStep(Parameters):
    """A step of the second layer's heights."""

    below: Below = None
    tile: StepTile = None


@dataclass(frozen=True, kw_only=True)
class Step(Parameters):
    """A step of heights."""

    below: Below = None
    tile: StepTile = None
    steps: Annotated[
        tuple[NestedStep, ...],
        Within(0, 64, length=True),
        About("Instead of `tile`: steps by the heights of the layer `by`."),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class Bands(MapParameters):
    """Tiles by height: water, sand, grass and rock of a layer of heights.

    A step can be divided further by a second layer of heights, such as moisture, which makes a
    table of biomes.
    """

    of: Annotated[
        LayerName,
        About(
            "Layer of heights, of any size.",
            also=("heights", "from_layer", "layer", "relief", "heightmap"),
        ),
    ]
    by: Annotated[
        LayerName | None,
        About(
            "Second layer of heights, of any size, for the steps that have `steps`.",
            also=("moisture",),
        ),
    ] = None
    steps: Annotated[
        tuple[Step, ...],
        Within(1, 64, length=True),
        About(
            "Tiles from the lowest heights to the greatest.",
            also=("bands", "levels", "layers"),
            example="[{below: 0.2, tile: water}, {tile: grass}]",
        ),
    ]

    def check(self, width: int, height: int) -> None:
        """Refuse steps in wrong order, without tiles, or with clashing names."""
        _check_order(self.steps, ("steps",))
        for index, step in enumerate(self.steps):
            position: Path = ("steps", index)
            if not step.steps:
                if step.tile is None:
                    raise ParameterError(
                        "this step has no `tile` (write one, or `steps`)", position
                    )
                continue
            if step.tile is not None:
                raise ParameterError(
                    "`steps` replace the tile of a step (remove one of them)", (*position, "tile")
                )
            if self.by is None:
                raise ParameterError(
                    "`by` names no second layer for these steps (write `by: LAYER` beside `of`)",
                    (*position, "steps"),
                )
            _check_order(step.steps, (*position, "steps"))
            for number, inner in enumerate(step.steps):
                if inner.tile is None:
                    inside = (*position, "steps", number)
                    raise ParameterError("this step has no `tile` (write one)", inside)
        if self.by is not None and not any(step.steps for step in self.steps):
            raise ParameterError(
                "no step uses the second layer (give one `steps`, or remove `by`)", ("by",)
            )
        self._check_names()

    def _check_names(self) -> None:
        """Refuse a name that means two kinds of tiles."""
        known: dict[str, TileOptions] = {}
        for path, tile in _tiles(self.steps):
            first = known.setdefault(tile.name, tile)
            if first != tile:
                raise ParameterError(
                    f"the tile {tile.name!r} differs from an earlier one of that name (use another "
                    "name, or write the same)",
                    path,
                )


@generator(
    "bands",
    version=1,
    parts=Parts(cells_alone),
    also=("biomes", "terrain_tiles", "height_tiles", "steps"),
)
def generate(parameters: Bands, request: Request) -> Generated:
    """Choose each cell's tile by its height, and by a second layer's if set."""
    parameters.check(request.width, request.height)
    legend = Legend()
    ids = [[legend.add(tile) for tile in _tiles_of(step)] for step in parameters.steps]
    first = heights_of(request, parameters.of, ("of",), tiles=True)
    rows = _table(first, parameters.steps, ("steps",))
    if parameters.by is None:
        table = np.array([item[0] for item in ids], np.int32)[rows]
        return Generated(cells_of(table[first.samples]), legend.tiles)
    second = heights_of(request, parameters.by, ("by",), tiles=True)
    columns: list[Samples] = []
    for index, step in enumerate(parameters.steps):
        inner = np.zeros(SAMPLE_MAXIMUM + 1, np.int32)
        if step.steps:
            inner = _table(second, step.steps, ("steps", index, "steps"))
        columns.append(np.array(ids[index], np.int32)[inner])
    table = np.stack(columns)
    return Generated(cells_of(table[rows[first.samples], second.samples]), legend.tiles)


def _options(tile: str | TileOptions | None) -> TileOptions:
    assert tile is not None  # `check` has seen to it
    return USUAL_TILES[tile] if isinstance(tile, str) else tile


def _tiles_of(step: Step) -> list[TileOptions]:
    return [_options(inner.tile) for inner in step.steps] or [_options(step.tile)]


def _tiles(steps: Sequence[Step]) -> list[tuple[Path, TileOptions]]:
    """Return the tiles of all steps, each with the path of its parameter."""
    result: list[tuple[Path, TileOptions]] = []
    for index, step in enumerate(steps):
        inside = ("steps", index)
        if not step.steps:
            result.append(((*inside, "tile"), _options(step.tile)))
        for number, inner in enumerate(step.steps):
            result.append(((*inside, "steps", number, "tile"), _options(inner.tile)))
    return result


def _check_order(steps: Sequence[Step | NestedStep], path: Path) -> None:
    """Refuse steps that do not rise, or leave heights without a tile.

    Each step but the last needs an end (`below`) above that of the step before it.

    Raises:
        ParameterError: An end is wrong or missing; the error has its path.
    """
    *others, last = steps
    for index, step in enumerate(others):
        if step.below is None:
            raise ParameterError(
                "this step takes all remaining heights, so later steps are never used (give it "
                "`below`, or move it to the end)",
                (*path, index),
            )
    for index, (item, other) in enumerate(pairwise(others), 1):
        assert item.below is not None
        assert other.below is not None
        if other.below <= item.below:
            raise ParameterError(
                f"{other.below:.15g} is not above {item.below:.15g} of the step before it (sort "
                "the "
                "steps from low to high)",
                (*path, index, "below"),
            )
    if last.below is not None:
        raise ParameterError(
            f"heights of {last.below:.15g} and more have no tile (add a last step without "
            "`below`, as in `{tile: grass}`)",
            (*path, len(steps) - 1, "below"),
        )


def _table(heights: Heights, steps: Sequence[Step | NestedStep], path: Path) -> Samples:
    """Return the number of the step of each possible sample: int32 [65536].

    Raises:
        ParameterError: A step contains no sample; the error has the path of its end.
    """
    ends: list[int] = []
    for index, step in enumerate(steps[:-1]):
        assert step.below is not None
        end = heights.samples_below(step.below)
        position = (*path, index, "below")
        reported = f"the heights of {heights.name!r} are {heights.describe()}"
        if end > SAMPLE_MAXIMUM:
            raise ParameterError(
                f"all heights are below {step.below:.15g}, so later steps are never used "
                f"({reported})",
                position,
            )
        if end <= (ends[-1] if ends else 0):
            what = "no height is" if not ends else "after the step before it no height is left"
            raise ParameterError(f"{what} below {step.below:.15g} ({reported})", position)
        ends.append(end)
    samples = np.arange(SAMPLE_MAXIMUM + 1, dtype=np.int32)
    return np.searchsorted(np.array(ends, np.int32), samples, side="right").astype(np.int32)
