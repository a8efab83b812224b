"""Generators: one module each, named as users write it in a spec.

A generator is a pure function from its parameters and a `Request` to a `Generated` grid:

    @generator("drunkard", version=1)
    def generate(parameters: Drunkard, request: Request) -> Generated: ...

It draws only from `request.stream`, reads files only through `request.read_file`, and decides in
integers, so that the same spec gives the same cells on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from importlib import import_module
from inspect import getdoc
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from exporter.generators._tile_options import PaintedCells
from exporter.model.costs import Cost, CostFunction, cost_of_cells
from exporter.model.errors import RegistryError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, AlignedLayerName, Parameters
from exporter.model.registry import Registry, first_paragraph, parameter_class

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.generators.given import FixedCells
    from exporter.generators.trace import Trace
    from exporter.model.level import HeightRange, Layer, LayerKind, PlacedObject, Room, Tile
    from exporter.model.roles import LayerRole
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
        """Whether the spec fixes some cells in advance."""
        return any(getattr(self, name) is not None for name in GIVING)

    def may_have_other_tiles(self) -> bool:
        """Whether fixed cells can bring other tiles."""
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
        width: Cells in a row of the requested grid.
        height: Rows of the requested grid.
        stream: The layer's own random stream.
        layers: Finished layers, with all that the parameters name.
        read_file: Reads a file of the project by its path relative to the spec; the build
            records it as an input. Raises ParameterError when it is missing or outside.
        visibility: Computes (once) the level's visibility table, for derived layers; None where
            the spec has no visibility block.
        visibility_layer: Name of the layer with that table's opaque cells.
        objects: The placed objects that the parameters name; for derived layers all objects.
            The ids of named objects count from 1 for each name.
        ground: Returns the layers that make up the level's walkable cells, in the order of the
            spec, for parameters whose `needs_ground()` is true; None otherwise.
        fixed: The given cells; None without any. They are in the finished layer whatever a
            generator returns there: it reads them to make the rest around them.
        grid_aligned: Whether a cell of the requested grid is a cell of the level (False for a
            layer of another size, which only spans the same area).
        trace: Receives the steps of a generator that iterates; None if they are not requested.
            The result is the same with a trace.
        part: The requested chunk of the layer, if not the whole: `width` and `height` are the
            chunk's, and so is the size of `layers`. Only for generators with `parts`.
        extremes: The result of `parts.survey` for the whole layer; None if the whole is requested.
        given: The ids of all tiles that the layer `fixed` has anywhere; None if the whole is
            requested.
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
        """The requested rectangle of the layer; may be the whole layer."""
        from exporter.model.windows import Window

        return self.part or Window.of_whole(self.width, self.height)


@dataclass(frozen=True, slots=True)
class Extremes:
    """The lowest and highest number in a layer, if it has any."""

    least: int
    greatest: int

    def joined(self, other: Extremes) -> Extremes:
        """Return the extremes of both."""
        return Extremes(min(self.least, other.least), max(self.greatest, other.greatest))


@dataclass(frozen=True, slots=True)
class Parts:
    """How a generator makes chunks that equal the whole layer's cells.

    Attributes:
        halo: From the parameters and the level's radius of sight (0 without one), how many cells
            around a part affect its cells. The generator gets a part with them, as far as
            the map goes, and what it makes of them is not used. ParameterError, at the parameter,
            where a cell depends on the whole map.
        survey: From the parameters, the request for a part with its halo, and the rows and columns
            of the part in it, the extremes of what has to be known of the whole; None if nothing
            has.
        surveyed: From the parameters, whether there is anything to survey.
    """

    halo: Callable[[Any, int], int]
    survey: Callable[[Any, Request, tuple[slice, slice]], Extremes] | None = None
    surveyed: Callable[[Any], bool] = bool


def cells_alone(_parameters: Any, _radius: int) -> int:
    """Return the margin of a generator that reads no other cells: 0."""
    return 0


def next_cells(_parameters: Any, _radius: int) -> int:
    """Return the margin of a generator that reads adjacent cells: 1."""
    return 1


@dataclass(frozen=True, slots=True, eq=False)
class Generated:
    """The result of a generator: cells, tiles, rooms and objects.

    Attributes:
        cells: uint8 or uint16 [height, width].
        tiles: The legend, for tile layers.
        kind: `tiles` or `heights`.
        heights: The range of the samples, for heights.
        walkable: bool [height, width], the walkable cells of heights, if known;
            tiles have a legend for it.
        complete: False if not everything requested could be placed.
        report: JSON-able remarks for the export report.
        rooms: Rooms built.
        carved: Cells the generator itself opened to connect regions, for the certificate.
        regions_before: Regions before the generator connected them; None if it does not connect.
        masks: Named sets of cells: bool [height, width] each.
        objects: The objects of the map, numbered from 1; their names must be among the
            parameters' `object_names`.
        kept: bool [height, width]: cells that joining separate regions must not open.
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

    `stage` is `map` for generators that run in the order of the spec, after the objects that their
    parameters name. It is `sight` for generators that also read visibility, and `derived` for
    generators that read visibility and all objects; both come last. `cost` estimates the seconds of
    a layer from its parameters, width and height, without making it. `shortfall` describes, from
    the parameters and the finished layer, which requests could not be met, with figures and a fix;
    it may be empty. `makes` and `tiles` are the kind of every layer, and all kinds of tiles it can
    have, before one is made; None where that depends on the parameters. `also` are synonyms: a user
    who writes one gets the name suggested. `role` is the role of its layers by default: `data` for
    layers that measure other layers. `parts` makes a layer by chunks; None if the generator needs
    the whole.
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

    `version` rises whenever the same parameters give other cells than before. `cost` is needed if
    the time does not follow from the number of cells alone. `shortfall` describes what could not be
    made; `makes`, `tiles` and `also` help to find mistakes before anything is made; `role` is the
    default role of its layers, and `parts` makes layers of worlds by parts: see `Generator`.
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
    """Return a generator's parts, with failures named if it is third-party."""
    return replace(
        parts,
        halo=GENERATORS.guarded(name, parts.halo),
        survey=parts.survey and GENERATORS.guarded(name, parts.survey, Extremes),
        surveyed=parts.surveyed
        if parts.surveyed is bool
        else GENERATORS.guarded(name, parts.surveyed),
    )


def no_given_cells(key: str) -> str:
    """Return the message that a generator cannot keep fixed cells.

    Args:
        key: The parameter that was written, one of `GIVING`.
    """
    able = [
        name
        for name in GENERATORS.built_in()
        if issubclass(GENERATORS.get(name).parameters, JoiningParameters)
    ]
    return f"this generator takes no {key!r} (generators that do: {', '.join(able)})"
