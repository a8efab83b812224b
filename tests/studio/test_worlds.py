"""What the page gets of a world that is too large to be shown at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from exporter.build.stages import untracked
from exporter.build.world import World
from exporter.model.windows import Window
from exporter.reading.reader import parse_level
from exporter.studio.building import Memory, build_displayed, spec_of
from exporter.studio.tasks import BuildTask
from exporter.studio.viewed import build_requested
from exporter.studio.views import StudioView
from exporter.studio.worlds import Overview
from studio_tabs import CAVE, Studio

WORLD = """\
size: [16384, 8192]
chunk: 512
seed: 7
layers:
  ground: {generator: cellular_caves}
objects:
  - {name: chest, place: by_cell, percent: 1}
"""
LEVELS = {"cave": WORLD}


def test_a_world_is_shown_in_windows_around_the_view(studio: Studio) -> None:
    tab = studio.tab()
    level = tab.displayed_level("open", level=next(iter(tab.levels.values())))
    assert (level["width"], level["height"]) == (256, 256)
    assert level["world"] == {
        "x": 8064,
        "y": 3968,
        "width": 16384,
        "height": 8192,
        "complete": True,
    }
    area = {"place": [1000, 1000], "size": [600, 400]}
    for _ in range(20):  # nearest pieces first, and the others when they are asked for again
        tab.send(do="area", **area)
        level = tab.wait_for("level")
        if level["world"]["complete"]:
            break
    x, y, width, height = level["world"]["x"], level["world"]["y"], level["width"], level["height"]
    assert x <= 1000 < 1600 <= x + width
    assert y <= 1000 < 1400 <= y + height
    world = World(parse_level(WORLD.encode(), "cave"))
    expected = world.layers(Window(x, y, width, height, world.size), {})["ground"].cells
    assert np.array_equal(tab.arrays[0], expected)
    tab.send(do="overlay", name="chokes")
    overlay = tab.wait_for("overlay")
    assert overlay["values"]["shape"] == [height, width]
    tab.send(do="draw", layer="ground", cells=[[1, 1]], tile="floor", number=1)
    assert "world shown in windows" in tab.wait_for("refused")["text"]
    tab.send(do="steps", layer="")
    assert "shown in windows" in tab.wait_for("steps")["problem"]
    tab.send(do="compare", number=1, **{"with": {"saved": True}})
    assert "shown in windows" in tab.wait_for("comparison")["problem"]
    tab.send(do="outputs")
    assert "shown in windows" in tab.wait_for("outputs")["problem"]
    tab.send(do="area", place=[70_000, 0], size=[1, 1])
    assert "from 0 to 65536" in tab.wait_for("refused")["text"]


def test_the_overview_of_a_world_becomes_closer(studio: Studio) -> None:
    tab = studio.tab()
    tab.displayed_level("open", level=next(iter(tab.levels.values())))
    for _ in range(200):
        tab.send(do="overview")
        overview = tab.wait_for("overview")
        assert (overview["columns"], overview["rows"], overview["step"]) == (64, 32, 256)
        assert tab.arrays[0][..., 3].all(), "the first picture is of all of the world, too"
        if overview["complete"]:
            break
    assert overview["complete"]
    tab.send(do="gallery", of="level")
    tab.wait_for("card")
    assert tab.arrays[0].size


def test_the_overview_of_a_small_world_has_cells_of_equal_distance() -> None:
    text = WORLD.replace("[16384, 8192]", "[320, 128]").replace("512", "64")
    world = World(parse_level(text.encode(), "cave"))
    overview = Overview(world, {})
    assert overview.picture(60)[..., 3].all()
    assert overview.complete
    whole = world.layers(Window(0, 0, 320, 128, world.size), {})["ground"].cells[::5, ::5]
    assert np.array_equal(overview._layers["ground"].cells, whole)


def test_a_level_that_is_no_world_has_no_overview(tmp_path: Path) -> None:
    task = BuildTask(CAVE.encode(), "cave.level.yaml", tmp_path, None, view=StudioView("overview"))
    assert b"shown as a whole, without an overview" in build_requested(task, Memory()).message


def test_drawn_cells_of_a_sampled_world_are_kept_and_read_again(tmp_path: Path) -> None:
    text = """\
size: [4096, 4096]
chunk: 512
layers:
  plan:
    generator: from_image
    image: plan.png
    fit: stretch
    colors: {"#000000": empty, "#0000ff": water}
  ground: {generator: cellular_caves, fixed: plan}
"""
    task = BuildTask(text.encode(), "lakes.level.yaml", tmp_path, None)
    memory = Memory()
    reply = build_displayed(task, memory)
    assert reply.problems
    assert reply.files == ("plan.png",)
    picture = Image.new("RGB", (512, 512))
    picture.putpixel((256, 256), (0, 0, 255))
    picture.save(tmp_path / "plan.png")
    world = memory.world(task, spec_of(task))
    level, _ = world.build(None, memory, untracked)[0].level()
    ground = level.layers["ground"]
    water = next(tile.id for tile in ground.tiles if tile.name == "water")
    assert np.count_nonzero(ground.cells == water) == 64
    assert memory.world(task, spec_of(task)) is world
    picture.resize((256, 256)).save(tmp_path / "plan.png")
    assert memory.world(task, spec_of(task)) is not world
