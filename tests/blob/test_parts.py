"""Grids in chunks: cuts, allowed dependencies, and refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cases import each_case
from exporter.blob import Chunk, read_container, write_container
from exporter.blob._grids import parts, read_grid, write_grid
from exporter.codecs import Limits, choose, codec_by_number
from exporter.model.errors import BlobError

NONE = 65535


def noise(height: int, width: int, values: int = 2, seed: int = 1) -> NDArray[np.uint8]:
    """Return blotches of a few values, which codecs make smaller but not to nothing."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, values, (-(-height // 4), -(-width // 4)), np.uint8)
    return np.kron(coarse, np.ones((4, 4), np.uint8))[:height, :width]


def read(chunks: list[Chunk], size: tuple[int, int], **more: Any) -> NDArray[Any]:
    container = read_container(write_container(chunks))
    return read_grid(container, "CELL", 0, 0, size, more.pop("limits", Limits()), **more)


def written(cells: NDArray[Any], **more: Any) -> list[Chunk]:
    return write_grid("CELL", cells, 0, 0, more.pop("profile", "small"), **more)


@each_case(
    ("length", "lengths"),
    [
        (1, [1]),
        (127, [127]),
        (256, [256]),
        (383, [383]),
        (384, [256, 128]),
        (639, [256, 383]),
        (640, [256, 256, 128]),
        (1024, [256] * 4),
        (1151, [256, 256, 256, 383]),
        (1152, [256, 256, 256, 256, 128]),
    ],
)
def test_a_side_is_cut_every_256_cells_and_the_last_part_takes_what_is_left(
    length: int, lengths: list[int]
) -> None:
    assert [size for _, size in parts(length)] == lengths
    assert [start for start, _ in parts(length)] == [256 * index for index in range(len(lengths))]


def test_parts_are_numbered_row_by_row_and_say_their_size() -> None:
    cells = noise(400, 600, 200).astype(np.uint16)
    chunks = write_grid("WALK", cells, 3, 7, "fast")
    assert [(chunk.cell, chunk.width, chunk.height) for chunk in chunks] == [
        (0, 256, 256),
        (1, 344, 256),
        (2, 256, 144),
        (3, 344, 144),
    ]
    assert {(c.type, c.level, c.item, c.element) for c in chunks} == {("WALK", 3, 7, 2)}
    container = read_container(write_container(chunks))
    assert np.array_equal(read_grid(container, "WALK", 3, 7, (600, 400), Limits()), cells)


@each_case("dtype", [np.bool_, np.uint8, np.uint16, np.int32])
def test_every_element_type_comes_back(dtype: Any) -> None:
    cells = noise(20, 30).astype(dtype)
    again = read(written(cells), (30, 20))
    assert again.dtype == dtype
    assert np.array_equal(again, cells)


def test_views_and_foreign_byte_orders_are_written_by_their_values() -> None:
    cells = noise(30, 40, values=200).astype(np.uint16) * 300
    for foreign in (cells.astype(">u2"), np.asfortranarray(cells), np.repeat(cells, 2, 1)[:, ::2]):
        assert written(foreign) == written(cells)


def test_a_part_may_be_read_with_no_more_than_its_prior() -> None:
    cells = noise(300, 1024)
    chunks = written(cells)
    teachers = {chunk.prior for chunk in chunks} - {NONE}
    assert len(teachers) == 1
    (teacher,) = teachers
    assert chunks[teacher].prior == NONE
    assert any(chunk.prior == NONE for chunk in chunks)
    # A part with a prior is smaller than it would be alone.
    for chunk, (left, width) in zip(chunks, parts(1024), strict=True):
        alone = choose(np.ascontiguousarray(cells[:, left : left + width]))
        assert len(chunk.payload) <= len(alone.payload)
    assert np.array_equal(read(chunks, (1024, 300)), cells)


def test_the_part_with_most_to_teach_is_the_prior() -> None:
    cells = noise(300, 812)
    cells[:60, :256] = cells[:90, 512:] = 0
    assert [chunk.prior for chunk in written(cells)] == [1, NONE, 1]
    assert [chunk.prior for chunk in written(CELLS)] == [2, 2, NONE]


def test_a_part_the_priors_codec_refuses_is_stored_alone() -> None:
    cells = noise(300, 812)  # two values: the last part is coded as a bitmap
    cells[:60, :200] = noise(60, 200, values=5)
    cells[60:, :256] = 0
    chunks = written(cells)
    assert [chunk.prior for chunk in chunks] == [NONE, 2, NONE]
    assert (chunks[0].codec, chunks[2].codec) == (17, 16)
    assert np.array_equal(read(chunks, SIZE), cells)


def test_the_fast_profile_makes_parts_that_depend_on_nothing() -> None:
    cells = noise(300, 812)
    picture = (cells * 3).astype(np.uint8)
    chunks = written(picture, profile="fast", earlier=[cells])
    assert {(chunk.prior, chunk.side) for chunk in chunks} == {(NONE, NONE)}
    for chunk in chunks:
        assert "fast" in codec_by_number(chunk.codec).profiles
    assert "fast" not in codec_by_number(written(picture)[0].codec).profiles


def follows(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return ids that follow from cells and their neighbours, as an autotile's do."""
    framed = np.pad(cells, 1)
    return (cells * 4 + framed[:-2, 1:-1] * 2 + framed[1:-1, :-2]).astype(np.uint8)


def test_a_grid_takes_the_earlier_layer_that_makes_it_smallest() -> None:
    ground, other = noise(90, 80), noise(90, 80, seed=2)
    for earlier, side in (([other, ground], 1), ([ground, other], 0), ([other], NONE)):
        chunks = written(follows(ground), earlier=earlier)
        assert [chunk.side for chunk in chunks] == [side]
        assert np.array_equal(read(chunks, (80, 90), earlier=earlier), follows(ground))


def test_an_earlier_layer_of_another_size_is_passed_over() -> None:
    ground = noise(90, 80)
    earlier = [noise(80, 90), np.ascontiguousarray(ground.T), ground]
    assert [chunk.side for chunk in written(follows(ground), earlier=earlier)] == [2]


def test_what_is_tiny_anyway_depends_on_nothing() -> None:
    ground = np.zeros((90, 80), np.uint8)
    chunks = written(follows(ground), earlier=[ground])
    assert len(chunks[0].payload) < 24
    assert chunks[0].side == NONE


def test_every_part_takes_its_own_part_of_the_earlier_layer() -> None:
    ground = noise(700, 500)
    chunks = written(follows(ground), earlier=[ground])
    assert {chunk.side for chunk in chunks} == {0}
    assert np.array_equal(read(chunks, (500, 700), earlier=[ground]), follows(ground))


# --- refusals --------------------------------------------------------------------------------


# Three parts: the last one is the largest, and the prior of the others.
CELLS = noise(300, 812)
SIZE = (812, 300)


@each_case("parts", [[1, 2], [0, 2], [0, 1], [0, 1, 2, 2]])
def test_a_part_that_is_missing_or_too_many_is_refused(parts: list[int]) -> None:
    chunks = written(CELLS)
    with pytest.raises(BlobError, match="chunks of CELL 0 are missing"):
        read([chunks[part] for part in parts], SIZE)


@each_case(
    "change",
    [{"cell": 2}, {"cell": 0}, {"width": 255}, {"height": 299}, {"element": 2}, {"element": 0}],
)
def test_parts_that_do_not_fit_together_are_refused(change: dict[str, int]) -> None:
    chunks = written(CELLS, profile="fast")
    chunks[1] = replace(chunks[1], **change)  # type: ignore[arg-type]
    with pytest.raises(BlobError, match="do not fit together"):
        read(chunks, SIZE)


@pytest.mark.parametrize("size", [(811, 300), (812, 301), (300, 812)])
def test_a_grid_of_another_size_than_its_parts_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(BlobError, match="chunks of CELL 0"):
        read(written(CELLS, profile="fast"), size)


@each_case("element", [4, 5, 254, 255])
def test_an_unknown_element_type_is_refused(element: int) -> None:
    chunks = [replace(chunk, element=element) for chunk in written(CELLS)]
    with pytest.raises(BlobError, match="no known element type"):
        read(chunks, SIZE)


def test_the_limit_is_that_of_the_whole_grid_and_comes_before_any_memory() -> None:
    chunks = written(CELLS)
    assert read(chunks, SIZE, limits=Limits(cells=812 * 300)).shape == (300, 812)
    with pytest.raises(BlobError, match="over the limit"):
        read(chunks, SIZE, limits=Limits(cells=812 * 300 - 1))
    with pytest.raises(BlobError, match="over the limit"):
        read(chunks, SIZE, limits=Limits(total=812 * 300 - 1))


@pytest.mark.parametrize("prior", [0, 3, 65534])
def test_a_prior_that_does_not_exist_or_is_the_part_itself_is_refused(prior: int) -> None:
    chunks = written(CELLS)
    chunks[0] = replace(chunks[0], prior=prior)
    with pytest.raises(BlobError, match="continues a chunk that does not exist"):
        read(chunks, SIZE)


@pytest.mark.parametrize("change", [{"prior": 1}, {"side": 0}, {"codec": 17}])
def test_a_prior_with_a_prior_or_a_side_or_another_codec_is_refused(change: dict[str, int]) -> None:
    chunks = written(CELLS)
    chunks[2] = replace(chunks[2], **change)  # type: ignore[arg-type]
    with pytest.raises(BlobError, match="continues a chunk that it may not continue"):
        read(chunks, SIZE, earlier=[CELLS])


def test_a_damaged_prior_is_reported() -> None:
    data = bytearray(write_container(written(CELLS)))
    data[-1] ^= 1
    with pytest.raises(BlobError, match="damaged chunk 2"):
        read_grid(read_container(bytes(data)), "CELL", 0, 0, SIZE, Limits())


def test_a_codec_that_cannot_go_on_is_refused() -> None:
    chunks = written(CELLS, profile="fast")
    stored = [
        replace(chunk, codec=0, payload=bytes(chunk.width * chunk.height)) for chunk in chunks
    ]
    assert not read(stored, SIZE).any()
    stored[1] = replace(stored[1], prior=0)
    with pytest.raises(BlobError, match="codec 0 cannot continue another chunk"):
        read(stored, SIZE)


@pytest.mark.parametrize("codec", [128, 255])
def test_blobs_use_no_codecs_of_other_packages(codec: int) -> None:
    chunks = [replace(chunk, codec=codec) for chunk in written(CELLS)]
    with pytest.raises(BlobError, match=f"codec {codec} is not allowed in blobs"):
        read(chunks, SIZE)


def test_a_side_that_does_not_come_before_is_refused() -> None:
    ground = noise(90, 80)
    chunks = written(follows(ground), earlier=[ground])
    for earlier in ([], None):
        with pytest.raises(BlobError, match="a layer that does not come before it"):
            read(chunks, (80, 90), **({} if earlier is None else {"earlier": earlier}))
    chunks = [replace(chunk, side=1) for chunk in chunks]
    with pytest.raises(BlobError, match="a layer that does not come before it"):
        read(chunks, (80, 90), earlier=[ground])
    assert np.array_equal(read(chunks, (80, 90), earlier=[ground.T, ground]), follows(ground))


def test_a_side_of_another_size_is_an_error_and_no_guess() -> None:
    ground = noise(90, 80)
    chunks = written(follows(ground), earlier=[ground])
    for other in (ground[:-1], ground[:, :-1], ground[:0]):
        with pytest.raises(BlobError):
            read(chunks, (80, 90), earlier=[other])
