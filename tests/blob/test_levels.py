"""Levels in blobs: how they are stored, and refused descriptions."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cases import each_case
from exporter.blob import (
    Chunk,
    read_blob,
    read_container,
    read_pack,
    write_blob,
    write_container,
    write_pack,
)
from exporter.blob._budget import DecodingBudget
from exporter.blob._descriptions import describe_layer
from exporter.blob._visibility import full_planes
from exporter.blob.values import decode_values, encode_values
from exporter.codecs import Limits
from exporter.model.errors import BlobError
from exporter.model.level import BLACK, Certificate, Connection, Layer, Level
from exporter.visibility import compute_visibility
from sample_levels import CELLS, GROUND, LEVEL, RELIEF


def chunks_of(level: Level) -> list[Chunk]:
    container = read_container(write_blob(level))
    return [container.load(index) for index in range(len(container))]


def types_of(level: Level) -> list[str]:
    return [chunk.type for chunk in read_container(write_blob(level))]


def changed(name: str, change: Callable[[Any], Any]) -> bytes:
    """Return LEVEL's blob with the values of one chunk changed in place."""
    chunks = []
    for chunk in chunks_of(LEVEL):
        if chunk.type == name:
            value = decode_values(chunk.codec, chunk.payload, Limits())
            change(value)
            chunk = replace(chunk, payload=encode_values(value))
        chunks.append(chunk)
    return write_container(chunks)


def with_layer(**changes: Any) -> bytes:
    """Return LEVEL's blob with another description of its first layer."""
    return changed("LEVL", lambda value: value["layers"][0].update(changes))


# --- storage ---------------------------------------------------------------------------------


def test_a_level_has_a_chunk_for_what_it_has_and_none_for_what_it_has_not() -> None:
    assert types_of(LEVEL) == ["LEVL", "CELL", "CELL", "OBJS", "TABL", "PUZZ"]
    assert types_of(Level("void", 1, 1)) == ["LEVL"]
    assert read_blob(write_blob(Level("void", 3, 2))).layers == {}


def test_values_belong_to_no_part_and_depend_on_nothing() -> None:
    for chunk in chunks_of(LEVEL):
        if chunk.type != "CELL":
            assert (chunk.codec, chunk.element) == (21, 255)
            assert (chunk.level, chunk.item, chunk.cell) == (0, 0, 0)
            assert (chunk.width, chunk.height) == (0, 0)
            assert (chunk.side, chunk.prior) == (65535, 65535)


@each_case("shape", [(0, 5), (5, 0), (0, 0), (1, 1)])
def test_a_layer_of_hardly_any_cells_comes_back(shape: tuple[int, int]) -> None:
    layer = Layer("a", "tiles", np.zeros(shape, np.uint8), "x")
    again = read_blob(write_blob(Level("x", 5, 5, layers={"a": layer}))).layers["a"]
    assert again.cells.shape == shape


@each_case(
    ("walkable", "rule"),
    [
        (CELLS == 0, "legend"),
        (CELLS == 1, 1),
        (np.ones_like(CELLS, bool), 0),
        (np.zeros_like(CELLS, bool), "chunk"),
        (np.arange(600).reshape(20, 30) % 7 == 0, "chunk"),
        (None, None),
    ],
)
def test_walkable_cells_are_stored_only_where_nothing_gives_them(
    walkable: NDArray[np.bool_] | None, rule: str | int | None
) -> None:
    layer = replace(GROUND, walkable=walkable)
    level = Level("x", 30, 20, layers={"ground": layer})
    value = decode_values(21, chunks_of(level)[0].payload, Limits())
    assert value["layers"][0]["walkable"] == rule
    assert type(value["layers"][0]["walkable"]) is type(rule)
    assert types_of(level) == ["LEVL", "CELL"] + ["WALK"] * (rule == "chunk")
    again = read_blob(write_blob(level)).layers["ground"].walkable
    if walkable is None:
        assert again is None
    else:
        assert again is not None
        assert again.dtype == np.bool_
        assert np.array_equal(again, walkable)


def test_heights_are_walkable_from_a_threshold_on() -> None:
    layer = replace(RELIEF, walkable=RELIEF.cells >= 333)
    level = Level("x", 30, 20, layers={"relief": layer})
    assert types_of(level) == ["LEVL", "CELL"]
    again = read_blob(write_blob(level)).layers["relief"]
    assert again.walkable is not None
    assert int(again.walkable.sum()) == 600 - 333


def test_everything_of_a_layer_comes_back() -> None:
    odd = replace(
        RELIEF,
        version=9,
        complete=False,
        grid_aligned=False,
        report={"log": ["a"]},
        certificate=Certificate(0, 0, 0, 0, 600, 0, None, 0, 0),
    )
    again = read_blob(write_blob(Level("x", 9, 9, "é", "dotnet", layers={"relief": odd})))
    layer = again.layers["relief"]
    for field in ("name", "kind", "generator", "version", "tiles", "heights", "complete"):
        assert getattr(layer, field) == getattr(odd, field)
    for field in ("report", "rooms", "certificate", "grid_aligned"):
        assert getattr(layer, field) == getattr(odd, field)
    assert (again.name, again.width, again.height) == ("x", 9, 9)
    assert (again.seed, again.rng) == ("é", "dotnet")


def test_levels_of_a_pack_share_nothing() -> None:
    other = replace(LEVEL, name="other", layers={"relief": RELIEF}, objects=())
    data = write_pack([LEVEL, other, Level("void", 1, 1)])
    assert [level.name for level in read_pack(data)] == ["crypt", "other", "void"]
    assert [list(level.layers) for level in read_pack(data)] == [
        ["ground", "relief"],
        ["relief"],
        [],
    ]
    assert [len(level.objects) for level in read_pack(data)] == [1, 0, 0]
    assert read_blob(data).name == "crypt"


def test_a_pack_with_a_gap_is_refused() -> None:
    chunks = [replace(chunk, level=2 * chunk.level) for chunk in chunks_of(LEVEL)]
    assert read_pack(write_container(chunks))[0].name == "crypt"
    second = [replace(chunk, level=2) for chunk in chunks]
    with pytest.raises(BlobError, match="level 1 is not in the blob"):
        read_pack(write_container([*chunks, *second]))


def test_an_empty_container_is_no_level() -> None:
    with pytest.raises(BlobError, match="level 0 is not in the blob"):
        read_blob(write_container([]))


def test_any_bytes_like_object_is_read() -> None:
    data = write_blob(LEVEL)
    assert read_blob(memoryview(data)).name == read_blob(bytearray(data)).name == "crypt"  # type: ignore[arg-type]


# --- readers of an older minor version ---------------------------------------------------------


@each_case("section", ["level", "layer", "tile", "room", "heights", "certificate"])
def test_keys_that_are_not_known_are_ignored_in_a_level(section: str) -> None:
    def change(value: Any) -> None:
        ground, relief = value["layers"]
        places = {
            "level": value,
            "layer": ground,
            "tile": ground["tiles"][1],
            "room": ground["rooms"][0],
            "heights": relief["heights"],
            "certificate": ground["certificate"],
        }
        places[section]["weather"] = ["rain"]

    again = read_blob(changed("LEVL", change))
    for name in ("tiles", "rooms", "heights", "certificate"):
        for layer in ("ground", "relief"):
            assert getattr(again.layers[layer], name) == getattr(LEVEL.layers[layer], name)


@pytest.mark.parametrize("chunk", ["OBJS", "TABL", "PUZZ"])
def test_keys_that_are_not_known_are_ignored_in_lists(chunk: str) -> None:
    again = read_blob(changed(chunk, lambda value: value[0].update(weather=["rain"])))
    assert again.objects == LEVEL.objects
    assert again.tables == LEVEL.tables
    assert again.puzzles == LEVEL.puzzles


# --- refused descriptions ----------------------------------------------------------------------


@each_case(
    "key", ["name", "width", "height", "seed", "rng", "visibility_layer", "properties", "layers"]
)
def test_a_level_without_a_required_key_is_refused(key: str) -> None:
    with pytest.raises(BlobError, match=f"the level data is damaged.*{key}"):
        read_blob(changed("LEVL", lambda value: value.pop(key)))


@each_case(
    ("key", "value"),
    [
        ("name", 5),
        ("rng", None),
        ("width", "30"),
        ("width", True),
        ("height", 20.0),
        ("visibility_layer", 0),
        ("properties", []),
        ("layers", {}),
    ],
)
def test_a_level_with_a_wrong_type_is_refused(key: str, value: Any) -> None:
    with pytest.raises(BlobError, match="is not of type"):
        read_blob(changed("LEVL", lambda level: level.update({key: value})))


@each_case("key", ["width", "height"])
@each_case("side", [-1, 1 << 24, 1 << 62])
def test_a_level_of_no_size_is_refused(key: str, side: int) -> None:
    with pytest.raises(BlobError, match=r"the size .* of a level is out of range"):
        read_blob(changed("LEVL", lambda level: level.update({key: side})))


@each_case(
    "value",
    [
        [[1]],
        [1] * 1025,
        {},
        {"color": "#ff0000", "vector": [1, 2]},
        {"vector": [1]},
        {"vector": [1, "2"]},
        {"object": 3},
        {"size": "3"},
    ],
)
def test_wrong_properties_are_refused(value: Any) -> None:
    with pytest.raises(BlobError, match="is not a property value"):
        read_blob(changed("LEVL", lambda level: level.update(properties={"a": value})))


@each_case("key", sorted(describe_layer(GROUND)))
def test_a_layer_without_a_required_key_is_refused(key: str) -> None:
    with pytest.raises(BlobError, match=f"the level data is damaged.*{key}"):
        read_blob(changed("LEVL", lambda value: value["layers"][0].pop(key)))


def test_two_layers_of_one_name_are_refused() -> None:
    with pytest.raises(BlobError, match="two layers have the name 'relief'"):
        read_blob(with_layer(name="relief"))


TILE = {"id": 1, "name": "a", "walkable": True, "opaque": False, "color": BLACK}
ROOM = {"name": "a", "x": 1, "y": 2, "width": 3, "height": 4, "center": [2, 3]}
HEIGHTS = {"minimum": 0, "maximum": 1.5, "units": "feet"}
CERTIFICATE = describe_layer(GROUND)["certificate"]


@each_case(
    "change",
    [
        {"size": [True, 20]},
        {"version": True},
        {"walkable": True},
        {"complete": 1},
        {"grid_aligned": None},
        {"tiles": {}},
        {"tiles": [{**TILE, "id": True}]},
        {"tiles": [{**TILE, "name": None}]},
        {"tiles": [{**TILE, "walkable": 1}]},
        {"tiles": [{**TILE, "opaque": "no"}]},
        {"tiles": [{**TILE, "color": 0}]},
        {"heights": 0},
        {"heights": {**HEIGHTS, "minimum": False}},
        {"heights": {**HEIGHTS, "maximum": "1"}},
        {"heights": {**HEIGHTS, "units": None}},
        {"rooms": {}},
        {"rooms": [2.5]},
        {"rooms": [{**ROOM, "x": 2.5}]},
        {"rooms": [{**ROOM, "name": 2}]},
        {"rooms": [{**ROOM, "center": [1, 2, 3]}]},
        {"rooms": [{**ROOM, "center": "ab"}]},
        {"connections": {}},
        {"certificate": {**CERTIFICATE, "floor": True}},
        {"certificate": {**CERTIFICATE, "start": [1.5, 2]}},
    ],
)
def test_a_value_of_another_type_in_a_layer_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BlobError):
        read_blob(with_layer(**change))


@pytest.mark.parametrize("good", [{"tiles": [TILE]}, {"rooms": [ROOM]}, {"heights": HEIGHTS}])
def test_what_the_wrong_values_were_created_of_is_right(good: dict[str, Any]) -> None:
    assert read_blob(with_layer(**good)).name == "crypt"


@each_case("wrong", [{}, "", None, 5, [5], [{}]])
@each_case("name", ["OBJS", "TABL", "PUZZ"])
def test_a_chunk_that_is_no_list_of_maps_is_refused(name: str, wrong: Any) -> None:
    chunks = [
        replace(chunk, payload=encode_values(wrong)) if chunk.type == name else chunk
        for chunk in chunks_of(LEVEL)
    ]
    with pytest.raises(BlobError, match="the level data is damaged"):
        read_blob(write_container(chunks))


@each_case(
    ("name", "change"),
    [
        ("OBJS", {"id": True}),
        ("OBJS", {"name": 5}),
        ("OBJS", {"x": 1.0}),
        ("OBJS", {"y": None}),
        ("OBJS", {"properties": []}),
        ("OBJS", {"properties": {"a": {}}}),
        ("TABL", {"name": None}),
        ("TABL", {"columns": True}),
        ("TABL", {"columns": [{"name": "a", "type": "date", "nullable": True}]}),
        ("TABL", {"columns": [{"name": "a", "type": "text", "nullable": 1}]}),
        ("TABL", {"columns": [{"name": 1, "type": "text", "nullable": True}]}),
        ("TABL", {"rows": {}}),
        ("TABL", {"rows": ["a"]}),
        ("TABL", {"rows": [["a", "b"]]}),
        ("TABL", {"rows": [[["a"]]]}),
        ("PUZZ", {"name": 0}),
        ("PUZZ", {"kind": None}),
        ("PUZZ", {"data": []}),
    ],
)
def test_an_entry_with_a_value_of_another_type_is_refused(
    name: str, change: dict[str, Any]
) -> None:
    with pytest.raises(BlobError, match="the level data is damaged"):
        read_blob(changed(name, lambda value: value[0].update(change)))


@each_case(
    ("change", "said"),
    [
        ({"size": [30.0, 20]}, "the width or height is not a number"),
        ({"size": [30, None]}, "the width or height is not a number"),
        ({"size": [30]}, "not enough values"),
        ({"size": [1 << 24, 20]}, "16777216 x 20 of a layer is out of range"),
        ({"size": [30, 1 << 24]}, "30 x 16777216 of a layer is out of range"),
        ({"size": [-1, 20]}, "-1 x 20 of a layer is out of range"),
        ({"size": [30, -1]}, "30 x -1 of a layer is out of range"),
        ({"kind": "pictures"}, "neither tiles nor heights"),
        ({"name": 5}, "is not of type str"),
        ({"generator": None}, "is not of type str"),
        ({"version": "1"}, "is not of type int"),
        ({"report": []}, "is not of type dict"),
        ({"walkable": "by magic"}, "does not know the rule 'by magic'"),
        ({"walkable": 1.5}, "does not know the rule 1.5"),
        ({"walkable": "chunk"}, "chunks of WALK 0 are missing"),
        ({"tiles": None}, "the level data is damaged"),
        ({"tiles": [{"id": 1}]}, "the level data is damaged"),
        ({"rooms": [{"name": "hall"}]}, "the level data is damaged"),
        ({"heights": {"minimum": 1}}, "the level data is damaged"),
        ({"certificate": {"start": None}}, "the level data is damaged"),
    ],
)
def test_a_layer_that_is_none_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BlobError, match=said):
        read_blob(with_layer(**change))


@each_case(("number", "good"), [(0, True), (65535, True), (65536, False), (-1, False)])
def test_tile_ids_have_sixteen_bits(number: int, good: bool) -> None:
    tile = {"id": number, "name": "a", "walkable": True, "opaque": False, "color": BLACK}
    data = with_layer(tiles=[tile])
    if good:
        assert read_blob(data).layers["ground"].tiles[0].id == number
    else:
        with pytest.raises(BlobError, match="out of range"):
            read_blob(data)
    with pytest.raises(BlobError, match="is not of type int"):
        read_blob(with_layer(tiles=[{**tile, "id": "0"}]))


@pytest.mark.parametrize("dtype", [np.bool_, np.int32])
def test_cells_of_other_types_than_tile_ids_are_refused(dtype: Any) -> None:
    level = Level("x", 30, 20, layers={"a": Layer("a", "tiles", CELLS.astype(dtype), "x")})
    with pytest.raises(BlobError, match="neither tiles nor heights"):
        read_blob(write_blob(level))


def test_the_largest_size_is_only_limited_by_what_may_be_built() -> None:
    with pytest.raises(BlobError, match=r"over the limit|are missing"):
        read_blob(with_layer(size=[(1 << 24) - 1, (1 << 24) - 1]))


def test_values_of_another_codec_are_refused() -> None:
    chunks = chunks_of(LEVEL)
    for codec in (20, 22):
        with pytest.raises(BlobError, match=f"unknown codec {codec}"):
            read_blob(write_container([replace(chunks[0], codec=codec), *chunks[1:]]))


@pytest.mark.parametrize("name", ["OBJS", "TABL", "PUZZ"])
def test_lists_of_other_things_are_refused(name: str) -> None:
    for change in (lambda value: value.append(5), lambda value: value[0].clear()):
        with pytest.raises(BlobError, match="the level data is damaged"):
            read_blob(changed(name, change))


def price_of_values(data: bytes) -> int:
    """Return the bytes that the values of a blob are charged."""
    budget = DecodingBudget()
    container = read_container(data)
    for position, chunk in enumerate(container):
        if chunk.codec == 21:
            decode_values(21, container.load(position).payload, budget.limits, budget)
    return budget.limits.total - budget.bytes_left


def test_the_layers_of_a_level_together_keep_the_limit() -> None:
    level = replace(LEVEL, layers={"ground": GROUND, "relief": RELIEF})
    data = write_blob(level)
    # Cells and walkable cells of the first, cells of the second.
    total = 600 + 600 + 1200 + price_of_values(data)
    assert len(read_blob(data, Limits(total=total)).layers) == 2
    with pytest.raises(BlobError, match=f"over the limit of {total - 1} bytes"):
        read_blob(data, Limits(total=total - 1))


def test_the_levels_of_a_pack_together_keep_the_limit() -> None:
    level = Level("x", 30, 20, layers={"ground": replace(GROUND, walkable=None)})
    data = write_pack([level, level, level])
    total = 1800 + price_of_values(data)
    assert len(read_pack(data, Limits(total=total))) == 3
    with pytest.raises(BlobError, match="over the limit"):
        read_pack(data, Limits(total=total - 1))
    assert read_blob(data, Limits(total=total - 1), level=2).name == "x"


# --- visibility --------------------------------------------------------------------------------


def sight(**changes: Any) -> Level:
    table = compute_visibility(CELLS == 1, 4, "symmetric")
    return replace(LEVEL, visibility=table, visibility_layer="ground", **changes)


def with_sight(**changes: Any) -> bytes:
    """Return the blob of a level that sees, with another VISI chunk."""
    chunks = [
        replace(chunk, **changes) if chunk.type == "VISI" else chunk for chunk in chunks_of(sight())
    ]
    return write_container(chunks)


RULE = bytes([0, 0, 4, 0])


def test_a_rule_takes_four_bytes_and_names_the_layer_it_looks_at() -> None:
    (chunk,) = [chunk for chunk in chunks_of(sight()) if chunk.type == "VISI"]
    assert (chunk.codec, chunk.payload, chunk.side) == (32, RULE, 0)
    assert (chunk.width, chunk.height) == (30, 20)
    assert "OPAQ" not in types_of(sight())


@pytest.mark.parametrize("case", ["no layer", "a layer of other walls", "an unknown layer"])
def test_opaque_cells_of_no_layer_are_stored(case: str) -> None:
    table = compute_visibility((1 if case != "a layer of other walls" else 0) == CELLS, 3)
    names = {"no layer": None, "a layer of other walls": "ground", "an unknown layer": "x"}
    level = replace(LEVEL, visibility=table, visibility_layer=names[case])
    assert "OPAQ" in types_of(level)
    again = read_blob(write_blob(level)).visibility
    assert again is not None
    assert np.array_equal(again.opaque, table.opaque)
    assert np.array_equal(again.blocks, table.blocks)


@each_case(
    ("changes", "said"),
    [
        ({"codec": 31}, "unknown visibility codec 31"),
        ({"codec": 0}, "unknown visibility codec 0"),
        ({"payload": b""}, "the level data is damaged: the visibility rule cannot be read"),
        ({"payload": RULE[:3]}, "the level data is damaged: the visibility rule cannot be read"),
        (
            {"payload": RULE + b"\0"},
            "the level data is damaged: the visibility rule cannot be read",
        ),
        ({"payload": bytes([3, 0, 4, 0])}, "unknown visibility rule 3"),
        ({"payload": bytes([0, 2, 4, 0])}, "unknown visibility rule 0"),
        ({"payload": bytes([1, 1, 4, 0])}, "unknown visibility rule 1"),
        ({"payload": bytes([0, 0, 0, 1])}, "a radius of 256 is out of range"),
        ({"payload": bytes([0, 0, 0, 0])}, "a radius of 0 is out of range"),
        ({"payload": bytes([0, 0, 65, 0])}, "a radius of 65 is out of range"),
        ({"width": 29}, "differ in size"),
        ({"height": 21}, "differ in size"),
        ({"side": 2}, "the level data is damaged"),
        ({"side": 65535}, "chunks of OPAQ 0 are missing"),
    ],
)
def test_a_rule_that_is_none_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BlobError, match=said):
        read_blob(with_sight(**changes))


@pytest.mark.parametrize(("number", "name"), [(0, "symmetric"), (1, "shadowcast"), (2, "raycast")])
def test_rules_have_the_numbers_of_the_format(number: int, name: str) -> None:
    again = read_blob(with_sight(payload=bytes([number, 0, 4, 0]))).visibility
    assert again is not None
    assert (again.algorithm, again.radius, again.see_walls) == (name, 4, False)


def test_seeing_walls_is_preserved() -> None:
    table = compute_visibility(CELLS == 1, 4, "raycast", see_walls=True)
    again = read_blob(write_blob(replace(LEVEL, visibility=table))).visibility
    assert again is not None
    assert again.see_walls
    assert np.array_equal(again.blocks, table.blocks)


def test_stored_planes_follow_the_rule_and_are_not_needed_to_read_it() -> None:
    data = write_blob(sight(), visibility="coded")
    container = read_container(data)
    (position,) = container.find("VISI", 0)
    chunk = container.load(position)
    assert chunk.codec == 20
    assert chunk.payload.startswith(RULE)
    assert len(chunk.payload) > len(RULE) + 20
    again = read_blob(data).visibility
    assert again is not None
    assert np.array_equal(again.blocks, sight().visibility.blocks)  # type: ignore[union-attr]


@pytest.mark.parametrize("algorithm", ["symmetric", "shadowcast", "raycast"])
def test_all_offsets_of_a_rule_have_a_plane_each(algorithm: str) -> None:
    table = compute_visibility(CELLS == 1, 3, algorithm)
    offsets, planes = full_planes(table)
    assert len(set(offsets)) == len(offsets) == len(planes)
    height, width = CELLS.shape
    for y, x in [(0, 0), (3, 5), (19, 29), (10, 10)]:
        seen = np.zeros(CELLS.shape, bool)
        seen[y, x] = True
        for (dx, dy), plane in zip(offsets, planes, strict=True):
            if 0 <= x + dx < width and 0 <= y + dy < height:
                seen[y + dy, x + dx] = plane[y, x]
        assert np.array_equal(seen, table.visible_from(x, y))


def test_a_visibility_without_a_number_or_that_is_not_its_rules_is_not_written() -> None:
    table = compute_visibility(CELLS == 1, 4)
    for wrong, said in (
        (
            replace(table, algorithm="telepathy"),
            "cannot hold the visibility of the rule 'telepathy'",
        ),
        (replace(table, radius=5), "differs from the result of 'symmetric'"),
        (
            replace(table, blocks=table.blocks ^ np.uint64(1)),
            "differs from the result of 'symmetric'",
        ),
    ):
        with pytest.raises(ValueError, match=said):
            write_blob(replace(LEVEL, visibility=wrong))


def test_a_level_is_not_changed_by_writing_it() -> None:
    before = copy.deepcopy(CELLS)
    write_blob(sight())
    assert np.array_equal(CELLS, before)


# --- roles, connections and masks ------------------------------------------------------------


def test_masks_are_chunks_that_older_readers_skip() -> None:
    layers = {"a": replace(GROUND, name="a", masks={"x": CELLS == 1, "y": CELLS == 0})}
    layers["b"] = replace(GROUND, name="b", masks={"x": CELLS < 0})
    chunks = [chunk for chunk in chunks_of(replace(LEVEL, layers=layers)) if chunk.ancillary]
    assert [(chunk.type, chunk.item, chunk.element) for chunk in chunks] == [
        ("mask", 0, 0),
        ("mask", 1, 0),
        ("mask", 2, 0),
    ]


@each_case(
    "changes",
    [
        {"role": "decoration"},
        {"masks": {"m": CELLS}},
        {"masks": {"m": CELLS[1:] == 1}},
        {"connections": (Connection((0, 1), 3, 3),)},
        {"connections": (Connection((-1, 0), 3, 3),)},
        {"connections": (Connection((0, 0), 3, 3, "window"),)},  # type: ignore[arg-type]
    ],
)
def test_a_layer_no_reader_would_accept_is_not_written(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="ground"):
        write_blob(replace(LEVEL, layers={"ground": replace(GROUND, **changes)}))


@each_case(
    ("changes", "message"),
    [
        ({"role": "decoration"}, "role"),
        ({"role": None}, "role"),
        ({"masks": ["m"]}, "chunks of mask 0 are missing"),
        ({"masks": ["m", "m"]}, "two masks"),
        ({"masks": {"m": 0}}, "not of type list"),
        ({"masks": [1]}, "not of type str"),
        ({"connections": [{"rooms": [0, 1], "x": 1, "y": 1, "kind": "door"}]}, "rooms 0 and 1"),
        ({"connections": [{"rooms": [0, -1], "x": 1, "y": 1, "kind": "door"}]}, "rooms 0 and -1"),
        ({"connections": [{"rooms": [0, 0], "x": 1, "y": 1, "kind": "window"}]}, "window"),
        ({"connections": [{"rooms": [0, 0], "x": 1.5, "y": 1, "kind": "door"}]}, "type int"),
        ({"connections": [{"rooms": [0, 0], "x": 1, "y": True, "kind": "door"}]}, "type int"),
        ({"connections": [{"rooms": [0], "x": 1, "y": 1, "kind": "door"}]}, "not enough"),
        ({"connections": 5}, "the level data is damaged"),
    ],
)
def test_wrong_roles_masks_and_connections_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(BlobError, match=message):
        read_blob(with_layer(**changes))


@each_case("seed", [True, None, 1.5, [], {}, {"integer": 5}, {"integer": "5 "}])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    with pytest.raises(BlobError):
        read_blob(changed("LEVL", lambda value: value.update(seed=seed)))
