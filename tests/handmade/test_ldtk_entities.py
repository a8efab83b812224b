"""Entities of LDtk become things in cells, or areas, with the values of their fields."""

from __future__ import annotations

from typing import Any

import pytest

from cases import each_case
from exporter.handmade.ldtk.project import read_project
from exporter.handmade.ldtk.reading import level_map
from exporter.handmade.maps import HandMap
from exporter.model.errors import ParameterError
from ldtk_projects import Entity, EntityDefinition, Layer, Level, Project, iid, reference

CHEST = EntityDefinition("Chest")
REGION = EntityDefinition("Region", resizable=(True, True))
EMPTY = [[0] * 8 for _ in range(8)]


def drawn(
    *entities: Entity,
    kinds: tuple[EntityDefinition, ...] = (CHEST, REGION),
    walls: Layer | None = None,
    things: Layer | None = None,
) -> HandMap:
    walls, things = walls or Layer("Walls"), things or Layer("Things", "Entities")
    level = Level("A", {"Walls": EMPTY, "Things": list(entities)}, at=(160, -32))
    project = Project([level], [things, walls], entities=list(kinds))
    whole = read_project(project.content(), "rooms.ldtk", {}.__getitem__)
    return level_map(whole, whole.levels[0], None)


def test_an_entity_lies_in_the_cell_of_its_pivot() -> None:
    (chest,) = drawn(Entity("Chest", (40, 23))).objects
    assert (chest.kind, chest.x, chest.y, chest.group) == ("Chest", 2, 1, "Things")
    assert chest.position == (2.5, 1.4375)


@each_case(
    ("pivot", "px", "cell"),
    [
        ((0.0, 0.0), (32, 16), (2, 1)),
        ((0.5, 1.0), (40, 32), (2, 1)),
        ((1.0, 1.0), (48, 32), (2, 1)),
        ((0.5, 0.5), (40, 24), (2, 1)),
        ((0.0, 0.0), (-1, 16), (-1, 1)),
    ],
)
def test_a_pivot_at_the_far_edge_belongs_to_the_cell_before_it(
    pivot: tuple[float, float], px: tuple[int, int], cell: tuple[int, int]
) -> None:
    (chest,) = drawn(Entity("Chest", px), kinds=(EntityDefinition("Chest", pivot=pivot),)).objects
    assert (chest.x, chest.y) == cell


def test_cells_are_those_of_the_layer_that_is_read() -> None:
    """The grid of entities may be finer; that a layer is shifted changes no cell."""
    result = drawn(
        Entity("Chest", (24, 24)),
        walls=Layer("Walls", grid=16, offset=(-8, 4)),
        things=Layer("Things", "Entities", grid=8, offset=(4, 0)),
    )
    assert [(item.x, item.y, item.position) for item in result.objects] == [(1, 1, (1.5, 1.5))]


FIELDS: tuple[tuple[str, str, Any, Any], ...] = (
    ("gold", "Int", 3, 3),
    ("weight", "Float", 1.5, 1.5),
    ("whole", "Float", 2, 2.0),
    ("locked", "Bool", True, True),
    ("label", "String", "old", "old"),
    ("story", "Multilines", "a\nb", "a\nb"),
    ("rarity", "LocalEnum.Rarity", "Common", "Common"),
    ("loot", "ExternEnum.Loot", "Sword", "Sword"),
    ("tint", "Color", "#FF8800", "#FF8800"),
    ("sound", "FilePath", "open.wav", "open.wav"),
    ("nothing", "Int", None, None),
)


def test_fields_of_plain_values_are_properties() -> None:
    fields = tuple((name, kind, value) for name, kind, value, _ in FIELDS)
    (chest,) = drawn(Entity("Chest", (0, 0), fields=fields)).objects
    assert chest.properties == {name: expected for name, _, _, expected in FIELDS}
    assert [type(chest.properties[name]) for name, *_ in FIELDS] == [
        type(expected) for *_, expected in FIELDS
    ]
    assert chest.left_out == ()


def test_points_are_cells_of_the_map_and_lists_are_reported() -> None:
    fields = (
        ("exit", "Point", {"cx": 3, "cy": 4}),
        ("path", "Array<Point>", [{"cx": 1, "cy": 2}]),
        ("icon", "Tile", {"tilesetUid": 1, "x": 0, "y": 0, "w": 16, "h": 16}),
        ("later", "Shape", {}),
    )
    (chest,) = drawn(Entity("Chest", (0, 0), fields=fields)).objects
    assert chest.properties == {"exit_x": 3, "exit_y": 4}
    assert chest.left_out == ("path", "icon", "later")


def test_a_reference_is_the_iid_that_the_other_entity_has() -> None:
    to = reference("", "A", "Things", 1)
    first, second, third = drawn(
        Entity("Chest", (0, 0), fields=(("key", "EntityRef", to),)),
        Entity("Chest", (16, 0)),
        Entity("Chest", (32, 0)),
    ).objects
    assert first.properties == {"key": iid("A", "Things", "entity", 1)}
    assert second.properties == {"iid": iid("A", "Things", "entity", 1)}
    assert third.properties == {}


def test_a_large_entity_with_a_size_is_an_area() -> None:
    result = drawn(
        Entity("Region", (32, 16), (48, 32), (("Name", "String", "vault"),)),
        Entity("Region", (0, 0), (16, 16)),
        Entity("Chest", (0, 0), (48, 48)),
    )
    (area,) = result.areas
    assert (area.name, area.kind) == ("vault", "Region")
    assert area.outline == ((2, 1), (5, 1), (5, 3), (2, 3))
    assert [item.kind for item in result.objects] == ["Region", "Chest"]


def test_the_pivot_of_an_area_moves_its_corner() -> None:
    kind = EntityDefinition("Region", resizable=(True, False), pivot=(0.5, 1.0))
    (area,) = drawn(Entity("Region", (56, 48), (48, 32)), kinds=(kind,)).areas
    assert area.outline == ((2, 1), (5, 1), (5, 3), (2, 3))


def test_an_area_is_only_called_by_what_can_be_a_name() -> None:
    result = drawn(Entity("Region", (0, 0), (32, 32), (("name", "String", "no name!"),)))
    assert result.areas[0].name == ""


@each_case(
    ("kind", "value"),
    [
        ("Int", 1.5),
        ("Int", True),
        ("Int", 2**40),
        ("Float", "1"),
        ("Bool", 0),
        ("String", 7),
        ("LocalEnum.Rarity", 3),
        ("Point", [1, 2]),
        ("Point", {"cx": 1}),
        ("EntityRef", "x"),
    ],
)
def test_values_that_are_not_of_their_type_are_refused_with_their_position(
    kind: str, value: Any
) -> None:
    with pytest.raises(ParameterError) as caught:
        drawn(Entity("Chest", (0, 0), fields=(("gold", kind, value),)))
    assert "entityInstances[0].fieldInstances[0].__value" in caught.value.message
