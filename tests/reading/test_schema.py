"""The JSON Schema agrees with the reader, as far as a schema can."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from cases import each_case
from exporter.generators import GENERATORS
from exporter.reading.reader import parse_level
from exporter.reading.schema import level_schema


@cache
def validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    return jsonschema.Draft7Validator(level_schema())


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
    result = [part for part in parts(level_schema()) if "patternProperties" in part]
    assert result
    for part in result:
        assert part["additionalProperties"] is False


def test_every_option_of_objects_is_in_one_group_and_those_of_layers_in_at_most_one() -> None:
    properties = level_schema()["properties"]
    kinds = [kind["then"] for kind in properties["layers"]["additionalProperties"]["allOf"]]
    objects = properties["objects"]["items"]
    for part in (objects, *kinds):
        grouped = [name for names in part["x-groups"].values() for name in names]
        assert set(grouped) <= set(part["properties"])
        assert len(grouped) == len(set(grouped))
    assert len(objects["properties"]) == 1 + sum(map(len, objects["x-groups"].values()))


def test_lengths_are_said_in_the_words_of_their_type() -> None:
    for part in parts(level_schema()):
        if part.get("type") == "object" and isinstance(part.get("type"), str):
            assert not {"minItems", "maxItems", "minLength"} & part.keys()


BASE: dict[str, Any] = {"size": [9, 9], "layers": {"a": {"generator": "maze"}}}


@each_case(
    "change",
    [
        {"size": [0, 9]},
        {"size": [9]},
        {"seed": 1.5},
        {"colour": 1},
        {"layers": {"a": {"generator": "mase"}}},
        {"layers": {"a": {}}},
        {"layers": {"a": {"generator": "maze", "braid_percent": 101}}},
        {"layers": {"a": {"generator": "maze", "brade": 1}}},
        {"layers": {"a b": {"generator": "maze"}}},
        {"layers": {"a": {"generator": "from_image", "image": "a", "colors": {"red": {}}}}},
        {"tables": {"t": {"columns": {"a": "txt"}, "rows": []}}},
        {"puzzles": {"p": {"kind": "sudoku", "clues": 16}}},
        {"objects": [{"count": 1}]},
        {"visibility": {"algorithm": "x"}},
        {"tileset": {"imag": "x.png"}},
        {"tileset": {"tile_size": 0}},
        {"layers": {"a": {"generator": "maze", "size": [0, 9]}}},
        {"layers": {"a": {"generator": "maze", "recipe": 0}}},
        {"layers": {"a": {"generator": "maze", "require": {"min_flor": 1}}}},
        {"tables": {"t": {"columns": {"a": "text"}, "row": []}}},
        {"tables": {"a b": {"columns": {"a": "text"}, "rows": []}}},
        {"puzzles": {"p": {"clues": 30}}},
        {"puzzles": {"p": {"kind": "sudokuu"}}},
        {"properties": {"a": [[1]]}},
        {"properties": {"a": {}}},
        {"properties": {"a": {"color": "#ff0000", "object": "b"}}},
        {"level": "a b"},
        {"layers": []},
        {"require": {"farthes": {"at_least": 3}}},
        {"require": {"farthest": 3}},
        {"require": {"farthest": {}}},
        {"require": {"farthest": {"atleast": 3}}},
        {"require": {"objects": {"at_least": 3}}},
        {"require": {"objects.a-b": {"at_least": 3}}},
        {"require": {"distance.a": {"at_least": 3}}},
        {"require": {"reachable.far": {"at_least": 0.3}}},
        {"require": {"seeds": {"of": 0}}},
        {"layers": {"a": {"generator": "maze", "require": {"cover": {"at_least": 1}}}}},
        {"layers": {"a": {"generator": "maze", "require": {"seeds": {"of": 9}}}}},
        {"layers": {"a": {"generator": "maze", "require": {"objects.a": {"equals": 1}}}}},
        {"budget": {"blob": "20 km"}},
        {"budget": {"blob": 0}},
        {"budget": {"lvb": 20}},
        {"layers": {"a": 5}},
        {"puzzles": {"p": 5}},
    ],
)
def test_what_the_reader_refuses_the_schema_refuses(change: dict[str, Any]) -> None:
    assert validator().is_valid(BASE)
    assert not validator().is_valid(json.loads(json.dumps({**BASE, **change})))


@each_case(
    "change",
    [
        {},
        {"layers": {"a": {"generator": "maze", "size": [9, 9], "recipe": 1}}},
        {
            "layers": {
                "a": {"generator": "maze", "require": {"connected": True}, "braid_percent": 5}
            }
        },
        {"layers": {}, "seed": "text", "rng": "dotnet", "level": "crypt"},
        {"visibility": {"algorithm": "raycast", "radius": 3, "see_walls": True}},
        {"objects": [{"name": "a", "count": 2}]},
        {"tables": {"t": {"columns": {"a": "text"}, "rows": [["x"]]}}},
        {"puzzles": {"p": {"kind": "sudoku", "clues": 30}}},
        {"tileset": {"image": "x.png", "tiles": {"floor": [1, 2], "wall": None}}},
        {"properties": {"a": 1, "b": None, "c": "x", "d": 0.5, "e": True}},
        {"layers": {"a": {"generator": "maze", "require": {"loops": {"equals": 0}}}}},
        {"layers": {"a": {"generator": "maze", "require": {"reachable.9": {"at_least": 0.1}}}}},
        {
            "objects": [{"name": "a"}, {"name": "b-c"}],
            "require": {
                "connected": True,
                "farthest": {"at_least": 3, "at_most": 40.5},
                "objects.a": {"equals": 1},
                "objects.'b-c'": {"equals": 1},
                "distance.a.'b-c'": {"at_least": 3},
                "critical_path": {"at_least": 3},
                "critical_path.a.a": {"at_least": 3},
                "seeds": {"of": 100, "at_least": 0.5},
            },
        },
        {"budget": {"blob": "20 kB", "outputs": "1.5MiB"}},
        {"budget": {"blob": 20}},
    ],
)
def test_what_the_reader_takes_the_schema_takes(change: dict[str, Any]) -> None:
    document = json.loads(json.dumps({**BASE, **change}))
    validator().validate(document)
    parse_level(json.dumps(document).replace("dotnet", "portable").encode(), "x.level.yaml")


def test_editors_can_read_the_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = level_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert schema["title"] == "Level Exporter level spec"
    assert schema["required"] == ["size"]
    assert list(schema["definitions"]) == sorted(schema["definitions"])
    # Editors show these words, and complete the names to choose from.
    for name in ("layers", "tileset", "visibility", "seed"):
        assert schema["properties"][name]["description"]
    algorithms = schema["definitions"]["VisibilityParameters"]["properties"]["algorithm"]
    assert {"symmetric", "shadowcast", "raycast"} <= set(algorithms["enum"])
    references = {part["$ref"] for part in parts(schema) if "$ref" in part}
    assert {f"#/definitions/{name}" for name in schema["definitions"]} >= references
    assert "VisibilityParameters" in schema["definitions"]


def test_every_layer_says_what_it_is_and_takes_the_common_keys() -> None:
    kinds = level_schema()["properties"]["layers"]["additionalProperties"]
    assert kinds["required"] == ["generator"]
    for choice in kinds["allOf"]:
        then = choice["then"]
        assert choice["if"]["properties"] == {"generator": {"const": then["title"]}}
        assert choice["if"]["required"] == ["generator"]
        assert then["description"]
        assert {"generator", "size", "recipe", "require"} <= then["properties"].keys()
        assert then["required"][0] == "generator"
        assert then["properties"]["generator"] == {"const": then["title"]}


def test_a_layer_is_described_as_its_generator_and_with_the_package_it_comes_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def descriptions() -> dict[str, str]:
        kinds = level_schema()["properties"]["layers"]["additionalProperties"]["allOf"]
        return {kind["then"]["title"]: kind["then"]["description"] for kind in kinds}

    summaries = {name: GENERATORS.get(name).summary for name in GENERATORS.names()}
    assert descriptions() == summaries
    monkeypatch.setattr(
        GENERATORS, "origin", lambda name: "odd-pack 1.0" if name == "maze" else None
    )
    assert descriptions() == summaries | {"maze": f"{summaries['maze']} (odd-pack 1.0)"}
