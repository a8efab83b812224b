"""Texts that try to end a quote, a tag or a section: engines load them unchanged."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from engine_harness import Godot, Tiled
from engine_harness.godot import READ_SCENE
from engine_harness.levels import write_level
from exporter import read_blob, read_table, write_blob, write_table
from exporter.build.build import build_level
from exporter.model.level import Level
from exporter.reading.reader import parse_level
from exporter.targets import TARGETS

TEXTS = {
    "quotes": "\"a\" 'b' `c`",
    "backslashes": '\\"\\n\\\\',
    "section": 'x"\n[node name="evil" type="Node2D" parent="."]\nscript = ExtResource("9")\n',
    "resource": 'res://"evil".gd',
    "expression": 'Object(Node,"script":null)',
    "element": '"/><property name="evil" value="1"/>',
    "character_data": "<![CDATA[ ]]> <!-- -- --> &amp; &#0; <?php ?>",
    "template": "${evil} $(evil) %s {0} {{evil}}",
    "json": '"}, {"name": "evil"}, {"',
    "space": " \tleading, tab\t and trailing ",
    "lines": "one\ntwo\n\nfour",
    "separators": "next\u0085line\u2028paragraph\u2029end",
    "beyond": "\U0001f5dd \uffe6 e\u0301 \u202eturned\u202c \u200b\ufeff",
    "controls": "\u007f\u0080\u009f",
    "formula": "=1+1",
    "empty": "",
}
NUMBERS = {"huge": 1e308, "tiny": 5e-324, "long": 2**63 - 1, "low": -(2**63), "neg": -0.5}
RETURNS = {"return": "one\rtwo\r\nthree"}


def spec_of(properties: dict[str, Any]) -> bytes:
    return json.dumps(
        {
            "level": "hostile",
            "size": [6, 4],
            "layers": {"ground": {"generator": "blank", "border": 1}},
            "objects": [{"name": "chest", "at": [2, 2], "properties": properties}],
            "tables": {
                "texts": {
                    "columns": {"name": "text", "value": "text"},
                    "rows": [[name, value] for name, value in TEXTS.items()],
                }
            },
            "properties": properties,
        }
    ).encode()


def level_of(properties: dict[str, Any]) -> Level:
    return build_level(parse_level(spec_of(properties), "hostile.level.yaml"))


@pytest.fixture(scope="module")
def scene(godot: Godot, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    project = godot.new_project(tmp_path_factory.mktemp("hostile"))
    write_level("godot", level_of(TEXTS | NUMBERS | RETURNS), project / "levels")
    godot.import_project(project)
    path = "res://levels/hostile.tscn"
    answers: dict[str, Any] = godot.query(project, READ_SCENE, {"scenes": [path]})
    return answers[path]


def test_godot_has_every_text_of_a_level_and_of_an_object(scene: dict[str, Any]) -> None:
    (chest,) = scene["objects"]
    for meta in (scene["meta"]["properties"], chest["meta"]["properties"]):
        assert {name: meta.get(name) for name in TEXTS} == TEXTS
        assert {name: meta.get(name) for name in RETURNS} == RETURNS
        assert meta["huge"] == 1e308
    assert len(scene["layers"]) == 1


def test_tiled_reads_every_text_of_both_its_languages(tiled: Tiled, tmp_path: Path) -> None:
    level = level_of(TEXTS | NUMBERS | RETURNS)
    plain = level_of({})
    pictures = []
    for item, folder in ((level, tmp_path / "hostile"), (plain, tmp_path / "plain")):
        write_level("tiled", item, folder, languages=("json", "xml"))
        pictures += [tiled.rasterize(folder / f"hostile.{suffix}") for suffix in ("tmj", "tmx")]
    for picture in pictures:
        np.testing.assert_array_equal(picture, pictures[0])


def test_every_text_lies_in_the_maps_as_it_was_given(tmp_path: Path) -> None:
    level = level_of(TEXTS | NUMBERS | RETURNS)
    write_level("tiled", level, tmp_path, languages=("json", "xml"))
    document = json.loads((tmp_path / "hostile.tmj").read_bytes(), parse_constant=refuse)
    result = {item["name"]: item["value"] for item in document["properties"]}
    assert {name: result[name] for name in TEXTS | RETURNS} == TEXTS | RETURNS
    assert result["huge"] == 1e308
    assert result["long"] == str(2**63 - 1), "Tiled's integers have 32 bits"
    root = ElementTree.parse(tmp_path / "hostile.tmx").getroot()
    for owner in (root, root.find("objectgroup/object")):
        assert owner is not None
        read = {
            item.get("name"): item.get("value", item.text or "")
            for item in owner.findall("properties/property")
        }
        assert {name: read[name] for name in TEXTS | RETURNS} == TEXTS | RETURNS


def refuse(word: str) -> Any:
    raise AssertionError(f"{word} is not JSON")


def test_every_output_of_every_engine_is_text_that_strict_readers_read(tmp_path: Path) -> None:
    level = level_of(TEXTS | NUMBERS | RETURNS)
    for engine in TARGETS.built_in():
        write_level(engine, level, tmp_path / engine)
    read: set[str] = set()
    for path in sorted(tmp_path.rglob("*")):
        if path.suffix in (".json", ".tmj", ".tsj"):
            json.loads(path.read_bytes(), parse_constant=refuse)
            read.add(path.suffix)
        elif path.suffix in (".xml", ".xsd"):
            ElementTree.parse(path)
            read.add(path.suffix)
    assert read == {".json", ".tmj", ".tsj", ".xml", ".xsd"}


def test_every_text_of_a_table_comes_back_from_every_kind_of_file(tmp_path: Path) -> None:
    table = level_of({}).tables["texts"]
    for path in write_table(table, tmp_path):
        if path.suffix != ".xsd":
            assert read_table(path, name="texts") == table, path.suffix


def test_a_blob_holds_every_text() -> None:
    level = level_of(TEXTS | NUMBERS)
    read = read_blob(write_blob(level))
    assert read.properties == level.properties
    assert read.objects == level.objects
    assert read.tables == level.tables


def test_names_that_godot_cannot_tell_apart_keep_their_values(tmp_path: Path) -> None:
    level = level_of({"a-b": 1, "a_b": 2, "seed": 3, "имя": 4, "имю": 5})
    write_level("godot", level, tmp_path)
    lines = (tmp_path / "hostile.tscn").read_text(encoding="utf-8").splitlines()
    properties = '{"a-b": 1, "a_b": 2, "seed": 3, "имя": 4, "имю": 5}'
    assert lines.count(f"metadata/properties = {properties}") == 2
    assert lines.count("metadata/a_b = 2") == 2
    # The level's own metadata keeps its name, and an object has none of that name.
    assert lines.count("metadata/seed = 3") == 1


def test_a_level_created_by_a_program_cannot_break_a_scene(tmp_path: Path) -> None:
    level = replace(level_of({}), properties={"note": "a\0b\x01\ud800", "far": float("inf")})
    write_level("godot", level, tmp_path / "godot", blob=False)
    text = (tmp_path / "godot" / "hostile.tscn").read_text(encoding="utf-8")
    assert 'metadata/note = "a\ufffdb\ufffd\ufffd"' in text.splitlines()
    assert 'metadata/far = "inf"' in text.splitlines()
