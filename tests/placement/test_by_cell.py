"""Objects that are decided cell by cell."""

from __future__ import annotations

import numpy as np
import pytest

from cases import each_case
from exporter.build.build import Build, build_level
from exporter.model.errors import SpecError
from exporter.model.level import Level
from exporter.placement.by_cell import MOST_OBJECTS
from exporter.placement.chances import chosen_cells
from exporter.reading.reader import parse_level
from exporter.streams import PortableStream
from spec_problems import problems_of

SPEC = "size: [60, 50]\nseed: 2\nlayers:\n  ground: {generator: cellular_caves}\nobjects:\n"


def built(*groups: str, head: str = SPEC) -> Level:
    text = head + "".join(f"  - {{{group}}}\n" for group in groups)
    return build_level(parse_level(text.encode(), "x.level.yaml"))


def cells(level: Level, name: str) -> list[tuple[int, int]]:
    return [(item.y, item.x) for item in level.objects if item.name == name]


def test_ids_count_the_cells_row_by_row() -> None:
    level = built("name: tree, place: by_cell, percent: 10")
    assert cells(level, "tree") == sorted(cells(level, "tree"))
    assert [item.id for item in level.objects] == list(range(1, len(level.objects) + 1))


@each_case("percent", [0, 0.5, 7, 50, 99.5, 100])
def test_the_share_of_cells_is_about_the_percentage(percent: float) -> None:
    level = built(f"name: tree, place: by_cell, percent: {percent}")
    floor = int(np.count_nonzero(level.walkable()))
    spread = 4 * (floor * percent * (100 - percent)) ** 0.5 / 100
    assert abs(len(level.objects) - floor * percent / 100) <= spread
    assert all(level.walkable()[item.y, item.x] for item in level.objects)


def test_a_cell_is_decided_whatever_the_size_of_the_map() -> None:
    stream = PortableStream((1, "objects", "tree", 1))
    large = chosen_cells(np.ones((40, 50), bool), 20, stream)
    small = chosen_cells(np.ones((10, 20), bool), 20, stream)
    inside = [(cell % 50, cell // 50) for cell in large.tolist()]
    assert [(x, y) for x, y in inside if x < 20 and y < 10] == [
        (cell % 20, cell // 20) for cell in small.tolist()
    ]


def test_a_greater_chance_adds_objects_and_moves_none() -> None:
    few = cells(built("name: tree, place: by_cell, percent: 5"), "tree")
    many = cells(built("name: tree, place: by_cell, percent: 9"), "tree")
    assert set(few) < set(many)


def test_rows_are_decided_alike_however_many_are_decided_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mask = np.ones((30, 40), bool)
    stream = PortableStream((3, "tree"), (5, 7))
    whole = chosen_cells(mask, 30, stream).tolist()
    monkeypatch.setattr("exporter.placement.chances._CELLS_AT_ONCE", 3 * 40)
    assert chosen_cells(mask, 30, stream).tolist() == whole


def test_no_two_objects_share_a_cell() -> None:
    level = built(
        "name: tree, place: by_cell, percent: 50",
        "name: rock, place: by_cell, percent: 50",
        "name: chest, count: 5",
    )
    places = [(item.x, item.y) for item in level.objects]
    assert len(places) == len(set(places))
    assert len(cells(level, "chest")) == 5


def test_demands_of_a_cell_are_preserved() -> None:
    level = built("name: tree, place: by_cell, percent: 60, clear_radius: 2")
    walkable = np.pad(level.walkable(), 2)
    assert level.objects
    for item in level.objects:
        around = walkable[item.y : item.y + 5, item.x : item.x + 5]
        assert all(
            around[2 + y, 2 + x] for y in range(-2, 3) for x in range(-2, 3) if x * x + y * y <= 4
        )


def test_what_lies_is_what_was_requested_for() -> None:
    text = SPEC + "  - {name: tree, place: by_cell, percent: 3}\n"
    build = Build(parse_level(text.encode(), "x.level.yaml"))
    build.prepare()
    (count,) = build.object_counts().values()
    assert count.requested == count.placed == len(build.groups.all) > 0
    assert build.shortfalls() == []


def test_more_objects_than_there_may_be_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_OBJECTS == 65536
    monkeypatch.setattr("exporter.placement.chances.MOST_OBJECTS", 50)
    with pytest.raises(SpecError, match=r"6:.*objects would be placed .*lower `percent`"):
        built("name: tree, place: by_cell, percent: 90")


@each_case(
    ("group", "message"),
    [
        ("name: a, percent: 4", "6:24: `percent` has no effect without `place: by_cell`"),
        ("name: a, place: by_cell", "`by_cell` needs `percent`"),
        ("name: a, place: by_cell, percent: 101", "6:"),
        ("name: a, place: by_cell, percent: -1", "6:"),
        ("name: a, place: by_cell, percent: 4, count: 3", "6:50: 'count' needs the whole map"),
        ("name: a, place: by_cell, percent: 4, spacing: 3", "'spacing' needs the whole map"),
        ("name: a, place: by_cell, percent: 4, at: [1, 1]", "'at' needs the whole map"),
        ("name: a, place: by_cell, percent: 4, region: 1", "'region' needs the whole map"),
        ("name: a, place: by_cell, percent: 4, room: b", "'room' needs the whole map"),
        ("name: a, place: by_cell, percent: 4, in_rooms: true", "'in_rooms' needs the"),
        ("name: a, place: by_cell, percent: 4, dead_end_rooms: true", "'dead_end_rooms' needs"),
        ("name: a, place: by_cell, percent: 4, near: b", "'near' needs the whole map"),
        ("name: a, place: by_cell, percent: 4, far_from: b", "'far_from' needs the whole map"),
        ("name: a, place: by_cell, percent: 4, reachable_from: b", "'reachable_from' needs"),
        ("name: a, place: by_cell, percent: 4, on_path: [b, c]", "'on_path' needs the"),
        ("name: a, place: by_cell, percent: 4, off_path: [b, c]", "'off_path' needs the"),
        ("name: a, place: by_cell, percent: 4, on_critical_path: [b, c]", "'on_critical_path'"),
        ("name: a, place: by_cell, percent: 4, off_critical_path: [b, c]", "'off_critical_path'"),
    ],
)
def test_what_does_not_go_with_it_is_reported(group: str, message: str) -> None:
    others = [f"name: {name}" for name in ("b", "c") if f" {name}" in group or f"[{name}" in group]
    result = problems_of(SPEC + "".join(f"  - {{{item}}}\n" for item in (group, *others)))
    assert any(message in item for item in result), result
