"""Write a level as a Godot GridMap with the pieces of a MeshLibrary.

Every play layer is one height of the map. A tile's piece in a cell depends on the sides on which
the tile continues in the neighbours; it is rotated by quarter turns around the vertical axis:

| piece | continues to |
|---|---|
| `wall_single` | no side |
| `wall_end` | east |
| `wall_straight` | east and west |
| `wall_corner` | east and south |
| `wall_t` | east, south and west |
| `wall_cross` | all four sides |
| `wall_inside` | all eight neighbours |
| `door_ns`, `door_ew` | the passage leads north and south, or east and west |

`wall` replaces each missing piece. Every tile continues beyond the level's border.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from exporter.formats.gltf.plan import kind_of
from exporter.formats.godot.nodes import Node, Scene
from exporter.formats.godot.resource_text import ResourceTextError, read_sections
from exporter.formats.godot.tscn import tres
from exporter.formats.godot.values import Color, ExternalResource, Raw, SubResource, Value, Vector3
from exporter.formats.godot.world_parts import part_window
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Layer, Level, Tile
from exporter.model.texts import unused_name
from exporter.tilesets.materials import color_of
from exporter.tilesets.styles import Style, style_of

# Cells have 16 bits for each coordinate, below zero too.
LONGEST_SIDE = 1 << 15
LIBRARY = "MeshLibrary"
# In metres: the side of a cell, and the height of walls.
_SIDE, _WALL = 1.0, 3.0
# Layers lie this far above each other: they neither flicker nor stop a walker.
_STEP = 0.02
# How far floors and liquids go down; a pit is one metre deep.
_BOTTOM = -1.25
# Godot's numbers of the turns by no, one, two and three quarters, clockwise from above.
_TURNS = (0, 22, 10, 16)
_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8
_ALL = _NORTH | _EAST | _SOUTH | _WEST
_INSIDE = _ALL + 1
_PIECES = (
    ("single", 0),
    ("end", _EAST),
    ("straight", _EAST | _WEST),
    ("corner", _EAST | _SOUTH),
    ("t", _EAST | _SOUTH | _WEST),
    ("cross", _ALL),
    ("inside", _INSIDE),
)
_DOOR_ENDS = ("ns", "ew")

Items = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class MissingPiece:
    """A tile for which the MeshLibrary has no piece.

    `names` are the item names that would fit, best first.
    """

    tile: str
    names: tuple[str, ...]


def read_library(content: bytes) -> dict[str, int]:
    """Return the item numbers of a MeshLibrary file (`.tres`), by item name.

    Raises:
        ResourceTextError: The file is not a MeshLibrary as text, or is broken.
    """
    sections = read_sections(content)
    kind = sections[0].attributes.get("type")
    if kind != LIBRARY:
        raise ResourceTextError(f"the resource is a {kind}, not a {LIBRARY}")
    items: dict[str, int] = {}
    for section in sections:
        for key in section.entries if section.tag == "resource" else ():
            parts = key.split("/")
            if len(parts) == 3 and parts[0] == "item" and parts[2] == "name":
                name, number = section.value(key), parts[1]
                if isinstance(name, str) and number.isdecimal() and int(number) < 1 << 16:
                    items.setdefault(name, int(number))
    return items


def library_uid(content: bytes) -> str:
    """Return the uid of the MeshLibrary file `content`; "" if it has none."""
    uid = read_sections(content)[0].attributes.get("uid", "")
    return uid if isinstance(uid, str) else ""


def plain_library(level: Level, uid: str) -> tuple[bytes, dict[str, dict[str, int]]]:
    """Make a MeshLibrary with a plain box for each tile of the level.

    Return the content of its file, and its item numbers by layer name and tile name. `uid` becomes
    the file's. Blocking tiles become boxes as high as walls.
    """
    properties: dict[str, Value] = {}
    numbers: dict[Tile, int] = {}
    names: set[str] = set()
    items: dict[str, dict[str, int]] = {}
    style = style_of(level)
    for layer in level.play_layers():
        for tile in _used_tiles(layer):
            number = numbers.setdefault(tile, len(numbers))
            items.setdefault(layer.name, {})[tile.name] = number
            key = f"item/{number}"
            if f"{key}/name" in properties:
                continue
            properties[f"{key}/name"] = unused_name(tile.name, names)
            for part, value in _box_item(tile, layer, style).items():
                properties[f"{key}/{part}"] = value
    return tres(LIBRARY, properties, uid), items


def grid_map(
    level: Level, library: ExternalResource, items: Callable[[Layer], Items], uid: str
) -> tuple[Scene, list[MissingPiece]]:
    """Return the GridMap scene of a level, and the pieces that it lacks.

    `library` is the MeshLibrary; `items` returns its item numbers for a layer, by item name. `uid`
    becomes the scene's.
    """
    missing: list[MissingPiece] = []
    doors = _door_classes(level)
    cells = [
        _layer_cells(layer, height, doors, items(layer), missing)
        for height, layer in enumerate(level.play_layers())
    ]
    numbers = np.concatenate(cells).ravel().tolist()
    properties: dict[str, Value] = {
        "mesh_library": library,
        "cell_size": Vector3(_SIDE, _STEP, _SIDE),
        "cell_center_y": False,
        "data": {"cells": Raw(f"PackedInt32Array({', '.join(map(str, numbers))})")},
    }
    if level.part is not None:
        x, y = level.part.origin
        properties = {"position": Vector3(x * _SIDE, 0, y * _SIDE), **properties}
    return Scene(Node("GridMap", "GridMap", properties), uid), missing


def _used_tiles(layer: Layer) -> list[Tile]:
    used = set(np.unique(layer.cells).tolist())
    return [tile for tile in layer.tiles if tile.id in used and not tile.empty]


def _box_item(tile: Tile, layer: Layer, style: Style) -> dict[str, Value]:
    kind = kind_of(tile, layer)
    top = kind.height * _WALL - kind.depth * _SIDE
    red, green, blue = (round(part / 255, 6) for part in color_of(tile, style).tolist())
    material = SubResource("StandardMaterial3D", {"albedo_color": Color(red, green, blue)})
    mesh = SubResource("BoxMesh", {"material": material, "size": _size(top)})
    # A door that is closed fills its cell.
    solid_top = top if tile.walkable else _WALL
    shape = SubResource("BoxShape3D", {"size": _size(solid_top)})
    return {"mesh": mesh, "mesh_transform": _middle(top), "shapes": (shape, _middle(solid_top))}


def _size(top: float) -> Vector3:
    return Vector3(_SIDE, top - _BOTTOM, _SIDE)


def _middle(top: float) -> Raw:
    return Raw(f"Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, {(top + _BOTTOM) / 2!r}, 0)")


def _layer_cells(
    layer: Layer, height: int, doors: NDArray[np.uint8], items: Items, missing: list[MissingPiece]
) -> NDArray[np.int32]:
    """Return a layer's cells as GridMap stores them: int32 [cells, 3].

    `height` is the layer's index among the play layers; `doors` is 1 where passages lead east and
    west. Pieces that `items` lacks are added to `missing`.
    """
    pieces = np.full(layer.cells.shape, -1, np.int32)
    for tile in _used_tiles(layer):
        here = layer.cells == tile.id
        classes = doors if tile.door else _side_classes(layer, tile)
        numbers = np.unique(classes[here]).tolist()
        table = np.full(_INSIDE + 1, -1, np.int32)
        for number in numbers:
            choices = list(_choices(tile, number))
            piece = next(((items[name], turn) for name, turn in choices if name in items), None)
            if piece is None:
                missing.append(MissingPiece(tile.name, tuple(name for name, _ in choices)))
            else:
                table[number] = piece[0] | _TURNS[piece[1]] << 16
        pieces[here] = table[classes[here]]
    y, x = np.nonzero(pieces >= 0)
    return np.stack([x | height << 16, y, pieces[y, x]], axis=1).astype(np.int32)


def _choices(tile: Tile, number: int) -> Iterator[tuple[str, int]]:
    """Yield items that fit `tile`, best first: their names and quarter turns.

    `number` is a door's direction, 1 for east and west; for other tiles the sides on which the tile
    continues, as bits.
    """
    if tile.door:
        yield f"{tile.name}_{_DOOR_ENDS[number]}", 0
        yield f"{tile.name}_{_DOOR_ENDS[1 - number]}", 1
        yield tile.name, number
        return
    end, turn = _CLASSES[number]
    yield f"{tile.name}_{end}", turn
    if end == "inside":
        yield f"{tile.name}_cross", turn
    # A floor without pieces of its own keeps the direction of its boards.
    yield tile.name, turn if tile.blocking else 0


def _door_classes(level: Level) -> NDArray[np.uint8]:
    """Return 1 for cells where a passage leads east and west, else 0.

    A passage does if more cells to its east and west are walkable than to its north and south.
    """
    walkable, inside = part_window(level)
    around = np.pad(walkable, 1).astype(np.uint8)
    east_west = around[1:-1, :-2] + around[1:-1, 2:]
    turned = east_west > around[:-2, 1:-1] + around[2:, 1:-1]
    rows = slice(inside.y, inside.y + inside.height)
    return turned[rows, inside.x : inside.x + inside.width].astype(np.uint8)


def _side_classes(layer: Layer, tile: Tile) -> NDArray[np.uint8]:
    """Return the sides on which `tile` continues in each cell, as bits.

    A tile that blocks continues in doors, too. `_INSIDE` means all eight neighbours.
    """
    goes_on = [
        other.id == tile.id or (tile.blocking and other.door and not tile.door)
        for other in layer.tiles
    ]
    same, (top, left) = layer.lookup(goes_on), (0, 0)
    if layer.around is not None:
        rows, columns = layer.around.inside
        same = replace(layer, cells=layer.around.cells, around=None).lookup(goes_on)
        top, left = rows.start, columns.start
    wide = np.pad(same, 1, constant_values=True)
    height, width = layer.cells.shape

    def beside(down: int, right: int) -> NDArray[np.bool_]:
        y, x = top + 1 + down, left + 1 + right
        return wide[y : y + height, x : x + width]

    sides = (
        beside(-1, 0) * np.uint8(_NORTH)
        | beside(0, 1) * np.uint8(_EAST)
        | beside(1, 0) * np.uint8(_SOUTH)
        | beside(0, -1) * np.uint8(_WEST)
    )
    corners = beside(-1, -1) & beside(-1, 1) & beside(1, -1) & beside(1, 1)
    sides[(sides == _ALL) & corners] = _INSIDE
    return sides


def _classes() -> dict[int, tuple[str, int]]:
    """Return, for each set of sides as bits, the piece and its quarter turns."""
    classes: dict[int, tuple[str, int]] = {}
    for end, sides in _PIECES:
        for turn in range(4):
            classes.setdefault(sides, (end, turn))
            if sides < _ALL:
                sides = (sides << 1 | sides >> 3) & _ALL
    return classes


_CLASSES = _classes()
