"""YAML with positions: accepted and refused texts, and the position of a refusal."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading.yaml_reader import MAXIMUM_DEPTH, Document, read_document
from exporter.reading.yaml_scalars import plain_scalar


def read(text: str | bytes) -> Document:
    content = text.encode() if isinstance(text, str) else text
    return read_document(content, "x.level.yaml")


def refusal(text: str | bytes) -> str:
    with pytest.raises(SpecError) as caught:
        read(text)
    return caught.value.problems[0].headline()


def test_every_value_and_key_has_its_position() -> None:
    document = read("size: [64, 40]\nlayers:\n  ground: {rounds: 4}\n")
    assert document.data == {"size": [64, 40], "layers": {"ground": {"rounds": 4}}}
    mark = document.values[("layers", "ground", "rounds")]
    assert (mark.line, mark.column, mark.length) == (2, 19, 1)
    assert document.keys[("layers", "ground")].line == 2
    assert document.problem(("size", 1), "x").column == 12


def test_a_problem_shows_the_line_and_a_caret_under_the_value() -> None:
    document = read("seed: 1\nsize: [64, 99999]\n")
    assert document.problem(("size", 1), "too large").render().split("\n") == [
        "x.level.yaml:2:12: error: too large",
        "    2 | size: [64, 99999]",
        "      |            ^^^^^",
    ]


def test_a_caret_lines_up_under_tabs() -> None:
    document = read("a: {b:\t1}")
    assert document.problem(("a", "b"), "x").render().split("\n")[2] == "      |       \t^"


def test_a_block_mapping_is_pointed_at_by_its_key() -> None:
    assert read("layers:\n  ground: {}\n").problem(("layers",), "x").line == 1


def test_a_missing_entry_is_reported_where_it_should_have_stood() -> None:
    document = read("layers:\n  ground:\n    rounds: 4\n")
    assert document.problem(("layers", "ground", "generator"), "x").line == 2


@each_case(
    ("text", "value"),
    [
        ("4", 4), ("-4", -4), ("+4", 4), ("0", 0), ("0x1F", 31), ("1e3", 1000.0), ("1.5", 1.5),
        (".5", 0.5), ("true", True), ("False", False), ("~", None), ("null", None), ("", None),
        ("12:30:45", "12:30:45"), ("2013-07-09", "2013-07-09"), ("1.2.3", "1.2.3"),
        ("y", "y"), ("truee", "truee"), ("0x", "0x"),
    ],
)  # fmt: skip
def test_plain_scalars_follow_yaml_1_2(text: str, value: object) -> None:
    assert plain_scalar(text) == (value, "")
    assert type(plain_scalar(text)[0]) is type(value)


@each_case(
    ("text", "hint"),
    [
        ("yes", "write true"), ("No", "write false"), ("ON", "write true"), ("off", "write false"),
        ("010", "write 10"), ("0o17", "write 17"), ("1_000", "write 1000"), (".inf", "finite"),
        (".NaN", "finite"), ("1e999", "too large"), ("9" * 5000, "64 bits"),
        ("0x" + "f" * 17, "64 bits"), ("9223372036854775808", "64 bits"),
    ],
)  # fmt: skip
def test_misleading_scalars_are_refused_with_what_to_write(text: str, hint: str) -> None:
    document = read(f"a: {text}\nb: 2")
    assert [problem.line for problem in document.problems] == [1]
    assert hint in document.problems[0].message
    assert document.data["b"] == 2


def test_quoted_text_is_never_misleading() -> None:
    assert read("a: 'yes'\nb: \"010\"\nc: '1_0'").data == {"a": "yes", "b": "010", "c": "1_0"}


def test_misleading_words_may_be_keys() -> None:
    assert read("on: water\nno: 1").data == {"on": "water", "no": 1}


def test_a_duplicate_key_names_the_line_of_the_first() -> None:
    document = read("a: 1\nb: 2\na: 3\n")
    assert document.problems[0].headline() == (
        "x.level.yaml:3:1: error: the key 'a' is given twice (first in line 1; remove one)"
    )


@each_case(
    ("text", "said"),
    [
        ("a: &x 1\nb: *x", "anchors are not supported"),
        ("a: &a [*a]", "anchors are not supported"),
        ("a: *x", "aliases are not supported"),
        ("a: !!binary aGk=", "tags are not supported"),
        ("a: 1\n---\nb: 2", "a second document"),
        ("? [a]\n: 1", "the key is a list or a mapping (use text as the key)"),
        ("a: [1", "1:"),
        ("\ta: 1", "a tab cannot indent"),
        (b"a: \xff", "not UTF-8"),
        (b"a: 1\x00", "U+0000"),
        ("a: \x85\u0007", "U+0007"),
        ("[" * 100_000, f"allowed: {MAXIMUM_DEPTH} levels"),
        ("{a: " * 100_000, f"allowed: {MAXIMUM_DEPTH} levels"),
        ("- " * 100_000, f"allowed: {MAXIMUM_DEPTH} levels"),
        ("a: [" + "1," * 100_001 + "]", "too many values"),
        ("#" + "x" * (1 << 20), "bytes long"),
    ],
)
def test_what_could_harm_is_refused(text: str | bytes, said: str) -> None:
    assert said in refusal(text)


def test_many_faults_end_the_reading_and_not_the_memory() -> None:
    assert "is given twice" in refusal("a: 1\n" * 5000)


def test_a_byte_order_mark_is_dropped() -> None:
    assert read(b"\xef\xbb\xbfa: 1").data == {"a": 1}


def test_windows_line_ends_leave_no_trace() -> None:
    document = read("a: 1\r\nb: x\r\n")
    assert document.data == {"a": 1, "b": "x"}
    assert document.problem(("b",), "m").source == "b: x"


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12),
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(st.from_regex(r"[a-zA-Z_]{1,8}", fullmatch=True), children, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(JSON_VALUES)
def test_json_is_valid_spec_text(value: object) -> None:
    document = read(json.dumps(value, ensure_ascii=False))
    assert document.problems == []
    assert document.data == value


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "ignore")))
def test_any_bytes_are_read_or_refused_with_a_position(content: bytes) -> None:
    try:
        document = read(content)
    except SpecError as error:
        assert all(problem.line >= 1 and problem.column >= 1 for problem in error.problems)
    else:
        assert set(document.keys) <= set(document.values)


YAML_PIECES = st.sampled_from(
    ["a", "b", ": ", "- ", "\n", "  ", "[", "]", "{", "}", ", ", "'", '"', "#", "&x ", "*x", "!t ",
     "| ", "> ", "? ", "---\n", "...\n", "%YAML 1.2\n", "\t", "010", "yes", "1e3", "~", "<<", "é"]
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(st.lists(YAML_PIECES, max_size=30).map("".join))
def test_any_jumble_of_yaml_is_read_or_refused_with_a_position(text: str) -> None:
    try:
        read(text)
    except SpecError as error:
        lines = text.count("\n") + 2
        assert all(1 <= problem.line <= lines for problem in error.problems)
