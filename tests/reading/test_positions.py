"""Where a fault is pointed at, and that none hides another."""

from __future__ import annotations

import pytest

from cases import each_case
from exporter.model.errors import Problem, SpecError
from exporter.reading.json_text import is_json
from exporter.reading.yaml_reader import Document, read_document, settled


def read(text: str | bytes) -> Document:
    return read_document(text if isinstance(text, bytes) else text.encode(), "x.level.yaml")


def refused(text: str | bytes) -> Problem:
    with pytest.raises(SpecError) as caught:
        read(text)
    return caught.value.problems[0]


@each_case(
    ("text", "line", "column"),
    [
        (b"a: 1\nb: \xff", 2, 4),
        (b"\xff", 1, 1),
        (b"\n\xff", 2, 1),
        ("a: 1\nbb: &x 1", 2, 5),
        ("a: 1\nbb: *x", 2, 5),
        ("a: 1\nbb: !t 1", 2, 5),
        ("a: 1\n---\nb: 2", 2, 1),
        ("a: 1\n? [x]\n: 1", 2, 3),
        ("a: 1\n\tb: 1", 2, 1),
        ("a: [1\nb: 2", 1, 4),
    ],
)
def test_what_ends_the_reading_is_reported_at_its_position(
    text: str | bytes, line: int, column: int
) -> None:
    problem = refused(text)
    assert (problem.file, problem.line, problem.column) == ("x.level.yaml", line, column)


def test_a_byte_that_is_not_utf8_is_named() -> None:
    assert refused(b"a: \xfe").message == "byte 0xFE is not UTF-8 (save the file as UTF-8)"


def test_the_parsers_words_are_not_displayed() -> None:
    assert refused("a: [1\nb: 2").message == "this bracket is never closed (] is missing)"
    assert refused("a:\n\tb: 1").message == "a tab cannot indent YAML (use spaces)"
    assert "tab" not in refused("a: @x").message


def test_a_caret_underlines_a_value_and_no_more() -> None:
    document = read('a: "four"\nb: [1, 23]\nc: |\n  text\n  more\n')
    lengths = {path: mark.length for path, mark in document.values.items()}
    assert lengths[("a",)] == 6
    assert lengths[("b", 1)] == 2
    assert lengths[("c",)] == 1
    assert document.keys[("c",)].length == 1
    (line, caret) = document.problem(("b", 1), "m").render().split("\n")[1:]
    assert line == "    2 | b: [1, 23]"
    assert caret == "      |        ^^"


def test_an_empty_value_is_pointed_at_with_one_character() -> None:
    assert read("a:\nb: 1").problem(("a",), "m").length == 1


def test_a_path_that_is_not_there_is_shortened_to_what_is() -> None:
    document = read("a: 1\nb:\n  - x: 1\n  - y: 2\n")
    assert document.problem(("b", 1, "z", 5), "m").line == 4
    assert document.problem(("b", 7), "m").line == 2
    assert document.problem(("c", "d"), "m").line == 1
    assert read("# nothing\n").problem(("a",), "m").line == 1


def test_a_key_is_pointed_at_where_it_is_at_fault() -> None:
    document = read("a: 1\nb: {c: 2}\nd:\n  e: 3\n")
    assert document.problem(("b", "c"), "m", at_key=True).column == 5
    assert document.problem(("b", "c"), "m").column == 8
    assert document.problem(("b", "gone"), "m", at_key=True).column == 4
    # A mapping that begins in a later line than its key is pointed at by the key, a value never.
    assert (document.problem(("d",), "m").line, document.problem(("d",), "m").column) == (3, 1)
    assert document.problem(("b",), "m").column == 4
    late = read("a:\n  5\n")
    assert (late.problem(("a",), "m").line, late.problem(("a",), "m").column) == (2, 3)


def test_values_are_got_by_their_path() -> None:
    document = read("a: [5, {b: 6}]\n")
    assert document.get(()) == {"a": [5, {"b": 6}]}
    assert document.get(("a", 0)) == 5
    assert document.get(("a", 1, "b")) == 6
    for path in (("b",), ("a", 2), ("a", "b"), ("a", 0, "c"), ("a", 0, 0), ("a", 1, "c")):
        assert document.get(path) is None


def test_the_last_of_two_equal_keys_counts_and_the_first_keeps_its_position() -> None:
    document = read("a: 1\na: 2\na: 3\n")
    assert [problem.message for problem in document.problems] == [
        "the key 'a' is given twice (first in line 1; remove one)"
    ] * 2
    assert document.data == {"a": 3}
    assert document.keys[("a",)].line == 0


def test_faults_are_reported_in_the_order_of_the_file_and_each_once() -> None:
    document = read("a: 1\n")
    faults = [
        Problem("late", "x", 2, 1),
        Problem("first", "x", 1, 5),
        Problem("second", "x", 1, 5),
        Problem("first", "x", 1, 5),
        Problem("left", "x", 1, 2),
    ]
    reported = [item.message for item in settled(document, faults)]
    assert reported == ["left", "first", "second", "late"]


def test_a_misleading_scalar_is_reported_unless_something_better_is_said_of_it() -> None:
    document = read("a: yes\nb: no\nb: 3\n")
    refused_value = document.problem(("a",), "write true")
    reported = [item.message for item in settled(document, [refused_value])]
    assert reported[0] == "write true"
    assert [message[:20] for message in reported[1:]] == [
        "'no' can be read as ",
        "the key 'b' is given",
    ]


@each_case(
    ("text", "json"),
    [
        ('{"a": 1}', True),
        ('\n\t {"a": "\\ud83d\\ude00"}', True),
        ('{"a": "\\ud83d"}', False),
        ('{"a": "\\\\ud83d"}', True),
        ('{"a": "x", "b\\udc00": 1}', False),
        ("[1]", False),
        ("a: {b: 1}", False),
        ("{a: 1}", False),
        ('{"a": NaN}', False),
        ('{"a": Infinity}', False),
        ('{"a": 1} x', False),
        ("[" * 100_000, False),
        ('{"a": ' * 100_000, False),
        ("", False),
    ],
)
def test_what_is_json_is_read_as_json(text: str, json: bool) -> None:
    assert is_json(text) == json


def test_places_in_json_are_those_of_the_text() -> None:
    document = read('{\n  "a": [1,\r\n\t22, "x,}:"],\n  "b": {"c": null}, "d": -1.5e3}')
    assert document.data == {"a": [1, 22, "x,}:"], "b": {"c": None}, "d": -1500.0}
    result = {path: (mark.line, mark.column, mark.length) for path, mark in document.values.items()}
    assert result == {
        (): (0, 0, 1),
        ("a",): (1, 7, 1),
        ("a", 0): (1, 8, 1),
        ("a", 1): (2, 1, 2),
        ("a", 2): (2, 5, 6),
        ("b",): (3, 7, 1),
        ("b", "c"): (3, 13, 4),
        ("d",): (3, 25, 6),
    }
    keys = {path: (mark.line, mark.column, mark.length) for path, mark in document.keys.items()}
    assert keys == {("a",): (1, 2, 3), ("b",): (3, 2, 3), ("b", "c"): (3, 8, 3), ("d",): (3, 20, 3)}


@each_case(
    ("text", "value", "words"),
    [
        ("Yes", "Yes", "write true"),
        ("OFF", "OFF", "write false"),
        ("-010", "-010", "write 10"),
        ("+00", "+00", "write 0,"),
        ("0_7", "0_7", "write 7"),
        ("0o17", "0o17", "write 17"),
        ("1_0", "1_0", "write 10"),
        ("-1_000_", "-1_000_", "write -1000"),
        ("-.inf", "-.inf", "not a finite number"),
        (".nan", ".nan", "not a finite number"),
        ("1e400", 0.0, "too large a number"),
    ],
)
def test_text_that_other_readers_take_for_something_else_says_what_to_write(
    text: str, value: object, words: str
) -> None:
    document = read(f"a: {text}")
    assert document.data == {"a": value}
    (problem,) = document.problems
    assert words in problem.message
    assert text in problem.message


@each_case(
    ("text", "value"),
    [
        ("Null", None), ("NULL", None), ("TRUE", True), ("True", True), ("FALSE", False),
        ("0x0", 0), ("0xAbC", 0xABC), ("-0", 0), ("1.", 1.0), ("-.5e-1", -0.05), ("+1.5", 1.5),
        ("1E2", 100.0), ("nULL", "nULL"), ("tRUE", "tRUE"), ("0b1", "0b1"), ("1e", "1e"),
        ("_1", "_1"), ("x_1", "x_1"), (".", "."), ("08a", "08a"), ("ye", "ye"),
    ],
)  # fmt: skip
def test_all_other_scalars_are_what_they_look_like(text: str, value: object) -> None:
    document = read(f"a: {text}")
    assert document.data["a"] == value
    assert type(document.data["a"]) is type(value)
    assert document.problems == []
