"""Why cells are refused: the first demand that removes them, as the placing itself decides."""

from __future__ import annotations

from math import isqrt

import numpy as np
import pytest

import slow_overlays as slow
from built_levels import built
from cases import each_case
from exporter.build.build import Build
from exporter.build.observed import compute_overlay, observed_group
from exporter.measures.maps import OverlayMap
from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level

SPEC = """\
size: [36, 26]
seed: {seed}
layers:
  ground: {{generator: cellular_caves, wall_percent: 44, connect: guaranteed}}
objects:
  - {{name: start}}
  - {{name: torch, count: 3}}
  - {{name: chest, count: 5, spacing: 4, clear_radius: 1, far_from: start, min_distance: 8,
      required: false}}
  - {{name: chest, count: 2, spacing: 5, near: start, max_distance: 12, required: false}}
"""


def clear(floor: slow.Mask, x: int, y: int, radius: int) -> bool:
    """Whether all cells around are floor; cells outside the map are not."""
    for dy in range(-radius, radius + 1):
        half = isqrt(radius * radius - dy * dy)
        for dx in range(-half, half + 1):
            a, b = x + dx, y + dy
            if not (0 <= a < floor.shape[1] and 0 <= b < floor.shape[0] and floor[b, a]):
                return False
    return True


@each_case("seed", range(1, 6))
def test_each_cell_is_refused_by_the_first_demand_that_it_does_not_keep(seed: int) -> None:
    build = built(SPEC.format(seed=seed))
    level, _ = build.level()
    floor = level.walkable()
    entries = {
        entry: [(item.x, item.y) for item in level.objects if item.entry == entry]
        for entry in range(4)
    }
    (start,) = entries[0]
    steps = slow.steps(floor, [start])
    first = compute_overlay("refused:chest", build)
    second = compute_overlay("refused:chest:2", build)
    for y in range(level.height):
        for x in range(level.width):
            cell = (x, y)
            assert first.describe(x, y) == first_reason(cell, floor, steps, entries)
            assert second.describe(x, y) == second_reason(cell, floor, steps, entries)


def first_reason(
    cell: slow.Cell,
    floor: slow.Mask,
    steps: dict[slow.Cell, int],
    entries: dict[int, list[slow.Cell]],
) -> str:
    if not floor[cell[1], cell[0]]:
        return "not floor"
    if not clear(floor, *cell, 1):
        return "not clear within 1 (clear_radius)"
    if steps.get(cell, -1) < 8:
        return "not at least 8 steps from start (far_from)"
    # An object that is placed later is not in the way yet.
    if cell in entries[0] + entries[1]:
        return "not free (count)"
    if cell in entries[2]:
        return "placed"
    if any(slow.near(cell, item, 4 * 4 - 1) for item in entries[2]):
        return "nearer than spacing 4"
    return "could stand here"


def second_reason(
    cell: slow.Cell,
    floor: slow.Mask,
    steps: dict[slow.Cell, int],
    entries: dict[int, list[slow.Cell]],
) -> str:
    if not floor[cell[1], cell[0]]:
        return "not floor"
    if steps.get(cell, 99) > 12:
        return "not within 12 steps of start (near)"
    if cell in entries[0] + entries[1] + entries[2]:
        return "not free (count)"
    if cell in entries[3]:
        return "placed"
    # The first group keeps its own spacing, and this one keeps its from all chests.
    if any(slow.near(cell, item, 5 * 5 - 1) for item in entries[2] + entries[3]):
        return "nearer than spacing 5"
    return "could stand here"


@each_case(
    "demand",
    [
        "at: [3, 3]",
        "on_tile: wall",
        "on_tile: wall, clear_radius: 1",
        "region: largest",
        "count: 6, on_path: [start, goal]",
        "count: 6, off_path: [start, goal], max_detour: 4",
        "far_from: start",
    ],
)
def test_every_cell_is_in_one_class(demand: str) -> None:
    text = (
        SPEC.format(seed=3)
        + f"  - {{name: goal}}\n  - {{name: thing, {demand}, required: false}}\n"
    )
    build = built(text)
    level, _ = build.level()
    seen = observed_group(build, 5)
    masks = [seen.placed, seen.crowded, seen.left, *(refusal.cells for refusal in seen.refusals)]
    assert (np.sum(masks, axis=0) == 1).all()
    things = [(item.x, item.y) for item in level.objects if item.name == "thing"]
    assert set(slow.cells_of(seen.placed)) == set(things)
    overlay = compute_overlay("refused:thing", build)
    assert sum(item.count for item in overlay.classes) == overlay.values.size
    assert (overlay.values > 0).all()


def test_objects_of_a_table_are_observed_as_they_are_drawn() -> None:
    build = built(
        "size: [30, 24]\nlayers:\n  ground: {generator: rooms_and_corridors, rooms: 5}\n"
        "tables:\n  foes:\n    columns: {name: text, danger: integer, weight: integer}\n"
        "    rows: [[rat, 1, 3], [ogre, 3, 1]]\n"
        "objects:\n  - {name: foe, spawn: {table: foes, budget: 4}, spacing: 2}\n"
    )
    level, _ = build.level()
    assert level.objects
    seen = observed_group(build, 0)
    assert set(slow.cells_of(seen.placed)) == {(item.x, item.y) for item in level.objects}


def test_observing_changes_nothing_and_needs_no_level() -> None:
    text = SPEC.format(seed=2).replace("required: false", "required: true")
    text = text.replace("count: 5", "count: 90")
    spec = parse_level(text.encode(), "hall.level.yaml")
    with pytest.raises(SpecError, match="of 90 could be placed"):
        Build(spec).level()
    seen = observed_group(Build(spec), 2)
    assert 0 < np.count_nonzero(seen.placed) < 90
    assert not seen.left.any()


def test_a_demand_that_cannot_be_understood_is_reported_at_its_position() -> None:
    text = SPEC.format(seed=2) + "  - {name: lamp, room: cellar, required: true}\n"
    spec = parse_level(text.encode(), "hall.level.yaml")
    with pytest.raises(SpecError) as caught:
        observed_group(Build(spec), 4)
    assert "no rooms" in caught.value.problems[0].message
    assert caught.value.problems[0].line == 11


def test_a_cell_tells_the_class_that_the_legend_has() -> None:
    overlay = compute_overlay("refused:torch", built(SPEC.format(seed=1)))
    assert isinstance(overlay, OverlayMap)
    reported = {overlay.describe(x, y) for y in range(26) for x in range(36)}
    assert reported == {item.name for item in overlay.classes if item.count}
