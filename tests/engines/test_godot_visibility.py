"""Fields of view, lines and camera views: the addon's GDScript against Python, cell by cell."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporter
from engine_harness import Godot
from engine_harness.folders import copy_addon
from engine_harness.levels import layer_of, sight_maps
from exporter.model.level import Level, Tile

RULES = ("symmetric", "shadowcast", "raycast")

SIGHT = """
const Visibility := preload("res://addons/level_exporter/runtime/level_visibility.gd")

func query(cases):
	var answers := []
	for case in cases:
		var seen := Visibility.visible_from(
			Marshalls.base64_to_raw(case.opaque), Vector2i(case.width, case.height),
			Vector2i(case.x, case.y), int(case.radius), case.rule, case.see_walls
		)
		answers.append(Marshalls.raw_to_base64(seen))
	return answers
"""

GEOMETRY = """
const Geometry := preload("res://addons/level_exporter/runtime/level_geometry.gd")

func query(arguments):
	var lines := []
	for ends in arguments.lines:
		var cells := []
		for cell in Geometry.line(Vector2i(ends[0], ends[1]), Vector2i(ends[2], ends[3])):
			cells.append([cell.x, cell.y])
		lines.append(cells)
	var views := []
	for v in arguments.views:
		var map := Vector2i(v[4], v[5])
		var view := Geometry.game_view(Vector2i(v[0], v[1]), Vector2i(v[2], v[3]), map)
		views.append([view.position.x, view.position.y, view.size.x, view.size.y])
	return {"lines": lines, "views": views}
"""

BLOB = """
const Blob := preload("res://addons/level_exporter/runtime/level_blob.gd")

func query(path):
	var level := Blob.open(path)
	var seen := []
	var pairs := []
	for y in level.size.y:
		for x in level.size.x:
			seen.append(Marshalls.raw_to_base64(level.visible_from(Vector2i(x, y))))
			pairs.append(level.can_see(Vector2i(x, y), Vector2i(3, 2)))
	var walks := []
	for y in range(-2, level.size.y + 2):
		var walk := []
		for cell in level.line_until(Vector2i(6, 4), Vector2i(16, y)):
			walk.append([cell.x, cell.y])
		walks.append(walk)
	pairs.append(level.can_see(Vector2i(0, 0), Vector2i(-1, 0)))
	pairs.append(level.can_see(Vector2i(-1, 0), Vector2i(0, 0)))
	return [level.error, seen, pairs, walks]
"""


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = godot.new_project(tmp_path_factory.mktemp("visibility"))
    copy_addon(folder)
    return folder


@pytest.mark.parametrize("rule", RULES)
def test_every_field_of_view_is_pythons(godot: Godot, project: Path, rule: str) -> None:
    random = np.random.default_rng(3)
    cases: list[dict[str, Any]] = []
    expected: list[np.ndarray] = []
    for number, opaque in enumerate(sight_maps(60)):
        radius = int(random.integers(1, 15))
        see_walls = rule == "raycast" and number % 2 == 0
        table = exporter.compute_visibility(opaque, radius, rule, see_walls=see_walls)
        height, width = opaque.shape
        for _ in range(4):
            x, y = int(random.integers(width)), int(random.integers(height))
            cases.append(
                {"opaque": base64.b64encode(opaque.tobytes()).decode(), "width": width}
                | {"height": height, "x": x, "y": y, "radius": radius}
                | {"rule": rule, "see_walls": see_walls}
            )
            expected.append(table.visible_from(x, y))
    answers = godot.query(project, SIGHT, cases)
    for case, answer, seen in zip(cases, answers, expected, strict=True):
        result = np.frombuffer(base64.b64decode(answer), bool).reshape(seen.shape)
        np.testing.assert_array_equal(result, seen, err_msg=str(case))


def test_lines_and_views_are_pythons(godot: Godot, project: Path) -> None:
    random = np.random.default_rng(5)
    lines = [*random.integers(-30, 30, (200, 4)).tolist(), [2, 3, 2, 3]]
    views = random.integers(1, 40, (200, 6)).tolist()
    answer = godot.query(project, GEOMETRY, {"lines": lines, "views": views})
    for (ax, ay, bx, by), result in zip(lines, answer["lines"], strict=True):
        assert [tuple(cell) for cell in result] == [
            (int(x), int(y)) for x, y in exporter.line((ax, ay), (bx, by))
        ]
    for (x, y, view_width, view_height, width, height), results in zip(
        views, answer["views"], strict=True
    ):
        expected = exporter.game_view((x, y), (view_width, view_height), (width, height))
        assert results == [expected.x, expected.y, expected.width, expected.height]


@pytest.mark.parametrize("rule", RULES)
def test_a_blob_answers_for_every_cell(
    godot: Godot, project: Path, tmp_path: Path, rule: str
) -> None:
    cells = (np.random.default_rng(2).random((9, 14)) < 0.3).astype(np.uint8)
    tiles = (Tile(0, "floor", True, False, "#ffffff"), Tile(1, "wall", False, True, "#000000"))
    ground = layer_of("ground", cells, tiles)
    table = exporter.compute_visibility(ground.opaque, 5, rule, see_walls=rule == "raycast")
    level = Level(
        "seen", 14, 9, layers={"ground": ground}, visibility=table, visibility_layer="ground"
    )
    path = tmp_path / "seen.lvb"
    path.write_bytes(exporter.write_blob(level))
    error, seen, pairs, walks = godot.query(project, BLOB, str(path))
    assert error == ""
    viewers = [(x, y) for y in range(9) for x in range(14)]
    for (x, y), result in zip(viewers, seen, strict=True):
        lit = np.frombuffer(base64.b64decode(result), bool).reshape(9, 14)
        np.testing.assert_array_equal(lit, table.visible_from(x, y))
    assert pairs == [table.can_see((x, y), (3, 2)) for x, y in viewers] + [False, False]
    for y, walk in zip(range(-2, 11), walks, strict=True):
        expected = exporter.line_until((6, 4), (16, y), ground.opaque)
        assert [tuple(cell) for cell in walk] == [(int(x), int(y)) for x, y in expected]
