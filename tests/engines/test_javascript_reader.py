"""The JavaScript reader, in Node: the shared blobs, and everything that is no level."""

from __future__ import annotations

import base64
import json
import shutil
import struct
import subprocess
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from damaged_blobs import loaded
from engine_harness import Node
from engine_harness.breakers import break_in_javascript
from engine_harness.folders import JAVASCRIPT, JAVASCRIPT_READER, VECTORS, vector_manifest
from engine_harness.json_values import values_chunk
from engine_harness.role_levels import level_with_roles, reported_for
from exporter.blob import Chunk, read_container, read_pack, write_blob, write_container, write_pack
from exporter.blob.container import NONE
from exporter.codecs import choose
from exporter.grids.lines import line
from exporter.model.level import Level
from scripts import load_script

MANIFEST = vector_manifest()
EXACT = 1 << 53


MAKER: Any = load_script("vectors/make_vectors.py")


def fast(levels: list[Level]) -> bytes:
    return write_pack(levels, "fast")


def cave() -> bytes:
    """A small level with everything but heights."""
    return fast([MAKER.small_cave()])


def relief() -> bytes:
    """Heights, in every layout of zlib."""
    return fast([MAKER.relief()])


def changed(blob: bytes, type_: str, change: Callable[[Chunk], Chunk]) -> bytes:
    """Return a blob with the chunks of a type changed."""
    return write_container(
        change(chunk) if chunk.type == type_ else chunk for chunk in loaded(blob)
    )


def relevelled(
    blob: bytes, change: Callable[[dict[str, Any]], Any], words: tuple[bytes, bytes] = (b"", b"")
) -> bytes:
    """Return a blob with a changed level description, perhaps in another form."""

    def described(chunk: Chunk) -> Chunk:
        value = json.loads(zlib.decompress(chunk.payload))
        change(value)
        again = values_chunk(chunk, value)
        text = zlib.decompress(again.payload).replace(*words)
        return replace(again, payload=zlib.compress(text))

    return changed(blob, "LEVL", described)


def read(node: Node, folder: Path, blobs: dict[str, bytes], viewers: Any = None) -> dict[str, Any]:
    """Return the reader's answers about blobs by their names."""
    for name, blob in blobs.items():
        (folder / name).write_bytes(blob)
    files = [{"path": str(folder / name), "viewers": (viewers or {}).get(name)} for name in blobs]
    question = {"module": JAVASCRIPT_READER.as_uri(), "files": files}
    answers = node.query(JAVASCRIPT / "read_blobs.mjs", question)
    return dict(zip(blobs, answers, strict=True))


# Blobs that must be read.


def same(result: Any, expected: Any) -> bool:
    """Whether two trees agree, numbers beyond 2^53 as near as JavaScript has them."""
    if isinstance(result, dict) and set(result) == {"bigint"}:
        return bool(int(result["bigint"]) == expected)
    if isinstance(expected, dict):
        return result.keys() == expected.keys() and all(
            same(result[key], expected[key]) for key in result
        )
    if isinstance(expected, list):
        return len(result) == len(expected) and all(map(same, result, expected))
    if type(expected) in (int, float) and abs(expected) > EXACT:
        return float(result) == float(expected)
    return bool(result == expected)


@pytest.fixture(scope="module")
def answers(node: Node, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The reader's answers about the levels of every vector, stored as `fast`."""
    blobs, viewers = {}, {}
    for entry in MANIFEST["good"]:
        name = entry["file"]
        blob = (VECTORS / name).read_bytes()
        # Those of other profiles hold levels as well: only their codecs are not read here.
        known = {0, 1, 2, 16, 21, 32}
        is_fast = all(c.codec in known and c.prior == NONE for c in read_container(blob))
        blobs[name] = blob if is_fast else fast(read_pack(blob))
        views = [level["visibility"] or {"visible_from": []} for level in entry["levels"]]
        viewers[name] = [view["visible_from"] for view in views]
    return read(node, tmp_path_factory.mktemp("vectors"), blobs, viewers)


@pytest.mark.parametrize("entry", MANIFEST["good"], ids=lambda entry: entry["file"])
def test_a_vector_decodes_to_what_the_manifest_says(
    answers: dict[str, Any], entry: dict[str, Any]
) -> None:
    result = answers[entry["file"]]
    assert "error" not in result
    assert len(result["levels"]) == len(entry["levels"])
    for level, expected in zip(result["levels"], entry["levels"], strict=True):
        if expected["visibility"]:
            expected = {**expected, "visibility": {**expected["visibility"]}}
            del expected["visibility"]["can_see"]
        level["layers"] = [
            {key: layer[key] for key in described}
            for layer, described in zip(level["layers"], expected["layers"], strict=True)
        ]
        for key, value in expected.items():
            assert same(level[key], value), key


def test_small_profile_is_refused_with_a_way_out(node: Node, tmp_path: Path) -> None:
    blobs = {
        "tiles": write_blob(MAKER.many_menus()),
        "heights": write_blob(MAKER.relief()),
        "coded": write_pack([MAKER.small_cave()], "fast", "coded"),
    }
    for name, answer in read(node, tmp_path, blobs).items():
        assert "export the level with `blob: fast`" in answer["error"], name


@pytest.mark.parametrize("codec", ["stored", "zlib", "pack"])
@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_every_codec_gives_the_cells(node: Node, tmp_path: Path, codec: str, dtype: str) -> None:
    rng = np.random.default_rng(3)
    grids = {
        "two": rng.integers(0, 2, (21, 40)),
        "few": rng.integers(0, 7, (21, 40)) * 3,
        "many": rng.integers(0, np.iinfo(dtype).max + 1, (21, 40)),
        "smooth": np.add.outer(np.arange(21) * 3, np.arange(40)),
        "same": np.full((21, 40), 200),
    }
    blobs, expected = {}, {}
    for name, grid in grids.items():
        cells = np.ascontiguousarray(grid, dtype)
        forced = choose(cells, codec)
        element = 1 if dtype == "uint8" else 2

        def store(chunk: Chunk, forced: Any = forced, element: int = element) -> Chunk:
            return replace(
                chunk, codec=forced.codec.number, payload=forced.payload, element=element
            )

        blobs[name] = changed(cave(), "CELL", store)
        expected[name] = MAKER.digest(cells)
    result = read(node, tmp_path, blobs)
    assert {name: result[name]["levels"][0]["layers"][0]["cells"] for name in blobs} == expected


def test_roles_connections_and_masks_are_reported(node: Node, tmp_path: Path) -> None:
    mask = np.zeros((21, 40), np.bool_)
    mask[3, 5] = True
    connection = {"rooms": [0, 1], "x": 4, "y": 5, "kind": "door"}

    def describe(level: dict[str, Any]) -> None:
        more = {"role": "play", "connections": [connection], "masks": ["wet"], "unknown": 1}
        level["layers"][0].update(more)

    described = [
        chunk for chunk in loaded(relevelled(cave(), describe)) if chunk.type.upper() != "MASK"
    ]
    stored = choose(mask, "zlib")
    chunk = Chunk("mask", 1, stored.payload, 0, width=40, height=21)
    (level,) = read(node, tmp_path, {"cave": write_container([*described, chunk])})["cave"][
        "levels"
    ]
    layer = level["layers"][0]
    assert (layer["role"], layer["connections"]) == ("play", [[0, 1, 4, 5, "door"]])
    assert layer["masks"] == {"wet": MAKER.digest(mask)}


def test_levels_answer_what_games_ask(node: Node, tmp_path: Path) -> None:
    world, level, hills = MAKER.large(), MAKER.small_cave(), MAKER.relief()
    paths = {"world": fast([world]), "cave": cave(), "relief": relief()}
    for name, blob in paths.items():
        (tmp_path / name).write_bytes(blob)
    floor = np.argwhere(level.layers["ground"].cells == 0)[::17]
    points = [{"x": int(x), "y": int(y)} for y, x in floor]
    pairs = [[a, b] for a in points for b in points]
    question = {"module": JAVASCRIPT_READER.as_uri(), "layer": "picture", "part": 3, "pairs": pairs}
    files = {name: str(tmp_path / name) for name in paths}
    reported = node.query(JAVASCRIPT / "ask_level.mjs", question | files)

    part = reported["part"]
    assert (part["x"], part["y"], part["width"], part["height"]) == (256, 256, 274, 144)
    assert part["cells"] == world.layers["picture"].cells[256:, 256:].reshape(-1).tolist()
    sight = level.visibility
    assert sight is not None
    sees = [bool(sight.can_see((a["x"], a["y"]), (b["x"], b["y"]))) for a, b in pairs]
    assert reported["sees"] == sees
    assert {True, False} <= set(sees)
    opaque = level.layers["ground"].opaque
    for (a, b), cells in zip(pairs, reported["lines"], strict=True):
        whole = list(line((a["x"], a["y"]), (b["x"], b["y"])))
        blocked = next((n for n, (x, y) in enumerate(whole) if n and opaque[y, x]), len(whole))
        assert cells == [list(cell) for cell in whole[:blocked]]
    metres = -12.5 + hills.layers["relief"].cells.reshape(-1)[:50] * (332.5 / 65535)
    assert np.allclose(reported["heights"], metres, atol=1e-4)


def ask_masks(node: Node, folder: Path, levels: list[Level]) -> Any:
    paths = [folder / f"{number}.lvb" for number in range(len(levels))]
    for path, level in zip(paths, levels, strict=True):
        path.write_bytes(write_blob(level, "fast"))
    question = {"module": JAVASCRIPT_READER.as_uri(), "paths": [str(path) for path in paths]}
    return node.query(JAVASCRIPT / "ask_masks.mjs", question)


def test_the_masks_of_a_level_are_those_of_python(node: Node, tmp_path: Path) -> None:
    random = np.random.default_rng(22)
    levels = [level_with_roles(random, f"level {number}") for number in range(150)]
    assert ask_masks(node, tmp_path, levels) == [reported_for(level) for level in levels]
    # The levels must distinguish masks of several layers from masks of one.
    assert sum(len(level.play_layers()) > 1 and level.walkable().any() for level in levels) > 20


def test_a_level_of_any_size_is_no_reason_to_make_a_mask_of_it(node: Node, tmp_path: Path) -> None:
    (answer,) = ask_masks(node, tmp_path, [Level("wide", 1 << 23, 1 << 23)])
    assert answer == {"error": "a level of 8388608 x 8388608 cells is over the limit"}


def test_a_module_of_a_browser_needs_nothing_of_node(node: Node, tmp_path: Path) -> None:
    url = "data:application/octet-stream;base64," + base64.b64encode(cave()).decode()
    question = {"module": JAVASCRIPT_READER.as_uri(), "url": url}
    reported = node.query(JAVASCRIPT / "in_a_browser.mjs", question)
    assert reported == {"name": "small-cave", "cells": 840}


def test_the_module_imports_nothing() -> None:
    source = JAVASCRIPT_READER.read_text(encoding="utf-8")
    code = [line for line in source.splitlines() if not line.lstrip().startswith("*")]
    assert not [line for line in code if line.startswith("import ") or "import(" in line]


def test_types_are_right(tmp_path: Path) -> None:
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.skip("TypeScript (command tsc) is not installed; .ci/install-engines installs it")
    options = ["--checkJs", "--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom"]
    checked = subprocess.run(
        [compiler, *options, str(JAVASCRIPT_READER)], capture_output=True, text=True
    )
    assert checked.stdout == ""
    assert checked.returncode == 0


# Blobs that must be refused.


def test_the_bad_vectors_are_refused(node: Node, tmp_path: Path) -> None:
    maker: Any = load_script("vectors/make_vectors.py")
    maker.write_blob = lambda level, *_: write_blob(level, "fast")
    blobs = maker.bad()
    assert sorted(f"{name}.lvb" for name in blobs) == sorted(MANIFEST["bad"])
    for name, answer in read(node, tmp_path, blobs).items():
        assert "error" in answer, name
        assert "blob: fast" not in answer["error"], name


def bomb(size: int) -> bytes:
    """A zlib stream of so many spaces, a multiple of 1 MiB: one block that is there many times."""
    spaces = b" " * (1 << 20)
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(spaces) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 1
    for _ in range(size >> 20):
        checksum = zlib.adler32(spaces, checksum)
    return b"\x78\xda" + block * (size >> 20) + packer.flush() + checksum.to_bytes(4)


# JSON that would be read, did the format not forbid it.
ODD_VALUES = {
    "a key twice": b'{"a":1,"a":2}',
    "a key twice, once disguised": b'{"a":1,"\\u0061":2}',
    "half a character": b'"\\ud800"',
    "a character of nothing": b'"\\u0000"',
    "white space": b"[1, 2]",
    "an integer too large": b"9223372036854775808",
    "an endless integer": b"9" * 100_000,
    "an infinite number": b"1e400",
    "a number of many digits": b"0.1234567890123456789",
    "a number of many characters": b"0.0000000000000000000000000000001",
    "zeros without end": b"0." + b"0" * 100_000,
}
ROOM = {"name": "a", "x": 1, "y": 2, "width": 3, "height": 4, "center": [2, 3]}
TILE = {"id": 0, "name": "a", "walkable": True, "opaque": False, "color": "#000000ff"}
COLUMN = {"name": "a", "type": "text", "nullable": False}
LEVEL_KEYS = ("name", "width", "height", "seed", "rng", "visibility_layer", "properties", "layers")
# Values that a level, a layer, an object, a table and a puzzle must not have.
WRONG_LEVEL = [
    {"width": -1}, {"width": True}, {"height": 1 << 62}, {"height": 1.5}, {"name": 0},
    {"seed": None}, {"rng": 0}, {"visibility_layer": 0}, {"properties": []},
    {"properties": {"a": [[]]}}, {"layers": {}}, {"layers": [5]},
]  # fmt: skip
WRONG_LAYER = [
    {"name": 0}, {"size": [40, 21, 1]}, {"size": [True, 21]}, {"generator": 0}, {"version": "1"},
    {"complete": 1}, {"grid_aligned": 0}, {"report": []}, {"role": None}, {"masks": {}},
    {"walkable": True}, {"walkable": 1.5}, {"heights": 0}, {"heights": {}},
    {"heights": {"minimum": True, "maximum": 1, "units": "m"}},
    {"tiles": {}}, {"tiles": [{**TILE, "id": True}]}, {"tiles": [{**TILE, "walkable": 1}]},
    {"tiles": [{**TILE, "color": None}]},
    {"rooms": {}}, {"rooms": [2.5]}, {"rooms": [{**ROOM, "x": 2.5}]},
    {"rooms": [{**ROOM, "center": [1]}]}, {"rooms": [{**ROOM, "name": None}]},
    {"connections": {}},
    {"rooms": [ROOM], "connections": [{"rooms": [0, 0], "x": 1, "y": 1, "kind": "hatch"}]},
    {"rooms": [ROOM], "connections": [{"rooms": [0], "x": 1, "y": 1, "kind": "door"}]},
    {"certificate": 0}, {"certificate": {}},
]  # fmt: skip
WRONG_OBJECT = [{"id": True}, {"name": 0}, {"x": 1.5}, {"y": None}, {"properties": {"a": [[]]}}]
WRONG_TABLE = [
    {"name": None}, {"columns": True}, {"columns": [{**COLUMN, "type": "date"}]},
    {"columns": [{**COLUMN, "nullable": 1}]}, {"rows": {}}, {"rows": [["a"]]},
    {"columns": [COLUMN], "rows": [[{}]]},
]  # fmt: skip
WRONG_PUZZLE = [{"name": 0}, {"kind": None}, {"data": []}]


def of_wrong_values() -> dict[str, bytes]:
    """Blobs of which one value is of a type the format does not have there, or missing."""
    whole = cave()
    layer = json.loads(zlib.decompress(loaded(whole)[0].payload))["layers"][0]

    def other(name: str, value: Any) -> bytes:
        remaining = [chunk for chunk in loaded(whole) if chunk.type != name]
        return write_container([*remaining, values_chunk(Chunk(name, 21, b""), value)])

    thing = {"id": 1, "name": "a", "x": 1, "y": 2, "properties": {}}
    table = {"name": "a", "columns": [], "rows": []}
    puzzle = {"name": "a", "kind": "b", "data": {}}
    entries = [("OBJS", thing, WRONG_OBJECT), ("TABL", table, WRONG_TABLE)]
    entries += [("PUZZ", puzzle, WRONG_PUZZLE)]
    blobs = {}
    for wrong in WRONG_LEVEL:
        blobs[f"level {wrong}"] = relevelled(whole, lambda level, wrong=wrong: level.update(wrong))
    for wrong in WRONG_LAYER:
        blobs[f"layer {wrong}"] = relevelled(
            whole, lambda level, wrong=wrong: level["layers"][0].update(wrong)
        )
    for key in LEVEL_KEYS:
        blobs[f"level without {key}"] = relevelled(whole, lambda level, key=key: level.pop(key))
    for key in layer:
        blobs[f"layer without {key}"] = relevelled(
            whole, lambda level, key=key: level["layers"][0].pop(key)
        )
    for name, good, wrongs in entries:
        for wrong in ({}, "", 5, [5], [[]], None):
            blobs[f"{name} {wrong!r}"] = other(name, wrong)
        for change in wrongs:
            blobs[f"{name} {change}"] = other(name, [{**good, **change}])
        for key in good:
            blobs[f"{name} without {key}"] = other(
                name, [{other_key: good[other_key] for other_key in good if other_key != key}]
            )
    return blobs


@cache
def hostile() -> dict[str, bytes]:
    """Blobs with valid checksums and invalid content."""
    whole = cave()

    def cells(**fields: Any) -> bytes:
        return changed(whole, "CELL", lambda chunk: replace(chunk, **fields))

    def layer(**fields: Any) -> bytes:
        return relevelled(whole, lambda level: level["layers"][0].update(fields))

    def values(text: bytes) -> bytes:
        payload = zlib.compress(text)
        return changed(whole, "LEVL", lambda chunk: replace(chunk, payload=payload))

    far = struct.pack("<BBH", 0, 0, 60000)
    many = b'{"name":"a","layers":' + b"[" + b"0," * (1 << 22) + b"0]}"
    return {
        "deep lists": values(b"[" * 100_000 + b"]" * 100_000),
        "deep maps": values(b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
        "many values": values(many),
        "values bomb": changed(whole, "LEVL", partial(replace, payload=bomb(1 << 29))),
        "cells bomb": cells(codec=1, payload=b"\0" + bomb(1 << 29)),
        "no text": values(b"\xff\xfe"),
        "no JSON": values(b"{"),
        "another value": values(b"7"),
        "an unknown role": layer(role="stay"),
        "rooms that are not there": layer(
            connections=[{"rooms": [0, 2], "x": 1, "y": 1, "kind": "door"}]
        ),
        **{
            what: relevelled(whole, lambda level: level.update(new="HERE"), (b'"HERE"', text))
            for what, text in ODD_VALUES.items()
        },
        "a giant": layer(size=[1 << 23, 1 << 23]),
        "a negative size": layer(size=[-40, 21]),
        "a broken size": layer(size=[40.5, 21]),
        "no size": layer(size=None),
        "an unknown kind": layer(kind="smells"),
        "an unknown rule": layer(walkable="maybe"),
        "no walkable chunk": layer(walkable="chunk"),
        "no mask chunk": layer(masks=["nowhere"]),
        "a mask twice": layer(masks=["a", "a"]),
        "a tile out of range": layer(tiles=[{"id": 70000, "name": "a"}]),
        "a tile that is none": layer(tiles=[None]),
        "wide sight": changed(whole, "VISI", lambda chunk: replace(chunk, payload=far)),
        "sight of no layer": changed(whole, "VISI", lambda chunk: replace(chunk, side=9)),
        "an unknown layout": cells(codec=1, payload=b"\5" + zlib.compress(bytes(840))),
        "steps of bytes": cells(codec=1, payload=b"\3" + zlib.compress(bytes(840))),
        "a place without a value": cells(
            codec=1, element=2, payload=b"\4\0\7\0" + zlib.compress(b"\1" * 840)
        ),
        "an empty payload": cells(codec=1, payload=b""),
        "a prior": cells(codec=0, payload=bytes(840), prior=0),
        "signed cells": cells(codec=0, payload=bytes(4 * 840), element=3),
        "truth as cells": cells(codec=0, payload=bytes(840), element=0),
        "a pack of nothing": cells(codec=2, payload=b"\0"),
        "a pack too short": cells(codec=2, payload=b"\x05abcde"),
        "an unknown codec": cells(codec=3, payload=b"\0"),
        "something behind a stream": cells(
            codec=1, payload=b"\0" + zlib.compress(bytes(840)) + b"more"
        ),
    }


@pytest.fixture(scope="module")
def refusals(node: Node, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The result of each hostile blob; all in one process, whose memory is bounded."""
    blobs = hostile()
    folder = tmp_path_factory.mktemp("hostile")
    first, *reported = break_in_javascript(node, folder, [cave(), *blobs.values()])
    assert first == "same"
    return dict(zip(blobs, reported, strict=True))


@pytest.mark.parametrize("name", list(hostile()))
def test_a_hostile_blob_is_refused(refusals: dict[str, str], name: str) -> None:
    assert refusals[name] == "error"


def test_values_of_other_types_are_refused_by_what_is_wrong_with_the_file(
    node: Node, tmp_path: Path
) -> None:
    blobs = of_wrong_values()
    files = {f"{number}.lvb": blob for number, blob in enumerate(blobs.values())}
    for name, answer in zip(blobs, read(node, tmp_path, files).values(), strict=True):
        assert "error" in answer, name
        # An error of the language's own, caught, would name the reader's code.
        assert "Error: " not in answer["error"], name


def test_cells_between_cells_are_an_error_of_the_caller(node: Node, tmp_path: Path) -> None:
    (tmp_path / "cave").write_bytes(cave())
    question = {"module": JAVASCRIPT_READER.as_uri(), "path": str(tmp_path / "cave")}
    reported = node.query(JAVASCRIPT / "ask_odd_cells.mjs", question)
    assert reported == {"odd": ["RangeError"] * 12, "outside": [0, False, False]}


@pytest.mark.parametrize(
    "limits",
    [{"cells": 839}, {"bytes": 839}, {"chunks": 3}, {"depth": 2}, {"values": 20}, {"text": 99}],
    ids=lambda limits: next(iter(limits)),
)
def test_every_limit_holds(node: Node, tmp_path: Path, limits: dict[str, int]) -> None:
    assert break_in_javascript(node, tmp_path, [cave()], limits) == ["error"]
