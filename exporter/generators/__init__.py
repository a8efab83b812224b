"""Generate the cells of a layer; each module defines a generator.

A generator is a pure function from its parameters and a `Request` to a `Generated` grid:

    @generator("drunkard", version=1)
    def generate(parameters: Drunkard, request: Request) -> Generated: ...

It takes random numbers only from `request.stream`, reads files only through `request.read_file`,
and computes with integers, so that a spec gives the same cells on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from importlib import import_module
from inspect import getdoc
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from exporter.generators._tile_options import PaintedCells
from exporter.model.costs import Cost, CostFunction, cost_of_cells
from exporter.model.errors import ParameterError, RegistryError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, AlignedLayerName, OptionGroups, Parameters
from exporter.model.registry import Registry, first_paragraph, parameter_class

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.generators.given import FixedCells
    from exporter.generators.trace import Trace
    from exporter.model.level import HeightRange, Layer, LayerKind, PlacedObject, Room, Tile
    from exporter.model.level_values import LayerRole
    from exporter.model.windows import Window
    from exporter.streams import Stream
    from exporter.visibility.table import VisibilityTable

Connect = Literal[False, True, "guaranteed"]
# A layer of the same size, or a picture.
GivenCells = AlignedLayerName | PaintedCells
# The parameters that give cells.
GIVING = ("fixed", "only_in", "never_in")


@dataclass(frozen=True, kw_only=True)
class JoiningParameters(Parameters):
    """Parameters of a generator that connects regions itself."""

    option_groups: ClassVar[OptionGroups] = {
        "Connections and given cells": ("connect", "fixed", "only_in", "never_in"),
    }

    connect: Annotated[
        Connect,
        About(
            "Join separate regions: `true` in the generator's own way, `guaranteed` also carves "
            "the shortest joins until one region is left."
        ),
    ] = False
    fixed: Annotated[
        GivenCells | None,
        About(
            "Layer or picture whose cells are given: they stay as they are, and the rest is made "
            "around them. Its empty cells are free.",
            also=("locked",),
        ),
    ] = None
    only_in: Annotated[
        GivenCells | None,
        About(
            "Layer or picture outside whose walkable cells nothing is walkable but what `fixed` "
            "gives."
        ),
    ] = None
    never_in: Annotated[
        GivenCells | None,
        About(
            "Layer or picture in whose walkable cells nothing is walkable but what `fixed` gives."
        ),
    ] = None

    @property
    def gives_cells(self) -> bool:
        """Whether the spec fixes some of the layer's cells before generation."""
        return any(getattr(self, name) is not None for name in GIVING)

    def may_have_other_tiles(self) -> bool:
        """Return whether fixed cells can bring tiles of other layers."""
        return self.gives_cells


@dataclass(frozen=True, kw_only=True)
class MapParameters(JoiningParameters):
    """Parameters of a generator whose regions can be connected later."""

    connect: Annotated[
        Literal[False, "guaranteed"],
        About(
            "Join separate regions: `guaranteed` carves the shortest joins until one region is "
            "left.",
            values=(("guaranteed", ("true", "yes", "on")),),
        ),
    ] = False


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """The inputs of a generator besides its parameters.

    Attributes:
        name: The layer's name.
        width: The number of columns of the requested grid.
        height: The number of rows of the requested grid.
        stream: The random stream of the layer.
        layers: The finished layers, among them all that the parameters name.
        read_file: Reads a file of the project by its path relative to the spec, and records it as
            an input of the build. Raises ParameterError if the file is missing or outside the
            project.
        visibility: Computes (once) the level's visibility table, for derived layers; None if the
            spec has no `visibility`.
        visibility_layer: The name of the layer that blocks sight.
        objects: The placed objects that the parameters name; for derived layers all objects. The
            ids of named objects count from 1 for each name.
        ground: Returns the layers that make up the level's walkable cells, in the order of the
            spec, for parameters whose `needs_ground()` is true; None otherwise.
        fixed: The cells that the spec fixes in advance; None without any. They replace what the
            generator returns there; a generator reads them to fit the rest around them.
        grid_aligned: Whether a cell of the requested grid is a cell of the level (False for a layer
            of another size, which only spans the same area).
        trace: Receives the generator's steps; None if not requested. The result is the same with a
            trace.
        part: The requested chunk; None for the whole layer. `width` and `height` are those of the
            chunk, and so is the size of `layers`. Only for generators with `parts`.
        extremes: The lowest and highest number of the whole layer, as the generator's
            `Parts.survey` finds them; None if the whole layer is requested, or without a survey.
        given: The ids of all tiles in the layer that the parameter `fixed` names, also outside the
            chunk; None if the whole layer is requested.
    """

    name: str
    width: int
    height: int
    stream: Stream
    layers: Mapping[str, Layer] = field(default_factory=dict)
    read_file: Callable[[str], bytes] | None = None
    visibility: Callable[[], VisibilityTable] | None = None
    visibility_layer: str | None = None
    objects: tuple[PlacedObject, ...] = ()
    ground: Callable[[], tuple[Layer, ...]] | None = None
    fixed: FixedCells | None = None
    grid_aligned: bool = True
    trace: Trace | None = None
    part: Window | None = None
    extremes: Extremes | None = None
    given: frozenset[int] | None = None

    @property
    def window(self) -> Window:
        """The requested rectangle of the layer: a chunk, or the whole layer."""
        from exporter.model.windows import Window

        return self.part or Window.of_whole(self.width, self.height)

    def read_project_file(self, path: str, where: tuple[str | int, ...]) -> bytes:
        """Return the content of the project's file `path`, relative to the spec.

        Raises:
            ParameterError: The level has no folder, or the file cannot be read. The error is at
                `where`, the path of the parameter that names the file.
        """
        if self.read_file is None:
            raise ParameterError(
                "files cannot be read, because the level has no folder (save the spec to a file "
                "first)",
                where,
            )
        try:
            return self.read_file(path)
        except ParameterError as error:
            raise ParameterError(error.message, error.path or where) from None

    def finished_layer(self, name: str, path: tuple[str | int, ...]) -> Layer:
        """Return the finished layer `name`.

        Raises:
            ParameterError: No layer above this one in the spec has that name. The error is at
                `path`, the path of the parameter that names the layer.
        """
        if name not in self.layers:
            known = ", ".join(self.layers) or "none yet"
            raise ParameterError(
                f"there is no layer {name!r} above this one (layers above: {known})", path
            )
        return self.layers[name]


@dataclass(frozen=True, slots=True)
class Extremes:
    """The lowest and the highest number (`least`, `greatest`) of a layer."""

    least: int
    greatest: int

    def joined(self, other: Extremes) -> Extremes:
        """Return the extremes of two parts of a layer together."""
        return Extremes(min(self.least, other.least), max(self.greatest, other.greatest))


@dataclass(frozen=True, slots=True)
class Parts:
    """How a generator makes single chunks that fit into the whole layer.

    Attributes:
        halo: Returns how many cells around a chunk affect its cells (the halo), from the parameters
            and the level's radius of sight (0 without sight). The generator gets the chunk with
            this margin, which is then cut off. Raises ParameterError if a cell depends on the whole
            map.
        survey: Returns the lowest and highest number of a chunk. It takes the parameters, the
            request for the chunk with its halo, and where the chunk is in that: its rows and
            columns. None if the generator needs no such numbers.
        surveyed: Takes the parameters; returns whether they need `survey`.
    """

    halo: Callable[[Any, int], int]
    survey: Callable[[Any, Request, tuple[slice, slice]], Extremes] | None = None
    surveyed: Callable[[Any], bool] = bool


def cells_alone(_parameters: Any, _radius: int) -> int:
    """Return the halo 0, for generators whose cells need no other cells."""
    return 0


def next_cells(_parameters: Any, _radius: int) -> int:
    """Return the halo 1, for generators whose cells need adjacent cells."""
    return 1


@dataclass(frozen=True, slots=True, eq=False)
class Generated:
    """The result of a generator: cells, tiles, rooms and objects.

    Attributes:
        cells: uint8 or uint16 [height, width]: tile ids, or samples of heights.
        tiles: The tiles by id, for tile layers.
        kind: `tiles` or `heights`.
        heights: The range of the samples, for heights.
        walkable: bool [height, width]: the walkable cells of heights, if known; for tiles they
            follow from `tiles`.
        complete: Whether everything that the parameters request was placed.
        report: Facts on the layer for the export report, as JSON data.
        rooms: The rooms that the generator built.
        carved: The number of cells that the generator opened to connect regions, for the
            certificate.
        regions_before: The number of regions before the generator connected them; None if it does
            not.
        masks: Named sets of cells: bool [height, width] each.
        objects: The objects of the map, numbered from 1; their names must be among the parameters'
            `object_names`.
        kept: bool [height, width]: cells that must stay closed when regions are connected.
    """

    cells: NDArray[np.uint8] | NDArray[np.uint16]
    tiles: tuple[Tile, ...] = ()
    kind: LayerKind = "tiles"
    heights: HeightRange | None = None
    walkable: NDArray[np.bool_] | None = None
    complete: bool = True
    report: Mapping[str, Any] = field(default_factory=dict)
    rooms: tuple[Room, ...] = ()
    carved: int = 0
    regions_before: int | None = None
    masks: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    objects: tuple[PlacedObject, ...] = ()
    kept: NDArray[np.bool_] | None = None


Stage = Literal["map", "sight", "derived"]
Generate = Callable[[Any, Request], Generated]
Shortfall = Callable[[Any, "Layer"], str]
Function = TypeVar("Function", bound=Generate)


@dataclass(frozen=True, slots=True)
class Generator:
    """A registered generator: name, output version, parameters, function.

    `stage` is when it runs. Generators of `map` run in the order of the spec, each after the
    objects that it names. Those of `sight` (which read visibility) and `derived` (which read
    visibility and all objects) run last.

    `cost` estimates the seconds of a layer from its parameters, width and height. `shortfall`
    returns a message on requests that the finished layer does not meet, with numbers and a fix,
    else "". `makes` is the kind of the layers and `tiles` all tiles they can have, None if this
    depends on the parameters. `also` are synonyms; a message about such a name suggests the
    generator. `role` is the default role of the layers: `data` for those that measure other layers.
    `parts` makes single chunks; None if the generator needs the whole map.
    """

    name: str
    version: int
    parameters: type[Parameters]
    generate: Generate
    stage: Stage = "map"
    summary: str = ""
    cost: CostFunction = cost_of_cells
    shortfall: Shortfall | None = None
    makes: LayerKind | None = None
    tiles: tuple[Tile, ...] | None = None
    also: tuple[str, ...] = ()
    role: LayerRole = "play"
    parts: Parts | None = None


GENERATORS: Registry[Generator] = Registry(
    "exporter.generators", "generator", Generator, helpers=("fixed", "given", "pieces", "trace")
)


def generator(
    name: str,
    version: int,
    stage: Stage = "map",
    cost: CostFunction = cost_of_cells,
    *,
    shortfall: Shortfall | None = None,
    makes: LayerKind | None = None,
    tiles: tuple[Tile, ...] | None = None,
    also: tuple[str, ...] = (),
    role: LayerRole = "play",
    parts: Parts | None = None,
) -> Callable[[Function], Function]:
    """Register the decorated function as the generator `name`.

    The annotation of its first parameter is the dataclass of what users may write; the first
    paragraph of that dataclass's docstring is the generator's summary.

    Raise `version` whenever the same parameters give other cells than before. Give `cost` if the
    time does not follow from the number of cells alone. For the other arguments see `Generator`.
    """

    def register(function: Function) -> Function:
        parameters = parameter_class(function, Parameters)
        generate: Generate = function
        if not GENERATORS.is_ours(function.__module__):
            # By its name, because this module defines its dependencies.
            outside = import_module("exporter.generators._outside")
            fault = outside.parameters_fault(parameters)
            if fault:
                raise RegistryError(fault)
            generate = GENERATORS.guarded(name, outside.checked(name, function, role), Generated)
        guarded_cost = GENERATORS.guarded(name, cost, Cost)
        summary = first_paragraph(getdoc(parameters))
        kind = "tiles" if makes is None and tiles is not None else makes
        entry = Generator(
            name,
            version,
            parameters,
            generate,
            stage,
            summary,
            guarded_cost,
            None if shortfall is None else GENERATORS.guarded(name, shortfall, str),
            kind,
            tiles,
            also,
            role,
            None if parts is None else _guarded_parts(name, parts),
        )
        GENERATORS.add(name, entry, function.__module__)
        return function

    return register


def _guarded_parts(name: str, parts: Parts) -> Parts:
    """Wrap `parts` so that errors in them name the third-party generator."""
    return replace(
        parts,
        halo=GENERATORS.guarded(name, parts.halo),
        survey=parts.survey and GENERATORS.guarded(name, parts.survey, Extremes),
        surveyed=parts.surveyed
        if parts.surveyed is bool
        else GENERATORS.guarded(name, parts.surveyed),
    )


def no_given_cells(key: str) -> str:
    """Return the message that a generator cannot have the parameter `key`.

    `key` is `fixed`, `only_in` or `never_in`; the message lists the generators that can have it.
    """
    able = [
        name
        for name in GENERATORS.built_in()
        if issubclass(GENERATORS.get(name).parameters, JoiningParameters)
    ]
    return f"this generator takes no {key!r} (generators that do: {', '.join(able)})"
