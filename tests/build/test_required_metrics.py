"""Limits for metrics: of a level, of a layer, and for the sizes of files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cases import each_case
from exporter import build_level, measure
from exporter.build.requirements import broken_budget, broken_metrics
from exporter.measures import metrics
from exporter.model.errors import ExtensionError
from exporter.model.level import Level
from exporter.reading.level_spec import LevelSpec
from exporter.reading.limit_keys import Budget, Limit, MetricLimit, SeedShare
from exporter.reading.reader import parse_level
from spec_problems import problems_in

CAVE = """size: [24, 16]
seed: 3
layers:
  ground: {generator: cellular_caves, connect: guaranteed}
visibility: {radius: 4}
objects: [{name: start}, {name: exit}, {name: big-chest, count: 2}]
puzzles: {lock: {kind: sudoku}}
"""


def spec_of(more: str = "", base: str = CAVE) -> LevelSpec:
    return parse_level((base + more).encode(), "cave.level.yaml")


def messages_of(more: str, base: str = CAVE) -> list[str]:
    return problems_in(lambda: build_level(spec_of(more, base)))


@pytest.fixture(scope="module")
def cave() -> Level:
    return build_level(spec_of())


def limited(**limits: float) -> list[MetricLimit]:
    return [MetricLimit("loops", Limit(**limits))]


@each_case(
    ("limits", "met", "broken"),
    [
        ({"at_least": 5}, [5, 6], [4, 0]),
        ({"at_most": 5}, [5, 0], [6]),
        ({"equals": 5}, [5, 5.0], [4, 6, 5.5]),
        ({"at_least": 2, "at_most": 5}, [2, 5], [1, 6]),
    ],
)
def test_a_limit_is_preserved_at_its_figure(
    limits: dict[str, float], met: list[float], broken: list[float]
) -> None:
    for figure in met:
        assert broken_metrics(limited(**limits), {"loops": figure}) == {}
    for figure in broken:
        ((name, bound),) = broken_metrics(limited(**limits), {"loops": figure})
        assert name == "loops"
        assert bound in limits


@each_case(
    ("limits", "figure", "text"),
    [
        ({"at_most": 5}, 6, "loops is 6 (required: at most 5)"),
        ({"at_least": 0.3}, 0.123456, "loops is 0.1235 (required: at least 0.3)"),
        ({"at_most": 0.3}, 0.30001, "loops is 0.30001 (required: at most 0.3)"),
        ({"equals": 3}, 4, "loops is 4 (required: exactly 3)"),
        ({"at_least": 12_345_678}, 3, "loops is 3 (required: at least 12345678)"),
    ],
)
def test_the_message_has_the_figure_and_the_limit(
    limits: dict[str, float], figure: float, text: str
) -> None:
    result = broken_metrics(limited(**limits), {"loops": figure})
    assert [breach.text for breach in result.values()] == [text]


def test_any_metric_can_be_required_of_a_level() -> None:
    in_rooms = "{name: start, in_rooms: true}, {name: exit, in_rooms: true}"
    base = CAVE.replace("{name: start}, {name: exit}", in_rooms)
    base = base.replace("cellular_caves, connect: guaranteed", "bsp_rooms")
    measured = metrics().items()
    names = [name for name, metric in measured if metric.plain and not name.startswith("mission_")]
    names += ["objects.'big-chest'", "distance.start.'big-chest'"]
    names += ["reachable.9", "detours.exit.start", "critical_path_doors.exit.start"]
    figures = measure(build_level(spec_of("", base)), names)
    remaining = "".join(f"  {name}: {{equals: {figure!r}}}\n" for name, figure in figures.items())
    build_level(spec_of(f"require:\n{remaining}", base))
    low = "".join(f"  {name}: {{at_least: {figure!r}}}\n" for name, figure in figures.items())
    build_level(spec_of(f"require:\n{low}", base))


@each_case("name", ["farthest", "exposure_mean", "objects.start", "blob_bytes"])
def test_a_broken_limit_is_reported_at_its_line_with_the_figure(cave: Level, name: str) -> None:
    (figure,) = measure(cave, [name]).values()
    displayed = figure if isinstance(figure, int) else f"{figure:.4f}"
    (problem,) = messages_of(f"require:\n  {name}: {{at_most: 0.01}}\n")
    column = len(name) + 15
    assert problem == f"9:{column}: {name} is {displayed} (required: at most 0.01)"


def test_all_limits_that_are_broken_are_reported_at_once() -> None:
    limits = "require: {max_dead_ends: 0, loops: {at_least: 900}, floor: {equals: 1}}\n"
    assert [item.split(": ", 1)[1].split(" is ")[0] for item in messages_of(limits)] == [
        "layer 'ground': 1 dead ends (required: 0)",
        "loops",
        "floor",
    ]


def test_what_cannot_be_measured_breaks_its_limit() -> None:
    assert messages_of("require: {rooms: {at_least: 3}}\n") == [
        "8:18: rooms: no layer was built of rooms (use rooms_and_corridors, bsp_rooms or prefabs)"
    ]
    heights = "size: [9, 9]\nlayers: {relief: {generator: heightmap}}\n"
    assert messages_of("require: {floor: {at_least: 0.1}}\n", heights) == [
        "3:18: floor: the level has no `play` layer, so it has no walkable cells"
    ]
    # Metrics that do not concern cells can be required of any level.
    build_level(spec_of("require: {blob_bytes: {at_most: 100000}}\n", heights))


def test_a_layer_is_measured_alone() -> None:
    text = (
        "size: [24, 16]\nlayers:\n"
        "  walls: {generator: blank, tile: floor, require: {floor: {equals: 1}}}\n"
        "  maze: {generator: maze, require: {floor: {at_least: 0.99}}}\n"
    )
    (problem,) = messages_of("", text)
    assert problem.startswith("4:55: layer 'maze': floor is 0.")
    heights = "size: [9, 9]\nlayers:\n  h: {generator: heightmap, require: {loops: {equals: 0}}}\n"
    assert messages_of("", heights) == [
        "3:46: layer 'h': loops: the layer has no walkable cells to measure"
    ]


def test_only_what_is_required_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    from exporter.build import level_steps
    from exporter.build.build import Build

    def never(*_: object) -> Any:
        raise AssertionError("nobody asked for sight")

    monkeypatch.setattr(level_steps, "compute_sight", never)
    Build(spec_of("require: {loops: {at_least: 0}, objects.start: {equals: 1}}\n")).prepare()
    with pytest.raises(AssertionError, match="nobody asked"):
        Build(spec_of("require: {exposure_mean: {at_least: 0}}\n")).prepare()


def test_the_whole_level_is_measured_after_its_puzzles(cave: Level) -> None:
    size = measure(cave, ["blob_bytes"])["blob_bytes"]
    build_level(spec_of(f"require: {{blob_bytes: {{equals: {size}}}}}\n"))
    without = CAVE.replace("puzzles: {lock: {kind: sudoku}}\n", "")
    assert measure(build_level(spec_of("", without)), ["blob_bytes"])["blob_bytes"] < size


def test_seeds_are_preserved_for_whoever_proves_them() -> None:
    spec = spec_of("require: {seeds: {of: 50, at_least: 0.5}}\n")
    assert spec.require is not None
    assert spec.require.seeds == SeedShare(of=50, at_least=0.5)
    build_level(spec)


def test_a_metric_that_fails_is_reported_at_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from exporter.measures import names

    def fail(*_: object) -> Any:
        raise ExtensionError("metric 'odd' of odd-pack 1.0 failed")

    monkeypatch.setattr(names.NamedMetric, "value", fail)
    assert messages_of("require:\n  loops: {at_least: 0}\n") == [
        "9:10: loops: metric 'odd' of odd-pack 1.0 failed"
    ]
    layer = CAVE.replace("connect: guaranteed", "require: {loops: {at_least: 0}}")
    assert messages_of("", layer) == ["4:56: loops: metric 'odd' of odd-pack 1.0 failed"]


def test_a_spec_without_limits_has_none(tmp_path: Path) -> None:
    text = CAVE.replace("connect: guaranteed", "require: {min_floor: 1, loops: {equals: 900}}")
    spec = spec_of("require: {max_floor: 0, farthest: {at_least: 900}}\nbudget: {blob: 1}\n", text)
    free = spec.without_limits()
    build_level(free)
    assert (free.require, free.limits, free.budget) == (None, (), None)
    assert spec.limits
    assert spec.layers["ground"].limits


# --- sizes ---------------------------------------------------------------------------------------


def test_sizes_are_preserved_up_to_their_budget() -> None:
    budget = Budget(blob=100, outputs=3000)
    assert broken_budget(budget, [40, 100], 3000) == {}
    assert broken_budget(budget, [40, 101], 3001) == {
        "blob": "the blob has 101 B (budget: 100 B)",
        "outputs": "all files of the level have 3001 bytes (budget: 3000 bytes)",
    }
    assert broken_budget(budget, [], None) == {}
    assert broken_budget(Budget(), [10**9], 10**9) == {}
