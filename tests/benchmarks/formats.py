"""Measure the file formats beside common writers of the same bytes.

    python tests/benchmarks/formats.py

The peers are Pillow for pictures, the json module for Tiled maps and a struct call a cell for
Godot's cells. Times are the best of a few runs, in milliseconds.
"""

from __future__ import annotations

import io
import json
import struct
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PIL import Image

from exporter.formats.bitmap import bitmap, cell_colors
from exporter.formats.exr import encode_exr
from exporter.formats.godot.tile_layers import tile_map_data
from exporter.formats.heights.samples import height_png, real_heights
from exporter.formats.preview import preview_picture
from exporter.formats.tiled.map import map_document
from exporter.formats.tiled.tmj import tiled_json
from exporter.model.level import BLACK, CLEAR, Layer, Level, Tile
from exporter.targets import TARGETS
from exporter.tilesets import level_tileset

TILES = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))


def caves(side: int) -> Level:
    """Return a level like a cave: a smoothed random grid, and heights."""
    random = np.random.default_rng(1)
    cells = (random.random((side, side)) < 0.45).astype(np.uint8)
    for _ in range(4):
        padded = np.pad(cells, 1, constant_values=1)
        count = sum(padded[y : y + side, x : x + side] for y in range(3) for x in range(3))
        cells = (count >= 5).astype(np.uint8)
    y, x = np.mgrid[0 : side + 1, 0 : side + 1] / side
    land = np.sin(9 * x + 5 * y) + np.cos(13 * y - 7 * x) + random.random(x.shape) / 90
    samples = ((land - land.min()) / np.ptp(land) * 65535).astype(np.uint16)
    layers = (
        Layer("ground", "tiles", cells, "caves", tiles=TILES, walkable=cells == 0),
        Layer("relief", "heights", samples, "noise", grid_aligned=False),
    )
    return Level("crypt", side, side, layers={layer.name: layer for layer in layers})


def best(work: Callable[[], Any], runs: int = 3) -> tuple[float, Any]:
    """Return the shortest time in milliseconds, and the result."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return min(times) * 1000, result


def show(what: str, ours: Callable[[], bytes], peer: Callable[[], bytes] | None) -> None:
    """Print a line of the table."""
    took, data = best(ours)
    line = f"{what:<44}{took:>9.1f} ms {len(data):>10} bytes"
    if peer is not None:
        took, data = best(peer, 1)
        line += f"   peer {took:>9.1f} ms {len(data):>10} bytes"
    print(line)


def pillow(pixels: np.ndarray) -> bytes:
    """Encode a picture as most programs do."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "png")
    return out.getvalue()


def cells_sequentially(numbers: np.ndarray, columns: int) -> bytes:
    """Pack Godot's cells the obvious way."""
    parts = [b"\0\0"]
    for (y, x), number in np.ndenumerate(numbers):
        parts.append(struct.pack("<hhHHHH", x, y, 0, number % columns, number // columns, 0))
    return b"".join(parts)


def main() -> None:
    """Print the table."""
    level = caves(1024)
    ground, relief = level.layers["ground"], level.layers["relief"]
    tileset = level_tileset(level)
    numbers = tileset.numbers(ground)
    places = np.array(
        [(0, n % tileset.columns, n // tileset.columns, 0) for n in range(tileset.count)]
    )
    big = cell_colors(ground).repeat(5, 0).repeat(5, 1)
    show("bitmap, 1024 x 1024 cells of 5 pixels", lambda: bitmap(ground), lambda: pillow(big))
    show("16-bit height PNG, 1025 x 1025", lambda: height_png(relief), lambda: pillow(relief.cells))
    show("float EXR, 1025 x 1025", lambda: encode_exr(real_heights(relief)), None)
    gids = (numbers + 1).ravel().tolist()
    show(
        "Tiled JSON, 1024 x 1024, csv",
        lambda: tiled_json(map_document(level, tileset, "a.tsj")),
        lambda: json.dumps({"data": gids}).encode(),
    )
    show(
        "Tiled JSON, 1024 x 1024, zlib",
        lambda: tiled_json(map_document(level, tileset, "a.tsj", encoding="zlib")),
        None,
    )
    show(
        "Godot cells, 1024 x 1024",
        lambda: tile_map_data(numbers, places),
        lambda: cells_sequentially(numbers, tileset.columns),
    )
    show("preview, 1024 x 1024", lambda: preview_picture(level), None)
    small = caves(128)
    for name in TARGETS.names():
        target = TARGETS.get(name)
        options = target.options(path="out", blob=False)
        took, exported = best(partial(target.artifacts, small, options, "out"))
        size = sum(len(artifact.data) for artifact in exported.artifacts)
        print(
            f"{'all of ' + name + ' but the blob, 128 x 128':<44}{took:>9.1f} ms {size:>10} bytes"
        )


if __name__ == "__main__":
    main()
