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
    (told,) = node.query(PROGRAM, {"excalibur": str(excalibur), "project": project})
    return told


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


def test_every_cell_of_a_grid_has_its_value_and_every_object_its_place(
    node: Node, excalibur_ldtk: Path
) -> None:
    level = awkward_level()
    ground = replace(level.layers["ground"], role="data")
    level = replace(level, layers={**level.layers, "ground": ground})
    told = load(node, excalibur_ldtk, level)
    assert told["size"] == [37 * 16, 23 * 16]
    found = {layer["name"]: layer for layer in told["layers"]}
    assert list(found) == ["objects", "m_rks_2", "ground"] or set(found) == {
        "ground",
        "m_rks_2",
        "objects",
    }
    assert [found[name]["visible"] for name in ("ground", "m_rks_2")] == [False, True]
    for name, layer in zip(("ground", "m_rks_2"), level.tile_layers(), strict=True):
        assert found[name]["grid"] == values(layer)
    objects = found["objects"]["entities"]
    assert [(one["name"], *one["px"]) for one in objects] == [
        (thing.name, thing.x * 16, thing.y * 16) for thing in level.objects
    ]
    for one, thing in zip(objects, level.objects, strict=True):
        assert {key: one["fields"].get(key) for key in thing.properties} == dict(thing.properties)


@pytest.mark.parametrize("extrude", [0, 2])
def test_every_cell_is_drawn_with_the_tile_it_has(
    node: Node, excalibur_ldtk: Path, extrude: int
) -> None:
    level = awkward_level()
    told = load(node, excalibur_ldtk, level, tiles=True, extrude=extrude)
    tileset = level_tileset(level, extrude)
    found = {layer["name"]: layer["map"] for layer in told["layers"] if layer["type"] == "Tiles"}
    for layer, drawn in zip(level.tile_layers(), found.values(), strict=True):
        assert drawn["at"] == [0, 0]
        assert drawn["tiles"] == views(tileset, tileset.numbers(layer))


def test_layers_between_the_cells_lie_half_a_tile_up_and_left(
    node: Node, excalibur_ldtk: Path
) -> None:
    level = terrain_level("isle", 9, 12)
    told = load(node, excalibur_ldtk, level, tiles=True)
    tileset = level_tileset(level, 0)
    drawings = [one for layer in level.seen_layers() for one in tileset.drawings(layer)]
    assert any(drawing.between_cells for drawing in drawings)
    maps = [layer["map"] for layer in told["layers"] if layer["type"] == "Tiles"]
    for drawing, found in zip(drawings, maps, strict=True):
        assert found["at"] == [tileset.offset(drawing)] * 2
        assert found["tiles"] == views(tileset, drawing.numbers)
