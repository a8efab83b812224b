"""A game with tilesets of its own, as a team keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from exporter.model.errors import ParameterError

TILE_SET = """\
[gd_resource type="TileSet" format=3 uid="uid://b7tea0mt1les"]

[ext_resource type="Texture2D" uid="uid://c8x" path="res://art/dungeon.png" id="1_a"]

[sub_resource type="TileSetAtlasSource" id="dungeon"]
texture = ExtResource("1_a")
margins = Vector2i(2, 2)
separation = Vector2i(1, 1)
texture_region_size = Vector2i(32, 32)
0:0/0 = 0
0:0/0/probability = 3.0
0:0/0/custom_data_1 = "Floor"
1:0/0 = 0
1:0/0/custom_data_1 = "Floor"
3:1/next_alternative_id = 2
3:1/0 = 0
3:1/0/physics_layer_0/polygon_0/points = PackedVector2Array(-16, -16, 16, -16, 16, 16, -16, 16)
3:1/0/custom_data_0 = "tock
[line] = \\\\ \\"q\\""
3:1/0/custom_data_1 = "wall"
3:1/1 = 1
3:1/1/flip_h = true
4:2/size_in_atlas = Vector2i(2, 1)
4:2/0 = 0

[sub_resource type="TileSetAtlasSource" id="extra"]
texture_region_size = Vector2i(32, 32)
0:0/0 = 0
2:2/0 = 0

[sub_resource type="TileSetScenesCollectionSource" id="scenes"]
scenes/1/scene = null

[resource]
tile_size = Vector2i(32, 32)
occlusion_layer_0/light_mask = 6
physics_layer_0/collision_layer = 4
physics_layer_0/collision_mask = 0
physics_layer_1/collision_layer = 1
navigation_layer_0/layers = 2
custom_data_layer_0/name = "sound"
custom_data_layer_0/type = 4
custom_data_layer_1/name = "name"
custom_data_layer_1/type = 4
sources/3 = SubResource("dungeon")
sources/7 = SubResource("extra")
sources/9 = SubResource("scenes")
"""


@dataclass(frozen=True)
class GameOf:
    """Files of a game, from memory; reads are recorded."""

    files: Mapping[str, bytes]
    read_files: list[str] = field(default_factory=list)

    def read(self, name: str) -> bytes:
        """Return a file's content; see `exporter.targets.GameFiles`."""
        self.read_files.append(name)
        if name not in self.files:
            raise ParameterError(f"{name!r} cannot be read (no such file or directory)")
        return self.files[name]

    def has(self, name: str) -> bool:
        """Return whether a file is there."""
        return name in self.files


@dataclass(frozen=True)
class GameIn:
    """The files of a game in a folder."""

    folder: Path

    def read(self, name: str) -> bytes:
        """Return a file's content; see `exporter.targets.GameFiles`."""
        try:
            return (self.folder / name).read_bytes()
        except OSError as error:
            raise ParameterError(f"{name!r} cannot be read ({error.strerror})") from None

    def has(self, name: str) -> bool:
        """Return whether a file is there."""
        return (self.folder / name).is_file()
