"""The budget of a blob: charges before allocation, and sufficient limits."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.blob import Chunk, read_blob, read_container, read_part, write_blob, write_container
from exporter.blob import _grids as grids
from exporter.blob._budget import STEPS_OF_A_CELL, DecodingBudget, ValueCount
from exporter.blob.values import NUMBER, _check_structure, encode_values
from exporter.codecs import Limits
from exporter.model.errors import BlobError
from exporter.model.level import Layer, Level
from exporter.visibility import compute_visibility
from hostile_blobs import REASONS, TILES_HEAD, blob_of, greedy, level_of, parts_of, wide


def left_after(blob: bytes, limits: Limits | None = None) -> tuple[int, int]:
    """Return the bytes and steps that the grids of a blob are charged."""
    budget = DecodingBudget(limits)
    budget.charge_grids(read_container(blob), 0)
    return budget.limits.total - budget.bytes_left, budget.limits.steps - budget.steps_left


@each_case("codec", sorted(STEPS_OF_A_CELL))
def test_a_part_is_charged_its_cells_and_its_work(codec: int) -> None:
    chunk = Chunk("CELL", codec, b"", 2, width=30, height=20)
    result = left_after(write_container([chunk]))
    assert result == (1200, 4096 + STEPS_OF_A_CELL[codec] * 600)


def test_a_part_that_goes_on_from_another_is_charged_that_too() -> None:
    parts = parts_of(2, 1, 17)
    alone = left_after(write_container(parts))
    following = [parts[0], replace(parts[1], prior=0)]
    size, steps = left_after(write_container(following))
    assert (size, steps) == (alone[0], alone[1] * 3 // 2)
    # One that does not exist is refused when the part is read.
    assert left_after(write_container([parts[0], replace(parts[1], prior=2)])) == alone


def test_grids_of_other_levels_and_other_chunks_are_not_charged() -> None:
    chunks = [
        Chunk("LEVL", NUMBER, b"x" * 100),
        Chunk("abcd", 0, b"", 1, width=9, height=9),
        Chunk("CELL", 0, b"", 1, level=1, width=9, height=9),
    ]
    assert left_after(write_container(chunks)) == (0, 0)


@each_case("name", ["CELL", "WALK", "mask", "OPAQ"])
def test_every_kind_of_grid_is_charged(name: str) -> None:
    chunk = Chunk(name, 0, b"", 0, width=9, height=9)
    assert left_after(write_container([chunk])) == (81, 4096 + 81)


def counted(text: bytes) -> ValueCount:
    return _check_structure(text, Limits())


FLOATS = st.sampled_from([0.5, -2.25, 1e300, 1.5e-7, -5e-324])
TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | FLOATS
    | st.text('a"\\,[]{}\u00e9', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TREES)
def test_values_are_counted_as_they_are_built(tree: Any) -> None:
    def all_of(value: Any) -> list[Any]:
        inner = value.values() if isinstance(value, dict) else value
        more = [all_of(item) for item in inner] if isinstance(value, dict | list) else []
        return [value, *(item for items in more for item in items)]

    text = json.dumps(tree, separators=(",", ":"), ensure_ascii=False).encode()
    result = all_of(tree)
    lists = sum(isinstance(value, list) for value in result)
    maps = sum(isinstance(value, dict) for value in result)
    points = sum(isinstance(value, float) and "." in repr(value) for value in result)
    exponents = sum(isinstance(value, float) and "e" in repr(value) for value in result)
    scalars = len(result) - lists - maps
    assert counted(text) == ValueCount(len(text), lists, maps, scalars, points, exponents)


def test_values_are_charged_by_their_kind() -> None:
    budget = DecodingBudget()
    budget.charge_values(
        "values", ValueCount(1000, lists=3, maps=2, scalars=5, points=2, exponents=1)
    )
    assert budget.limits.total - budget.bytes_left == 8 * 1000 + 3 * 128 + 2 * 384 + 5 * 32
    assert budget.limits.steps - budget.steps_left == 1000 + 16 * 10 + 2 * 64 + 8192


def test_a_table_of_sight_is_charged_its_size_and_its_plan() -> None:
    budget = DecodingBudget()
    for plan in (("raycast", 10, False), ("raycast", 10, False), ("raycast", 10, True)):
        budget.charge_sight("it", 1000, plan)
    assert budget.limits.total - budget.bytes_left == 3 * 1000
    # The second table has the plan of the first.
    assert budget.limits.steps - budget.steps_left == 3 * 3 * 1000 + 2 * 16 * 10**4


def test_bytes_and_steps_are_refused_each_with_its_limit() -> None:
    budget = DecodingBudget(Limits(total=10, steps=20))
    budget.charge("it", 10, 20)
    with pytest.raises(BlobError, match="it is over the limit of 10 bytes"):
        budget.charge("it", 1, 0)
    budget = DecodingBudget(Limits(total=10, steps=20))
    with pytest.raises(BlobError, match="it is over the limit of 20 steps"):
        budget.charge("it", 0, 21)


def test_walkable_cells_are_charged_only_where_they_follow_from_the_cells() -> None:
    def price(walkable: Any, *more: Chunk) -> int:
        values = {"LEVL": level_of({**wide(1, 1), "walkable": walkable})}
        blob = blob_of(values, (*parts_of(1, 1), *more))
        low, high = 0, 1 << 20
        while low < high:  # the least that is enough
            middle = (low + high) // 2
            try:
                read_blob(blob, Limits(total=middle))
                high = middle
            except BlobError:
                low = middle + 1
        return low

    stored = Chunk("WALK", 2, b"\1\0", 0, width=256, height=256)
    none = price(None)
    assert 65536 < none < 65536 + 20_000
    texts = {rule: 8 * (len(json.dumps(rule)) - len("null")) for rule in ("legend", 5, "chunk")}
    assert price("legend") - none == 65536 + texts["legend"]
    assert price(5) - none == 65536 + texts[5]
    assert price("chunk", stored) - none == 65536 + texts["chunk"]


def test_every_greedy_blob_is_refused_for_what_it_asks_for() -> None:
    blobs = greedy()
    assert list(blobs) == list(REASONS)
    for what, blob in blobs.items():
        with pytest.raises(BlobError, match=REASONS[what]):
            read_blob(blob)


@each_case("what", ["bytes of cells", "steps of tiles", "steps of priors", "masks"])
def test_nothing_is_decoded_of_what_asks_for_too_much(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def decode(*arguments: Any) -> Any:
        raise AssertionError("a part is decoded")

    monkeypatch.setattr(grids, "decode_payload", decode)
    with pytest.raises(BlobError, match="over the limit"):
        read_blob(greedy()[what])


def test_only_the_requested_level_is_decoded() -> None:
    good = blob_of(
        {"LEVL": level_of({"size": [6, 4]})},
        (Chunk("CELL", 2, width=6, height=4, element=1, payload=b"\1\0"),),
    )
    container = read_container(good)
    chunks = [container.load(index) for index in range(len(container))]
    broken = [Chunk("LEVL", NUMBER, b"no zlib stream", level=1)]
    oversized = [replace(part, level=2) for part in parts_of(32, 32, 17, TILES_HEAD)]
    third = [replace(chunk, level=3) for chunk in chunks]
    pack = write_container([*chunks, *broken, *oversized, *third])
    assert read_blob(pack).name == "hostile"
    assert read_blob(pack, level=3).layers.keys() == {"layer 0"}
    for level in (1, 2, 4, -1):
        with pytest.raises(BlobError):
            read_blob(pack, level=level)


def test_a_part_alone_is_charged_alone() -> None:
    cells = np.kron(np.arange(6, dtype=np.uint8).reshape(2, 3), np.ones((256, 256), np.uint8))
    blob = write_blob(Level("w", 768, 512, layers={"a": Layer("a", "tiles", cells, "test")}))
    limits = Limits(total=65536 + 20_000, steps=50_000 + 4 * 65536)
    with pytest.raises(BlobError, match="over the limit"):
        read_blob(blob, limits)
    limits = replace(limits, total=6 * 65536)  # of which a grid may have so many bytes
    assert (read_part(blob, "a", 4, limits=limits).cells == 4).all()
    with pytest.raises(BlobError, match="steps"):
        read_part(blob, "a", 4, limits=replace(limits, steps=50_000))


# Sizes that fit the default limits.


def test_the_largest_levels_are_read() -> None:
    side = 4096
    values = level_of(
        *[{"size": [side, side], "walkable": 1}] * 3, {"size": [side, side], "walkable": "legend"}
    )
    chunks = [
        replace(part, item=item, element=2 if item == 3 else 1)
        for item in range(4)
        for part in parts_of(16, 16)
    ]
    level = read_blob(blob_of({"LEVL": values}, tuple(chunks)))
    assert [layer.cells.shape for layer in level.layers.values()] == [(side, side)] * 4
    # In the codecs that take most work: a layer of tiles, of which each part has a prior.
    tiles = parts_of(16, 16, 17)
    following = [tiles[0], *(replace(part, prior=0) for part in tiles[1:])]
    heights = [replace(part, codec=18, item=1) for part in tiles]
    bitmaps = [replace(part, codec=16, item=2) for part in following]
    size, steps = left_after(write_container([*following, *heights, *bitmaps]))
    assert size == 3 * side * side
    assert steps > 700_000_000


def test_the_largest_radius_and_map_of_visibility_are_read() -> None:
    sight = Chunk("VISI", 32, bytes((0, 0, 64, 0)), width=4096, height=4096, side=0)
    values = {"LEVL": level_of({"size": [4096, 4096]})}
    level = read_blob(blob_of(values, (*parts_of(16, 16), sight)))
    assert level.visibility is not None
    assert (level.visibility.radius, level.visibility.opaque.shape) == (64, (4096, 4096))
    with pytest.raises(BlobError, match=r"4096 x 4096 cells at radius 64 is over the limit"):
        _ = level.visibility.blocks
    with pytest.raises(BlobError, match="over the limit"):
        level.visibility.visible_from(1, 1)


def test_the_visibility_table_is_built_once_on_request() -> None:
    opaque = np.random.default_rng(3).random((50, 60)) < 0.3
    table = compute_visibility(opaque, 9)
    again = read_blob(write_blob(Level("v", 60, 50, visibility=table))).visibility
    assert again is not None
    assert "_table" not in vars(again)
    assert np.array_equal(again.visible_from(3, 4), table.visible_from(3, 4))
    assert again.can_see((3, 4), (5, 4)) == table.can_see((3, 4), (5, 4))
    assert np.array_equal(again.count, table.count)
    assert np.array_equal(again.plane(5), table.plane(5))
    assert np.array_equal(again.opposite_plane(5), table.opposite_plane(5))
    assert np.array_equal(again.offsets, table.offsets)
    assert again.mutual is table.mutual
    assert again.blocks is again.blocks
    assert again.nbytes == table.nbytes  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = again.nothing_of_this_name  # type: ignore[attr-defined]


def test_a_level_that_was_read_is_written_without_making_its_table() -> None:
    table = compute_visibility(np.zeros((50, 60), np.bool_), 9, "raycast", see_walls=True)
    blob = write_blob(Level("v", 60, 50, visibility=table))
    again = read_blob(blob)
    assert write_blob(again) == blob
    assert "_table" not in vars(again.visibility)


def test_limits_for_strangers_are_below_the_others_and_enough_for_a_million_cells() -> None:
    limits, default = Limits.for_strangers(), Limits()
    for name in ("cells", "total", "steps", "chunks", "values", "text"):
        assert getattr(limits, name) < getattr(default, name)
    values = {"LEVL": level_of({**wide(4, 4), "walkable": 1})}
    assert read_blob(blob_of(values, tuple(parts_of(4, 4, 1, _zeros()))), limits).width == 6


def _zeros() -> bytes:
    """Return a payload of codec zlib for a part of 256 x 256 cells of 0."""
    return b"\0" + zlib.compress(bytes(65536))


def test_a_seed_has_at_most_4096_digits() -> None:
    most = 10**4096 - 1
    assert read_blob(write_blob(Level("s", 1, 1, seed=-most))).seed == -most
    with pytest.raises(ValueError, match="at most 4096 digits"):
        write_blob(Level("s", 1, 1, seed=most + 1))


def test_messages_do_not_repeat_all_that_a_blob_says() -> None:
    long = {"LEVL": {**level_of({}), "name": ["x" * 100_000] * 5}}
    with pytest.raises(BlobError, match="is not of type str") as caught:
        read_blob(blob_of(long))
    assert len(str(caught.value)) < 300
    assert encode_values(1)
