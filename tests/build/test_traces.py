"""The steps of a layer lead from its generator to the finished layer, whatever the spec says."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.build import results
from exporter.build.build import Build, build_level
from exporter.build.traces import FINISHED, Steps, trace_layer
from exporter.generators import GENERATORS
from exporter.model.errors import ParameterError, SpecError
from exporter.model.level import Layer, Tile
from exporter.project.project import Project
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import load_level, parse_level
from memory_cache import MemoryCache
from test_changed_fields import BASE, BEFORE, HEIGHTS, NEEDED, OF_HEIGHTS, PARAMETERS, own_fields
from test_changed_fields import project as project  # a fixture
from variations import variations

PRESETS = sorted(Path(__file__).parents[2].joinpath("templates", "levels").glob("*.level.yaml"))
# So many values of each field are tried.
ATTEMPTED = 1

# An island of given cells, regions to join, and edits.
SPEC = """\
size: [30, 20]
seed: 3
layers:
  nothing: {generator: blank, tile: empty, role: none}
  plan:
    generator: stamp
    of: nothing
    role: none
    at: [[12, 8]]
    glyphs: {"o": {name: lake, walkable: false, color: "#2060c0"}}
    art: |
      ooo
      o.o
      ooo
  ground: {generator: cellular_caves, wall_percent: 50, rounds: 3, fixed: plan, connect: guaranteed}
"""
EDITS = """\
layers:
  ground:
    - {at: [0, 0], was: wall, now: floor}
"""


def spec_of(text: str = SPEC) -> LevelSpec:
    return parse_level(text.encode(), "probe.level.yaml")


def labels(steps: Steps) -> list[str]:
    return [frame.label for frame in steps.frames]


def check(steps: Steps, layer: Layer) -> None:
    """Check that steps end with a layer, and that their legend begins with its own."""
    last = steps.frames[-1].cells
    assert np.array_equal(last, layer.cells)
    result = results.encode_layer(replace(steps.layer, role=layer.role))
    assert result == results.encode_layer(layer)
    assert steps.layer.cells.dtype == layer.cells.dtype
    assert (steps.kind, steps.heights) == (layer.kind, layer.heights)
    assert steps.tiles[: len(layer.tiles)] == layer.tiles
    assert len({tile.id for tile in steps.tiles}) == len(steps.tiles)
    for frame in steps.frames:
        assert frame.cells.shape == layer.cells.shape
        assert frame.cells.dtype in (np.uint8, np.uint16)
        assert not frame.cells.flags.writeable
        if steps.tiles:
            assert set(np.unique(frame.cells).tolist()) <= {tile.id for tile in steps.tiles}


@each_case("path", PRESETS)
@each_case("maximum", [1, 200])
def test_the_last_step_of_every_layer_of_a_preset_is_that_layer(path: Path, maximum: int) -> None:
    spec = load_level(path)
    level = build_level(spec)
    for name in spec.layers:
        steps = trace_layer(spec, name, maximum)
        check(steps, level.layers[name])
        assert len(steps.frames) <= maximum


@each_case("generator", sorted(GENERATORS.built_in()))
def test_the_last_step_is_the_layer_whatever_the_parameters(
    project: Project, generator: str
) -> None:
    layer: dict[str, Any] = {"generator": generator, **NEEDED.get(generator, {})}
    layers: list[dict[str, Any]] = [layer]
    for name, hint, value in own_fields(generator, PARAMETERS):
        given = layer.get(name, value)
        others = list(islice(variations(hint, given), 12))
        random.Random(name).shuffle(others)
        layers += [{**layer, name: other} for other in others[:ATTEMPTED]]
    compared = 0
    for number, item in enumerate(layers):
        document = copy.deepcopy(BASE)
        document["seed"] = number
        if generator in OF_HEIGHTS:
            document["layers"] |= copy.deepcopy(HEIGHTS)
        document["layers"] |= BEFORE.get(generator, {})
        document["layers"]["made"] = item
        path = project.root / "levels" / "probe.level.yaml"
        path.write_text(json.dumps(document))
        try:
            spec = load_level(path)
            level = build_level(spec, project.root)
        except SpecError:
            continue
        check(trace_layer(Build(spec, project.root), "made", 12), level.layers["made"])
        compared += 1
    assert compared


@each_case("rng", ["portable", "dotnet"])
@each_case(
    "layer",
    [
        "{generator: visited_caves, visits: 4000, upper_limit: 5000}",
        "{generator: rooms_and_corridors, start: connected_rooms}",
        "{generator: island_maze, visits: 4000}",
        "{generator: cellular_caves, update: in_place}",
        "{generator: irregular_rooms}",
    ],
)
def test_both_random_streams_draw_the_same_with_steps(rng: str, layer: str) -> None:
    for seed in range(5):
        spec = spec_of(f"size: [60, 50]\nseed: {seed}\nrng: {rng}\nlayers: {{ground: {layer}}}\n")
        layers = build_level(spec).layers
        check(trace_layer(spec, "ground"), layers["ground"])


def test_steps_go_from_the_generator_over_given_cells_and_joins_to_hand_edits(
    tmp_path: Path,
) -> None:
    path = tmp_path / "probe.level.yaml"
    path.write_text(SPEC)
    path.with_name("probe.edits.yaml").write_text(EDITS)
    spec = load_level(path)
    level = build_level(spec)
    steps = trace_layer(spec, "ground")
    check(steps, level.layers["ground"])
    result = labels(steps)
    assert result[:5] == ["start", *(f"round {number} of 3" for number in (1, 2, 3)), "given cells"]
    assert result[5] == "join 1"
    assert result[-1] == "hand edits"
    before = steps.frames[-2].cells
    assert (np.argwhere(before != steps.frames[-1].cells) == [0, 0]).all()
    lake = next(tile.id for tile in steps.tiles if tile.name == "lake")
    assert [(frame.cells == lake).sum() for frame in steps.frames][3:6] == [0, 8, 8]


def test_each_join_opens_cells_and_closes_none() -> None:
    text = SPEC.replace("fixed: plan, ", "")
    steps = trace_layer(spec_of(text), "ground")
    joins = [frame for frame in steps.frames if frame.label.startswith("join")]
    first = next(frame for frame in steps.frames if frame.label == "round 3 of 3")
    assert len(joins) == steps.layer.certificate.regions_before - 1  # type: ignore[union-attr]
    before = first.cells == 0
    for frame in joins:
        opened = frame.cells == 0
        assert (opened >= before).all()
        assert (opened != before).any()
        before = opened


def test_tiles_that_only_steps_have_never_stand_for_another_tile() -> None:
    """The given lake and undecided cells have the same number in the generator."""
    ground = """\
  ground:
    generator: wave_function_collapse
    pattern: 2
    fixed: plan
    sample: |
      ........
      ..####..
      ..#..#..
      ..####..
      ........
"""
    text = SPEC[: SPEC.index("  ground:")] + ground
    steps = trace_layer(spec_of(text), "ground")
    check(steps, build_level(spec_of(text)).layers["ground"])
    number = {tile.name: tile.id for tile in steps.tiles}
    assert len(number) == len(steps.tiles)
    choices = [frame for frame in steps.frames if frame.label.startswith("choice")]
    assert (choices[0].cells == number["undecided"]).any()
    assert not any((frame.cells == number["lake"]).any() for frame in choices)
    assert not (steps.frames[-1].cells == number["undecided"]).any()
    assert (steps.frames[-1].cells == number["lake"]).sum() == 8


def test_cuts_have_a_tile_that_the_layer_lacks() -> None:
    steps = trace_layer(spec_of("size: [40, 30]\nlayers: {a: {generator: bsp_rooms}}\n"), "a")
    assert [tile.name for tile in steps.tiles] == ["floor", "wall", "cut"]
    assert [tile.name for tile in steps.layer.tiles] == ["floor", "wall"]
    counts = [(frame.cells == steps.tiles[2].id).sum() for frame in steps.frames]
    assert counts[0] > 0
    assert counts[-1] == 0


SIGHT = """\
size: [30, 20]
layers:
  caves: {generator: cellular_caves, wall_percent: 30}
  posts: {generator: watch_posts}
  shine: {generator: light, objects: [lamp]}
visibility: {layer: caves, radius: 5}
objects: [{name: lamp, count: 3, layer: caves}]
"""


def test_posts_and_lights_are_reported_separately() -> None:
    spec = spec_of(SIGHT)
    layers = build_level(spec).layers
    posts = trace_layer(spec, "posts")
    check(posts, layers["posts"])
    count = layers["posts"].report["posts"]
    assert labels(posts) == [f"post {number}" for number in range(1, count + 1)]
    number = {tile.name: tile.id for tile in posts.tiles}
    for displayed, frame in enumerate(posts.frames, 1):
        assert (frame.cells == number["post"]).sum() == displayed
    lights = trace_layer(spec, "shine")
    check(lights, layers["shine"])
    assert labels(lights) == [f"light {number} of 3" for number in (1, 2, 3)]
    before = np.zeros((20, 30), np.uint16)
    for frame in lights.frames:
        assert (frame.cells >= before).all()
        before = frame.cells
    assert lights.heights == layers["shine"].heights is not None


def test_a_budget_of_bytes_leaves_fewer_steps() -> None:
    spec = spec_of(SIGHT)
    few = trace_layer(spec, "posts", maximum_bytes=4 * 30 * 20 * 2)
    assert labels(few) == labels(trace_layer(spec, "posts", 4))
    assert len(trace_layer(spec, "posts", maximum_bytes=0).frames) == 1


def test_a_generator_without_trace_has_one_step() -> None:
    spec = spec_of("size: [6, 4]\nlayers: {a: {generator: blank}}\n")
    assert labels(trace_layer(spec, "a")) == ["generated"]


def test_a_layer_that_no_preserved_step_shows_is_reported_in_the_end() -> None:
    text = (
        "size: [12, 8]\n"
        "layers:\n"
        "  a: {generator: blank}\n"
        "  b: {generator: stamp, of: a, art: '#', at: [[1, 1], [2, 1], [3, 1], [4, 1], [5, 1]]}\n"
    )
    # Of the five places every second one is kept.
    steps = trace_layer(spec_of(text), "b", 4)
    assert labels(steps) == ["start", "place 2 of 5", "place 4 of 5", FINISHED]
    assert np.array_equal(steps.frames[-1].cells, steps.layer.cells)


def test_an_unchanged_last_step_is_kept() -> None:
    spec = spec_of("size: [30, 20]\nlayers: {a: {generator: cellular_caves, rounds: 63}}\n")
    assert labels(trace_layer(spec, "a", 40))[-1] == "round 63 of 63"


def test_a_step_with_the_same_numbers_and_another_meaning_is_not_the_finished_layer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = GENERATORS.get("blank")
    snow = Tile(0, "snow", walkable=True, opaque=False, color="#ffffff")

    def generate(parameters: Any, request: Any) -> Any:
        result = entry.generate(parameters, request)
        if request.trace is not None:
            request.trace.frame("snow", result.cells, (snow,))
        return result

    added = GENERATORS._added["blank"]
    changed = replace(added, entry=replace(entry, generate=generate))
    monkeypatch.setitem(GENERATORS._added, "blank", changed)
    steps = trace_layer(spec_of("size: [6, 4]\nlayers: {a: {generator: blank}}\n"), "a")
    assert labels(steps) == ["snow", FINISHED]
    assert [tile.name for tile in steps.tiles if tile.name == "snow"] == ["snow"]
    assert not np.array_equal(steps.frames[0].cells, steps.frames[1].cells)


CHAIN = """\
size: [30, 20]
layers:
  caves: {generator: cellular_caves}
  edge: {generator: outline, of: caves}
"""


def test_steps_are_not_remembered_and_what_comes_before_is() -> None:
    memory, spec = MemoryCache(), spec_of(CHAIN)
    first = Build(spec, cache=memory)
    level, _ = first.level()
    memory.keep(first)
    before = dict(memory)
    for name in spec.layers:
        build = Build(spec, cache=memory)
        steps = trace_layer(build, name)
        check(steps, level.layers[name])
        assert steps.frames[0].label in ("start", "generated")
        memory.keep(build)
    assert memory == before


def test_a_layer_created_with_steps_is_not_remembered() -> None:
    memory, spec = MemoryCache(), spec_of(CHAIN)
    build = Build(spec, cache=memory)
    trace_layer(build, "caves")
    memory.keep(build)
    assert not memory
    build = Build(spec, cache=memory)
    trace_layer(build, "edge")
    memory.keep(build)
    # A record of the first layer's inputs, and the layer.
    assert len(memory) == 2


def test_only_what_comes_before_the_layer_is_created() -> None:
    result: list[str] = []
    build = Build(spec_of(CHAIN), before_step=lambda step, path: result.append(step))
    trace_layer(build, "caves")
    assert result == ["layer 'caves'"]


def test_what_is_required_of_the_layer_is_not_checked() -> None:
    text = "size: [30, 20]\nlayers: {a: {generator: cellular_caves, require: {min_floor: 0.99}}}\n"
    with pytest.raises(SpecError):
        build_level(spec_of(text))
    assert labels(trace_layer(spec_of(text), "a"))[-1] == "round 4 of 4"


def test_a_seed_that_is_searched_for_is_detected_first() -> None:
    text = (
        "size: [20, 14]\n"
        'seed: {search: 20, where: "floor >= 0.3"}\n'
        "layers: {a: {generator: cellular_caves}}\n"
    )
    check(trace_layer(spec_of(text), "a"), build_level(spec_of(text)).layers["a"])


def test_a_layer_that_is_not_there_is_named_with_a_suggestion() -> None:
    with pytest.raises(ParameterError, match=r"unknown layer 'cave' \(did you mean 'caves'\?\)"):
        trace_layer(spec_of(CHAIN), "cave")


def test_a_build_in_use_and_no_frames_are_refused() -> None:
    build = Build(spec_of(CHAIN))
    build.level()
    with pytest.raises(ValueError, match="only before the first build"):
        trace_layer(build, "caves")
    with pytest.raises(ValueError, match="a trace cannot have 0 frames"):
        trace_layer(spec_of(CHAIN), "caves", 0)
