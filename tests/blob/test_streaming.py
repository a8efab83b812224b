"""Chunks of layers read alone, and blobs whose chunks depend on nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cases import each_case
from exporter.blob import Chunk, read_blob, read_container, read_part, write_blob, write_container
from exporter.blob._grids import parts
from exporter.blob.values import decode_values, encode_values
from exporter.codecs import Limits
from exporter.model.errors import BlobError
from exporter.model.level import Layer, Level

NONE = 65535


def a_world() -> Level:
    """Return a level of 2 x 3 parts whose second layer follows from the first."""
    rng = np.random.default_rng(4)
    walls = np.kron(rng.integers(0, 2, (160, 112), np.uint8), np.ones((4, 5), np.uint8))
    north = np.vstack((walls[:1], walls[:-1]))
    layers = {
        "walls": Layer("walls", "tiles", walls, "test", masks={"north": north == 1}),
        "picture": Layer("picture", "tiles", (walls * 2 + north + 1).astype(np.uint8), "test"),
        "small": Layer("small", "tiles", walls[:9, :9].copy(), "test", grid_aligned=False),
    }
    return Level("world", walls.shape[1], walls.shape[0], layers=layers)


WORLD = a_world()
BLOB = write_blob(WORLD)
INDEPENDENT = write_blob(WORLD, independent_parts=True)


def chunks_of(blob: bytes) -> list[Chunk]:
    container = read_container(blob)
    return [container.load(index) for index in range(len(container))]


def expected_parts(cells: NDArray[Any]) -> list[tuple[int, int, NDArray[Any]]]:
    return [
        (left, top, cells[top : top + height, left : left + width])
        for top, height in parts(cells.shape[0])
        for left, width in parts(cells.shape[1])
    ]


def test_the_sample_has_priors_and_sides() -> None:
    chunks = chunks_of(BLOB)
    assert any(chunk.side != NONE for chunk in chunks)
    assert any(chunk.prior != NONE for chunk in chunks)


@pytest.mark.parametrize("blob", [BLOB, INDEPENDENT, write_blob(WORLD, "fast")])
def test_every_part_is_read_alone(blob: bytes) -> None:
    for layer in WORLD.layers.values():
        for number, (left, top, cells) in enumerate(expected_parts(layer.cells)):
            part = read_part(blob, layer.name, number)
            assert (part.x, part.y) == (left, top)
            assert np.array_equal(part.cells, cells)


@pytest.mark.parametrize("profile", ["small", "fast"])
def test_independent_parts_need_nothing_else(profile: Any) -> None:
    blob = write_blob(WORLD, profile, independent_parts=True)
    chunks = chunks_of(blob)
    assert {(chunk.side, chunk.prior) for chunk in chunks} == {(NONE, NONE)}
    again = read_blob(blob)
    for name, layer in WORLD.layers.items():
        assert np.array_equal(again.layers[name].cells, layer.cells)
    # All but the level data and the one chunk may be missing.
    cells = [chunk for chunk in chunks if chunk.type == "CELL" and chunk.item == 0]
    emptied = [chunk if chunk.cell == 3 else replace(chunk, payload=b"") for chunk in cells]
    alone = write_container([chunks[0], *emptied])
    part = read_part(alone, "walls", 3)
    assert np.array_equal(part.cells, WORLD.layers["walls"].cells[part.y :, part.x :][:256, :304])


def test_a_layer_or_part_that_is_not_there_is_named() -> None:
    with pytest.raises(KeyError, match="no layer 'cellar'"):
        read_part(BLOB, "cellar", 0)
    for number in (-1, 6):
        with pytest.raises(IndexError, match=f"no chunk {number} "):
            read_part(BLOB, "walls", number)
    with pytest.raises(BlobError, match="level 1"):
        read_part(BLOB, "walls", 0, level=1)


@each_case(
    ("item", "change", "message"),
    [
        (1, {"side": 1}, "may not depend"),
        (1, {"side": 7}, "may not depend"),
        (2, {"side": 0}, "may not depend"),
        (1, {"side": NONE, "prior": 9}, "does not exist"),
        (0, {"width": 7}, "do not fit"),
        (0, {"codec": 200}, "no engine"),
    ],
)
def test_a_part_with_wrong_ties_is_refused(item: int, change: dict[str, int], message: str) -> None:
    chunks = [
        replace(chunk, **change) if (chunk.type, chunk.item) == ("CELL", item) else chunk
        for chunk in chunks_of(BLOB)
    ]
    with pytest.raises(BlobError, match=message):
        read_part(write_container(chunks), list(WORLD.layers)[item], 0)


def test_limits_hold_for_a_part() -> None:
    with pytest.raises(BlobError, match="over the limit"):
        read_part(BLOB, "walls", 0, limits=Limits(cells=1000))


def described(change: Callable[[Any], None]) -> bytes:
    """Return BLOB with its level data changed in place."""
    first, *rest = chunks_of(BLOB)
    value = decode_values(first.codec, first.payload, Limits())
    change(value)
    return write_container([replace(first, payload=encode_values(value)), *rest])


@each_case("name", ["picture", None, 5, True, ["walls"], {}])
def test_names_of_layers_are_texts_that_differ(name: Any) -> None:
    blob = described(lambda value: value["layers"][0].update(name=name))
    for layer in ("picture", "small"):
        with pytest.raises(BlobError, match="the level data is damaged"):
            read_part(blob, layer, 0)


def test_a_blob_with_two_equal_layer_names_is_broken() -> None:
    blob = described(lambda value: value["layers"][2].update(name="walls"))
    with pytest.raises(BlobError, match="two layers have the name 'walls'"):
        read_part(blob, "picture", 0)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "walls", "picture", "chunk", "é"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "size", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Return every map or list of a tree with each of its keys."""
    keys = list(tree) if isinstance(tree, dict) else range(len(tree))
    result = [(tree, key) for key in keys]
    for key in keys:
        if isinstance(tree[key], dict | list):
            result += places(tree[key])
    return result


@given(data=st.data())
def test_level_data_of_any_other_values_is_read_or_refused(data: st.DataObject) -> None:
    def change(value: Any) -> None:
        for _ in range(data.draw(st.integers(1, 3))):
            inside, key = data.draw(st.sampled_from(places(value)))
            if data.draw(st.booleans()):
                inside[key] = data.draw(VALUES)
            else:
                del inside[key]

    blob = described(change)
    requested = data.draw(st.sampled_from(list(WORLD.layers)))
    try:
        read_part(blob, requested, 0)
    except BlobError:
        pass
    except KeyError as error:
        assert f"the level has no layer '{requested}'" in str(error)
