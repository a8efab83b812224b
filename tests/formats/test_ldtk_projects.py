"""LDtk projects through a third-party reader and our own.

The third-party reader has every key of LDtk's published schema.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pytest
from ldtkpy.api import LdtkJSON, ldtk_json_from_dict

from exporter.formats.ldtk.project import VERSION
from exporter.handmade.ldtk.project import chosen_level, read_project
from exporter.handmade.ldtk.reading import level_map
from exporter.model.level import Layer, Level, PlacedObject, Tile
from exporter.model.world_part import WorldPart
from exporter.targets import TARGETS, Exported
from exporter.tilesets import level_tileset
from terrain_sheets import terrain_level

TILES = (
    Tile(0, "floor", True, False, "#c8b090"),
    Tile(1, "wall", False, True, "#20242880"),
    Tile(9, "sluice gate", True, True, "#3366cc"),
    Tile(11, "sluice-gate", False, True, "#3366cd"),
)


def level_of(cells: np.ndarray, name: str = "crypt", **more: Any) -> Level:
    """A level with one layer."""
    height, width = cells.shape
    layer = Layer("ground", "tiles", cells.astype(np.uint8), "test", tiles=TILES)
    return Level(name, width, height, layers={"ground": layer}, **more)


def sample(**more: Any) -> Level:
    y, x = np.indices((5, 7))
    ids = np.array([0, 1, 9, 11, 200])
    return level_of(ids[(3 * x + 2 * y) % 5], **more)


def export(level: Level, **options: Any) -> Exported:
    target = TARGETS.get("ldtk")
    chosen = target.options(path="levels", **{"forms": ("project",), **options})
    return target.export(level, chosen, "levels")


def project(level: Level, **options: Any) -> tuple[LdtkJSON, dict[str, Any]]:
    """A level's project as the other reader has it, and as it is in the file."""
    files = {file.name: file.data for file in export(level, **options).artifacts}
    document = json.loads(files[f"{level.name}.ldtk"])
    return ldtk_json_from_dict(document), document


def test_another_reader_finds_every_cell() -> None:
    level = sample()
    read, _ = project(level)
    assert read.json_version == VERSION
    (result,) = read.levels
    assert (result.identifier, result.px_wid, result.px_hei) == ("crypt", 7 * 16, 5 * 16)
    (ground,) = result.layer_instances or []
    assert (ground.c_wid, ground.c_hei, ground.type) == (7, 5, "IntGrid")
    cells = level.layers["ground"].cells
    # An id that the legend does not have means nothing.
    expected = np.where(cells == 200, 0, cells.astype(int) + 1)
    assert ground.int_grid_csv == expected.ravel().tolist()


def test_values_have_names_and_colours_as_ldtk_allows_them() -> None:
    read, _ = project(sample())
    (layer,) = read.defs.layers
    known = [
        (int_grid_value.value, int_grid_value.identifier, int_grid_value.color)
        for int_grid_value in layer.int_grid_values
    ]
    assert known == [
        (1, "floor", "#c8b090"),
        (2, "wall", "#202428"),
        (10, "sluice_gate", "#3366cc"),
        (12, "sluice_gate_2", "#3366cd"),
    ]
    assert all(
        int_grid_value.tile is not None and int_grid_value.tile.w == 16
        for int_grid_value in layer.int_grid_values
    )


@pytest.mark.parametrize("tiles", [False, True])
def test_our_own_reader_reads_the_level_back(tiles: bool) -> None:
    level = level_of(np.indices((5, 7)).sum(axis=0) % 2)
    files = {file.name: file.data for file in export(level, tiles=tiles).artifacts}

    def no_file(path: str) -> bytes:
        raise AssertionError(path)

    result = read_project(files["crypt.ldtk"], "crypt.ldtk", no_file)
    drawn = level_map(result, chosen_level(result, None), "ground")
    assert np.array_equal(drawn.layers[0].cells, level.layers["ground"].cells + 1)


def test_what_is_drawn_is_there_only_if_it_is_requested_for() -> None:
    level = sample()
    assert [layer.type for layer in project(level)[0].defs.layers] == ["IntGrid"]
    read, _ = project(level, tiles=True)
    tiles, grid = read.levels[0].layer_instances or []
    assert (tiles.type, grid.type) == ("Tiles", "IntGrid")
    # Every cell but those of the unknown id.
    known = np.argwhere(level.layers["ground"].cells != 200)[:, ::-1] * 16
    assert [tile.px for tile in tiles.grid_tiles] == known.tolist()


def test_pictures_beside_the_cells_are_layers_in_their_order() -> None:
    level = terrain_level("isle", 9, 12)
    read, _ = project(level, tiles=True)
    layers = read.levels[0].layer_instances or []
    names = [layer.identifier for layer in layers]
    assert [layer.identifier for layer in read.defs.layers] == names
    tileset = level_tileset(level, 0)
    drawings = [
        (f"{layer.name}_{drawing.tile or 'tiles'}", tileset.offset(drawing))
        for layer in level.seen_layers()
        for drawing in tileset.drawings(layer)
    ]
    result = [(item.identifier, item.px_offset_x) for item in layers if item.type == "Tiles"]
    assert result == drawings[::-1]
    assert {offset for _, offset in result} == {0, -8}


def test_all_numbers_of_definitions_differ_and_none_is_the_next() -> None:
    thing = PlacedObject(1, "chest", 0, 0, {"gold": 1, "name": "x"})
    read, _ = project(sample(objects=(thing,)), tiles=True)
    entity_fields = chain.from_iterable(entity.field_defs for entity in read.defs.entities)
    numbers = [
        item.uid
        for item in chain(
            read.levels,
            read.defs.layers,
            read.defs.tilesets,
            read.defs.entities,
            read.defs.level_fields,
            entity_fields,
        )
    ]
    assert len(set(numbers)) == len(numbers)
    assert read.next_uid > max(numbers)


def test_a_field_has_a_type_that_holds_all_its_values() -> None:
    reported = [
        {"gold": 1, "weight": 2, "key": 3, "far": 2**40, "name": None},
        {"gold": 2, "weight": 0.5, "key": True, "far": 1.5},
    ]
    things = tuple(PlacedObject(n, "chest", n, 0, item) for n, item in enumerate(reported, 1))
    read, _ = project(sample(objects=things))
    (chest,) = read.defs.entities
    types = {field.identifier: field.type for field in chest.field_defs}
    assert types == {
        "gold": "Int",
        "weight": "Float",
        "key": "String",
        "far": "String",
        "name": "String",
    }
    layer = (read.levels[0].layer_instances or [])[0]
    first, second = layer.entity_instances
    values = [
        {field_instance.identifier: field_instance.value for field_instance in e.field_instances}
        for e in (first, second)
    ]
    assert values == [
        {"gold": 1, "weight": 2.0, "key": "3", "far": str(2**40), "name": None},
        {"gold": 2, "weight": 0.5, "key": "true", "far": "1.5", "name": None},
    ]
    # LDtk reads its own form of them.
    assert first.field_instances[0].real_editor_values == [{"id": "V_Int", "params": [1]}]


def test_pictures_of_large_levels_are_drawn_when_requested_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def pictures(most: int, forms: tuple[str, ...] | None) -> tuple[list[str], set[str], str]:
        monkeypatch.setattr("exporter.targets.ldtk._MOST_DRAWN_UNASKED", most)
        result = export(sample(), forms=forms)
        files = {file.name: file.data for file in result.artifacts}
        reported = json.loads(files["crypt/data.json"])["layers"]
        return reported, set(files), " ".join(map(str, result.warnings))

    messages, files, warning = pictures(35, None)
    assert (messages, warning) == (["ground.png"], "")
    assert "crypt/ground.png" in files
    # No reader looks for missing files, and the user is warned.
    messages, files, warning = pictures(34, None)
    assert messages == []
    assert "crypt/ground.png" not in files
    assert "`forms: [project, simple]`" in warning
    messages, files, warning = pictures(34, ("project", "simple"))
    assert (messages, warning) == (["ground.png"], "")
    assert "crypt/ground.png" in files


def test_names_that_ldtk_forbids_are_changed_and_stay_apart() -> None:
    level = sample(name="2nd crypt")
    ground = level.layers["ground"]
    layers = {name: replace(ground, name=name) for name in ("a b", "a-b", "7")}
    read, _ = project(replace(level, layers=layers))
    assert [layer.identifier for layer in read.defs.layers] == ["_7", "a_b_2", "a_b"]
    assert read.levels[0].identifier == "_2nd_crypt"


def test_a_part_of_a_world_lies_where_it_is_in_the_world() -> None:
    part = WorldPart("isle", (64, 64), 7, 2, 1)
    level = replace(sample(), part=part)
    files = {file.name: file.data for file in export(level).artifacts}
    (result,) = ldtk_json_from_dict(json.loads(files["crypt.ldtk"])).levels
    assert (result.world_x, result.world_y) == (14 * 16, 7 * 16)


def test_a_user_cannot_write_into_the_document_by_names() -> None:
    evil = {
        '": "\0' + "0\0": "\0" + "0\0",
        'gridTiles": "\0' + "0\0": "\0" + "1\0",
        "x": '],"levels":[]',
    }
    thing = PlacedObject(1, 'chest"}', 0, 0, evil)
    read, document = project(sample(objects=(thing,), properties=evil), tiles=True, blob=False)
    assert len(document["levels"]) == 1
    layer = (read.levels[0].layer_instances or [])[0]
    fields = layer.entity_instances[0].field_instances
    assert [field.value for field in fields] == list(evil.values())


def test_too_many_pictures_of_cells_are_left_out_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exporter.targets.ldtk._MOST_TILES", 34)
    result = export(sample(), tiles=True)
    assert result.warnings
    assert "crypt.ldtk has no pictures of cells" in str(result.warnings[0])
    assert not export(sample()).warnings
    read, _ = project(sample(), tiles=True)
    assert [layer.type for layer in read.defs.layers] == ["IntGrid"]


def test_a_form_that_is_not_requested_for_is_not_written() -> None:
    simple = {file.name for file in export(sample(), forms=("simple",)).artifacts}
    whole = {file.name for file in export(sample(), forms=("project", "simple")).artifacts}
    alone = {file.name for file in export(sample()).artifacts}
    assert whole - simple == {"crypt.ldtk", "crypt.tileset.png"}
    assert whole - alone == {
        "crypt/data.json",
        "crypt/ground.csv",
        "crypt/ground.png",
        "crypt/_composite.png",
    }


def test_a_row_of_cells_is_a_line() -> None:
    files = {file.name: file.data for file in export(sample()).artifacts}
    lines = files["crypt.ldtk"].decode().splitlines()
    assert "1,12,2,0,10,1,12," in lines
