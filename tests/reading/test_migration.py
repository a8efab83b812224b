"""Migration: only former words and limits change, each at its place, and twice is once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, get_type_hints

import pytest

from exporter.generators import GENERATORS
from exporter.model.errors import SpecError
from exporter.model.former import Formerly, inclusive_maximum
from exporter.model.parameters import About, Parameters
from exporter.reading.document import read_document
from exporter.reading.former import former_changes
from exporter.reading.migration import Rewritten, migrate
from exporter.reading.reader import parse_level

PRESETS = Path(__file__).parents[2] / "templates" / "levels"


def rewritten(text: str) -> str:
    migration = migrate(text.encode(), "a.level.yaml")
    again = migrate(migration.content, "a.level.yaml")
    assert (again.content, again.changes) == (migration.content, ())
    return migration.content.decode()


def layer(text: str) -> str:
    """What becomes of the parameters of a layer of rooms, written in flow style."""
    before, behind = "layers: {a: {generator: rooms_and_corridors, ", "}}\n"
    return rewritten(before + text + behind).removeprefix(before).removesuffix(behind)


def refused(text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        migrate(text.encode(), "a.level.yaml")
    return [f"{p.line}:{p.column}: {p.message}" for p in caught.value.problems]


def test_only_the_words_change_and_comments_stay() -> None:
    text = (
        "# room_min, on: nothing here changes\r\n"
        "level: room_min\r\n"
        "size: [ 50,50 ]   # breakout\r\n"
        "layers:\r\n"
        "\r\n"
        "  room_min:\r\n"
        "    generator: visited_caves   # breakout: 3\r\n"
        "    'cells_to_visit' :  0x10\r\n"
        '    "breakout": 7  # breakout\r\n'
        "objects:\r\n"
        "- on: cave   # on: cave\r\n"
        "  name: 'on'\r\n"
    )
    wanted = (
        text.replace("'cells_to_visit' :", "'visits' :")
        .replace('"breakout": 7', '"attempts": 7')
        .replace("- on: cave ", "- on_tile: cave ")
    )
    assert rewritten(text) == wanted
    assert rewritten("\ufeff" + text) == "\ufeff" + wanted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("room_max: [9, 7]", "max_room_size: [8, 6]"),
        ("room_max: [3, 4]", "max_room_size: [3, 3]"),
        ("room_min: [9, 2], room_max: [9, 7]", "min_room_size: [9, 2], max_room_size: [9, 6]"),
        ("room_max: [9, 7], room_min: [9, 2]", "max_room_size: [9, 6], min_room_size: [9, 2]"),
        ("corridor_max: 3", "max_corridor_length: 3"),
        ("corridor_max: 0x10", "max_corridor_length: 15"),
        ("corridor_min: 9, corridor_max: 7", "min_corridor_length: 9, max_corridor_length: 7"),
        ("min_room_size: [5, 5], room_max: [5, 9]", "min_room_size: [5, 5], max_room_size: [5, 8]"),
    ],
)
def test_an_exclusive_maximum_becomes_inclusive(before: str, after: str) -> None:
    assert layer(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("room_min: [14, 14]", "min_room_size: [14, 14]"),
        ("room_min: [15, 15]", "min_room_size: [15, 15], max_room_size: [15, 15]"),
        ("room_min: [15,4]", "min_room_size: [15,4], max_room_size: [15,14]"),
        (
            "'corridor_min': 15, rooms: 2",
            "'min_corridor_length': 15, 'max_corridor_length': 15, rooms: 2",
        ),
        # Wrong before, too: nothing is added to hide it.
        ("room_min: [16, 3]", "min_room_size: [16, 3]"),
    ],
)
def test_a_maximum_left_to_its_former_default_is_added_where_it_matters(
    before: str, after: str
) -> None:
    assert layer(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "    room_min: [15, 15]  # wide\n    rooms: 3\n",
            "    min_room_size: [15, 15]  # wide\n    max_room_size: [15, 15]\n    rooms: 3\n",
        ),
        ("    room_min: [15, 15]", "    min_room_size: [15, 15]\n    max_room_size: [15, 15]"),
        (
            '    "room_min":\n    - 15\n    - 4\n    rooms: 3\n',
            '    "min_room_size":\n    - 15\n    - 4\n    "max_room_size":\n    - 15\n    - 14\n'
            "    rooms: 3\n",
        ),
        (
            "    rooms: 3\r\n    corridor_min: 15\r\n",
            "    rooms: 3\r\n    min_corridor_length: 15\r\n    max_corridor_length: 15\r\n",
        ),
    ],
)
def test_an_added_line_is_written_like_its_neighbours(before: str, after: str) -> None:
    head = "layers:\n  a:\n    generator: rooms_and_corridors\n"
    assert rewritten(head + before) == head + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '{"layers":{"a":{"room_min":[15,15],"generator":"rooms_and_corridors"}}}',
            '{"layers":{"a":{"min_room_size":[15,15],"max_room_size":[15,15],'
            '"generator":"rooms_and_corridors"}}}',
        ),
        (
            '{"layers": {"a": {\n  "generator": "rooms_and_corridors",\n  "corridor_min": 15\n}}}',
            '{"layers": {"a": {\n  "generator": "rooms_and_corridors",\n'
            '  "min_corridor_length": 15,\n  "max_corridor_length": 15\n}}}',
        ),
        (
            '{"layers": {"a": {"generator": "maze", "connect": true}}}',
            '{"layers": {"a": {"generator": "maze", "connect": "guaranteed"}}}',
        ),
    ],
)
def test_json_stays_json(before: str, after: str) -> None:
    assert rewritten(before) == after


def test_an_added_line_ends_as_the_line_of_its_minimum_does() -> None:
    layer = "layers:%sa:%s generator: rooms_and_corridors%s corridor_min: 15%s seed: 1"
    for ends in (("\r",) * 4, ("\r\n", "\n", "\n", "\r\n"), ("\n", "\r\n", "\n", "\r")):
        text = (layer % ends).replace("a:", " a:").replace(" generator", "  generator")
        text = text.replace(" corridor_min", "  corridor_min").replace(" seed", "  rounds")
        wanted = text.replace(
            "corridor_min: 15", f"min_corridor_length: 15{ends[3]}  max_corridor_length: 15"
        )
        assert rewritten(text) == wanted


def test_an_added_limit_does_not_repeat_a_comment() -> None:
    text = "layers:\n  a: {generator: rooms_and_corridors, room_min: [15, # wide\n    15]}\n"
    assert rewritten(text) == text.replace("room_min", "min_room_size").replace(
        "15]}", "15], max_room_size: [15, 15]}"
    )


def test_a_name_that_changed_hands_is_told_apart_by_its_neighbours() -> None:
    head = "layers: {a: {generator: outline, "
    assert rewritten(head + "layer: b, of: wall}}") == head + "of: b, tile: wall}}"
    assert rewritten(head + "of: wall, layer: b}}") == head + "tile: wall, of: b}}"
    assert rewritten(head + "of: b, tile: wall}}") == head + "of: b, tile: wall}}"
    assert rewritten(head + "of: b}}") == head + "of: b}}"


def test_connect_true_stays_where_a_generator_has_its_own_way() -> None:
    text = "layers:\n  a: {generator: %s, connect: true}\n"
    assert rewritten(text % "visited_caves") == text % "visited_caves"
    assert rewritten(text % "maze") == (text % "maze").replace("true", "guaranteed")


def test_changes_are_told_in_the_order_of_the_file() -> None:
    text = (
        "objects: [{name: a, on: wall}]\n"
        "layers:\n  a: {generator: maze, braid: 3, connect: true}\n"
        "  b: {generator: rooms_and_corridors, corridor_min: 15, room_max: [9, 9]}\n"
    )
    assert list(migrate(text.encode(), "x").changes) == [
        Rewritten(1, "on", "on_tile"),
        Rewritten(3, "braid", "braid_percent"),
        Rewritten(3, "connect: true", 'connect: "guaranteed"'),
        Rewritten(4, "corridor_min", "min_corridor_length"),
        Rewritten(4, "", "max_corridor_length: 15"),
        Rewritten(4, "room_max: [9, 9]", "max_room_size: [8, 8]"),
    ]


def test_what_is_not_understood_stays_as_it_is() -> None:
    text = (
        "layers:\n  a: {generator: no_such_thing, breakout: 3}\n  b: [room_min]\n  c: {on: 3}\n"
        "  d: {generator: 7, breakout: 1}\n  e: {breakout: 1, generator: maze}\n"
        "objects: {on: wall}\ntables: 5\npuzzles: {p: {kind: nothing, on: 1}}\n"
    )
    assert rewritten(text) == text


def test_a_value_of_the_wrong_kind_keeps_it_under_the_new_name() -> None:
    assert (
        layer("room_max: wide, corridor_max: [3]")
        == "max_room_size: wide, max_corridor_length: [3]"
    )
    assert (
        layer("corridor_min: '15', room_min: 15") == "min_corridor_length: '15', min_room_size: 15"
    )
    assert layer("room_max: [9]") == "max_room_size: [8]"


def test_both_names_at_once_are_refused() -> None:
    text = "layers: {a: {generator: maze, braid: 3, braid_percent: 4}}\n"
    (message,) = refused(text)
    assert message.startswith("1:31: 'braid' is now called 'braid_percent', which is given too")


def test_a_text_that_cannot_be_read_is_refused_with_its_place() -> None:
    assert refused("layers: {a: {generator: maze, braid: 3}\n")
    assert refused("layers: {a: {generator: maze, braid: 3, braid: 4}}\n")[0].startswith("1:41: ")


def test_a_text_that_cannot_be_rewritten_in_place_is_refused_and_not_guessed_at() -> None:
    text = "layers:\n  a:\n    generator: rooms_and_corridors\n    ? corridor_min\n    : 15\n"
    (message,) = refused(text)
    assert message.startswith("4:7: this cannot be rewritten in place")


@pytest.mark.parametrize("path", sorted(PRESETS.glob("*.yaml")), ids=lambda path: path.stem)
def test_presets_have_nothing_to_migrate(path: Path) -> None:
    content = path.read_bytes()
    assert migrate(content, path.name).content == content


# --- errors of a check ---------------------------------------------------------------------------


def told(text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        parse_level(text.encode(), "a.level.yaml")
    return [f"{p.line}:{p.column}: {p.message}" for p in caught.value.problems]


def test_a_former_name_is_told_at_its_place_with_the_present_one() -> None:
    hint = "(`exporter migrate` rewrites it)"
    assert told(
        "size: [9, 9]\nlayers:\n"
        "  a: {generator: rooms_and_corridors, room_max: [9, 9], romms: 3}\n"
        "  b: {generator: outline, layer: a, of: wall}\n"
        "objects: [{name: x, on: wall}]\n"
    ) == [
        f"3:39: 'room_max' is now called 'max_room_size' and inclusive {hint}",
        "3:57: unknown key 'romms' (did you mean 'rooms'?)",
        f"4:27: 'layer' is now called 'of' {hint}",
        f"4:37: 'of' is now called 'tile' {hint}",
        f"5:21: 'on' is now called 'on_tile' {hint}",
    ]


def test_connect_true_is_refused_with_a_way_out_where_there_is_no_own_way() -> None:
    (message,) = told("size: [9, 9]\nlayers:\n  a: {generator: maze, connect: true}\n")
    assert message.startswith("3:33: true is not allowed here, write guaranteed (this generator")


MAP_GENERATORS = [
    name
    for name, entry in GENERATORS.all().items()
    if "connect" in entry.parameters.__dataclass_fields__
]


@pytest.mark.parametrize("name", MAP_GENERATORS)
def test_only_visited_caves_has_a_way_of_its_own(name: str) -> None:
    spec = read_document(b"connect: true", "x")
    changes = list(former_changes(GENERATORS.get(name).parameters, spec.data))
    assert bool(changes) == (name != "visited_caves")


# --- declarations --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Leg(Parameters):
    length: Annotated[int, About("."), Formerly("size")] = 3


@dataclass(frozen=True, kw_only=True)
class Table(Parameters):
    legs: tuple[Leg, ...] = ()
    named: Annotated[dict[str, Leg], About("."), Formerly("by_name")] = None  # type: ignore[assignment]
    spare: Leg | None = None


def test_former_names_are_found_inside_lists_and_mappings() -> None:
    data = {
        "legs": [{"size": 1}, {"length": 2}],
        "by_name": {"a": {"size": 3}},
        "spare": {"size": 4},
    }
    changes = {change.path: change.key for change in former_changes(Table, data)}
    assert changes == {
        ("legs", 0, "size"): "length",
        ("by_name",): "named",
        ("by_name", "a", "size"): "length",
        ("spare", "size"): "length",
    }


@dataclass(frozen=True, kw_only=True)
class Moved(Parameters):
    a: Annotated[int, About("."), Formerly("z")] = 0
    b: Annotated[int, About("."), Formerly("a")] = 0
    c: Annotated[int, About("."), Formerly("b")] = 0


@pytest.mark.parametrize(
    ("keys", "now"),
    [("zab", "abc"), ("ab", "ab"), ("abc", "abc"), ("za", "ab"), ("b", "b"), ("zc", "ac")],
)
def test_names_that_moved_on_are_former_only_where_all_before_them_moved(
    keys: str, now: str
) -> None:
    changes = {
        change.path[0]: change.key for change in former_changes(Moved, dict.fromkeys(keys, 1))
    }
    assert "".join(changes.get(key, key) for key in keys) == now


@pytest.mark.parametrize("name", GENERATORS.names())
def test_a_former_name_is_a_present_one_only_of_a_parameter_that_changed_its_name(
    name: str,
) -> None:
    hints = get_type_hints(GENERATORS.get(name).parameters, include_extras=True)
    formers = {
        rule.name: field
        for field, hint in hints.items()
        for rule in getattr(hint, "__metadata__", ())
        if isinstance(rule, Formerly)
    }
    for former in formers:
        assert former not in hints or former in formers.values()


@pytest.mark.parametrize(
    ("former", "minimum", "now"),
    [
        (5, 3, 4),
        (4, 3, 3),
        (3, 3, 3),
        (2, 3, 2),
        ("5", 3, "5"),
        (True, 0, True),
        ([5, 3], [3, 3], [4, 3]),
    ],
)
def test_an_inclusive_maximum_is_one_less_but_not_below_its_minimum(
    former: object, minimum: object, now: object
) -> None:
    assert inclusive_maximum(former, minimum) == now
