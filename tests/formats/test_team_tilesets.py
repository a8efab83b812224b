"""TileSets of a team are read as Godot reads them, and unusable ones reported."""

from __future__ import annotations

import pytest

from cases import each_case
from exporter.formats.godot.team_tileset import FLIP_H, GodotTeamTileset, TilesetError
from exporter.formats.godot.tileset_reader import game_file, read_tileset
from exporter.model.errors import ParameterError
from team_tilesets import TILE_SET, GameOf


def read(text: str = TILE_SET, **files: bytes) -> GodotTeamTileset:
    game = GameOf({name.replace("__", "/"): content for name, content in files.items()})
    return read_tileset(text.encode(), "res://art/dungeon.tres", game.read)


def test_sources_tiles_and_layers_are_read() -> None:
    tileset = read()
    assert (tileset.tile_size, tileset.uid) == (32, "uid://b7tea0mt1les")
    assert sorted(tileset.sources) == [3, 7, 9]
    atlas = tileset.sources[3]
    assert atlas is not None
    assert atlas.texture == "art/dungeon.png"
    assert sorted(atlas.tiles) == [(0, 0), (1, 0), (3, 1), (4, 2)]
    assert sorted(atlas.tiles[3, 1]) == [0, 1]
    assert tileset.sources[9] is None
    assert tileset.physics_layers == ((4, 0), (1, 1))
    assert (tileset.navigation_layers, tileset.light_masks) == ((2,), (6,))


def test_facts_of_tiles_are_read() -> None:
    tileset = read()
    assert tileset.facts((3, 0, 0, 0)).probability == 3
    assert tileset.facts((3, 0, 0, 0)).name == "Floor"
    wall = tileset.facts((3, 3, 1, 0))
    assert (wall.name, wall.solid) == ("wall", True)
    assert tileset.facts((3, 3, 1, 1)).flips == FLIP_H
    assert tileset.facts((3, 3, 1, FLIP_H)).flips == FLIP_H
    assert tileset.facts((7, 2, 2, 0)).probability == 1


def test_pixels_of_tiles_leave_out_margin_and_spacing() -> None:
    atlas = read().sources[3]
    assert atlas is not None
    assert atlas.box(3, 1) == (2 + 3 * 33, 2 + 33, 2 + 3 * 33 + 32, 2 + 33 + 32)
    assert atlas.box(4, 2) == (2 + 4 * 33, 2 + 66, 2 + 4 * 33 + 65, 2 + 66 + 32)


@each_case(
    ("cell", "message"),
    [
        ((3, 3, 1, 0), ""),
        ((3, 3, 1, 1 | FLIP_H), ""),
        ((4, 0, 0, 0), "no source 4 (it has 3, 7, 9)"),
        ((9, 0, 0, 0), "scenes, not tiles"),
        ((3, 2, 2, 0), "{at: [2, 2], source: 7}"),
        ((3, 9, 9, 0), "columns 0 to 4 and the rows 0 to 2"),
        ((3, 5, 2, 0), "the tile [4, 2] at [5, 2]"),
        ((3, 3, 1, 2), "no alternative 2 of the tile [3, 1] (it has 0, 1)"),
    ],
)
def test_places_without_a_tile_are_reported(cell: tuple[int, int, int, int], message: str) -> None:
    problem = read().problem(cell)
    assert message in problem
    assert bool(problem) == bool(message)


def test_terrain_sets_are_read() -> None:
    text = TILE_SET.replace(
        "sources/3",
        'terrain_set_0/mode = 2\nterrain_set_0/terrain_0/name = "Path"\n'
        'terrain_set_1/terrain_1/name = "Sand"\nsources/3',
    ).replace(
        "1:0/0 = 0\n",
        "1:0/0 = 0\n1:0/0/terrain_set = 0\n1:0/0/terrain = 0\n"
        "1:0/0/terrains_peering_bit/left_side = 0\n",
        1,
    )
    tileset = read(text)
    assert [(terrain_set.mode, terrain_set.names) for terrain_set in tileset.terrain_sets] == [
        ("sides", ("Path",)),
        ("corners and sides", ("", "Sand")),
    ]
    facts = tileset.facts((3, 1, 0, 0))
    assert (facts.terrain_set, facts.terrain) == (0, 0)
    assert facts.bits == (-1, -1, -1, -1, -1, -1, 0, -1)


def test_a_source_in_a_file_of_its_own_is_read() -> None:
    source = (
        '[gd_resource type="TileSetAtlasSource" format=3]\n'
        '[ext_resource type="Texture2D" path="tiles.png" id="1"]\n'
        '[resource]\ntexture = ExtResource("1")\n5:6/0 = 0\n'
    )
    text = (
        '[gd_resource type="TileSet" format=3]\n'
        '[ext_resource type="TileSetAtlasSource" path="res://art/more/one.tres" id="1"]\n'
        '[resource]\nsources/0 = ExtResource("1")\n'
    )
    tileset = read(text, **{"art__more__one.tres": source.encode()})
    atlas = tileset.sources[0]
    assert atlas is not None
    assert list(atlas.tiles) == [(5, 6)]
    assert atlas.texture == "art/more/tiles.png"
    with pytest.raises(ParameterError, match="cannot be read"):
        read(text)


@each_case(
    ("change", "message"),
    [
        (("tile_size = Vector2i(32, 32)\nocc", "tile_size = Vector2i(32, 16)\nocc"), "32 x 16"),
        (("tile_size = Vector2i(32, 32)\nocc", "tile_size = Vector2i(0, 0)\nocc"), "0 pixels"),
        (("tile_size = Vector2i(32, 32)\nocc", 'tile_size = "big"\nocc'), "not a pair"),
        (("occlusion_layer_0", "tile_shape = 1\nocclusion_layer_0"), "isometric"),
        (("occlusion_layer_0", "tile_shape = 3\nocclusion_layer_0"), "hexagonal"),
        (('type="TileSet"', 'type="Theme"'), "a Theme, not a TileSet"),
        (("[resource]", "[other]"), "no \\[resource\\]"),
        (("[resource]", "[resource"), "cannot be read"),
    ],
)
def test_tilesets_that_levels_cannot_use_are_reported(
    change: tuple[str, str], message: str
) -> None:
    text = TILE_SET.replace(*change)
    assert text != TILE_SET
    with pytest.raises(TilesetError, match=message):
        read(text)


@each_case(
    ("path", "file"),
    [
        ("res://a/b.png", "a/b.png"),
        ("b.png", "art/b.png"),
        ("../b.png", "b.png"),
        ("../../b.png", None),
        ("res://../b.png", None),
        ("uid://abc", None),
        ("user://b.png", None),
        ("/etc/passwd", None),
    ],
)
def test_pictures_lie_in_the_game(path: str, file: str | None) -> None:
    assert game_file(path, "art/dungeon.tres") == file
