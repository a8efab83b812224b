"""Keep the level as generated, without hand edits, to detect edited cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level, Tile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from exporter.build.build import Build


@dataclass(frozen=True, slots=True, eq=False)
class GeneratedLayer:
    """A layer as generated, before hand edits.

    Attributes:
        kind: `tiles` or `heights`.
        cells: The ids of tiles, or samples of heights: uint8 or uint16 [height, width].
        tiles: The tile of each id; empty for heights.
    """

    kind: str
    cells: NDArray[np.uint8] | NDArray[np.uint16]
    tiles: tuple[Tile, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the layer in cells."""
        return self.cells.shape[1], self.cells.shape[0]


@dataclass(frozen=True, slots=True)
class GeneratedObject:
    """An object as generated, before hand edits.

    Attributes:
        name: The object's name.
        ordinal: Its number among the objects with this name, from 1.
        at: Its cell (x, y).
    """

    name: str
    ordinal: int
    at: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class GeneratedLevel:
    """A level as generated, before hand edits.

    Attributes:
        size: Width and height of the level in cells.
        layers: The generated layers, by name.
        objects: The generated objects, by name and ordinal.
        names: The names of objects that can be added.
    """

    size: tuple[int, int]
    layers: dict[str, GeneratedLayer]
    objects: dict[tuple[str, int], GeneratedObject]
    names: tuple[str, ...]


def ground_of(build: Build, level: Level) -> GeneratedLevel:
    """Return `level`, which `build` made, as it was before its hand edits."""
    layers = {
        name: _generated_layer(build.edits.generated.get(name, item), item)
        for name, item in level.layers.items()
    }
    numbers = ordinals(build)
    placed = (
        GeneratedObject(item.name, numbers[item.id], (item.x, item.y))
        for item in build.groups.generated
    )
    objects = {(item.name, item.ordinal): item for item in placed}
    return GeneratedLevel(
        (level.width, level.height), layers, objects, tuple(sorted(build.groups.names))
    )


def ordinals(build: Build) -> dict[int, int]:
    """Return the ordinal of each generated object, by the object's id.

    Objects of the same name are counted from 1.
    """
    counts: dict[str, int] = {}
    result: dict[int, int] = {}
    for item in build.groups.generated:
        counts[item.name] = counts.get(item.name, 0) + 1
        result[item.id] = counts[item.name]
    return result


def edit_facts(build: Build) -> dict[str, Any]:
    """Return the facts about hand edits that the page needs for drawing.

    The result is an `EditsData`, without `cells`.
    """
    layers = {name: len(edits) for name, edits in build.edits.cells.items()}
    edited = {(edit.name, edit.ordinal): edit for edit in build.edits.objects if edit.ordinal}
    numbers = ordinals(build)
    fixed: dict[str, str] = {}
    removed: list[dict[str, Any]] = []
    for item in build.groups.generated if edited else ():
        edit = edited.get((item.name, numbers[item.id]))
        if edit is None:
            continue
        if edit.remove:
            at = item.x, item.y
            removed.append({"name": item.name, "ordinal": edit.ordinal, "at": at})
        else:
            fixed[str(item.id)] = "pinned" if edit.now == edit.was else "moved"
    return {
        "ordinals": {str(id): number for id, number in numbers.items()},
        "names": sorted(build.groups.names),
        "layers": layers,
        "objects": len(build.edits.objects),
        "conflicts": _conflicts(build),
        "fixed": fixed,
        "removed": removed,
    }


def _conflicts(build: Build) -> dict[str, Any]:
    """Return the hand edits that do not fit the level as it is generated now.

    The result is a `ConflictsData`.
    """
    result = build.edit_conflicts()
    cells = []
    for name, conflicts in result.layers.items():
        edits = [
            build.edits.cells[name][item.index] for item in conflicts if item.kind == "conflict"
        ]
        if edits:
            cells.append(
                {
                    "layer": name,
                    "cells": [edit.at for edit in edits],
                    "now": [edit.now for edit in edits],
                }
            )
    objects = [
        {"name": edit.name, "ordinal": edit.ordinal, "at": item.actual, "now": edit.now}
        for item in result.objects
        if item.kind == "conflict"
        for edit in [build.edits.objects[item.index]]
    ]
    return {"cells": cells, "objects": objects}


def edited_cells(
    build: Build, level: Level
) -> dict[str, tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """Return the edited cells of each layer of `level`, which `build` made.

    For each layer these are two arrays, int32 [edits]: the indexes of the cells, row by row, and
    the ids of tiles or samples that were generated there.
    """
    import numpy as np

    result: dict[str, tuple[NDArray[np.int32], NDArray[np.int32]]] = {}
    for name, edits in build.edits.cells.items():
        layer = level.layers.get(name)
        if layer is None:
            continue
        columns, rows = np.array([edit.at for edit in edits], np.int64).T
        inside = (columns < layer.width) & (rows < layer.height)
        places = rows[inside] * layer.width + columns[inside]
        cells = build.edits.generated.get(name, layer).cells
        result[name] = places.astype(np.int32), cells.ravel()[places].astype(np.int32)
    return result


def _generated_layer(result: Layer, displayed: Layer) -> GeneratedLayer:
    # An edited layer may have the tile for empty cells that the generated one lacks.
    return GeneratedLayer(
        result.kind, result.cells, displayed.tiles if result.kind == "tiles" else ()
    )
