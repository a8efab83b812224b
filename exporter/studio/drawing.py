"""Turn requests of the page for drawing into changes of hand edits.

A cell that is drawn as the generator made it has no edit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from exporter.model.errors import ExporterError
from exporter.model.level_values import EMPTY_NAMES
from exporter.model.limits import MAXIMUM_EDITS, MAXIMUM_SIDE
from exporter.model.parameters import NAME_PATTERN
from exporter.reading.edits import LARGEST_SAMPLE, CellEdit, CellValue, ObjectEdit
from exporter.studio.hand import Cell, Hand, Redrawn, Target
from exporter.studio.request_checks import MalformedError

if TYPE_CHECKING:
    from exporter.studio.generated_level import GeneratedLayer, GeneratedLevel

MAXIMUM_CELLS = MAXIMUM_EDITS
_OBJECT_NAME = re.compile(NAME_PATTERN)


def step_of(message: dict[str, Any], hand: Hand, ground: GeneratedLevel) -> Redrawn:
    """Return the changes of hand edits that a drawing request asks for.

    Args:
        message: The request, such as `draw` or `restore`.
        hand: The edits so far.
        ground: The level without hand edits.

    Raises:
        MalformedError: The message is no drawing request.
        ExporterError: The level lacks the layer, tile, cell or object.
    """
    return ACTIONS[message["do"]](message, hand, ground)


def _draw(message: dict[str, Any], _hand: Hand, ground: GeneratedLevel) -> Redrawn:
    name, layer = _layer_of(message, ground)
    tile = _tile_of(message, name, layer)
    cells: dict[tuple[str, Cell], CellEdit | None] = {}
    names = {item.id: None if item.empty else item.name for item in layer.tiles}
    for x, y in _cells_of(message, layer):
        result = int(layer.cells[y, x])
        was: CellValue = result if layer.kind == "heights" else names.get(result)
        cells[name, (x, y)] = None if was == tile else CellEdit(at=(x, y), was=was, now=tile)
    return Redrawn(cells=cells)


def _restore(message: dict[str, Any], _hand: Hand, ground: GeneratedLevel) -> Redrawn:
    name, layer = _layer_of(message, ground)
    return Redrawn(cells={(name, at): None for at in _cells_of(message, layer)})


def _move(message: dict[str, Any], hand: Hand, ground: GeneratedLevel) -> Redrawn:
    to = _inside(message["to"], ground.size)
    target = _target_of(message, hand, ground)
    name, ordinal, added = target
    if added is not None:
        if to == added:
            return Redrawn()
        _check_free(hand, name, to)
        return Redrawn(objects={target: None, (name, 0, to): ObjectEdit(name=name, add=to)})
    was = ground.objects[name, ordinal].at
    moved = None if to == was else ObjectEdit(name=name, ordinal=ordinal, was=was, now=to)
    return Redrawn(objects={target: moved})


def _add_object(message: dict[str, Any], hand: Hand, ground: GeneratedLevel) -> Redrawn:
    name: str = message["name"]
    if _OBJECT_NAME.fullmatch(name) is None:
        raise MalformedError("`name` must be the name of an object")
    if name not in ground.names:
        known = ", ".join(ground.names) or "none"
        raise ExporterError(
            f"the level has no objects {name!r} (those it has: {known}; add them to the spec first)"
        )
    to = _inside(message["to"], ground.size)
    _check_free(hand, name, to)
    return Redrawn(objects={(name, 0, to): ObjectEdit(name=name, add=to)})


def _remove_object(message: dict[str, Any], hand: Hand, ground: GeneratedLevel) -> Redrawn:
    target = _target_of(message, hand, ground)
    name, ordinal, added = target
    if added is not None:
        return Redrawn(objects={target: None})
    was = ground.objects[name, ordinal].at
    return Redrawn(objects={target: ObjectEdit(name=name, ordinal=ordinal, was=was, remove=True)})


def _pin_object(message: dict[str, Any], hand: Hand, ground: GeneratedLevel) -> Redrawn:
    target = _target_of(message, hand, ground)
    name, ordinal, added = target
    if added is not None or target in hand.objects:
        return Redrawn()  # it stays where it was put
    at = ground.objects[name, ordinal].at
    return Redrawn(objects={target: ObjectEdit(name=name, ordinal=ordinal, was=at, now=at)})


def _restore_object(message: dict[str, Any], hand: Hand, ground: GeneratedLevel) -> Redrawn:
    return Redrawn(objects={_target_of(message, hand, ground): None})


ACTIONS: dict[str, Callable[[dict[str, Any], Hand, GeneratedLevel], Redrawn]] = {
    "draw": _draw,
    "restore": _restore,
    "move": _move,
    "add_object": _add_object,
    "remove_object": _remove_object,
    "restore_object": _restore_object,
    "pin_object": _pin_object,
}


def _layer_of(message: dict[str, Any], ground: GeneratedLevel) -> tuple[str, GeneratedLayer]:
    name: str = message["layer"]
    layer = ground.layers.get(name)
    if layer is None:
        known = ", ".join(ground.layers)
        raise ExporterError(f"the level has no layer {name[:80]!r} (those it has: {known})")
    return name, layer


def _tile_of(message: dict[str, Any], name: str, layer: GeneratedLayer) -> CellValue:
    tile: str | int | None = message["tile"]
    if layer.kind == "heights":
        if isinstance(tile, int) and 0 <= tile <= LARGEST_SAMPLE:
            return tile
        raise ExporterError(
            f"the layer {name!r} takes heights (draw a number from 0 to {LARGEST_SAMPLE})"
        )
    if tile is None or (isinstance(tile, str) and tile in EMPTY_NAMES):
        return None
    if not isinstance(tile, str):
        raise MalformedError("`tile` must be the name of a tile, or null for an empty cell")
    known = [item.name for item in layer.tiles]
    if tile not in known:
        displayed = ", ".join(known)
        raise ExporterError(
            f"the layer {name!r} has no tile {tile[:80]!r} (those it has: {displayed})"
        )
    return tile


def _cells_of(message: dict[str, Any], layer: GeneratedLayer) -> list[Cell]:
    cells = message["cells"]
    if not 0 < len(cells) <= MAXIMUM_CELLS:
        raise MalformedError(f"`cells` must be a list of 1 to {MAXIMUM_CELLS} cells")
    return [_inside(cell, layer.size) for cell in cells]


def _inside(cell: list[int], size: tuple[int, int]) -> Cell:
    x, y = cell
    if 0 <= x < size[0] and 0 <= y < size[1]:
        return x, y
    if max(abs(x), abs(y)) > MAXIMUM_SIDE:
        raise MalformedError("a cell must be a column and a row")
    raise ExporterError(f"the cell {x}, {y} is outside the layer of {size[0]} x {size[1]} cells")


def _target_of(message: dict[str, Any], hand: Hand, ground: GeneratedLevel) -> Target:
    name: str = message["name"]
    ordinal: int | None = message.get("ordinal")
    if ordinal is None:
        if "from" not in message:
            raise MalformedError("an object has an `ordinal`, or a cell it is taken `from`")
        x, y = message["from"]
        target = name, 0, (x, y)
        if target not in hand.objects:
            raise ExporterError("there is no such added object (it may have been moved)")
        return target
    if (name, ordinal) not in ground.objects:
        raise ExporterError(
            f"there is no object {name[:80]!r} number {ordinal} (it may have been removed)"
        )
    return name, ordinal, None


def _check_free(hand: Hand, name: str, at: Cell) -> None:
    if (name, 0, at) in hand.objects:
        raise ExporterError(f"an added {name} is already at {at[0]}, {at[1]}")
