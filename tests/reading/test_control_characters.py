"""Texts of a spec hold only characters that every output can; others are errors."""

from __future__ import annotations

import json

import pytest

from cases import each_case
from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level
from exporter.reading.yaml_reader import read_document

REFUSED = ["\0", "\x01", "\x08", "\x0b", "\x0c", "\x0e", "\x1b", "\x1f", "\ufffe", "\uffff"]
ALLOWED = ["\t", "\n", "\r", " ", "\x7f", "\x80", "\ufffd", "\U0001f5dd", "\ud7ff", "\ue000"]


def problems(text: str) -> list[str]:
    return [
        f"{problem.line}:{problem.column}: {problem.message}"
        for problem in read_document(text.encode(), "a.level.yaml").problems
    ]


@each_case("character", REFUSED)
def test_an_escaped_character_that_is_no_text_is_refused_at_its_position(character: str) -> None:
    message = (
        f"the text has the character U+{ord(character):04X} (remove it, write "
        "\\\\ for a backslash, or use single quotes)"
    )
    escaped = f'"a\\u{ord(character):04x}b"'
    assert problems(f"a: 1\nb:\n  - {escaped}") == [f"3:5: {message}"]
    assert problems(f"a: 1\n{escaped}: 2") == [f"2:1: {message}"]
    assert problems(json.dumps({"a": f"x{character}"})) == [f"1:7: {message}"]
    assert problems(json.dumps({f"x{character}": 1})) == [f"1:2: {message}"]


@each_case("character", ALLOWED)
def test_other_escaped_characters_are_read(character: str) -> None:
    document = read_document(json.dumps({"a": f"x{character}"}).encode(), "a.level.json")
    assert document.problems == []
    assert document.data == {"a": f"x{character}"}


@pytest.mark.parametrize("escaped", ['"\\ud800"', '"\\udfff"', '"a\\ud83d b"'])
def test_half_a_character_is_an_error(escaped: str) -> None:
    for text in (f"a: {escaped}", f'{{"a": {escaped}}}'):
        try:
            result = read_document(text.encode(), "a.level.json").problems
        except SpecError as error:
            result = list(error.problems)
        assert [item.line for item in result] == [1]


@each_case(
    "line",
    [
        'properties: {note: "a\\0b"}',
        'objects: [{name: chest, properties: {note: "\\e[31m"}}]',
        'objects: [{name: chest, properties: {"a\\0": 1}}]',
        'tables: {t: {columns: {a: text}, rows: [["a\\0"]]}}',
        'seed: "a\\0b"',
    ],
)
def test_no_text_of_a_spec_may_have_them(line: str) -> None:
    spec = f"size: [8, 8]\nlayers: {{a: {{generator: blank}}}}\n{line}\n"
    with pytest.raises(SpecError, match=r"the text has the character U\+00(00|1B)") as caught:
        parse_level(spec.encode(), "a.level.yaml")
    assert caught.value.line == 3
