"""GridMaps in Godot: its cells and its collision are the level's, and pieces are turned right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine_harness import Godot
from engine_harness.levels import write_artifacts
from exporter.build.build import build_level
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS, SharedWork
from team_tilesets import GameIn

PROBE = Path(__file__).parent / "engine_harness" / "probe_grid_map.gd"
SPEC = """
level: vault
size: [40, 28]
seed: 5
layers:
  ground: {generator: cellular_caves}
"""
# The sides on which pieces go on, east, south, west and north, as the reference says.
ARMS = {
    "floor": "",
    "wall_single": "",
    "wall_end": "e",
    "wall_straight": "ew",
    "wall_corner": "es",
    "wall_t": "esw",
    "wall_cross": "eswn",
    "wall_inside": "eswn",
}
SIDES = {"e": (1, 0), "s": (0, 1), "w": (-1, 0), "n": (0, -1)}
TURN = "1, 0, 0, 0, 1, 0, 0, 0, 1"
# Where rays fall, from the middle of a cell to its sides.
REACH = 0.4


def probed(godot: Godot, project: Path, level: Level, **options: Any) -> dict[str, Any]:
    """What Godot finds in a level's GridMap in and around the middle of each cell."""
    target = TARGETS.get("godot")
    shared = SharedWork().within(GameIn(project))
    chosen = target.options(path="levels", scene=False, blob=False, **options)
    exported = target.export(level, chosen, "levels", shared)
    write_artifacts(exported.artifacts, project / "levels")
    godot.import_project(project)
    steps = [(0, 0), *SIDES.values()]
    y, x, step = np.mgrid[: level.height, : level.width, : len(steps)].reshape(3, -1)
    points = np.stack([x, y], axis=1) + 0.5 + REACH * np.array(steps)[step]
    question = {"scene": f"res://levels/{level.name}.gridmap.tscn", "points": points.tolist()}
    answer: dict[str, Any] = godot.query(project, PROBE, question, allow_warnings=False)
    shape = level.height, level.width, len(steps)
    answer["heights"] = np.array(answer["heights"], float).reshape(shape)
    return answer


def test_plain_boxes_are_solid_where_the_level_is(godot: Godot, tmp_path: Path) -> None:
    level = build_level(parse_level(SPEC.encode(), "vault.level.yaml"))
    answer = probed(godot, godot.new_project(tmp_path / "game"), level, gridmap=True)
    expected = {
        (x, 0, y): "floor" if walkable else "wall"
        for (y, x), walkable in np.ndenumerate(level.walkable())
    }
    assert {(x, y, z): name for x, y, z, name in answer["cells"]} == expected
    walls = np.broadcast_to(~level.walkable()[..., None], answer["heights"].shape)
    np.testing.assert_allclose(answer["heights"], np.where(walls, 3, 0), atol=1e-4)


def test_a_kits_pieces_are_turned_to_their_neighbours(godot: Godot, tmp_path: Path) -> None:
    level = build_level(parse_level(SPEC.encode(), "vault.level.yaml"))
    project = godot.new_project(tmp_path / "game")
    (project / "kit.tres").write_text(kit())
    answer = probed(godot, project, level, gridmap="res://kit.tres")
    rock = np.pad(~level.walkable(), 1, constant_values=True)
    inside = rock[1:-1, 1:-1]
    for number, (right, down) in enumerate(SIDES.values(), start=1):
        beside = rock[1 + down : rock.shape[0] - 1 + down, 1 + right : rock.shape[1] - 1 + right]
        np.testing.assert_array_equal(~np.isnan(answer["heights"][..., number]), inside & beside)
    names = {name for *_, name in answer["cells"]}
    assert {"floor", "wall_corner", "wall_t", "wall_inside"} <= names
    assert len(answer["cells"]) == level.width * level.height


def kit() -> str:
    """A MeshLibrary of pieces without meshes that are solid where they go on."""
    items = ""
    for number, (name, arms) in enumerate(ARMS.items()):
        shapes = ", ".join(
            f'SubResource("arm"), Transform3D({TURN}, {x * REACH}, 1, {z * REACH})'
            for x, z in map(SIDES.__getitem__, arms)
        )
        items += f'item/{number}/name = "{name}"\nitem/{number}/shapes = [{shapes}]\n'
    arm = '[sub_resource type="BoxShape3D" id="arm"]\nsize = Vector3(0.1, 1, 0.1)'
    return f'[gd_resource type="MeshLibrary" format=3]\n\n{arm}\n\n[resource]\n{items}'
