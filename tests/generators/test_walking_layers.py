"""Layers that measure walks: their cells, and refusals with their position."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from cases import each_case
from exporter.blob import read_blob, write_blob
from exporter.build.build import Build, build_level
from exporter.grids.distances import distance_from
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from spec_problems import problems_in, problems_of

SPEC = """size: [12, 5]
seed: 3
layers:
  plan: {generator: blank}
  ground:
    generator: stamp
    of: plan
    art: |
      ............
      .#########..
      .#+.....~#..
      .#########..
      ............
LAYERS
objects:
  - {name: start, layer: ground, at: [0, 2]}
  - {name: exit, layer: ground, at: [10, 2]}
"""


def text(*layers: str, more: str = "") -> bytes:
    return (SPEC.replace("LAYERS", "\n".join(f"  {layer}" for layer in layers)) + more).encode()


def built(*layers: str, more: str = "") -> Level:
    return build_level(parse_level(text(*layers, more=more), "x.level.yaml"))


def test_steps_are_counted_over_the_ground_of_the_level() -> None:
    level = built("walk: {generator: steps_from, objects: [exit]}")
    layer = level.layers["walk"]
    goal = np.zeros((5, 12), bool)
    goal[2, 10] = True
    steps = distance_from(goal, level.walkable())
    assert layer.role == "data"
    assert layer.cells.dtype == np.uint16
    assert np.array_equal(layer.cells, np.where(steps < 0, 65535, steps))
    assert layer.heights is not None
    assert (layer.heights.minimum, layer.heights.maximum) == (0, 65535)
    assert layer.heights.units == "steps"
    assert layer.report == {"goals": 1, "reached": 33, "unreachable": 6, "farthest": 14}
    remaining = read_blob(write_blob(level)).layers["walk"]
    assert np.array_equal(remaining.cells, layer.cells)
    assert remaining.heights == layer.heights


def test_goals_can_be_tiles_that_cannot_be_walked_on() -> None:
    layer = built("walk: {generator: steps_from, of: ground, tile: [door, water]}").layers["walk"]
    assert layer.cells[2, 2:9].tolist() == [0, 1, 2, 3, 2, 1, 0]
    assert layer.cells[1, 2] == 65535
    flow = built("flow: {generator: goal_flow, of: ground, tile: water}").layers["flow"]
    assert [tile.name for tile in flow.tiles] == ["north", "east", "south", "west", "here", "none"]
    assert flow.cells[2].tolist() == [5, 5, 1, 1, 1, 1, 1, 1, 4, 5, 5, 5]


def test_ways_longer_than_the_samples_are_the_largest_of_them() -> None:
    spec = (
        "size: [900, 900]\nlayers:\n"
        "  ground: {generator: maze, braid_percent: 0}\n"
        "  walk: {generator: steps_from, objects: [exit]}\n"
        "objects: [{name: exit, at: [1, 1]}]\n"
    )
    level = build_level(parse_level(spec.encode(), "x.level.yaml"))
    goal = np.zeros((900, 900), bool)
    goal[level.objects[0].y, level.objects[0].x] = True
    steps = distance_from(goal, level.walkable())
    assert steps.max() > 65534
    expected = np.where(steps < 0, 65535, np.minimum(steps, 65534))
    assert np.array_equal(level.layers["walk"].cells, expected)


def test_a_flow_leads_from_every_cell_to_the_goal() -> None:
    level = built("flow: {generator: goal_flow, objects: [exit]}")
    flow = level.layers["flow"].cells
    moves = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    for y, x in np.argwhere(flow < 4):
        steps = 0
        while flow[y, x] != 4:
            dx, dy = moves[flow[y, x]]
            x, y, steps = x + dx, y + dy, steps + 1
            assert steps < 60
        assert (x, y) == (10, 2)


def test_a_share_is_the_part_of_the_path_walked() -> None:
    level = built("part: {generator: between, of: ground, start: [start], goal: [exit]}")
    layer = level.layers["part"]
    ends = np.zeros((2, 5, 12), bool)
    ends[0, 2, 0] = ends[1, 2, 10] = True
    ground = level.layers["ground"].walkable
    assert ground is not None
    first, last = (distance_from(end, ground) for end in ends)
    for y, x in np.ndindex(5, 12):
        a, b = int(first[y, x]), int(last[y, x])
        share = Fraction(a, a + b) if min(a, b) >= 0 else Fraction(0)
        assert layer.cells[y, x] == int(share * 65535 + Fraction(1, 2))
    assert layer.cells[2, 0] == 0
    assert layer.cells[2, 10] == 65535
    assert layer.walkable is not None
    assert np.array_equal(layer.walkable, (first >= 0) & (last >= 0))
    assert layer.report == {"shortest": 14, "reached": 33, "way": 28}


def test_the_way_is_where_no_step_is_lost() -> None:
    ways = "way: {generator: between, of: ground, start: [start], goal: [exit], show: way%s}"
    shortest = built(ways % "").layers["way"]
    assert [tile.name for tile in shortest.tiles] == ["empty", "way"]
    assert int(shortest.cells.sum()) == 28
    wide = built(ways % ", max_detour: 2").layers["way"]
    assert int(wide.cells.sum()) == 33
    assert problems_in(built, (ways % ", max_detour: 3").replace(", show: way", "")) == [
        "14:83: `max_detour` has no effect without `show: way` (add that, or remove `max_detour`)"
    ]


def test_ends_without_a_way_are_reported() -> None:
    inside = SPEC.replace("at: [10, 2]", "at: [4, 2]").replace(
        "LAYERS", "  part: {generator: between, of: ground, start: [start], goal: [exit]}"
    )
    (problem,) = problems_in(lambda: build_level(parse_level(inside.encode(), "x.level.yaml")))
    assert problem.startswith(
        "14:64: no path leads from 'start' to 'exit': 33 of 39 walkable cells can be reached from "
        "'start', "
        "6 from 'exit' (join the regions"
    )


@each_case(
    ("layer", "said"),
    [
        ("walk: {generator: steps_from, objects: [exti]}",
         "14:43: unknown object 'exti' (did you mean 'exit'?)"),
        ("walk: {generator: steps_from, of: ground}",
         "14:9: the walk has no goal (name `objects`, or kinds of tiles with `tile`)"),
        ("walk: {generator: steps_from, of: ground, tile: [door, dor]}",
         "14:58: unknown tile 'dor' (did you mean 'door'?)"),
        ("walk: {generator: steps_from, tile: dor}",
         "14:39: unknown tile 'dor' (did you mean 'door'?)"),
        ("walk: {generator: goal_flow, objects: [exit], size: [6, 5]}",
         "14:55: a layer that measures from objects and cells of the level has the level's size "
         "(remove `size`)"),
        ("flow: {generator: goal_flow, objects: [exit], role: play}",
         "14:21: cycle: flow -> flow (each is built after what it names: remove one of these "
         "references, or name the layer of 'flow' with `of`)"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_at_its_position(layer: str, said: str) -> None:
    (result,) = problems_in(built, layer)
    assert result == said


def test_a_level_without_ground_is_reported_to_name_a_layer() -> None:
    spec = (
        "size: [9, 9]\nlayers:\n  a: {generator: maze, role: data}\n"
        "  walk: {generator: steps_from, tile: wall}\n"
    )
    (problem,) = problems_of(spec)
    assert problem.startswith("4:21: ")
    assert "no `play` layer to walk on" in problem
    assert "name the layer to walk on with `of`" in problem


def test_goals_that_are_not_there_are_a_warning() -> None:
    build = Build(
        parse_level(
            text(
                "walk: {generator: steps_from, objects: [ghost]}",
                more="  - {name: ghost, room: crypt, layer: ground, required: false}\n",
            ),
            "x.level.yaml",
        )
    )
    build.prepare()
    assert (build.layers["walk"].cells == 65535).all()
    messages = [shortfall.message for shortfall in build.shortfalls()]
    assert "layer 'walk': no 'ghost' is on the map, so no cell has a way to one" in messages


def test_the_ground_is_what_all_play_layers_leave_open() -> None:
    level = built(
        "walk: {generator: steps_from, objects: [exit]}",
        "rocks: {generator: blank, tile: empty}",
        'cave: {generator: stamp, of: rocks, at: [[11, 0]], art: "#\\n#"}',
    )
    # `cave` comes below `walk` in the spec, and still belongs to the ground.
    assert level.layers["walk"].cells[:2, 11].tolist() == [65535, 65535]
