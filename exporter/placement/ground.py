"""Find the ground of objects: one layer, or all `play` layers together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, walkable_cells
from exporter.model.suggestions import unknown_name

Mask = NDArray[np.bool_]
NO_PLAY_LAYER = (
    "the level has no `play` layer for objects (write `role: play` in a tile layer, or name the "
    "layer of these objects with `layer`)"
)


@dataclass(frozen=True, slots=True, eq=False)
class PlacementGround:
    """The layers on which objects stand, and their walkable cells.

    Attributes:
        name: The layer's name; None for all `play` layers together.
        layers: The named layer, or the `play` layers in the order of the spec.
        walkable: bool [height, width]: the walkable cells.
    """

    name: str | None
    layers: tuple[Layer, ...]
    walkable: Mask

    def tile(self, name: str) -> Mask:
        """Return the cells with the tile called `name`: bool [height, width].

        If several layers have such a tile, only the last of them, which lies on top, counts. If the
        tile is walkable, cells that another layer blocks are left out.

        Raises:
            ParameterError: No layer has such a tile; the error has the path of `on_tile`.
        """
        for layer in reversed(self.layers):
            named = [tile.name == name for tile in layer.tiles]
            if any(named):
                open_ = [tile.name == name and tile.walkable for tile in layer.tiles]
                lies: Mask = layer.lookup(named)
                return lies & (self.walkable | ~layer.lookup(open_))
        known = dict.fromkeys(tile.name for layer in self.layers for tile in layer.tiles)
        raise ParameterError(unknown_name("tile", name, list(known)), ("on_tile",))

    def room(self, name: str, required: bool) -> Mask:
        """Return the cells of the room or area `name`: bool [height, width].

        If several layers have such a room, the last of them counts. If the room was not built and
        the objects are not `required`, it has no cells.

        Raises:
            ParameterError: There is no such room, and it is required; the error has the path of
                `room`.
        """
        inside = np.zeros(self.walkable.shape, bool)
        for layer in reversed(self.layers):
            rooms = [room for room in layer.rooms if room.name == name]
            for room in rooms:
                top, left = max(room.y, 0), max(room.x, 0)
                bottom, right = max(room.y + room.height, 0), max(room.x + room.width, 0)
                inside[top:bottom, left:right] = True
            if name in layer.masks:
                inside |= layer.masks[name]
            if rooms or name in layer.masks:
                return inside
        if not required:
            return inside
        known = list(dict.fromkeys(name for layer in self.layers for name in area_names(layer)))
        if known:
            raise ParameterError(unknown_name("room", name, known), ("room",))
        raise ParameterError(self.no_rooms(), ("room",))

    def no_rooms(self) -> str:
        """Return the message that the ground has no rooms."""
        if self.name is not None:
            return f"layer {self.name!r} has no rooms"
        return "the `play` layers have no rooms (if another layer has, name it with `layer`)"


def area_names(layer: Layer) -> list[str]:
    """Return the names of the rooms of `layer`, and of its other named areas."""
    return [*(room.name for room in layer.rooms), *layer.masks]


def ground_of_layer(layer: Layer) -> PlacementGround:
    """Return the ground for objects that stand on the layer they name.

    Raises:
        ParameterError: The layer has no walkable cells; the error has the path of `layer`.
    """
    if not layer.grid_aligned or layer.walkable is None:
        raise ParameterError(
            f"objects cannot be placed on layer {layer.name!r}: it has no walkable cells, or "
            "differs in size from the level",
            ("layer",),
        )
    return PlacementGround(layer.name, (layer,), layer.walkable)


def mask_of_layer(layer: Layer, parameter: str) -> Mask:
    """Return the walkable cells of a layer used as mask: bool [height, width].

    `parameter` is the group's parameter that names the layer, for errors.

    Raises:
        ParameterError: The layer has no walkable cells, or another size than the level.
    """
    if not layer.grid_aligned or layer.walkable is None:
        raise ParameterError(no_mask(layer.name), (parameter,))
    return layer.walkable


def no_mask(name: str) -> str:
    """Return the message that layer `name` cannot be a mask."""
    return f"the layer {name!r} has no walkable cells of the level's size"


def heights_of_layer(layer: Layer) -> Layer:
    """Return `layer`, if it has heights for the cells of the level.

    Raises:
        ParameterError: The layer has no heights, or another size than the level; the error has the
            path of `steps`.
    """
    if layer.kind != "heights":
        raise ParameterError(no_heights(layer.name), ("steps",))
    if not layer.grid_aligned:
        raise ParameterError(other_heights(layer.name), ("steps",))
    return layer


def no_heights(name: str) -> str:
    """Return the message that layer `name` holds tiles instead of heights."""
    return (
        f"the layer {name!r} holds tiles, not heights (name one of `steps_from` or other heights, "
        "or use `only_in`)"
    )


def other_heights(name: str) -> str:
    """Return the message that layer `name` has another size than the level."""
    return (
        f"the layer {name!r} has a size of its own, so its heights are not those of cells (remove "
        "its `size`)"
    )


def common_ground(layers: Sequence[Layer]) -> PlacementGround:
    """Return the common ground of `layers`: all `play` layers of a level.

    Raises:
        ParameterError: There is no `play` layer.
    """
    if not layers:
        raise ParameterError(NO_PLAY_LAYER)
    return PlacementGround(None, tuple(layers), walkable_cells(layers, layers[0].cells.shape))
