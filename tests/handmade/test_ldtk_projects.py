"""LDtk projects are read exactly: levels, layers of IntGrid values and tiles, all versions of 1."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.handmade.ldtk.project import LdtkProject as Read
from exporter.handmade.ldtk.project import chosen_level, matching_levels, read_project
from exporter.handmade.ldtk.reading import level_map
from exporter.handmade.maps import HandMap
from exporter.handmade.meaning import layer_tiles
from exporter.model.errors import ParameterError
from ldtk_projects import Layer, Level, Project, Tileset, iid

VERSIONS = ["1.0.0", "1.1.3", "1.2.5", "1.3.4", "1.4.1", "1.5.3"]
WALLS = Layer("Walls", values={1: "wall", 2: "Water", 3: None})
CRYPT = [[1, 1, 1], [1, 0, 2]]


def opened(project: Project, indent: int | None = None) -> Read:
    files = project.files(indent)
    name = f"{project.name}.ldtk"
    return read_project(files[name], name, files.__getitem__)


def read(project: Project, level: str | None = None, layer: str | None = None) -> HandMap:
    whole = opened(project)
    return level_map(whole, chosen_level(whole, level), layer)


def message(project: Project, level: str | None = None, layer: str | None = None) -> str:
    with pytest.raises(ParameterError) as caught:
        read(project, level, layer)
    return caught.value.message


@each_case("version", VERSIONS)
@each_case("external", [False, True])
@each_case("indent", [None, 2])
def test_int_grid_values_of_every_version_and_style_are_read(
    version: str, external: bool, indent: int | None
) -> None:
    project = Project(
        [Level("Crypt", {"Walls": CRYPT})], [WALLS], version=version, external=external
    )
    whole = opened(project, indent)
    drawn = level_map(whole, chosen_level(whole, None), None)
    assert (drawn.width, drawn.height) == (3, 2)
    (layer,) = drawn.layers
    assert (layer.name, layer.cells.tolist()) == ("Walls", CRYPT)
    assert layer.cells.dtype == np.uint32
    assert [layer.tiles[number].name for number in (1, 2, 3)] == ["wall", "water", ""]


def test_a_second_reader_reads_the_test_files_the_same() -> None:
    api = pytest.importorskip("ldtkpy.api")
    project = Project(
        [Level("Crypt", {"Walls": CRYPT, "Floor": [(1, 1, 9)]})],
        [WALLS, Layer("Floor", "Tiles", tileset="Stones")],
        [Tileset("Stones", enum_tags={"Wall": [9]}, custom_data={9: "x"})],
        version="1.4.1",
    )
    other = api.ldtk_json_from_dict(project.document()).levels[0].layer_instances
    assert other[0].int_grid_csv == [value for row in CRYPT for value in row]
    assert [(tile.px, tile.t) for tile in other[1].grid_tiles] == [([16, 16], 9)]


@given(st.integers(1, 12), st.integers(1, 12), st.sampled_from([8, 16, 24]), st.data())
@settings(deadline=None, max_examples=40)
def test_any_grid_is_read_cell_by_cell(width: int, height: int, grid: int, data: Any) -> None:
    row = st.lists(st.integers(0, 2**31 - 1), min_size=width, max_size=width)
    rows = data.draw(st.lists(row, min_size=height, max_size=height))
    project = Project([Level("A", {"G": rows})], [Layer("G", grid=grid)])
    assert read(project).layers[0].cells.tolist() == rows


def test_a_level_is_chosen_by_its_name_or_its_iid() -> None:
    project = Project([Level("Crypt", {"Walls": [[1]]}), Level("Attic", {"Walls": [[2]]})], [WALLS])
    for expected in ("Attic", iid("level", "Attic")):
        assert read(project, expected).layers[0].cells.tolist() == [[2]]
    assert "write `level` with the name of one of them: Crypt, Attic" in message(project)
    assert "did you mean 'Attic'" in message(project, "attik")


def test_levels_match_a_pattern_of_names() -> None:
    names = ["Room_1", "Room_2", "Hall"]
    whole = opened(Project([Level(name, {"Walls": [[1]]}) for name in names], [WALLS]))
    assert [level.name for level in matching_levels(whole, "Room_*")] == ["Room_1", "Room_2"]
    assert [level.name for level in matching_levels(whole, iid("level", "Hall"))] == ["Hall"]
    with pytest.raises(ParameterError, match=r"rooms\.ldtk has no level called 'Cellar_"):
        matching_levels(whole, "Cellar_*")


def test_levels_of_several_worlds_are_detected() -> None:
    worlds = [
        ("Upper", "Free", [Level("Crypt", {"Walls": [[1]]})]),
        ("Lower", "GridVania", [Level("Attic", {"Walls": [[2]]})]),
    ]
    project = Project(layers=[WALLS], worlds=worlds, external=True)
    assert read(project, "Attic").layers[0].cells.tolist() == [[2]]


def test_the_only_layer_of_int_grid_values_is_meant_where_no_layer_is_named() -> None:
    stones = Tileset("Stones")
    floor = Layer("Floor", "Tiles", tileset="Stones")
    content = {"Walls": [[1, 0]], "Floor": [(1, 0, 0)]}
    project = Project([Level("A", content)], [floor, WALLS], [stones])
    assert read(project).layers[0].name == "Walls"
    assert read(project, layer="Floor").layers[0].cells.tolist() == [[0, 1]]
    project.layers.append(Layer("Rocks"))
    assert "of them: Floor, Walls, Rocks)" in message(project)
    assert "did you mean 'Rocks'" in message(project, layer="Rock")


@pytest.mark.parametrize(
    ("kind", "words"), [("Entities", "holds entities"), ("AutoLayer", "tiles that rules make")]
)
def test_a_layer_without_cells_of_its_own_is_refused(kind: str, words: str) -> None:
    project = Project([Level("A", {"Walls": [[1]]})], [WALLS, Layer("Other", kind)])
    assert words in message(project, layer="Other")


def tiles_project(**values: Any) -> Project:
    content = values.pop("content", [(0, 0, 0), (1, 0, 5), (2, 0, 6)])
    return Project(
        [Level("A", {"Floor": content}, size=(48, 16))],
        [Layer("Floor", "Tiles", tileset="Stones")],
        [Tileset("Stones", **values)],
    )


def test_tiles_mean_what_enum_tags_and_custom_data_say() -> None:
    project = tiles_project(
        enum_tags={"Wall": [0], "Slow": [0, 5]},
        custom_data={5: '{"tile": "bog", "walkable": true}', 6: "water"},
    )
    layer = read(project).layers[0]
    assert layer.cells.tolist() == [[1, 6, 7]]
    cells, tiles = layer_tiles(layer, {})
    assert [tiles[number].name for number in cells.ravel()] == ["wall", "bog", "water"]
    assert layer.tiles[6].source == "tile 5 of the tileset Stones"


def test_custom_data_of_lines_is_read() -> None:
    project = tiles_project(
        custom_data={0: "walkable=false\nopaque: TRUE\ntile = pillar", 5: "two words", 6: "{broken"}
    )
    layer = read(project).layers[0]
    assert layer.tiles[1].properties == {"walkable": False, "opaque": True, "tile": "pillar"}
    assert layer.tiles[6].properties == layer.tiles[7].properties == {}


def test_a_tag_of_the_whole_tileset_names_its_other_tiles() -> None:
    project = tiles_project(enum_tags={"Floor": [5]}, tags=["dungeon", "wall"])
    layer = read(project).layers[0]
    assert [layer.tiles[number].name for number in (1, 6, 7)] == ["wall", "floor", "wall"]


def test_tags_that_disagree_name_nothing() -> None:
    project = tiles_project(enum_tags={"Wall": [0], "Floor": [0], "A": [5], "B": [5]})
    layer = read(project).layers[0]
    assert [layer.tiles[number].name for number in (1, 6)] == ["", ""]


def test_flipped_tiles_are_the_same_tiles_and_the_topmost_counts() -> None:
    project = tiles_project(content=[(0, 0, 4, 3), (1, 0, 5), (1, 0, 6), (1, 0, 7)])
    drawn = read(project)
    assert drawn.layers[0].cells.tolist() == [[5, 8, 0]]
    assert drawn.not_read == ("2 tiles of 'Floor' under others",)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.9.3", "was saved by LDtk 0.9.3, which cannot be read (allowed: 1.0 to below 2"),
        ("2.0.0", "was saved by LDtk 2.0.0"),
    ],
)
def test_other_versions_are_refused_clearly(version: str, words: str) -> None:
    project = Project([Level("A", {"Walls": [[1]]})], [WALLS], version=version)
    assert words in message(project)


def test_a_separate_level_file_is_no_project() -> None:
    files = Project([Level("A", {"Walls": [[1]]})], [WALLS], external=True).files()
    with pytest.raises(ParameterError, match="a single level that LDtk saved separately"):
        read_project(files["rooms/A.ldtkl"], "rooms/A.ldtkl", files.__getitem__)


def test_separate_files_lie_beside_the_project() -> None:
    files = Project([Level("A", {"Walls": [[1]]})], [WALLS], external=True).files()
    requested = []

    def read_file(path: str) -> bytes:
        requested.append(path)
        return files[path.removeprefix("maps/")]

    whole = read_project(files["rooms.ldtk"], "maps/rooms.ldtk", read_file)
    assert level_map(whole, whole.levels[0], None).layers[0].cells.tolist() == [[1]]
    assert requested == ["maps/rooms/A.ldtkl"]


def test_a_separate_file_of_another_level_is_refused() -> None:
    project = Project(
        [Level("A", {"Walls": [[1]]}), Level("B", {"Walls": [[2]]})], [WALLS], external=True
    )
    files = project.files()
    files["rooms/A.ldtkl"] = files["rooms/B.ldtkl"]
    whole = read_project(files["rooms.ldtk"], "rooms.ldtk", files.__getitem__)
    with pytest.raises(ParameterError, match="is the file of another level, not of 'A'"):
        level_map(whole, whole.levels[0], None)


def test_a_level_of_uneven_size_keeps_its_last_cells() -> None:
    rows = [[1, 2, 1], [2, 1, 2]]
    project = Project([Level("A", {"Walls": rows}, size=(40, 25))], [WALLS])
    assert read(project).layers[0].cells.tolist() == rows


def without(document: Any, key: str) -> Any:
    """A document of JSON without a key, wherever it has it."""
    if isinstance(document, dict):
        return {name: without(item, key) for name, item in document.items() if name != key}
    return [without(item, key) for item in document] if isinstance(document, list) else document


@each_case("key", ["tags", "enumTags", "customData", "resizableX", "worldDepth", "intGridCsv"])
def test_what_early_versions_lack_is_empty_or_reported_with_the_way_out(key: str) -> None:
    sheet = Tileset("Sheet", 2, 2, tags=["wall"])
    whole = Project([Level("A", {"Walls": [[1]]})], [WALLS], tilesets=[sheet])
    content = json.dumps(without(json.loads(whole.files()["rooms.ldtk"]), key)).encode()
    try:
        project = read_project(content, "rooms.ldtk", whole.files().__getitem__)
        cells: Any = level_map(project, project.levels[0], None).layers[0].cells.tolist()
    except ParameterError as error:
        cells = error.message
    reported = "rooms.ldtk.levels[0].layerInstances[0] has no `intGridCsv`"
    save = "(open the project in LDtk 1.5 and save it)"
    assert cells == ([[1]] if key != "intGridCsv" else f"{reported} {save}")
