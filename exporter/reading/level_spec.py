"""Define the checked level spec, the result of reading a spec file.

`level_keys` and `limit_keys` define the keys that a file may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.keys import normalised_seed
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import PropertyValue
from exporter.model.parameters import Parameters
from exporter.reading.level_keys import (
    LayerOptions,
    PackParameters,
    SeedSearch,
    VisibilityParameters,
)
from exporter.reading.limit_keys import Budget, LevelRequirements, MetricLimit
from exporter.reading.yaml_reader import Document
from exporter.reading.yaml_reader import Path as ValuePath

if TYPE_CHECKING:
    from exporter.missions.parameters import MissionParameters
    from exporter.model.tables.table import TableParameters
    from exporter.model.tileset import TilesetOptions
    from exporter.placement.parameters import ObjectParameters
    from exporter.reading.edits import LevelEdits


@dataclass(frozen=True, slots=True)
class LayerSpec:
    """A checked layer: name, common options and generator parameters.

    `limits` are the limits on the layer's metrics in `require`.
    """

    name: str
    options: LayerOptions
    parameters: Parameters
    limits: tuple[MetricLimit, ...] = ()

    @property
    def generator(self) -> str:
        """The name of the layer's generator."""
        return self.options.generator


@dataclass(frozen=True, slots=True)
class PuzzleSpec:
    """A checked puzzle: its name, its kind and the parameters of this kind."""

    name: str
    kind: str
    parameters: Parameters


@dataclass(frozen=True, slots=True, eq=False)
class LevelSpec:
    """A checked level spec.

    `document` has the line of each value, for later errors. `folder` is the base of file names in
    the spec; None for a spec that is not a file. `limits` are the limits on metrics in `require`.
    With a `search`, the seed is found when the level is built, and `seed` is 0 until then. `edits`
    are the hand edits in the file beside the spec; None without any. `chunk` is the side of a
    world's chunks in cells; None for a level that is built at once. `pack` asks for a file with
    many levels of this spec.
    """

    level: str
    size: tuple[int, int]
    seed: int | str
    rng: Literal["portable", "dotnet"]
    layers: Mapping[str, LayerSpec]
    visibility: VisibilityParameters | None
    objects: tuple[ObjectParameters, ...]
    tables: Mapping[str, TableParameters]
    puzzles: Mapping[str, PuzzleSpec]
    require: LevelRequirements | None
    tileset: TilesetOptions | None
    properties: Mapping[str, PropertyValue]
    document: Document
    folder: Path | None = None
    search: SeedSearch | None = None
    limits: tuple[MetricLimit, ...] = ()
    budget: Budget | None = None
    edits: LevelEdits | None = None
    chunk: int | None = None
    mission: MissionParameters | None = None
    pack: PackParameters | None = None

    def __post_init__(self) -> None:
        """Normalise a text seed to one Unicode form, so outputs do not differ."""
        object.__setattr__(self, "seed", normalised_seed(self.seed))

    def with_seed(self, seed: int | str) -> LevelSpec:
        """Return the spec with this `seed`, and without a search.

        Raises:
            ParameterError: The spec's random stream does not accept this seed.
        """
        problem = seed_problem(seed, self.rng)
        if problem:
            raise ParameterError(problem, ("seed",))
        return replace(self, seed=seed, search=None)

    def without_limits(self) -> LevelSpec:
        """Return the spec without limits on the level, its layers and file sizes."""
        layers = {
            name: replace(layer, options=replace(layer.options, require=None), limits=())
            for name, layer in self.layers.items()
        }
        return replace(self, layers=layers, require=None, limits=(), budget=None)

    def without_demands(self) -> LevelSpec:
        """Return the spec without limits, and with every object optional.

        So the build fails neither for a limit nor for an object without a free cell.
        """
        objects = tuple(replace(item, required=False) for item in self.objects)
        return replace(self.without_limits(), objects=objects)

    def problem(self, path: ValuePath, message: str) -> Problem:
        """Return a problem at the line of `path` in the spec's file."""
        return self.document.problem(path, message)

    def error(self, path: ValuePath, message: str) -> SpecError:
        """Return a `SpecError` with one problem at the line of `path`."""
        return SpecError([self.problem(path, message)])


def seed_problem(seed: int | str, rng: str) -> str:
    """Return why random stream `rng` refuses `seed`, or "" if it accepts it."""
    if rng == "dotnet" and not (isinstance(seed, int) and -(1 << 31) <= seed < 1 << 31):
        return (
            "the seed does not fit `rng: dotnet` (write a whole number of 32 bits, or remove `rng`)"
        )
    return ""
