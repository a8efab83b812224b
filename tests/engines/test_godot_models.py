"""Models in Godot: collision, navigation and objects as its own import makes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine_harness import Godot
from exporter.build.build import build_level
from exporter.formats.heights.samples import real_heights
from exporter.grids.regions import label_regions
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from gltf_reader import glb_of

QUERY = Path(__file__).parent / "engine_harness" / "walk_model.gd"
PAIRS = 200
SPEC = """
level: vault
size: [96, 64]
seed: 11
layers:
  ground: {generator: cellular_caves}
objects:
  - {name: torch, layer: ground, count: 3}
  - {name: cart_wheel, layer: ground, count: 2, properties: {opens: red, gold: 25}}
"""


TERRACES = SPEC.replace(
    "layers:\n",
    "layers:\n  relief: {generator: heightmap, terraces: 3, terrace_sharpness_percent: 100, "
    "maximum: 2}\n",
)


def walked(godot: Godot, folder: Path, level: Level, **options: Any) -> dict[str, Any]:
    """What Godot makes of a level's model."""
    project = godot.new_project(folder)
    (project / f"{level.name}.glb").write_bytes(glb_of(level, **options))
    godot.import_project(project)
    cell = options.get("cell_size", 1)
    question = {
        "scene": f"res://{level.name}.glb",
        "width": level.width,
        "height": level.height,
        "cell_size": cell,
        "pairs": pairs(level, ground_of(level), cell),
    }
    result: dict[str, Any] = godot.query(project, QUERY, question, allow_warnings=False)
    return result


def ground_of(level: Level) -> NDArray[np.float32]:
    """Return the height of the ground in the middle of each cell."""
    layers = level.height_layers()
    return real_heights(layers[0]) if layers else np.zeros((level.height, level.width), np.float32)


def pairs(level: Level, ground: NDArray[np.float32], cell: float) -> list[list[float]]:
    """Return random pairs of walkable cells of the largest region, as the middles of the cells."""
    labels = label_regions(level.walkable()).labels
    largest = np.bincount(labels[labels > 0]).argmax()
    cells = np.argwhere(labels == largest)
    y, x = cells[np.random.default_rng(3).integers(0, len(cells), (PAIRS, 2))].T
    places = np.stack([(x + 0.5) * cell, ground[y, x], (y + 0.5) * cell], -1)
    result: list[list[float]] = places.swapaxes(0, 1).reshape(-1, 6).tolist()
    return result


def test_a_model_on_terraces_is_solid_and_walkable(godot: Godot, tmp_path: Path) -> None:
    level = build_level(parse_level(TERRACES.encode(), "vault.level.yaml"))
    result = walked(godot, tmp_path / "game", level, cell_size=2)
    ground = ground_of(level)
    hits = np.array(result["heights"], float).reshape(level.height, level.width)
    walkable = level.walkable()
    np.testing.assert_allclose(hits[walkable], ground[walkable], atol=1e-3)
    assert (hits[~walkable] > ground[~walkable] + 2.99).all()
    assert result["faults"] == []
    assert set(result["shapes"]) == {"ConvexPolygonShape3D", "ConcavePolygonShape3D"}
    for thing, node in zip(level.objects, result["objects"], strict=True):
        expected = [thing.x * 2 + 1, ground[thing.y, thing.x], thing.y * 2 + 1]
        assert node["place"] == pytest.approx(expected)


def test_a_model_is_solid_and_walkable_where_the_level_is(godot: Godot, tmp_path: Path) -> None:
    level = build_level(parse_level(SPEC.encode(), "vault.level.yaml"))
    result = walked(godot, tmp_path / "game", level, wall_height=2.5, cell_size=2)
    heights = np.array(result["heights"], float).reshape(level.height, level.width)
    np.testing.assert_allclose(heights, np.where(level.walkable(), 0, 2.5), atol=1e-4)
    assert result["faults"] == []
    assert set(result["shapes"]) == {"ConvexPolygonShape3D"}
    assert result["bodies"] == result["shapes"]["ConvexPolygonShape3D"]
    assert (result["regions"], result["lights"]) == (1, 3)
    # Nothing that is only for the engine is drawn.
    assert result["meshes"] == ["floors", "walls"]
    for thing, node in zip(level.objects, result["objects"], strict=True):
        assert node["class"] == "Node3D"
        assert node["place"] == [thing.x * 2 + 1, 0, thing.y * 2 + 1]
        assert node["extras"]["cell"] == [thing.x, thing.y]
        assert node["extras"]["properties"] == dict(thing.properties)
