"""Write Defold's tile sources and tile maps, as its editor does.

Resources are named relative to the Defold project. Rows count upwards; tiles count from 0, and
a cell without a tile is not written. Defold's `tile_ddf.proto` defines what the files contain.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from exporter.model.level import Level
from exporter.tilesets import Tileset

# The collision group of unwalkable tiles.
SOLID = "solid"
# Edges that Defold repeats around tiles when it builds the game: its editor's default.
_EXTRUDED = 2
# Layers are drawn by depth; the usual camera shows depths from -1 to 1.
_DEPTH = 0.001


def tile_source(tileset: Tileset, picture: str, collision: str, solid: Collection[int]) -> bytes:
    """Return the tile source of the level's `tileset`, as text.

    Defold makes collision shapes itself, from the picture `collision`; the text only says which
    tiles have one.

    Args:
        tileset: The level's tileset.
        picture: Path of the tileset's picture in the Defold project.
        collision: Path in the Defold project of the picture that `collision_picture` draws.
        solid: The numbers of the tiles with a collision shape.
    """
    lines = [
        f"image: {_text(picture)}",
        f"tile_width: {tileset.tile_size}",
        f"tile_height: {tileset.tile_size}",
        # Defold counts a margin around every tile, and no further space between them.
        f"tile_margin: {tileset.extrusion}",
        "tile_spacing: 0",
        f"collision: {_text(collision)}",
        'material_tag: "tile"',
    ]
    for number in range(tileset.count):
        group = SOLID if number in solid else ""
        lines.append(f"convex_hulls {{ index: 0 count: 0 collision_group: {_text(group)} }}")
    lines += [f"collision_groups: {_text(SOLID)}", f"extrude_borders: {_EXTRUDED}"]
    return _lines(lines)


def collision_picture(tileset: Tileset, solid: Collection[int]) -> NDArray[np.uint8]:
    """Return the picture from which Defold makes collision shapes.

    It is laid out like the tileset's picture, with a full square for each tile in `solid`, the
    numbers of the tiles that have a shape.
    """
    pixels = np.zeros_like(tileset.pixels)
    size = tileset.tile_size
    for number in solid:
        x, y = tileset.corner(number)
        pixels[y : y + size, x : x + size] = 255
    return pixels


def tile_map(source: str, layers: Sequence[tuple[str, NDArray[np.int32]]]) -> bytes:
    """Return the tile map of a level, as text; cell (0, 0) is the lower left.

    Args:
        source: Path of the tile source in the Defold project.
        layers: Each layer's name and tile numbers, -1 for none, bottom to top.
    """
    lines = [f"tile_set: {_text(source)}"]
    for depth, (name, numbers) in enumerate(layers):
        lines += [
            "layers {",
            f"  id: {_text(name)}",
            f"  z: {depth * _DEPTH:.3f}",
            "  is_visible: 1",
        ]
        rows, columns = np.nonzero(numbers >= 0)
        upwards = numbers.shape[0] - 1 - rows
        result = zip(
            columns.tolist(), upwards.tolist(), numbers[rows, columns].tolist(), strict=True
        )
        lines += [f"  cell {{ x: {x} y: {y} tile: {tile} }}" for x, y, tile in result]
        lines.append("}")
    lines += ['material: "/builtins/materials/tile_map.material"', "blend_mode: BLEND_MODE_ALPHA"]
    return _lines(lines)


def blocking_numbers(level: Level, tileset: Tileset) -> set[int]:
    """Return the numbers of tiles that block walking in play layers."""
    numbers = {
        number
        for layer in level.play_layers()
        for number in tileset.numbers_of(layer)
        if tileset.tiles[number].blocking
    }
    return numbers | {tileset.whole[number] for number in numbers if number in tileset.whole}


def _text(text: str) -> str:
    """Quote `text` for a protocol buffer, with bytes beyond ASCII escaped."""
    plain = (
        json.dumps(text)[1:-1]
        if text.isascii() and text.isprintable()
        else "".join(
            chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}"
            for byte in text.encode()
        )
    )
    return f'"{plain}"'


def _lines(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()
