"""A visibility table: its answers, its size, and refusals."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from visibility_cases import RULES

from cases import each_case
from exporter import compute_visibility
from exporter.visibility.algorithms import ALGORITHMS, plan_for

maps = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=12))
rules = st.sampled_from(RULES)
quick = settings(deadline=None, max_examples=40)


@quick
@given(maps, st.integers(1, 9))
def test_open_cells_see_each_other_or_do_not(opaque: Any, radius: int) -> None:
    table = compute_visibility(opaque, radius)
    for ay, ax in np.argwhere(~opaque).tolist():
        for by, bx in np.argwhere(~opaque & table.visible_from(ax, ay)).tolist():
            assert table.can_see((bx, by), (ax, ay))


@quick
@given(maps, st.integers(1, 9), rules)
def test_every_question_has_the_same_answer(
    opaque: Any, radius: int, rule: tuple[str, bool]
) -> None:
    table = compute_visibility(opaque, radius, rule[0], see_walls=rule[1])
    planes = {tuple(offset): table.plane(n) for n, offset in enumerate(table.offsets.tolist())}
    for y, x in np.ndindex(*opaque.shape):
        visible = table.visible_from(x, y)
        assert table.count[y, x] == visible.sum()
        for by, bx in np.ndindex(*opaque.shape):
            assert table.can_see((x, y), (bx, by)) == visible[by, bx]
            plane = planes.get((bx - x, by - y))
            if plane is not None and not (table.mutual and opaque[y, x]):
                assert plane[y, x] == visible[by, bx]
    if table.mutual:
        for n, (dx, dy) in enumerate(table.offsets.tolist()):
            opposite = table.opposite_plane(n)
            for y, x in np.argwhere(opposite).tolist():
                assert table.can_see((x, y), (x - dx, y - dy))
            sees = sum(
                table.can_see((x, y), (x - dx, y - dy))
                for y, x in np.ndindex(*opaque.shape)
                if 0 <= x - dx < opaque.shape[1] and 0 <= y - dy < opaque.shape[0]
            )
            assert opposite.sum() == sees


@quick
@given(maps, st.integers(1, 9), rules)
def test_opaque_cells_see_only_themselves_and_open_ones_also_themselves(
    opaque: Any, radius: int, rule: tuple[str, bool]
) -> None:
    table = compute_visibility(opaque, radius, rule[0], see_walls=rule[1])
    for y, x in np.ndindex(*opaque.shape):
        visible = table.visible_from(x, y)
        assert visible[y, x]
        assert not opaque[y, x] or visible.sum() == 1


@quick
@given(maps, st.integers(1, 9), rules)
def test_turned_and_mirrored_maps_give_turned_and_mirrored_fields(
    opaque: Any, radius: int, rule: tuple[str, bool]
) -> None:
    def counts(cells: Any) -> Any:
        return compute_visibility(cells, radius, rule[0], see_walls=rule[1]).count

    assert np.array_equal(counts(opaque.T), counts(opaque).T)
    assert np.array_equal(counts(opaque[::-1]), counts(opaque)[::-1])
    assert np.array_equal(counts(opaque[:, ::-1]), counts(opaque)[:, ::-1])


def test_half_a_table_is_enough_where_sight_is_mutual() -> None:
    opaque = np.zeros((64, 64), bool)
    half = compute_visibility(opaque, 8, "symmetric")
    full = compute_visibility(opaque, 8, "shadowcast")
    assert full.nbytes == 64 * 64 // 8 * 196
    assert half.nbytes * 2 == full.nbytes
    assert half.offsets.dtype == np.int16
    assert half.offsets.shape == (98, 2)


def test_nothing_is_seen_beyond_the_radius() -> None:
    opaque = np.zeros((21, 21), bool)
    y, x = np.indices(opaque.shape)
    distance = (x - 10) ** 2 + (y - 10) ** 2
    for algorithm, reached in [
        ("symmetric", distance <= 49),
        ("shadowcast", distance <= 49),
        ("raycast", distance < 49),
    ]:
        table = compute_visibility(opaque, 7, algorithm)
        assert np.array_equal(table.visible_from(10, 10), reached), algorithm


def test_walls_end_rays_unseen_unless_requested_for() -> None:
    opaque = np.array([[False, False, True, False]])
    assert compute_visibility(opaque, 5, "raycast").visible_from(0, 0).tolist() == [
        [True, True, False, False]
    ]
    assert compute_visibility(opaque, 5, "raycast", see_walls=True).visible_from(0, 0).tolist() == [
        [True, True, True, False]
    ]


def test_see_walls_changes_nothing_for_rules_that_always_show_walls() -> None:
    opaque = np.array([[False, False, True, False]])
    for algorithm in ("symmetric", "shadowcast"):
        table = compute_visibility(opaque, 5, algorithm, see_walls=True)
        assert not table.see_walls
        assert table.visible_from(0, 0).tolist() == [[True, True, True, False]]


def test_memory_order_and_later_changes_of_the_map_do_not_matter() -> None:
    opaque = np.random.default_rng(1).random((20, 70)) < 0.3
    table = compute_visibility(opaque, 6)
    for variant in (np.asfortranarray(opaque), np.pad(opaque, 3)[3:-3, 3:-3], opaque[::-1][::-1]):
        assert np.array_equal(compute_visibility(variant, 6).blocks, table.blocks)
    before = table.visible_from(10, 10)
    opaque[:] = True
    assert np.array_equal(table.visible_from(10, 10), before)
    with pytest.raises(ValueError, match="read-only"):
        table.opaque[0, 0] = True


def test_a_plan_is_drawn_once() -> None:
    assert plan_for("symmetric", 5) is plan_for("symmetric", 5)


def test_rules_are_listed_by_name() -> None:
    assert ALGORITHMS.names() == ["raycast", "shadowcast", "symmetric"]


@each_case("radius", [0, -1, 65, 1.5, 8.0, "8", None, True])
def test_a_bad_radius_is_refused(radius: Any) -> None:
    with pytest.raises(ValueError, match="radius"):
        compute_visibility(np.zeros((3, 3), bool), radius)


@each_case(
    "opaque",
    [
        np.zeros((3, 3), np.uint8),
        np.zeros((3, 3)),
        np.zeros(9, bool),
        np.zeros((1, 3, 3), bool),
        np.zeros((0, 3), bool),
        np.zeros((3, 0), bool),
        [[False]],
        None,
    ],
)
def test_arrays_that_are_no_maps_are_refused(opaque: Any) -> None:
    with pytest.raises(ValueError, match=r"map|opaque"):
        compute_visibility(opaque, 8)


@each_case(
    ("shape", "radius"), [((1, 8193), 1), ((8193, 1), 1), ((8192, 8192), 64), ((50_000, 50_000), 8)]
)
def test_maps_too_large_are_refused_before_anything_is_allocated(
    shape: tuple[int, int], radius: int
) -> None:
    opaque = np.broadcast_to(np.False_, shape)
    compute_visibility(np.zeros((1, 1), bool), 1)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="allowed"):
            compute_visibility(opaque, radius)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_an_unknown_rule_is_named_with_what_was_meant() -> None:
    with pytest.raises(ValueError, match="did you mean 'symmetric'"):
        compute_visibility(np.zeros((3, 3), bool), 8, "symetric")
    with pytest.raises(ValueError, match="is not a name"):
        compute_visibility(np.zeros((3, 3), bool), 8, 3)  # type: ignore[arg-type]


@each_case("cell", [(-1, 0), (0, -1), (4, 0), (0, 3)])
def test_cells_outside_the_map_cannot_be_requested(cell: tuple[int, int]) -> None:
    table = compute_visibility(np.zeros((3, 4), bool), 2)
    with pytest.raises(ValueError, match="not inside 4 x 3"):
        table.visible_from(*cell)
    with pytest.raises(ValueError, match="not inside 4 x 3"):
        table.can_see((0, 0), cell)


@each_case("cell", [(1.5, 0), (0, 1.0), ("a", 0), (None, 0)])
def test_what_is_no_whole_number_is_no_cell(cell: Any) -> None:
    table = compute_visibility(np.zeros((3, 4), bool), 2)
    with pytest.raises(ValueError, match="whole numbers"):
        table.visible_from(*cell)
    with pytest.raises(ValueError, match="whole numbers"):
        table.can_see((0, 0), cell)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.int8])
def test_cells_may_be_integers_of_numpy(dtype: type) -> None:
    table = compute_visibility(np.random.default_rng(4).random((6, 7)) < 0.2, 3)
    for ay, ax in np.ndindex(6, 7):
        seen = table.visible_from(ax, ay)
        assert np.array_equal(table.visible_from(dtype(ax), dtype(ay)), seen)
        for by, bx in np.ndindex(6, 7):
            assert table.can_see((dtype(ax), dtype(ay)), (dtype(bx), dtype(by))) == seen[by, bx]


@pytest.mark.parametrize("algorithm", ["symmetric", "raycast"])
def test_computing_needs_little_more_memory_than_the_table_and_the_map(algorithm: str) -> None:
    opaque = np.zeros((256, 256), bool)
    compute_visibility(opaque, 8, algorithm)
    tracemalloc.start()
    try:
        table = compute_visibility(opaque, 8, algorithm)
        assert tracemalloc.get_traced_memory()[1] <= 1.3 * table.nbytes + opaque.nbytes
    finally:
        tracemalloc.stop()


def test_importing_visibility_does_not_import_numpy() -> None:
    program = "import sys, exporter.visibility, exporter.visibility.algorithms as found; "
    program += "assert found.ALGORITHMS.names() and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


@each_case("rule", RULES)
def test_an_opened_door_needs_only_the_part_of_the_map_around_it(rule: tuple[str, bool]) -> None:
    radius = 5
    opaque = np.random.default_rng(2).random((30, 80)) < 0.2
    for x, y in ((40, 15), (2, 1), (79, 29)):
        opaque[y, x] = True
        closed = compute_visibility(opaque, radius, rule[0], see_walls=rule[1])
        opened = opaque.copy()
        opened[y, x] = False
        whole = compute_visibility(opened, radius, rule[0], see_walls=rule[1])
        top, left = max(0, y - 2 * radius), max(0, x - 2 * radius)
        part = opened[top : y + 2 * radius + 1, left : x + 2 * radius + 1].copy()
        around = compute_visibility(part, radius, rule[0], see_walls=rule[1])
        for at_y, at_x in np.ndindex(*opaque.shape):
            expected = whole.visible_from(at_x, at_y)
            if max(abs(at_x - x), abs(at_y - y)) > radius:
                assert np.array_equal(closed.visible_from(at_x, at_y), expected)
            else:
                result = np.zeros_like(expected)
                result[top : y + 2 * radius + 1, left : x + 2 * radius + 1] = around.visible_from(
                    at_x - left, at_y - top
                )
                assert np.array_equal(result, expected)


@each_case("algorithm", ["symmetric", "shadowcast", "raycast"])
@each_case("size", [(1, 1), (9, 70), (7, 5), (20, 64), (2, 129)])
@each_case("radius", [1, 8, 64])
def test_seen_cells_are_counted_the_same_compiled_interpreted_and_in_numpy(
    interpreted: Callable[[str], ModuleType],
    size: tuple[int, int],
    radius: int,
    algorithm: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if radius == 64 and (size[1] < 129 or algorithm == "shadowcast"):  # its plan takes seconds
        return
    opaque = np.random.default_rng(radius).random(size) < 0.3
    compiled = compute_visibility(opaque, radius=radius, algorithm=algorithm).count
    if radius < 20 and size[0] < 20:
        kernel = interpreted("visibility_counts")
        monkeypatch.setattr("exporter.visibility.table.count_seen", kernel.count_seen)
        plain = compute_visibility(opaque, radius=radius, algorithm=algorithm).count
        assert np.array_equal(compiled, plain)
    monkeypatch.setattr("exporter.visibility.table.COMPILED", False)
    arrays = compute_visibility(opaque, radius=radius, algorithm=algorithm).count
    assert np.array_equal(compiled, arrays)
    assert compiled.dtype == arrays.dtype == np.int32
