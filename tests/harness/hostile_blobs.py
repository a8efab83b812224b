"""Blobs that a stranger might send: fields of other types, and a few bytes that ask for too much.

Every reader judges all of them, and all readers judge alike. They are of the `fast` profile where
that matters, so that the reader of JavaScript takes part.
"""

from __future__ import annotations

import copy
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from exporter.blob import Chunk, write_container
from exporter.blob.values import NUMBER, encode_values

NONE = 0xFFFF
STORED, ZLIB, PACK, BITMAP, TILES = 0, 1, 2, 16, 17
# A part of 256 x 256 cells of 0, as bits.
ZEROS = b"\1" + zlib.compress(bytes(8192), 9)
# Tiles without class layer in all contexts, of the ids 0 to 255; the stream follows.
TILES_HEAD = bytes((2, 255, 0, 0, 254, 1))

LAYER: dict[str, Any] = {
    "name": "ground",
    "kind": "tiles",
    "size": [6, 4],
    "generator": "",
    "version": 1,
    "tiles": [{"id": 1, "name": "wall", "walkable": False, "opaque": True, "color": "#000000ff"}],
    "walkable": "legend",
    "heights": None,
    "complete": True,
    "report": {"tried": [1, 2.5]},
    "rooms": [{"name": "hall", "x": 1, "y": 1, "width": 2, "height": 2, "center": [2, 2]}] * 2,
    "certificate": {
        "regions_before": 2,
        "regions_after": 1,
        "cells_carved": 3,
        "floor": 20,
        "cells": 24,
        "farthest": 5,
        "start": [1, 1],
        "dead_ends": 1,
        "chokes": 2,
    },
    "grid_aligned": True,
    "role": "play",
    "connections": [{"rooms": [0, 1], "x": 2, "y": 1, "kind": "door"}],
    "masks": ["carved", "left"],
}
RELIEF: dict[str, Any] = {
    **LAYER,
    "name": "relief",
    "kind": "heights",
    "tiles": [],
    "walkable": 5,
    "heights": {"minimum": -1.5, "maximum": 20, "units": "metres"},
    "rooms": [],
    "connections": [],
    "certificate": None,
    "masks": [],
}
LEVEL: dict[str, Any] = {
    "name": "hostile",
    "width": 6,
    "height": 4,
    "seed": 7,
    "rng": "portable",
    "visibility_layer": "ground",
    "properties": {"music": "drip"},
    "layers": [LAYER, RELIEF],
}
VALUES: dict[str, Any] = {
    "LEVL": LEVEL,
    "OBJS": [{"id": 1, "name": "key", "x": 1, "y": 2, "properties": {"hp": 5}}],
    "TABL": [
        {
            "name": "monsters",
            "columns": [{"name": "hp", "type": "integer", "nullable": True}],
            "rows": [[5], [None]],
        }
    ],
    "PUZZ": [{"name": "vault", "kind": "custom", "data": {"clues": [1]}}],
}
SIGHT = bytes((0, 0, 4, 0))
GRIDS = (
    Chunk("CELL", PACK, b"\1\1", 1, item=0, width=6, height=4),
    Chunk("CELL", PACK, b"\1\7\0", 2, item=1, width=6, height=4),
    Chunk("mask", PACK, b"\1\1", 0, item=0, width=6, height=4),
    Chunk("mask", PACK, b"\1\0", 0, item=1, width=6, height=4),
    Chunk("VISI", 32, SIGHT, width=6, height=4, side=0),
)
# Replacements for any value.
ALIENS: tuple[Any, ...] = (
    None, True, 0, 1, -1, 70_000, 1 << 31, -(1 << 31), (1 << 31) - 1, 1 << 40, 1.5, 1.0, "", "text",
    "12", [], {}, [1, 2], [1, 1.0], {"integer": "12"}, {"integer": "-"}, {"integer": "1" * 4097},
    {"integer": "1" * 4096}, [None], [[]], [{}],
)  # fmt: skip


def blob_of(values: dict[str, Any], grids: tuple[Chunk, ...] = GRIDS) -> bytes:
    """Return the blob of these values by chunk, and these grids."""
    chunks = [Chunk(name, NUMBER, encode_values(value)) for name, value in values.items()]
    return write_container([*chunks, *grids])


def odd_values() -> Iterator[tuple[str, bytes]]:
    """Yield a good blob, then blobs with one field missing or replaced, by their oddity."""
    yield "nothing odd", blob_of(VALUES)
    for position in _places(VALUES):
        name = ".".join(map(str, position))
        for alien in ALIENS:
            yield f"{name} is {repr(alien)[:30]}", blob_of(_changed(position, alien))
        yield f"{name} is missing", blob_of(_changed(position, _REMOVED))
        yield f"{name} is there twice", blob_of(_changed(position, _TWICE))


_REMOVED, _TWICE = object(), object()


def _places(tree: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value of a tree; of lists only the first entry."""
    if before:
        yield before
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _places(value, (*before, key))
    elif isinstance(tree, list) and tree:
        yield from _places(tree[0], (*before, 0))


def _changed(path: tuple[Any, ...], alien: Any) -> dict[str, Any]:
    values = copy.deepcopy(VALUES)
    tree: Any = values
    for step in path[:-1]:
        tree = tree[step]
    if alien is _REMOVED:
        del tree[path[-1]]
    elif alien is _TWICE:
        if isinstance(tree, list):
            tree.append(copy.deepcopy(tree[path[-1]]))
    else:
        tree[path[-1]] = copy.deepcopy(alien)
    return values


def odd_chunks() -> Iterator[tuple[str, bytes]]:
    """Yield blobs whose chunks have other fields in the directory, by their oddity."""
    odd = {
        "codec": (0, 1, 2, 20, 32, 99, 200),
        "element": (0, 1, 2, 3, 4, 255),
        "item": (0, 1, 2, 77),
        "cell": (0, 1, 65535),
        "width": (0, 1, 5, 6, 8193, 65535),
        "height": (0, 3, 4, 8193, 65535),
        "side": (0, 1, 2, 77),
        "prior": (0, 1, 77),
        "payload": (b"", b"\0", b"\1", b"\xff\xff\xff", SIGHT),
    }
    for index, chunk in enumerate(GRIDS):
        for field, values in odd.items():
            for value in values:
                grids = (*GRIDS[:index], replace(chunk, **{field: value}), *GRIDS[index + 1 :])
                yield f"{field} of {chunk.type} {chunk.item} is {value!r}", blob_of(VALUES, grids)
        without = (*GRIDS[:index], *GRIDS[index + 1 :])
        yield f"no {chunk.type} {chunk.item}", blob_of(VALUES, without)
    for rule in range(4):
        for walls in range(3):
            for radius in (0, 1, 64, 65, 255, 256, 65535):
                payload = bytes((rule, walls)) + radius.to_bytes(2, "little")
                grids = (*GRIDS[:-1], replace(GRIDS[-1], payload=payload))
                yield f"rule {rule}, walls {walls}, radius {radius}", blob_of(VALUES, grids)


def level_of(*layers: dict[str, Any]) -> dict[str, Any]:
    """Return level data with these layers, each LAYER with the given changes."""
    plain = {"rooms": [], "connections": [], "certificate": None, "masks": [], "walkable": None}
    described = [
        {**LAYER, **plain, "name": f"layer {number}", **layer}
        for number, layer in enumerate(layers)
    ]
    return {**LEVEL, "visibility_layer": None, "layers": described}


def parts_of(
    columns: int, rows: int, codec: int = ZLIB, payload: bytes = ZEROS, **more: Any
) -> list[Chunk]:
    """Return the chunks of a layer of so many parts of 256 x 256 cells."""
    chunk = Chunk("CELL", codec, payload, 1, width=256, height=256, **more)
    return [replace(chunk, cell=number) for number in range(columns * rows)]


def wide(columns: int, rows: int) -> dict[str, Any]:
    """Return the size of a layer of so many parts."""
    return {"size": [256 * columns, 256 * rows]}


# Chunks that are right with any list in the middle: the bytes before and behind it.
LISTS_OF_MAPS = (
    ("OBJS", b'[{"id":1,"name":"","x":1,"y":1,"properties":{},"more":', b"{}]}]"),
    ("TABL", b'[{"name":"","columns":[],"rows":[],"more":', b"{}]}]"),
    ("PUZZ", b'[{"name":"","kind":"","data":{"more":', b"{}]}}]"),
)


def greedy() -> dict[str, bytes]:
    """Return blobs that exceed the default limits, by the limit."""
    cells = {"LEVL": level_of(wide(32, 32))}
    many = {"LEVL": level_of(*[wide(32, 32)] * 5)}
    constants = [
        replace(part, item=item) for item in range(5) for part in parts_of(32, 32)
    ]  # 5 times 2^26 cells of a byte, in 320 KB
    return {
        "bytes of cells": blob_of(many, tuple(constants)),
        "cells of a layer": blob_of({"LEVL": level_of(wide(33, 32))}, tuple(parts_of(33, 32))),
        "steps of tiles": blob_of(cells, tuple(parts_of(32, 32, TILES, TILES_HEAD))),
        "steps of priors": blob_of(cells, tuple(_each_with_a_prior_of_its_own(32, 32))),
        "walkable cells": blob_of(
            {"LEVL": level_of(*[{**wide(32, 32), "walkable": 1}] * 3)},
            tuple(constants[: 3 * 1024]),
        ),
        "masks": blob_of(
            {"LEVL": level_of({**wide(16, 16), "masks": [f"m{n}" for n in range(16)]})},
            (
                *parts_of(16, 16),
                *(
                    replace(part, type="mask", element=0, item=item)
                    for item in range(16)
                    for part in parts_of(16, 16)
                ),
            ),
        ),
        "maps": _with_report(b'{"a":[' + b"{}," * (1 << 20) + b"0]}"),
        "lists": _with_report(b'{"a":[' + b"[]," * 1_900_000 + b"0]}"),
        "scalars": _with_report(b'{"a":[' + b"0," * (1 << 21) + b"0]}"),
        "numbers that are hard to make": _with_report(
            b'{"a":[' + b"1.234567e-300," * 140_000 + b"0]}"
        ),
        "text": _with_report(b'{"a":"' + b"a" * (1 << 24) + b'"}'),
        "maps in all chunks": write_container(
            [
                Chunk("LEVL", NUMBER, encode_values(level_of())),
                *(
                    Chunk(name, NUMBER, zlib.compress(before + b"[" + b"{}," * 240_000 + after, 9))
                    for name, before, after in LISTS_OF_MAPS
                ),
            ]
        ),
        "digits of a seed": _with_text(
            b'"seed":7', b'"seed":{"integer":"' + b"9" * (1 << 20) + b'"}'
        ),
        "masks without chunks": _with_text(
            b'"masks":[]', b'"masks":[' + b",".join(b'"%d"' % n for n in range(1 << 18)) + b"]"
        ),
    }


# Why each of them is refused, as the message says it. A blob that exceeds two limits at once would
# test one of them only.
REASONS = {
    "bytes of cells": "level 0 is over the limit of 268435456 bytes",
    "cells of a layer": "over the limit of 67108864 cells",
    "steps of tiles": "level 0 is over the limit of 1073741824 steps",
    "steps of priors": "level 0 is over the limit of 1073741824 steps",
    "walkable cells": "the walkable cells is over the limit of 268435456 bytes",
    "masks": "level 0 is over the limit of 268435456 bytes",
    "maps": "a tree of values is over the limit of 268435456 bytes",
    "lists": "a tree of values is over the limit of 268435456 bytes",
    "scalars": "there are more than 2097152 values",
    "numbers that are hard to make": "a tree of values is over the limit of 1073741824 steps",
    "text": "the JSON text is larger than 16777216 bytes",
    "maps in all chunks": "a tree of values is over the limit of 268435456 bytes",
    "digits of a seed": "the seed '9999.*' is not an integer",
    "masks without chunks": "chunks of mask 0 are missing",
}


def greedy_for_inspection() -> dict[str, bytes]:
    """Return blobs and frames that ask for little, and much is to be counted in them."""
    square = {"size": [256, 256]}
    sights = [
        replace(chunk, level=number)
        for number, radius in enumerate(range(1, 65))
        for chunk in (
            Chunk("LEVL", NUMBER, encode_values(level_of(square))),
            *parts_of(1, 1),
            Chunk("VISI", 32, bytes((1, 0, radius, 0)), width=256, height=256, side=0),
        )
    ]
    item = [Chunk("LEVL", NUMBER, encode_values(level_of(square))), *parts_of(1, 1)]
    largest = zlib.compress(b'"' + b"a" * ((1 << 24) - 2) + b'"', 9)
    empty = Chunk("OBJS", NUMBER, encode_values([]))
    shared = parts_of(16, 16, TILES, TILES_HEAD)
    shared = [
        replace(shared[0], payload=TILES_HEAD + bytes(31_000_000)),
        *(replace(part, payload=b"", prior=0) for part in shared[1:]),
    ]
    coded = Chunk("VISI", 20, bytes((2, 0, 64, 0, 1, 1)), width=256, height=256, side=0)
    return {
        "a radius of its own for each level": write_container(sights),
        "the largest radius": write_container([*sights[-3:-1], replace(sights[-1], level=63)]),
        "the largest radius, coded": write_container([*item, coded]),
        "texts that no reader inflates": write_container(
            [*item, empty, *[replace(empty, payload=largest)] * 500]
        ),
        "a large payload that all parts go on from": blob_of(
            {"LEVL": level_of(wide(16, 16))}, tuple(shared)
        ),
        "many short texts": _with_report(b'{"a":[' + b'"",' * 2_000_000 + b"0]}"),
        "many objects": write_container(
            [
                *item,
                replace(
                    empty,
                    payload=zlib.compress(
                        b"[" + b'{"id":1,"name":"","x":1,"y":1,"properties":{}},' * 260_000 + b"0]"
                    ),
                ),
            ]
        ),
        "32 MB of something": write_container(
            [*item, Chunk("zzzz", 0, bytes(range(256)) * 125_000)]
        ),
        **{f"a frame of codec {codec}": _frame(codec) for codec in (PACK, BITMAP, TILES)},
    }


def _frame(codec: int) -> bytes:
    """Return a frame of 8192 x 8192 integers of 8 bits (of 32 bits, in the codec `pack`)."""
    element = 3 if codec == PACK else 1
    head = bytes((0xC5, 1 << 4 | element << 2 | 2, codec, 128, 64, 128, 64))
    payload = {PACK: b"\1" + bytes(4), BITMAP: b"\0", TILES: TILES_HEAD}[codec]
    payload += b"" if codec == PACK else bytes(range(7, 250)) * 40
    return head + zlib.crc32(payload, zlib.crc32(head)).to_bytes(4, "little") + payload


def _each_with_a_prior_of_its_own(columns: int, rows: int) -> Iterator[Chunk]:
    for part in parts_of(columns, rows, TILES, TILES_HEAD):
        follows = part.cell % 2 == 1
        yield replace(part, payload=b"", prior=part.cell - 1) if follows else part


def _with_report(report: bytes) -> bytes:
    """Return a blob whose only layer has this report."""
    return _with_text(b'"report":{"tried":[1,2.5]}', b'"report":' + report)


def _with_text(before: bytes, after: bytes) -> bytes:
    """Return a blob of one layer with another piece of text in its level data."""
    text = zlib.decompress(encode_values(level_of({})))
    assert text.count(before) == 1
    changed = Chunk("LEVL", NUMBER, zlib.compress(text.replace(before, after), 9))
    return write_container([changed, GRIDS[0]])


def greedy_for_strangers() -> dict[str, bytes]:
    """Return blobs that ask for nearly all that the limits for strangers' files allow, or more."""
    return {
        "nearly all steps as tiles": blob_of(
            {"LEVL": level_of(wide(1, 5))},
            tuple(parts_of(1, 5, TILES, TILES_HEAD + bytes(range(7, 250)) * 40)),
        ),
        "more tiles than the steps allow": blob_of(
            {"LEVL": level_of(wide(2, 3))}, tuple(parts_of(2, 3, TILES, TILES_HEAD))
        ),
        "nearly all steps as bitmaps": blob_of(
            {"LEVL": level_of(wide(3, 7))},
            tuple(parts_of(3, 7, 16, b"\0" + bytes(range(7, 250)) * 40)),
        ),
        "nearly all steps as cells and walkable cells": blob_of(
            {"LEVL": level_of({**wide(5, 8), "walkable": 1})},
            tuple(parts_of(5, 8)),
        ),
        "nearly all steps as hard numbers": blob_of(
            {"LEVL": level_of({"report": {"numbers": [1.234567890123456e-300] * 950}})}, (GRIDS[0],)
        ),
        "nearly all values as numbers with a point": blob_of(
            {"LEVL": level_of({"report": {"numbers": [0.1234567890123456] * 50_000}})}, (GRIDS[0],)
        ),
        "nearly all values as maps": blob_of(
            {"LEVL": level_of({"report": {"maps": [{}] * 65_000}})}, (GRIDS[0],)
        ),
        "5 KB of tiles that go on from another part": blob_of(
            {"LEVL": level_of(wide(15, 10))}, tuple(_each_with_a_prior_of_its_own(15, 10))
        ),
    }
