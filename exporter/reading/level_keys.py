"""Define the keys of a level spec.

Each mapping in a spec has a dataclass with the range, unit and synonyms of every key. Checks and
the JSON Schema are derived from these classes.
"""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal

from exporter.model.expressions import MAXIMUM_LENGTH
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level_values import LayerDisplay, LayerRole
from exporter.model.limits import MAXIMUM_LAYERS, MAXIMUM_PUZZLES, MAXIMUM_SIDE, MAXIMUM_WORLD_SIDE
from exporter.model.parameters import About, Name, Names, OptionGroups, Parameters, Within
from exporter.model.property_values import WrittenValue
from exporter.reading.limit_keys import Budget, LevelRequirements, Requirements

Side = Annotated[int, Within(1, MAXIMUM_SIDE)]
Size = tuple[Side, Side]
WorldSide = Annotated[int, Within(1, MAXIMUM_WORLD_SIDE)]
WorldSize = tuple[WorldSide, WorldSide]
ChunkSide = Literal[64, 128, 256, 512, 1024, 2048]
ExpressionText = Annotated[str, Within(1, MAXIMUM_LENGTH, length=True)]


@dataclass(frozen=True, kw_only=True)
class LayerOptions(Parameters):
    """Keys that every layer has, whatever its generator."""

    option_groups: ClassVar[OptionGroups] = {
        "Size, role and limits": ("size", "role", "recipe", "require"),
        "In Godot": ("y_sort", "z_index", "godot"),
    }

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
        Requirements | None, About("Limits for the finished layer.", also=("constraints",))
    ] = None

    def display(self) -> LayerDisplay:
        """Return how engines display the layer."""
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
        bool, About("With `raycast`: whether cells that block sight are visible.")
    ] = False


@dataclass(frozen=True, kw_only=True)
class SeedSearch(Parameters):
    """A seed to search for at build time: the best of so many candidates."""

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
    """A file with many levels of this spec (`<level>.lvp`).

    A game opens any of them.
    """

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
        tuple[Annotated[str, Names("measure")], ...],
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
        tuple[Annotated[str, Names("measure")], ...],
        About(
            "Metrics that games can ask the pack for, beside those of `where` and `spread`.",
            also=("metrics",),
            example="[dead_ends, loops]",
        ),
    ] = ()
    without: Annotated[
        tuple[int, ...],
        Within(0, 10_000, length=True),
        About(
            "Seeds of levels that are left out; others take their places.",
            also=("exclude", "excluded"),
            example="[1204886153]",
        ),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class LevelDocument(Parameters):
    """The top-level keys of a level spec."""

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
            "Objects to place, with ids in this order. Objects that name others come after them.",
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
        About("Largest sizes of the level's files.", also=("size_limit",), example="{blob: 20 kB}"),
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
        dict[str, WrittenValue], About("Values passed to the engines.", also=("meta", "metadata"))
    ] = field(default_factory=dict)
