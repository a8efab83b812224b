"""Levels as games play them in real Godot: solid cells and paths, at every cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Godot
from engine_harness.godot import WARNING_LINE
from engine_harness.levels import layer_of
from engine_harness.playable import (
    FREE,
    SOLID,
    TILE,
    Answer,
    Mask,
    Probe,
    ask,
    crossings,
    export_godot,
    failed_paths,
    new_game,
    random_pairs,
    wrong_cells,
)
from exporter.build.build import build_level
from exporter.geometry.area import UNITS, shrunk_area
from exporter.grids.regions import label_regions
from exporter.model.level import Level, Tile
from exporter.reading.reader import parse_level

PAIRS = 300
# The radius of `auto` at this size of tiles.
RADIUS = 6
FLOOR, WALL, DOOR = (
    Tile(0, "floor", True, False, "#c8b090"),
    Tile(1, "wall", False, True, "#202428"),
    Tile(2, "door", True, True, "#805020"),
)
EMPTY = Tile(3, "empty", False, False, "#00000000")

# Drafts of a union, doors in walls and cells without anything from a stamp, a mask, a second layer
# that blocks, and one that is only a picture.
CRYPT = b"""
size: [56, 44]
seed: 4
layers:
  dug: {generator: drunkard, floor_percent: 35}
  halls: {generator: bsp_rooms, depth: 4}
  ground: {generator: union, layers: [dug, halls], connect: guaranteed}
  built:
    generator: stamp
    of: ground
    glyphs: {o: {name: empty, walkable: false, opaque: false}}
    art: |
      #+###
      #...#
      +.o.+
      #...#
      ###+#
    at: [[8, 8], [30, 20], [44, 30], [20, 33]]
  natural: {generator: cellular_caves, role: none}
  play: {generator: mask, of: built, by: natural}
  rocks: {generator: outline, of: halls}
  edges: {generator: outline, of: play, tile: blocked, role: picture}
"""
CAVE = b"""
size: [40, 33]
seed: 2
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
"""
SHAPES = ("merged", "tiles", "none")


@cache
def level_from(spec: bytes, name: str) -> Level:
    return build_level(parse_level(spec, f"{name}.level.yaml"))


def drawn(name: str, cells: np.ndarray, *pictures: np.ndarray) -> Level:
    """A level of one layer, 0 floor, 1 wall, 2 door, 3 nothing, and layers that are pictures."""
    tiles = (FLOOR, WALL, DOOR, EMPTY)
    layers = {"ground": layer_of("ground", cells.astype(np.uint8), tiles)}
    for number, picture in enumerate(pictures):
        layer = layer_of(f"picture_{number}", picture.astype(np.uint8), tiles)
        layers[layer.name] = replace(layer, role="picture")
    return Level(name, cells.shape[1], cells.shape[0], layers=layers)


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A level exported with some options, and whether paths are requested."""

    level: Level
    options: Mapping[str, Any]
    paths: int = 0


def cases() -> dict[str, Case]:
    """Every level of this module by its name."""
    shape = (13, 17)
    none, item = np.zeros(shape, int), np.zeros(shape, int)
    item[5, 7] = 1
    checkers = np.indices(shape).sum(axis=0) % 2
    noise = (np.random.default_rng(7).random((31, 29)) < 0.45).astype(int)
    holes = noise * 3
    result = [
        Case(level_from(CRYPT, "crypt"), {}, PAIRS),
        Case(replace(level_from(CAVE, "wide"), name="wide"), {"agent_radius": "auto"}, PAIRS),
        Case(drawn("all_floor", none), {}, 20),
        Case(drawn("all_wall", none + 1), {}),
        Case(drawn("all_empty", none + 3), {}),
        Case(drawn("checkers", checkers), {}, 20),
        Case(drawn("one_wall", item), {}, 20),
        Case(drawn("one_floor", 1 - item), {}, 2),
        Case(drawn("noise", noise), {}, PAIRS),
        Case(drawn("doors", noise * 2), {}, 20),
        Case(drawn("holes", holes), {}, PAIRS),
        Case(drawn("roofed", noise, none + 1, holes), {}, 20),
        Case(drawn("pieces", noise), {"chunks": "always"}, PAIRS),
    ]
    for option in ("collision", "occlusion", "navigation"):
        for value in SHAPES:
            level = replace(level_from(CAVE, "cave"), name=f"{option}_{value}")
            result.append(Case(level, {option: value}, 20))
    exact = {"agent_radius": 0}
    return {case.level.name: replace(case, options=exact | dict(case.options)) for case in result}


CASES = cases()


def standing_room(mask: Mask, radius: int) -> Mask:
    """Cells in whose middle an agent can stand and walk to all the others."""
    area = shrunk_area(mask, radius * UNITS // TILE)
    regions = label_regions(area.fields)
    height, width = mask.shape
    columns = np.searchsorted(area.columns, np.arange(width) * UNITS + UNITS // 2, "right") - 1
    rows = np.searchsorted(area.rows, np.arange(height) * UNITS + UNITS // 2, "right") - 1
    return regions.labels[np.ix_(rows, columns)] == regions.largest


def probe_of(case: Case) -> Probe:
    mask = case.level.walkable()
    wide = case.options["agent_radius"] == "auto"
    if not case.paths:
        return Probe(case.level.name, mask.shape)
    reachable = standing_room(mask, RADIUS) if wide else mask
    camera = (mask.shape[1] / 2, mask.shape[0] / 2)
    return Probe(
        case.level.name, mask.shape, camera=camera, pairs=random_pairs(reachable, case.paths)
    )


@pytest.fixture(scope="module")
def imported(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Import a game with all these levels for the first time; return it and Godot's output."""
    project = new_game(godot, tmp_path_factory.mktemp("playable"))
    for case in CASES.values():
        assert export_godot(case.level, project, **case.options) == ()
    return project, godot.import_project(project, first_start=True)


@pytest.fixture(scope="module")
def answers(godot: Godot, imported: tuple[Path, str]) -> dict[str, Answer]:
    probes = [probe_of(case) for case in CASES.values()]
    return dict(zip(CASES, ask(godot, imported[0], probes), strict=True))


def test_the_first_import_has_no_error_and_no_warning(imported: tuple[Path, str]) -> None:
    # Errors have failed the import already.
    assert WARNING_LINE.findall(imported[1]) == []


def test_the_spec_has_all_that_is_requested_of_it() -> None:
    level = level_from(CRYPT, "crypt")
    roles = {name: layer.role for name, layer in level.layers.items()}
    assert [name for name, role in roles.items() if role == "play"] == ["play", "rocks"]
    assert [roles[name] for name in ("dug", "halls", "ground", "built")] == ["data"] * 4
    assert (roles["natural"], roles["edges"]) == ("none", "picture")
    named = level.layers["play"].lookup
    tiles = level.layers["play"].tiles
    assert named([tile.name == "door" for tile in tiles]).sum() > 5
    empty = named([tile.name == "empty" for tile in tiles])
    rocks = level.layers["rocks"].walkable
    assert 0 < (empty & ~rocks).sum() == (empty & ~level.walkable()).sum()
    assert 500 < level.walkable().sum() < level.layers["play"].walkable.sum()


@pytest.mark.parametrize(
    "name", [name for name, case in CASES.items() if case.options.get("collision") is None]
)
def test_every_walkable_cell_is_free_and_every_other_is_solid(
    answers: dict[str, Answer], name: str
) -> None:
    assert wrong_cells(answers[name], CASES[name].level.walkable()) == []


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.paths])
def test_every_path_ends_at_its_target_and_crosses_no_solid_cell(
    answers: dict[str, Answer], name: str
) -> None:
    case = CASES[name]
    if case.options.get("navigation") == "none":
        assert answers[name].polygons == 0
        assert all(path == [] for path in answers[name].paths)
        return
    assert failed_paths(answers[name], probe_of(case)) == []
    assert crossings(answers[name], case.level.walkable()) == []


def test_paths_of_a_wide_agent_keep_their_distance(answers: dict[str, Answer]) -> None:
    walkable = CASES["wide"].level.walkable()
    assert crossings(answers["wide"], walkable, RADIUS) == []
    # Others pass nearer to walls.
    near = CASES["navigation_merged"].level.walkable()
    assert crossings(answers["navigation_merged"], near, RADIUS) != []


def test_collision_is_merged_or_of_the_tiles_or_there_is_none(answers: dict[str, Answer]) -> None:
    walkable = level_from(CAVE, "cave").walkable()
    for value in SHAPES:
        answer = answers[f"collision_{value}"]
        of_tiles = [kinds for kinds in answer.tile_shapes.values() if "collision" in kinds]
        assert len(of_tiles) == (value == "tiles")
        assert ("StaticBody2D" in answer.nodes) == (value == "merged")
        if value == "none":
            assert (answer.cells == FREE).all()
            continue
        # Shapes that Godot merges meet in slanted lines: points on them belong to neither.
        seen = answer.cells if value == "merged" else answer.cells | 1
        expected = np.where(walkable, FREE, SOLID) | (value == "tiles")
        np.testing.assert_array_equal(seen, expected)


def test_occlusion_is_merged_or_of_the_tiles_or_there_is_none(answers: dict[str, Answer]) -> None:
    for value in SHAPES:
        answer = answers[f"occlusion_{value}"]
        of_tiles = [kinds for kinds in answer.tile_shapes.values() if "occlusion" in kinds]
        assert len(of_tiles) == (value == "tiles")
        assert ("LightOccluder2D" in answer.nodes) == (value == "merged")


def test_navigation_is_merged_or_of_the_tiles_or_there_is_none(answers: dict[str, Answer]) -> None:
    floor = int(level_from(CAVE, "cave").walkable().sum())
    for value in SHAPES:
        answer = answers[f"navigation_{value}"]
        of_tiles = [kinds for kinds in answer.tile_shapes.values() if "navigation" in kinds]
        assert len(of_tiles) == (value == "tiles")
        assert ("NavigationRegion2D" in answer.nodes) == (value == "merged")
    assert answers["navigation_tiles"].polygons == floor
    assert 0 < answers["navigation_merged"].polygons <= floor / 12


def test_helper_layers_are_not_in_the_scene_and_pictures_are_only_seen(
    answers: dict[str, Answer],
) -> None:
    layers = answers["crypt"].tile_shapes
    assert sorted(layers) == ["edges", "play", "rocks"]
    assert all(kinds == [] for kinds in layers.values())


def test_what_tiles_cannot_do_is_reported_with_the_option_that_can(tmp_path: Path) -> None:
    warnings = export_godot(level_from(CRYPT, "crypt"), tmp_path, collision="tiles")
    assert any("`collision: merged`" in warning for warning in warnings)
    warnings = export_godot(level_from(CRYPT, "crypt"), tmp_path, navigation="tiles")
    assert any("`navigation: merged`" in warning for warning in warnings)
