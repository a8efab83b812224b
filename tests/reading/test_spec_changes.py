"""Changes in the text of a spec: written, kept and refused parts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cases import each_case
from exporter.reading.changes import Change, Insert, Move, Refused, Remove, Rename, SetValue
from exporter.reading.layer_names import renamed_layer
from exporter.reading.reader import parse_level
from exporter.reading.spec_changes import Changed, changed_spec
from exporter.reading.yaml_reader import read_document

FILE = "cave.level.yaml"
TEXT = """\
# The first level.
level: cave   # its name
size: [64, 40]

layers:
  # the ground
  ground:
    generator: cellular_caves
    wall_percent: 45  # thick
    # rounds: 4

  # roof over it
  roof: {generator: drunkard, share: 1.0}

objects:
- name: chest   # one
  count: 3
# two
- name: key
"""


def apply_changes(text: str, *changes: Change) -> Changed:
    result = changed_spec(text.encode(), FILE, changes)
    assert isinstance(result, Changed), result
    return result


def after(text: str, *changes: Change) -> str:
    return apply_changes(text, *changes).after.decode()


def reason(text: str | bytes, *changes: Change) -> str:
    content = text if isinstance(text, bytes) else text.encode()
    result = changed_spec(content, FILE, changes)
    assert isinstance(result, Refused)
    return result.reason


def replaced(old: str, new: str, *changes: Change) -> None:
    """The changes of TEXT are one replacement."""
    assert TEXT.count(old) == 1
    assert after(TEXT, *changes) == TEXT.replace(old, new)


# --- values ---------------------------------------------------------------------------------------


def test_a_value_changes_and_the_comment_behind_it_stays_where_it_was() -> None:
    path = ("layers", "ground", "wall_percent")
    replaced("45  # thick", "52  # thick", SetValue(path, 52))
    replaced("cave   # its", "crypt   # its", SetValue(("level",), "crypt"))


def test_of_a_list_only_the_number_that_differs_is_written() -> None:
    text = "size: [ 64,40 ]  # wide\n"
    assert after(text, SetValue(("size",), (65, 40))) == "size: [ 65,40 ]  # wide\n"
    assert after(text, SetValue(("size", 1), 41)) == "size: [ 64,41 ]  # wide\n"
    text = "size:\n- 64  # width\n- 40\n"
    assert after(text, SetValue(("size",), [64, 41])) == "size:\n- 64  # width\n- 41\n"


@each_case(
    ("value", "text"),
    [
        (7, "7"),
        (7.0, "7.0"),
        (0.1, "0.1"),
        (1e-7, "1.0e-07"),
        (True, "true"),
        (None, "null"),
        ("crypt", "crypt"),
        ("two words", "two words"),
        ("20 kB", "20 kB"),
        ("farthest >= 80", "farthest >= 80"),
        ("höhle", "höhle"),
        ("yes", '"yes"'),
        ("No", '"No"'),
        ("null", '"null"'),
        ("~", '"~"'),
        ("y", '"y"'),
        ("12", '"12"'),
        ("010", '"010"'),
        ("1_000", '"1_000"'),
        ("1e5", '"1e5"'),
        ("2024-01-01", '"2024-01-01"'),
        ("1:30", '"1:30"'),
        ("", '""'),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        (" a", '" a"'),
        ("*a", '"*a"'),
        ("one\ntwo", '"one\\ntwo"'),
        ("a\x85b", '"a\\u0085b"'),
        ("😀", '"😀"'),
        ([], "[]"),
        ({}, "{}"),
        ([1, [2, 3]], "[1, [2, 3]]"),
        ({"a": [1, 2]}, "{a: [1, 2]}"),
    ],
)
def test_values_are_written_so_that_every_reader_takes_them_for_what_they_are(
    value: Any, text: str
) -> None:
    assert after("a: 1  # c\n", SetValue(("a",), value)) == f"a: {text}  # c\n"


@each_case(
    ("text", "value", "expected"),
    [
        ("a: 'x'\n", "y", "a: 'y'\n"),
        ("a: 'x'\n", "it's", "a: 'it''s'\n"),
        ("a: 'x'\n", "one\ntwo", 'a: "one\\ntwo"\n'),
        ('a: "x"\n', "y", 'a: "y"\n'),
        ('a: "x"\n', 5, "a: 5\n"),
        ("a: 5\nb: 'x'\n", "no", "a: 'no'\nb: 'x'\n"),
        ("a: 5\nb: {c: 'x'}\n", "no", "a: 'no'\nb: {c: 'x'}\n"),
        ("a: 0x10\n", 17, "a: 17\n"),
        ("a:   5\n", 6, "a:   6\n"),
        ("a:\n", 6, "a: 6\n"),
        ("a:  # none\n", 6, "a: 6  # none\n"),
        ("a:\n  b\n  c\n", "x", "a:\n  x\n"),
        ("a: |  # why\n  one\n  two\n\nb: 1\n", 5, "a: 5  # why\n\nb: 1\n"),
        ("a: |\n    one\nb: 1\n", "three\n four\n", "a: |\n    three\n     four\nb: 1\n"),
        ("a: |  # why\n  one\n", "one\n\ntwo", "a: |-  # why\n  one\n\n  two\n"),
        ("a: >-\n  one\n  two\n", "three", "a: three\n"),
        ("{a, b: 1}\n", 5, "{a: 5, b: 1}\n"),
    ],
)
def test_a_value_keeps_the_style_of_the_one_before(text: str, value: Any, expected: str) -> None:
    result = changed_spec(text.encode(), FILE, [SetValue(("a",), value)])
    assert isinstance(result, Changed)
    assert result.after.decode() == expected


def test_a_misleading_word_can_be_set_right_though_the_spec_is_at_fault() -> None:
    text = "connect: yes  # all\nother: on\n"
    assert after(text, SetValue(("connect",), True)) == "connect: true  # all\nother: on\n"


def test_lists_and_mappings_take_the_position_of_others() -> None:
    text = "a: 1\nseed:   # one\n  search: 5  # many\n\nb: 2\n"
    assert after(text, SetValue(("seed",), 7)) == "a: 1\nseed: 7   # one\n\nb: 2\n"
    text = "seed: 7  # lucky\nb: 2\n"
    where = "farthest >= 80 and dead_ends <= 6"
    assert (
        after(text, SetValue(("seed",), {"search": 500, "where": where}))
        == f"seed: {{search: 500, where: {where}}}  # lucky\nb: 2\n"
    )
    layers = {"a": {"generator": "maze", "fixed": {"file": "x.png"}}}
    assert (
        after("layers: {}  # none\nb: 2\n", SetValue(("layers",), layers))
        == "layers:  # none\n  a:\n    generator: maze\n    fixed: {file: x.png}\nb: 2\n"
    )


def test_the_same_value_changes_nothing_and_another_type_does() -> None:
    text = "a: 0x10\nb: 1.0\n"
    assert after(text, SetValue(("a",), 16)) == text
    assert after(text, SetValue(("b",), 1)) == "a: 0x10\nb: 1\n"
    assert after(text, SetValue(("b",), True)) == "a: 0x10\nb: true\n"


# --- keys -----------------------------------------------------------------------------------------


def test_a_new_key_comes_where_the_reference_page_has_it() -> None:
    replaced("[64, 40]\n", "[64, 40]\nseed: 5\n", SetValue(("seed",), 5))
    replaced(
        "cellular_caves\n",
        "cellular_caves\n    size: [9, 9]\n",
        SetValue(("layers", "ground", "size"), [9, 9]),
    )
    replaced(
        "# thick\n",
        "# thick\n    require: {connected: true}\n",
        SetValue(("layers", "ground", "require", "connected"), True),
    )
    replaced(
        "drunkard, share",
        "drunkard, role: data, share",
        SetValue(("layers", "roof", "role"), "data"),
    )
    replaced(
        "share: 1.0}\n",
        "share: 1.0}\n\nvisibility: {radius: 8}\n",
        SetValue(("visibility", "radius"), 8),
    )
    assert after("radius: 3\n", SetValue(("x",), 1)) == "radius: 3\nx: 1\n"


@each_case(
    ("text", "expected"),
    [
        ("a: {b: 1}\n", "a: {b: 1, c: 2}\n"),
        ("a: {b: 1,}\n", "a: {b: 1, c: 2,}\n"),
        ("a: { b: 1,x: 2 }\n", "a: { b: 1,x: 2,c: 2 }\n"),
        ("a: {\n  b: 1  # one\n}\n", "a: {\n  b: 1,  # one\n  c: 2\n}\n"),
        ("a: {\n  b: 1,  # one\n}\n", "a: {\n  b: 1,  # one\n  c: 2,\n}\n"),
        ("a:\n    'b': 1", "a:\n    'b': 1\n    'c': 2"),
        ("a:\r\n  b: 1 # one\r\nd: 1\r\n", "a:\r\n  b: 1 # one\r\n  c: 2\r\nd: 1\r\n"),
        ("a:\n  b: 1\n\n  x: 1\n", "a:\n  b: 1\n\n  x: 1\n\n  c: 2\n"),
        ("a:\n  b:\n  - 1\n  # more\n", "a:\n  b:\n  - 1\n  c: 2\n  # more\n"),
        ("a:\n  b: 1\n    # deeper\n", "a:\n  b: 1\n    # deeper\n  c: 2\n"),
        ("a:\n  b: |\n    text\n", "a:\n  b: |\n    text\n  c: 2\n"),
        ("a: {}\n", "a: {c: 2}\n"),
        ("a:\n", "a: {c: 2}\n"),
        ("b: 1\n", "b: 1\na: {c: 2}\n"),
        ('{"a":{"b":1}}', '{"a":{"b":1,"c":2}}'),
        ('{"a": {\n  "b": 1\n}}', '{"a": {\n  "b": 1,\n  "c": 2\n}}'),
    ],
)
def test_a_new_key_is_written_like_its_neighbours(text: str, expected: str) -> None:
    assert after(text, SetValue(("a", "c"), 2)) == expected


@each_case(
    ("text", "expected"),
    [
        ("a: 1\nb: 2 # two\nc: 3\n", "a: 1\nc: 3\n"),
        ("a: 1\n# about b\nb: 2\n", "a: 1\n"),
        ("a: 1\n\n# nobody's\n\nb: 2\n", "a: 1\n\n# nobody's\n"),
        ("a: 1\nb: 2\n\nc: 3\n", "a: 1\n\nc: 3\n"),
        ("a: 1\n\nb: 2\n\nc: 3\n", "a: 1\n\nc: 3\n"),
        ("b: 2  # two\na: 1\n", "a: 1\n"),
        ("# header\nb: 2\na: 1\n", "# header\na: 1\n"),
        ("{a: 1, b: 2}\n", "{a: 1}\n"),
        ("{b: 2, a: 1}\n", "{a: 1}\n"),
        ("{a: 1, b: 2,}\n", "{a: 1,}\n"),
        ("{\n  a: 1,  # one\n  b: 2  # two\n}\n", "{\n  a: 1  # one\n}\n"),
        ("{\n  b: 2,  # two\n  # about a\n  a: 1\n}\n", "{\n  # about a\n  a: 1\n}\n"),
        ("a: 1\nb:\n- x\n- y\n# about c\nc: 1", "a: 1\n# about c\nc: 1"),
        ("a: 1\nb: |\n  text\n\nc: 1\n", "a: 1\n\nc: 1\n"),
    ],
)
def test_a_key_goes_with_its_own_comments_alone(text: str, expected: str) -> None:
    assert after(text, Remove(("b",))) == expected


def test_the_last_entry_leaves_empty_brackets() -> None:
    assert after("a:  # one\n  b: 1\nc: 2\n", Remove(("a", "b"))) == "a: {}  # one\nc: 2\n"
    assert after("a:\n- b: 1\nc: 2\n", Remove(("a", 0))) == "a: []\nc: 2\n"
    assert after("a:\n- b: 1\n- c: 2\n", Remove(("a", 0, "b"))) == "a:\n- {}\n- c: 2\n"
    assert after("a: [1]\n", Remove(("a", 0))) == "a: []\n"
    assert after("a: 1\n", Remove(("a",))) == "{}\n"


# --- layers and objects ---------------------------------------------------------------------------


def test_a_layer_moves_with_its_comments_and_the_empty_lines_stay() -> None:
    ground = TEXT[TEXT.index("  # the ground") : TEXT.index("\n  # roof")]
    roof = TEXT[TEXT.index("  # roof") : TEXT.index("\nobjects")]
    expected = TEXT.replace(ground + "\n" + roof, roof + "\n" + ground)
    assert after(TEXT, Move(("layers", "ground"), 1)) == expected
    assert after(TEXT, Move(("layers", "roof"), 0)) == expected
    assert after(TEXT, Move(("layers", "roof"), 1)) == TEXT


def test_entries_in_brackets_move_with_the_comments_behind_their_commas() -> None:
    text = "a: [\n  # first\n  1,  # one\n  2,\n  3  # three\n]\n"
    assert after(text, Move(("a", 2), 0)) == "a: [\n  3,  # three\n  # first\n  1,  # one\n  2\n]\n"


def test_objects_move_and_go_with_the_comments_above_them() -> None:
    chest, key = "- name: chest   # one\n  count: 3\n", "# two\n- name: key\n"
    replaced(chest + key, key + chest, Move(("objects", 1), 0))
    replaced(chest, "", Remove(("objects", 0)))
    replaced(key, "", Remove(("objects", 1)))


def test_a_new_object_is_written_like_the_others() -> None:
    new = {"name": "lamp", "at": [3, 4]}
    replaced("- name: key\n", "- name: key\n- name: lamp\n  at: [3, 4]\n",
             Insert(("objects", 2), new))  # fmt: skip
    replaced("- name: chest", "- name: lamp\n  at: [3, 4]\n- name: chest",
             Insert(("objects", 0), new))  # fmt: skip
    text = "objects:\n    - {name: chest}  # one\n"
    assert after(text, SetValue(("objects", 1), new)) == text + "    - {name: lamp, at: [3, 4]}\n"
    text = "a: 1\nobjects:\n  - {name: lamp, at: [3, 4]}\n"
    assert after("a: 1\n", Insert(("objects", 0), new)) == text


def test_a_new_layer_is_written_like_the_others() -> None:
    new = {"generator": "maze", "role": "none"}
    replaced("\n  # roof", "\n  attic: {generator: maze, role: none}\n\n  # roof",
             Insert(("layers", "attic"), new, 1))  # fmt: skip
    text = "layers:\n   a:\n      generator: maze  # one\nobjects: []\n"
    assert after(text, Insert(("layers", "b"), new)) == text.replace(
        "objects", "   b:\n      generator: maze\n      role: none\nobjects"
    )
    assert after(text, Insert(("layers", "b"), new, 0)) == text.replace(
        "   a:", "   b:\n      generator: maze\n      role: none\n   a:"
    )


def test_in_brackets_a_new_entry_is_spread_over_lines_as_its_neighbour_is() -> None:
    new = {"generator": "maze", "size": [3, 4]}
    for indent in (1, 4):
        data = {"layers": {"a": {"generator": "blank", "size": [1, 2]}}, "seed": 5}
        text = json.dumps(data, indent=indent)
        data["layers"]["b"] = new
        assert after(text, Insert(("layers", "b"), new)) == json.dumps(data, indent=indent)
    text = "layers: {\n  a: {\n    size: [1, 2]\n  }\n}\n"
    b = "  b: {\n    generator: maze,\n    size: [3, 4]\n  }"
    assert after(text, Insert(("layers", "b"), new)) == text.replace(
        "\n  }\n", "\n  },\n" + b + "\n"
    )


def test_a_renamed_layer_stays_in_its_position_and_quotes() -> None:
    replaced("  roof:", "  attic:", Rename(("layers", "roof"), "attic"))
    assert after("'a' : 1\n", Rename(("a",), "b")) == "'b' : 1\n"
    assert after('{"a": 1}', Rename(("a",), "on")) == '{"on": 1}'
    assert after("a: 1\n", Rename(("a",), "on")) == '"on": 1\n'


def test_a_renamed_layer_is_renamed_wherever_it_is_named() -> None:
    text = (
        "size: [20, 20]\nlayers:\n  a: {generator: cellular_caves}  # a\n"
        "  b: {generator: outline, of: a, tile: wall}\nobjects:\n  - {name: key, layer: 'a'}\n"
        "visibility: {layer: a}\n"
    )
    changes = renamed_layer(parse_level(text.encode(), FILE), "a", "ground")
    changed = after(text, *changes)
    expected = text.replace("of: a", "of: ground").replace("layer: a", "layer: ground")
    assert changed == expected.replace("'a'", "'ground'").replace("  a:", "  ground:")
    assert list(parse_level(changed.encode(), FILE).layers) == ["ground", "b"]


def test_a_whole_list_of_objects_is_set_by_what_differs() -> None:
    text = "objects:\n  - {name: a}  # one\n  - {name: b}  # two\n  - {name: c}  # three\n"
    data = read_document(text.encode(), FILE).data["objects"]
    without = [data[0], data[2]]
    assert after(text, SetValue(("objects",), without)) == text.replace(
        "  - {name: b}  # two\n", ""
    )
    more = [*data[:2], {"name": "x"}, data[2]]
    assert after(text, SetValue(("objects",), more)) == text.replace(
        "# two\n", "# two\n  - {name: x}\n"
    )
    whole = {"objects": data, "size": [3, 4]}
    assert after(text, SetValue((), whole)) == text + "size: [3, 4]\n"


# --- the frame of the text ------------------------------------------------------------------------


def test_line_ends_byte_order_mark_tabs_and_spaces_stay() -> None:
    text = "\ufeff# \ttab\r\na: 1 \t# x\r\n\r\nb:\r\n    - 1   \r\n    - 2"
    assert after(text, SetValue(("a",), 2), Insert(("b", 2), 3)) == (
        text.replace("a: 1", "a: 2") + "\r\n    - 3"
    )


def test_spaces_at_the_end_of_a_line_stay_there() -> None:
    text = "a: 1   \nb: 2  # two \t\nc: 3 \t\n"
    assert after(text, Insert(("x",), 0, 1)) == text.replace("b:", "x: 0\nb:")
    assert after(text, SetValue(("x",), 0)) == text + "x: 0\n"
    assert after(text, Remove(("c",))) == "a: 1   \nb: 2  # two \t\n"
    assert after(text, SetValue(("a",), 4)) == text.replace("1", "4")


@each_case("text", ["", "# nothing yet", "# nothing yet\r\n\r\n", "---\n", "\ufeff"])
def test_a_file_without_a_value_gets_its_first_keys(text: str) -> None:
    end = "\r\n" if "\r" in text else "\n"
    start = "" if not text.lstrip("\ufeff") or text.endswith("\n") else end
    expected = f"{text}{start}size: [4, 5]{end}seed: 1{end}"
    assert after(text, SetValue(("size",), [4, 5]), SetValue(("seed",), 1)) == expected


def test_a_whole_text_stays_json_or_in_brackets() -> None:
    value = {"a": [{"b": "x" * 60}, {"c": "x" * 60}]}
    assert json.loads(after('{"x": 1}\n', SetValue((), value))) == value
    assert after("{x: 1}  # one\n", SetValue((), {"y": 2})) == "{y: 2}  # one\n"
    assert after("# all\nx: 1\n", SetValue((), {"y": [1]})) == "# all\ny: [1]\n"


def test_several_changes_are_applied_all_or_none() -> None:
    changes = (
        Rename(("layers", "roof"), "attic"),
        SetValue(("layers", "attic", "share"), 0.5),
        Move(("layers", "attic"), 0),
        Remove(("objects", 0)),
        SetValue(("objects", 0, "name"), "gate"),
    )
    changed = apply_changes(TEXT, *changes)
    data = read_document(changed.after, FILE).data
    assert changed.data == data
    assert list(data["layers"]) == ["attic", "ground"]
    assert data["objects"] == [{"name": "gate"}]
    assert reason(TEXT, *changes, Remove(("gone",))) == "there is no gone"


# --- refusals -------------------------------------------------------------------------------------


def test_what_cannot_be_is_refused_in_plain_words() -> None:
    assert reason(TEXT, Remove(("seed",))) == "there is no seed"
    assert reason(TEXT, Remove(("objects", 2))) == "there is no objects[2]"
    outside = "objects[3] cannot have the position 3 (allowed: 0 to 2)"
    assert reason(TEXT, SetValue(("objects", 3), 1)) == outside
    assert reason(TEXT, SetValue(("level", "x"), 1)) == "level.x cannot be added there"
    assert reason(TEXT, SetValue(("objects", "x"), 1)) == "objects.x cannot be added there"
    assert reason(TEXT, Insert(("level",), 1)) == "level exists already"
    used = "layers.roof exists already"
    assert reason(TEXT, Rename(("layers", "ground"), "roof")) == used
    assert reason(TEXT, Rename(("objects", 0), "x")) == (
        "objects[0] cannot be renamed, because it is an entry of a list"
    )
    outside = "objects[0] cannot have the position 2 (allowed: 0 to 1)"
    assert reason(TEXT, Move(("objects", 0), 2)) == outside
    assert reason(TEXT, Move(("layers", "ground"), -1)) == (
        "layers.ground cannot have the position -1 (allowed: 0 to 1)"
    )
    assert (
        reason(TEXT, Remove(()))
        == "the whole spec can only be replaced, not removed, moved or renamed"
    )


def test_values_that_no_file_can_hold_are_refused() -> None:
    assert reason(TEXT, SetValue(("seed",), float("nan"))) == "seed: nan is not a finite number"
    assert reason(TEXT, SetValue(("seed",), 1 << 63)).endswith("does not fit in 64 bits")
    assert reason(TEXT, SetValue(("x",), [{1: 2}])) == "x[0]: the key 1 is not text"
    assert reason(TEXT, SetValue(("x",), b"")) == "x: a value of type bytes cannot be written"
    assert reason(TEXT, SetValue(("x",), "\x00")) == (
        "x: the text has the character U+0000 (remove it)"
    )


@pytest.mark.parametrize("key", ["\ud800", "a\x00", "\ufffe"])
def test_keys_that_no_file_can_hold_are_refused(key: str) -> None:
    for change in (
        SetValue((key,), 1),
        SetValue(("layers", "ground", key), 1),
        SetValue(("new", key), 1),
        Insert(("layers", key), {"generator": "rooms"}),
        Insert(("objects", 0), {key: 1}),
        Rename(("seed",), key),
        Rename(("layers", "ground"), key),
    ):
        assert "has the character" in reason(TEXT + "seed: 1\n", change)


def test_a_text_that_cannot_be_read_is_refused_with_its_line() -> None:
    where = "(write the value out where it is used, or as text '&x 2')"
    assert reason("a: 1\nb: &x 2\nc: *x\n", SetValue(("a",), 2)) == (
        f"line 2: anchors are not supported {where}"
    )
    result = changed_spec(b"a: 1\na: 2\n", FILE, [SetValue(("a",), 2)])
    assert isinstance(result, Refused)
    assert result.reason == "line 2: the key 'a' is given twice (first in line 1; remove one)"
    assert (result.problems[0].line, result.problems[0].column) == (2, 1)
    assert reason("a: [1\n", SetValue(("a",), 2)).startswith("line ")
    assert reason(b"a: \xff\n", SetValue(("a",), 2)).startswith("line 1: byte 0xFF is not UTF-8")


def test_a_style_that_cannot_be_changed_in_place_is_refused_with_a_fix() -> None:
    way_out = "(write it on a line of its own, `key: value`)"
    assert reason("? a\n: 1\n? b\n: 2\n", Remove(("a",))) == (
        f"a is written in an unusual style in line 2 {way_out}"
    )
    # At the end of the file the text has no line end; before another key it would have one.
    assert reason("a: 1\nb: |\n  text", Move(("b",), 0)) == (
        "b cannot be changed in place in line 2 (write each key on a line of its own, `key: value`)"
    )


def test_json_stays_json() -> None:
    text = json.dumps(read_document(TEXT.encode(), FILE).data, indent=1)
    changed = after(
        text,
        SetValue(("seed",), {"search": 5}),
        Insert(("objects", 0), {"name": "é\u2028"}),
        Remove(("layers", "ground", "wall_percent")),
        Move(("layers", "roof"), 0),
    )
    assert json.loads(changed) == read_document(changed.encode(), FILE).data
    assert '\n "seed": {"search": 5},\n' in changed
    assert '\n  {\n   "name": "é\\u2028"\n  },\n' in changed


def test_new_keys_of_every_part_of_a_spec_come_in_the_order_of_their_fields() -> None:
    text = (
        "size: [4, 5]\nlayers:\n  a:\n    generator: maze\n    require:\n      min_floor: 0.1\n"
        "      loops: {at_most: 5}\nrequire:\n  max_dead_ends: 3\n  loops: {at_most: 5}\n"
    )
    for path, value, expected in (
        (("require", "connected"), True, "require:\n  connected: true\n  max_dead"),
        (("require", "loops", "at_least"), 1, "  loops: {at_least: 1, at_most: 5}\n"),
        (("layers", "a", "require", "connected"), True, "connected: true\n      min_floor"),
        (("layers", "a", "require", "loops", "equals"), 1, "  loops: {at_most: 5, equals: 1}\nreq"),
    ):
        assert expected in after(text, SetValue(path, value))


def test_a_mapping_in_another_order_is_set_by_moving_its_entries() -> None:
    text = "a:\n  x: {k: 1}  # x\n  # about y\n  y: {k: 0x2}\n  z: 3\n"
    value = {"z": 3, "x": {"k": 5}, "y": {"k": 2}}
    assert after(text, SetValue(("a",), value)) == (
        "a:\n  z: 3\n  x: {k: 5}  # x\n  # about y\n  y: {k: 0x2}\n"
    )


def test_a_wording_is_accepted_only_if_it_means_the_value() -> None:
    text = "a: 1  # c\nb: 2\n"
    assert after(text, Insert(("c",), 3, 1, "c: 0x3 # d")) == "a: 1  # c\nc: 0x3 # d\nb: 2\n"
    assert after(text, Insert(("c",), 3, 1, "d: 3")) == "a: 1  # c\nc: 3\nb: 2\n"
