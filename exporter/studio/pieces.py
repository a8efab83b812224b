"""List stamps and prefabs that a draft can place, in a builder process."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.build.pieces import TRANSPARENT, Piece, pieces_of_build
from exporter.model.errors import ExporterError
from exporter.model.level import Layer
from exporter.studio.building import Memory, build_of
from exporter.studio.frames import BinaryMessage
from exporter.studio.stamping import drawn_stamp
from exporter.studio.tasks import BuildTask

# A longer list would be too much to look through.
MAXIMUM_PIECES = 100


def pieces_of_draft(task: BuildTask, memory: Memory) -> bytes:
    """Return the message with the stamps and prefabs that a draft can place.

    The draft is that of `task`; results of earlier builds are read from `memory`.

    Raises:
        ExporterError: The level cannot be built, or a file of pieces cannot be read.
    """
    frame = BinaryMessage()
    found = islice(pieces_of_build(build_of(task, memory)), MAXIMUM_PIECES)
    pieces = [_described(frame, *item) for item in found]
    return frame.message({"event": "pieces", **task.facts, "problem": None, "pieces": pieces})


def _described(frame: BinaryMessage, layer: Layer, piece: Piece) -> dict[str, Any]:
    cells = piece.cells
    drawing: dict[str, Any] = {}
    if not piece.is_stamp:
        rows, columns = np.nonzero(cells != TRANSPARENT)
        if rows.size:
            # Cut to the size that its stamp will have.
            cells = cells[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
            drawing = _drawing(layer, cells)
    height, width = cells.shape
    return {
        "name": piece.name,
        "layer": layer.name,
        "stamp": piece.is_stamp,
        "width": width,
        "height": height,
        "cells": frame.array(cells),
        "art": drawing.get("art", ""),
        "glyphs": drawing.get("glyphs", {}),
    }


def _drawing(layer: Layer, cells: NDArray[np.int32]) -> dict[str, Any]:
    """Return tile ids as the parameters `art` and `glyphs` of a stamp.

    Return an empty mapping if a drawing in characters cannot represent the cells.
    """
    tiles = {tile.id: tile.name for tile in layer.tiles}
    rows, columns = np.nonzero(cells != TRANSPARENT)
    ids = cells[rows, columns].tolist()
    try:
        return drawn_stamp(
            {
                (x, y): tiles[number]
                for x, y, number in zip(columns.tolist(), rows.tolist(), ids, strict=True)
            },
            {tile.name: tile for tile in layer.tiles},
        )
    except ExporterError:
        return {}
