"""Encode a level as one binary message for the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from exporter.formats.images.sprites import sprite
from exporter.formats.preview import sprite_places
from exporter.grids.distances import distance_from
from exporter.model.errors import ParameterError, Problem
from exporter.model.level import Layer, Level
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.studio.frames import BinaryMessage
from exporter.studio.level_event import EditedCellsData, LayerData, LevelEvent
from exporter.studio.problems import problems_fields
from exporter.tilesets import Tileset, level_tileset

# Each layer's edited cells (indexes), and the tiles generated there.
EditedCells = Mapping[str, tuple[NDArray[np.int32], NDArray[np.int32]]]
# Walks start at the first object with one of these names, or else at the start of a certificate.
STARTS = ("start", "player", "hero", "entrance", "stairs_up")
# The first number means so many steps or more, the second that a cell is unreachable.
FARTHEST, UNREACHABLE = 65534, 65535


def level_message(
    level: Level,
    warnings: Sequence[Problem],
    seconds: Mapping[str, float],
    facts: dict[str, Any],
    edited: EditedCells | None = None,
) -> bytes:
    """Return the binary message that shows a level.

    Args:
        level: The finished level, with layers of all roles.
        warnings: The warnings of the level's build.
        seconds: The duration of each stage of the build.
        facts: Further fields of the message.
        edited: The cells edited by hand, as `edited_cells` returns them; None to leave them out.
    """
    frame = BinaryMessage()
    header = level_header(frame, level, warnings, seconds, facts)
    if edited is not None:
        cells = {
            name: {"places": frame.array(places), "generated": frame.array(generated)}
            for name, (places, generated) in edited.items()
        }
        header["edits"]["cells"] = cast("dict[str, EditedCellsData]", cells)
    return frame.message(header)


def level_header(
    frame: BinaryMessage,
    level: Level,
    warnings: Sequence[Problem],
    seconds: Mapping[str, float],
    facts: dict[str, Any],
) -> LevelEvent:
    """Return the JSON part of the binary message that shows a level.

    Args:
        frame: The binary message, to which arrays are added.
        level: The finished level, with layers of all roles.
        warnings: The warnings of the level's build.
        seconds: The duration of each stage of the build.
        facts: Further fields of the message.
    """
    walkable = level.walkable()
    start = start_of(level, walkable)
    tileset = seen_tileset(level)
    seen = {layer.name for layer in level.seen_layers()}
    header = {
        "event": "level",
        **facts,
        "name": level.name,
        "width": level.width,
        "height": level.height,
        "seed": level.seed,
        "rng": level.rng,
        "layers": [
            _layer(frame, layer, tileset if layer.name in seen else None)
            for layer in level.layers.values()
        ],
        "objects": [
            {
                "id": item.id,
                "name": item.name,
                "x": item.x,
                "y": item.y,
                "properties": dict(item.properties),
                "entry": item.entry,
                "kind": item.kind,
            }
            for item in level.objects
        ],
        "mission": _mission(frame, level),
        "sprites": _sprites(frame, level, (item["name"] for item in facts.get("legend", ()))),
        "sight": _sight(frame, level),
        "walkable": frame.array(walkable),
        "start": start,
        "steps": frame.array(steps_from(start, walkable)),
        "tileset": _tileset(frame, tileset) if tileset is not None else None,
        "warnings": problems_fields(warnings),
        "seconds": dict(seconds),
    }
    return cast("LevelEvent", header)


def _mission(frame: BinaryMessage, level: Level) -> dict[str, Any] | None:
    if level.mission is None:
        return None
    from exporter.measures.mission import cells_behind

    described = level.mission.description()
    sent = {key: described[key] for key in ("start", "goal", "locks", "walkthrough")}
    return {
        **sent,
        "behind": {name: frame.array(cells) for name, cells in cells_behind(level).items()},
    }


def start_of(level: Level, walkable: NDArray[np.bool_]) -> tuple[int, int] | None:
    """Return the start cell (x, y) of walks; None if no cell is walkable.

    Objects and certificates of `level` may name the start. `walkable` is bool [height, width].
    """
    for name in STARTS:
        for item in level.objects:
            if item.name == name:
                return item.x, item.y
    for layer in level.play_layers():
        result = layer.certificate.start if layer.certificate is not None else None
        if result is not None and walkable[result[1], result[0]]:
            return result
    cells = np.flatnonzero(walkable)
    return (int(cells[0]) % level.width, int(cells[0]) // level.width) if cells.size else None


def steps_from(start: tuple[int, int] | None, walkable: NDArray[np.bool_]) -> NDArray[np.uint16]:
    """Return how many steps each cell is away from the cell `start`: uint16.

    65534 means that many steps or more, 65535 that the cell cannot be reached. `start` is (x, y),
    or None if no cell can be reached; `walkable` is bool [height, width].
    """
    if start is None:
        return np.full(walkable.shape, UNREACHABLE, np.uint16)
    sources = np.zeros(walkable.shape, bool)
    sources[start[1], start[0]] = True
    steps = distance_from(sources, walkable | sources)
    remaining = np.minimum(steps, FARTHEST)
    return np.where(steps < 0, UNREACHABLE, remaining).astype(np.uint16)


def seen_tileset(level: Level) -> Tileset | None:
    """Return the tileset for drawing a level; None if no layer is visible.

    This is the level's own tileset. If that does not fit the layers, the exporter draws one.
    """
    exported = level.exported()
    if not exported.seen_layers():
        return None
    try:
        return level_tileset(exported)
    except ParameterError:
        style = level.tileset.options.style if level.tileset else None
        drawn = TilesetSource(TilesetOptions(style=style))
        return level_tileset(replace(exported, tileset=drawn))


def _layer(frame: BinaryMessage, layer: Layer, tileset: Tileset | None) -> LayerData:
    cells = layer.cells
    described: dict[str, Any] = {
        "name": layer.name,
        "kind": layer.kind,
        "generator": layer.generator,
        "version": layer.version,
        "role": layer.role,
        "aligned": layer.grid_aligned,
        "width": layer.width,
        "height": layer.height,
        "complete": layer.complete,
        "cells": frame.array(cells),
        "tiles": [asdict(tile) for tile in layer.tiles],
        "heights": asdict(layer.heights) if layer.heights is not None else None,
        "rooms": [asdict(room) for room in layer.rooms],
        "connections": [asdict(connection) for connection in layer.connections],
        "certificate": asdict(layer.certificate) if layer.certificate is not None else None,
        "drawings": [],
        "pictures": [],
    }
    if tileset is not None:
        described["pictures"] = _pictures(layer, tileset)
        described["drawings"] = [
            {
                "between": drawing.between_cells,
                # 0 means none: the page's textures have no negative numbers.
                "numbers": frame.array((drawing.numbers + 1).astype(np.uint16)),
            }
            for drawing in tileset.drawings(layer)
        ]
    return cast("LayerData", described)


def _pictures(layer: Layer, tileset: Tileset) -> list[list[int]]:
    """Return, for each tile, the numbers of its pictures in the tileset.

    Numbers count from 1; the lowest picture comes first.
    """
    ids = np.array([tile.id for tile in layer.tiles], layer.cells.dtype)
    if not ids.size:
        return []
    # In a row of squares of three cells, each middle has nothing but its own tile around it.
    squares = np.tile(np.repeat(ids, 3), (3, 1))
    drawings = tileset.drawings(replace(layer, cells=squares))
    columns = [drawing.numbers[1, 1::3] + 1 for drawing in drawings]
    return [[int(item[index]) for item in columns if item[index]] for index in range(ids.size)]


def _sprites(frame: BinaryMessage, level: Level, first: Iterable[str]) -> dict[str, Any]:
    """Return the picture of each kind of objects: squares of RGBA pixels.

    The pixels are added to `frame`. `first` are names of objects that get the first colours, in
    order.
    """
    return {
        kind: frame.array(sprite(name, position, row).ravel())
        for kind, (name, position, row) in sprite_places(level, first).items()
    }


def _sight(frame: BinaryMessage, level: Level) -> dict[str, Any] | None:
    sight = level.visibility
    if sight is None:
        return None
    return {
        "layer": level.visibility_layer,
        "rule": sight.algorithm,
        "radius": sight.radius,
        "seeWalls": bool(sight.see_walls),
        "opaque": frame.array(np.asarray(sight.opaque)),
    }


def _tileset(frame: BinaryMessage, tileset: Tileset) -> dict[str, Any]:
    return {
        "size": tileset.tile_size,
        "columns": tileset.columns,
        "rows": tileset.rows,
        "margin": tileset.margin,
        "spacing": tileset.spacing,
        "pixels": frame.array(tileset.pixels),
    }
