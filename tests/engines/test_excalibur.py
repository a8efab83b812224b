"""Tiled maps through the strict reader of Excalibur's plugin."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine_harness import Node, NodeError
from engine_harness.levels import awkward_level
from exporter.model.level import Level
from exporter.targets import TARGETS
from terrain_sheets import terrain_level

PROGRAM = Path(__file__).parent / "javascript" / "parse_in_excalibur.mjs"


def parse(node: Node, excalibur: Path, level: Level, **options: Any) -> tuple[Any, Any]:
    """A level's map, as it is in the file and as the plugin has it."""
    target = TARGETS.get("tiled")
    exported = target.export(level, target.options(path="maps", **options), "maps")
    (text,) = (file.data.decode() for file in exported.artifacts if file.name.endswith(".tmj"))
    result = node.query(PROGRAM, {"excalibur": str(excalibur), "map": text})
    return json.loads(text)["layers"], result


@pytest.mark.parametrize(
    ("options", "form"),
    [
        ({"tilesets": "embedded"}, "numbers"),
        ({"tilesets": "embedded", "infinite": True}, "numbers"),
        ({"infinite": True}, "numbers"),
        ({"encoding": "zlib"}, "encoded"),
        ({"tilesets": "embedded", "encoding": "zlib"}, "encoded"),
    ],
)
def test_excalibur_reads_every_layer(
    node: Node, excalibur: Path, options: dict[str, Any], form: str
) -> None:
    level = awkward_level()
    ground = replace(level.layers["ground"], role="data")
    level = replace(level, layers={**level.layers, "ground": ground})
    written, result = parse(node, excalibur, level, collision="merged", **options)
    assert [layer["name"] for layer in result] == [layer["name"] for layer in written]
    for layer, expected in zip(result, written, strict=True):
        if expected["type"] == "tilelayer":
            assert layer["form"] == form
            assert layer["visible"] is expected["visible"]
            chunks = [chunk["data"] for chunk in expected.get("chunks", [])]
            assert layer["cells"] == (chunks or expected["data"])
        elif expected["name"] == "collision":
            assert layer["polygons"] == [
                [thing["x"], thing["y"], thing["polygon"]] for thing in expected["objects"]
            ]


def test_excalibur_reads_layers_between_the_cells(node: Node, excalibur: Path) -> None:
    level = terrain_level("isle", 9, 12)
    written, result = parse(node, excalibur, level, tilesets="embedded")
    assert [layer["cells"] for layer in result] == [layer["data"] for layer in written]
    assert [len(layer["cells"]) for layer in result] == [108, 108, 130, 130, 108]


def test_excalibur_wants_the_form_of_numbers_to_be_named(node: Node, excalibur: Path) -> None:
    # As Tiled's own files do not; if this fails, the page about Tiled can say so.
    with pytest.raises(NodeError, match="encoding"):
        parse(node, excalibur, awkward_level())
