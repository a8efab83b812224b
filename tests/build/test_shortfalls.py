"""Shortfalls of a build: one warning each, with figures, at its position in the spec."""

from __future__ import annotations

import pytest

from cases import each_case
from exporter.build.build import Build
from exporter.build.shortfalls import ObjectCount
from exporter.generators import GENERATORS
from exporter.model.errors import Problem
from exporter.model.level import Layer
from exporter.reading.reader import parse_level

SPEC = "size: [20, 20]\nseed: 3\nlayers:\n  base: {generator: cellular_caves}\n"


def built(text: str) -> Build:
    build = Build(parse_level(text.encode(), "x.level.yaml"))
    build.prepare()
    return build


def messages_of(build: Build) -> list[str]:
    assert all(shortfall.severity == "warning" for shortfall in build.shortfalls())
    return [
        f"{shortfall.line}:{shortfall.column}: {shortfall.message}"
        for shortfall in build.shortfalls()
    ]


@each_case(
    ("layer", "said"),
    [
        ("generator: rooms_and_corridors, size: [60, 60], rooms: 100",
         "7 of 100 rooms are built: attempts exceeded (ask for fewer or smaller rooms, or "
         "enlarge the map)"),
        ("generator: irregular_rooms, size: [80, 80], rooms: 50",
         "23 of 50 rooms could be placed (ask for fewer or smaller ones, or enlarge the map)"),
        ("generator: bsp_rooms, size: [4, 4]",
         "no room fits (lower `min_room_size` or enlarge the map)"),
        ("generator: drunkard, floor_percent: 95, steps_per_cell: 1",
         "138 of 380 cells are dug (raise `steps_per_cell`, or lower `floor_percent` or "
         "`border`)"),
        ("generator: visited_caves, size: [60, 60], connect: true, attempts: 2",
         "8 of 10 caves are not connected (raise `attempts`, or write `connect: guaranteed`)"),
        ("generator: visited_caves, connect: true, lower_limit: 1, upper_limit: 1",
         "there are no caves to connect (raise `visits` or `upper_limit`)"),
        ("generator: prefabs, of: base, prefabs: [{name: vault, art: '##', count: 500}]",
         "57 of 500 vault could be placed (ask for fewer, or lower `spacing` and `margin`)"),
    ],
)  # fmt: skip
def test_a_layer_says_how_much_of_it_is_missing_and_what_to_do(layer: str, said: str) -> None:
    build = built(SPEC + f"  it: {{{layer}}}\n")
    assert messages_of(build) == [f"5:3: layer 'it': {said}"]


def test_undecided_cells_are_counted() -> None:
    build = built(
        "size: [7, 3]\nlayers:\n  it: {generator: wave_function_collapse, attempts: 3, "
        "periodic: true, adjacent: [[a, b]], "
        "tiles: [{name: a, alone: true}, {name: b, alone: true}]}\n"
    )
    (message,) = messages_of(build)
    undecided = build.layers["it"].report["undecided"]
    assert 0 < undecided < 21
    assert message == (
        f"3:3: layer 'it': {undecided} of 21 cells are undecided after 3 attempts "
        "(raise `attempts`, try another seed, or give more patterns)"
    )


def test_floor_that_no_post_sees_is_counted() -> None:
    build = built(
        SPEC + "  posts: {generator: watch_posts, max_posts: 1}\nvisibility: {radius: 3}\n"
    )
    (message,) = messages_of(build)
    report = build.layers["posts"].report
    assert message == (
        f"5:3: layer 'posts': {report['unseen']} of {report['floor']} cells of floor are not seen "
        "by 1 post (raise `max_posts`)"
    )
    assert 0 < report["unseen"] < report["floor"]


def test_objects_are_counted_by_name_and_reported_at_the_first_entry() -> None:
    build = built(
        SPEC + "objects:\n  - {name: door}\n  - {name: chest, count: 500, required: false}\n"
        "  - {name: chest, count: 3, spacing: 3, required: false}\n"
    )
    placed = build.object_counts()["chest"].placed
    assert build.object_counts() == {"door": ObjectCount(1, 1), "chest": ObjectCount(503, placed)}
    assert 0 < placed < 500
    assert messages_of(build) == [
        f"7:5: {placed} of 503 'chest' could be placed (lower `count` or its demands; "
        "`required: true` makes this an error)"
    ]


def test_what_is_whole_is_not_reported() -> None:
    build = built(
        SPEC + "  it: {generator: drunkard, floor_percent: 10}\nvisibility: {radius: 3}\n"
        "objects:\n  - {name: chest, count: 2}\n"
    )
    assert messages_of(build) == []
    assert build.object_counts()["chest"] == ObjectCount(2, 2)


def test_a_generator_without_figures_is_reported_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build = built(SPEC + "  it: {generator: drunkard, floor_percent: 95, steps_per_cell: 1}\n")
    object.__setattr__(GENERATORS.get("drunkard"), "shortfall", None)
    try:
        assert messages_of(build) == ["5:3: layer 'it': some requested parts could not be made"]
    finally:
        from exporter.generators import drunkard

        object.__setattr__(GENERATORS.get("drunkard"), "shortfall", drunkard._shortfall)


def test_every_generator_that_can_be_incomplete_has_words_for_it() -> None:
    """A generator that passes `complete=` also says which part is missing."""
    import inspect
    import sys

    for name in GENERATORS.built_in():
        entry = GENERATORS.get(name)
        source = inspect.getsource(sys.modules[entry.generate.__module__])
        if "complete=" in source:
            assert entry.shortfall is not None, name


def test_layers_and_warnings_are_what_the_build_has() -> None:
    build = built(SPEC + "  it: {generator: bsp_rooms, size: [4, 4]}\n")
    (warning,) = build.shortfalls()
    assert isinstance(warning, Problem)
    assert isinstance(build.layers["it"], Layer)
    assert (warning.file, warning.source) == (
        "x.level.yaml",
        "  it: {generator: bsp_rooms, size: [4, 4]}",
    )
