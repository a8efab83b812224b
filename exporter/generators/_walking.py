"""Find the cells that are walked on, and the goals of walks."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Request
from exporter.generators._combining import aligned_layer, aligned_walkable, cells_named
from exporter.generators._legend import TileName
from exporter.model.costs import Cost
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, walkable_cells
from exporter.model.parameters import About, AlignedLayerName, ObjectName, Parameters, Within
from exporter.model.suggestions import unknown_name

Mask = NDArray[np.bool_]
# Longer paths have this length in a layer of steps.
LARGEST_SAMPLE = 65534


@dataclass(frozen=True, kw_only=True)
class WalkParameters(Parameters):
    """Parameters of all layers that measure walks."""

    needs_level_size: ClassVar[bool] = True

    of: Annotated[
        AlignedLayerName | None,
        About(
            "Layer on whose walkable cells one walks; default: all `play` layers together, as "
            "objects do.",
            also=("on", "map", "layer"),
        ),
    ] = None

    def needs_ground(self) -> bool:
        """Return whether walks use the level's walkable cells: `of` is unset."""
        return self.of is None


@dataclass(frozen=True, kw_only=True)
class GoalParameters(WalkParameters):
    """Parameters of layers that measure walks to goals."""

    objects: Annotated[
        tuple[ObjectName, ...],
        Within(0, 256, length=True),
        About("Names of the placed objects that are goals.", also=("goal", "to", "from")),
    ] = ()
    tile: Annotated[
        TileName | tuple[TileName, ...] | None,
        About(
            "Names of tiles that are goals: of `of`, or of the last `play` layer that has one of "
            "that name."
        ),
    ] = None

    @property
    def tile_names(self) -> tuple[str, ...]:
        """The names of the tiles that are goals."""
        if self.tile is None:
            return ()
        return (self.tile,) if isinstance(self.tile, str) else self.tile

    def check(self, width: int, height: int) -> None:
        """Refuse parameters without a goal: neither an object nor a tile.

        Raises:
            ParameterError: No goal is set; the error has the path of `objects`.
        """
        if not self.objects and not self.tile_names:
            raise ParameterError(
                "the walk has no goal (name `objects`, or kinds of tiles with `tile`)", ("objects",)
            )


def cost_of_walks(parameters: WalkParameters, width: int, height: int) -> Cost:
    """Estimate the time of searches that visit all cells of the layer."""
    return Cost(width * height * 0.3e-6, ("size",))


def walked_layers(parameters: WalkParameters, request: Request) -> tuple[Layer, ...]:
    """Return the layer that `of` names, or those of the walkable cells.

    Without `of` these are the layers that make up the level's walkable cells.

    Raises:
        ParameterError: The layer is missing or has another size, or the level has no `play` layer;
            the error has the path of `of`.
    """
    if parameters.of is not None:
        return (aligned_layer(request, parameters.of, ("of",)),)
    layers = request.ground() if request.ground is not None else ()
    if not layers:
        raise ParameterError(
            "the level has no `play` layer to walk on (name the layer with `of`)", ("of",)
        )
    return layers


def walked_cells(parameters: WalkParameters, layers: tuple[Layer, ...], request: Request) -> Mask:
    """Return the cells of `layers` that can be walked on.

    The result is bool [height, width].

    Raises:
        ParameterError: The walkable cells of the layer that `of` names are unknown; the error has
            the path of `of`.
    """
    if parameters.of is not None:
        return aligned_walkable(request, parameters.of, ("of",))
    return walkable_cells(layers, (request.height, request.width))


def object_cells(names: tuple[str, ...], request: Request) -> Mask:
    """Return the cells of all objects called `names`: bool [height, width]."""
    cells = np.zeros((request.height, request.width), bool)
    for item in request.objects:
        if item.name in names:
            cells[item.y, item.x] = True
    return cells


def goal_cells(parameters: GoalParameters, layers: tuple[Layer, ...], request: Request) -> Mask:
    """Return the cells of all goals, objects and tiles: bool [height, width].

    `parameters` name the objects and tiles; tiles are looked up in `layers`.

    Raises:
        ParameterError: No layer has a tile of such a name; the error has the path of `tile`.
    """
    cells = object_cells(parameters.objects, request)
    for index, name in enumerate(parameters.tile_names):
        path = ("tile",) if isinstance(parameters.tile, str) else ("tile", index)
        cells |= _tile_cells(name, layers, path)
    return cells


def _tile_cells(name: str, layers: tuple[Layer, ...], path: tuple[str | int, ...]) -> Mask:
    """Return the cells of the tile `name` in the last of `layers` that has it.

    Raises:
        ParameterError: No layer has such a tile; the error has `path`.
    """
    with_tiles = [layer for layer in layers if layer.kind == "tiles"]
    for layer in reversed(with_tiles):
        if any(tile.name == name for tile in layer.tiles):
            return cells_named(layer, name, path)
    known = dict.fromkeys(tile.name for layer in with_tiles for tile in layer.tiles)
    raise ParameterError(unknown_name("tile", name, list(known)), path)


def no_goal(parameters: GoalParameters, layer: Layer) -> str:
    """Return a warning if no goal is on the map of `layer`, or ""."""
    if layer.report.get("goals", 1):
        return ""
    names = ", ".join(map(repr, (*parameters.objects, *parameters.tile_names)))
    return f"no {names} is on the map, so no cell has a way to one"
