"""Collision, occlusion and navigation of Godot's scenes, drawn back into masks of cells."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.formats.godot.limits import (
    MOST_OCCLUDERS,
    MOST_PATH_POLYGONS,
    occluder_warnings,
    tile_warnings,
)
from exporter.formats.godot.nodes import Node, Scene
from exporter.formats.godot.options import SceneOptions
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from exporter.targets import TARGETS
from godot_scene_texts import nodes, resources, scene_text, sheet_tiles_of

TILES = (
    Tile(0, "nothing", False, False, "#00000000"),
    Tile(1, "floor", True, False, "#806040"),
    Tile(2, "wall", False, True, "#202020"),
    Tile(3, "water", False, False, "#3366cc"),
    Tile(4, "door", True, True, "#996633"),
)
ALL_TILES: dict[str, Any] = {"collision": "tiles", "occlusion": "tiles", "navigation": "tiles"}
SIZE = 16


def layer_of(name: str, cells: np.ndarray, **more: Any) -> Layer:
    return Layer(name, "tiles", cells.astype(np.uint8), "test", tiles=TILES, **more)


def level_of(*layers: Layer, **more: Any) -> Level:
    height, width = layers[0].cells.shape
    return Level("crypt", width, height, layers={layer.name: layer for layer in layers}, **more)


def random_level(seed: int) -> Level:
    """Two play layers and one of each other role, with cells that no layer has a tile in."""
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 100, 2).tolist())
    ground = random.choice(5, shape, p=[0.1, 0.6, 0.2, 0.05, 0.05])
    over = random.choice(5, shape, p=[0.9, 0.04, 0.02, 0.02, 0.02])
    other = random.integers(0, 5, shape)
    return level_of(
        layer_of("ground", ground),
        layer_of("over", over),
        layer_of("decoration", other, role="picture"),
        layer_of("numbers", other, role="data"),
        layer_of("draft", other, role="none"),
    )


def numbers_of(text: str) -> np.ndarray:
    inside = text.partition("(")[2].rpartition(")")[0]
    return np.array([float(number) for number in inside.split(",")])


def boxes_of(text: str) -> np.ndarray:
    """The boxes of a scene in cells: x, y, width, height."""
    shapes = resources(text)
    boxes = []
    for node in nodes(text).values():
        if node["type"] == "CollisionShape2D":
            name = re.fullmatch(r'SubResource\("(.*)"\)', node["shape"])
            assert name is not None
            size = numbers_of(shapes[name[1]]["size"]) / SIZE
            corner = numbers_of(node["position"]) / SIZE - size / 2
            boxes.append([*corner, *size])
    return np.array(boxes).reshape(-1, 4)


def counted(boxes: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """How many boxes cover every cell."""
    assert (boxes == boxes.astype(int)).all()
    counts = np.zeros(shape, int)
    for x, y, width, height in boxes.astype(int).tolist():
        assert min(x, y) >= 0
        assert x + width <= shape[1]
        assert y + height <= shape[0]
        counts[y : y + height, x : x + width] += 1
    return counts


def rings_of(text: str, type_name: str, key: str) -> list[np.ndarray]:
    return [
        numbers_of(entries[key]).reshape(-1, 2)
        for entries in resources(text).values()
        if entries["type"] == type_name
    ]


def filled(rings: list[np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """Which cells lie in an odd number of rings: an edge downwards turns all cells beside it."""
    turned = np.zeros((shape[0], shape[1] + 1), int)
    for ring in rings:
        corners = ring / SIZE
        assert (corners == corners.astype(int)).all()
        for (x, y), (x2, y2) in zip(
            corners.astype(int), np.roll(corners, -1, 0).astype(int), strict=True
        ):
            if x == x2:
                turned[min(y, y2) : max(y, y2), x] += 1
    return np.cumsum(turned, axis=1)[:, :-1] % 2 == 1


@each_case("seed", range(12))
def test_boxes_cover_once_what_cannot_be_walked_on_and_nothing_else(seed: int) -> None:
    level = random_level(seed)
    boxes = boxes_of(scene_text(level))
    np.testing.assert_array_equal(counted(boxes, level.walkable().shape), ~level.walkable())


@each_case("seed", range(12))
def test_rings_filled_by_the_even_odd_rule_are_what_is_opaque(seed: int) -> None:
    level = random_level(seed)
    rings = rings_of(scene_text(level), "OccluderPolygon2D", "polygon")
    np.testing.assert_array_equal(filled(rings, level.opaque().shape), level.opaque())


@each_case("seed", range(4))
def test_occluders_lie_inside_of_what_is_opaque_by_the_inset(seed: int) -> None:
    level = random_level(seed)
    rings = rings_of(scene_text(level, occlusion_inset=3), "OccluderPolygon2D", "polygon")
    # A cell for each pixel.
    opaque = np.kron(level.opaque(), np.ones((SIZE, SIZE), bool))
    shrunk = np.pad(opaque, 3)
    for axis in (0, 1):
        shrunk = np.lib.stride_tricks.sliding_window_view(shrunk, 7, axis).all(-1)
    result = filled([ring * SIZE for ring in rings], opaque.shape)
    np.testing.assert_array_equal(result, shrunk)


@each_case(
    ("options", "message"),
    [
        ({"occlusion": "tiles", "occlusion_inset": 3}, "write `occlusion: merged`"),
        ({"chunks": "always", "occlusion_inset": 3}, "with `chunks: always`"),
        ({"occlusion_inset": 8}, "at most 7 with tiles of 16 pixels"),
    ],
)
def test_an_inset_that_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    target = TARGETS.get("godot")
    chosen = target.options(path="x", **options)

    def export() -> None:
        chosen.check_options()
        target.export(random_level(1), chosen, "x")

    with pytest.raises(ParameterError, match=message) as caught:
        export()
    assert caught.value.path == ("occlusion_inset",)


@each_case("seed", range(6))
def test_navigation_polygons_have_the_area_of_what_can_be_walked_on(seed: int) -> None:
    level = random_level(seed)
    area = 0.0
    for entries in resources(scene_text(level)).values():
        if entries["type"] == "NavigationPolygon":
            points = numbers_of(entries["vertices"]).reshape(-1, 2)
            for polygon in re.findall(r"PackedInt32Array\(([\d, ]+)\)", entries["polygons"]):
                ring = points[[int(number) for number in polygon.split(",")]]
                x, y = ring.T
                area += (x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
    assert area == level.walkable().sum() * SIZE * SIZE


def test_large_maps_have_regions_that_do_not_look_for_near_edges() -> None:
    level = level_of(layer_of("ground", np.ones((300, 20))))
    result = nodes(scene_text(level))
    regions = [node for node in result.values() if node["type"] == "NavigationRegion2D"]
    assert [node["name"] for node in regions] == ["region_0_0", "region_0_1"]
    assert {node["use_edge_connections"] for node in regions} == {"false"}


@pytest.mark.parametrize("tile_size", [16, 24, 10])
def test_a_radius_is_preserved_in_whole_pixels_of_tiles_of_any_size(tile_size: int) -> None:
    options = TilesetOptions(image="a.png", tile_size=tile_size)
    source = TilesetSource(options, np.zeros((tile_size, tile_size * 8, 4), np.uint8))
    level = level_of(layer_of("ground", np.ones((3, 4))), tileset=source)
    text = scene_text(level, agent_radius=7 if tile_size > 10 else 4)
    radius = 7 if tile_size > 10 else 4
    (points,) = rings_of(text, "NavigationPolygon", "vertices")
    assert points.min(0).tolist() == [radius, radius]
    assert points.max(0).tolist() == [4 * tile_size - radius, 3 * tile_size - radius]


def test_a_radius_without_merged_navigation_is_refused() -> None:
    options = TARGETS.get("godot").options(path="x", agent_radius=4, navigation="tiles")
    with pytest.raises(ParameterError, match="agent_radius has no effect") as caught:
        options.check_options()
    assert caught.value.path == ("agent_radius",)


def test_equal_boxes_share_one_shape() -> None:
    cells = np.ones((9, 9))
    cells[1::2, 1::2] = 2
    shapes = resources(scene_text(level_of(layer_of("ground", cells)), occlusion="none"))
    assert [entries["type"] for entries in shapes.values()].count("RectangleShape2D") == 1


@each_case("option", ["collision", "occlusion", "navigation"])
@each_case("value", ["none", "tiles"])
def test_only_merged_shapes_have_nodes(option: str, value: str) -> None:
    level = random_level(0)
    names = set(nodes(scene_text(level))) - set(nodes(scene_text(level, **{option: value})))
    assert names
    assert all(name.split("/")[0] == option for name in names)


def test_only_tiles_of_play_layers_have_shapes() -> None:
    level = random_level(0)
    result = nodes(scene_text(level, **ALL_TILES))
    switches = ("collision_enabled", "occlusion_enabled", "navigation_enabled")
    layers = {
        name: [node.get(switch) for switch in switches]
        for name, node in result.items()
        if node["type"] == "TileMapLayer"
    }
    assert layers == {"ground": [None] * 3, "over": [None] * 3, "decoration": ["false"] * 3}
    merged = nodes(scene_text(level))
    assert [merged["ground"].get(switch) for switch in switches] == ["false"] * 3


def test_without_a_layer_to_play_on_nothing_is_solid() -> None:
    level = level_of(layer_of("view", np.full((4, 4), 2), role="picture"))
    assert list(nodes(scene_text(level))) == ["crypt", "view"]


def test_layers_with_names_of_geometry_and_geometry_have_nodes_of_their_own() -> None:
    cells = np.array([[1, 2], [2, 1]])
    layers = [layer_of(name, cells) for name in ("collision", "occlusion", "navigation")]
    result = nodes(scene_text(level_of(*layers)))
    for name in ("collision", "occlusion", "navigation"):
        assert result[name]["type"] == "TileMapLayer"
        assert result[f"{name}_2"]["type"] == "Node2D"


@pytest.mark.parametrize(("used", "tiles"), [("merged", False), ("none", False), ("tiles", True)])
def test_the_tile_set_has_shapes_only_where_tiles_are_used(used: str, tiles: bool) -> None:
    target = TARGETS.get("godot")
    options = target.options(path="x", collision=used, occlusion=used, navigation=used)
    level = level_of(layer_of("ground", np.array([[1, 2]])))
    files = {
        file.name: file.data.decode("latin-1")
        for file in target.export(level, options, "x").artifacts
    }
    text = files["crypt.tileset.tres"]
    for word in (
        "physics_layer_0",
        "occlusion_layer_0",
        "navigation_layer_0",
        'SubResource("opaque',
    ):
        assert (word in text) == tiles


def warnings_of(level: Level, streamed: bool = False, **options: Any) -> list[str]:
    return tile_warnings(level, sheet_tiles_of(level), SceneOptions(**options), streamed)


def test_free_cells_without_a_tile_are_reported() -> None:
    cells = np.array([[1, 2, 0], [1, 0, 3]])
    (warning,) = warnings_of(level_of(layer_of("ground", cells)), **ALL_TILES)
    assert "leaves 2 cells free" in warning
    assert "`collision: merged`" in warning


def test_navigation_below_a_blocking_layer_is_reported() -> None:
    ground, over = np.array([[1, 1, 1]]), np.array([[0, 3, 3]])
    level = level_of(layer_of("ground", ground), layer_of("over", over))
    (warning,) = warnings_of(level, navigation="tiles")
    assert "leads through 2 cells" in warning
    assert "`navigation: merged`" in warning


def test_overlapping_navigation_is_reported() -> None:
    ground = np.array([[1, 1, 1]])
    level = level_of(layer_of("ground", ground), layer_of("bridge", ground))
    (warning,) = warnings_of(level, navigation="tiles")
    assert "several layers on the same cells" in warning


def test_more_occluders_than_the_engine_holds_are_reported() -> None:
    side = 513
    level = level_of(layer_of("ground", np.full((side, side), 2)))
    (warning,) = warnings_of(level, occlusion="tiles")
    assert f"{side * side} occluders" in warning
    assert str(MOST_OCCLUDERS) in warning
    # Where tiles are only near the view, so are their occluders.
    assert warnings_of(level, streamed=True, occlusion="tiles") == []
    fewer = level_of(layer_of("ground", np.full((512, 512), 2)))
    assert warnings_of(fewer, occlusion="tiles") == []


def test_more_polygons_of_tiles_than_a_path_looks_at_are_reported() -> None:
    floor = np.ones((1, MOST_PATH_POLYGONS), int)
    assert warnings_of(level_of(layer_of("ground", floor)), navigation="tiles") == []
    more = level_of(layer_of("ground", np.ones((1, MOST_PATH_POLYGONS + 1), int)))
    (warning,) = warnings_of(more, navigation="tiles")
    assert "end halfway" in warning
    assert "`navigation: merged`" in warning


def test_shapes_of_tiles_that_are_only_near_the_view_are_reported() -> None:
    level = level_of(layer_of("ground", np.array([[1, 2], [3, 4]])))
    collision, navigation = warnings_of(level, streamed=True, **ALL_TILES)
    assert "walls only near the view" in collision
    assert "paths only near the view" in navigation
    assert warnings_of(level, streamed=True) == []


@each_case(("radius", "message"), [(0, False), (7, False), (8, True), (1000, True)])
def test_an_agent_that_fits_nowhere_is_reported(radius: int, message: bool) -> None:
    target = TARGETS.get("godot")
    options = target.options(path="x", agent_radius=radius)
    corridor = level_of(layer_of("ground", np.ones((1, 5), int)))
    warnings = target.export(corridor, options, "x").warnings
    assert ["no way is wide enough" in warning for warning in warnings] == [True] * message
    walls = level_of(layer_of("ground", np.full((3, 3), 2)))
    assert target.export(walls, options, "x").warnings == ()


def test_more_merged_occluders_than_the_engine_holds_are_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exporter.formats.godot.limits.MOST_OCCLUDERS", 3)

    def scene(count: int) -> Scene:
        occluders = tuple(Node(str(number), "LightOccluder2D") for number in range(count))
        return Scene(
            Node("level", "Node2D", children=(Node("a", "Node2D", children=occluders),)), ""
        )

    assert occluder_warnings(scene(3)) == []
    (warning,) = occluder_warnings(scene(4))
    assert "`chunks: auto`" in warning


def test_tiles_without_a_picture_have_no_shapes_and_that_is_reported() -> None:
    numbers = {"floor": None, "wall": None, "water": 0, "door": 1}
    pictures = TilesetOptions(image="a.png", tiles=numbers)
    source = TilesetSource(pictures, np.zeros((16, 128, 4), np.uint8))
    level = level_of(layer_of("ground", np.array([[1, 2, 4]])), tileset=source)
    collision, navigation, occlusion = warnings_of(level, **ALL_TILES)
    assert "leaves 1 cells free" in collision
    assert "leaves out 1 cells" in navigation
    assert "leaves 1 opaque cells" in occlusion


def test_an_empty_tile_with_a_picture_is_not_solid() -> None:
    numbers = {"nothing": 5, "floor": 1, "wall": 2, "water": 3, "door": 4}
    pictures = TilesetOptions(image="a.png", tiles=numbers)
    source = TilesetSource(pictures, np.zeros((16, 128, 4), np.uint8))
    level = level_of(
        layer_of("ground", np.array([[1, 2]])), layer_of("over", np.array([[0, 0]])), tileset=source
    )
    options = TARGETS.get("godot").options(path="x", collision="tiles")
    artifacts = TARGETS.get("godot").export(level, options, "x").artifacts
    (text,) = (file.data.decode() for file in artifacts if file.name.endswith(".tres"))
    assert re.findall(r"^(\d+:\d+)/0/physics", text, re.MULTILINE) == ["2:0", "3:0"]


def test_layers_that_tiles_describe_truly_are_not_warned_of() -> None:
    level = level_of(layer_of("ground", np.array([[1, 2], [3, 4]])))
    assert warnings_of(level, **ALL_TILES) == []
    assert warnings_of(random_level(0)) == []
    picture = replace(random_level(0).layers["ground"], role="picture")
    assert warnings_of(level_of(picture), **ALL_TILES) == []
