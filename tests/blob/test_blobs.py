"""Blobs: round trips, reading parts alone, and detecting damage."""

from __future__ import annotations

import contextlib
import dataclasses
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from exporter.blob._grids import parts, read_grid, write_grid
from exporter.blob.container import ENTRY, HEADER
from exporter.codecs import Limits
from exporter.model.errors import BlobError
from exporter.model.level import Layer, Level
from exporter.visibility import compute_visibility
from sample_levels import a_level


def assert_same_level(item: Level, other: Level) -> None:
    for field in ("name", "width", "height", "seed", "rng", "visibility_layer", "objects"):
        assert getattr(item, field) == getattr(other, field)
    for field in ("tables", "puzzles", "properties"):
        assert dict(getattr(item, field)) == dict(getattr(other, field))
    assert list(item.layers) == list(other.layers)
    for before, after in zip(item.layers.values(), other.layers.values(), strict=True):
        for field in dataclasses.fields(Layer):
            left, right = getattr(before, field.name), getattr(after, field.name)
            if field.name == "masks":
                assert list(left) == list(right)
                assert all(map(np.array_equal, left.values(), right.values()))
                assert all(mask.dtype == np.bool_ for mask in right.values())
            elif isinstance(left, np.ndarray):
                assert left.dtype == right.dtype
                assert np.array_equal(left, right)
            else:
                assert left == right, field.name
    assert (item.visibility is None) == (other.visibility is None)
    if item.visibility is not None and other.visibility is not None:
        assert item.visibility.see_walls == other.visibility.see_walls
        assert np.array_equal(item.visibility.opaque, other.visibility.opaque)
        assert np.array_equal(item.visibility.blocks, other.visibility.blocks)


@each_case("profile", ["small", "fast"])
@each_case("form", ["derive", "coded"])
def test_what_went_in_comes_out(profile: Any, form: Any) -> None:
    level = a_level()
    assert_same_level(level, read_blob(write_blob(level, profile, form)))


def test_a_level_of_nothing_is_a_level() -> None:
    level = Level("void", 1, 1)
    blob = write_blob(level)
    assert_same_level(level, read_blob(blob))
    assert len(blob) < 160


@each_case("seed", [0, -5, 2**63, -(2**80), "", "seed"])
def test_any_seed_comes_back(seed: Any) -> None:
    assert read_blob(write_blob(Level("x", 2, 2, seed))).seed == seed


def test_visibility_may_belong_to_no_layer_or_to_a_layer_of_other_walls() -> None:
    opaque = np.random.default_rng(3).random((23, 37)) < 0.3
    table = compute_visibility(opaque, 5, "raycast", see_walls=True)
    for name in (None, "ground"):
        level = a_level(visibility=table, visibility_layer=name)
        assert_same_level(level, read_blob(write_blob(level)))


def test_visibility_that_is_not_its_rules_is_refused() -> None:
    table = a_level().visibility
    assert table is not None
    wrong = dataclasses.replace(table, blocks=table.blocks ^ np.uint64(1))
    with pytest.raises(ValueError, match="differs from the result"):
        write_blob(a_level(visibility=wrong))


def test_a_pack_holds_levels_in_order() -> None:
    levels = [a_level(seed) for seed in range(3)]
    again = read_pack(write_pack(levels))
    assert len(again) == 3
    for level, other in zip(levels, again, strict=True):
        assert_same_level(level, other)


def test_parts_are_128_to_383_cells_and_cover_a_side() -> None:
    for length in (1, 255, 256, 383, 384, 512, 513, 1025, 5000):
        spans = parts(length)
        assert spans[0][0] == 0
        assert sum(size for _, size in spans) == length
        assert all(start == 256 * index for index, (start, _) in enumerate(spans))
        assert max(size for _, size in spans) < 384
        assert len(spans) == 1 or min(size for _, size in spans) >= 128


@pytest.mark.parametrize("shape", [(300, 520), (1, 900), (700, 2)])
def test_a_part_of_a_large_grid_needs_at_most_one_other(shape: Any) -> None:
    rng = np.random.default_rng(4)
    grid = np.kron(rng.integers(0, 5, (-(-shape[0] // 4), -(-shape[1] // 4))), np.ones((4, 4)))
    cells = grid.astype(np.uint8)[: shape[0], : shape[1]]
    chunks = write_grid("CELL", cells, 0, 0, "small")
    container = read_container(write_container(chunks))
    size = (shape[1], shape[0])
    assert np.array_equal(read_grid(container, "CELL", 0, 0, size, Limits()), cells)
    for chunk in chunks:
        assert chunk.prior == 0xFFFF or chunks[chunk.prior].prior == 0xFFFF
    if shape == (300, 520):
        assert any(chunk.prior != 0xFFFF for chunk in chunks)


def test_a_layer_may_follow_from_an_earlier_one() -> None:
    ground = a_level(5, 90, 80).layers["ground"]
    framed = np.pad(ground.cells, 1)
    ids = (ground.cells * 4 + framed[:-2, 1:-1] * 2 + framed[1:-1, :-2]).astype(np.uint8)
    picture = Layer("picture", "tiles", ids, "autotile")
    level = Level("x", 90, 80, layers={"ground": ground, "picture": picture})
    blob = write_blob(level)
    sides = [chunk.side for chunk in read_container(blob) if chunk.type == "CELL"]
    assert sides == [0xFFFF, 0]
    assert_same_level(level, read_blob(blob))


def test_the_same_level_gives_the_same_bytes() -> None:
    assert write_blob(a_level()) == write_blob(a_level())


def test_unknown_ancillary_chunks_are_skipped_and_critical_ones_refused() -> None:
    container = read_container(write_blob(a_level()))
    chunks = [container.load(index) for index in range(len(container))]
    more = write_container([*chunks, Chunk("xtra", 200, b"?")])
    assert_same_level(a_level(), read_blob(more))
    with pytest.raises(BlobError, match="XTRA"):
        read_blob(write_container([*chunks, Chunk("XTRA", 200, b"?")]))


def test_a_damaged_payload_spoils_only_its_chunk() -> None:
    blob = bytearray(write_blob(a_level()))
    blob[-1] ^= 1
    container = read_container(bytes(blob))
    for index in range(len(container) - 1):
        container.load(index)
    with pytest.raises(BlobError, match="damaged chunk"):
        container.load(len(container) - 1)


BLOB = write_blob(a_level(width=19, height=11, visibility=None))


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 8 * len(BLOB) - 1))
def test_any_flipped_bit_is_an_error(bit: int) -> None:
    blob = bytearray(BLOB)
    blob[bit >> 3] ^= 1 << (bit & 7)
    if bit >> 3 in (9, 11):  # the minor version and the flags to ignore are under the checksum
        pass
    with pytest.raises(BlobError):
        read_blob(bytes(blob))


@settings(deadline=None, max_examples=100)
@given(st.integers(0, len(BLOB) - 1))
def test_any_cut_is_an_error(length: int) -> None:
    with pytest.raises(BlobError):
        read_blob(BLOB[:length])


def resealed(blob: bytearray) -> bytes:
    """Return the blob with every checksum made right."""
    import zlib

    count = struct.unpack_from("<I", blob, 12)[0]
    for index in range(count):
        at = HEADER.size + ENTRY.size * index
        offset, length = struct.unpack_from("<II", blob, at + 12)
        struct.pack_into("<I", blob, at + 20, zlib.crc32(blob[offset : offset + length]))
    directory = blob[HEADER.size : HEADER.size + ENTRY.size * count]
    check = zlib.crc32(directory, zlib.crc32(blob[: HEADER.size - 4]))
    struct.pack_into("<I", blob, HEADER.size - 4, check)
    return bytes(blob)


def read_or_refuse(blob: bytes) -> None:
    limits = Limits(cells=1 << 20, total=1 << 22, values=1 << 16)
    with contextlib.suppress(BlobError):
        read_pack(blob, limits)


@settings(deadline=None, max_examples=120)
@given(st.data())
def test_damage_under_right_checksums_never_does_worse_than_an_error(data: st.DataObject) -> None:
    blob = bytearray(BLOB)
    entries = HEADER.size + ENTRY.size * len(read_container(BLOB))
    for _ in range(data.draw(st.integers(1, 3))):
        low, high = data.draw(
            st.sampled_from([(HEADER.size, entries - 1), (entries, len(blob) - 1)])
        )
        blob[data.draw(st.integers(low, high))] = data.draw(st.integers(0, 255))
    read_or_refuse(resealed(blob))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_swapped_directory_entries_never_do_worse_than_an_error(data: st.DataObject) -> None:
    blob = bytearray(BLOB)
    count = len(read_container(BLOB))
    first, second = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    spans = [
        slice(HEADER.size + ENTRY.size * index, HEADER.size + ENTRY.size * (index + 1))
        for index in (first, second)
    ]
    blob[spans[0]], blob[spans[1]] = blob[spans[1]], blob[spans[0]]
    read_or_refuse(resealed(blob))


def test_overlapping_ranges_are_refused() -> None:
    blob = bytearray(BLOB)
    at = HEADER.size + ENTRY.size
    struct.pack_into("<I", blob, at + 12, struct.unpack_from("<I", blob, at + 12)[0] - 1)
    with pytest.raises(BlobError, match="overlaps another"):
        read_blob(resealed(blob))


@pytest.mark.parametrize("field", [24, 26])
def test_giant_dimensions_are_refused(field: int) -> None:
    blob = bytearray(BLOB)
    struct.pack_into("<H", blob, HEADER.size + ENTRY.size + field, 65535)
    with pytest.raises(BlobError):
        read_blob(resealed(blob))


def test_limits_are_the_callers_to_set() -> None:
    with pytest.raises(BlobError, match=r"more than|larger than|limit"):
        read_blob(BLOB, Limits(cells=100))
    with pytest.raises(BlobError, match=r"more than|larger than|limit"):
        read_blob(BLOB, Limits(values=10))
    with pytest.raises(BlobError, match="more than its bytes"):
        read_blob(BLOB, Limits(chunks=1))


@pytest.mark.parametrize("data", [b"", b"\x8fLVB", b"\x89PNG\r\n\x1a\n" + bytes(40)])
def test_what_is_no_blob_is_refused(data: bytes) -> None:
    with pytest.raises(BlobError, match="not a level blob"):
        read_blob(data)
