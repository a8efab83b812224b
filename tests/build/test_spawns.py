"""Objects from a table through a whole build: properties, counts, warnings, edits, searches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from exporter.blob import read_blob, write_blob
from exporter.build.build import Build, build_level
from exporter.build.dependencies import prune_to_dependencies
from exporter.build.shortfalls import ObjectCount
from exporter.measures.names import named_metric
from exporter.reading.edits import parse_edits
from exporter.reading.reader import parse_level

SPEC = """\
size: [60, 40]
seed: 4
layers:
  ground: {generator: bsp_rooms}
objects:
  - {name: start}
  - {name: exit, far_from: start}
  - name: monster
    spawn: {table: monsters, budget: [3, 12], along: [start, exit]}
    properties: {faction: cellar}
  - {name: chest, near: monster, max_distance: 3}
tables:
  monsters:
    columns: {name: text, danger: integer, weight: integer, hp: integer}
    rows:
      - [rat, 1, 6, 3]
      - [ogre, 5, 2, 20]
"""


def built(text: str, edits: str = "") -> Build:
    spec = parse_level(text.encode(), "x.level.yaml")
    if edits:
        spec = replace(spec, edits=parse_edits(edits.encode(), "x.edits.yaml"))
    build = Build(spec)
    build.prepare()
    return build


def test_objects_have_the_values_of_their_rows_in_the_blob() -> None:
    level = build_level(parse_level(SPEC.encode(), "x.level.yaml"))
    monsters = [item for item in level.objects if item.name == "monster"]
    rat = {"name": "rat", "danger": 1, "hp": 3, "faction": "cellar"}
    ogre = {"name": "ogre", "danger": 5, "hp": 20, "faction": "cellar"}
    assert {str(dict(monster.properties)) for monster in monsters} == {str(rat), str(ogre)}
    assert [item.id for item in level.objects] == list(range(1, len(level.objects) + 1))
    assert read_blob(write_blob(level)).objects == level.objects


def test_as_many_as_are_drawn_are_requested_for() -> None:
    build = built(SPEC)
    placed = sum(item.name == "monster" for item in build.groups.all)
    assert build.object_counts()["monster"] == ObjectCount(placed, placed)
    assert build.shortfalls() == []
    narrow = built(SPEC.replace("    spawn:", "    required: false\n    spacing: 9\n    spawn:"))
    counts = narrow.object_counts()["monster"]
    assert 0 < counts.placed < counts.requested
    (warning,) = narrow.shortfalls()
    assert (warning.line, warning.column, warning.severity) == (11, 5, "warning")
    assert warning.message.startswith(
        f"monster: {counts.placed} of {counts.requested} could be placed: room_"
    )


def test_other_objects_of_the_name_are_counted_by_themselves() -> None:
    more = SPEC.replace("  - name: monster", "  - {name: monster, count: 2}\n  - name: monster")
    build = built(more)
    both = sum(item.name == "monster" for item in build.groups.all)
    assert build.object_counts()["monster"] == ObjectCount(both, both)
    crowd = "  - {name: monster, count: 3000, required: false, far_from: exit, min_distance: 1}\n"
    crowded = SPEC.replace("  - name: monster", f"{crowd}  - name: monster").replace(
        "near: monster", "required: false"
    )
    crowded = crowded.replace("    spawn:", "    required: false\n    spawn:")
    reported = [
        shortfall.message
        for shortfall in built(crowded.replace(", max_distance: 3", "")).shortfalls()
    ]
    assert len(reported) == 2
    assert "of 3000 'monster' could be placed (lower `count`" in reported[0]
    assert reported[1].startswith("monster: none appears: no cells are left in rooms: ")


def test_hand_edits_move_and_remove_objects_of_a_table() -> None:
    before = [item for item in built(SPEC).groups.all if item.name == "monster"]
    first = before[0]
    edits = (
        "objects:\n"
        f"  - {{name: monster, ordinal: 1, was: [{first.x}, {first.y}], now: [2, 2]}}\n"
        "  - {name: monster, ordinal: 2, remove: true}\n"
        "  - {name: monster, add: [3, 3]}\n"
    )
    after = [item for item in built(SPEC, edits).groups.all if item.name == "monster"]
    assert (after[0].x, after[0].y, after[0].properties) == (2, 2, first.properties)
    assert [item.id for item in after[1:-1]] == [item.id for item in before[2:]]
    # An added object has no row.
    assert (after[-1].x, after[-1].y, dict(after[-1].properties)) == (3, 3, {"faction": "cellar"})


def test_a_search_keeps_the_tables_that_objects_are_drawn_from() -> None:
    spec = parse_level(SPEC.encode(), "x.level.yaml")
    lone = replace(spec, tables={**spec.tables, "loot": spec.tables["monsters"]})
    part = prune_to_dependencies(lone, [named_metric("objects.monster")])
    assert list(part.tables) == ["monsters"]
    search = SPEC.replace("seed: 4", 'seed: {search: 40, where: "objects.monster >= 20"}')
    build = built(search)
    assert sum(item.name == "monster" for item in build.groups.all) >= 20


def test_a_search_begins_anew_when_the_table_changes() -> None:
    from exporter.build.seed_search import searched_part

    search = SPEC.replace("seed: 4", 'seed: {search: 40, where: "objects.monster >= 20"}')
    spec = parse_level(search.encode(), "x.level.yaml")
    other = parse_level(search.replace("[rat, 1, 6", "[rat, 2, 6").encode(), "x.level.yaml")
    assert searched_part(spec) != searched_part(other)


def test_a_large_spawn_is_announced_by_its_cost(tmp_path: Path) -> None:
    del tmp_path
    spec = parse_level(SPEC.replace("[3, 12], along: [start, exit]", "9, per: 16").encode(), "x")
    (item,) = [item for item in spec.objects if item.name == "monster"]
    assert item.cost(4096, 4096).seconds > 20
    assert item.cost(4096, 4096).path == ("spawn", "per")
