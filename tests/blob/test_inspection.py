"""Inspection: chunks of blobs beside the order-0 bound, verdicts for everything else."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.blob import (
    GODOT_SCENE,
    Chunk,
    read_container,
    with_chunk,
    write_blob,
    write_container,
)
from exporter.blob.inspection import blobs
from exporter.blob.inspection.blobs import inspect_bytes, inspection_text
from exporter.blob.inspection.byte_entropy import order_zero_bits
from exporter.codecs import Limits, encode
from exporter.model.errors import BlobError
from exporter.model.level import BLACK, CLEAR, Layer, Level, PlacedObject, Tile
from exporter.visibility import compute_visibility


def a_blob(width: int = 60, height: int = 40, radius: int = 3) -> bytes:
    cells = (np.random.default_rng(0).random((height, width)) < 0.3).astype(np.uint8)
    tiles = (Tile(0, "floor", True, False, CLEAR), Tile(1, "wall", False, True, BLACK))
    return write_blob(
        Level(
            "crypt",
            width,
            height,
            layers={"ground": Layer("ground", "tiles", cells, "x", 1, tiles, cells == 0)},
            visibility=compute_visibility(cells == 1, radius, "symmetric"),
            visibility_layer="ground",
            objects=(PlacedObject(1, "key", 1, 1),),
        )
    )


def test_a_blob_shows_its_chunks_with_codec_size_and_bound() -> None:
    blob = a_blob()
    result = inspect_bytes(blob)
    assert result.kind == "blob"
    assert [chunk.type for chunk in result.chunks] == ["LEVL", "CELL", "VISI", "OBJS"]
    assert sum(chunk.bytes for chunk in result.chunks) + result.overhead == len(blob)
    cells = result.chunks[1]
    assert (cells.codec, cells.symbols, cells.name) == ("bitmap", 2400, "ground")
    assert cells.bits_per_symbol == 8 * cells.bytes / 2400
    assert result.chunks[2].codec == "derive"
    assert result.chunks[2].bytes == 4
    text = inspection_text(result)
    assert "ground" in text
    assert "symmetric, radius 3" in text
    assert json.loads(json.dumps(result.report()))["chunks"][1]["codec"] == "bitmap"


def test_parts_of_a_layer_are_reported_apart() -> None:
    chunks = inspect_bytes(a_blob(520, 300)).chunks
    cells = [chunk for chunk in chunks if chunk.type == "CELL"]
    assert [chunk.part for chunk in cells] == [0, 1]
    assert sum(chunk.symbols for chunk in cells) == 520 * 300


def test_a_frame_shows_its_array() -> None:
    array = np.tile(np.arange(4, dtype=np.uint16), (8, 5))
    (chunk,) = inspect_bytes(encode(array)).chunks
    assert chunk.name == "uint16 8 x 20"
    assert chunk.order_zero_bits_per_symbol == 2.0
    assert chunk.order_zero_bytes == 40


def test_other_bytes_get_a_verdict() -> None:
    text = inspect_bytes(b"to be, or not to be, that is the question")
    assert text.kind == "bytes"
    assert text.report()["verdict"] == "text-like"
    assert "most frequent: ' ' x 9" in inspection_text(text)
    assert inspect_bytes(b"").report()["verdict"] == "empty"
    assert inspect_bytes(b"\xc5 begins like a frame").kind == "bytes"


def test_a_damaged_blob_is_an_error_not_a_verdict() -> None:
    with pytest.raises(BlobError):
        inspect_bytes(a_blob()[:-1])


def test_the_order_zero_bound_is_shannons() -> None:
    assert order_zero_bits(np.array([8, 8, 0])) == 16.0
    assert order_zero_bits(np.array([5])) == 0.0
    assert order_zero_bits(np.array([1, 3])) == pytest.approx(4 * 0.8112781244591328)


def test_the_report_has_every_symbol_the_most_frequent_first() -> None:
    data = bytes(range(200)) + b"aab"
    symbols = inspect_bytes(data).report()["symbols"]
    assert len(symbols) == 200
    assert symbols[0] == {"byte": 97, "count": 3, "probability": round(3 / 203, 9)}
    assert symbols[1]["byte"] == 98
    assert sum(symbol["count"] for symbol in symbols) == len(data)


def test_the_text_names_a_few_symbols_or_all() -> None:
    result = inspect_bytes(b"\0" + b"the quick brown fox jumps over the lazy dog" * 4)
    short = inspection_text(result)
    assert "most frequent: ' ' x 32 (18.5%), 'o' x 16 (9.2%)" in short
    assert "22 more with --all" in short
    full = inspection_text(result, all_symbols=True).splitlines()
    assert full[1].split() == ["byte", "symbol", "count", "probability"]
    assert len(full) == 2 + 28
    assert full[2] == "0x20  ' '        32     0.184971"
    assert full[-1].split() == ["0x00", "0x00", "1", "0.005780"]
    assert "--all" not in inspection_text(inspect_bytes(b"abc"))
    assert inspection_text(inspect_bytes(b""), all_symbols=True).count("\n") == 0


def test_blobs_name_their_symbols_too() -> None:
    text = inspection_text(inspect_bytes(a_blob()), all_symbols=True)
    assert "0x4c  'L'" in text
    assert "ground" in text


@each_case(
    "change",
    [
        {"type": "abcd"},
        {"type": "abcd", "level": 7},
        {"type": "abcd", "item": 65535},
        {"item": 9},
        {"level": 9},
        {"cell": 5},
        {"type": "mask", "item": 3},
        {"type": "WALK", "item": 65535},
        {"type": "OPAQ", "cell": 99},
        {"type": "VISI", "level": 3},
    ],
)
def test_a_chunk_that_belongs_to_nothing_is_displayed_or_refused(change: dict[str, Any]) -> None:
    container = read_container(a_blob())
    chunks = [container.load(index) for index in range(len(container))]
    cells = next(chunk for chunk in chunks if chunk.type == "CELL")
    blob = write_container([*chunks, replace(cells, **change)])
    try:
        result = inspect_bytes(blob)
    except BlobError:
        return  # the reader refuses it, too
    assert len(result.chunks) == len(chunks) + 1
    assert result.chunks[-1].name == "unknown"
    assert result.chunks[-1].bytes == len(cells.payload)
    assert "unknown" in inspection_text(result)


@given(
    chunk=st.integers(0, 3),
    field=st.sampled_from(["level", "item", "cell", "codec", "width", "height", "side", "prior"]),
    value=st.sampled_from([0, 1, 2, 7, 255]),
    name=st.sampled_from([None, "CELL", "WALK", "OPAQ", "VISI", "mask", "OBJS", "abcd"]),
    twice=st.booleans(),
)
@settings(deadline=None, max_examples=80)
def test_a_blob_with_another_directory_is_displayed_or_refused(
    chunk: int, field: str, value: int, name: str | None, twice: bool
) -> None:
    container = read_container(BLOB)
    chunks = [container.load(index) for index in range(len(container))]
    changed = replace(chunks[chunk], **{field: value})
    changed = replace(changed, type=name) if name else changed
    chunks = [*chunks, changed] if twice else [*chunks[:chunk], changed, *chunks[chunk + 1 :]]
    with contextlib.suppress(BlobError):
        inspect_bytes(write_container(chunks)).report()


BLOB = a_blob()


def test_a_table_of_visibility_over_the_limits_leaves_its_row_empty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blob = a_blob(radius=20)
    assert inspect_bytes(blob).chunks[2].raw_bytes > 0
    monkeypatch.setattr(blobs, "COUNTED_SIGHTS", Limits(total=50_000))
    row = inspect_bytes(blob).chunks[2]
    assert (row.type, row.name, row.raw_bytes) == ("VISI", "symmetric, radius 20", 0)


def test_a_large_frame_is_not_decoded() -> None:
    array = np.zeros((3000, 3000), np.uint8)
    array[5, 5] = 1
    frame = encode(array)
    (row,) = inspect_bytes(frame).chunks
    assert (row.name, row.codec, row.symbols) == ("uint8 3000 x 3000", "bitmap", 0)
    (row,) = inspect_bytes(frame, Limits()).chunks
    assert row.symbols == 9_000_000


def test_the_first_of_two_equal_chunks_is_shown() -> None:
    container = read_container(a_blob())
    chunks = [container.load(index) for index in range(len(container))]
    result = inspect_bytes(write_container([*chunks, replace(chunks[-1], payload=b"no stream")]))
    assert [chunk.name for chunk in result.chunks[-2:]] == ["objects", "unknown"]


def test_the_scene_of_godot_is_named() -> None:
    result = inspect_bytes(with_chunk(a_blob(), Chunk(GODOT_SCENE, 0, b"scene")))
    assert (result.chunks[-1].name, result.chunks[-1].bytes) == ("Godot's scene", 5)
    assert "Godot's scene" in inspection_text(result)
