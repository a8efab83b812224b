"""Visibility in a world in real Godot, against the table of the whole map."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import exporter
from engine_harness import Godot
from engine_harness.folders import ROOT
from engine_harness.playable import new_game
from engine_harness.worlds import export_world
from exporter.build.build import build_level
from exporter.model.level import Level
from exporter.reading.reader import parse_level

WIDTH, HEIGHT, PART = 150, 130, 64
PARTS = [(column, row) for row in range(3) for column in range(3)]
RULES = {
    "symmetric": "{layer: caves, radius: 8}",
    "shadowcast": "{algorithm: shadowcast, radius: 64}",
    "raycast": "{algorithm: raycast, radius: 11}",
    "walls": "{algorithm: raycast, radius: 6, see_walls: true}",
}
# Those of one layer have the same parts, whatever the rule.
SHARED = "shadowcast"
QUERY = """
extends RefCounted

var _tree: SceneTree = Engine.get_main_loop()


func query(worlds: Array) -> Array:
	var answers := []
	for asked: Dictionary in worlds:
		answers.append(await _answer(asked))
	return answers


func _answer(asked: Dictionary) -> Dictionary:
	var level: Node2D = load("res://levels/%s.tscn" % asked.world).instantiate()
	var world: Node2D = level.get_node("world")
	world.radius = 3
	for key: String in asked.get("set", {}):
		world.set(key, asked.set[key])
	var opened := [0]
	world.part_opened.connect(func(_part: Node2D) -> void: opened[0] += 1)
	_tree.root.add_child(level)
	var before: String = world.visible_from(Vector2i(70, 70)).hex_encode()
	while opened[0] < asked.parts:
		await _tree.process_frame
	var seen := []
	var blocked := []
	var pairs := []
	for cell: Array in asked.cells:
		var at := Vector2i(cell[0], cell[1])
		seen.append(world.visible_from(at).hex_encode())
		blocked.append(world.opaque_around(at).hex_encode())
		var sees := PackedByteArray()
		for dy in range(-9, 10):
			for dx in range(-9, 10):
				sees.append(int(world.can_see(at, at + Vector2i(dx, dy))))
		pairs.append(sees.hex_encode())
	var doors := []
	for change: Dictionary in asked.get("changed", []):
		var changed := Marshalls.base64_to_raw(change.opaque)
		var at := Vector2i(change.cell[0], change.cell[1])
		doors.append(world.visible_from(at, changed).hex_encode())
	# A change to one answer changes no other.
	world.visible_from(Vector2i(70, 70)).fill(7)
	var answer := {
		"has": world.has_visibility(),
		"before": before,
		"after": world.visible_from(Vector2i(70, 70)).hex_encode(),
		"seen": seen,
		"blocked": blocked,
		"pairs": pairs,
		"doors": doors,
	}
	level.free()
	return answer
"""


@dataclass(frozen=True)
class Wide:
    """A world by one rule, and the same level made at once."""

    rule: str

    @property
    def text(self) -> str:
        return (
            f"size: [{WIDTH}, {HEIGHT}]\nseed: 4\nlayers:\n"
            "  caves: {generator: cellular_caves, wall_percent: 38, role: data}\n"
            "  ground: {generator: cellular_caves, wall_percent: 36}\n"
            f"visibility: {RULES[self.rule]}\n"
        )

    @cached_property
    def whole(self) -> Level:
        return build_level(parse_level(self.text.encode(), "whole.level.yaml"))

    @property
    def radius(self) -> int:
        assert self.whole.visibility is not None
        return self.whole.visibility.radius

    def seen(self, cells: Iterable[tuple[int, int]]) -> list[NDArray[np.uint8]]:
        """The squares that cells see."""
        table = self.whole.visibility
        assert table is not None
        return [self.square(table.visible_from(x, y), (x, y), 0) for x, y in cells]

    def square(
        self, cells: NDArray[np.bool_], at: tuple[int, int], outside: int
    ) -> NDArray[np.uint8]:
        """The square around a cell, row after row."""
        radius, (x, y) = self.radius, at
        around = np.pad(cells.astype(np.uint8), radius, constant_values=outside)
        return around[y : y + 2 * radius + 1, x : x + 2 * radius + 1].ravel()


WORLDS = {rule: Wide(rule) for rule in RULES}


def places() -> list[tuple[int, int]]:
    """Cells everywhere, in all corners, and on both sides of where four parts meet."""
    random = np.random.default_rng(8)
    result = [(int(random.integers(WIDTH)), int(random.integers(HEIGHT))) for _ in range(30)]
    result += [(x, y) for x in range(62, 66) for y in range(62, 66)]
    return [*result, (0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1), (70, 70)]


def cells_of(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(bytes.fromhex(text), np.uint8)


def encoded(cells: NDArray[Any]) -> str:
    return base64.b64encode(cells.astype(np.uint8).tobytes()).decode()


@pytest.fixture(scope="module")
def project(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = new_game(godot, tmp_path_factory.mktemp("sight"))
    for rule, wide in WORLDS.items():
        parts = PARTS if rule in ("symmetric", SHARED) else []
        export_world(f"{wide.text}chunk: {PART}\n", rule, parts, folder)
    blind = WORLDS["symmetric"].text.partition("visibility")[0]
    export_world(f"{blind}chunk: {PART}\n", "blind", [], folder)
    godot.import_project(folder)
    return folder


@pytest.fixture(scope="module")
def answers(godot: Godot, project: Path) -> dict[str, dict[str, Any]]:
    requested: list[dict[str, Any]] = []
    for rule, wide in WORLDS.items():
        changed = [
            {"cell": at, "opaque": encoded(wide.square(opened(wide), at, 0))} for at in places()
        ]
        # Of another size.
        changed.append({"cell": (70, 70), "opaque": encoded(np.zeros(5))})
        of = {} if rule == "symmetric" else {"parts": f"{SHARED}.world/{SHARED}"}
        question = {"world": rule, "parts": 9, "cells": places(), "changed": changed, "set": of}
        requested.append(question)
    # Only the part in which the middle of the view is.
    requested.append({"world": SHARED, "parts": 1, "cells": places(), "set": {"radius": 0}})
    reported = godot.query(project, QUERY, requested, allow_warnings=False)
    return dict(zip([*WORLDS, "one part"], reported, strict=True))


def opened(wide: Wide) -> NDArray[np.bool_]:
    """Return the map without every third blocker."""
    assert wide.whole.visibility is not None
    opaque = wide.whole.visibility.opaque.copy()
    rows, columns = np.nonzero(opaque)
    opaque[rows[::3], columns[::3]] = False
    return opaque


@pytest.mark.parametrize("rule", RULES)
def test_a_cell_sees_what_the_table_of_the_whole_map_says(
    answers: dict[str, dict[str, Any]], rule: str
) -> None:
    wide, answer = WORLDS[rule], answers[rule]
    assert answer["has"]
    expected = wide.seen(places())
    assert sum(int(item.sum()) for item in expected) > 1000
    for at, seen, result in zip(places(), expected, answer["seen"], strict=True):
        np.testing.assert_array_equal(cells_of(result), seen, err_msg=str(at))
    assert wide.whole.visibility is not None
    opaque = wide.whole.visibility.opaque
    for at, results in zip(places(), answer["blocked"], strict=True):
        np.testing.assert_array_equal(cells_of(results), wide.square(opaque, at, 1))


@pytest.mark.parametrize("rule", RULES)
def test_one_cell_sees_another_if_it_is_in_its_view(
    answers: dict[str, dict[str, Any]], rule: str
) -> None:
    wide = WORLDS[rule]
    side = 2 * wide.radius + 1
    for seen, result in zip(wide.seen(places()), answers[rule]["pairs"], strict=True):
        far = np.pad(seen.reshape(side, side), 9)
        middle = wide.radius + 9
        near = far[middle - 9 : middle + 10, middle - 9 : middle + 10]
        np.testing.assert_array_equal(cells_of(result).reshape(19, 19), near)


@pytest.mark.parametrize("rule", RULES)
def test_doors_that_the_game_opens_change_what_is_seen(
    answers: dict[str, dict[str, Any]], rule: str
) -> None:
    wide = WORLDS[rule]
    assert wide.whole.visibility is not None
    *doors, other_size = answers[rule]["doors"]
    assert other_size == ""
    walls = wide.whole.visibility.see_walls
    algorithm = wide.whole.visibility.algorithm
    table = exporter.compute_visibility(opened(wide), wide.radius, algorithm, see_walls=walls)
    for (x, y), door in zip(places(), doors, strict=True):
        expected = wide.square(table.visible_from(x, y), (x, y), 0)
        np.testing.assert_array_equal(cells_of(door), expected)


def test_parts_that_are_not_there_block_sight(answers: dict[str, dict[str, Any]]) -> None:
    wide = WORLDS["shadowcast"]
    assert wide.whole.visibility is not None
    opaque = wide.whole.visibility.opaque.copy()
    opaque[PART:] = opaque[:, PART:] = True
    table = exporter.compute_visibility(opaque, wide.radius, "shadowcast")
    for (x, y), result in zip(places(), answers["one part"]["seen"], strict=True):
        expected = wide.square(table.visible_from(x, y), (x, y), 0)
        np.testing.assert_array_equal(cells_of(result), expected)


def test_a_cached_answer_is_dropped_when_a_part_loads(
    answers: dict[str, dict[str, Any]],
) -> None:
    wide, answer = WORLDS["symmetric"], answers["symmetric"]
    assert cells_of(answer["before"]).sum() == 1
    (expected,) = wide.seen([(70, 70)])
    assert expected.sum() > 1
    np.testing.assert_array_equal(cells_of(answer["after"]), expected)


@pytest.mark.parametrize(
    ("world", "values"),
    [
        ("blind", {}),
        ("symmetric", {"sight_radius": 65}),
        ("symmetric", {"sight_radius": 1 << 40}),
        ("symmetric", {"sight_radius": -1}),
        ("symmetric", {"sight_rule": "x-ray"}),
    ],
    ids=str,
)
def test_without_a_rule_that_is_known_nothing_is_seen(
    godot: Godot, project: Path, world: str, values: dict[str, Any]
) -> None:
    parts = 0 if world == "blind" else 9
    requested = [{"world": world, "parts": parts, "cells": [(70, 70)], "set": values}]
    ((answer,), output) = godot.query_with_output(project, QUERY, requested)
    assert not answer["has"]
    assert "world: the world has no visibility" in output
    assert answer["seen"] == answer["blocked"] == [""]
    assert not cells_of(answer["pairs"][0]).any()


SNIPPET = """
extends RefCounted

var world: Node2D
{code}

func query(cells: Array) -> Array:
	var tree: SceneTree = Engine.get_main_loop()
	var level: Node2D = load("res://levels/symmetric.tscn").instantiate()
	world = level.get_node("world")
	world.radius = 3
	var opened := [0]
	world.part_opened.connect(func(_part: Node2D) -> void: opened[0] += 1)
	tree.root.add_child(level)
	while opened[0] < 9:
		await tree.process_frame
	var known := []
	for cell: Array in cells:
		look_from(Vector2i(cell[0], cell[1]))
	for cell: Vector2i in remembered:
		known.append([cell.x, cell.y])
	level.free()
	return known
"""


def test_the_example_of_the_page_remembers_what_was_seen(godot: Godot, project: Path) -> None:
    page = (ROOT / "exporter" / "docs" / "how-to" / "godot.md").read_text(encoding="utf-8")
    (code,) = [
        item for item in re.findall(r"```gdscript\n(.*?)```", page, re.S) if "look_from" in item
    ]
    result = godot.query(
        project, SNIPPET.replace("{code}", code), places()[:12], allow_warnings=False
    )
    table = WORLDS["symmetric"].whole.visibility
    assert table is not None
    seen = np.any([table.visible_from(x, y) for x, y in places()[:12]], axis=0)
    assert sorted(result) == sorted([x, y] for y, x in np.argwhere(seen).tolist())
