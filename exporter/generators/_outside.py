"""Check what third-party generators register and return.

Built-in generators are not checked while they run, but tested. Messages list the allowed values;
the caller adds which package the generator is from.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np

from exporter.generators import GENERATORS, Generate, Generated, Request
from exporter.generators.trace import Cells
from exporter.model.level import Tile
from exporter.model.level_values import LayerRole
from exporter.model.parameters import COLOR_PATTERN, COLOR_RULE, Parameters

_GREATEST_ID = 65535


def parameters_fault(parameters: type[Parameters]) -> str:
    """Return why `parameters` cannot be used (it is no dataclass), or ""."""
    if "__dataclass_fields__" in vars(parameters):
        return ""
    return (
        f"its parameters {parameters.__name__} are no dataclass "
        "(write @dataclass(frozen=True, kw_only=True) above the class)"
    )


def checked(name: str, function: Generate, role: LayerRole) -> Generate:
    """Wrap `function`, of the generator `name`, so that results are checked.

    `role` is the default role of its layers; those of the role `data` may have numbers without
    tiles.
    """

    @wraps(function)
    def validated(parameters: Any, request: Request) -> Generated:
        result = function(parameters, request)
        if not isinstance(result, Generated):
            return result  # the registry's guard reports it
        if isinstance(result.tiles, list):
            result = replace(result, tiles=tuple(result.tiles))
        fault = _shape_fault(result, request) or _objects_fault(result, parameters.object_names())
        if not fault and result.kind == "tiles" and (result.tiles != () or role != "data"):
            fault = tiles_fault(result.tiles) or _layer_id_fault(result, request)
        if fault:
            raise GENERATORS.fault(name, f"made {fault}", function)
        return result

    return validated


def _shape_fault(result: Generated, request: Request) -> str:
    """Return which array of a result has a wrong shape or type, or ""."""
    shape = (request.height, request.width)
    cells = np.asarray(result.cells)
    if (
        cells is not result.cells
        or cells.shape != shape
        or cells.dtype not in (np.uint8, np.uint16)
    ):
        return f"cells of {cells.dtype} {cells.shape} (they must be uint8 or uint16 {shape})"
    masks = {f"the mask {name!r}": mask for name, mask in result.masks.items()}
    if result.kept is not None:
        masks["`kept`"] = result.kept
    for what, mask in masks.items():
        if mask.shape != shape or mask.dtype != bool:
            return f"{what} of {mask.dtype} {mask.shape} (it must be bool {shape})"
    return ""


def _objects_fault(result: Generated, declared: tuple[str, ...] | None) -> str:
    """Return which object of `result` is wrong, or "".

    It is outside the layer, or its name is not `declared` by the parameters (None allows all
    names).
    """
    height, width = result.cells.shape
    for item in result.objects:
        if not (0 <= item.x < width and 0 <= item.y < height):
            return f"the object {item.name!r} at [{item.x}, {item.y}], which is outside the layer"
        if declared is not None and item.name not in declared:
            return f"the object {item.name!r}, which `object_names` of its parameters lacks"
    return ""


def tiles_fault(tiles: tuple[Tile, ...]) -> str:
    """Return what is wrong with the `tiles` of a result, or ""."""
    seen: dict[int | str, Tile] = {}
    for tile in tiles:
        if not isinstance(tile, Tile):
            return f"{tile!r} among the tiles (each must be a Tile)"
        if not isinstance(tile.color, str) or not re.fullmatch(COLOR_PATTERN, tile.color):
            return f"the tile {tile.name!r} with the colour {tile.color!r} (allowed: {COLOR_RULE})"
        for key in (tile.id, tile.name):
            other = seen.setdefault(key, tile)
            if other is not tile:
                return (
                    f"the tiles {other.id} {other.name!r} and {tile.id} {tile.name!r} "
                    "(each must have its own id and name)"
                )
    return ""


def _layer_id_fault(result: Generated, request: Request) -> str:
    """Return which cell of `result` has an id without a tile, or "".

    Fixed cells are skipped, since their tiles are added afterwards.
    """
    fault = id_fault(result.cells, result.tiles, request.window.x, request.window.y)
    if not fault or request.fixed is None or not result.tiles:
        return fault
    cells = result.cells.copy()
    cells[request.fixed.cells >= 0] = result.tiles[0].id
    return id_fault(cells, result.tiles, request.window.x, request.window.y)


def id_fault(cells: Cells, tiles: tuple[Tile, ...], left: int = 0, top: int = 0) -> str:
    """Return which cell has an id that no tile has, or "".

    `left` and `top` are the column and row of the first cell in the whole map, for the message.
    """
    known = np.zeros(_GREATEST_ID + 1, bool)
    known[[tile.id for tile in tiles]] = True
    for y, row in enumerate(cells):  # row by row: the indices of a large map need much memory
        stray = ~known[row]
        if stray.any():
            x = int(stray.argmax())
            listed = ", ".join(f"{tile.id} {tile.name!r}" for tile in tiles) or "none"
            return (
                f"cells of {int(row[x])}, which is the id of no tile (the first at "
                f"[{left + x}, {top + y}]; the tiles are {listed}; each id in the cells needs a "
                "Tile in `Generated(cells, tiles)`)"
            )
    return ""
