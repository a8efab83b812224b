"""Worlds in an export: parts are stored one by one, resumed and removed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from command_line import run
from exporter.blob import read_blob
from exporter.build.build import Build, build_level
from exporter.export.layer_reports import layer_report
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from world_project import CHUNK, PARTS, WORLD, WorldProject


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[WorldProject, dict[str, Any]]:
    """Return an exported world, shared and left unchanged, and its report."""
    world = WorldProject(tmp_path_factory.mktemp("world") / "game")
    return world, world.export()


@pytest.fixture
def world(tmp_path: Path) -> WorldProject:
    return WorldProject(tmp_path / "game")


def test_parts_hold_the_cells_of_the_whole(exported: tuple[WorldProject, dict[str, Any]]) -> None:
    world, level = exported
    assert (level["level"], level["status"]) == ("cavern", "built")
    whole = build_level(parse_level(world.spec.read_bytes(), "cavern.level.yaml"))
    assert_parts_are(world.root, whole, tuple(whole.layers))
    for position in PARTS:
        column, row = map(int, position.split("_"))
        part = read_blob(world.part(position).read_bytes())
        assert part.name == f"cavern.{position}"
        assert (part.width, part.height) == (
            min(CHUNK, 150 - column * CHUNK),
            min(CHUNK, 100 - row * CHUNK),
        )
        for name, layer in whole.layers.items():
            assert part.layers[name].tiles == layer.tiles
    described = json.loads((world.root / "tiled" / "cavern.world.json").read_text())
    assert (described["size"], described["chunk"]) == ([150, 100], CHUNK)
    assert (described["columns"], described["rows"]) == (3, 2)
    assert described["parts"].format(column=2, row=1) + ".lvb" == "cavern.world/cavern.2_1.lvb"
    assert described["visibility"]["layer"] == "caves"
    paths = [output["path"] for output in level["outputs"]]
    assert len(paths) == len(set(paths))
    assert set(paths) == {path for path in world.contents() if not path.endswith("-index")}
    assert set(level["layers"]) == set(whole.layers)


def test_second_export_does_nothing(exported: tuple[WorldProject, dict[str, Any]]) -> None:
    world, first = exported
    times = world.times()
    second = world.export()
    assert second["status"] == "unchanged"
    assert sorted(item["path"] for item in second["outputs"]) == sorted(
        item["path"] for item in first["outputs"]
    )
    assert world.times() == times
    world.run("--check")


def test_missing_part_alone_is_created_again(world: WorldProject) -> None:
    world.run()
    times, contents = world.times(), world.contents()
    world.part("1_0").unlink()
    world.run("--check", code=1)
    assert world.export()["status"] == "built"
    assert world.contents() == contents
    after = world.times()
    assert [part for part in PARTS if after[part] != times[part]] == ["1_0"]


def test_changed_part_is_preserved_when_another_seed_makes_all_others_anew(
    world: WorldProject,
) -> None:
    world.run()
    mine = world.part("2_1", "tmj")
    mine.write_text("mine")
    before = world.contents()
    assert world.export()["kept"] == ["tiled/cavern.world/cavern.2_1.tmj"]
    world.write(seed=2)
    assert world.export()["kept"] == ["tiled/cavern.world/cavern.2_1.tmj"]
    assert mine.read_text() == "mine"
    after = world.contents()
    assert before.keys() == after.keys()
    blobs = [f"tiled/cavern.world/cavern.{part}.lvb" for part in PARTS]
    assert not [path for path in blobs if before[path] == after[path]]
    world.run("--overwrite")
    assert mine.read_text() != "mine"


def test_world_that_shrinks_leaves_parts_to_clean(world: WorldProject) -> None:
    world.run()
    world.write(WORLD.replace("[150, 100]", "[100, 50]"))
    level = world.export()
    assert world.part("2_1").exists()
    assert not [item for item in level["outputs"] if "2_1" in item["path"]]
    assert run("clean", world.root, "--stale").returncode == 0
    assert not world.part("2_1").exists()
    assert world.part("0_0").exists()
    assert world.export()["status"] == "unchanged"
    assert run("clean", world.root).returncode == 0
    assert not (world.root / "tiled").exists()


def test_renamed_spec_takes_its_parts_along_and_a_deleted_one_removes_them(
    world: WorldProject,
) -> None:
    (world.spec.parent / "other.level.yaml").write_text(
        "size: [8, 8]\nlayers: {a: {generator: maze}}\n"
    )
    world.write("level: cavern\n" + WORLD)
    world.run()
    contents = world.contents()
    world.spec = world.spec.rename(world.spec.with_name("grotto.level.yaml"))
    world.run()
    assert world.contents() == contents
    world.spec.unlink()
    world.run()
    assert not (world.root / "tiled" / "cavern.world").exists()
    assert not (world.root / "tiled" / "cavern.world.json").exists()


def test_dry_run_lists_all_files_and_a_blocked_world_writes_none(world: WorldProject) -> None:
    planned = world.export("--dry-run")
    assert not (world.root / "tiled").exists()
    mine = world.part("1_1", "tmj")
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    level = world.export(code=1)
    assert level["status"] == "failed"
    assert "was not written by the exporter" in level["errors"][0]["message"]
    assert mine.read_text() == "mine"
    mine.unlink()
    level = world.export()
    assert level["status"] == "built"
    assert [item["path"] for item in planned["outputs"]] == [
        item["path"] for item in level["outputs"]
    ]


def test_world_too_large_for_one_build_is_refused_by_stats(world: WorldProject) -> None:
    world.write(WORLD.replace("[150, 100]", "[20000, 20000]").replace("64", "128"))
    done = run("stats", world.spec)
    assert done.returncode == 1
    assert "a world of 400,000,000 cells cannot be built at once" in done.stderr


LIMITED = """\
size: [150, 100]
chunk: 64
layers:
  caves: {{generator: cellular_caves, wall_percent: 48, CONNECT}}
objects:
  - {{name: torch, place: by_cell, percent: 2}}
require: {{connected: true}}
"""


def test_world_that_breaks_its_limits_writes_no_part(tmp_path: Path) -> None:
    project = WorldProject(tmp_path, LIMITED.replace(", CONNECT", ""))
    level = project.export(code=1)
    assert level["status"] == "failed"
    (error,) = level["errors"]
    assert error["line"] == 7
    assert "separate regions (required: true)" in error["message"]
    assert not list(tmp_path.rglob("*.lvb"))


def test_exported_parts_of_a_world_are_joined(tmp_path: Path) -> None:
    text = LIMITED.replace("CONNECT", "connect: guaranteed")
    WorldProject(tmp_path, text).export()
    whole = build_level(parse_level(text.format().encode(), "cavern.level.yaml"))
    assert_parts_are(tmp_path, whole, ("caves",))
    objects = []
    for part in PARTS:
        column, row = map(int, part.split("_"))
        (path,) = tmp_path.rglob(f"cavern.{part}.lvb")
        for item in read_blob(path.read_bytes()).objects:
            objects.append((item.name, item.x + column * CHUNK, item.y + row * CHUNK))
    assert sorted(objects) == sorted((item.name, item.x, item.y) for item in whole.objects)


def test_layers_around_joins_are_those_of_the_whole(tmp_path: Path) -> None:
    """Each part knows only the joins near it; joins far apart take a second survey."""
    text = (
        "size: [300, 200]\nchunk: 64\nlayers:\n  rock: {{generator: blank, tile: wall}}\n"
        "  caves:\n    generator: stamp\n    of: rock\n    art: '.'\n"
        "    at: [[20, 20], [100, 60], [280, 190], [128, 64], [190, 66], [5, 150]]\n"
        "    connect: guaranteed\n"
        "  edge: {{generator: outline, of: caves, thickness: 3}}\n  open: {{generator: exposure}}\n"
        "visibility: {{radius: 12, layer: caves}}\n"
    )
    WorldProject(tmp_path, text).export()
    whole = build_level(parse_level(text.format().encode(), "cavern.level.yaml"))
    assert_parts_are(tmp_path, whole, ("caves", "edge", "open"))


# Colours of drawings of given cells: none is given, open, wall.
FREE, OPEN, WALL = (0, 0, 0, 0), (255, 255, 255, 255), (0, 0, 0, 255)
Pad = tuple[int, int, int, int]
SIDE_BY_SIDE: list[Pad] = [(100, 200, 10, 4), (130, 200, 10, 4)]


def write_pads(path: Path, side: int, pads: list[Pad]) -> None:
    """Draw a map of open pads: x, y, width, height."""
    picture = Image.new("RGBA", (side, side), FREE)
    for x, y, width, height in pads:
        picture.paste(OPEN, (x, y, x + width, y + height))
    picture.save(path)


@pytest.mark.parametrize(
    ("side", "first", "second"),
    [
        (256, SIDE_BY_SIDE, [(118, 178, 4, 4)]),
        (512, SIDE_BY_SIDE, [(118, 400, 4, 4)]),
        (
            300,
            [(10, 10, 3, 3), (150, 20, 5, 2), (20, 280, 2, 9)],
            [(80, 90, 3, 3), (250, 250, 4, 4)],
        ),
    ],
)
def test_joins_on_joined_layers_are_those_of_the_whole(
    tmp_path: Path, side: int, first: list[Pad], second: list[Pad]
) -> None:
    """An opening in a layer counts wherever a layer above it is checked."""
    project = WorldProject(tmp_path)
    write_pads(project.spec.parent / "a.png", side, first)
    write_pads(project.spec.parent / "b.png", side, second)
    text = (
        f"size: [{side}, {side}]\nchunk: 64\nlayers:\n"
        "  a: {generator: blank, tile: wall, fixed: {file: a.png}, connect: guaranteed}\n"
        "  b: {generator: blank, tile: wall, fixed: {file: b.png}}\n"
        "  caves: {generator: union, layers: [a, b], connect: guaranteed}\n"
    )
    project.spec.write_text(text)
    project.export()
    whole = build_level(parse_level(text.encode(), "cavern.level.yaml", project.spec.parent))
    assert_parts_are(tmp_path, whole, ("a", "b", "caves"))


def test_regions_with_a_path_longer_than_the_world_are_joined(tmp_path: Path) -> None:
    """Given walls leave one way of thousands of cells between the only two open ones."""
    project = WorldProject(tmp_path)
    picture = Image.new("RGBA", (96, 96), FREE)
    for row in range(1, 96, 2):
        picture.paste(WALL, (0, row, 96, row + 1))
        gap = 95 if row % 4 == 1 else 0
        picture.putpixel((gap, row), FREE)
    picture.putpixel((0, 0), OPEN)
    picture.putpixel((0, 94), OPEN)
    picture.save(project.spec.parent / "plan.png")
    text = (
        "size: [96, 96]\nchunk: 64\nlayers:\n"
        "  caves: {generator: blank, tile: wall, fixed: {file: plan.png}, connect: guaranteed}\n"
    )
    project.spec.write_text(text)
    project.export()
    whole = build_level(parse_level(text.encode(), "cavern.level.yaml", project.spec.parent))
    opened = whole.layers["caves"].cells != whole.layers["caves"].cells[1, 1]
    assert opened.sum() > 4000
    assert_parts_are(tmp_path, whole, ("caves",))


def test_regions_that_cannot_be_joined_are_reported(tmp_path: Path) -> None:
    project = WorldProject(tmp_path)
    picture = Image.new("RGBA", (128, 128), FREE)
    picture.paste(WALL, (60, 0, 64, 128))
    for x in (20, 90):
        picture.paste(OPEN, (x, 50, x + 10, 60))
    picture.save(project.spec.parent / "plan.png")
    text = (
        "size: [128, 128]\nchunk: 64\nlayers:\n"
        "  caves: {generator: blank, tile: wall, fixed: {file: plan.png}, connect: guaranteed}\n"
    )
    for chunk in ("chunk: 64\n", ""):  # a world, and a level
        project.spec.write_text(text.replace("chunk: 64\n", chunk))
        level = project.export()
        (warning,) = level["warnings"]
        assert "2 regions cannot be joined" in warning
        assert project.export()["warnings"] == [warning]


def assert_parts_are(root: Path, whole: Level, names: tuple[str, ...]) -> None:
    """Check that the cells of all parts are those of the whole."""
    columns, rows = -(-whole.width // CHUNK), -(-whole.height // CHUNK)
    parts = [*root.rglob("cavern.*.lvb")]
    assert len(parts) == columns * rows
    for path in parts:
        part = read_blob(path.read_bytes())
        column, row = map(int, path.name.split(".")[1].split("_"))
        inside = slice(row * CHUNK, (row + 1) * CHUNK), slice(column * CHUNK, (column + 1) * CHUNK)
        for name in names:
            expected = whole.layers[name].cells[inside]
            assert np.array_equal(part.layers[name].cells, expected), (name, column, row)


def test_hand_edits_are_in_the_parts_in_which_they_lie(tmp_path: Path) -> None:
    project = WorldProject(tmp_path)
    project.export()
    (path,) = tmp_path.rglob("cavern.1_0.lvb")
    before = read_blob(path.read_bytes()).layers["caves"]
    names = [before.tiles[number].name for number in before.cells[20, 12:14]]
    other = {"floor": "wall", "wall": "floor"}
    edits = project.spec.with_name("cavern.edits.yaml")
    edits.write_text(
        "layers:\n  caves:\n"
        f"    - {{at: [76, 20], was: {names[0]}, now: {other[names[0]]}}}\n"
        f"    - {{at: [77, 20], was: lava, now: {other[names[1]]}}}\n"
    )
    level = project.export()
    (warning,) = level["warnings"]
    assert "the generated level has changed below 1 edit: [77, 20]" in warning
    after = read_blob(path.read_bytes()).layers["caves"]
    changed = np.argwhere(before.cells != after.cells).tolist()
    assert changed == [[20, 12], [20, 13]]


CERTIFIED = """\
size: [150, 100]
chunk: 64
layers:
  caves: {{generator: cellular_caves, wall_percent: 48, connect: guaranteed}}
  relief: {{generator: heightmap, normalise: false}}
objects:
  - {{name: torch, place: by_cell, percent: 2}}
  - {{name: ghost, place: by_cell, percent: 0}}
"""


def test_the_report_has_what_is_proven_of_the_whole(tmp_path: Path) -> None:
    project = WorldProject(tmp_path)
    project.write(CERTIFIED + "require: {{connected: true}}\n")
    level = project.export()
    text = CERTIFIED.format().encode()
    build = Build(parse_level(text, "cavern.level.yaml"))
    build.prepare()
    expected = layer_report(build.layers["caves"])["certificate"]
    assert level["layers"]["caves"]["certificate"] == expected
    assert level["layers"]["relief"]["certificate"] is None
    counts = {name: item.report() for name, item in build.object_counts().items()}
    assert counts["torch"]["placed"] > 0
    assert level["objects"] == counts
    assert project.export()["objects"] == counts


def test_what_no_survey_looked_at_is_not_known(tmp_path: Path) -> None:
    project = WorldProject(tmp_path)
    project.write(CERTIFIED)
    certificate = project.export()["layers"]["caves"]["certificate"]
    whole = layer_report(
        build_level(parse_level(CERTIFIED.format().encode(), "cavern.level.yaml")).layers["caves"]
    )["certificate"]
    unknown = ("farthest", "start", "dead_ends", "chokes")
    assert certificate == {**whole, **dict.fromkeys(unknown)}


def test_parts_that_earlier_exports_created_count(tmp_path: Path) -> None:
    project = WorldProject(tmp_path)
    project.write(CERTIFIED.replace(", connect: guaranteed", ""))
    first = project.export()
    (tmp_path / "tiled" / "cavern.world" / "cavern.1_0.lvb").unlink()
    second = project.export()
    assert second["status"] == "built"
    assert second["objects"] == first["objects"]
    assert second["layers"] == first["layers"]
    certificate = first["layers"]["caves"]["certificate"]
    assert (certificate["cells"], certificate["regions_after"]) == (15_000, None)
    assert certificate["connected"] is None
    assert certificate["floor"] > 0
