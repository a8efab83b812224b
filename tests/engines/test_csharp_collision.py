"""Colliders that Unity's importer makes: outlines as Python makes them, the prefab node by node."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine_harness import Mono
from engine_harness.folders import CORE, CSHARP
from engine_harness.levels import awkward_level, layer_of
from engine_harness.role_levels import level_with_roles
from engine_harness.unity_importer import NEW_UNITY, UnityImporter, export
from exporter.geometry.chunks import MapChunk, chunks_of
from exporter.geometry.outlines import outlines, outlines_by_chunk
from exporter.model.level import Level, Tile
from exporter.model.tileset import TilesetOptions, TilesetSource
from geometry_references import doubled_area, filled, random_mask, rings_of

Mask = NDArray[np.bool_]
CHUNK = 64
TILE_COLLIDERS = {"CompositeCollider2D", "TilemapCollider2D"}
# Holes that touch each other, the outside and themselves at points.
PINCHED = ["######", "##.#.#", "#.#.##", "##.###", "####.#", "#####."]
FLOOR = Tile(1, "floor", True, False, "#c8b090")
WALL = Tile(2, "wall", False, True, "#202428")
EMPTY = Tile(0, "empty", False, False, "#00000000")


@pytest.fixture(scope="module")
def tracer(mono: Mono, tmp_path_factory: pytest.TempPathFactory) -> Path:
    programs = [CSHARP / "TraceMasks.cs", CSHARP / "JsonText.cs"]
    return mono.compile([*CORE, *programs], tmp_path_factory.mktemp("tracer") / "trace.exe")


# Outlines.


def small_masks() -> list[tuple[Mask, MapChunk]]:
    """Return every mask of up to nine cells in a few shapes."""
    result = []
    for height, width in [(1, 1), (1, 4), (4, 1), (2, 3), (3, 3)]:
        for bits in range(1 << height * width):
            cells = np.array([bits >> cell & 1 for cell in range(height * width)], bool)
            result.append((cells.reshape(height, width), MapChunk(0, 0, width, height)))
    return result


def odd_masks() -> list[tuple[Mask, MapChunk]]:
    """Return masks of all densities, whole and in parts, and those with pinched rings."""
    random = np.random.default_rng(31)
    masks = [random_mask(random) for _ in range(150)]
    pinched = np.array([[cell == "#" for cell in row] for row in PINCHED])
    masks += [pinched, ~pinched, pinched.T, pinched[::-1], ~pinched[:, ::-1]]
    masks += [random.random((150, 130)) < 0.55, np.indices((40, 41)).sum(axis=0) % 2 == 0]
    result = [(mask, MapChunk(0, 0, mask.shape[1], mask.shape[0])) for mask in masks if mask.size]
    result += [(mask, part) for mask in masks if mask.size for part in chunks_of(mask.shape, 9)]
    return result


@pytest.mark.parametrize("make", [small_masks, odd_masks])
def test_outlines_are_those_of_python(mono: Mono, tracer: Path, make: Any) -> None:
    requested = make()
    lines = []
    for mask, part in requested:
        cells = "".join(mask.astype(int).astype(str).ravel().tolist())
        sizes = (mask.shape[1], mask.shape[0], part.x, part.y, part.width, part.height)
        lines.append(f"{' '.join(map(str, sizes))} {cells}\n")
    answers = mono.run(tracer, stdin="".join(lines)).splitlines()
    for (mask, part), answer in zip(requested, answers, strict=True):
        cut = mask[part.y : part.y + part.height, part.x : part.x + part.width]
        expected = [
            [[[x + part.x, y + part.y] for x, y in ring] for ring in polygon]
            for polygon in rings_of(outlines(cut))
        ]
        assert json.loads(answer) == expected


# The prefab.


def imported(
    importer: UnityImporter, level: Level, folder: Path, *settings: str, **options: Any
) -> dict[str, Any]:
    result = importer.level(export(level, folder, **options), *settings)
    assert result["messages"] == []
    assert result["problem"] == ""
    return result


def child(result: dict[str, Any], name: str) -> dict[str, Any]:
    (item,) = [child for child in result["children"] if child["name"] == name]
    return dict(item)


def names(result: dict[str, Any]) -> list[str]:
    return [child["name"] for child in result["children"]]


def cells_of(paths: list[list[list[float]]], shape: tuple[int, int], size: float = 1) -> Mask:
    """Return the cells that paths fill, by both rules that fill polygons."""
    rings = [[(round(x / size), shape[0] - round(y / size)) for x, y in path] for path in paths]
    assert [[[x * size, (shape[0] - y) * size] for x, y in ring] for ring in rings] == paths
    even_odd = filled(rings, shape)
    winding = np.zeros(shape, int)
    for ring in rings:
        winding += filled([ring], shape) * (1 if doubled_area(ring) > 0 else -1)
    np.testing.assert_array_equal(winding != 0, even_odd)
    return even_odd


def test_merged_colliders_are_the_cells_that_cannot_be_walked_on(
    importer: UnityImporter, tmp_path: Path
) -> None:
    random = np.random.default_rng(17)
    cells = (random.random((150, 200)) < 0.45).astype(np.uint8) + 1
    cells[64:128, 64:128] = 1
    cells[:30, :30] = 0
    level = Level("cave", 200, 150, layers={"ground": layer_of("ground", cells, (FLOOR, WALL))})
    result = imported(importer, level, tmp_path)
    assert names(result) == ["ground", "collision"]
    assert not TILE_COLLIDERS & set(child(result, "ground")["components"])
    body = child(result, "collision")
    assert (body["components"], body["body"]) == (["Transform", "Rigidbody2D"], "Static")
    solid = ~level.walkable()
    again = np.zeros_like(solid)
    expected = {}
    for part, outline in outlines_by_chunk(solid, CHUNK):
        if len(outline):
            expected[f"body_{part.x // CHUNK}_{part.y // CHUNK}"] = (part, outline)
    assert names(body) == list(expected)
    assert "body_1_1" not in expected
    assert len(expected) == 11
    for item, (part, outline) in zip(body["children"], expected.values(), strict=True):
        assert item["components"] == ["Transform", "PolygonCollider2D"]
        assert item["moved"] is False
        rings = [ring for polygon in rings_of(outline) for ring in polygon]
        assert item["paths"] == [[[x, 150 - y] for x, y in ring] for ring in rings]
        filled_here = cells_of(item["paths"], solid.shape)
        assert not filled_here[: part.y].any()
        assert not filled_here[:, : part.x].any()
        assert not (again & filled_here).any()
        again |= filled_here
    np.testing.assert_array_equal(again, solid)


def test_only_layers_that_are_played_on_are_in_the_way(
    importer: UnityImporter, tmp_path: Path
) -> None:
    random = np.random.default_rng(23)
    levels = [level_with_roles(random, f"level_{number}") for number in range(12)]
    for level in levels:
        result = imported(importer, level, tmp_path / level.name, "terrains=false")
        seen = [layer.name for layer in level.seen_layers()]
        solid = ~level.walkable()
        expected = [*seen, "collision"] if level.play_layers() else seen
        assert names(result) == expected
        for layer in seen:
            assert {"Tilemap", "TilemapRenderer"} <= set(child(result, layer)["components"])
        if level.play_layers():
            paths = [
                path for item in child(result, "collision")["children"] for path in item["paths"]
            ]
            np.testing.assert_array_equal(cells_of(paths, solid.shape), solid)
    assert {bool(level.play_layers()) for level in levels} == {True, False}


def two_layers() -> Level:
    """Return a level whose upper layer is half empty, with a third one only to look at."""
    ground = np.full((4, 5), 1, np.uint8)
    ground[0, 0] = 2
    ground[3] = 0
    objects = np.zeros((4, 5), np.uint8)
    objects[1, 1] = 2
    legend = (EMPTY, FLOOR, WALL)
    roof = layer_of("roof", np.full((4, 5), 2, np.uint8), legend)
    layers = [
        layer_of("ground", ground, legend),
        layer_of("crates", objects, legend),
        replace(roof, name="roof", role="picture"),
        replace(roof, name="danger", role="data"),
        replace(roof, name="draft", role="none"),
    ]
    return Level("two", 5, 4, layers={layer.name: layer for layer in layers})


@pytest.mark.parametrize("unity", ["-define:UNITY_2021_3", NEW_UNITY])
def test_tile_colliders_stand_in_the_layers_that_are_played_on(
    mono: Mono, tmp_path: Path, unity: str
) -> None:
    importer = UnityImporter.compile(mono, tmp_path, [unity])
    result = imported(importer, two_layers(), tmp_path, collision="tiles")
    assert names(result) == ["ground", "crates", "roof"]
    for name in ("ground", "crates"):
        layer = child(result, name)
        assert set(layer["components"]) >= TILE_COLLIDERS
        assert layer["body"] == "Static"
        assert layer["joined"] is True
    assert not TILE_COLLIDERS & set(child(result, "roof")["components"])
    shapes = [cell and cell[-1] for cell in child(result, "crates")["cells"]]
    assert [position for position, shape in enumerate(shapes) if shape] == [2 * 5 + 1]


def test_empty_tiles_are_not_solid_where_they_have_a_picture(
    importer: UnityImporter, tmp_path: Path
) -> None:
    options = TilesetOptions(
        image="sheet.png", tile_size=8, tiles={"empty": 2, "floor": 0, "wall": 1}
    )
    pictures = TilesetSource(options, np.full((8, 24, 4), 255, np.uint8))
    level = replace(two_layers(), tileset=pictures)
    result = imported(importer, level, tmp_path, collision="tiles")
    cells = child(result, "crates")["cells"]
    assert [cell[0] for cell in cells].count("empty") == 19
    assert [position for position, cell in enumerate(cells) if cell[-1]] == [2 * 5 + 1]


def test_a_layer_without_solid_tiles_has_no_tile_collider(
    importer: UnityImporter, tmp_path: Path
) -> None:
    floor = layer_of("floor", np.eye(4, dtype=np.uint8), (EMPTY, FLOOR))
    level = Level("open", 4, 4, layers={"floor": floor})
    result = imported(importer, level, tmp_path, collision="tiles")
    assert not TILE_COLLIDERS & set(child(result, "floor")["components"])


def test_without_collision_nothing_is_in_the_way(importer: UnityImporter, tmp_path: Path) -> None:
    result = imported(importer, two_layers(), tmp_path, collision="none")
    assert names(result) == ["ground", "crates", "roof"]
    for layer in result["children"]:
        assert layer["components"] == ["Transform", "Tilemap", "TilemapRenderer"]
        assert not any(cell and cell[-1] for cell in layer["cells"])


@pytest.mark.parametrize(
    ("exported", "chosen", "built"),
    [
        ("none", "Merged", "Merged"),
        ("merged", "None", "None"),
        ("merged", "Tiles", "Tiles"),
        ("tiles", "AsExported", "Tiles"),
    ],
)
def test_the_inspector_decides_where_it_says_so(
    importer: UnityImporter, tmp_path: Path, exported: str, chosen: str, built: str
) -> None:
    level = two_layers()
    result = imported(importer, level, tmp_path, f"collision={chosen}", collision=exported)
    assert ("collision" in names(result)) == (built == "Merged")
    tiles = set(child(result, "ground")["components"]) >= TILE_COLLIDERS
    assert tiles == (built == "Tiles")


def test_merged_colliders_need_no_tilemaps_and_scale_with_the_cells(
    importer: UnityImporter, tmp_path: Path
) -> None:
    level = two_layers()
    result = imported(importer, level, tmp_path, "tilemaps=false", "cellSize=2.5")
    assert names(result) == ["collision"]
    (part,) = child(result, "collision")["children"]
    np.testing.assert_array_equal(cells_of(part["paths"], (4, 5), 2.5), ~level.walkable())


def test_a_layer_called_collision_keeps_its_name(importer: UnityImporter, tmp_path: Path) -> None:
    ground = two_layers().layers["ground"]
    level = Level("named", 5, 4, layers={"collision": replace(ground, name="collision")})
    result = imported(importer, level, tmp_path)
    assert names(result) == ["collision", "collision_2"]
    assert child(result, "collision_2")["children"]


def test_a_level_from_elsewhere_is_merged(importer: UnityImporter, tmp_path: Path) -> None:
    blob = export(two_layers(), tmp_path, collision="tiles")
    (tmp_path / "two.tileset.json").unlink()
    result = importer.level(blob)
    assert result["messages"] == []
    assert "collision" in names(result)


def test_a_kind_of_collision_that_is_not_known_is_a_warning(
    importer: UnityImporter, tmp_path: Path
) -> None:
    blob = export(awkward_level(), tmp_path)
    description = tmp_path / "crypt.tileset.json"
    text = description.read_text(encoding="utf-8")
    changed = text.replace('"collision": "merged"', '"collision": "spheres"')
    assert changed != text
    description.write_text(changed, encoding="utf-8")
    result = importer.level(blob)
    assert [message.split(": ", 1)[1] for message in result["messages"]] == [
        "the collision spheres is not known here: update the package"
    ]
    assert "collision" in names(result)
