"""Levels of a world become one map, each where it lies."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.handmade.ldtk.project import chosen_world, read_project
from exporter.handmade.ldtk.reading import world_map
from exporter.handmade.maps import HandMap
from exporter.model.errors import ParameterError
from ldtk_projects import Entity, EntityDefinition, Layer, Level, Project, Tileset, iid, reference

WALLS = Layer("Walls", values={1: "wall"})


def joined(project: Project, name: str | None = None, depth: int = 0) -> HandMap:
    files = project.files()
    whole = read_project(files["rooms.ldtk"], "rooms.ldtk", files.__getitem__)
    return world_map(whole, chosen_world(whole, name), depth, None)


def message(project: Project, name: str | None = None, depth: int = 0) -> str:
    with pytest.raises(ParameterError) as caught:
        joined(project, name, depth)
    return caught.value.message


@each_case("layout", ["Free", "GridVania"])
@each_case("external", [False, True])
def test_levels_lie_at_their_places(layout: str, external: bool) -> None:
    levels = [
        Level("West", {"Walls": [[1, 2], [3, 4]]}, at=(-32, 16)),
        Level("East", {"Walls": [[5, 6, 7]]}, at=(16, 0)),
    ]
    result = joined(Project(levels, [WALLS], layout=layout, external=external))
    assert result.layers[0].cells.tolist() == [
        [0, 0, 0, 5, 6, 7],
        [1, 2, 0, 0, 0, 0],
        [3, 4, 0, 0, 0, 0],
    ]
    assert [(area.name, area.kind, area.outline) for area in result.areas] == [
        ("West", "level", ((0, 1), (2, 1), (2, 3), (0, 3))),
        ("East", "level", ((3, 0), (6, 0), (6, 1), (3, 1))),
    ]


@pytest.mark.parametrize(
    ("layout", "expected"),
    [("LinearHorizontal", [[1, 1, 2], [1, 1, 0]]), ("LinearVertical", [[1, 1], [1, 1], [2, 0]])],
)
def test_levels_of_linear_layouts_follow_each_other(layout: str, expected: list[list[int]]) -> None:
    levels = [Level("A", {"Walls": [[1, 1], [1, 1]]}), Level("B", {"Walls": [[2]]})]
    result = joined(Project(levels, [WALLS], layout=layout))
    assert result.layers[0].cells.tolist() == expected


@given(
    st.lists(
        st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 5), st.integers(1, 5)),
        min_size=1,
        max_size=6,
    )
)
@settings(deadline=None, max_examples=60)
def test_a_world_is_what_its_levels_are_cell_by_cell(places: list[tuple[int, ...]]) -> None:
    """Levels that lie over each other are joined where they agree: here all cells are the same."""
    levels = [
        Level(f"L{index}", {"Walls": [[3] * width] * height}, at=(x * 16, y * 16))
        for index, (x, y, width, height) in enumerate(places)
    ]
    result = joined(Project(levels, [WALLS])).layers[0].cells
    left, top = min(item[0] for item in places), min(item[1] for item in places)
    expected = np.zeros(result.shape, np.uint32)
    for x, y, width, height in places:
        for row in range(height):
            for column in range(width):
                expected[y - top + row, x - left + column] = 3
    assert np.array_equal(result, expected)
    edges = result[0], result[-1], result[:, 0], result[:, -1]
    assert all(edge.any() for edge in edges)


def test_levels_that_differ_in_the_same_position_are_refused() -> None:
    levels = [
        Level("A", {"Walls": [[1, 1]]}),
        Level("Far", {"Walls": [[9]]}, at=(160, 0)),
        Level("B", {"Walls": [[0, 2]]}),
    ]
    assert "'A' and 'B' overlap and differ at cell (1, 0)" in message(Project(levels, [WALLS]))


def test_a_level_off_the_grid_is_refused_with_how_far() -> None:
    levels = [Level("A", {"Walls": [[1]]}), Level("B", {"Walls": [[1]]}, at=(24, 16))]
    assert "'B' is shifted by 8 and 0 pixels from the grid of 16 pixels" in message(
        Project(levels, [WALLS])
    )


def test_a_shift_of_a_layer_does_not_move_its_cells() -> None:
    levels = [
        Level("A", {"Walls": [[1]]}),
        Level("B", {"Walls": [[2]]}, at=(16, 0), offsets={"Walls": (-8, 0)}),
    ]
    assert joined(Project(levels, [WALLS])).layers[0].cells.tolist() == [[1, 2]]


def test_only_one_depth_is_read_and_the_others_are_reported() -> None:
    levels = [
        Level("Floor", {"Walls": [[1]]}),
        Level("Cellar", {"Walls": [[2]]}, depth=-1),
        Level("Roof", {"Walls": [[3]]}, depth=2),
    ]
    project = Project(levels, [WALLS])
    result = joined(project)
    assert result.layers[0].cells.tolist() == [[1]]
    assert result.not_read == ("2 levels at other world depths (-1, 2)",)
    assert joined(project, depth=2).layers[0].cells.tolist() == [[3]]
    assert "no level has the world depth 5 (known: -1, 0, 2)" in message(project, depth=5)


def test_a_world_of_several_is_chosen_by_its_name_or_iid() -> None:
    project = Project(
        layers=[WALLS],
        worlds=[
            ("Upper", "Free", [Level("A", {"Walls": [[1]]})]),
            ("Lower", "LinearHorizontal", [Level(n, {"Walls": [[2]]}) for n in ("B", "C")]),
        ],
    )
    for expected in ("Lower", iid("world", "Lower")):
        assert joined(project, expected).layers[0].cells.tolist() == [[2, 2]]
    assert "write `world` with the name of one of them: Upper, Lower" in message(project)
    assert "did you mean 'Lower'" in message(project, "Lover")


def test_a_name_for_the_only_world_is_reported_that_it_has_none() -> None:
    project = Project([Level("A", {"Walls": [[1]]})], [WALLS])
    assert "it has one world without a name: write `world: true`" in message(project, "Main")


def test_entities_and_what_they_refer_to_are_joined_across_levels() -> None:
    things = Layer("Things", "Entities")
    to = reference("", "B", "Things", 0)
    key = Entity(
        "Key", (0, 0), fields=(("door", "EntityRef", to), ("at", "Point", {"cx": 1, "cy": 0}))
    )
    levels = [
        Level("B", {"Walls": [[0, 0]], "Things": [Entity("Key", (16, 0))]}),
        Level("A", {"Walls": [[0, 0]], "Things": [key]}, at=(32, 16)),
    ]
    project = Project(levels, [things, WALLS], entities=[EntityDefinition("Key")])
    door, result = joined(project).objects
    assert (door.x, door.y, result.x, result.y) == (1, 0, 2, 1)
    assert door.properties == {"iid": to["entityIid"]}
    assert result.properties == {"door": to["entityIid"], "at_x": 3, "at_y": 1}


def test_tiles_of_several_tilesets_have_numbers_of_their_own() -> None:
    first, second = Tileset("First", columns=2, rows=2), Tileset("Second", enum_tags={"Wall": [0]})
    layers = [Layer("Floor", "Tiles", tileset="First")]
    levels = [
        Level("A", {"Floor": [(0, 0, 3)]}, size=(16, 16)),
        Level("B", {"Floor": [(0, 0, 0)]}, at=(16, 0), size=(16, 16)),
        Level("C", {"Floor": []}, at=(32, 0), size=(16, 16)),
    ]
    project = Project(levels, layers, [first, second])
    document = project.document()
    document["levels"][1]["layerInstances"][0]["__tilesetDefUid"] = project.tileset_uid("Second")
    whole = read_project(json.dumps(document).encode(), "rooms.ldtk", {}.__getitem__)
    layer = world_map(whole, chosen_world(whole, None), 0, None).layers[0]
    assert layer.cells.tolist() == [[4, 5, 0]]
    assert layer.tiles[5].name == "wall"
    assert layer.tiles[5].source == "tile 0 of the tileset Second"


def test_a_world_that_would_be_too_large_is_refused_before_it_is_created() -> None:
    levels = [
        Level("A", {"Walls": [[1]]}),
        Level("B", {"Walls": [[1]]}, at=(2**31 - 16, 2**31 - 16)),
    ]
    assert "cells (allowed: 8192 each way" in message(Project(levels, [WALLS]))


def test_levels_with_other_cells_are_not_joined() -> None:
    project = Project(
        [Level("A", {"Walls": [[1]]}), Level("B", {"Walls": [[1]]}, at=(16, 0))], [WALLS]
    )
    document = project.document()
    document["levels"][1]["layerInstances"][0]["__gridSize"] = 8
    whole = read_project(json.dumps(document).encode(), "rooms.ldtk", {}.__getitem__)
    with pytest.raises(ParameterError, match="levels with different grids cannot be joined"):
        world_map(whole, chosen_world(whole, None), 0, None)
