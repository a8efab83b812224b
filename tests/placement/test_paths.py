"""Objects by steps and by paths: allowed cells, cell by cell, and refusals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import slow_overlays as slow
from cases import each_case
from exporter.build.build import Build
from exporter.build.observed import observed_group
from exporter.model.level import HeightRange, Layer
from exporter.placement.measured import limited
from exporter.reading.reader import parse_level
from spec_problems import problems_in

SPEC = """size: [30, 20]
seed: 5
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
  walk: {generator: steps_from, of: ground, objects: [start]}
objects:
  - {name: start}
  - {name: exit, far_from: start}
"""


def built(objects: str, spec: str = SPEC) -> Build:
    build = Build(parse_level((spec + objects).encode(), "x.level.yaml"))
    build.prepare()
    return build


def places(build: Build, name: str) -> list[tuple[int, int]]:
    return [(item.x, item.y) for item in build.level()[0].objects if item.name == name]


@each_case("seed", range(4))
@each_case("detour", [0, 3, 10])
def test_objects_stand_on_a_way_or_off_it(seed: int, detour: int) -> None:
    spec = SPEC.replace("seed: 5", f"seed: {seed}")
    build = built(
        f"  - {{name: orc, count: 500, on_path: [start, exit], max_detour: {detour}, "
        "required: false}\n"
        f"  - {{name: bat, count: 500, off_path: [start, exit], max_detour: {detour}, "
        "required: false}\n",
        spec,
    )
    (start,), (exit_,) = places(build, "start"), places(build, "exit")
    walkable = build.level()[0].walkable()
    there, back = (slow.steps(walkable, [cell]) for cell in (start, exit_))
    on = {cell for cell in there if there[cell] + back[cell] <= there[exit_] + detour}
    assert set(places(build, "orc")) == on - {start, exit_}
    assert set(places(build, "bat")) == there.keys() - on
    assert len(on) >= there[exit_] + 1


def test_objects_stand_at_some_steps() -> None:
    build = built(
        "  - {name: orc, count: 500, steps: walk, min_steps: 4, max_steps: 9, required: false}\n"
    )
    (start,) = places(build, "start")
    there = slow.steps(build.level()[0].walkable(), [start])
    expected = {cell for cell, count in there.items() if 4 <= count <= 9}
    assert set(places(build, "orc")) == expected - set(places(build, "exit"))


def test_what_hangs_on_a_wall_counts_from_the_floor_beside_it() -> None:
    spec = SPEC.replace("seed: 5", "seed: 2")
    build = built(
        "  - {name: lamp, count: 900, on_tile: wall, steps: walk, max_steps: 6, required: false}\n"
        "  - {name: sign, count: 900, on_tile: wall, on_path: [start, exit], max_detour: 2,"
        " required: false}\n",
        spec,
    )
    (start,), (exit_,) = places(build, "start"), places(build, "exit")
    walkable = build.level()[0].walkable()
    there, back = (slow.steps(walkable, [cell]) for cell in (start, exit_))
    walls = np.argwhere(~walkable).tolist()
    lamps, signs = set(), set()
    for y, x in walls:
        beside = [(x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)]
        beside = [cell for cell in beside if cell in there]
        if min((there[cell] for cell in beside), default=99) + 1 <= 6:
            lamps.add((x, y))
        elif min((there[c] + back[c] for c in beside), default=999) + 2 <= there[exit_] + 2:
            signs.add((x, y))
    assert set(places(build, "lamp")) == lamps
    assert set(places(build, "sign")) == signs
    assert signs


@settings(max_examples=100, deadline=None)
@given(
    minimum=st.sampled_from([0.0, -3.5, 0.1, 100.25]),
    span=st.sampled_from([65535.0, 1.0, -20.0, 0.3, 0.0]),
    least=st.none() | st.integers(-30, 130),
    most=st.none() | st.integers(-30, 130),
    seed=st.integers(0, 2**32),
)
def test_heights_are_compared_exactly(
    minimum: float, span: float, least: int | None, most: int | None, seed: int
) -> None:
    cells = np.random.default_rng(seed).integers(0, 65536, (3, 4)).astype(np.uint16)
    cells[0, :2] = 0, 65535
    heights = HeightRange(minimum, minimum + span, "metres")
    layer = Layer("relief", "heights", cells, "test", heights=heights)
    within, _ = limited(layer, least, most, False)
    for y, x in np.ndindex(cells.shape):
        low, high = Fraction(heights.minimum), Fraction(heights.maximum)
        value = low + int(cells[y, x]) * (high - low) / 65535
        expected = (least is None or value >= least) and (most is None or value <= most)
        assert within[y, x] == expected


@each_case(
    ("demand", "reported"),
    [
        ("steps: walk, min_steps: 900", "0 with walk at least 900"),
        ("steps: walk, max_steps: 0", "1 with walk at most 0, 0 free"),
        ("steps: walk, min_steps: 1, max_steps: 1", "4 with walk 1 to 1"),
        ("on_path: [start, exit]", "on the way from start to exit"),
        (
            "off_path: [start, exit], max_detour: 99999",
            "0 off the way from start to exit with detours up to 99999",
        ),
    ],
)
def test_what_is_left_is_reported_with_figures(demand: str, reported: str) -> None:
    (message,) = problems_in(built, f"  - {{name: orc, count: 600, {demand}}}\n")
    assert message.startswith("9:")
    assert " of 600 could be placed: " in message
    assert reported in message


@each_case(
    ("demand", "said"),
    [
        ("min_steps: 3", "9:28: `min_steps` has no effect without `steps` (add `steps`, the "
                         "name of a layer of `steps_from`)"),
        ("max_steps: 3", "9:28: `max_steps` has no effect without `steps` (add `steps`, the "
                         "name of a layer of `steps_from`)"),
        ("steps: walk, min_steps: 5, max_steps: 4",
         "9:55: 4 is less than `min_steps`, which is 5 (exchange the two numbers)"),
        ("max_detour: 4",
         "9:29: 'max_detour' needs 'on_path' or 'off_path' (such as `on_path: [start, exit]`)"),
        ("on_path: [start, start]",
         "9:34: no way leads from 'start' to itself (name two different objects)"),
        ("on_path: [start, exti]", "9:34: unknown object 'exti' (did you mean 'exit'?)"),
        ("off_path: [orc, exit]", "9:28: 'orc' cannot refer to itself (use `spacing` to keep "
                                  "them apart)"),
        ("steps: wlak", "9:24: unknown layer 'wlak' (did you mean 'walk'?)"),
        ("steps: ground",
         "9:24: the layer 'ground' holds tiles, not heights (name one of `steps_from` or other "
         "heights, or use `only_in`)"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_at_its_position(demand: str, said: str) -> None:
    assert problems_in(built, f"  - {{name: orc, {demand}}}\n") == [said]


def test_heights_of_another_size_are_refused() -> None:
    spec = SPEC.replace("\nobjects:", "\n  high: {generator: heightmap, size: [9, 9]}\nobjects:")
    assert problems_in(built, "  - {name: orc, steps: high, min_steps: 0}\n", spec) == [
        "10:24: the layer 'high' has a size of its own, so its heights are not those of cells "
        "(remove its `size`)"
    ]


APART = """size: [7, 3]
seed: 1
layers:
  plan: {generator: blank}
  ground: {generator: stamp, of: plan, at: [[3, 0]], art: "#\\n#\\n#"}
objects:
  - {name: start, at: [0, 1]}
  - {name: exit, at: [6, 1]}
"""


def test_a_way_that_does_not_exist_is_reported_with_what_is_reached() -> None:
    (message,) = problems_in(built, "  - {name: orc, on_path: [start, exit]}\n", APART)
    assert message.startswith(
        "9:26: orc: no path leads from 'start' to 'exit': 9 of 18 walkable cells can be "
        "reached from "
        "'start', 9 from 'exit' ("
    )
    for path in ("on_path", "off_path"):
        build = built(f"  - {{name: orc, {path}: [start, exit], required: false}}\n", APART)
        assert places(build, "orc") == []
        assert observed_group(build, 2).refusals[-1].parameter == path


def test_a_layer_that_needs_the_objects_it_places_is_a_cycle() -> None:
    spec = SPEC.replace("{name: exit, far_from: start}", "{name: exit, steps: back}").replace(
        "objects:\n", "  back: {generator: steps_from, of: ground, objects: [exit]}\nobjects:\n"
    )
    (message,) = problems_in(built, "", spec)
    assert message.split(" (")[0] == "6:55: cycle: back -> exit -> back"


def test_other_heights_count_in_their_own_units() -> None:
    spec = SPEC.replace("\nobjects:", "\n  high: {generator: heightmap, maximum: 50}\nobjects:")
    build = built("  - {name: orc, count: 5, steps: high, min_steps: 20, max_steps: 45}\n", spec)
    cells: Any = build.layers["high"].cells
    for x, y in places(build, "orc"):
        assert 20 * 65535 <= int(cells[y, x]) * 50 <= 45 * 65535
