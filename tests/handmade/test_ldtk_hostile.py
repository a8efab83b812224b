"""LDtk files of strangers are read or refused in words, whatever is in them."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from cases import each_case
from exporter.handmade.ldtk import values
from exporter.handmade.ldtk.project import chosen_level, chosen_world, read_project
from exporter.handmade.ldtk.reading import level_map, world_map
from exporter.handmade.maps import HandMap
from exporter.model.errors import ParameterError
from ldtk_projects import Entity, EntityDefinition, Layer, Level, Project, Tileset

JUNK = [None, -1, 0, 2**31, 2**70, 1.5, "x", "", True, [], [1], {}, {"a": 1}]


def small_project() -> Project:
    things = [Entity("Chest", (8, 8), (32, 32), (("gold", "Int", 3), ("to", "Point", None)))]
    content = {"Walls": [[1, 0], [2, 1]], "Floor": [(0, 0, 1), (1, 1, 2)], "Things": things}
    return Project(
        [Level("A", content)],
        [
            Layer("Things", "Entities"),
            Layer("Walls", values={1: "wall", 2: None}),
            Layer("Floor", "Tiles", tileset="Stones"),
        ],
        [Tileset("Stones", enum_tags={"Wall": [1]}, custom_data={2: "water"}, tags=["x"])],
        [EntityDefinition("Chest", resizable=(True, True))],
    )


def read_all(content: bytes, files: dict[str, bytes] | None = None) -> list[HandMap]:
    """Read every layer of a file in every way."""
    project = read_project(content, "rooms.ldtk", (files or {}).__getitem__)
    return [
        result
        for layer in ("Walls", "Floor")
        for result in (
            level_map(project, chosen_level(project, None), layer),
            world_map(project, chosen_world(project, None), 0, layer),
        )
    ]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inside:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def put(document: Any, path: tuple[Any, ...], junk: Any) -> None:
    """Put a value at a place of a document."""
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = junk


def test_any_value_may_be_anything_else() -> None:
    whole = small_project().document()
    assert len(read_all(json.dumps(whole).encode())) == 4
    refused = 0
    for number, path in enumerate(places(whole)):
        # Every place gets some of the values, every value comes to many places.
        for junk in (JUNK * 2)[number % len(JUNK) :][:4]:
            document = copy.deepcopy(whole)
            put(document, path, junk)
            try:
                result = read_all(json.dumps(document).encode())
            except ParameterError as error:
                refused += 1
                assert error.message
            else:
                assert all(item.width * item.height <= 64 for item in result)
    assert refused > 200


def test_any_key_may_be_missing() -> None:
    whole = small_project().document()
    for path in places(whole):
        if isinstance(path[-1], int):
            continue
        document = copy.deepcopy(whole)
        inner: Any = document
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
        try:
            read_all(json.dumps(document).encode())
        except ParameterError as error:
            assert "rooms.ldtk" in error.message or error.path


def test_a_file_that_is_cut_short_is_refused_with_where() -> None:
    content = small_project().content(indent=1)
    for end in range(0, len(content) - 1, 7):
        with pytest.raises(ParameterError) as caught:
            read_all(content[:end])
        assert caught.value.message.startswith("rooms.ldtk is not a complete JSON file (line ")


@each_case(
    ("content", "words"),
    [
        (b"", "is not a complete JSON file"),
        (b"\xff\xfe{}", "is not UTF-8 text"),
        (b"[" * 100_000, "nested too deeply|not a complete JSON file"),
        (b"[" * 900 + b"]" * 900, "has no `jsonVersion`"),
        (b'{"jsonVersion": NaN}', "NaN is not a number"),
        (b'{"jsonVersion": 1e999}', "has no `jsonVersion`"),
        (b"1" * 5000, "is not a JSON file"),
        (b"7", "has no `jsonVersion`"),
        (b'{"jsonVersion": "1.5.3"}', "rooms.ldtk has no `defs`"),
    ],
)
def test_what_is_no_project_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        read_all(content)


def test_large_files_are_refused_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("the text is read")

    monkeypatch.setattr(values.json, "loads", never)
    with pytest.raises(ParameterError, match=r"rules \(allowed: 16777216; save its levels"):
        read_all(b" " * (values.MAXIMUM_BYTES + 1))
    with pytest.raises(ParameterError, match=r"objects and lists \(allowed: 1500000"):
        read_all(b"[]," * (values.MAXIMUM_CONTAINERS + 1))


@each_case("key", ["__cWid", "__cHei"])
@each_case("size", [0, -5, 8193, 2**31, 2**80])
def test_sizes_are_looked_at_before_anything_is_created(key: str, size: int) -> None:
    document = small_project().document()
    document["levels"][0]["layerInstances"][1][key] = size
    with pytest.raises(ParameterError, match=f"{key} is out of range"):
        read_all(json.dumps(document).encode())


def test_too_many_cells_are_refused() -> None:
    document = small_project().document()
    document["levels"][0]["layerInstances"][2].update(__cWid=8192, __cHei=8192)
    with pytest.raises(ParameterError, match="8192 x 8192 cells"):
        read_all(json.dumps(document).encode())


@pytest.mark.parametrize("tile", [{"px": [32, 0], "t": 1}, {"px": [0, 0], "t": -1}])
def test_tiles_outside_their_layer_are_refused(tile: dict[str, Any]) -> None:
    document = small_project().document()
    document["levels"][0]["layerInstances"][2]["gridTiles"] = [tile]
    with pytest.raises(ParameterError, match=r"gridTiles\[0\] is outside the layer"):
        read_all(json.dumps(document).encode())


def test_a_tile_that_its_tileset_does_not_have_is_refused() -> None:
    document = small_project().document()
    document["levels"][0]["layerInstances"][2]["gridTiles"] = [{"px": [0, 0], "t": 64}]
    with pytest.raises(ParameterError, match="uses tile 64 of the tileset Stones, which has 64"):
        read_all(json.dumps(document).encode())


def test_true_is_no_int_grid_value() -> None:
    document = small_project().document()
    document["levels"][0]["layerInstances"][1]["intGridCsv"] = [True, 0, 1, 2]
    with pytest.raises(ParameterError, match="intGridCsv is not a list of whole numbers"):
        read_all(json.dumps(document).encode())


def test_a_level_file_that_names_the_project_itself_is_refused() -> None:
    project = small_project()
    project.external = True
    files = project.files()
    document = json.loads(files["rooms.ldtk"])
    document["levels"][0]["externalRelPath"] = "rooms.ldtk"
    content = json.dumps(document).encode()
    with pytest.raises(ParameterError, match="is the file of another level, not of 'A'"):
        read_all(content, {"rooms.ldtk": content})


def test_too_many_levels_and_entities_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from exporter.handmade.ldtk import project, reading

    monkeypatch.setattr(reading, "MAXIMUM_ENTITIES", 0)
    with pytest.raises(ParameterError, match="more than 0 entities"):
        read_all(small_project().content())
    monkeypatch.setattr(project, "MAXIMUM_LEVELS", 0)
    with pytest.raises(ParameterError, match=r"1 levels \(allowed: 0\)"):
        read_all(small_project().content())


def rule_tiles(count: int) -> list[dict[str, Any]]:
    return [
        {"px": [16 * x, 0], "src": [0, 0], "f": 0, "t": x, "d": [7, x], "a": 1}
        for x in range(count)
    ]


@pytest.mark.parametrize("indent", [None, 1])
def test_tiles_of_rules_count_for_no_limit(
    monkeypatch: pytest.MonkeyPatch, indent: int | None
) -> None:
    document = small_project().document()
    plain = len(json.dumps(document, indent=indent))
    expected = [
        result.layers[0].cells.tolist() for result in read_all(json.dumps(document).encode())
    ]
    document["levels"][0]["layerInstances"][1]["autoLayerTiles"] = rule_tiles(500)
    document["levels"][0]["layerInstances"][2]["autoLayerTiles"] = rule_tiles(1)
    content = json.dumps(document, indent=indent).encode()
    monkeypatch.setattr(values, "MAXIMUM_BYTES", plain + 501 * 17)
    monkeypatch.setattr(values, "MAXIMUM_CONTAINERS", 200)
    assert len(content) > 2 * plain
    assert [result.layers[0].cells.tolist() for result in read_all(content)] == expected


def test_errors_behind_tiles_of_rules_name_the_right_line() -> None:
    document = small_project().document()
    document["levels"][0]["layerInstances"][1]["autoLayerTiles"] = rule_tiles(50)
    content = json.dumps(document, indent=1).encode()
    lines = content.count(b"\n") + 1
    with pytest.raises(ParameterError, match=rf"\(line {lines}, column 1"):
        read_all(content[:-1] + b"?")


@pytest.mark.parametrize(
    "hidden", ['"autoLayerTiles": [', '\\"autoLayerTiles\\": [{}]', '"autoLayerTiles":[{"px":1}]']
)
def test_a_text_that_looks_like_tiles_of_rules_stays_as_it_is(hidden: str) -> None:
    document = small_project().document()
    fields = document["levels"][0]["layerInstances"][0]["entityInstances"][0]["fieldInstances"]
    fields[0].update(__type="String", __value=hidden)
    (area,) = read_all(json.dumps(document).encode())[0].areas
    assert area.properties["gold"] == hidden


def test_broken_tiles_of_rules_are_looked_for_in_linear_time() -> None:
    content = b'"autoLayerTiles": [' + b"{} \n, " * 200_000
    with pytest.raises(ParameterError, match="not a complete JSON file"):
        read_all(content)
    with pytest.raises(ParameterError, match="not a complete JSON file"):
        read_all(b'"autoLayerTiles": [{' * 50_000)
