"""What generators of other packages register and make is looked at.

Without it their mistakes are levels that are wrong, and nobody is told. Our own generators have
tests instead. Words say what is allowed; whoever asks adds whose generator it is, and where.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import wraps
from typing import Any, get_args, get_type_hints

import numpy as np

from exporter.generators import GENERATORS, Generate, Generated, Request
from exporter.generators._trace import Cells, Frame
from exporter.model.level import HeightRange, LayerKind, Tile
from exporter.model.parameters import COLOR_PATTERN, COLOR_RULE, NAME_PATTERN, NAME_RULE, Parameters
from exporter.model.roles import LayerRole

GREATEST_ID = 65535
# As many cells are looked up at a time: the numbers of all cells of a large map need much memory.
_CELLS_AT_A_TIME = 1 << 20
_NAMES_TOLD = 8


def registration_fault(
    name: Any, version: Any, parameters: type[Parameters], makes: Any, tiles: Any
) -> str:
    """Return what is wrong with what a decorator got; empty for nothing."""
    if not isinstance(name, str) or not re.fullmatch(NAME_PATTERN, name):
        return f"a generator cannot be called {name!r} (allowed: {NAME_RULE})"
    if type(version) is not int or version < 1:
        return f"its version is {version!r} (it must be a whole number of at least 1)"
    if makes is not None and makes not in get_args(LayerKind):
        return f"it makes {makes!r} (allowed: {_listed(map(repr, get_args(LayerKind)))})"
    if tiles is not None:
        fault = tiles_fault(tiles)
        if fault:
            return f"it declares {fault}"
    return _parameters_fault(parameters)


def _parameters_fault(parameters: type[Parameters]) -> str:
    """Return which parameter no spec can have, or which default none may have; empty for none."""
    try:
        hints = get_type_hints(parameters, include_extras=True)
    except NameError:
        return ""  # an annotation names what the module defines further down
    ours = [
        id(field)
        for base in parameters.__mro__
        if base.__module__.startswith("exporter.") and is_dataclass(base)
        for field in fields(base)
    ]
    for field in fields(parameters):
        if id(field) not in ours:
            fault = _parameter_fault(field, hints[field.name])
            if fault:
                return f"its parameter {field.name!r} {fault}"
    return ""


def _parameter_fault(field: Field[Any], hint: Any) -> str:
    from pydantic import PydanticUserError, TypeAdapter, ValidationError

    default = field.default
    if field.default_factory is not MISSING:
        default = field.default_factory()
    try:
        adapter = TypeAdapter(hint)
        if default is not MISSING:
            adapter.validate_python(default, strict=True)
    except PydanticUserError as error:
        if error.code != "schema-for-unknown-type":
            return ""
        return (
            f"has the type {field.type}, which no spec can write (allowed: texts, numbers, "
            "booleans, and tuples, mappings and dataclasses of those)"
        )
    except ValidationError as error:
        why = error.errors(include_url=False, include_context=False)[0]["msg"]
        return f"has the default {default!r}, which no spec may have: {why[:1].lower()}{why[1:]}"
    return ""


def checked(
    name: str, function: Generate, declared: tuple[Tile, ...] | None, role: LayerRole
) -> Generate:
    """Return the function of a generator of another package, with what it makes looked at.

    Args:
        name: The generator's name.
        function: Its function.
        declared: The tiles that its decorator got.
        role: The role of its layers by default: those that are `data` may be numbers alone.
    """

    @wraps(function)
    def looked_at(parameters: Any, request: Request) -> Generated:
        trace = getattr(request, "trace", None)
        if trace is not None:
            trace.check = _check_frame
        try:
            made = function(parameters, request)
        finally:
            if trace is not None:
                trace.check = None
        if getattr(made, "cells", None) is None:
            return made  # no `Generated` at all, which is told by whoever guards this
        if isinstance(made.tiles, list):
            made = replace(made, tiles=tuple(made.tiles))
        fault = (
            _shape_fault(made, request)
            or _extras_fault(made, parameters.object_names())
            or _meaning_fault(made, request, role)
        )
        if not fault and declared is not None and not parameters.may_have_other_tiles():
            fault = _undeclared_fault(made.tiles, declared)
        if fault:
            raise GENERATORS.fault(name, f"made {fault}", function)
        return made

    return looked_at


def _check_frame(frame: Frame) -> None:
    """Check a step of a generator.

    Raises:
        ValueError: Its tiles are wrong, or cells have none.
    """
    fault = ""
    if frame.tiles:
        fault = tiles_fault(frame.tiles) or stray_fault(frame.cells, frame.tiles)
    if fault:
        raise ValueError(f"the step {frame.label!r} has {fault}")


def _shape_fault(made: Generated, request: Request) -> str:
    """Return what is wrong with the grid of a layer; empty for nothing."""
    wanted = (request.height, request.width)
    shape = getattr(made.cells, "shape", None)
    kind = str(getattr(made.cells, "dtype", type(made.cells).__name__))
    if shape != wanted or kind not in ("uint8", "uint16"):
        return f"cells of {kind} {shape} (they must be uint8 or uint16 {wanted})"
    return ""


def _meaning_fault(made: Generated, request: Request, role: LayerRole) -> str:
    """Return what is wrong with what the numbers of a layer mean; empty for nothing."""
    if made.kind not in get_args(LayerKind):
        allowed = _listed(map(repr, get_args(LayerKind)))
        return f"a layer of the kind {made.kind!r} (allowed: {allowed})"
    if made.kind == "heights":
        if made.heights is not None and not isinstance(made.heights, HeightRange):
            return f"a layer with `heights` of {made.heights!r} (it must be a HeightRange)"
        return ""
    if made.tiles == () and role == "data":
        return ""
    return tiles_fault(made.tiles) or _stray_fault_of_layer(made, request)


def _stray_fault_of_layer(made: Generated, request: Request) -> str:
    """Return which cells have no tile; empty for none.

    Given cells are passed over: the tiles that are given are put there afterwards.
    """
    fault = stray_fault(made.cells, made.tiles, request.window.x, request.window.y)
    if not fault or request.fixed is None or not made.tiles:
        return fault
    cells = made.cells.copy()
    cells[request.fixed.cells >= 0] = made.tiles[0].id
    return stray_fault(cells, made.tiles, request.window.x, request.window.y)


def _undeclared_fault(tiles: tuple[Tile, ...], declared: tuple[Tile, ...]) -> str:
    """Return which tile the decorator does not name; empty for none."""
    names = {tile.name for tile in declared}
    for tile in tiles:
        if tile.name not in names:
            return (
                f"the tile {tile.name!r}, which `tiles` of its decorator lacks "
                f"(it has {_listed(repr(one.name) for one in declared)})"
            )
    return ""


def tiles_fault(tiles: Any) -> str:
    """Return what is wrong with a legend; empty for nothing."""
    if not isinstance(tiles, tuple):
        return f"tiles in a {type(tiles).__name__} (they must be in a tuple: `(FLOOR, WALL)`)"
    ids: dict[int, str] = {}
    names: dict[str, int] = {}
    for tile in tiles:
        fault = _tile_fault(tile)
        if fault:
            return fault
        if tile.id in ids:
            return (
                f"two tiles with the id {tile.id}: {ids[tile.id]!r} and {tile.name!r} "
                "(each must have its own)"
            )
        if tile.name in names:
            return (
                f"two tiles with the name {tile.name!r}: those with the ids {names[tile.name]} "
                f"and {tile.id} (each must have its own)"
            )
        ids[tile.id], names[tile.name] = tile.name, tile.id
    return ""


def _tile_fault(tile: Any) -> str:
    """Return what is wrong with one tile; empty for nothing."""
    if not isinstance(tile, Tile):
        return f"{tile!r} among the tiles (each must be a Tile)"
    if (
        not isinstance(tile.name, str)
        or not 1 <= len(tile.name) <= 64
        or not tile.name.isprintable()
    ):
        return f"a tile with the name {tile.name!r} (it must be a text of 1 to 64 characters)"
    what = f"the tile {tile.name!r} with"
    if type(tile.id) is not int or not 0 <= tile.id <= GREATEST_ID:
        return f"{what} the id {tile.id!r} (it must be a whole number of 0 to {GREATEST_ID})"
    for key in ("walkable", "opaque"):
        if type(getattr(tile, key)) is not bool:
            return f"{what} {key}={getattr(tile, key)!r} (it must be True or False)"
    if not isinstance(tile.color, str) or not re.fullmatch(COLOR_PATTERN, tile.color):
        return f"{what} the colour {tile.color!r} (it must be a text like '#c04020': {COLOR_RULE})"
    return ""


def stray_fault(cells: Cells, tiles: tuple[Tile, ...], left: int = 0, top: int = 0) -> str:
    """Return which number in cells is the id of no tile, and where; empty for none.

    Args:
        cells: The cells.
        tiles: The tiles.
        left: Column of the map that the first column is.
        top: Row of the map that the first row is.
    """
    ids = [tile.id for tile in tiles]
    least, greatest = int(cells.min()), int(cells.max())
    if ids and min(ids) <= least and greatest <= max(ids) and max(ids) - min(ids) < len(ids):
        return ""  # the usual case: the ids have no gap
    known = np.zeros(GREATEST_ID + 1, bool)
    known[ids] = True
    rows = max(1, _CELLS_AT_A_TIME // cells.shape[1])
    for first in range(0, cells.shape[0], rows):
        stray = ~known[cells[first : first + rows]]
        if stray.any():
            y, x = (int(one) for one in np.argwhere(stray)[0])
            number = int(cells[first + y, x])
            return (
                f"cells of {number}, which is the id of no tile (the first at "
                f"[{left + x}, {top + first + y}]; the tiles are "
                f"{_listed(f'{tile.id} {tile.name!r}' for tile in tiles) or 'none'}; each id in "
                "the cells needs a Tile in `Generated(cells, tiles)`)"
            )
    return ""


def _extras_fault(made: Generated, declared: tuple[str, ...] | None) -> str:
    """Return what is wrong with the masks and objects of a layer; empty for nothing."""
    height, width = shape = made.cells.shape
    named = {f"the mask {name!r}": mask for name, mask in made.masks.items()}
    if made.kept is not None:
        named["`kept`"] = made.kept
    for what, mask in named.items():
        if mask.shape != shape or mask.dtype != bool:
            return f"{what} of {mask.dtype} {mask.shape} (it must be bool {shape})"
    for one in made.objects:
        if not (0 <= one.x < width and 0 <= one.y < height):
            return f"the object {one.name!r} at [{one.x}, {one.y}], which is outside the layer"
        if declared is not None and one.name not in declared:
            return f"the object {one.name!r}, which `object_names` of its parameters lacks"
    return ""


def _listed(words: Iterable[str]) -> str:
    listed = list(words)
    more = ["..."] if len(listed) > _NAMES_TOLD else []
    return ", ".join(listed[:_NAMES_TOLD] + more)
