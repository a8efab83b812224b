"""Find the other layers that a combining generator reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.generators import Request
from exporter.generators._relief_sources import walkable_layer
from exporter.model.errors import ParameterError
from exporter.model.level import Layer

Path = tuple[str | int, ...]


def aligned_layer(request: Request, name: str, path: Path) -> Layer:
    """Return the finished layer `name`, which must have the requested size.

    Raises:
        ParameterError: The layer is not above this one in the spec, or has another size. The error
            has `path`, that of the parameter that names the layer.
    """
    layer = request.finished_layer(name, path)
    if layer.cells.shape != (request.height, request.width):
        raise ParameterError(
            f"the layer {name!r} has {layer.width} x {layer.height} cells, but this layer has "
            f"{request.width} x {request.height} (change or remove `size`)",
            path,
        )
    return layer


def aligned_tiles(request: Request, name: str, path: Path) -> Layer:
    """Return the tile layer `name`, which must have the requested size.

    Raises:
        ParameterError: The layer is not above this one in the spec, has another size, or holds
            heights. The error has `path`, that of the parameter that names the layer.
    """
    layer = aligned_layer(request, name, path)
    if layer.kind != "tiles":
        raise ParameterError(f"the layer {name!r} holds heights, not tiles", path)
    return layer


def aligned_walkable(request: Request, name: str, path: Path) -> NDArray[np.bool_]:
    """Return the walkable cells of the layer `name`: bool [height, width].

    Raises:
        ParameterError: The layer is not above this one in the spec, has another size, or its
            walkable cells are unknown. The error has `path`, that of the parameter that names the
            layer.
    """
    aligned_layer(request, name, path)
    walkable = walkable_layer(request, name, path).walkable
    assert walkable is not None
    return walkable


def cells_named(layer: Layer, what: str, path: Path) -> NDArray[np.bool_]:
    """Return where `layer` has the tiles that `what` names.

    `what` is `walkable`, `blocked` (not walkable), or the name of a tile. The result is bool
    [height, width].

    Raises:
        ParameterError: The layer has no tile of this name. The error has `path`, that of the
            parameter whose value is `what`.
    """
    if what in ("walkable", "blocked"):
        walkable = layer.lookup([tile.walkable for tile in layer.tiles])
        return walkable if what == "walkable" else ~walkable
    if what not in [tile.name for tile in layer.tiles]:
        names = ", ".join(["walkable", "blocked", *(tile.name for tile in layer.tiles)])
        raise ParameterError(
            f"the layer {layer.name!r} has no tile {what!r} (known: {names})", path
        )
    return layer.lookup([tile.name == what for tile in layer.tiles])
