"""A window of a world is a level with the cells and objects that the world has there."""

from __future__ import annotations

import numpy as np

from exporter.build.build import Build
from exporter.build.observed import compute_overlay
from exporter.build.world import World
from exporter.build.world_window import WindowBuild, joined_windows
from exporter.model.windows import Window
from exporter.reading.reader import parse_level

SPEC = b"""\
size: [320, 200]
chunk: 64
seed: 7
layers:
  relief: {generator: heightmap, feature_size: 60}
  ground: {generator: cellular_caves, connect: guaranteed}
objects:
  - {name: moss, place: by_cell, percent: 30}
  - {name: chest, place: by_cell, percent: 2, clear_radius: 1}
visibility: {radius: 5}
"""


def test_a_window_joined_of_pieces_is_that_part_of_the_level() -> None:
    spec = parse_level(SPEC, "level.yaml")
    whole = Build(spec)
    level, _ = whole.level()
    world = World(spec)
    known = world.surveyed()
    made = joined_windows(
        [
            world.made(Window(x, y, width, 64, world.size), known)
            for x, width in ((70, 64), (134, 90))
        ]
        for y in (50, 114)
    )
    build = WindowBuild(world, Window(70, 50, 154, 128, world.size), known, made)
    window, _ = build.level()
    inside = slice(50, 178), slice(70, 224)
    for name, layer in level.layers.items():
        assert np.array_equal(window.layers[name].cells, layer.cells[inside]), name
    objects = {(item.name, item.x + 70, item.y + 50) for item in window.objects}
    assert objects == {
        (item.name, item.x, item.y)
        for item in level.objects
        if 70 <= item.x < 224 and 50 <= item.y < 178
    }
    # What looks as far as an object's surroundings is the same up to the edge.
    inner = slice(2, -2), slice(2, -2)
    for overlay in ("refused:chest", "carved"):
        expected = compute_overlay(overlay, whole).values[inside]
        assert np.array_equal(compute_overlay(overlay, build).values[inner], expected[inner])
