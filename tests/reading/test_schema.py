"""The JSON Schema says what the reader says, as far as a schema can."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from exporter.generators import GENERATORS
from exporter.reading.schema import level_schema


def parts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from parts(inner)


def test_named_things_are_held_to_the_schema_of_their_kind() -> None:
    properties = level_schema()["properties"]
    for name in ("layers", "tables", "puzzles"):
        # A pattern that catches every name would let anything stand below it.
        assert "patternProperties" not in properties[name]
        assert "properties" in properties[name]["additionalProperties"]
        assert "pattern" in properties[name]["propertyNames"]
    kinds = properties["layers"]["additionalProperties"]
    assert kinds["properties"]["generator"]["enum"] == GENERATORS.names()
    for choice in kinds["allOf"]:
        assert choice["then"]["additionalProperties"] is False


def test_keys_with_a_pattern_are_the_only_ones_allowed() -> None:
    found = [part for part in parts(level_schema()) if "patternProperties" in part]
    assert found
    for part in found:
        assert part["additionalProperties"] is False


def test_lengths_are_said_in_the_words_of_their_type() -> None:
    for part in parts(level_schema()):
        if part.get("type") == "object" and isinstance(part.get("type"), str):
            assert not {"minItems", "maxItems", "minLength"} & part.keys()


BASE: dict[str, Any] = {"size": [9, 9], "layers": {"a": {"generator": "maze"}}}


@pytest.mark.parametrize(
    "change",
    [
        {"size": [0, 9]},
        {"size": [9]},
        {"seed": 1.5},
        {"colour": 1},
        {"layers": {"a": {"generator": "mase"}}},
        {"layers": {"a": {}}},
        {"layers": {"a": {"generator": "maze", "braid": 101}}},
        {"layers": {"a": {"generator": "maze", "brade": 1}}},
        {"layers": {"a b": {"generator": "maze"}}},
        {"layers": {"a": {"generator": "from_image", "image": "a", "colors": {"red": {}}}}},
        {"tables": {"t": {"columns": {"a": "txt"}, "rows": []}}},
        {"puzzles": {"p": {"kind": "sudoku", "clues": 16}}},
        {"objects": [{"count": 1}]},
        {"visibility": {"algorithm": "x"}},
    ],
)
def test_what_the_reader_refuses_the_schema_refuses(change: dict[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft7Validator(level_schema())
    assert validator.is_valid(BASE)
    assert not validator.is_valid(json.loads(json.dumps({**BASE, **change})))
