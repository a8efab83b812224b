"""Worlds in an export: parts that are stored one by one, and what becomes of them."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from daemon_harness import Daemon, Project
from exporter.blob import read_blob
from exporter.export.layer_reports import layer_report
from exporter.model.level import Level
from exporter.pipeline.build import Build, build_level
from exporter.reading.reader import parse_level
from exporter.store.manifest import Manifest
from exporter.store.parts import is_part

WORLD = """\
size: [300, 200]
chunk: 128
seed: {seed}
layers:
  caves: {{generator: cellular_caves}}
  relief: {{generator: heightmap}}
  open: {{generator: exposure}}
visibility: {{radius: 5}}
"""
SETTINGS = "levels: levels/**/*.level.yaml\ntargets:\n  tiled: {path: tiled}\n"
PARTS = [f"{column}_{row}" for column in range(3) for row in range(2)]


class WorldProject:
    """A project with a world."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.spec = root / "levels" / "cavern.level.yaml"
        self.spec.parent.mkdir(parents=True)
        (root / "exporter.yaml").write_text(SETTINGS)
        self.write()

    def write(self, text: str = WORLD, seed: int = 1) -> None:
        self.spec.write_text(text.format(seed=seed))

    def run(self, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "exporter", "export", str(self.root), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == code, done.stderr
        return done

    def export(self, *arguments: str, code: int = 0) -> dict[str, Any]:
        (level,) = json.loads(self.run("--json", *arguments, code=code).stdout)["levels"]
        assert isinstance(level, dict)
        return level

    def part(self, place: str, suffix: str = "lvb") -> Path:
        return self.root / "tiled" / "cavern.world" / f"cavern.{place}.{suffix}"

    def times(self) -> dict[str, int]:
        return {place: self.part(place).stat().st_mtime_ns for place in PARTS}

    def contents(self) -> dict[str, str]:
        return {
            str(path.relative_to(self.root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((self.root / "tiled").rglob("*"))
            if path.is_file()
        }


@pytest.fixture
def world(tmp_path: Path) -> WorldProject:
    return WorldProject(tmp_path / "game")


def test_the_parts_hold_the_cells_of_the_whole(world: WorldProject) -> None:
    level = world.export()
    assert (level["level"], level["status"]) == ("cavern", "built")
    whole = build_level(parse_level(world.spec.read_bytes(), "cavern.level.yaml"))
    for place in PARTS:
        column, row = map(int, place.split("_"))
        part = read_blob(world.part(place).read_bytes())
        x, y = column * 128, row * 128
        assert part.name == f"cavern.{place}"
        assert (part.width, part.height) == (min(128, 300 - x), min(128, 200 - y))
        for name, layer in whole.layers.items():
            expected = layer.cells[y : y + 128, x : x + 128]
            np.testing.assert_array_equal(part.layers[name].cells, expected)
            assert part.layers[name].tiles == layer.tiles
    described = json.loads((world.root / "tiled" / "cavern.world.json").read_text())
    assert (described["size"], described["chunk"]) == ([300, 200], 128)
    assert (described["columns"], described["rows"]) == (3, 2)
    assert described["parts"].format(column=2, row=1) + ".lvb" == "cavern.world/cavern.2_1.lvb"
    assert described["visibility"]["layer"] == "caves"
    paths = [output["path"] for output in level["outputs"]]
    assert len(paths) == len(set(paths))
    assert set(paths) == {path for path in world.contents() if not path.endswith("-index")}
    assert set(level["layers"]) == set(whole.layers)


def test_a_second_export_does_nothing(world: WorldProject) -> None:
    first = world.export()
    times = world.times()
    second = world.export()
    assert second["status"] == "unchanged"
    assert sorted(one["path"] for one in second["outputs"]) == sorted(
        one["path"] for one in first["outputs"]
    )
    assert world.times() == times
    assert world.run("--check").returncode == 0


def test_only_a_part_that_is_missing_is_made_again(world: WorldProject) -> None:
    world.run()
    times, contents = world.times(), world.contents()
    world.part("1_0").unlink()
    assert world.run("--check", code=1)
    assert world.export()["status"] == "built"
    assert world.contents() == contents
    after = world.times()
    assert [place for place in PARTS if after[place] != times[place]] == ["1_0"]


def test_another_seed_makes_all_parts_anew(world: WorldProject) -> None:
    world.run()
    before = world.contents()
    world.write(seed=2)
    world.run()
    after = world.contents()
    assert before.keys() == after.keys()
    assert all(
        before[f"tiled/cavern.world/cavern.{p}.lvb"] != after[f"tiled/cavern.world/cavern.{p}.lvb"]
        for p in PARTS
    )


def test_a_part_that_somebody_changed_is_kept(world: WorldProject) -> None:
    world.run()
    mine = world.part("2_1", "tmj")
    mine.write_text("mine")
    level = world.export()
    assert level["kept"] == ["tiled/cavern.world/cavern.2_1.tmj"]
    world.write(seed=2)
    level = world.export()
    assert level["kept"] == ["tiled/cavern.world/cavern.2_1.tmj"]
    assert mine.read_text() == "mine"
    world.run("--overwrite")
    assert mine.read_text() != "mine"


def test_a_world_that_shrinks_leaves_parts_to_be_cleaned(world: WorldProject) -> None:
    world.run()
    world.write(WORLD.replace("[300, 200]", "[200, 100]"))
    level = world.export()
    assert world.part("2_1").exists()
    assert not [one for one in level["outputs"] if "2_1" in one["path"]]
    command = [sys.executable, "-m", "exporter", "clean", str(world.root), "--stale"]
    subprocess.run(command, check=True, capture_output=True)
    assert not world.part("2_1").exists()
    assert world.part("0_0").exists()
    assert world.export()["status"] == "unchanged"


def test_all_goes_with_the_spec(world: WorldProject) -> None:
    (world.spec.parent / "other.level.yaml").write_text(
        "size: [8, 8]\nlayers: {a: {generator: maze}}\n"
    )
    world.run()
    world.spec.unlink()
    world.run()
    assert not (world.root / "tiled" / "cavern.world").exists()
    assert not (world.root / "tiled" / "cavern.world.json").exists()


def test_a_renamed_spec_takes_its_parts_along(world: WorldProject) -> None:
    world.write("level: cavern\n" + WORLD)
    world.run()
    contents = world.contents()
    world.spec.rename(world.spec.with_name("grotto.level.yaml"))
    world.spec = world.spec.with_name("grotto.level.yaml")
    world.run()
    assert world.contents() == contents


def test_a_dry_run_tells_all_files_and_writes_none(world: WorldProject) -> None:
    told = world.export("--dry-run")
    assert not (world.root / "tiled").exists()
    assert [one["path"] for one in told["outputs"]] == [
        one["path"] for one in world.export()["outputs"]
    ]


def test_what_stands_in_the_way_is_told_and_nothing_is_lost(world: WorldProject) -> None:
    mine = world.part("1_1", "tmj")
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    level = world.export(code=1)
    assert level["status"] == "failed"
    assert "was not written by the exporter" in level["errors"][0]["message"]
    assert mine.read_text() == "mine"
    mine.unlink()
    assert world.export()["status"] == "built"


def test_clean_removes_all_parts(world: WorldProject) -> None:
    world.run()
    subprocess.run(
        [sys.executable, "-m", "exporter", "clean", str(world.root)],
        check=True,
        capture_output=True,
    )
    assert not (world.root / "tiled").exists()


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_the_number_of_processes_changes_no_byte(world: WorldProject, jobs: str) -> None:
    world.run("--jobs", jobs)
    contents = world.contents()
    shutil.rmtree(world.root / "tiled")
    shutil.rmtree(world.root / ".exporter")
    world.run("--jobs", "2")
    assert world.contents() == contents


def test_after_kills_the_same_bytes_stand(world: WorldProject) -> None:
    world.run("--jobs", "2")
    contents = world.contents()
    shutil.rmtree(world.root / "tiled")
    shutil.rmtree(world.root / ".exporter")
    moments = random.Random(3)
    done: dict[str, int] = {}
    kills = 0
    for _ in range(40):
        command = [sys.executable, "-m", "exporter", "export", str(world.root), "--jobs", "2"]
        running = subprocess.Popen(
            command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        # The first kills come at any moment, the others soon after another part is stored.
        limit = time.monotonic() + (moments.uniform(0.2, 0.8) if kills < 2 else 120)
        while time.monotonic() < limit and running.poll() is None:
            if kills >= 2 and len(_stored(world)) > len(done):
                time.sleep(moments.uniform(0, 0.05))
                break
            time.sleep(0.002)
        if running.poll() is not None:
            break
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        kills += 1
        stored = _stored(world)
        # What is stored is not made again, and each of the two processes loses one part at most.
        assert all(world.part(p).stat().st_mtime_ns == at for p, at in done.items())
        assert len({p for p in PARTS if world.part(p).exists()} - stored) <= 2
        done = {p: world.part(p).stat().st_mtime_ns for p in stored}
    else:
        world.run("--jobs", "2")
    assert kills >= 3
    assert world.contents() == contents


def _stored(world: WorldProject) -> set[str]:
    """Return the parts that the manifest has as done."""
    manifest = Manifest(world.root / ".exporter")
    manifest.refresh()
    return {
        key.partition("\n")[2]
        for key, entry in manifest.entries.items()
        if is_part(key) and entry.key
    }


def test_a_daemon_makes_the_parts_that_change(world: WorldProject) -> None:
    project = Project.__new__(Project)
    project.root = world.root
    with Daemon(project) as daemon:
        assert all(world.part(place).exists() for place in PARTS)
        times = world.times()
        world.write(seed=9)
        daemon.wait_for("level", level="cavern", status="built")
        after = world.times()
        assert all(after[place] != times[place] for place in PARTS)
        daemon.signal(signal.SIGTERM)
    contents = world.contents()
    shutil.rmtree(world.root / "tiled")
    world.run()
    assert world.contents() == contents


def test_a_world_too_large_for_one_build_says_so(world: WorldProject) -> None:
    world.write(WORLD.replace("[300, 200]", "[20000, 20000]"))
    command = [sys.executable, "-m", "exporter", "stats", str(world.spec)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "a world of 400,000,000 cells is not made at once" in done.stderr


LIMITED = """\
size: [300, 200]
chunk: 128
layers:
  caves: {{generator: cellular_caves, wall_percent: 48, CONNECT}}
objects:
  - {{name: torch, place: by_cell, percent: 2}}
require: {{connected: true}}
"""


def test_a_world_that_breaks_its_limits_writes_no_part(tmp_path: Path) -> None:
    project = WorldProject(tmp_path)
    project.write(LIMITED.replace(", CONNECT", ""))
    level = project.export(code=1)
    assert level["status"] == "failed"
    (error,) = level["errors"]
    assert error["line"] == 7
    assert "separate regions (required: true)" in error["message"]
    assert not list(tmp_path.rglob("*.lvb"))


def test_the_exported_parts_of_a_world_are_joined(tmp_path: Path) -> None:
    project = WorldProject(tmp_path)
    text = LIMITED.replace("CONNECT", "connect: guaranteed")
    project.write(text)
    project.export()
    whole = build_level(parse_level(text.format().encode(), "cavern.level.yaml"))
    objects = []
    for column in range(3):
        for row in range(2):
            (path,) = tmp_path.rglob(f"cavern.{column}_{row}.lvb")
            part = read_blob(path.read_bytes())
            x, y = column * 128, row * 128
            inside = slice(y, y + part.height), slice(x, x + part.width)
            assert np.array_equal(part.layers["caves"].cells, whole.layers["caves"].cells[inside])
            objects += [(one.name, one.x + x, one.y + y) for one in part.objects]
    assert sorted(objects) == sorted((one.name, one.x, one.y) for one in whole.objects)


def test_what_lies_around_joins_is_that_of_the_whole(tmp_path: Path) -> None:
    """Each part is told only of the joins near it; what is far apart takes a second survey."""
    project = WorldProject(tmp_path)
    text = (
        "size: [300, 200]\nchunk: 64\nlayers:\n  rock: {{generator: blank, tile: wall}}\n"
        "  caves:\n    generator: stamp\n    of: rock\n    art: '.'\n"
        "    at: [[20, 20], [100, 60], [280, 190], [128, 64], [190, 66], [5, 150]]\n"
        "    connect: guaranteed\n"
        "  edge: {{generator: outline, of: caves, thickness: 3}}\n  open: {{generator: exposure}}\n"
        "visibility: {{radius: 12, layer: caves}}\n"
    )
    project.write(text)
    project.export()
    whole = build_level(parse_level(text.format().encode(), "cavern.level.yaml"))
    seen = set()
    for path in tmp_path.rglob("cavern.*.lvb"):
        part = read_blob(path.read_bytes())
        column, row = map(int, path.name.split(".")[1].split("_"))
        x, y = column * 64, row * 64
        for name in ("caves", "edge", "open"):
            expected = whole.layers[name].cells[y : y + 64, x : x + 64]
            assert np.array_equal(part.layers[name].cells, expected), (name, column, row)
        seen.add((column, row))
    assert len(seen) == 20


# Colours of drawings of given cells: none is given, open, wall.
FREE, OPEN, WALL = (0, 0, 0, 0), (255, 255, 255, 255), (0, 0, 0, 255)
Pad = tuple[int, int, int, int]
FAR_APART: list[Pad] = [(80, 90, 3, 3), (250, 250, 4, 4)]
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
    """What was opened in a layer counts wherever a layer above it is looked at."""
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
    assert_parts_are(tmp_path, whole, ("a", "b", "caves"), 64)


def test_regions_whose_only_way_is_longer_than_the_world_are_joined(tmp_path: Path) -> None:
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
    assert_parts_are(tmp_path, whole, ("caves",), 64)


def test_regions_that_cannot_be_joined_are_told(tmp_path: Path) -> None:
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


def assert_parts_are(root: Path, whole: Level, names: tuple[str, ...], chunk: int) -> None:
    """Check that the cells of all parts are those of the whole."""
    columns, rows = -(-whole.width // chunk), -(-whole.height // chunk)
    parts = [*root.rglob("cavern.*.lvb")]
    assert len(parts) == columns * rows
    for path in parts:
        part = read_blob(path.read_bytes())
        column, row = map(int, path.name.split(".")[1].split("_"))
        inside = slice(row * chunk, (row + 1) * chunk), slice(column * chunk, (column + 1) * chunk)
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
        f"    - {{at: [140, 20], was: {names[0]}, now: {other[names[0]]}}}\n"
        f"    - {{at: [141, 20], was: lava, now: {other[names[1]]}}}\n"
    )
    level = project.export()
    (warning,) = level["warnings"]
    assert "the generated level has changed below 1 edit: [141, 20]" in warning
    after = read_blob(path.read_bytes()).layers["caves"]
    changed = np.argwhere(before.cells != after.cells).tolist()
    assert changed == [[20, 12], [20, 13]]


CERTIFIED = """\
size: [300, 200]
chunk: 128
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
    counts = {name: one.report() for name, one in build.object_counts().items()}
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


def test_parts_that_earlier_exports_made_count(tmp_path: Path) -> None:
    project = WorldProject(tmp_path)
    project.write(CERTIFIED.replace(", connect: guaranteed", ""))
    first = project.export()
    (tmp_path / "tiled" / "cavern.world" / "cavern.1_0.lvb").unlink()
    second = project.export()
    assert second["status"] == "built"
    assert second["objects"] == first["objects"]
    assert second["layers"] == first["layers"]
    certificate = first["layers"]["caves"]["certificate"]
    assert (certificate["cells"], certificate["regions_after"]) == (60_000, None)
    assert certificate["connected"] is None
    assert certificate["floor"] > 0
