"""Apply hand edits to generated layers and placed objects.

The edits of a layer are applied after its regions were connected. An edit is a conflict if the
generated cell or object differs from the one that was edited; the edit is applied all the same. It
is also a conflict if it cannot be applied; then it stays in its file. Conflicts are returned beside
the result, so no hand edit is lost.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from exporter.grids.certificates import certify
from exporter.model.hand_edits import ConflictKind, EditConflict
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import CLEAR, Layer, PlacedObject, Tile
from exporter.model.level_values import EMPTY_NAMES, PropertyValue
from exporter.reading.edits import CellEdit, CellValue, ObjectEdit

if TYPE_CHECKING:
    from exporter.model.parameters import Parameters

Cells = NDArray[np.uint8] | NDArray[np.uint16]
# The name of a tile that is added for empty cells.
EMPTY = "empty"
_LARGEST_ID = 65535


@dataclass(frozen=True, slots=True, eq=False)
class EditedLayer:
    """A layer with its hand edits, and the edits that do not fit it."""

    layer: Layer
    conflicts: tuple[EditConflict, ...]


@dataclass(frozen=True, slots=True, eq=False)
class EditedObjects:
    """A level's objects with hand edits, and the edits that do not fit."""

    objects: tuple[PlacedObject, ...]
    conflicts: tuple[EditConflict, ...]


def edits_key(edits: Sequence[CellEdit]) -> str:
    """Return a text that identifies `edits` and their order, for cache keys."""
    return json.dumps([[*edit.at, edit.was, edit.now] for edit in edits], separators=(",", ":"))


def edit_layer(layer: Layer, edits: Sequence[CellEdit], parameters: Parameters) -> EditedLayer:
    """Apply the hand edits of a layer, and recompute its certificate.

    The certificate has proven facts about the layer's walkable cells.

    Args:
        layer: The layer as it was generated and connected.
        edits: The edits, at most one for each cell.
        parameters: The parameters of the layer's generator, which say what heights are walkable.
    """
    if layer.kind == "heights":
        edited, conflicts = _edited_heights(layer, edits, parameters)
    else:
        edited, conflicts = _edited_tiles(layer, edits)
    edited.cells.flags.writeable = False
    if layer.certificate is not None and edited.walkable is not None:
        before, carved = layer.certificate.regions_before, layer.certificate.cells_carved
        edited = replace(edited, certificate=certify(edited.walkable, before, carved))
    return EditedLayer(edited, tuple(conflicts))


def _edited_tiles(layer: Layer, edits: Sequence[CellEdit]) -> tuple[Layer, list[EditConflict]]:
    """Apply `edits` to a layer of tiles; return it, and the conflicts.

    Tiles of equal name count as the same tile.
    """
    conflicts, inside = _inside(layer, edits)
    tiles = layer.tiles
    if any(is_empty(edits[index].now) for index in inside):
        tiles = with_empty_tile(tiles)
    known = _ids_by_name(tiles)
    ids = {value: _id_of(value, known, tiles) for value in _values(edits)}
    columns, rows, was, now = _columns(edits, inside, ids)
    # The first id of each name represents all of them.
    first = np.arange(_LARGEST_ID + 1, dtype=np.int32)
    empty = _empty_id(tiles)
    for tile in tiles:
        first[tile.id] = empty if tile.empty and empty is not None else known[tile.name]
    result = first[layer.cells[rows, columns]]
    unknown = now < 0
    conflict = ~unknown & (result != was) & (result != now)
    names = {tile.id: None if tile.empty else tile.name for tile in tiles}
    for position in np.flatnonzero(unknown | conflict).tolist():
        name = names.get(int(result[position]))
        conflicts.append(
            EditConflict(inside[position], "unknown" if unknown[position] else "conflict", name)
        )
    wide = max(tile.id for tile in tiles) > 255
    cells: Cells = layer.cells.astype(np.uint16) if wide else layer.cells.copy()
    change = ~unknown & (result != now)
    cells[rows[change], columns[change]] = now[change]
    edited = replace(layer, cells=cells, tiles=tiles)
    if layer.walkable is not None:
        edited = replace(edited, walkable=edited.lookup([tile.walkable for tile in tiles]))
    return edited, sorted(conflicts, key=lambda conflict: conflict.index)


def _edited_heights(
    layer: Layer, edits: Sequence[CellEdit], parameters: Parameters
) -> tuple[Layer, list[EditConflict]]:
    conflicts, inside = _inside(layer, edits)
    ids = {value: value if isinstance(value, int) else -1 for value in _values(edits)}
    columns, rows, was, now = _columns(edits, inside, ids)
    cells: Cells = layer.cells.copy()
    result = cells[rows, columns].astype(np.int32)
    unknown = now < 0
    conflict = ~unknown & (result != was) & (result != now)
    for position in np.flatnonzero(unknown | conflict).tolist():
        kind: ConflictKind = "unknown" if unknown[position] else "conflict"
        conflicts.append(EditConflict(inside[position], kind, int(result[position])))
    cells[rows[~unknown], columns[~unknown]] = now[~unknown]
    edited = replace(layer, cells=cells, walkable=_walkable_heights(layer, cells, parameters))
    return edited, sorted(conflicts, key=lambda conflict: conflict.index)


def _walkable_heights(
    layer: Layer, cells: Cells, parameters: Parameters
) -> NDArray[np.bool_] | None:
    """Return which cells of a layer of height samples are walkable.

    `cells` are the edited samples. If `parameters` do not say which heights are walkable, the
    layer's own answer is unchanged.
    """
    from exporter.generators.heightmap import Heightmap, walkable

    if not isinstance(parameters, Heightmap):
        return layer.walkable
    return walkable(parameters, cells.astype(np.uint16, copy=False))


def _inside(layer: Layer, edits: Sequence[CellEdit]) -> tuple[list[EditConflict], list[int]]:
    """Return conflicts for edits outside `layer`, and indices of the others."""
    width, height = layer.width, layer.height
    inside = [i for i, edit in enumerate(edits) if edit.at[0] < width and edit.at[1] < height]
    if len(inside) == len(edits):
        return [], inside
    within = set(inside)
    return [EditConflict(i, "outside") for i in range(len(edits)) if i not in within], inside


def _columns(
    edits: Sequence[CellEdit], inside: Sequence[int], ids: Mapping[CellValue, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return x, y, old and new tile id of the edits at the indices `inside`.

    Each is an array. `ids` has the tile id of each value.
    """
    chosen = edits if len(inside) == len(edits) else [edits[index] for index in inside]
    at = np.array([edit.at for edit in chosen], np.int64).reshape(-1, 2)
    was = np.array([ids[edit.was] for edit in chosen], np.int32)
    now = np.array([ids[edit.now] for edit in chosen], np.int32)
    return at[:, 0], at[:, 1], was, now


def _values(edits: Sequence[CellEdit]) -> set[CellValue]:
    return {edit.was for edit in edits} | {edit.now for edit in edits}


def is_empty(value: CellValue) -> bool:
    """Return whether an edit to `value` removes the tile of its cell."""
    return value is None or value in EMPTY_NAMES


def _id_of(value: CellValue, known: Mapping[str, int], tiles: Sequence[Tile]) -> int:
    """Return the tile id of an edit's `value`; -1 if the layer lacks the tile.

    `known` has the ids of the layer's `tiles` by name.
    """
    if is_empty(value):
        empty = _empty_id(tiles)
        return -1 if empty is None else empty
    return known.get(value, -1) if isinstance(value, str) else -1


def _ids_by_name(tiles: Sequence[Tile]) -> dict[str, int]:
    known: dict[str, int] = {}
    for tile in tiles:
        known.setdefault(tile.name, tile.id)
    return known


def _empty_id(tiles: Sequence[Tile]) -> int | None:
    return next((tile.id for tile in tiles if tile.empty), None)


def with_empty_tile(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return `tiles`; add a tile for empty cells if it lacks one."""
    if _empty_id(tiles) is not None:
        return tiles
    following = max(tile.id for tile in tiles) + 1
    return (*tiles, Tile(following, EMPTY, walkable=False, opaque=False, color=CLEAR))


def edit_objects(
    objects: Sequence[PlacedObject],
    edits: Sequence[ObjectEdit],
    size: tuple[int, int],
    properties: Mapping[str, Mapping[str, PropertyValue]],
) -> EditedObjects:
    """Apply the hand edits of objects: move, remove and add them.

    Unchanged and moved objects keep their ids; the id of a removed object is not used again. Added
    objects come last, in the order of the file.

    Args:
        objects: The placed objects, in order.
        edits: The edits, at most one for each object.
        size: Width and height of the level.
        properties: The properties of added objects, by name.
    """
    conflicts: list[EditConflict] = []
    places: dict[tuple[str, int], int] = {}
    counts: dict[str, int] = {}
    for position, item in enumerate(objects):
        counts[item.name] = counts.get(item.name, 0) + 1
        places[item.name, counts[item.name]] = position
    remaining: list[PlacedObject | None] = list(objects)
    added: list[tuple[str, tuple[int, int]]] = []
    for index, edit in enumerate(edits):
        cell = edit.add or edit.now
        if cell is not None and (cell[0] >= size[0] or cell[1] >= size[1]):
            conflicts.append(EditConflict(index, "outside"))
            continue
        if edit.add is not None:
            added.append((edit.name, edit.add))
            continue
        results = places.get((edit.name, edit.ordinal or 0))
        if results is None:
            conflicts.append(EditConflict(index, "gone"))
            continue
        base = objects[results]
        # An edit whose old and new cell are equal pins the object, wherever it is generated.
        is_pin = edit.was == edit.now
        if edit.was is not None and not is_pin and (base.x, base.y) not in (edit.was, edit.now):
            conflicts.append(EditConflict(index, "conflict", (base.x, base.y)))
        remaining[results] = None if cell is None else replace(base, x=cell[0], y=cell[1])
    result = [item for item in remaining if item is not None]
    following = max((item.id for item in objects), default=0) + 1
    for number, (name, (x, y)) in enumerate(added, following):
        result.append(PlacedObject(number, name, x, y, properties.get(name, {})))
    return EditedObjects(tuple(result), tuple(conflicts))
