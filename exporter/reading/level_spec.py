"""What a user may write in a level spec, as frozen dataclasses.

The `...Document` dataclasses mirror the file's outer keys and are what validation and the JSON
Schema are derived from; a `LevelSpec` is the checked whole, with every layer's parameters as the
dataclass of its generator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from exporter.model.errors import Problem, SpecError
from exporter.model.keys import normalised_seed
from exporter.model.limits import MAXIMUM_CELLS, MAXIMUM_LAYERS, MAXIMUM_SIDE
from exporter.model.parameters import About, Name, Parameters, Within
from exporter.reading.document import Document
from exporter.reading.document import Path as ValuePath

if TYPE_CHECKING:
    from exporter.model.tileset import TilesetOptions
    from exporter.placement.parameters import ObjectParameters
    from exporter.tables.table import TableParameters

Side = Annotated[int, Within(1, MAXIMUM_SIDE)]
Size = tuple[Side, Side]
PropertyValue = str | int | float | bool | None


@dataclass(frozen=True, kw_only=True)
class Requirements(Parameters):
    """Limits a finished layer must keep; breaking one fails the level at the limit's line."""

    connected: Annotated[
        bool | None, About("Whether all walkable cells must be one 4-connected region.")
    ] = None
    complete: Annotated[
        bool | None, About("Whether the generator must have placed everything it was asked for.")
    ] = None
    min_floor: Annotated[
        float | None, Within(0, 1), About("Smallest share of walkable cells.", unit="0 to 1")
    ] = None
    max_floor: Annotated[
        float | None, Within(0, 1), About("Largest share of walkable cells.", unit="0 to 1")
    ] = None
    min_distance: Annotated[
        int | None,
        Within(0, MAXIMUM_CELLS),
        About("Smallest walking distance from the start to the farthest cell.", unit="steps"),
    ] = None
    max_dead_ends: Annotated[
        int | None, Within(0, MAXIMUM_CELLS), About("Most dead ends.", unit="cells")
    ] = None
    max_chokes: Annotated[
        int | None,
        Within(0, MAXIMUM_CELLS),
        About("Most choke (articulation) cells.", unit="cells"),
    ] = None


@dataclass(frozen=True, kw_only=True)
class LayerOptions(Parameters):
    """Keys that every layer has, whatever its generator."""

    generator: Annotated[str, About("The generator that makes this layer.")]
    size: Annotated[
        Size | None,
        About(
            "Width and height when they differ from the level's: the layer then spans the same "
            "area at another resolution and stays out of tilemaps.",
            unit="cells",
        ),
    ] = None
    recipe: Annotated[
        int | None,
        Within(1, 1000),
        About("Pins the generator's output version, so that upgrades keep this layer as it is."),
    ] = None
    require: Annotated[
        Requirements | None, About("Limits the finished layer must keep, or the level fails.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class VisibilityParameters(Parameters):
    """The field of view of every cell of a layer."""

    layer: Annotated[
        Name | None, About("The tile layer whose opaque cells block sight; default: the first.")
    ] = None
    algorithm: Annotated[str, About("`symmetric`, `shadowcast` or `raycast`.")] = "symmetric"
    radius: Annotated[int, Within(1, 64), About("How far a viewer sees.", unit="cells")] = 8
    see_walls: Annotated[
        bool, About("With `raycast`: whether the cells that block sight are seen themselves.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class LevelDocument(Parameters):
    """The outer keys of a level spec."""

    size: Annotated[Size, About("Width and height of the level.", unit="cells")]
    level: Annotated[
        Name | None,
        About("The level's name and the beginning of its files' names; default: the file's name."),
    ] = None
    seed: Annotated[
        int | str,
        About(
            "Whole number or text; the same seed gives the same level. Text is taken in Unicode's "
            "normal form C."
        ),
    ] = 0
    rng: Annotated[
        Literal["portable", "dotnet"],
        About("The random stream: `portable`, or `dotnet` for the stream of System.Random."),
    ] = "portable"
    layers: Annotated[
        dict[Name, dict[str, Any]],
        Within(0, MAXIMUM_LAYERS, length=True),
        About("Layers by name, in order; a later layer can use an earlier one."),
    ] = field(default_factory=dict)
    visibility: Annotated[
        VisibilityParameters | None, About("Asks for the field of view of every cell.")
    ] = None
    objects: Annotated[tuple[dict[str, Any], ...], About("Things to place, in order.")] = ()
    tables: Annotated[dict[Name, dict[str, Any]], About("Tables of game data by name.")] = field(
        default_factory=dict
    )
    puzzles: Annotated[dict[Name, dict[str, Any]], About("Puzzles by name.")] = field(
        default_factory=dict
    )
    require: Annotated[
        Requirements | None, About("Limits the first walkable tile layer must keep.")
    ] = None
    tileset: Annotated[
        dict[str, Any] | None, About("The pictures of the tiles; drawn when there are none.")
    ] = None
    properties: Annotated[
        dict[Name, PropertyValue], About("Values passed through to the engines.")
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LayerSpec:
    """A checked layer: its name, common options and its generator's parameters."""

    name: str
    options: LayerOptions
    parameters: Parameters

    @property
    def generator(self) -> str:
        """The generator's name."""
        return self.options.generator


@dataclass(frozen=True, slots=True)
class PuzzleSpec:
    """A checked puzzle: its name, kind and the kind's parameters."""

    name: str
    kind: str
    parameters: Parameters


@dataclass(frozen=True, slots=True, eq=False)
class LevelSpec:
    """A checked level spec; `document` remembers the file for later complaints.

    `folder` is where file names in the spec are relative to; None for a spec that is not a file.
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
    require: Requirements | None
    tileset: TilesetOptions | None
    properties: Mapping[str, PropertyValue]
    document: Document
    folder: Path | None = None

    def __post_init__(self) -> None:
        """Write a text seed in one way, so that outputs that name it have the same bytes."""
        object.__setattr__(self, "seed", normalised_seed(self.seed))

    def problem(self, path: ValuePath, message: str) -> Problem:
        """Word a problem at the place `path` leads to in the spec's file."""
        return self.document.problem(path, message)

    def error(self, path: ValuePath, message: str) -> SpecError:
        """Word a problem as an error to raise."""
        return SpecError([self.problem(path, message)])
