"""JSON is valid spec text, whichever program wrote it."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading.yaml_reader import Document, read_document

# What `NOT_TEXT` lets through.
CHARACTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | (
    st.sampled_from("\t\n\r\x7f\x80")
)
VALUES: Any = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(CHARACTERS, max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(CHARACTERS, max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


def read(text: str) -> Document:
    return read_document(text.encode(), "a.level.json")


@given(
    data=st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3),
    indent=st.sampled_from([None, 0, 2, "\t"]),
    colon=st.sampled_from([":", ": ", ":\t", " : "]),
)
@settings(deadline=None, max_examples=80)
def test_what_json_wrote_is_read_back(data: dict[str, Any], indent: Any, colon: str) -> None:
    text = json.dumps(data, indent=indent, separators=(",", colon))
    document = read(text)
    assert document.data == data
    assert document.problems == []
    assert read(text.replace("\n", "\r\n")).data == data


def test_places_are_counted_in_characters_of_the_file() -> None:
    document = read('{"a": "\\ud83d\\ude00", "b": 1,\n\t"c":\t[2,\n 33]}')
    assert document.data == {"a": "\U0001f600", "b": 1, "c": [2, 33]}
    reported = {
        path: (mark.line, mark.column, mark.length) for path, mark in document.values.items()
    }
    assert reported[("b",)] == (0, 27, 1)
    assert reported[("c",)] == (1, 6, 1)
    assert reported[("c", 1)] == (2, 1, 2)
    assert document.keys[("c",)].column == 1


@each_case(
    ("text", "said"),
    [
        ('{"a": "\\ud83d"}', "1:8: error: \\ud83d is no character"),
        ('{"a": 1,\n"a": 2}', "2:1: error: the key 'a' is given twice"),
        ('{"a": ' + "[" * 40 + "]" * 40 + "}", "nested too deeply"),
        ('{"a": ' + "9" * 30 + "}", "does not fit in 64 bits"),
        ('{"a": [1,\n}', "1:7: error: this [ is closed by } in line 2"),
    ],
)
def test_faults_of_json_are_reported_as_those_of_yaml(text: str, said: str) -> None:
    try:
        reported = "\n".join(problem.headline() for problem in read(text).problems)
    except SpecError as error:
        reported = str(error)
    assert said in reported
