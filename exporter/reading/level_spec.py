"""Define the content of a level spec as frozen dataclasses.

The `...Document` dataclasses mirror the file's outer keys; validation and the JSON Schema are
derived from them. A `LevelSpec` is the checked whole, with every layer's parameters as the
dataclass of its generator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.model.expressions import MAXIMUM_LENGTH
from exporter.model.keys import normalised_seed
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import LayerDisplay, PropertyValue
from exporter.model.limits import (
    MAXIMUM_CELLS,
    MAXIMUM_LAYERS,
    MAXIMUM_PUZZLES,
    MAXIMUM_SIDE,
    MAXIMUM_WORLD_SIDE,
)
from exporter.model.parameters import About, Name, Names, ObjectName, Parameters, Within
from exporter.model.property_values import WrittenValue
from exporter.model.roles import LayerRole
from exporter.model.sizes import ByteSize
from exporter.reading.document import Document
from exporter.reading.document import Path as ValuePath

if TYPE_CHECKING:
    from exporter.missions.parameters import MissionParameters
    from exporter.model.tables.table import TableParameters
    from exporter.model.tileset import TilesetOptions
    from exporter.placement.parameters import ObjectParameters
    from exporter.reading.edits import LevelEdits

Side = Annotated[int, Within(1, MAXIMUM_SIDE)]
Size = tuple[Side, Side]
WorldSide = Annotated[int, Within(1, MAXIMUM_WORLD_SIDE)]
WorldSize = tuple[WorldSide, WorldSide]
ChunkSide = Literal[64, 128, 256, 512, 1024, 2048]
ExpressionText = Annotated[str, Within(1, MAXIMUM_LENGTH, length=True)]
# Maximum number of seeds that must keep the limits of a level.
MAXIMUM_SEEDS = 1_000_000
# Beyond it, numbers with a fraction cannot count by one.
LARGEST_LIMIT = 1 << 53


@dataclass(frozen=True, kw_only=True)
class Requirements(Parameters):
    """Limits for a finished layer. A layer that breaks one fails the level, at the limit's line."""

    connected: Annotated[
        bool | None, About("Whether all walkable cells must form one 4-connected region.")
    ] = None
    complete: Annotated[
        bool | None, About("Whether the generator must have placed everything that was wanted.")
    ] = None
    min_floor: Annotated[float | None, Within(0, 1), About("Smallest share of walkable cells.")] = (
        None
    )
    max_floor: Annotated[float | None, Within(0, 1), About("Largest share of walkable cells.")] = (
        None
    )
    min_distance: Annotated[
        int | None,
        Within(0, MAXIMUM_CELLS),
        About("Smallest walking distance from the start to the farthest cell.", unit="steps"),
    ] = None
    max_dead_ends: Annotated[
        int | None, Within(0, MAXIMUM_CELLS), About("Largest number of dead ends.", unit="cells")
    ] = None
    max_chokes: Annotated[
        int | None,
        Within(0, MAXIMUM_CELLS),
        About("Largest number of choke cells (articulation points).", unit="cells"),
    ] = None

    def limits_cells(self) -> bool:
        """Whether any limit is about the walkable cells, or the placed objects."""
        return any(getattr(self, item.name) is not None for item in fields(Requirements))


@dataclass(frozen=True, kw_only=True)
class SeedShare(Parameters):
    """The share of other seeds with which the level must keep its limits."""

    of: Annotated[int, Within(1, MAXIMUM_SEEDS), About("Number of seeds to try.", "seeds")] = 1000
    at_least: Annotated[
        float,
        Within(0, 1),
        About("Smallest share of them, with a confidence of 95 %.", also=("share", "percent")),
    ] = 0.99


@dataclass(frozen=True, kw_only=True)
class LevelRequirements(Requirements):
    """Limits for the finished level. A level that breaks one fails, at the limit's line."""

    start: Annotated[
        ObjectName | None,
        About(
            "Objects from which `min_distance` counts, the nearest of several; default: the first "
            "cell, row by row, of the largest region.",
            also=("from",),
            example="player",
        ),
    ] = None
    seeds: Annotated[
        SeedShare | None,
        About(
            "How many other seeds must keep these limits, too; only `--prove` tries them.",
            example="{of: 1000, at_least: 0.99}",
        ),
    ] = None

    def check(self, width: int, height: int) -> None:
        """Refuse a start without anything to measure.

        Raises:
            ParameterError: With the path of the parameter at fault.
        """
        if self.start is not None and self.min_distance is None:
            message = "'start' needs 'min_distance' (as in `{min_distance: 60, start: player}`)"
            raise ParameterError(message, ("start",))


@dataclass(frozen=True, kw_only=True)
class Limit(Parameters):
    """Limits for a metric: a largest and a smallest value, or the only one."""

    at_least: Annotated[
        float | None,
        Within(0, LARGEST_LIMIT),
        About("Smallest value.", also=("min", "minimum", "above")),
    ] = None
    at_most: Annotated[
        float | None,
        Within(0, LARGEST_LIMIT),
        About("Largest value.", also=("max", "maximum", "below")),
    ] = None
    equals: Annotated[
        float | None,
        Within(0, LARGEST_LIMIT),
        About("The only value."),
    ] = None

    def check(self, width: int, height: int) -> None:
        """Refuse limits without effect, or impossible ones.

        Raises:
            ParameterError: With the path of the limit at fault.
        """
        if self.equals is not None and (self.at_least is not None or self.at_most is not None):
            raise ParameterError(
                "`equals` allows no other limit (remove it, or the others)", ("equals",)
            )
        if self.equals is None and self.at_least is None and self.at_most is None:
            raise ParameterError("no limit is given (as in `{at_least: 0.5}`)")
        low, high = self.at_least, self.at_most
        if low is not None and high is not None and low > high:
            message = f"nothing is at most {high:g} and at least {low:g} (exchange the two numbers)"
            raise ParameterError(message, ("at_most",))


@dataclass(frozen=True, slots=True)
class MetricLimit:
    """A limit for a metric of a level or layer: the metric's name as it is written, and what."""

    name: str
    limit: Limit


@dataclass(frozen=True, kw_only=True)
class Budget(Parameters):
    """Largest sizes of the level's files; beyond them it fails, at the size's line."""

    blob: Annotated[
        ByteSize | None,
        About("Largest size of the level's blob.", also=("lvb",), example="20 kB"),
    ] = None
    outputs: Annotated[
        ByteSize | None,
        About(
            "Largest size of all files of the level in all targets together.",
            also=("files",),
            example="2 MB",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class LayerOptions(Parameters):
    """Keys that every layer has, whatever its generator."""

    generator: Annotated[
        str,
        About(
            "The generator that makes this layer.",
            also=("type", "kind", "algorithm", "method"),
            example="cellular_caves",
        ),
    ]
    size: Annotated[
        Size | None,
        About(
            "Width and height, if they differ from the level's; at most 16,777,216 cells in all. "
            "The layer then covers the same area at another resolution, and is not part of "
            "tilemaps.",
            unit="cells",
            also=("width", "height", "dimensions", "resolution"),
            example="[129, 129]",
        ),
    ] = None
    role: Annotated[
        LayerRole | None,
        About(
            "What the layer is for. `play`: seen and walked on; `picture`: only seen; `data`: in "
            "the files, but not in scenes of engines; `none`: only for other layers, in no file. "
            "Default: `play` for tiles of the level's size, else `data`; also `data` where another "
            "layer replaces it (as with `union`) and where its generator only measures (as "
            "`exposure` does).",
            also=("purpose", "visible", "hidden", "collision", "solid"),
            example="picture",
            values=(
                ("play", ("walls", "floor", "ground", "solid", "collision")),
                ("picture", ("background", "foreground", "decoration")),
                ("data", ("hidden", "helper", "metadata")),
                ("none", ("draft", "temporary", "internal", "off")),
            ),
        ),
    ] = None
    y_sort: Annotated[
        bool,
        About(
            "Godot: draw cells in the order of their lower edges, together with the objects and "
            "what the game adds to the level.",
            also=("ysort", "y_sort_enabled"),
        ),
    ] = False
    z_index: Annotated[
        int,
        Within(-4096, 4096),
        About("Godot: layers with a larger number are drawn above.", also=("z", "order")),
    ] = 0
    godot: Annotated[
        dict[str, bool | int | str],
        About(
            "Godot: further properties of the layer's TileMapLayer, by their names in Godot.",
            example='{modulate: "#ffffff80", y_sort_origin: 8}',
        ),
    ] = field(default_factory=dict)
    recipe: Annotated[
        int | None,
        Within(1, 1000),
        About(
            "Output version of the generator; an exporter with another version refuses the layer.",
            also=("version",),
        ),
    ] = None
    require: Annotated[
        Requirements | None,
        About("Limits for the finished layer.", also=("constraints",)),
    ] = None

    def display(self) -> LayerDisplay:
        """Return how engines draw the layer."""
        return LayerDisplay(self.y_sort, self.z_index, self.godot)


@dataclass(frozen=True, kw_only=True)
class VisibilityParameters(Parameters):
    """The field of view of every cell of a layer."""

    layer: Annotated[
        Annotated[Name, Names("layer")] | None,
        About(
            "Tile layer whose opaque cells block sight; default: the last `play` layer.",
            also=("map", "of", "on"),
        ),
    ] = None
    algorithm: Annotated[
        str, About("Rule of sight; see the table below.", also=("rule", "type", "method", "kind"))
    ] = "symmetric"
    radius: Annotated[
        int,
        Within(1, 64),
        About("Radius of sight.", unit="cells", also=("range", "distance", "view_distance")),
    ] = 8
    see_walls: Annotated[
        bool,
        About(
            "With `raycast`: whether cells that block sight are visible.",
        ),
    ] = False


@dataclass(frozen=True, kw_only=True)
class SeedSearch(Parameters):
    """A seed that is searched for when the level is built: the best of so many candidates."""

    search: Annotated[
        int,
        Within(1, 1_000_000),
        About(
            "How many seeds are tried at most.",
            also=("try", "tries", "count", "budget"),
            example="500",
        ),
    ]
    where: Annotated[
        ExpressionText | None,
        About(
            "What the level must be like: a condition over metrics, as in `farthest >= 80 and "
            "dead_ends <= 6`. The first such seed is taken, unless `best` is given.",
            also=("if", "condition", "require"),
            example='"farthest >= 80"',
        ),
    ] = None
    best: Annotated[
        ExpressionText | None,
        About(
            "The value to maximise: a metric, or a calculation with metrics (with "
            "`-exposure_mean` the level with the least exposure is taken).",
            also=("maximize", "sort"),
            example="farthest",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class PackParameters(Parameters):
    """A file with many levels of this spec, of which a game opens any: `<level>.lvp`."""

    count: Annotated[
        int,
        Within(1, 1 << 20),
        About("Number of levels in the pack.", "levels", also=("levels", "size", "number")),
    ] = 1000
    where: Annotated[
        ExpressionText | None,
        About(
            "Condition for each level, over metrics; default: any level.",
            also=("if", "condition", "require"),
            example='"farthest >= 60"',
        ),
    ] = None
    vary: Annotated[
        dict[str, tuple[bool | int | float | str, ...]],
        About(
            "Parameters of layers to vary: two numbers are a range, other values are choices.",
            also=("parameters", "ranges"),
            example="{ground.wall_percent: [38, 46]}",
        ),
    ] = field(default_factory=dict)
    spread: Annotated[
        tuple[str, ...],
        Within(0, 3, length=True),
        About(
            "Metrics in which the levels should differ as much as possible, 1 to 3.",
            also=("niches", "diversity"),
            example="[floor, farthest]",
        ),
    ] = ()
    budget: Annotated[
        int | None,
        Within(1, 100_000_000),
        About("How many levels are tried; default: ten for each.", "levels", also=("search",)),
    ] = None
    sight: Annotated[
        Literal["none", "exposure", "full"],
        About(
            "Whether the levels have visibility: `exposure` adds a layer with the number of cells "
            "that each cell sees, `full` has the rule by which readers derive who sees what.",
            also=("visibility", "fov"),
        ),
    ] = "none"
    measures: Annotated[
        tuple[str, ...],
        About(
            "Metrics that games can ask the pack for, beside those of `where` and `spread`.",
            also=("metrics",),
            example="[dead_ends, loops]",
        ),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class LevelDocument(Parameters):
    """The outer keys of a level spec."""

    size: Annotated[
        WorldSize,
        About(
            "Width and height of the level; at most 16,777,216 cells in all, and 8192 each way, "
            "without `chunk`.",
            unit="cells",
            also=("dimensions", "width", "height"),
            example="[64, 40]",
        ),
    ]
    level: Annotated[
        Name | None,
        About(
            "Name of the level, with which its file names begin; default: the name of the spec.",
            also=("name", "title", "id"),
        ),
    ] = None
    seed: Annotated[
        int | str | SeedSearch,
        About(
            "Start of all random numbers. The same spec gives the same level. Text is taken in "
            "Unicode's normal form C. With `search` the seed is found when the level is built.",
            also=("random_seed", "random"),
        ),
    ] = 0
    rng: Annotated[
        Literal["portable", "dotnet"],
        About("Random stream: `portable`, or `dotnet` for that of .NET's System.Random."),
    ] = "portable"
    layers: Annotated[
        dict[Name, Annotated[dict[str, Any], About("", example="{generator: maze}")]],
        Within(0, MAXIMUM_LAYERS, length=True),
        About("Layers by name. A later layer can use an earlier one.", also=("maps",)),
    ] = field(default_factory=dict)
    chunk: Annotated[
        ChunkSide | None,
        About(
            "Makes a world of the level: it is made, stored and streamed by square parts with so "
            "many cells a side. Its generators must be able to make parts.",
            unit="cells",
            also=("region", "region_size"),
            example="512",
        ),
    ] = None
    visibility: Annotated[
        VisibilityParameters | None,
        About(
            "Field of view of every cell; default: not computed.",
            also=("fov", "sight", "field_of_view", "line_of_sight", "los"),
        ),
    ] = None
    objects: Annotated[
        tuple[Annotated[dict[str, Any], About("", example="{name: chest}")], ...],
        About(
            "Objects to place, with ids in this order. Those that name others are placed after "
            "them.",
            also=("items", "entities", "spawns"),
        ),
    ] = ()
    tables: Annotated[
        dict[Name, dict[str, Any]], About("Tables of game data by name.", also=("data",))
    ] = field(default_factory=dict)
    puzzles: Annotated[
        dict[Name, Annotated[dict[str, Any], About("", example="{kind: sudoku}")]],
        Within(0, MAXIMUM_PUZZLES, length=True),
        About("Puzzles by name."),
    ] = field(default_factory=dict)
    require: Annotated[
        LevelRequirements | None,
        About(
            "Limits for the finished level, and for its walkable cells: those of all `play` layers "
            "together.",
            also=("constraints",),
        ),
    ] = None
    mission: Annotated[
        dict[str, Any] | None,
        About(
            "Locks and keys between a start and a goal; no order of play can lose the goal.",
            also=("quest", "locks", "progression"),
            example="{start: entrance, goal: throne}",
        ),
    ] = None
    budget: Annotated[
        Budget | None,
        About(
            "Largest sizes of the level's files.",
            also=("size_limit",),
            example="{blob: 20 kB}",
        ),
    ] = None
    pack: Annotated[
        PackParameters | None,
        About(
            "Further levels of this spec, in one file that games open at run time.",
            also=("packs", "batch", "variants"),
            example="{count: 1000, where: farthest >= 60}",
        ),
    ] = None
    tileset: Annotated[
        dict[str, Any] | None,
        About("Pictures of the tiles; default: drawn by the exporter.", also=("sprites",)),
    ] = None
    properties: Annotated[
        dict[str, WrittenValue],
        About("Values passed to the engines.", also=("meta", "metadata")),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LayerSpec:
    """A checked layer: its name, common options and its generator's parameters.

    `limits` are the limits for its metrics in `require`.
    """

    name: str
    options: LayerOptions
    parameters: Parameters
    limits: tuple[MetricLimit, ...] = ()

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
    """A checked level spec; `document` has the places of the file for later errors.

    `folder` is the base of file names in the spec; None for a spec that is not a file. `limits` are
    the limits for metrics in `require`. With a `search` the seed is found when the level is built,
    and `seed` is 0 until then. `edits` are the hand edits beside the spec; None without any.
    `chunk` is the side of the parts of a world; None for a level that is made whole. `pack`
    asks for further levels in one file.
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
        """Normalise a text seed, so that outputs that name it have the same bytes."""
        object.__setattr__(self, "seed", normalised_seed(self.seed))

    def with_seed(self, seed: int | str) -> LevelSpec:
        """Return the spec with another seed, and without a search.

        Raises:
            ParameterError: The spec's random stream takes no such seed.
        """
        problem = seed_problem(seed, self.rng)
        if problem:
            raise ParameterError(problem, ("seed",))
        return replace(self, seed=seed, search=None)

    def without_limits(self) -> LevelSpec:
        """Return the spec without limits for the level, its layers and its files."""
        layers = {
            name: replace(layer, options=replace(layer.options, require=None), limits=())
            for name, layer in self.layers.items()
        }
        return replace(self, layers=layers, require=None, limits=(), budget=None)

    def problem(self, path: ValuePath, message: str) -> Problem:
        """Return a problem at the place of `path` in the spec's file."""
        return self.document.problem(path, message)

    def error(self, path: ValuePath, message: str) -> SpecError:
        """Return an error with one problem, to raise."""
        return SpecError([self.problem(path, message)])


def seed_problem(seed: int | str, rng: str) -> str:
    """Return why a random stream refuses a seed; empty if it accepts it."""
    if rng == "dotnet" and not (isinstance(seed, int) and -(1 << 31) <= seed < 1 << 31):
        return "rng dotnet needs a whole number of 32 bits as its seed"
    return ""
