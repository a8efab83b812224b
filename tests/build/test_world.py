"""Worlds: every part has the cells that the level would have there if it were made at once."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from PIL import Image

import ldtk_projects
from cases import each_case
from exporter.build.build import build_level
from exporter.build.world import World
from exporter.generators import GENERATORS
from exporter.model.errors import SpecError
from exporter.model.windows import Window
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import load_level, parse_level
from exporter.reading.world_rules import makers_of_parts
from world_parts import differences

# One layer of each generator that makes parts, and its parameters worth varying.
LAYERS = {
    "caves": "{generator: cellular_caves, rounds: ROUNDS, blank_rows: 3, wall_percent: 44}",
    "more": "{generator: cellular_caves, rounds: 2, from_layer: caves}",
    "relief": "{generator: heightmap, feature_size: 20, terraces: 5, octaves: 3}",
    "warped": (
        "{generator: heightmap, feature_size: 30, warp: 20, warp_size: 16, basis: simplex, "
        "normalise: false, island_percent: 60}"
    ),
    "hills": "{generator: heightmap, feature_size: 15, maximum: 100}",
    "biomes": "{generator: bands, of: relief, steps: [{below: 0.3, tile: water}, {tile: grass}]}",
    "lakes": "{generator: bands, of: warped, steps: [{below: 0.4, tile: lava}, {tile: lake}]}",
    "fields": "{generator: voronoi, relax_rounds: 0, draw: walls, sites: 30}",
    "both": "{generator: union, layers: [caves, fields], role: play}",
    "around": "{generator: outline, of: both, thickness: 3}",
    "round": "{generator: outline, of: caves, thickness: 2, corners: false}",
    "classes": "{generator: autotile, of: both}",
    "steep": "{generator: slope, of: relief}",
    "shaded": "{generator: shade, of: warped}",
    "given": "{generator: cellular_caves, fixed: fields, never_in: around}",
    "kept": "{generator: mask, of: biomes, by: caves}",
    "framed": "{generator: blank, border: 5}",
    "less": "{generator: subtract, of: framed, minus: [fields]}",
    "seen": "{generator: exposure}",
    "seen_far": "{generator: exposure, full: circle, of: both, radius: 5}",
    "hidden": "{generator: cover, of: caves}",
    "lurking": "{generator: ambush}",
    "stamped": "{generator: stamp, of: both, art: '+#+##+++', at: [[-3, 2], [31, 30], [99, 9]]}",
    "lit": "{generator: light, objects: [lamp, tree], combine: sum, radius: 4}",
    "glow": "{generator: light, objects: [torch], of: both, walls: false}",
}
# The same for generators that read files.
FROM_FILES = {
    "pixels": "{generator: from_image, image: map.png}",
    "stretched": "{generator: from_image, image: small.png, fit: stretch, colors: COLORS}",
    "cropped": "{generator: from_image, image: small.png, fit: crop, colors: COLORS}",
    "tiled": "{generator: from_tiled, file: map.tmj, at: [30, -5], objects: false, legend: LEGEND}",
    "project": "{generator: from_ldtk, file: map.ldtk, at: [9, 40], objects: false}",
    "painted": "{generator: cellular_caves, fixed: {file: paint.png, legend: PAINTS}}",
    "walled": "{generator: cellular_caves, only_in: {file: map.png}}",
}
# Groups that are decided cell by cell, and the layers that they need.
OBJECTS = {
    "lamp": "{name: lamp, place: by_cell, percent: 2, layer: caves, clear_radius: 2}",
    "tree": "{name: tree, place: by_cell, percent: 20, layer: biomes, on_tile: grass}",
    "tree 2": "{name: tree, place: by_cell, percent: 30, layer: caves, after_others: true}",
    "torch": "{name: torch, place: by_cell, percent: 1.5, layer: caves, on_tile: wall}",
    "fern": "{name: fern, place: by_cell, percent: 40, layer: caves, only_in: fields}",
    "rock": "{name: rock, place: by_cell, percent: 33.3, layer: caves, never_in: fields}",
    "goat": "{name: goat, place: by_cell, percent: 9, layer: caves, steps: hills, min_steps: 40}",
}
SIGHT = "visibility: {radius: RADIUS}\n"


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z_0-9]+", text))


def spec_of(names: list[str], size: tuple[int, int], number: int = 0, chunk: int = 64) -> LevelSpec:
    """Return the spec of a world with some of the layers and objects, and their dependencies."""
    expected = {"caves", *names}  # sight needs a layer that blocks it
    for name, text in reversed([*OBJECTS.items(), *LAYERS.items()]):
        if name in expected:
            expected |= words_of(text)
    groups = [text for name, text in OBJECTS.items() if name.split()[0] in expected]
    for text in groups:
        expected |= words_of(text)
    for name, text in reversed(LAYERS.items()):
        if name in expected:
            expected |= words_of(text)
    random = Random(number)
    layers = "".join(f"  {name}: {text}\n" for name, text in LAYERS.items() if name in expected)
    text = f"size: [{size[0]}, {size[1]}]\nseed: {number}\nchunk: 64\n{SIGHT}layers:\n{layers}"
    if groups:
        text += "objects:\n" + "".join(f"  - {group}\n" for group in groups)
    text = text.replace("RADIUS", str(random.randint(1, 7)))
    text = text.replace("ROUNDS", str(random.randint(0, 6)))
    return replace(parse_level(text.encode(), "w.level.yaml"), chunk=chunk)


def test_every_generator_that_makes_parts_is_attempted() -> None:
    attempted = {text.split()[1].strip(",}") for text in [*LAYERS.values(), *FROM_FILES.values()]}
    assert attempted == set(makers_of_parts())


@each_case("name", OBJECTS)
def test_the_objects_of_parts_are_those_of_the_whole(name: str) -> None:
    spec = spec_of([name], (101, 83), 5, chunk=32)
    whole = build_level(spec)
    assert any(item.name == name.split()[0] for item in whole.objects)
    assert differences(whole, World(spec)) == []


def spec_with_files(folder: Path, *layers: str) -> LevelSpec:
    """Return the spec of a world with layers from files, which this writes, too."""
    noise = np.random.default_rng(3).integers(0, 3, (70, 90))
    paints = np.array([(0, 0, 0, 255), (255, 255, 255, 255), (0, 0, 255, 255)], np.uint8)
    Image.fromarray(paints[noise]).save(folder / "map.png")
    Image.fromarray(paints[noise[:17, :23]]).save(folder / "small.png")
    clear = paints[noise]
    clear[noise == 0] = 0
    clear[60:, 80:] = (9, 9, 9, 255)  # a tile of one corner alone
    Image.fromarray(clear).save(folder / "paint.png")
    tiles = {"name": "t", "firstgid": 1, "tilewidth": 8, "tileheight": 8, "tilecount": 4}
    tiles |= {"columns": 4, "image": "t.png", "imagewidth": 32, "imageheight": 8}
    data = (noise[:40, :50] + 1).ravel().tolist()
    layer = {"type": "tilelayer", "name": "a", "id": 1, "width": 50, "height": 40, "data": data}
    document = {"type": "map", "orientation": "orthogonal", "width": 50, "height": 40}
    document |= {"tilewidth": 8, "tileheight": 8, "tilesets": [tiles], "layers": [layer]}
    (folder / "map.tmj").write_text(json.dumps(document))
    walls = ldtk_projects.Layer("Walls", values={1: "wall", 2: "floor"})
    rows = (noise[:20, :30] // 2 + 1).tolist()
    level = ldtk_projects.Level("A", {"Walls": rows})
    project = ldtk_projects.Project([level], [walls], name="map")
    (folder / "map.ldtk").write_bytes(project.content())
    text = "size: [90, 70]\nseed: 4\nchunk: 64\nlayers:\n"
    text += "".join(f"  {name}: {FROM_FILES.get(name, LAYERS.get(name))}\n" for name in layers)
    text = text.replace(
        "COLORS", "{'#000000': {name: rock}, '#ffffff': {name: floor}, '#0000ff': {name: sea}}"
    )
    text = text.replace("PAINTS", "{'#ffffff': floor, '#0000ff': water, '#090909': lava}")
    text = text.replace("LEGEND", "{1: wall, 2: floor, 3: water}").replace("ROUNDS", "3")
    (folder / "w.level.yaml").write_text(text)
    return replace(load_level(folder / "w.level.yaml"), chunk=16)


@each_case("name", FROM_FILES)
def test_parts_of_what_was_drawn_are_those_of_the_whole(name: str, tmp_path: Path) -> None:
    spec = spec_with_files(tmp_path, name)
    assert differences(build_level(spec), World(spec)) == []


def test_another_file_is_another_world(tmp_path: Path) -> None:
    spec = spec_with_files(tmp_path, "pixels")
    before = World(spec).key
    assert World(spec).key == before
    Image.new("RGB", (90, 70)).save(tmp_path / "map.png")
    assert World(spec).key != before


def test_tiles_that_are_given_in_one_corner_are_in_the_legends_of_all_parts(tmp_path: Path) -> None:
    spec = parse_level(
        b"size: [90, 70]\nchunk: 64\nlayers:\n  base: {generator: blank}\n"
        b"  far: {generator: stamp, of: base, art: ' ~', at: [[80, 60]]}\n"
        b"  caves: {generator: cellular_caves, fixed: far}\n",
        "w.level.yaml",
    )
    whole = build_level(spec)
    assert "water" in [tile.name for tile in whole.layers["caves"].tiles]
    assert differences(whole, World(spec)) == []


def test_the_objects_of_a_part_are_numbered_as_those_of_a_level() -> None:
    spec = spec_of(["lamp", "tree"], (100, 90), 1)
    world = World(spec)
    part = world.part(1, 1, world.surveyed())
    assert [item.id for item in part.objects] == list(range(1, len(part.objects) + 1))
    assert all(0 <= item.x < part.width and 0 <= item.y < part.height for item in part.objects)
    entries = [item.entry for item in part.objects]
    assert entries == sorted(entries)


@each_case("name", LAYERS)
def test_the_parts_of_a_layer_are_those_of_the_whole(name: str) -> None:
    spec = spec_of([name], (70, 50), 5, chunk=32)
    assert differences(build_level(spec), World(spec)) == []


@each_case(("size", "chunk"), [((11, 8), 3), ((130, 7), 64), ((5, 140), 64), ((65, 63), 64)])
def test_parts_may_be_smaller_than_what_decides_their_cells(
    size: tuple[int, int], chunk: int
) -> None:
    spec = spec_of([*LAYERS, *OBJECTS], size, 2, chunk)
    assert differences(build_level(spec), World(spec)) == []


@each_case("number", range(12))
def test_any_window_of_any_world_is_that_of_the_whole(number: int) -> None:
    random = Random(number)
    names = random.sample([*LAYERS, *OBJECTS], random.randint(1, 6))
    size = random.randint(1, 90), random.randint(1, 90)
    spec = spec_of(names, size, number, random.choice([4, 16, 64]))
    windows = []
    for _ in range(8):
        x, y = random.randrange(size[0]), random.randrange(size[1])
        width, height = random.randint(1, size[0] - x), random.randint(1, size[1] - y)
        windows.append(Window(x, y, width, height, size))
    assert differences(build_level(spec), World(spec), windows) == []


def test_a_layer_without_walkable_tiles_has_no_walkable_cells() -> None:
    text = (
        "size: [70, 70]\nchunk: 64\nlayers:\n  relief: {generator: heightmap}\n"
        "  sea: {generator: bands, of: relief, steps: [{below: 0.5, tile: water}, {tile: lava}]}\n"
    )
    spec = parse_level(text.encode(), "w.level.yaml")
    assert build_level(spec).layers["sea"].walkable is None
    assert differences(build_level(spec), World(spec)) == []


def test_what_lies_around_a_part_is_that_of_the_whole() -> None:
    spec = spec_of(["caves", "seen"], (100, 90), 1, chunk=32)
    whole, world = build_level(spec), World(spec)
    known = world.surveyed()
    for x, y in ((0, 0), (1, 1), (3, 2)):
        for layer in world.part(x, y, known).layers.values():
            around = layer.around
            assert around is not None
            left, top = around.origin
            height, width = around.cells.shape
            cells = whole.layers[layer.name].cells[top : top + height, left : left + width]
            assert np.array_equal(around.cells, cells)
            assert np.array_equal(around.cells[around.inside], layer.cells)


def test_surveys_come_after_those_they_need() -> None:
    spec = parse_level(
        b"size: [70, 70]\nchunk: 64\nlayers:\n  a: {generator: heightmap, octaves: 1}\n"
        b"  b: {generator: bands, of: a, steps: [{below: 0.5, tile: water}, {tile: grass}]}\n"
        b"  c: {generator: autotile, of: b}\n  d: {generator: heightmap, octaves: 1}\n"
        b"  e: {generator: cellular_caves, fixed: b}\n",
        "w.level.yaml",
    )
    assert World(spec).surveys() == [("extremes a", "extremes d"), ("extremes c", "given e")]


def test_parts_are_where_the_chunk_says() -> None:
    world = World(spec_of(["framed"], (130, 70)))
    assert (world.columns, world.rows) == (3, 2)
    assert world.window(2, 1) == Window(128, 64, 2, 6, (130, 70))
    with pytest.raises(ValueError, match="there is no chunk"):
        world.window(3, 0)
    assert world.part(2, 1, {}).name == "w.2_1"


def test_a_level_without_chunk_is_no_world() -> None:
    spec = parse_level(b"size: [8, 8]\nlayers: {a: {generator: blank}}\n", "w.level.yaml")
    with pytest.raises(ValueError, match="no `chunk`"):
        World(spec)


def test_a_world_that_names_a_file_that_is_not_there_is_refused(tmp_path) -> None:
    text = (
        "size: [70, 70]\nchunk: 64\nlayers: {a: {generator: blank}}\n"
        "tileset: {image: missing.png, tile_size: 16, tiles: {floor: 0}}\n"
    )
    path = tmp_path / "w.level.yaml"
    path.write_text(text)
    with pytest.raises(SpecError, match=r"missing\.png"):
        World(load_level(path))


def test_the_key_of_a_world_is_another_for_other_cells() -> None:
    def key(text: str) -> str:
        head = "size: [70, 70]\nchunk: 64\n"
        return World(parse_level((head + text).encode(), "w.level.yaml")).key

    item = key("layers: {a: {generator: cellular_caves}}\n")
    assert item == key("layers: {a: {generator: cellular_caves, rounds: 4}}\n")
    others = {
        key("layers: {a: {generator: cellular_caves, rounds: 5}}\n"),
        key("seed: 1\nlayers: {a: {generator: cellular_caves}}\n"),
        key("layers: {b: {generator: cellular_caves}}\n"),
    }
    assert len({item, *others}) == 4


def test_generators_that_make_parts_have_a_halo_for_their_defaults() -> None:
    for name in makers_of_parts():
        assert GENERATORS.get(name).parts is not None
