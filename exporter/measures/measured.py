"""Compute facts about a level or layer once, for all its measures."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from exporter.grids.certificates import certify
from exporter.grids.distances import distance_from
from exporter.grids.regions import Regions, label_regions
from exporter.grids.room_maps import RoomMap, room_map
from exporter.model.errors import NotMeasurableError, ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Certificate, Layer, Level, Room
from exporter.model.suggestions import unknown_name

if TYPE_CHECKING:
    from exporter.placement.observed import ObservedGroup
    from exporter.placement.parameters import ObjectParameters
    from exporter.visibility.table import VisibilityTable

Cell = tuple[int, int]
NO_ROOMS = "no layer was built of rooms (use rooms_and_corridors, bsp_rooms or prefabs)"


@dataclass(frozen=True, slots=True)
class Making:
    """How a level was built, for measures that explain the build.

    Attributes:
        groups: The object groups, which are the entries of `objects:`.
        separate_cells: Returns the walkable cells of a layer before `connect` joined its regions;
            None without `connect`.
        generated_layer: Returns a layer as generated, before hand edits.
        edited_cells: Returns `edit` or `conflict` for each cell (x, y) that was edited by hand. The
            argument is a layer; None means all layers.
        observed_group: Returns why each cell was or was not used by the group of this index.
    """

    groups: tuple[ObjectParameters, ...]
    separate_cells: Callable[[str], NDArray[np.bool_] | None]
    generated_layer: Callable[[str], Layer]
    edited_cells: Callable[[str | None], dict[Cell, str]]
    observed_group: Callable[[int], ObservedGroup]


class Measured:
    """A level or layer to measure; values are computed on demand, once.

    An attribute that the level or layer lacks raises `NotMeasurableError`, which names it.

    Args:
        subject: The level or layer.
        sight: Computes the field of view when a measure asks for it; default: the level's own.
        making: How the level was built; None if unknown.
    """

    def __init__(
        self,
        subject: Level | Layer,
        sight: Callable[[], VisibilityTable] | None = None,
        making: Making | None = None,
    ) -> None:
        self._level = subject if isinstance(subject, Level) else None
        self._layer = subject if isinstance(subject, Layer) else None
        self._sight = sight
        self._making = making

    # --- the map ------------------------------------------------------------------------------

    @property
    def level(self) -> Level:
        """The measured level; raises `NotMeasurableError` for a single layer."""
        if self._level is None:
            raise NotMeasurableError(
                "this measure cannot be computed for a single layer (measure the level)"
            )
        return self._level

    @property
    def making(self) -> Making:
        """How the level was built; raises `NotMeasurableError` if unknown."""
        if self._making is None:
            raise NotMeasurableError(
                "this measure needs the build steps of the level, which are not known"
            )
        return self._making

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The `play` layers in order, or the single measured layer."""
        if self._layer is not None:
            return (self._layer,)
        return tuple(self.level.play_layers())

    @cached_property
    def walkable(self) -> NDArray[np.bool_]:
        """The walkable cells, called floor in measures: bool [height, width]."""
        if self._layer is not None:
            if self._layer.walkable is None:
                raise NotMeasurableError("the layer has no walkable cells to measure")
            return self._layer.walkable
        if not self.layers:
            raise NotMeasurableError("the level has no `play` layer, so it has no walkable cells")
        return self.level.walkable()

    @property
    def cells(self) -> int:
        """The number of cells of the map, walkable or not."""
        return int(self.walkable.size)

    @cached_property
    def floor_count(self) -> int:
        """The number of walkable cells."""
        return int(np.count_nonzero(self.walkable))

    @cached_property
    def certificate(self) -> Certificate:
        """The certificate of the walkable cells: proven facts about them.

        If a layer has the same walkable cells, its certificate is used; else one is computed.
        """
        for layer in self.layers:
            same = layer.walkable is self.walkable or (
                layer.walkable is not None and np.array_equal(layer.walkable, self.walkable)
            )
            if same and layer.certificate is not None:
                return layer.certificate
        return certify(self.walkable)

    @cached_property
    def regions(self) -> Regions:
        """The connected regions of the walkable cells."""
        return label_regions(self.walkable)

    @property
    def start(self) -> Cell | None:
        """The cell (x, y) where walks start; None if no cell is walkable.

        It is the first cell, row by row, of the largest region.
        """
        return self.certificate.start

    @cached_property
    def steps_from_start(self) -> NDArray[np.int32]:
        """The steps from the start to each cell, or -1: int32 [height, width]."""
        return self.steps_from([] if self.start is None else [self.start])

    def steps_from(self, cells: list[Cell]) -> NDArray[np.int32]:
        """Return each cell's steps from the nearest of `cells` (x, y).

        The result is int32 [height, width], -1 for unreachable cells. A step goes to one of four
        neighbours.
        """
        sources = np.zeros(self.walkable.shape, bool)
        for x, y in cells:
            sources[y, x] = True
        return distance_from(sources, self.walkable)

    @cached_property
    def tiles(self) -> Layer:
        """The layer whose tiles are measured: the last `play` layer.

        For a single layer, it is this layer.
        """
        if not self.layers or self.layers[-1].kind != "tiles":
            raise NotMeasurableError("there is no `play` layer of tiles to measure")
        return self.layers[-1]

    @cached_property
    def rooms(self) -> tuple[Room, ...]:
        """The rooms that generators built in the measured layers."""
        rooms = tuple(room for layer in self.layers for room in layer.rooms)
        if not rooms:
            raise NotMeasurableError(NO_ROOMS)
        return rooms

    @cached_property
    def room_map(self) -> RoomMap:
        """The rooms of all measured layers: each cell's room, and the room graph."""
        result = room_map(self.layers)
        if result is None:
            raise NotMeasurableError(NO_ROOMS)
        return result

    def aligned_layer(self, name: str) -> Layer:
        """Return the layer `name`, which has the size of the level.

        Raises:
            ParameterError: There is no such layer, or it has another size than the level.
        """
        if name not in self.level.layers:
            raise ParameterError(unknown_name("layer", name, list(self.level.layers)))
        layer = self.level.layers[name]
        if not layer.grid_aligned:
            raise ParameterError(
                f"the layer {name!r} differs in size from the level, so it cannot be measured "
                "with it (name another layer)"
            )
        return layer

    # --- objects ------------------------------------------------------------------------------

    @cached_property
    def objects(self) -> dict[str, list[Cell]]:
        """The cells (x, y) of objects, by name, in the order of placement."""
        cells: dict[str, list[Cell]] = {}
        for placed in self.level.objects:
            cells.setdefault(placed.name, []).append((placed.x, placed.y))
        return cells

    def placed(self, name: str) -> list[Cell]:
        """Return the cells (x, y) of the objects called `name`, at least one.

        Raises:
            NotMeasurableError: No object of that name is placed.
            ParameterError: The spec has no object of that name.
        """
        if name in self.objects:
            return self.objects[name]
        if self._making is not None:
            names = dict.fromkeys(group.name for group in self._making.groups)
            if name not in names:
                raise ParameterError(unknown_name("object", name, [*names, *self.objects]))
        raise NotMeasurableError(f"the level has no object {name!r}")

    def entry(self, text: str) -> int:
        """Return the index of the object group that `text` names.

        `chest` is the first group of this name, `chest:2` the second.
        """
        return entry_of(self.making.groups, text)

    # --- sight --------------------------------------------------------------------------------

    @cached_property
    def sight(self) -> VisibilityTable:
        """The level's field of view."""
        if self._sight is not None:
            return self._sight()
        if self.level.visibility is None:
            raise NotMeasurableError(
                "the level has no `visibility:` (write `visibility: {radius: 8}` at the left "
                "margin)"
            )
        return cast("VisibilityTable", self.level.visibility)

    @cached_property
    def sighted_floor(self) -> NDArray[np.bool_]:
        """The walkable cells that do not block sight: bool [height, width]."""
        floor: NDArray[np.bool_] = self.walkable & ~self.sight.opaque
        return floor


def entry_of(groups: tuple[ObjectParameters, ...], text: str) -> int:
    """Return the index in `groups` of the group that `text` names.

    `chest` is the first group called so, `chest:2` the second.

    Raises:
        ParameterError: There is no such group.
    """
    name, colon, number = text.partition(":")
    places = [position for position, group in enumerate(groups) if group.name == name]
    if not places:
        if not groups:
            raise ParameterError("the spec has no `objects:`")
        known = list(dict.fromkeys(group.name for group in groups))
        raise ParameterError(unknown_name("object", name, known))
    if not colon:
        return places[0]
    if not (number.isascii() and number.isdigit() and len(number) < 9):
        raise ParameterError(f"{number!r} is not the number of an entry of {name} (write {name}:2)")
    if not 1 <= int(number) <= len(places):
        raise ParameterError(
            f"there is no entry {number} of {name!r} (allowed: 1 to {len(places)})"
        )
    return places[int(number) - 1]
