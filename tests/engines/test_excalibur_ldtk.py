"""LDtk projects in Excalibur, whose plugin accepts only the form of LDtk 1.5.3."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_harness import Node
from engine_harness.levels import awkward_level
from exporter.model.level import Layer, Level
from exporter.targets import TARGETS
from exporter.tilesets import Tileset, level_tileset
from terrain_sheets import terrain_level

PROGRAM = Path(__file__).parent / "javascript" / "load_ldtk_in_excalibur.mjs"


def load(node: Node, excalibur: Path, level: Level, **options: Any) -> Any:
    """A game's view of a level's project."""
    target = TARGETS.get("ldtk")
    chosen = target.options(path="levels", forms=("project",), **options)
    files = {file.name: file.data for file in target.export(level, chosen, "levels").artifacts}
    project = files[f"{level.name}.ldtk"].decode()
    (reported,) = node.query(PROGRAM, {"excalibur": str(excalibur), "project": project})
    return reported


def values(layer: Layer) -> list[int]:
    """Return the values of an IntGrid: ids and one more, 0 for ids without a meaning."""
    known = {tile.id for tile in layer.tiles}
    return [cell + 1 if cell in known else 0 for cell in layer.cells.ravel().tolist()]


def views(tileset: Tileset, numbers: np.ndarray) -> list[list[list[int]]]:
    """Which part of the tileset's picture is seen in every cell."""
    size = tileset.tile_size
    return [
        [[*tileset.corner(number), size, size]] if number >= 0 else []
        for number in numbers.ravel().tolist()
    ]


def test_every_cell_of_a_grid_has_its_value_and_every_object_its_position(
    node: Node, excalibur_ldtk: Path
) -> None:
    level = awkward_level()
    ground = replace(level.layers["ground"], role="data")
    level = replace(level, layers={**level.layers, "ground": ground})
    reported = load(node, excalibur_ldtk, level)
    assert reported["size"] == [37 * 16, 23 * 16]
    result = {layer["name"]: layer for layer in reported["layers"]}
    assert list(result) == ["objects", "m_rks_2", "ground"] or set(result) == {
        "ground",
        "m_rks_2",
        "objects",
    }
    assert [result[name]["visible"] for name in ("ground", "m_rks_2")] == [False, True]
    for name, layer in zip(("ground", "m_rks_2"), level.tile_layers(), strict=True):
        assert result[name]["grid"] == values(layer)
    objects = result["objects"]["entities"]
    assert [(item["name"], *item["px"]) for item in objects] == [
        (thing.name, thing.x * 16, thing.y * 16) for thing in level.objects
    ]
    for item, thing in zip(objects, level.objects, strict=True):
        assert {key: item["fields"].get(key) for key in thing.properties} == dict(thing.properties)


@pytest.mark.parametrize("extrude", [0, 2])
def test_every_cell_is_drawn_with_the_tile_it_has(
    node: Node, excalibur_ldtk: Path, extrude: int
) -> None:
    level = awkward_level()
    reported = load(node, excalibur_ldtk, level, tiles=True, extrude=extrude)
    tileset = level_tileset(level, extrude)
    result = {
        layer["name"]: layer["map"] for layer in reported["layers"] if layer["type"] == "Tiles"
    }
    for layer, drawn in zip(level.tile_layers(), result.values(), strict=True):
        assert drawn["at"] == [0, 0]
        assert drawn["tiles"] == views(tileset, tileset.numbers(layer))


def test_layers_between_the_cells_lie_half_a_tile_up_and_left(
    node: Node, excalibur_ldtk: Path
) -> None:
    level = terrain_level("isle", 9, 12)
    reported = load(node, excalibur_ldtk, level, tiles=True)
    tileset = level_tileset(level, 0)
    drawings = [item for layer in level.seen_layers() for item in tileset.drawings(layer)]
    assert any(drawing.between_cells for drawing in drawings)
    maps = [layer["map"] for layer in reported["layers"] if layer["type"] == "Tiles"]
    for drawing, result in zip(drawings, maps, strict=True):
        assert result["at"] == [tileset.offset(drawing)] * 2
        assert result["tiles"] == views(tileset, drawing.numbers)
