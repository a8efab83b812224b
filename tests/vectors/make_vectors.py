"""Make the shared blobs and their expected decoded values.

    python tests/vectors/make_vectors.py      # rewrites tests/vectors/*.lv[bp] and manifest.json

The Python, C# and GDScript readers are all run on them. Cells are given by the SHA-256 of their
little-endian bytes, row by row (truth values as bytes of 0 and 1).
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.blob import Chunk, read_container, read_pack, write_blob, write_pack
from exporter.blob.container import ENTRY, HEADER, write_container
from exporter.blob.values import NUMBER, encode_values
from exporter.codecs import choose
from exporter.codecs.tiles import CodingPlan, encode_with_plan
from exporter.deflate import compress as zlib_stream
from exporter.model.level import (
    BLACK,
    CLEAR,
    Certificate,
    Column,
    Connection,
    HeightRange,
    Layer,
    Level,
    PlacedObject,
    Puzzle,
    Room,
    Table,
    Tile,
)
from exporter.packs import encode_pack, open_pack
from exporter.visibility import compute_visibility

HERE = Path(__file__).parent
FLOOR_AND_WALL = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))


# Inputs: plain integer arithmetic, so that they are the same everywhere.


def noise(height: int, width: int, seed: int) -> NDArray[np.uint32]:
    """Return well mixed 32-bit numbers [height, width]."""
    index = np.arange(height * width, dtype=np.uint64) + np.uint64(seed * 1_000_003)
    for factor in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        index = (index ^ (index >> np.uint64(29))) * np.uint64(factor)
    return (index >> np.uint64(32)).astype(np.uint32).reshape(height, width)


def cave(height: int, width: int, seed: int, steps: int = 4) -> NDArray[np.uint8]:
    """Return a cave of walls (1) and floor (0) by a cellular automaton."""
    walls = noise(height, width, seed) % 100 < 45
    for _ in range(steps):
        framed = np.pad(walls, 1, constant_values=True)
        around = sum(
            framed[dy : dy + height, dx : dx + width].astype(int)
            for dy in range(3)
            for dx in range(3)
        )
        walls = np.asarray(around) >= 5
    return walls.astype(np.uint8)


def autotile(walls: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return ids that follow from the walls around: 0 to 15 walls, 16 and 17 floors."""
    framed = np.pad(walls, 1, constant_values=1)
    height, width = walls.shape
    north, south = framed[:height, 1:-1], framed[2:, 1:-1]
    west, east = framed[1:-1, :width], framed[1:-1, 2:]
    shape = north | east << 1 | south << 2 | west << 3
    return np.where(walls == 1, shape, 16 + north).astype(np.uint8)


def smooth(height: int, width: int, seed: int) -> NDArray[np.uint16]:
    """Return rolling heights: box-blurred noise of several scales."""
    total = np.zeros((height, width), np.int64)
    for octave, blur in enumerate((32, 12, 5, 2)):
        field = (noise(height + 2 * blur, width + 2 * blur, seed + octave) >> 12).astype(np.int64)
        for axis in (0, 1):
            sums = np.cumsum(field, axis=axis)
            ahead = np.take(sums, range(2 * blur, sums.shape[axis]), axis)
            field = (ahead - np.take(sums, range(sums.shape[axis] - 2 * blur), axis)) // (2 * blur)
        total += field[:height, :width]
    total -= total.min()
    return (total * 65535 // max(1, int(total.max()))).astype(np.uint16)


def tiles_layer(name: str, cells: NDArray[Any], tiles: tuple[Tile, ...], **more: Any) -> Layer:
    """Return a tiles layer whose walkable cells follow from its legend."""
    layer = Layer(name, "tiles", cells, "vectors", 1, tiles, **more)
    return replace(layer, walkable=layer.lookup([tile.walkable for tile in tiles]))


def legend(count: int, first_floor: int, first: int = 0) -> tuple[Tile, ...]:
    """Return a legend of walls below `first_floor` and floors from it on."""
    return tuple(
        Tile(first + index, f"tile {index}", index >= first_floor, index < first_floor, BLACK)
        for index in range(count)
    )


# The levels.


def small_cave() -> Level:
    """A small cave with everything a simple level has."""
    cells = cave(21, 40, 1)
    floor = int((cells == 0).sum())
    layer = tiles_layer(
        "ground",
        cells,
        FLOOR_AND_WALL,
        report={"steps": 4, "note": "ok", "tried": [1, 2, 3]},
        rooms=(Room("hall", 3, 4, 9, 5, (7, 6)), Room("cellar", 20, 10, 4, 4, (22, 12))),
        certificate=Certificate(3, 1, 12, floor, 840, 44, (5, 5), 7, 9),
    )
    objects = tuple(
        PlacedObject(
            number + 1, kind, 3 + 5 * number, 4 + 2 * number, {"hp": 10 * number, "boss": False}
        )
        for number, kind in enumerate(("stairs_up", "chest", "chest", "key"))
    )
    return Level(
        "small-cave",
        40,
        21,
        12345,
        layers={"ground": layer},
        visibility=compute_visibility(cells == 1, 8, "symmetric"),
        visibility_layer="ground",
        objects=objects,
        properties={"music": "drip", "depth": 3, "gravity": 9.81, "hard": True, "boss": None},
    )


def many_menus() -> Level:
    """Tile layers of many kinds."""
    bands = (smooth(90, 120, 3) // 8192).astype(np.uint8)
    walls = cave(90, 120, 4)
    scattered = np.where(walls == 1, autotile(walls), 16 + noise(90, 120, 5) % 5).astype(np.uint8)
    wide_ids = ((smooth(90, 120, 6) // 4096).astype(np.uint16) * 37 + 1000).astype(np.uint16)
    return Level(
        "many-menus",
        120,
        90,
        "text seed",
        "dotnet",
        layers={
            "bands": tiles_layer("bands", bands, legend(8, 3)),
            "scattered": tiles_layer("scattered", scattered, legend(21, 16)),
            "wide": tiles_layer("wide", wide_ids, ()),
            "one": tiles_layer("one", np.full((90, 120), 7, np.uint8), legend(8, 0)),
            "two": tiles_layer("two", (walls * 9 + 4).astype(np.uint8), legend(10, 5, 4)),
        },
    )


def large() -> Level:
    """Layers in parts: with a prior, and following from another layer."""
    walls = cave(400, 530, 7)
    ids = autotile(walls)
    worn = np.where(noise(400, 530, 8) % 40 == 0, 18, ids).astype(np.uint8)
    return Level(
        "large",
        530,
        400,
        7,
        layers={
            "ground": tiles_layer("ground", walls, FLOOR_AND_WALL),
            "picture": tiles_layer("picture", ids, legend(19, 16)),
            "worn": tiles_layer("worn", worn, legend(19, 16)),
        },
    )


def standalone_tiles() -> Level:
    """Tile layers in parts that have no layer to follow from."""
    ids = autotile(cave(300, 520, 9))
    worn = np.where(noise(300, 520, 10) % 30 == 0, 20, ids).astype(np.uint8)
    bands = (smooth(300, 520, 24) // 12000).astype(np.uint8)
    layers = {"bands": tiles_layer("bands", bands, ()), "ground": tiles_layer("ground", worn, ())}
    return Level("standalone", 520, 300, layers=layers)


def relief() -> Level:
    """Heights of several sizes, with and without a threshold."""
    big, little = smooth(300, 290, 11), smooth(33, 65, 12)
    heights = HeightRange(-12.5, 320.0, "metres")
    layers = {
        "relief": Layer(
            "relief", "heights", big, "vectors", 2, walkable=big >= 20000, heights=heights
        ),
        "finer": Layer("finer", "heights", little, "vectors", heights=heights, grid_aligned=False),
        "coarse": Layer(
            "coarse",
            "heights",
            (little >> 8).astype(np.uint8),
            "vectors",
            walkable=noise(33, 65, 13) % 2 == 0,
            heights=HeightRange(),
            grid_aligned=False,
        ),
        "rough": Layer(
            "rough",
            "heights",
            (noise(40, 40, 14) & 0xFFFF).astype(np.uint16),
            "vectors",
            heights=HeightRange(0.1, 1e300),
        ),
        "flat": Layer(
            "flat", "heights", np.full((5, 4), 513, np.uint16), "vectors", heights=HeightRange()
        ),
    }
    return Level("relief", 290, 300, layers=layers)


def data() -> Level:
    """Values of every type, and records of many shapes."""
    rows = tuple(
        (
            f"monster {number % 7}",
            number * number - 50,
            number / 8 + 0.1,
            number % 3 == 0,
            None if number % 5 else "élan 龍",
        )
        for number in range(60)
    )
    columns = (
        Column("name", "text"),
        Column("hp", "integer"),
        Column("speed", "number"),
        Column("boss", "boolean"),
        Column("note", "text", True),
    )
    grid = (noise(9, 9, 15) % 9 + 1).astype(int).tolist()
    odd = {
        "empty": "",
        "big": 2**61 - 2,
        "biggest": 2**63 - 1,
        "lowest": -(2**63),
        "whole": [5, 5.0, -0.0, 1e15, 1e16, 1e22, 1e23],
        "letters": 'a "quoted" \\ / \b\f\n\r\t\x01\x7f\u2028 \ufeff \U0001f600',
        "color": "#12abef",
        "color with alpha": "#12abef80",
        "lists": [[], [[]], [1, [2, [3]]], [{"a": 1}, {"b": 2}, {"a": 3}]],
        "long text": "a line of the poem, " * 20,
        "many": [f"word{number}" for number in range(40)],
        "numbers": [number * 3 - 7 for number in range(50)],
        "points": [[number, 2 * number] for number in range(30)],
    }
    objects = tuple(
        PlacedObject(
            number + 1,
            ("goblin", "torch", "potion")[value % 3],
            value % 97,
            value // 97 % 89,
            {"hp": 5 + value % 4 * 5} if value % 3 == 0 else {"radius": value % 700 / 100},
        )
        for number, value in enumerate((noise(1, 80, 16)[0] >> 8).tolist())
    )
    return Level(
        "data",
        97,
        89,
        2**40,
        layers={"ground": tiles_layer("ground", np.zeros((89, 97), np.uint8), FLOOR_AND_WALL)},
        objects=objects,
        tables={"monsters": Table("monsters", columns, rows), "none": Table("none", (), ())},
        puzzles={
            "vault": Puzzle("vault", "sudoku", {"givens": grid, "clues": 28}),
            "odd": Puzzle("odd", "custom", odd),
        },
    )


def numbers() -> Level:
    """Floats of all sizes, bit for bit, and ones that are hard to round."""
    bits = noise(1, 400, 25)[0].astype(np.uint64) << np.uint64(32) | noise(1, 400, 26)[0]
    anywhere = bits.view(np.float64)
    near = (bits >> np.uint64(11)).astype(np.float64) / 2.0**53
    floats = {
        "anywhere": anywhere[np.isfinite(anywhere)].tolist(),
        "shares": near[:200].tolist(),
        "small shares": (near[200:300] / 1000).tolist(),
        "large": (near[300:] * 1e18).tolist(),
        "next to nothing": [5e-324, -1e-323, 2.225073858507201e-308, 2.2250738585072014e-308],
        "largest": [1.7976931348623157e308, -1.7976931348623157e308],
        "ties": [9007199254740993.0, 9007199254740995.0, 0.5000000000000001, 1 / 3, 0.1 + 0.2],
        "powers": [float(f"1e{power}") for power in range(-320, 309, 7)],
    }
    return Level("numbers", 1, 1, -(2**80), puzzles={"all": Puzzle("all", "numbers", floats)})


def foreign() -> bytes:
    """JSON as other writers might write it."""
    text = (
        r'[{"name":"all","kind":"\u0066oreign","data":{"numbers":[-0,1E2,1e+2,0.10,-0e5,1e-999,'
        r"0.000000000000000000001,12345678901234567.0,123456789012345678e3],"
        r'"letters":"\/\u0041\u00e9\ud83d\ude00\\u0000\"","":[[],{}]}}]'
    )
    chunk = Chunk("PUZZ", NUMBER, zlib_stream(text.encode()))
    return write_container([*loaded(write_blob(Level("foreign", 1, 1))), chunk])


def rooms() -> Level:
    """A layer in parts with rooms that are connected, and layers of every role with masks."""
    walls = cave(300, 400, 27)
    layers = {
        role: tiles_layer(role, walls[: 60 * (position + 2)].copy(), FLOOR_AND_WALL, role=role)
        for position, role in enumerate(("play", "picture", "data", "none"))
    }
    layers["play"] = replace(
        layers["play"],
        rooms=tuple(Room(f"room {n}", 3 * n, 4, 2, 3, (3 * n, 5)) for n in range(3)),
        connections=(Connection((0, 1), 2, 5, "door"), Connection((2, 1), 5, 6, "opening")),
        masks={"carved": noise(120, 400, 28) % 9 == 0, "none": walls[:120] > 1},
    )
    layers["none"] = replace(layers["none"], masks={"carved": walls == 0})
    return Level("rooms", 400, 300, layers=layers)


def sights() -> list[Level]:
    """One level for each rule of sight, the last with a map of its own."""
    walls = cave(48, 70, 17, 3)
    layers = {"ground": tiles_layer("ground", walls, FLOOR_AND_WALL)}
    rules = (("symmetric", False), ("shadowcast", False), ("raycast", True), ("raycast", False))
    levels = [
        Level(
            f"sight-{number}",
            70,
            48,
            layers=layers,
            visibility=compute_visibility(walls == 1, 6 + number, rule, see_walls=see_walls),
            visibility_layer="ground",
        )
        for number, (rule, see_walls) in enumerate(rules)
    ]
    other = cave(48, 70, 18, 3)
    table = compute_visibility(other == 1, 5, "symmetric")
    levels.append(Level("sight-own-map", 70, 48, layers=layers, visibility=table))
    return levels


# Layers of `every_codec` that are not called as their codec.
FORCED = {"steps": "zlib", "values": "zlib", "wide": "zlib", "one value": "pack"}


def every_codec() -> bytes:
    """One layer for each codec a blob can have, forced."""
    walls = cave(60, 70, 19)
    ids = autotile(walls)
    heights = smooth(60, 70, 20)
    wide = (noise(60, 70, 21) & 0x3FF).astype(np.uint16)
    grids = {
        "stored": wide,
        "zlib": ids,
        "pack": ids,
        "bitmap": walls,
        "tiles": ids,
        "heights": heights,
        "steps": heights,
        "values": heights >> 9,
        "one value": np.full((60, 70), 300, np.uint16),
        "wide": wide,
    }
    layers = {name: tiles_layer(name, cells, ()) for name, cells in grids.items()}
    blob = write_blob(Level("every-codec", 70, 60, layers=layers))
    chunks = [replace(chunk, prior=0xFFFF, side=0xFFFF) for chunk in loaded(blob)]
    for index, chunk in enumerate(chunks):
        if chunk.type == "CELL":
            name = list(grids)[chunk.item]
            codec = FORCED.get(name, name)
            forced = choose(np.ascontiguousarray(grids[name]), codec)
            chunks[index] = replace(chunk, codec=forced.codec.number, payload=forced.payload)
    return write_container(chunks)


def every_menu() -> bytes:
    """One tile layer for each menu of contexts, forced."""
    walls = cave(50, 64, 22)
    ids = np.where(noise(50, 64, 23) % 25 == 0, 18, autotile(walls)).astype(np.uint8)
    classes = (np.arange(19) < 16).astype(np.uint8)
    plans = [CodingPlan(menu) for menu in range(4)] + [
        CodingPlan(menu, classes) for menu in range(3)
    ]
    layers = {f"plan-{index}": tiles_layer(f"plan-{index}", ids, ()) for index in range(len(plans))}
    chunks = loaded(write_blob(Level("every-menu", 64, 50, layers=layers)))
    for index, chunk in enumerate(chunks):
        if chunk.type == "CELL":
            payload = encode_with_plan(ids, plans[chunk.item])
            chunks[index] = replace(chunk, codec=17, payload=payload, prior=0xFFFF, side=0xFFFF)
    return write_container(chunks)


def loaded(blob: bytes) -> list[Chunk]:
    """Return all chunks of a blob with their payloads."""
    container = read_container(blob)
    return [container.load(index) for index in range(len(container))]


def from_the_future() -> bytes:
    """A minor version later: an unknown ancillary chunk, an unknown key, a flag to ignore."""
    chunks = loaded(write_blob(small_cave()))
    described = describe_future(chunks)
    blob = bytearray(write_container(described))
    blob[9] = 7
    blob[11] = 0x80
    return resealed(blob)


def describe_future(chunks: list[Chunk]) -> list[Chunk]:
    """Return the chunks with an unknown one in the middle and an unknown key in `LEVL`."""
    from exporter.blob.values import decode_values
    from exporter.codecs import Limits

    value = decode_values(21, chunks[0].payload, Limits())
    value["weather"] = ["rain"]
    codec, payload = NUMBER, encode_values(value)
    changed = replace(chunks[0], codec=codec, payload=payload)
    return [changed, Chunk("abCD", 99, b"whatever"), *chunks[1:]]


def resealed(blob: bytearray) -> bytes:
    """Return the blob with the directory's checksum made right."""
    count = struct.unpack_from("<I", blob, 12)[0]
    directory = blob[HEADER.size : HEADER.size + ENTRY.size * count]
    check = zlib.crc32(directory, zlib.crc32(blob[: HEADER.size - 4]))
    struct.pack_into("<I", blob, HEADER.size - 4, check)
    return bytes(blob)


def bad() -> dict[str, bytes]:
    """Blobs every reader must refuse, each wrong in one way, checksums right where they can be."""
    good = write_blob(small_cave())
    entry = HEADER.size + ENTRY.size  # the second entry: cells

    def changed(at: int, value: bytes, seal: bool = True) -> bytes:
        blob = bytearray(good)
        blob[at : at + len(value)] = value
        return resealed(blob) if seal else bytes(blob)

    chunks = loaded(good)
    offset, length = struct.unpack_from("<II", good, entry + 12)
    return {
        "bad-empty": b"",
        "bad-signature": changed(0, b"\x89"),
        "bad-major": changed(8, b"\x02"),
        "bad-flags": changed(10, b"\x01"),
        "bad-cut": good[:-7],
        "bad-longer": good + b"\0",
        "bad-directory": changed(entry + 5, b"\x02", seal=False),
        "bad-payload": changed(offset + length // 2, b"\xa5", seal=False),
        "bad-chunk-count": changed(12, struct.pack("<I", 0xFFFFFFFF), seal=False),
        "bad-overlap": changed(entry + 12, struct.pack("<I", offset - 5)),
        "bad-outside": changed(entry + 12, struct.pack("<II", offset, 0xFFFFFFF0)),
        "bad-size": changed(entry + 24, struct.pack("<HH", 65535, 65535)),
        "bad-element": changed(entry + 5, b"\x09"),
        "bad-codec": changed(entry + 4, b"\x63"),
        "bad-unknown-chunk": write_container([*chunks, Chunk("WHAT", 0, b"")]),
        "bad-missing-cells": write_container([c for c in chunks if c.type != "CELL"]),
        "bad-prior": changed(entry + 30, struct.pack("<H", 3)),
        "bad-side": changed(entry + 28, struct.pack("<H", 1)),
        "bad-no-level": write_container([c for c in chunks if c.type != "LEVL"]),
        "bad-layer-twice": with_a_layer_twice(),
        "bad-cells-longer": with_longer_cells(write_blob(small_cave(), "fast")),
        "bad-radius": changed_sight(chunks, payload=b"\0\0\x41\0"),
        "bad-radius-zero": changed_sight(chunks, payload=b"\0\0\0\0"),
        "bad-sight-walls": changed_sight(chunks, payload=b"\0\1\x08\0"),
        "bad-table-twice": with_a_name_twice(chunks, "TABL", {"columns": [], "rows": []}),
        "bad-puzzle-twice": with_a_name_twice(chunks, "PUZZ", {"kind": "custom", "data": {}}),
        "bad-budget-bytes": asking_for_parts(5, 1024, 1, b"\1" + zlib_stream(bytes(8192))),
        "bad-budget-steps": asking_for_parts(1, 1024, 17, b"\2\xff\0\0\xfe\1"),
        "bad-budget-maps": with_many_maps(chunks),
        **bad_values(chunks),
    }


def with_longer_cells(blob: bytes) -> bytes:
    """A blob whose cells are a zlib stream with a byte behind it."""
    chunks = loaded(blob)
    (position,) = (index for index, chunk in enumerate(chunks) if chunk.type == "CELL")
    assert chunks[position].codec == 1
    chunks[position] = replace(chunks[position], payload=chunks[position].payload + b"\0")
    return write_container(chunks)


def changed_sight(chunks: list[Chunk], **changes: Any) -> bytes:
    """A blob whose visibility has another entry."""
    return write_container(
        [replace(chunk, **changes) if chunk.type == "VISI" else chunk for chunk in chunks]
    )


def with_a_name_twice(chunks: list[Chunk], name: str, entry: dict[str, Any]) -> bytes:
    """A blob with two tables or two puzzles of one name."""
    twice = [{"name": "a", **entry}, {"name": "a", **entry}]
    return write_container([*chunks, Chunk(name, NUMBER, encode_values(twice))])


def with_many_maps(chunks: list[Chunk]) -> bytes:
    """A blob with a puzzle of 720,000 maps in few bytes."""
    before, after = b'[{"name":"a","kind":"custom","data":{"maps":[', b"{}]}}]"
    chunk = Chunk("PUZZ", NUMBER, zlib_stream(before + b"{}," * 720_000 + after))
    return write_container([*chunks, chunk])


def asking_for_parts(layers: int, parts: int, codec: int, payload: bytes) -> bytes:
    """A blob of a few bytes for each part of 65,536 cells."""
    cells = np.zeros((1, 1), np.uint8)
    described = {f"layer {n}": tiles_layer(f"layer {n}", cells, ()) for n in range(layers)}
    first, *_ = loaded(write_blob(Level("asking", 1, 1, layers=described)))
    text = zlib.decompress(first.payload)
    assert text.count(b'"size":[1,1]') == layers
    side = b"%d" % (256 * round(parts**0.5))
    text = text.replace(b'"size":[1,1]', b'"size":[' + side + b"," + side + b"]")
    grids = [
        Chunk("CELL", codec, payload, 1, item=item, cell=cell, width=256, height=256)
        for item in range(layers)
        for cell in range(parts)
    ]
    return write_container([replace(first, payload=zlib_stream(text)), *grids])


def with_a_layer_twice() -> bytes:
    """A blob of the layers a, a and b, all of the same cells."""
    names = ("a", "c", "b")
    cells = np.zeros((3, 5), np.uint8)
    layers = {name: tiles_layer(name, cells, FLOOR_AND_WALL) for name in names}
    first, *rest = loaded(write_blob(Level("twice", 5, 3, layers=layers)))
    text = zlib.decompress(first.payload)
    assert text.count(b'{"name":"c"') == 1
    twice = zlib_stream(text.replace(b'{"name":"c"', b'{"name":"a"'))
    return write_container([replace(first, payload=twice), *rest])


def bad_values(chunks: list[Chunk]) -> dict[str, bytes]:
    """Blobs whose level data would be right but for an ignored key."""
    described = zlib.decompress(chunks[0].payload)

    def changed(payload: bytes) -> bytes:
        return write_container([replace(chunks[0], payload=payload), *chunks[1:]])

    def holding(text: bytes) -> bytes:
        return changed(zlib_stream(b'{"new":' + text + b"," + described[1:]))

    def replacing(old: bytes, new: bytes) -> bytes:
        assert described.count(old) == 1
        return changed(zlib_stream(described.replace(old, new)))

    return {
        "bad-values-cut": changed(chunks[0].payload[:-1]),
        "bad-values-longer": changed(chunks[0].payload + b"\0"),
        "bad-values-stored": changed(described),
        "bad-values-codec": write_container([replace(chunks[0], codec=0), *chunks[1:]]),
        "bad-values-deep": holding(b"[" * 65 + b"]" * 65),
        "bad-values-bottomless": holding(b"[" * 100_000),
        "bad-values-many": holding(b"[" + b"0," * (1 << 21) + b"0]"),
        "bad-values-bomb": holding(b'"' + b"a" * (1 << 24) + b'"'),
        "bad-values-twice": holding(b'{"a":1,"a":2}'),
        "bad-values-utf8": holding(b'"\xc0\xaf"'),
        "bad-values-half": holding(b'"\\ud800"'),
        "bad-values-zero": holding(b'"\\u0000"'),
        "bad-values-space": holding(b"[1, 2]"),
        "bad-values-integer": holding(b"9223372036854775808"),
        "bad-values-infinite": holding(b"1e400"),
        "bad-values-word": holding(b"NaN"),
        "bad-values-comma": holding(b"[1,]"),
        "bad-role": replacing(b'"role":"play"', b'"role":"stay"'),
        "bad-connection": replacing(
            b'"connections":[]', b'"connections":[{"rooms":[0,2],"x":1,"y":1,"kind":"door"}]'
        ),
        "bad-mask": replacing(b'"masks":[]', b'"masks":["carved"]'),
    }


# The expected decoded values.


def digest(cells: NDArray[Any] | None) -> str | None:
    """Return the SHA-256 of an array's little-endian bytes."""
    if cells is None:
        return None
    plain = np.ascontiguousarray(cells, cells.dtype.newbyteorder("<"))
    return hashlib.sha256(plain.tobytes()).hexdigest()


def expected(level: Level) -> dict[str, Any]:
    """Return the manifest's entry of a level."""
    return {
        "name": level.name,
        "width": level.width,
        "height": level.height,
        "seed": level.seed,
        "rng": level.rng,
        "properties": dict(level.properties),
        "visibility_layer": level.visibility_layer,
        "layers": [expected_layer(layer) for layer in level.layers.values()],
        "visibility": expected_visibility(level),
        "objects": [
            {"id": o.id, "name": o.name, "x": o.x, "y": o.y, "properties": dict(o.properties)}
            for o in level.objects
        ],
        "tables": [
            {
                "name": table.name,
                "columns": [
                    {"name": c.name, "type": c.type, "nullable": c.nullable} for c in table.columns
                ],
                "rows": [list(row) for row in table.rows],
            }
            for table in level.tables.values()
        ],
        "puzzles": [
            {"name": p.name, "kind": p.kind, "data": p.data} for p in level.puzzles.values()
        ],
    }


def expected_layer(layer: Layer) -> dict[str, Any]:
    """Return the manifest's entry of a layer."""
    heights = layer.heights
    return {
        "name": layer.name,
        "kind": layer.kind,
        "width": layer.width,
        "height": layer.height,
        "element": layer.cells.dtype.name,
        "cells": digest(layer.cells),
        "walkable": digest(layer.walkable),
        "opaque": digest(layer.opaque),
        "tiles": [
            {
                "id": tile.id,
                "name": tile.name,
                "walkable": tile.walkable,
                "opaque": tile.opaque,
                "color": tile.color,
            }
            for tile in layer.tiles
        ],
        "role": layer.role,
        "connections": [
            [*connection.rooms, connection.x, connection.y, connection.kind]
            for connection in layer.connections
        ],
        "masks": {name: digest(mask) for name, mask in layer.masks.items()},
        "heights": heights and [heights.minimum, heights.maximum, heights.units],
        "first_cells": layer.cells.reshape(-1)[:8].tolist(),
    }


def expected_visibility(level: Level) -> dict[str, Any] | None:
    """Return the fields of view of some cells, and some pairs of cells."""
    table = level.visibility
    if table is None:
        return None
    height, width = table.shape
    draws = noise(1, 48, 99)[0].tolist()
    points = [
        (first % width, second % height)
        for first, second in zip(draws[::2], draws[1::2], strict=True)
    ]
    return {
        "algorithm": table.algorithm,
        "radius": table.radius,
        "see_walls": bool(table.see_walls),
        "visible_from": [
            {
                "x": x,
                "y": y,
                "count": int(table.visible_from(x, y).sum()),
                "cells": digest(table.visible_from(x, y)),
            }
            for x, y in points
        ],
        "can_see": [
            [x, y, x + dx, y + dy, bool(table.can_see((x, y), (x + dx, y + dy)))]
            for x, y in points
            for dx, dy in ((3, 1), (-2, 5), (0, -4))
            if 0 <= x + dx < width and 0 <= y + dy < height
        ],
    }


def pack(profile: Any) -> tuple[bytes, dict[str, Any]]:
    """Return a pack of caves that differ in size of lists and kinds of values, and answers."""
    levels = []
    for number in range(12):
        cells = cave(21, 40, 20 + number)
        objects = tuple(
            PlacedObject(index + 1, kind, 3 + index * number % 30, 4 + index, properties)
            for index, (kind, properties) in enumerate(
                (
                    ("stairs", {}),
                    ("chest", {"gold": 7 * number, "text": "ä" * number}),
                    *((("rat", {"weight": number / 3, "id": number << 40}),) * (number % 4)),
                )
            )
        )
        layers = {"ground": tiles_layer("ground", cells, FLOOR_AND_WALL, complete=number != 5)}
        sight = compute_visibility(cells == 1, 5, "symmetric") if number % 2 else None
        levels.append(
            Level(
                "caves", 40, 21, 1000 - number * 7, layers=layers, objects=objects,
                visibility=sight, visibility_layer="ground" if number % 2 else None,
            )
        )  # fmt: skip
    floor = [float((level.layers["ground"].cells == 0).mean()) for level in levels]
    columns = {
        "seeds": {"seed": [level.seed for level in levels]},
        "parameters": {"ground.kind": ["wide", "deep", None] * 4},
        "metrics": {
            "floor": floor,
            "farthest": [number * 37 % 11 - 2 for number in range(12)],
            "objects.'big chest'": [number % 3 for number in range(12)],
            "odd": [number / 7 + 1e-9 * number**3 for number in range(12)],
        },
    }
    data = encode_pack("caves", [write_blob(level, profile) for level in levels], columns, 21 * 40)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "caves.lvp"
        path.write_bytes(data)
        with open_pack(path) as opened:
            answers = {
                "name": opened.name,
                "count": len(opened),
                "seeds": opened.seeds.tolist(),
                "metrics": columns["metrics"],
                "levels": [
                    {
                        **expected(level)["layers"][0],
                        "objects": [
                            [o.id, o.name, o.x, o.y, dict(o.properties)] for o in level.objects
                        ],
                        "complete": level.layers["ground"].complete,
                        "seed": level.seed,
                    }
                    for level in opened
                ],
                "find": [[text, opened.find(text)] for text in CONDITIONS],
                "daily": [[date, opened.daily(date)] for date in DATES],
                "shuffled": [[seed, opened.shuffled(seed)] for seed in SHUFFLED],
            }
    return data, answers


CONDITIONS = (
    "farthest >= 5",
    "floor > 0.55 and not (farthest < 0 or objects.'big chest' == 1)",
    "1 < farthest <= 7",
    "farthest / objects.'big chest' > 1.5",
    "-odd * 3 + 2e0 <= floor - .5",
    "odd != 0.1428571438571428 and (farthest + 2) / 3 * 3 == farthest + 2",
    "objects.'big chest' >= 2 or odd > 1",
)
DATES = ("1970-01-01", "2026-12-24", "2024-02-29", "2000-03-01", "1969-12-31", "9999-12-31")
SHUFFLED = (0, 1, 42, -1, 2**31, 2**40 + 5)


def build() -> tuple[dict[str, bytes], dict[str, Any]]:
    """Return every file by name, and the manifest."""
    good: dict[str, bytes] = {
        "small-cave": write_blob(small_cave()),
        "small-cave-fast": write_blob(small_cave(), "fast"),
        "small-cave-coded": write_blob(small_cave(), visibility="coded"),
        "many-menus": write_blob(many_menus()),
        "many-menus-fast": write_blob(many_menus(), "fast"),
        "large": write_blob(large()),
        "standalone-tiles": write_blob(standalone_tiles()),
        "relief": write_blob(relief()),
        "relief-fast": write_blob(relief(), "fast"),
        "data": write_blob(data()),
        "numbers": write_blob(numbers()),
        "foreign": foreign(),
        "rooms": write_blob(rooms()),
        "rooms-independent": write_blob(rooms(), independent_parts=True),
        "sights": write_pack(sights()),
        "sights-coded": write_pack(sights(), visibility="coded"),
        "every-codec": every_codec(),
        "every-menu": every_menu(),
        "from-the-future": from_the_future(),
    }
    manifest: dict[str, Any] = {
        "good": [
            {
                "file": f"{name}.lvb",
                "sha256": hashlib.sha256(blob).hexdigest(),
                "levels": [expected(level) for level in read_pack(blob)],
            }
            for name, blob in good.items()
        ],
        "bad": [f"{name}.lvb" for name in bad()],
    }
    packs = {f"caves{kind}.lvp": pack(kind[1:] or "small") for kind in ("", "-fast")}
    manifest["packs"] = [
        {"file": name, "sha256": hashlib.sha256(data).hexdigest(), **answers}
        for name, (data, answers) in packs.items()
    ]
    files = {f"{name}.lvb": blob for name, blob in {**good, **bad()}.items()}
    files |= {name: data for name, (data, _) in packs.items()}
    return files, manifest


def main() -> None:
    """Write the files beside this script."""
    files, manifest = build()
    for old in HERE.glob("*.lv[bp]"):
        old.unlink()
    for name, blob in files.items():
        (HERE / name).write_bytes(blob)
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    (HERE / "manifest.json").write_text(text + "\n", encoding="utf-8")
    print(f"{len(files)} blobs, {sum(map(len, files.values()))} bytes")


if __name__ == "__main__":
    main()
