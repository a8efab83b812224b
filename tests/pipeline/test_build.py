"""A build: the order of its steps, the layer that blocks sight, and what its errors point at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from exporter.blob import write_blob
from exporter.model.errors import SpecError
from exporter.model.level import Level
from exporter.pipeline.build import ABSENT, UNREADABLE, Build, build_level
from exporter.reading.reader import parse_level


def build(text: str, folder: Path | None = None) -> Level:
    return build_level(parse_level(text.encode(), "probe.level.yaml", folder))


def refused(text: str, folder: Path | None = None) -> tuple[int, int, str]:
    with pytest.raises(SpecError) as caught:
        build(text, folder)
    (problem,) = caught.value.problems
    return problem.line, problem.column, problem.message


DERIVED_FIRST = """\
size: [16, 12]
seed: 3
layers:
  glow: {generator: light, objects: [lamp]}
  edge: {generator: outline, layer: glow2}
  ground: {generator: cellular_caves, connect: guaranteed}
visibility: {radius: 5}
objects: [{name: lamp}]
"""


def test_late_layers_are_made_last_and_stand_where_the_spec_has_them() -> None:
    text = DERIVED_FIRST.replace("  edge: {generator: outline, layer: glow2}\n", "")
    level = build(text)
    assert list(level.layers) == ["glow", "ground"]
    # Sight is blocked by the first layer that is not late.
    assert level.visibility_layer == "ground"
    lamp = level.objects[0]
    assert level.layers["glow"].cells[lamp.y, lamp.x] == level.layers["glow"].cells.max()


def test_sight_takes_the_layer_that_is_named() -> None:
    text = """\
size: [10, 8]
layers:
  a: {generator: cellular_caves}
  b: {generator: drunkard}
visibility: {layer: b, radius: 3}
"""
    level = build(text)
    assert level.visibility_layer == "b"
    assert level.visibility is not None
    assert np.array_equal(level.visibility.opaque, level.layers["b"].opaque)


@pytest.mark.parametrize(
    ("layers", "visibility", "line", "message"),
    [
        ("{h: {generator: heightmap}}", "{radius: 3}", 3, "needs a tile layer"),
        ("{h: {generator: heightmap}}", "{layer: h}", 3, "is not a tile layer"),
    ],
)
def test_without_a_tile_layer_there_is_no_sight(
    layers: str, visibility: str, line: int, message: str
) -> None:
    found = refused(f"size: [9, 9]\nlayers: {layers}\nvisibility: {visibility}\n")
    assert found[0] == line
    assert message in found[2]


def test_a_limit_of_a_layer_is_told_at_its_line() -> None:
    text = """\
size: [12, 12]
layers:
  ground:
    generator: cellular_caves
    require:
      min_floor: 0.99
"""
    line, column, message = refused(text)
    assert (line, column) == (6, 18)
    assert message.startswith("layer 'ground': the share of walkable cells is ")


def test_a_limit_of_the_level_concerns_the_layer_that_blocks_sight() -> None:
    text = """\
size: [12, 12]
layers:
  hills: {generator: heightmap}
  first: {generator: drunkard}
  second: {generator: cellular_caves}
visibility: {layer: second}
require: {max_floor: 0.01}
"""
    with pytest.raises(SpecError) as caught:
        build(text)
    assert {problem.line for problem in caught.value.problems} == {7}
    assert all("'second'" in problem.message for problem in caught.value.problems)
    without = text.replace("visibility: {layer: second}\n", "")
    with pytest.raises(SpecError) as caught:
        build(without)
    assert all("'first'" in problem.message for problem in caught.value.problems)


def test_a_limit_of_a_level_without_walkable_cells_is_told() -> None:
    text = "size: [9, 9]\nlayers: {h: {generator: heightmap}}\nrequire: {connected: true}\n"
    assert refused(text) == (3, 10, "no layer has walkable cells to require this of")


def test_what_a_generator_cannot_do_is_told_at_its_parameter(tmp_path: Path) -> None:
    text = "size: [9, 9]\nlayers:\n  map: {generator: from_image, image: gone.png}\n"
    line, column, message = refused(text, tmp_path)
    assert (line, column) == (3, 39)
    assert "'gone.png' cannot be read" in message


def test_a_missing_image_of_a_tileset_is_told_before_anything_is_drawn(tmp_path: Path) -> None:
    text = """\
size: [9, 9]
layers: {ground: {generator: drunkard}}
tileset: {image: gone.png}
"""
    line, column, message = refused(text, tmp_path)
    assert (line, column) == (3, 18)
    assert "'gone.png' cannot be read" in message


def test_what_does_not_exist_has_a_key_of_its_own() -> None:
    spec = parse_level(b"size: [9, 9]\nlayers: {g: {generator: drunkard}}\n", "x.level.yaml")
    made = Build(spec)
    assert made.key(("layer", "g")) == ABSENT
    assert made.key(("spec", "no such key")) == ABSENT
    assert made.key(("spec", "size", 5)) == ABSENT
    assert made.key(("visibility",)) == UNREADABLE
    assert made.key(("sight layer",)) == UNREADABLE
    assert made.key(("file", "x.png")) == UNREADABLE
    assert made.key(("objects",)) == ABSENT
    made.prepare()
    # Without a memory no result has a key.
    assert made.key(("layer", "g")) is None
    assert made.key(("layers",)) is None


def test_a_level_is_assembled_once() -> None:
    spec = parse_level(b"size: [9, 9]\nlayers: {g: {generator: drunkard}}\n", "x.level.yaml")
    made = Build(spec)
    level, questions = made.level()
    assert made.level()[0] is level
    assert ("spec", "size") in questions
    assert ("layers",) in questions
    assert not level.layers["g"].cells.flags.writeable


def test_a_text_seed_typed_in_two_ways_gives_the_same_bytes() -> None:
    text = (
        "level: cave\nsize: [24, 16]\nseed: {}\nlayers: {{ground: {{generator: cellular_caves}}}}\n"
    )
    blobs = {write_blob(build(text.format(seed))) for seed in ("H\u00f6hle", "Ho\u0308hle")}
    assert len(blobs) == 1
    assert write_blob(build(text.format("Hohle"))) not in blobs
