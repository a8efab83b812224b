"""Write a Godot TileSet as a text resource.

The custom data layers `name`, `id`, `walkable` and `opaque` describe each tile. If shapes come from
tiles, unwalkable tiles collide, opaque tiles cast shadows and walkable tiles can be navigated. The
resource has the keys of files that Godot 4.6 saves.
"""

from __future__ import annotations

from collections.abc import Collection

from exporter.formats.godot.options import SceneOptions
from exporter.formats.godot.peering import (
    DIAMOND_DOWN,
    ISOMETRIC,
    ISOMETRIC_PEERING_BITS,
    PEERING_BITS,
)
from exporter.formats.godot.scene_tiles import SOURCE
from exporter.formats.godot.text import points, quoted, value_text
from exporter.formats.godot.values import Raw, Value
from exporter.model.colors import rgba
from exporter.model.level import Tile
from exporter.tilesets import NeighbourhoodTile, Tileset
from exporter.tilesets.animation import FRAMES, MILLISECONDS

# Numbers of Godot's Variant types.
_BOOL, _INT, _STRING = 1, 2, 4
# Godot's terrain modes: corners and sides, or sides alone. Its mode for corners needs pictures of
# cells, not of the spaces between them.
_TERRAIN_MODES = {"blob": 0, "edges": 2}
_CUSTOM_DATA = (("name", _STRING), ("id", _INT), ("walkable", _BOOL), ("opaque", _BOOL))


def tileset_resource(
    tileset: Tileset,
    image_file: str,
    image_uid: str,
    uid: str,
    options: SceneOptions,
    animated: Collection[int] = (),
) -> bytes:
    """Return a TileSet as the text of a `.tres` file.

    `image_file` is the name of the tileset's picture, which lies beside the resource; `image_uid`
    is the uid in the picture's `.import`; `uid` is the resource's own. `options` says which shapes
    come from tiles; other shapes are left out. `animated` has the numbers of animated tiles; the
    picture then has all frames, each a whole sheet, below each other.
    """
    size = tileset.tile_size
    texture = f'[ext_resource type="Texture2D" uid="{image_uid}" path={quoted(image_file)} id="1"]'
    lines = [f'[gd_resource type="TileSet" format=3 uid="{uid}"]', "", texture, ""]
    outline = _outline(size, options.diamond)
    lines += _shared_shapes(outline, options)
    lines += ['[sub_resource type="TileSetAtlasSource" id="sheet"]', 'texture = ExtResource("1")']
    if tileset.margin:
        lines.append(f"margins = Vector2i({tileset.margin}, {tileset.margin})")
    if tileset.spacing:
        lines.append(f"separation = Vector2i({tileset.spacing}, {tileset.spacing})")
    width, height = options.diamond or (size, size)
    if (width, height) != (16, 16):
        lines.append(f"texture_region_size = Vector2i({width}, {height})")
    bits = _terrain_bits(tileset, ISOMETRIC_PEERING_BITS if options.diamond else PEERING_BITS)
    # Pictures outside the cells mean no tile, except those in place of clear pictures.
    shaped = tileset.shaped_numbers()
    meaning = shaped | set(tileset.whole.values())
    for number, tile in sorted(tileset.tiles.items()):
        row, column = divmod(number, tileset.columns)
        key = f"{column}:{row}/0"
        if number in animated:
            lines += _animation(f"{column}:{row}", tileset.rows)
        lines.append(f"{key} = 0")
        if number in shaped:
            lines += _shapes(key, tile, outline, options)
        if number in meaning:
            lines += _custom_data(key, tile)
        lines += [f"{key}/{line}" for line in bits.get(number, [])]
    lines += ["", "[resource]"]
    if options.diamond:
        lines += [f"tile_shape = {ISOMETRIC}", f"tile_layout = {DIAMOND_DOWN}"]
    if (width, height) != (16, 16):
        lines.append(f"tile_size = Vector2i({width}, {height})")
    if options.occlusion == "tiles":
        lines.append("occlusion_layer_0/light_mask = 1")
    if options.collision == "tiles":
        layer, mask = options.bits.collision_layer, options.bits.collision_mask
        lines.append(f"physics_layer_0/collision_layer = {layer}")
        lines.append(f"physics_layer_0/collision_mask = {mask}")
    if options.navigation == "tiles":
        lines.append("navigation_layer_0/layers = 1")
    for number, terrain in enumerate(_terrains(tileset)):
        lines.append(f"terrain_set_{number}/mode = {_TERRAIN_MODES[terrain.autotile]}")
        lines.append(f"terrain_set_{number}/terrain_0/name = {quoted(terrain.name)}")
        lines.append(f"terrain_set_{number}/terrain_0/color = {_color(terrain.color)}")
    for number, (name, kind) in enumerate(_CUSTOM_DATA):
        lines.append(f"custom_data_layer_{number}/name = {quoted(name)}")
        lines.append(f"custom_data_layer_{number}/type = {kind}")
    lines.append(f'sources/{SOURCE} = SubResource("sheet")')
    return ("\n".join(lines) + "\n").encode()


def _animation(key: str, rows: int) -> list[str]:
    """Return the lines that animate the tile `key`.

    Its frames are `rows` rows apart in the picture: the sheet, `rows` high, is repeated for each
    frame.
    """
    return [
        f"{key}/animation_columns = 1",
        f"{key}/animation_separation = Vector2i(0, {rows - 1})",
        *(
            f"{key}/animation_frame_{frame}/duration = {MILLISECONDS / 1000}"
            for frame in range(FRAMES)
        ),
    ]


def _outline(size: int, diamond: tuple[int, int] | None) -> Raw:
    if diamond:
        right, down = diamond[0] / 2, diamond[1] / 2
        return points([(0, -down), (right, 0), (0, down), (-right, 0)])
    half = size / 2
    return points([(-half, -half), (half, -half), (half, half), (-half, half)])


def _shared_shapes(outline: Raw, options: SceneOptions) -> list[str]:
    lines: list[str] = []
    if options.occlusion == "tiles":
        lines += ['[sub_resource type="OccluderPolygon2D" id="opaque"]', f"polygon = {outline}", ""]
    if options.navigation == "tiles":
        lines += [
            '[sub_resource type="NavigationPolygon" id="walkable"]',
            f"vertices = {outline}",
            "polygons = Array[PackedInt32Array]([PackedInt32Array(0, 1, 2, 3)])",
            f"outlines = Array[PackedVector2Array]([{outline}])",
            "",
        ]
    return lines


def _terrains(tileset: Tileset) -> list[NeighbourhoodTile]:
    return [terrain for terrain in tileset.terrains if terrain.autotile in _TERRAIN_MODES]


def _terrain_bits(tileset: Tileset, names: tuple[str, ...]) -> dict[int, list[str]]:
    """Return the lines that set terrains and neighbours, by tile number.

    `names` are Godot's names of the eight neighbours.
    """
    lines: dict[int, list[str]] = {}
    for position, terrain in enumerate(_terrains(tileset)):
        for number, mask in terrain.masks().items():
            lines[number] = [f"terrain_set = {position}", "terrain = 0"]
            lines[number] += [
                f"terrains_peering_bit/{name} = 0"
                for bit, name in enumerate(names)
                if mask >> bit & 1
            ]
    return lines


def _color(color: str) -> Raw:
    parts = ", ".join(f"{part / 255:.6g}" for part in rgba(color))
    return Raw(f"Color({parts})")


def _shapes(key: str, tile: Tile, outline: Raw, options: SceneOptions) -> list[str]:
    lines = []
    if tile.opaque and options.occlusion == "tiles":
        # The key of Godot 4.3; from 4.4 on it is read as the first of several polygons.
        lines.append(f'{key}/occlusion_layer_0/polygon = SubResource("opaque")')
    if tile.walkable and options.navigation == "tiles":
        lines.append(f'{key}/navigation_layer_0/polygon = SubResource("walkable")')
    # An empty tile decides nothing, also where an image has a picture for it.
    if tile.blocking and options.collision == "tiles":
        lines.append(f"{key}/physics_layer_0/polygon_0/points = {outline}")
    return lines


def _custom_data(key: str, tile: Tile) -> list[str]:
    values: tuple[Value, ...] = (tile.name, tile.id, tile.walkable, tile.opaque)
    return [
        f"{key}/custom_data_{number} = {value_text(value)}" for number, value in enumerate(values)
    ]
