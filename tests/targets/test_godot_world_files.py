"""Files of worlds for Godot: nothing that the editor would import, and one scene for all parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from exporter.build.world import World
from exporter.model.errors import ParameterError
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS, Exported

SPEC = b"""
size: [160, 150]
chunk: 64
seed: 3
layers:
  caves: {generator: cellular_caves}
  relief: {generator: heightmap}
"""
GODOT = TARGETS.get("godot")


@pytest.fixture(scope="module")
def world() -> World:
    return World(parse_level(SPEC, "wilds.level.yaml"))


@pytest.fixture(scope="module")
def middle(world: World) -> Level:
    known = world.surveyed()
    return world.part(1, 1, known, world.grounds(known))


def part_of(level: Level, **options: object) -> Exported:
    return GODOT.export_part(level, GODOT.options(path="levels", **options), "levels")


def world_of(level: Level, **options: object) -> Exported:
    return GODOT.export_world(level, GODOT.options(path="levels", **options), "levels")


def names(result: Exported) -> list[str]:
    return [file.name for file in result.artifacts]


def scene_of(result: Exported) -> str:
    return next(file.data.decode() for file in result.artifacts if file.kind == "scene")


def test_a_part_has_a_scene_heights_and_a_blob_that_the_editor_leaves_alone(middle: Level) -> None:
    result = part_of(middle)
    assert names(result) == [
        "wilds.world/wilds.1_1.relief.r16",
        "wilds.world/wilds.1_1.tscn",
        "wilds.world/wilds.1_1.lvb.import",
        "wilds.world/wilds.1_1.lvb",
    ]
    assert b'importer="keep"' in result.artifacts[2].data
    assert names(part_of(middle, blob=False, heightmaps=False)) == ["wilds.world/wilds.1_1.tscn"]
    assert names(part_of(middle, scene=False, heightmaps=False)) == names(result)[2:]
    assert part_of(middle) == result


def test_a_part_refers_to_no_other_file(middle: Level) -> None:
    # The engine would load it with every part.
    assert "ext_resource" not in scene_of(part_of(middle))


def test_the_scene_of_the_world_has_the_tiles_and_knows_its_parts(middle: Level) -> None:
    result = world_of(middle)
    tiles = [name for name in names(result) if name.endswith(".tres")]
    assert len(tiles) == 1
    assert names(result)[-1] == "wilds.tscn"
    scene = scene_of(result)
    assert f'path="{tiles[0]}"' in scene
    assert 'parts = "wilds.world/wilds"' in scene
    assert "size = Vector2i(160, 150)" in scene
    assert "part_side = 64" in scene
    assert world_of(middle, scene=False).artifacts[0].name == "wilds.world.json"
    assert len(world_of(middle, scene=False).artifacts) == 1


def test_the_scene_is_the_same_whatever_part_it_is_created_from(
    world: World, middle: Level
) -> None:
    known = world.surveyed()
    other = world.part(0, 2, known, world.grounds(known))
    assert scene_of(world_of(other)) == scene_of(world_of(middle))


def test_layers_of_bodies_regions_and_lights_are_those_of_the_options(middle: Level) -> None:
    assert "\ncollision_layer = 4\n" in scene_of(world_of(middle, collision_layer=4))


def test_without_shapes_a_part_is_smaller(middle: Level) -> None:
    none = {"collision": "none", "occlusion": "none", "navigation": "none"}
    assert len(scene_of(part_of(middle, **none))) < len(scene_of(part_of(middle))) * 0.8


def test_a_radius_that_reaches_beyond_what_a_part_knows_is_an_error(middle: Level) -> None:
    assert part_of(middle, agent_radius=16).warnings == ()
    for make in (part_of, world_of):
        with pytest.raises(ParameterError, match="write at most 16") as caught:
            make(middle, agent_radius=17)
        assert caught.value.path == ("agent_radius",)


def test_a_world_of_one_part_has_any_radius() -> None:
    text = SPEC.replace(b"[160, 150]", b"[64, 64]")
    world = World(parse_level(text, "wilds.level.yaml"))
    known = world.surveyed()
    assert part_of(world.part(0, 0, known), agent_radius=17).artifacts


def test_warnings_are_reported_once_and_not_by_every_part(middle: Level) -> None:
    options = {"collision": "tiles", "navigation": "tiles"}
    assert part_of(middle, **options).warnings == ()
    reported = " ".join(map(str, world_of(middle, **options).warnings))
    assert "walls only near the view, as the tiles of a world are" in reported
    assert "paths only near the view, as the tiles of a world are" in reported
    assert "chunks: never" not in reported


def test_it_is_reported_where_no_way_is_wide_enough(middle: Level) -> None:
    layer = middle.layers["caves"]
    assert layer.around is not None
    ids = {tile.walkable: tile.id for tile in layer.tiles}
    # Corridors of a cell, which an agent of 8 pixels has no room in.
    open_ = np.indices(layer.around.cells.shape)[1] % 4 == 0
    wide = np.where(open_, ids[True], ids[False]).astype(np.uint8)
    cells = np.ascontiguousarray(wide[layer.around.inside])
    striped = replace(layer, cells=cells, around=replace(layer.around, cells=wide))
    level = replace(middle, layers={"caves": striped})
    for radius, reported in ((7, False), (8, True)):
        warnings = " ".join(map(str, world_of(level, agent_radius=radius).warnings))
        assert ("no way is wide enough" in warnings) == reported
