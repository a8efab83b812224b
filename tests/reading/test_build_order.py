"""The build order: dependencies are built first, and a cycle is reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.build.build import Build, build_level
from exporter.generators import GENERATORS, Generated, Generator, Request, Stage
from exporter.model.errors import SpecError
from exporter.model.level import Tile
from exporter.model.parameters import LayerName, ObjectName, Parameters
from exporter.reading.build_order import spec_graph
from exporter.reading.reader import parse_level
from spec_problems import problems_of

FLOOR = Tile(1, "marked", walkable=True, opaque=False, color="#ffffff")
NONE = Tile(0, "nothing", walkable=False, opaque=False, color="#000000")


@dataclass(frozen=True, kw_only=True)
class Marks(Parameters):
    """The cells of objects and the cells below them."""

    of: LayerName | None = None
    objects: tuple[ObjectName, ...] = ()


def mark(parameters: Marks, request: Request) -> Generated:
    """Mark the cells of the objects that are given, and the cells below them."""
    cells = np.zeros((request.height, request.width), np.uint8)
    for item in request.objects:
        cells[item.y : item.y + 2, item.x] = FLOOR.id
    result = [[item.name, item.id] for item in request.objects]
    return Generated(cells, (NONE, FLOOR), report={"objects": result})


@pytest.fixture(autouse=True)
def marks() -> Iterator[None]:
    """Register `marks`, which reads the objects it names, and `all_marks`, which reads all."""
    stages: dict[str, Stage] = {"marks": "map", "all_marks": "derived"}
    for name, stage in stages.items():
        entry = Generator(name, 1, Marks, mark, stage, role="data")
        GENERATORS.add(name, entry, __name__)
    yield
    for name in stages:
        GENERATORS._added.pop(name)
        GENERATORS._findings.pop(name, None)


def spec_text(layers: str, objects: str, more: str = "") -> str:
    return f"size: [24, 20]\nseed: 5\nlayers:\n{layers}\nobjects:\n{objects}\n{more}"


def order(text: str) -> list[str]:
    """Return the parts in the order in which a build makes them."""
    steps: list[str] = []
    spec = parse_level(text.encode(), "x.level.yaml")
    Build(spec, before_step=lambda what, _: steps.append(what)).prepare()
    return [step.split()[1].strip("'") for step in steps if step.startswith(("layer ", "objects "))]


CAVES = "  caves: {generator: cellular_caves, wall_percent: 30}"


def test_without_names_the_order_is_maps_then_objects_then_what_is_derived() -> None:
    text = spec_text(
        "  seen: {generator: exposure}\n  marked: {generator: all_marks}\n" + CAVES,
        "  - {name: b, near: a}\n  - {name: c, near: b}\n  - {name: d}\n  - {name: a}",
        "visibility: {radius: 3}",
    )
    assert order(text) == ["caves", "d", "a", "b", "c", "seen", "marked"]


def test_a_layer_is_created_once_the_objects_stand_that_it_names() -> None:
    text = spec_text(
        f"{CAVES}\n  way: {{generator: marks, objects: [exit]}}",
        "  - {name: guard, layer: way, count: 1}\n  - {name: exit}\n  - {name: chest, near: exit}",
    )
    assert order(text) == ["caves", "exit", "way", "guard", "chest"]
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    at = {item.name: (item.x, item.y) for item in level.objects}
    assert at["guard"] == (at["exit"][0], at["exit"][1] + 1)
    # Ids are numbered in the order of the spec, whatever was built first.
    assert [(item.id, item.name) for item in level.objects] == [
        (1, "guard"),
        (2, "exit"),
        (3, "chest"),
    ]


def test_objects_that_a_layer_names_are_all_groups_of_that_name_and_no_others() -> None:
    text = spec_text(
        f"{CAVES}\n  way: {{generator: marks, objects: [exit]}}\n  all: {{generator: all_marks}}",
        "  - {name: exit, count: 2}\n  - {name: chest}\n  - {name: exit, near: chest}",
    )
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    named = [["exit", 1], ["exit", 2], ["exit", 3]]
    every = [["exit", 1], ["exit", 2], ["chest", 3], ["exit", 4]]
    assert level.layers["way"].report == {"objects": named}
    assert level.layers["all"].report == {"objects": every}


def test_objects_can_stand_on_a_layer_that_is_derived_from_sight() -> None:
    text = spec_text(
        f"{CAVES}\n  open: {{generator: exposure, levels: 4}}",
        "  - {name: goblin, layer: open, on_tile: exposure_3, count: 2}\n  - {name: exit}",
        "visibility: {radius: 6}",
    )
    assert order(text) == ["caves", "exit", "open", "goblin"]
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    seen = level.layers["open"]
    (number,) = [tile.id for tile in seen.tiles if tile.name == "exposure_3"]
    goblins = [item for item in level.objects if item.name == "goblin"]
    assert [seen.cells[goblin.y, goblin.x] for goblin in goblins] == [number, number]


def test_ground_that_depends_on_objects_is_ground_of_the_others() -> None:
    text = spec_text(
        f"{CAVES}\n  way: {{generator: marks, objects: [exit], role: play}}",
        "  - {name: chest}\n  - {name: exit, layer: caves}",
        "visibility: {radius: 3}",
    )
    assert order(text) == ["caves", "exit", "way", "chest"]
    assert build_level(parse_level(text.encode(), "x.level.yaml")).visibility_layer == "way"


@each_case(
    ("layers", "objects", "more", "said"),
    [
        ("  walk: {generator: marks, objects: [exit]}\n" + CAVES, "  - {name: exit, layer: walk}",
         "",
         "4:38: cycle: walk -> exit -> walk (each is built after what it names: remove one of "
         "these references)"),
        (CAVES,
         "  - {name: a, near: b}\n  - {name: b, reachable_from: c}\n  - {name: c, far_from: a}", "",
         "6:21: cycle: a -> b -> c -> a (each is built after what it names: remove one of these "
         "references)"),
        (CAVES + "\n  way: {generator: marks, objects: [exit], role: play}", "  - {name: exit}", "",
         "5:37: cycle: way -> exit -> way (each is built after what it names: remove one of "
         "these references, or name the layer of 'exit' with `layer`)"),
        (CAVES
         + "\n  way: {generator: marks, objects: [goblin], role: play}"
         + "\n  hidden: {generator: ambush}", "  - {name: goblin, layer: hidden}",
         "visibility: {radius: 3}",
         "5:37: cycle: way -> goblin -> hidden -> visibility -> way (each is built after what "
         "it names: remove one of these references, or name another layer in `visibility`)"),
        (CAVES + "\n  lamp: {generator: all_marks}", "  - {name: lamp, layer: lamp}", "",
         "5:21: cycle: layer lamp -> objects lamp -> layer lamp (each is built after what it "
         "names: remove one of these references)"),
    ],
)  # fmt: skip
def test_a_cycle_is_reported_with_the_way_it_goes(
    layers: str, objects: str, more: str, said: str
) -> None:
    assert problems_of(spec_text(layers, objects, more)) == [said]


def test_each_of_two_cycles_is_reported_and_nothing_of_what_depends_on_them() -> None:
    objects = [
        "{name: a, near: b}",
        "{name: b, near: a}",
        "{name: c, near: d}",
        "{name: d, near: c}",
        "{name: e, near: a, far_from: [c, d]}",
    ]
    text = spec_text(CAVES, "\n".join(f"  - {item}" for item in objects))
    assert [item.split(" (")[0] for item in problems_of(text)] == [
        "6:21: cycle: a -> b -> a",
        "8:21: cycle: c -> d -> c",
    ]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_the_order_is_that_of_a_plain_search(data: st.DataObject) -> None:
    """Against a slow reference: again and again the first that could be built."""
    count = data.draw(st.integers(1, 9))
    names = [data.draw(st.sampled_from("abcdefg")) for _ in range(count)]
    objects = []
    named: list[set[str]] = []
    for index in range(count):
        others = sorted(set(names) - {names[index]})
        far: set[str] = set()
        if others:
            far = data.draw(st.sets(st.sampled_from(others), max_size=2))
        named.append(far)
        requested = f", far_from: [{', '.join(sorted(far))}]" if far else ""
        objects.append(f"  - {{name: {names[index]}{requested}}}")
    text = spec_text(CAVES, "\n".join(objects))
    expected = reference_order(names, named)
    if expected is None:
        assert all("cycle: " in item for item in problems_of(text))
        return
    graph = spec_graph(parse_level(text.encode(), "x.level.yaml"))
    assert [part.key for part in graph.ordered() if part.kind == "objects"] == expected


def reference_order(names: list[str], named: list[set[str]]) -> list[int] | None:
    """Return round after round all groups that wait for no other; None for a cycle."""
    done: list[int] = []
    waiting = list(range(len(names)))
    while waiting:
        unplaced = {names[index] for index in waiting}
        ready = [index for index in waiting if named[index].isdisjoint(unplaced)]
        if not ready:
            return None
        done += ready
        waiting = [index for index in waiting if index not in ready]
    return done


LATER = "after_others: true"


def test_what_comes_after_others_cannot_be_named_by_them() -> None:
    objects = f"  - {{name: guard, near: gold}}\n  - {{name: gold, {LATER}}}"
    assert problems_of(spec_text(CAVES, objects)) == [
        "6:25: cycle: guard -> gold -> guard (each is built after what it names: remove one of "
        "these references, or write `after_others: true` for 'guard', too)"
    ]
    objects = objects.replace("near: gold", f"near: gold, {LATER}")
    assert order(spec_text(CAVES, objects)) == ["caves", "gold", "guard"]


def test_what_comes_after_others_is_placed_in_the_order_of_the_spec_with_the_last_ids() -> None:
    objects = [f"{{name: d, near: c, {LATER}}}", "{name: a, near: b}", f"{{name: e, {LATER}}}"]
    objects += ["{name: b}", "{name: c}"]
    text = spec_text(CAVES, "\n".join(f"  - {item}" for item in objects))
    assert order(text) == ["caves", "b", "c", "a", "d", "e"]
    level = build_level(parse_level(text.encode(), "x.level.yaml"))
    assert [item.name for item in level.objects] == ["a", "b", "c", "d", "e"]
    assert [item.id for item in level.objects] == [1, 2, 3, 4, 5]
    assert [item.entry for item in level.objects] == [1, 3, 4, 0, 2]


def test_a_fixed_position_that_comes_after_others_takes_no_cell_from_them() -> None:
    plain = spec_text(CAVES, "  - {name: a}")
    (a,) = build_level(parse_level(plain.encode(), "x.level.yaml")).objects
    text = spec_text(CAVES, f"  - {{name: b, at: [{a.x}, {a.y}], {LATER}}}\n  - {{name: a}}")
    with pytest.raises(SpecError, match=rf"b: \[{a.x}, {a.y}\] is not free"):
        build_level(parse_level(text.encode(), "x.level.yaml"))


def test_a_fixed_position_takes_no_cell_from_those_that_came_after_others_before_it() -> None:
    plain = spec_text(CAVES, f"  - {{name: a, {LATER}}}")
    (a,) = build_level(parse_level(plain.encode(), "x.level.yaml")).objects
    added = f"  - {{name: b, at: [{a.x}, {a.y}], required: false, {LATER}}}"
    text = f"{plain}\n{added}\n"
    (still,) = build_level(parse_level(text.encode(), "x.level.yaml")).objects
    assert still == a


GROUPS = (
    "{name: start, clear_radius: 1",
    "{name: exit, far_from: start",
    "{name: chest, count: 6, spacing: 5, reachable_from: start",
    "{name: rat, count: 12",
    "{name: boss, near: exit, max_distance: 8",
    "{name: torch, on_tile: wall, count: 9, spacing: 4",
    "{name: sign, at: [9, 9]",
)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_objects_that_come_after_others_move_none_wherever_they_are_added(
    data: st.DataObject,
) -> None:
    objects = [f"  - {item}, required: false}}" for item in data.draw(st.permutations(GROUPS))]
    for number in range(data.draw(st.integers(0, 2))):
        objects.append(f"  - {{name: gold{number}, count: 5, required: false, {LATER}}}")
    added = data.draw(
        st.sampled_from(
            ["new, count: 40", "new, near: exit, count: 3", "rat, count: 5", "new, at: [3, 4]"]
        )
    )
    # Among objects that come after others it is the last.
    later = sum(LATER in item for item in objects)
    position = data.draw(st.integers(0, len(objects))) if not later else len(objects)
    with_it = [*objects]
    with_it.insert(position, f"  - {{name: {added}, required: false, {LATER}}}")
    seed = f"seed: {data.draw(st.integers(0, 999))}"

    def stand(groups: list[str]) -> list[tuple[int, str, int, int]]:
        text = spec_text(CAVES, "\n".join(groups)).replace("seed: 5", seed)
        level = build_level(parse_level(text.encode(), "x.level.yaml"))
        return [(item.id, item.name, item.x, item.y) for item in level.objects]

    before, after = stand(objects), stand(with_it)
    assert after[: len(before)] == before
    assert len(after) > len(before) or "at:" in added
