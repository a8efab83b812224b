"""A level's `.lvb` and its `.tscn` in real Godot: one scene, node by node and pixel by pixel."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine_harness import Godot
from engine_harness.levels import awkward_level, layer_of, write_level
from exporter.formats.godot.uid import godot_uid
from exporter.model.level import BLACK, CLEAR, Level, PlacedObject, Tile
from exporter.model.level_values import LayerDisplay
from exporter.targets._godot_options import ObjectsNode
from exporter.tilesets.source import TilesetOptions, open_tileset
from terrain_sheets import terrain_level

HARNESS = Path(__file__).parent / "engine_harness"
WIDTH, HEIGHT, SIZE = 70, 50, 12
TILES = (
    Tile(0, "floor", True, False, CLEAR),
    Tile(1, "wall", False, True, BLACK),
    Tile(2, "water", False, False, "#3366cc"),
)


def blots(seed: int) -> np.ndarray:
    """Wall and water on floor."""
    noise = np.random.default_rng(seed).random((HEIGHT, WIDTH))
    for _ in range(2):
        padded = np.pad(noise, 1, mode="edge")
        noise = sum(padded[y : y + HEIGHT, x : x + WIDTH] for y in range(3) for x in range(3)) / 9
    return np.digitize(noise, np.quantile(noise, [0.5, 0.8])).astype(np.uint8)


def layers_of_all_roles() -> Level:
    """Layers of every role, objects of one name, properties of all types."""
    layers = [
        replace(layer_of("draft", blots(1), TILES), role="data"),
        layer_of("ground", blots(2), TILES),
        layer_of("things", blots(3), (Tile(0, "empty", True, False, CLEAR), *TILES[1:])),
        replace(layer_of("decals", blots(4), TILES), role="picture"),
    ]
    values: dict[str, Any] = {
        "gold": 250,
        "large": 2**63 - 1,
        "weight": 0.5,
        "note": 'a "b"\n\u2620 \\',
        "two words": None,
        "open": False,
    }
    things = ("chest", "chest", "two words", "Tür:1")
    objects = tuple(
        PlacedObject(number, name, 3 * number, 2, values) for number, name in enumerate(things)
    )
    return Level(
        "roles",
        WIDTH,
        HEIGHT,
        seed=2**80,
        layers={layer.name: layer for layer in layers},
        objects=objects,
        properties=values,
    )


def autotiled(own_image: bool) -> Level:
    """Floor in variants, walls and water chosen by their neighbours."""
    autotile: Any = {"wall": "blob", "water": "edges"}
    chosen = TilesetOptions(autotile=autotile)
    if own_image:
        tiles: Any = {"floor": (1, 2, 3, 4), "wall": 6, "water": 60}
        chosen = TilesetOptions(
            image="a.png", tile_size=SIZE, margin=3, spacing=2, tiles=tiles, autotile=autotile
        )
    tileset = open_tileset(chosen, lambda path: sheet())
    ground = layer_of("ground", blots(5), TILES)
    return Level("tiles", WIDTH, HEIGHT, layers={"ground": ground}, tileset=tileset)


def sheet() -> bytes:
    """A picture of 13 by 6 tiles, each of which is a pattern of its own."""
    size = (6 + 6 * (SIZE + 2) - 2, 6 + 13 * (SIZE + 2) - 2, 3)
    out = io.BytesIO()
    Image.fromarray(np.random.default_rng(5).integers(0, 250, size, np.uint8)).save(out, "png")
    return out.getvalue()


def terrains() -> Level:
    """Terrains over each other, two of them drawn between the cells."""
    return terrain_level("terrain", HEIGHT, WIDTH)


def displayed() -> Level:
    """Layers with properties of their nodes, one of them sorted."""
    level = layers_of_all_roles()
    settings = {"modulate": "#ff000080", "y_sort_origin": 4, "x_draw_order_reversed": True}
    display = LayerDisplay(True, 3, settings)
    layers = {name: replace(layer, display=display) for name, layer in level.layers.items()}
    return replace(level, layers=layers)


@dataclass(frozen=True)
class Case:
    level: Callable[[], Level]
    options: dict[str, Any] = field(default_factory=dict)


TILE_SHAPES = {"collision": "tiles", "occlusion": "tiles", "navigation": "tiles"}
NO_SHAPES = {"collision": "none", "occlusion": "none", "navigation": "none"}
CASES = {
    "awkward": Case(awkward_level),
    "roles": Case(layers_of_all_roles),
    "tiles": Case(layers_of_all_roles, TILE_SHAPES),
    "none": Case(layers_of_all_roles, NO_SHAPES),
    "streamed": Case(layers_of_all_roles, {"chunks": "always"}),
    "streamed_tiles": Case(layers_of_all_roles, {"chunks": "always", **TILE_SHAPES}),
    "autotiled": Case(lambda: autotiled(False), {"extrude": 1}),
    "stacked": Case(terrains),
    "stacked_tiles": Case(terrains, TILE_SHAPES),
    "stacked_streamed": Case(terrains, {"chunks": "always"}),
    "displayed": Case(displayed, {"objects": ObjectsNode(y_sort=True, godot={"light_mask": 2})}),
    "own_image": Case(lambda: autotiled(True), {"agent_radius": 2}),
}


def folder_of(name: str, scene: bool) -> str:
    return name if scene else f"{name}_alone"


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with every case twice: with a `.tscn`, and with nothing but the `.lvb`."""
    game = godot.new_project(tmp_path_factory.mktemp("doors"), ("level_exporter",))
    for name, case in CASES.items():
        for scene in (True, False):
            folder = folder_of(name, scene)
            write_level(
                "godot",
                case.level(),
                game / folder,
                folder,
                scene=scene,
                **{"animated": False, **case.options},
            )
    output = godot.import_project(game)
    assert ".lvb:" not in output, output
    return game


def scene_path(name: str, scene: bool, suffix: str) -> str:
    return f"res://{folder_of(name, scene)}/{CASES[name].level().name}.{suffix}"


@pytest.fixture(scope="module")
def described(godot: Godot, project: Path) -> dict[str, Any]:
    paths = [scene_path(name, True, "tscn") for name in CASES]
    paths += [scene_path(name, scene, "lvb") for name in CASES for scene in (True, False)]
    answer: dict[str, Any] = godot.query(project, HARNESS / "describe_scenes.gd", paths)
    return answer


@pytest.mark.parametrize("name", CASES)
def test_the_imported_blob_is_the_scene_node_by_node(described: dict[str, Any], name: str) -> None:
    expected = described[scene_path(name, True, "tscn")]
    result = described[scene_path(name, True, "lvb")]
    assert list(result) == list(expected)
    for path, node in expected.items():
        assert result[path] == node, path
    assert all(node["owned"] for node in result.values())


@pytest.mark.parametrize("name", CASES)
def test_a_blob_alone_is_the_same_scene(described: dict[str, Any], name: str) -> None:
    # Only the folder of its files is another.
    result = repr(described[scene_path(name, False, "lvb")])
    expected = repr(described[scene_path(name, True, "lvb")])
    position = f"res://{folder_of(name, True)}/"
    alone = f"res://{folder_of(name, False)}/"
    uids = {
        godot_uid(folder_of(name, True), f"{CASES[name].level().name}.{file}"): godot_uid(
            folder_of(name, False), f"{CASES[name].level().name}.{file}"
        )
        for file in ("tileset.tres", "chunks.overview.png")
    }
    for uid, other in uids.items():
        expected = expected.replace(uid, other)
    assert result == expected.replace(position, alone)


@pytest.fixture(scope="module")
def pictures(godot: Godot, project: Path) -> dict[str, np.ndarray]:
    """Screenshots by scene, lit by lamps."""
    lamps = [[100, 90], [430, 300], [620, 120]]
    scenes = [scene_path(name, True, suffix) for name in CASES for suffix in ("tscn", "lvb")]
    scenes += [scene_path(name, False, "lvb") for name in CASES]
    files = {scene: project / f"{number}.png" for number, scene in enumerate(scenes)}
    questions = [
        {"scene": scene, "file": str(file), "lamps": lamps} for scene, file in files.items()
    ]
    godot.query(
        project,
        HARNESS / "draw_by_lamps.gd",
        {"pictures": questions},
        window=(800, 640),
    )
    return {scene: np.array(Image.open(file).convert("RGB")) for scene, file in files.items()}


@pytest.mark.parametrize("name", CASES)
def test_the_imported_blob_looks_like_the_scene(pictures: dict[str, np.ndarray], name: str) -> None:
    expected = pictures[scene_path(name, True, "tscn")]
    assert len(np.unique(expected.reshape(-1, 3), axis=0)) > 10
    for scene in (True, False):
        np.testing.assert_array_equal(pictures[scene_path(name, scene, "lvb")], expected)


def test_the_imported_scene_has_the_uid_of_its_settings(godot: Godot, project: Path) -> None:
    script = """
func query(path):
	return ResourceUID.id_to_text(ResourceLoader.get_resource_uid(path))
"""
    uid = godot.query(project, script, scene_path("roles", True, "lvb"))
    assert uid == godot_uid("roles", "roles.lvb")


def test_a_scene_of_the_cells_has_one_picture_for_each_tile(godot: Godot, project: Path) -> None:
    script = """
const SceneBuilder := preload("res://addons/level_exporter/editor/level_scene.gd")

func query(path):
	var bytes = FileAccess.get_file_as_bytes(path)
	var root = SceneBuilder.build(bytes, path, {"create_objects": false})
	var layer: TileMapLayer = root.get_node("ground")
	var numbers = []
	for y in 50:
		for x in 70:
			var place = layer.get_cell_atlas_coords(Vector2i(x, y))
			numbers.append(place.y * 16 + place.x)
	root.free()
	return numbers
"""
    numbers = godot.query(project, script, scene_path("stacked", True, "lvb"))
    # The full pictures of the sets, not their clear ones.
    expected = np.array([0, 31, 47, 94])[terrains().layers["ground"].cells]
    assert np.array_equal(np.array(numbers).reshape(HEIGHT, WIDTH), expected)


def test_an_import_option_asks_for_a_scene_of_the_cells(godot: Godot, project: Path) -> None:
    script = """
const SceneBuilder := preload("res://addons/level_exporter/editor/level_scene.gd")

func query(path):
	var bytes = FileAccess.get_file_as_bytes(path)
	var answers = []
	for options in [{}, {"create_objects": false}, {"create_tile_layers": false}]:
		var root = SceneBuilder.build(bytes, path, options)
		answers.append(root.get_children().map(func(node): return str(node.name)))
		root.free()
	return answers
"""
    exported, without_objects, without_layers = godot.query(
        project, script, scene_path("roles", True, "lvb")
    )
    layers = ["ground", "things", "decals"]
    assert exported == [*layers, "collision", "occlusion", "navigation", "objects"]
    assert without_objects == layers
    assert without_layers == ["Objects"]
