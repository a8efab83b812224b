"""Convex pieces cover an area exactly, share all their edges, and are few."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from cases import each_case
from exporter.geometry import _cuts, _subdivision
from exporter.geometry.area import UNITS, area_of, shrunk_area
from exporter.geometry.pieces import Pieces, convex_pieces, convex_pieces_by_chunk
from exporter.grids.regions import label_regions
from exporter.kernels import UncompiledWarning
from geometry_references import (
    check_pieces,
    doubled_area,
    joined_parts,
    pieces_of,
    random_mask,
    shrunk,
)
from interpreted_kernels import interpreted

RADII = (1, 64, 100, 128, 150, 256, 300)


def reflex_corners(mask: np.ndarray) -> int:
    cells = np.pad(mask, 1).astype(int)
    return int((cells[1:, 1:] + cells[:-1, 1:] + cells[1:, :-1] + cells[:-1, :-1] == 3).sum())


def cave(side: int) -> np.ndarray:
    """A connected cave: noise and some rounds of the majority rule, its largest region."""
    floor = np.random.default_rng(4).random((side, side)) < 0.6
    for _ in range(4):
        cells = np.pad(floor, 1).astype(int)
        near = sum(
            cells[1 + y : 1 + y + side, 1 + x : 1 + x + side]
            for y, x in itertools.product((-1, 0, 1), repeat=2)
        )
        floor = near >= 5
    regions = label_regions(floor)
    return regions.labels == regions.largest


def check(mask: np.ndarray) -> None:
    pieces = convex_pieces(mask)
    assert pieces.units == 1
    polygons = pieces_of(pieces)
    check_pieces(polygons, area_of(mask))
    assert joined_parts(polygons) == label_regions(mask).count


def test_every_mask_of_three_by_three_is_covered() -> None:
    for bits in range(1 << 9):
        check(np.array([bits >> cell & 1 for cell in range(9)], bool).reshape(3, 3))


@each_case("shape", [(0, 0), (0, 3), (2, 0), (1, 1), (1, 6), (6, 1)])
def test_thin_and_empty_masks_are_covered(shape: tuple[int, int]) -> None:
    assert len(convex_pieces(np.zeros(shape, bool))) == 0
    check(np.ones(shape, bool))
    check(np.indices(shape).sum(axis=0) % 2 == 0)


def test_every_mask_of_four_by_four_is_covered() -> None:
    # Many side by side, with a row and a column between them.
    bits = np.arange(1 << 16)[:, None] >> np.arange(16) & 1
    masks = np.zeros((64, 32, 32, 5, 5), bool)
    masks[..., :4, :4] = bits.reshape(64, 32, 32, 4, 4)
    for mask in masks[::8].transpose(0, 1, 3, 2, 4).reshape(-1, 160, 160):
        check_pieces(pieces_of(convex_pieces(mask)), area_of(mask))


def test_masks_of_all_densities_are_covered() -> None:
    random = np.random.default_rng(7)
    for _ in range(80):
        check(random_mask(random))


def test_views_and_transposed_masks_are_read_right() -> None:
    mask = np.random.default_rng(1).random((40, 30)) < 0.8
    check(mask.T[::-1, ::2])


def test_any_cuts_between_corners_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Fewer cuts than there could be leave more corners, and more often slanted cuts in the way.
    random = np.random.default_rng(9)

    def choose_some(starts, others, chosen, _tightness, _waiting):
        share = random.choice([0.1, 0.3, 1])
        for cut in random.permutation(len(chosen))[: int(share * len(chosen))].tolist():
            chosen[cut] = not any(chosen[other] for other in others[starts[cut] : starts[cut + 1]])

    monkeypatch.setattr(_cuts, "choose_independent", choose_some)
    for _ in range(60):
        check(random_mask(random, 40))


def test_a_cave_is_cut_into_few_pieces() -> None:
    mask = cave(128)
    count = len(convex_pieces(mask))
    assert count <= mask.sum() / 20
    # The fewest rectangles are as many as the reflex corners less the cuts between two, and more.
    assert count < 0.58 * reflex_corners(mask)


@each_case(
    ("rows", "count"),
    [
        (["####", "####"], 1),
        (["##", "#."], 2),
        (["#.#", "###"], 3),
        (["##...", "###..", ".###.", "..##."], 3),
        (["###", "#.#", "###"], 4),
        (["..#..", "#####", "..#.."], 3),
    ],
)
def test_simple_shapes_have_the_fewest_pieces(rows: list[str], count: int) -> None:
    mask = np.array([[cell == "#" for cell in row] for row in rows])
    check(mask)
    assert len(convex_pieces(mask)) == count


def test_a_slanted_cut_resolves_two_corners() -> None:
    # A bent corridor: the cut goes from the inner corner of one bend to that of the other.
    mask = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1], [0, 0, 1, 1, 1]], bool)
    pieces = pieces_of(convex_pieces(mask))
    assert len(pieces) == 2
    assert {(3, 2), (2, 2)} <= set(pieces[0]) & set(pieces[1])


@each_case("side", [1, 2, 5, 16, 64])
def test_pieces_stay_in_their_chunk_and_share_edges_across_borders(side: int) -> None:
    random = np.random.default_rng(side)
    for radius in (0, 0, 0, 64, 128, 300):
        mask = random_mask(random, 30)
        area = shrunk_area(mask, radius) if radius else area_of(mask)
        polygons = []
        places = []
        for chunk, pieces in convex_pieces_by_chunk(mask, side, radius):
            places.append((chunk.y, chunk.x))
            low = np.array([chunk.x, chunk.y]) * pieces.units
            high = low + np.array([chunk.width, chunk.height]) * pieces.units
            assert ((pieces.vertices >= low) & (pieces.vertices <= high)).all()
            polygons += pieces_of(pieces)
        assert places == sorted(places)
        check_pieces(polygons, area)
        assert joined_parts(polygons) == label_regions(area.fields).count


def test_no_chunk_knows_more_than_its_neighbours() -> None:
    # Distant cells change nothing: chunks can be made again one by one.
    mask = np.random.default_rng(2).random((48, 48)) < 0.85
    other = mask.copy()
    other[32:] = ~other[32:]
    for (_, first), (_, second) in itertools.islice(
        zip(convex_pieces_by_chunk(mask, 16), convex_pieces_by_chunk(other, 16), strict=True), 3
    ):
        assert_same(first, second)


def test_an_agent_lies_where_its_square_fits() -> None:
    random = np.random.default_rng(3)
    for radius in RADII:
        mask = random.random(random.integers(1, 7, 2)) < 0.8
        area = shrunk_area(mask, radius)
        for y, x in np.ndindex(area.fields.shape):
            middle_x = int(area.columns[x] + area.columns[x + 1])
            middle_y = int(area.rows[y] + area.rows[y + 1])
            assert area.fields[y, x] == shrunk(mask, radius, middle_x, middle_y)
        assert (np.diff(area.columns) > 0).all()
        assert [*area.columns[[0, -1]], *area.rows[[0, -1]]] == [
            0, mask.shape[1] * UNITS, 0, mask.shape[0] * UNITS,
        ]  # fmt: skip


def test_shrunk_areas_are_covered() -> None:
    random = np.random.default_rng(6)
    for index in range(40):
        mask = random_mask(random)
        radius = RADII[index % len(RADII)]
        pieces = convex_pieces(mask, radius)
        assert pieces.units == UNITS
        area = shrunk_area(mask, radius)
        polygons = pieces_of(pieces)
        check_pieces(polygons, area)
        assert joined_parts(polygons) == label_regions(area.fields).count


@each_case(("radius", "parts"), [(127, 1), (128, 2), (255, 2), (256, 0)])
def test_corridors_no_wider_than_the_agent_vanish(radius: int, parts: int) -> None:
    mask = np.array([[1, 1, 0, 1, 1], [1, 1, 1, 1, 1]], bool)
    assert joined_parts(pieces_of(convex_pieces(mask, radius))) == parts


def test_a_square_field_is_shrunk_on_all_sides() -> None:
    pieces = convex_pieces(np.ones((2, 3), bool), 64)
    assert pieces.vertices.tolist() == [[64, 64], [704, 64], [64, 448], [704, 448]]
    assert pieces_of(pieces) == [[(64, 64), (704, 64), (704, 448), (64, 448)]]


def test_what_makes_no_sense_is_refused() -> None:
    mask = np.ones((2, 2), bool)
    with pytest.raises(ValueError, match="radius -1 is negative"):
        convex_pieces(mask, -1)
    with pytest.raises(ValueError, match="dimensions"):
        convex_pieces(np.ones(3, bool))
    with pytest.raises(ValueError, match="dimensions"):
        convex_pieces(np.ones(3, bool), 1)
    with pytest.raises(ValueError, match="allowed: 8192"):
        convex_pieces(np.ones((8193, 1), bool), 1)
    with pytest.raises(ValueError, match="is not positive"):
        list(convex_pieces_by_chunk(mask, 0))


def test_large_plain_masks_are_one_piece() -> None:
    assert len(convex_pieces(np.ones((2000, 3000), bool))) == 1
    assert len(convex_pieces(np.ones((8000, 8000), bool))) == 1


def slender(ring: list[tuple[int, int]], units: int) -> bool:
    """Whether L^3 / h^2 is above 8000 cells in a piece longer than 16, h being area by length."""
    length = max(np.ptp([x for x, _ in ring]), np.ptp([y for _, y in ring]))
    return bool(
        length > 16 * units
        and Fraction(int(length)) ** 5 * 4 > 8000 * units * Fraction(doubled_area(ring)) ** 2
    )


@each_case("radius", [0, 64])
@each_case(("shape", "count"), [((1, 20), 1), ((1, 21), 2), ((8192, 1), 512)])
def test_long_corridors_are_cut_across(shape: tuple[int, int], count: int, radius: int) -> None:
    polygons = pieces_of(convex_pieces(np.ones(shape, bool), radius))
    assert not any(slender(ring, UNITS if radius else 1) for ring in polygons)
    assert len(polygons) >= count
    if radius == 0:
        assert len(polygons) == count


def test_no_piece_is_long_and_thin() -> None:
    random = np.random.default_rng(15)
    for index in range(24):
        mask = np.ones(random.integers((3, 40), (12, 200)), bool)
        closed = random.integers((0, 0), mask.shape, (random.integers(40), 2))
        mask[closed[:, 0], closed[:, 1]] = False
        if index % 3 == 0:
            mask[:, ::2] = False
        if index % 2 == 0:
            mask = mask.T
        radius = int(random.choice([0, 64]))
        pieces = convex_pieces(mask, radius)
        polygons = pieces_of(pieces)
        area = shrunk_area(mask, radius) if radius else area_of(mask)
        check_pieces(polygons, area)
        assert joined_parts(polygons) == label_regions(area.fields).count
        assert not any(slender(ring, pieces.units) for ring in polygons)


def test_chosen_cuts_are_free_of_conflicts_and_cannot_be_exchanged() -> None:
    random = np.random.default_rng(12)
    for _ in range(200):
        count = int(random.integers(1, 25))
        conflict = np.triu(random.random((count, count)) < random.choice([0.05, 0.2, 0.5]), 1)
        conflict |= conflict.T
        others = [np.flatnonzero(row) for row in conflict]
        starts = np.cumsum([0, *map(len, others)])
        chosen = np.zeros(count, np.uint8)
        flat = np.concatenate(others).astype(np.int32)
        scratch = np.zeros((2, count), np.int32)
        _cuts.choose_independent(
            starts.data, flat.data, chosen.data, scratch[0].data, scratch[1].data
        )
        tightness = conflict[:, chosen == 1].sum(axis=1)
        np.testing.assert_array_equal(scratch[0], tightness)
        assert (tightness[chosen == 1] == 0).all()
        assert (tightness[chosen == 0] > 0).all()
        for cut in np.flatnonzero(chosen):
            alone = np.flatnonzero(conflict[cut] & (tightness == 1))
            assert conflict[np.ix_(alone, alone)].sum() == alone.size * (alone.size - 1)


def assert_same(first: Pieces, second: Pieces) -> None:
    np.testing.assert_array_equal(first.vertices, second.vertices)
    np.testing.assert_array_equal(first.corners, second.corners)
    np.testing.assert_array_equal(first.starts, second.starts)


@pytest.mark.parametrize("radius", [0, 100])
def test_uncompiled_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch, radius: int) -> None:
    mask = np.random.default_rng(3).random((50, 40)) < 0.85
    compiled = convex_pieces(mask, radius)
    assert_same(compiled, convex_pieces(mask, radius))
    for module, kernel, names in (
        (_cuts, interpreted("corner_cuts"), ("CornerCuts",)),
        (_cuts, interpreted("independent_set"), ("choose_independent",)),
        (_subdivision, interpreted("convex_faces"), ("drop_edges", "trace_faces")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, getattr(kernel, name))
    assert_same(compiled, convex_pieces(mask, radius))


@pytest.mark.parametrize(
    ("module", "limit", "kernel"),
    [
        (_cuts, "CORNERS_IN_A_SECOND", "corner_cuts"),
        (_subdivision, "HALF_EDGES_IN_A_SECOND", "convex_faces"),
    ],
)
def test_a_long_wait_without_a_compiler_is_announced(
    monkeypatch: pytest.MonkeyPatch, module: object, limit: str, kernel: str
) -> None:
    monkeypatch.setattr(module, "COMPILED", False)
    monkeypatch.setattr(module, limit, 1)
    with pytest.warns(UncompiledWarning, match=kernel):
        convex_pieces(np.array([[1, 1, 1, 1], [1, 0, 1, 0], [1, 1, 1, 1], [0, 1, 1, 0]], bool))


def test_conflicts_are_detected_again_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    mask = np.ones((40, 40), bool)
    mask[1::3, 1::3] = False
    expected = convex_pieces(mask)
    monkeypatch.setattr(_cuts, "PAIRS_FOR_A_CANDIDATE", 0)
    assert_same(convex_pieces(mask), expected)


@pytest.mark.parametrize("radius", [0, UNITS // 4])
def test_pieces_begin_with_three_vertices_that_are_not_in_a_line(radius: int) -> None:
    """Godot takes every point for an outer one of a polygon that begins with a straight line."""
    mask = np.random.default_rng(1).random((60, 80)) < 0.7
    mask[20:40, 20:60] = True
    for _, pieces in convex_pieces_by_chunk(mask, 16, radius):
        first, second, third = (
            pieces.vertices[pieces.corners[pieces.starts[:-1] + index]].astype(np.int64)
            for index in range(3)
        )
        (ahead_x, ahead_y), (backup_x, backup_y) = (second - first).T, (third - first).T
        assert (ahead_x * backup_y - ahead_y * backup_x != 0).all()
