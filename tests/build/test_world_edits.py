"""Hand edits of the cells of a world, applied in the parts in which they lie."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exporter.build.build import Build, build_level
from exporter.build.world import World
from exporter.model.errors import SpecError
from exporter.reading.edits import parse_edits
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level
from world_parts import differences

SPEC = """\
size: [70, 50]
chunk: 64
layers:
  caves: {generator: cellular_caves, connect: guaranteed}
  more: {generator: cellular_caves, from_layer: caves, rounds: 2}
  relief: {generator: heightmap, feature_size: 20, walkable_above: 0.4}
  seen: {generator: exposure, of: caves}
visibility: {layer: caves, radius: 4}
"""
EDITS = """\
layers:
  caves:
    - {at: [15, 15], was: wall, now: floor}
    - {at: [16, 16], was: floor, now: wall}
    - {at: [69, 49], was: wall, now: floor}
    - {at: [3, 40], was: lava, now: wall}
    - {at: [4, 40], was: floor, now: lava}
    - {at: [70, 3], was: floor, now: wall}
    - {at: [60000, 3], was: floor, now: wall}
  relief:
    - {at: [31, 31], was: 5, now: 60000}
    - {at: [32, 32], was: 5, now: 0}
  gone:
    - {at: [1, 1], was: floor, now: wall}
"""


def spec_of(edits: str = EDITS, chunk: int = 16) -> LevelSpec:
    spec = parse_level(SPEC.encode(), "w.level.yaml")
    return replace(spec, chunk=chunk, edits=parse_edits(edits.encode(), "w.edits.yaml"))


@pytest.mark.parametrize("chunk", [4, 16, 64])
def test_the_edited_parts_are_those_of_the_edited_whole(chunk: int) -> None:
    spec = spec_of(chunk=chunk)
    whole = build_level(spec)
    plain = build_level(replace(spec, edits=None))
    assert (whole.layers["caves"].cells != plain.layers["caves"].cells).any()
    assert differences(whole, World(spec)) == []


@pytest.mark.parametrize("cell", ["[1, 1]", "[90, 1]"])
def test_a_tile_for_emptied_cells_is_in_the_legends_of_all_parts(cell: str) -> None:
    spec = spec_of(f"layers:\n  caves:\n    - {{at: {cell}, was: wall, now: null}}\n")
    whole = build_level(spec)
    assert (len(whole.layers["caves"].tiles) == 3) == ("90" not in cell)
    assert differences(whole, World(spec)) == []


@pytest.mark.parametrize("chunk", [4, 64])
def test_edits_that_do_not_fit_are_reported_as_those_of_a_level(chunk: int) -> None:
    spec = spec_of(chunk=chunk)
    build = Build(spec)
    build.prepare()
    world = World(spec)
    reported = world.edit_warnings(world.surveyed())
    assert [str(item) for item in reported] == [
        str(shortfall) for shortfall in build.shortfalls() if "w.edits.yaml" in str(shortfall)
    ]
    assert len(reported) == 4


def test_a_world_without_edits_tells_nothing() -> None:
    world = World(replace(spec_of(), edits=None))
    assert world.edit_warnings(world.surveyed()) == []


def test_objects_of_a_world_are_not_moved_by_hand() -> None:
    edits = "objects:\n  - {name: chest, ordinal: 1, was: [1, 1], now: [2, 2]}\n"
    with pytest.raises(SpecError, match=r"w\.edits\.yaml:2.*objects of a world cannot be edited"):
        World(spec_of(edits))


def test_other_edits_are_another_world() -> None:
    plain = World(replace(spec_of(), edits=None)).key
    other = World(spec_of(EDITS.replace("lava", "wall"))).key
    assert len({plain, other, World(spec_of()).key}) == 3
