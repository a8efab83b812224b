"""The whole map at once gives the same cells as the rules for each origin alone."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
from visibility_cases import RULES, Case, random_cases, random_map
from visibility_references import field_of_view

from cases import each_case
from exporter import compute_visibility
from exporter.visibility.algorithms import plan_for
from exporter.visibility.runs import run_arrays, run_kernel
from exporter.visibility.table import VisibilityTable

# Of each rule; tests/benchmarks/visibility_long.py takes the number as an argument.
CASES = 60

every_rule = each_case(("algorithm", "see_walls"), RULES)


def assert_equals_the_rule(case: Case, table: VisibilityTable) -> None:
    for origin in case.origins:
        expected = field_of_view(case.opaque, origin, case.radius, case.algorithm, case.see_walls)
        assert np.array_equal(table.visible_from(*origin), expected), f"from {origin}: {case}"
        assert table.count[origin[1], origin[0]] == expected.sum()


@every_rule
def test_every_cell_sees_what_the_rule_says_on_random_maps(algorithm: str, see_walls: bool) -> None:
    for case in random_cases(algorithm, see_walls, seed=1, count=CASES, most_origins=8):
        table = compute_visibility(
            case.opaque, case.radius, case.algorithm, see_walls=case.see_walls
        )
        assert_equals_the_rule(case, table)
        without_a_compiler = run_arrays(plan_for(algorithm, case.radius, see_walls), case.opaque)
        assert np.array_equal(without_a_compiler, table.blocks), str(case)


@every_rule
@each_case("radius", [*range(1, 10), 15, 16, 17, 23, 24])
def test_small_and_large_radii_follow_it(algorithm: str, see_walls: bool, radius: int) -> None:
    opaque = random_map(np.random.default_rng(radius), 2 * radius + 3, radius + 2)
    opaque[radius // 2, radius] = False
    origins = ((radius, radius // 2), (0, 0), (2 * radius + 2, radius + 1))
    case = Case(opaque, radius, algorithm, see_walls, origins)
    assert_equals_the_rule(case, compute_visibility(opaque, radius, algorithm, see_walls=see_walls))


@every_rule
@each_case("width", [63, 64, 65, 127, 128, 129])
def test_words_of_64_columns_leave_no_seam(algorithm: str, see_walls: bool, width: int) -> None:
    opaque = np.random.default_rng(width).random((3, width)) < 0.1
    opaque[1, 55:75] = False
    origins = tuple((x, 1) for x in (0, 60, 62, width - 1, *range(63, min(width, 66))))
    case = Case(opaque, 5, algorithm, see_walls, origins)
    assert_equals_the_rule(case, compute_visibility(opaque, 5, algorithm, see_walls=see_walls))


@each_case("algorithm", ["symmetric", "raycast"])  # the plan of shadowcast takes seconds
def test_the_largest_radius_looks_a_whole_word_away(algorithm: str) -> None:
    opaque = np.random.default_rng(3).random((5, 200)) < 0.02
    opaque[2, ::7] = False
    opaque[2, [0, 64, 128, 199]] = False
    case = Case(opaque, 64, algorithm, True, ((64, 2),))
    table = compute_visibility(opaque, 64, algorithm, see_walls=True)
    assert_equals_the_rule(case, table)
    plan = plan_for(algorithm, 64, table.see_walls)
    assert np.array_equal(run_arrays(plan, opaque), table.blocks)


@every_rule
@each_case("shape", [(1, 1), (1, 9), (9, 1), (8, 64), (9, 65)])
@each_case("all_opaque", [False, True])
def test_maps_all_open_or_all_opaque_follow_the_rule(
    algorithm: str, see_walls: bool, shape: tuple[int, int], all_opaque: bool
) -> None:
    opaque = np.full(shape, all_opaque)
    height, width = shape
    origins = {(0, 0), (width - 1, 0), (0, height - 1), (width // 2, height // 2)}
    case = Case(opaque, 4, algorithm, see_walls, tuple(sorted(origins)))
    assert_equals_the_rule(case, compute_visibility(opaque, 4, algorithm, see_walls=see_walls))


@every_rule
def test_the_kernel_gives_the_same_bits_interpreted(
    interpreted: Callable[[str], ModuleType], algorithm: str, see_walls: bool
) -> None:
    loop = interpreted("visibility_runner")
    assert not loop.COMPILED
    random = np.random.default_rng(5)
    for width, height, radius in [(1, 1, 2), (9, 5, 4), (66, 10, 3), (130, 9, 2)]:
        opaque = random_map(random, width, height)
        plan = plan_for(algorithm, radius, see_walls)
        assert np.array_equal(run_kernel(plan, opaque, loop.run), run_arrays(plan, opaque))


def test_bands_of_rows_leave_no_seam() -> None:
    # Higher than a band of the kernel, and than the rows numpy takes at a time.
    opaque = np.random.default_rng(8).random((300, 70)) < 0.1
    for algorithm, see_walls in RULES:
        plan = plan_for(algorithm, 9, see_walls)
        table = compute_visibility(opaque, 9, algorithm, see_walls=see_walls)
        assert np.array_equal(run_arrays(plan, opaque, slot_bytes=1 << 16), table.blocks)
        origins = ((30, 120), (60, 127), (64, 128), (3, 255), (10, 256), (69, 299))
        assert_equals_the_rule(Case(opaque, 9, algorithm, see_walls, origins), table)
