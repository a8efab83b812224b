"""Hostile Tiled maps: refused with a message, in little memory."""

from __future__ import annotations

import base64
import gzip
import json
import tracemalloc
import zlib
from typing import Any

import numpy as np
import pytest

from cases import each_case
from exporter.handmade.tiled.limits import (
    MAXIMUM_CORNERS,
    MAXIMUM_FILE_BYTES,
    MAXIMUM_FILES,
    MAXIMUM_OBJECTS,
)
from exporter.model.errors import ParameterError
from hand_tiled import (
    ENCODINGS,
    LANGUAGES,
    drawn,
    group,
    layer,
    properties,
    read,
    refusal,
    template,
    things,
    tileset,
    tileset_file,
)

CELLS = np.array([[1, 2, 0], [3, 3, 2]], np.uint32)
PLAIN = CELLS.astype("<u4").tobytes()


def everything(language: str, encoding: str) -> bytes:
    """A map with something of each kind."""
    corner = [{"x": 0, "y": 0}, {"x": 30, "y": 0}, {"x": 0, "y": 30}]
    return drawn(
        layer("a", CELLS, encoding=encoding),
        group("g", layer("b", CELLS, encoding=encoding)),
        things(
            "o",
            {"name": "x", "x": 1, "y": 1, "point": True, "properties": properties(gold=3)},
            {"name": "y", "x": 1, "y": 1, "polygon": corner, "rotation": 30},
            {"x": 1, "y": 16, "gid": 1, "width": 16, "height": 16},
        ),
        language=language,
        tilesets=[tileset({0: {"type": "wall", "properties": properties(walkable=False)}})],
    )


@each_case("language", LANGUAGES)
@each_case("encoding", ENCODINGS)
def test_a_map_that_is_cut_short_anywhere_is_refused(language: str, encoding: str) -> None:
    content = everything(language, encoding)
    read(content)
    for end in range(0, len(content) - 1, 7):
        refusal(content[:end])


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_changed_byte_is_read_or_refused_with_words(language: str) -> None:
    content = everything(language, "zlib")
    random = np.random.default_rng(5)
    for position in random.integers(0, len(content), 600).tolist():
        changed = bytearray(content)
        changed[position] = int(random.integers(0, 256))
        try:
            read(bytes(changed))
        except ParameterError as error:
            assert "maps/cave.tmx" in error.message


@pytest.mark.parametrize("compression", ["zlib", "gzip"])
def test_a_bomb_is_unpacked_no_further_than_its_layer(compression: str) -> None:
    pack = {"zlib": zlib.compress, "gzip": gzip.compress}[compression]
    bomb = base64.b64encode(pack(bytes(1 << 26)))
    good = base64.b64encode(pack(PLAIN))
    content = drawn(layer("a", CELLS, encoding=compression))
    document = json.loads(content)
    document["layers"][0]["data"] = good.decode()
    read(json.dumps(document).encode())
    document["layers"][0]["data"] = bomb.decode()
    tracemalloc.start()
    message = refusal(json.dumps(document).encode())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "wrong number of cells (needed: 6, found: 7 or more)" in message
    assert peak < 8 << 20


def test_many_large_layers_take_two_bytes_a_cell() -> None:
    cells = np.ones((1024, 1024), np.uint32)
    content = drawn(*(layer(f"l{number}", cells, encoding="zlib") for number in range(24)))
    assert len(content) < 1 << 18
    tracemalloc.start()
    read(content)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 72 << 20


def with_layer(**values: Any) -> bytes:
    document = json.loads(drawn(layer("a", CELLS)))
    document["layers"][0].update(values)
    return json.dumps(document).encode()


@each_case(
    ("data", "said"),
    [
        ([1, 2, 3], "wrong number of cells (needed: 6, found: 3)"),
        ([1] * 7, "wrong number of cells (needed: 6, found: 7 or more)"),
        ([1, 2, 3, 4, 5, -1], "not tile numbers"),
        ([1, 2, 3, 4, 5, 1 << 32], "not tile numbers"),
        ([1, 2, 3, 4, 5, 10**30], "not tile numbers"),
        ([1, 2, 3, 4, 5, 0.5], "not tile numbers"),
        ([1, 2, 3, 4, 5, [6]], "cells that are not"),
        ([[1], [2], [3], [4], [5], [6]], "cells that are not"),
        ([1, 2, 3, 4, 5, "6"], "cells that are not"),
        (["1", 2, 3, 4, 5, 6], "not tile numbers"),
        ([1, 2, 3, 4, 5, None], "cells that are not"),
        ("1,2,3,4,5", "wrong number of cells (needed: 6"),
        ("1,2,3,4,5,6,,", "wrong number of cells (needed: 6"),
        ("1,2,3,4,5 6", "wrong number of cells (needed: 6"),
        ("1 2,,3,4,5,6", "not tile numbers"),
        ("1,2,3,4,5,-6", "cells that are not"),
        ("1,2,3,4,5,٣", "cells that are not"),
        ("1,2,3,4,5,99999999999", "not tile numbers"),
        ("1,2,3,4,5,4294967296", "not tile numbers"),
        ("", "wrong number of cells (needed: 6, found: 0)"),
        (None, "has no cells"),
        ({"a": 1}, "has no cells"),
    ],
)
def test_cells_that_are_none_are_refused(data: Any, said: str) -> None:
    assert said in refusal(with_layer(data=data))


@each_case(
    ("values", "said"),
    [
        ({"encoding": "base64", "data": "%%%%"}, "not base64"),
        ({"encoding": "base64", "data": "é"}, "not base64"),
        ({"encoding": "base64", "data": [1]}, "not base64"),
        ({"encoding": "rot13"}, "known: csv, base64"),
        ({"encoding": "base64", "compression": "lzma", "data": "AAAA"}, "known: zlib, gzip, zstd"),
        ({"encoding": "base64", "compression": "zlib", "data": "AAAA"}, "cannot be unpacked"),
        ({"width": 1 << 31}, "`width` 2147483648 (allowed: 1 to"),
        ({"width": -1}, "`width` -1"),
        ({"width": 4}, "has 4 x 2 cells, but the map has 3 x 2"),
        ({"width": "many"}, "not a whole number"),
        ({"width": 1e400}, "contains the number Infinity"),
        ({"width": True}, "not a whole number"),
        ({"name": 5}, "not a valid text"),
        ({"name": "a\0b"}, "not a valid text"),
        ({"name": "\ud800"}, "not a valid text"),
        ({"name": "x" * 1025}, "not a valid text"),
        ({"type": "door"}, "unknown kind"),
        ({"chunks": []}, "not infinite"),
    ],
)
def test_layers_that_are_none_are_refused(values: dict[str, Any], said: str) -> None:
    assert said in refusal(with_layer(**values))


@each_case(
    ("values", "said"),
    [
        ({"width": 1 << 31, "height": 1 << 31}, "`width` 2147483648"),
        ({"width": 0}, "`width` 0"),
        ({"height": "9" * 5000}, "not a whole number"),
        ({"tileheight": 0}, "`tileheight` 0"),
        ({"layers": 5}, "`layers`, which is not a list"),
        ({"layers": [5]}, "`layers`, which is not a list"),
        ({"tilesets": [{}]}, "lacks `firstgid`"),
        ({"tilesets": [{"firstgid": 0}]}, "`firstgid` 0"),
        ({"tilesets": [{"firstgid": 1, "tiles": [{"id": -1}]}]}, "`id` -1"),
        ({"tilesets": [{"firstgid": 1, "objectalignment": "odd"}]}, "objectalignment 'odd'"),
        ({"tilesets": [{"firstgid": 1, "source": 5}]}, "not a valid file path"),
        ({"tilesets": [{"firstgid": 1, "source": "a\0b"}]}, "not a valid file path"),
        ({"tilesets": [{"firstgid": 1, "source": "a" * 300}]}, "not a valid file path"),
        ({"type": "world"}, "is not a Tiled map"),
    ],
)
def test_maps_that_are_none_are_refused(values: dict[str, Any], said: str) -> None:
    document = {**json.loads(drawn(layer("a", CELLS))), **values}
    assert said in refusal(json.dumps(document).encode())


@each_case(
    "chunk",
    [
        {"x": 0, "y": 0, "width": 1 << 20, "height": 1 << 20, "data": []},
        {"x": 1 << 40, "y": 0, "width": 1, "height": 1, "data": [1]},
        {"x": 0, "y": 0, "width": 1, "height": 0, "data": []},
        {"x": 0, "y": 0, "width": 8192, "height": 8192, "data": ""},
    ],
)
def test_chunks_beyond_all_bounds_are_refused(chunk: dict[str, Any]) -> None:
    content = with_layer(chunks=[chunk])
    document = {**json.loads(content), "infinite": True}
    assert "`" in (said := refusal(json.dumps(document).encode())) or "too many cells" in said


def test_chunks_far_from_each_other_are_refused_before_there_is_a_grid() -> None:
    item = np.ones((1, 1), np.uint32)
    far = drawn(layer("a", chunks={(0, 0): item, (1 << 29, 1 << 29): item}), infinite=True)
    assert "has 536870913 x 536870913 cells" in refusal(far)
    assert "without a tile" in refusal(drawn(layer("a", chunks={}), infinite=True))


@pytest.mark.parametrize(
    "start",
    [
        '<!DOCTYPE map [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE map [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd" [<!ENTITY a "a">]>',
    ],
)
def test_document_types_with_declarations_are_refused(start: str) -> None:
    content = drawn(layer("a", CELLS), language="tmx").replace(b"?>", b"?>" + start.encode())
    assert "document type" in refusal(content)


@each_case(
    "content",
    [
        b"",
        b"   ",
        b"PNG",
        b"[]",
        b"{}",
        b"<svg/>",
        b"<map/>",
        b'<?xml version="1.0" encoding="klingon"?><map/>',
        b"\xff\xfe<",
        b"\xef\xbb\xbf{}",
        b'{"type": "map", "orientation": "orthogonal", "a": ' + b"[" * 100_000,
        b'{"layers": ' * 100_000,
        b"<map>" * 10_000,
        b'{"a": [' + b"[]," * 600_000 + b"0]}",
        b"<map>" + b"<a/>" * 600_000 + b"</map>",
        b'<map><layer><data><tile gid="1"><a/></tile></data></layer></map>',
        b"{" + b" " * MAXIMUM_FILE_BYTES + b"}",
    ],
)
def test_files_that_are_no_maps_are_refused(content: bytes) -> None:
    refusal(content)


def test_groups_inside_each_other_have_a_limit() -> None:
    inner = layer("a", CELLS)
    for _ in range(32):
        inner = group("g", inner)
    for language in LANGUAGES:
        assert read(drawn(inner, language=language, size=(3, 2))).layers
        deeper = drawn(group("g", inner), language=language, size=(3, 2))
        assert "nested too deeply" in refusal(deeper)


def test_lists_inside_each_other_have_a_limit() -> None:
    assert "is nested too deeply" in refusal(b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}")


def test_objects_have_a_limit() -> None:
    point = {"name": "a", "x": 0, "y": 0, "point": True}
    assert "too many objects" in refusal(
        drawn(layer("a", CELLS), things("o", *[point] * (MAXIMUM_OBJECTS + 1)))
    )
    corners = [{"x": 0, "y": 0}] * (MAXIMUM_CORNERS // 2)
    shape = {"name": "b", "x": 0, "y": 0, "polygon": corners}
    assert len(read(drawn(layer("a", CELLS), things("o", shape, shape))).areas) == 2
    assert "number of corners" in refusal(
        drawn(layer("a", CELLS), things("o", shape, shape, {**shape, "polygon": corners[:1]}))
    )


@each_case("language", LANGUAGES)
@each_case("key", ["x", "y", "width", "height", "rotation"])
@each_case("value", ["nan", "inf", "-1e999", "1e300", "here", "0x10"])
def test_places_that_are_none_are_refused(language: str, key: str, value: str) -> None:
    thing = {"name": "a", "x": 0, "y": 0, "width": 99, "height": 99, key: value}
    message = refusal(drawn(layer("a", CELLS), things("o", thing), language=language))
    assert f"the object 'a' of 'o' has `{key}`" in message


@each_case("points", ["0,0 nan,1 2,2", "1", "0,0,0 1,1,1", "0,0 1e300,1 2,2"])
def test_corners_that_are_none_are_refused(points: str) -> None:
    thing = {"name": "a", "x": 0, "y": 0, "polygon": [{"x": 0, "y": 0}]}
    content = drawn(layer("a", CELLS), things("o", thing), language="tmx")
    refusal(content.replace(b'points="0,0"', f'points="{points}"'.encode()))


def test_objects_of_no_tile_are_refused() -> None:
    for gid in (0, "x", 1 << 31):
        thing = {"name": "a", "x": 0, "y": 0, "gid": gid}
        refusal(drawn(layer("a", CELLS), things("o", thing)))


def test_properties_have_a_limit() -> None:
    thing = {"name": "a", "x": 0, "y": 0, "point": True}
    many = properties(**{f"p{number}": number for number in range(300)})
    said = refusal(drawn(layer("a", CELLS), things("o", {**thing, "properties": many})))
    assert "300 properties" in said
    long = [
        {"name": "text", "type": "string", "value": "x" * 70_000},
        {"name": "number", "type": "int", "value": 1 << 70},
        {"name": "list", "type": "list", "value": [1]},
        {"name": "odd", "type": "odd", "value": 1},
        {"name": "end", "type": "string", "value": "a\0b"},
    ]
    for language in LANGUAGES:
        reported = long if language == "tmj" else long[:2]
        content = drawn(
            layer("a", CELLS), things("o", {**thing, "properties": reported}), language=language
        )
        (result,) = read(content).objects
        assert not result.properties
        assert result.left_out == tuple(str(item["name"]) for item in reported)


def test_files_that_lead_back_or_on_are_refused() -> None:
    content = drawn(layer("a", CELLS), tilesets=[{"firstgid": 1, "source": "t.tsx"}])
    circle = {"maps/t.tsx": json.dumps({"type": "tileset", "source": "t.tsx"}).encode()}
    assert "refers to another tileset" in refusal(content, circle)
    assert "but that file is something else" in refusal(content, {"maps/t.tsx": content})
    assert "which is broken" in refusal(content, {"maps/t.tsx": b"<tileset>"})
    thing = {"x": 0, "y": 0, "template": "g.tx"}
    content = drawn(layer("a", CELLS), things("o", thing))
    circle = {"maps/g.tx": template({"template": "g.tx"})}
    assert "contains no object" in refusal(content, circle)
    assert "contains no object" in refusal(content, {"maps/g.tx": b'{"type": "template"}'})
    assert "a tile but no tileset" in refusal(content, {"maps/g.tx": template({"gid": 1})})
    assert "but that file is something else" in refusal(
        content, {"maps/g.tx": tileset_file(tileset())}
    )


def test_files_that_are_needed_have_a_limit() -> None:
    names = [f"t{number}.tsx" for number in range(MAXIMUM_FILES + 1)]
    entries = [{"firstgid": 1, "source": name} for name in names]
    files = dict.fromkeys((f"maps/{name}" for name in names), tileset_file(tileset()))
    assert read(drawn(layer("a", CELLS), tilesets=entries[:-1]), files).layers
    assert "too many other files" in refusal(drawn(layer("a", CELLS), tilesets=entries), files)
