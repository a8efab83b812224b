"""Costs of levels: estimated before the build, reported at their main cause."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import pytest

from cases import each_case
from exporter.build.build import Build
from exporter.build.costs import NOTABLE_SECONDS, check_costs, estimated_costs
from exporter.generators import GENERATORS
from exporter.generators import heightmap as heightmaps
from exporter.kernels import UncompiledWarning
from exporter.model.costs import SECONDS_A_CELL, Cost, cost_of_cells, kernel_seconds, most_expensive
from exporter.model.errors import SpecError
from exporter.reading.level_spec import LevelSpec
from exporter.reading.reader import parse_level


def spec_of(layer: str, more: str = "", size: str = "[100, 100]") -> LevelSpec:
    text = f"size: {size}\nlayers:\n  a: {{generator: {layer}}}\n{more}"
    return parse_level(text.encode(), "a.level.yaml")


def seconds_of(layer: str, more: str = "", size: str = "[100, 100]") -> float:
    return sum(
        estimated_cost.seconds for estimated_cost in estimated_costs(spec_of(layer, more, size))
    )


@dataclasses.dataclass
class Kernel:
    COMPILED: bool


def test_a_kernel_costs_what_it_costs_as_it_is_here() -> None:
    assert kernel_seconds(Kernel(True), 100, 50, 10) == 2
    assert kernel_seconds(Kernel(False), 100, 50, 10) == 10


def test_the_most_expensive_part_is_the_cause_and_all_are_counted() -> None:
    cells = cost_of_cells(None, 1000, 1000)
    assert cells == Cost(1_000_000 * SECONDS_A_CELL, ("size",))
    both = most_expensive(1000, 1000, Cost(5.0, ("b",)), Cost(3.0, ("c",)))
    assert both == Cost(8.0 + cells.seconds, ("b",))
    assert most_expensive(1000, 1000, Cost(0.0, ("b",))).path == ("size",)


# Each with a value that raises the cost of the spec, and the parameter that is blamed.
DEAR = [
    ("heightmap, droplets: 10000000", "droplets"),
    ("heightmap, thermal_rounds: 1000", "thermal_rounds"),
    ("heightmap, octaves: 16, warp: 64", "octaves"),
    ("visited_caves, visits: 100000000", "visits"),
    ("visited_caves, connect: true, attempts: 10000000", "attempts"),
    ("island_maze, visits: 100000000", "visits"),
    ("drunkard, steps_per_cell: 1000, floor_percent: 95", "steps_per_cell"),
    ("voronoi, relax_rounds: 20", "relax_rounds"),
    ("rooms_and_corridors, attempts: 10000000", "attempts"),
    ("irregular_rooms, rooms: 10000, max_radius: 200", "rooms"),
    ("cellular_caves, rounds: 64, update: in_place", "rounds"),
    ("wave_function_collapse, tiles: [{name: a}, {name: b}], attempts: 1000", "attempts"),
    ("prefabs, prefabs: [{art: '#', count: 10000}]", "prefabs"),
]


@each_case(("layer", "parameter"), DEAR)
def test_what_makes_a_layer_dear_is_counted_and_named(layer: str, parameter: str) -> None:
    plain = layer.split(",")[0]
    if plain in ("wave_function_collapse", "prefabs"):
        plain = layer.rsplit(", attempts", 1)[0].replace("10000", "1")
    (cost,) = estimated_costs(spec_of(layer))
    assert cost.path == ("layers", "a", parameter)
    assert cost.seconds > seconds_of(plain)


def test_stamping_costs_by_the_position() -> None:
    places = ", ".join(["[0, 0]"] * 4096)
    spec = parse_level(
        f"size: [512, 512]\nlayers:\n  a: {{generator: blank}}\n"
        f"  b: {{generator: stamp, of: a, from_layer: a, at: [{places}]}}\n".encode(),
        "a.level.yaml",
    )
    assert estimated_costs(spec)[1].path == ("layers", "b", "at")


@each_case(
    ("more", "path"),
    [
        ("objects: [{name: x}, {name: y, far_from: x, count: 5}]", ("objects", 1, "far_from")),
        ("objects: [{name: x, clear_radius: 64}]", ("objects", 0, "clear_radius")),
        ("objects: [{name: x, count: 900, spacing: 60}]", ("objects", 0, "spacing")),
        ("puzzles: {p: {kind: sudoku, clues: 17}}", ("puzzles", "p", "clues")),
        ("visibility: {radius: 64}", ("visibility", "radius")),
    ],
)
def test_objects_puzzles_and_sight_cost_something_too(more: str, path: tuple[Any, ...]) -> None:
    costs = estimated_costs(spec_of("blank", more))
    assert path in [cost.path for cost in costs]
    most = max(costs[1:], key=lambda cost: cost.seconds)
    assert most.path == path
    assert most.seconds > 0


def test_the_default_is_a_cost_for_each_cell() -> None:
    assert seconds_of("maze", size="[2000, 1000]") == 2_000_000 * SECONDS_A_CELL
    (cost,) = estimated_costs(spec_of("maze"))
    assert cost.path == ("layers", "a", "size")


def test_every_generator_estimates_its_defaults_and_needs_no_build() -> None:
    for name in GENERATORS.built_in():
        entry = GENERATORS.get(name)
        try:
            parameters = entry.parameters()
        except TypeError:
            continue  # has no defaults for everything
        cost = entry.cost(parameters, 64, 64)
        assert 0 < cost.seconds < 5, name
        assert cost.path == ("size",) or hasattr(parameters, str(cost.path[0])), name


def test_a_level_within_its_limits_has_no_warning() -> None:
    assert check_costs(spec_of("cellular_caves"), 300) == []


def test_a_long_level_is_announced_and_a_longer_one_refused_at_its_parameter() -> None:
    spec = spec_of("\n      heightmap,\n    droplets: 10000000")
    (warning,) = check_costs(spec, 300)
    assert warning.severity == "warning"
    assert (warning.line, warning.column) == (5, 15)
    assert "takes about" in warning.message
    assert seconds_of("heightmap, droplets: 10000000") > NOTABLE_SECONDS
    with pytest.raises(SpecError) as caught:
        check_costs(spec, 10)
    (problem,) = caught.value.problems
    assert (problem.line, problem.column, problem.severity) == (5, 15, "error")
    assert "(allowed: 10; --max-seconds allows more)" in problem.message


def test_the_steps_count_together() -> None:
    layers = "\n".join(f"  l{n}: {{generator: heightmap, droplets: 1000000}}" for n in range(20))
    spec = parse_level(f"size: [100, 100]\nlayers:\n{layers}\n".encode(), "a.level.yaml")
    total = sum(estimated_cost.seconds for estimated_cost in estimated_costs(spec))
    most = max(estimated_cost.seconds for estimated_cost in estimated_costs(spec))
    assert total > 19 * most
    with pytest.raises(SpecError, match="of them for layer 'l0'"):
        check_costs(spec, (total + most) / 2)


def test_a_size_is_blamed_where_it_lies() -> None:
    spec = parse_level(
        b"layers:\n  a: {generator: blank}\n  b: {generator: blank, size: [2000, 2000]}\n"
        b"size: [1000, 1000]\n",
        "a.level.yaml",
    )
    with pytest.raises(SpecError) as caught:
        check_costs(spec, 0.001)
    assert caught.value.line == 3
    spec = parse_level(b"size: [1000, 1000]\nlayers: {a: {generator: blank}}\n", "a.level.yaml")
    with pytest.raises(SpecError) as caught:
        check_costs(spec, 0.001)
    assert (caught.value.line, caught.value.column) == (1, 7)


def test_droplets_without_a_compiled_kernel_cost_and_warn_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = spec_of("heightmap, droplets: 5000")
    (compiled,) = estimated_costs(spec)
    monkeypatch.setattr(heightmaps.erosion, "COMPILED", False)
    (interpreted,) = estimated_costs(spec)
    assert interpreted.seconds > 5 > compiled.seconds
    relief = heightmaps.np.zeros((100, 100), heightmaps.np.int64)
    draws = Build(spec)  # only to show that estimating has built nothing
    assert draws.layers == {}
    from exporter.generators._erosion import hydraulic
    from exporter.streams import open_stream

    stream = open_stream("portable", 1, "x").portable.draws("drops")
    monkeypatch.setattr(heightmaps.erosion, "erode", lambda *_: None)
    with pytest.warns(UncompiledWarning, match="'erosion' is not compiled here and needs about 5"):
        hydraulic(relief, stream, 5000, 30, 3, 50)


def test_the_steps_of_a_build_are_reported_before_they_are_accepted() -> None:
    spec = spec_of(
        "cellular_caves",
        "objects: [{name: x}]\npuzzles: {p: {kind: sudoku}}\nvisibility: {radius: 3}\n",
    )
    reported: list[tuple[str, tuple[str | int, ...]]] = []
    build = Build(spec, before_step=lambda what, path: reported.append((what, path)))
    build.level()
    assert reported == [
        ("layer 'a'", ("layers", "a")),
        ("objects 'x'", ("objects", 0)),
        ("puzzle 'p'", ("puzzles", "p")),
        ("the visibility", ("visibility",)),
    ]


def test_an_estimate_is_quick_whatever_it_is_about() -> None:
    dear = "heightmap, size: [4096, 4096], droplets: 10000000, droplet_steps: 1000, octaves: 16"
    started = time.process_time()
    assert seconds_of(dear) > 1000
    assert time.process_time() - started < 5


def test_a_road_costs_by_the_objects_that_it_joins() -> None:
    road = "{generator: road, of: a, between: [end, inn], join: tree}"
    ends = "  - {name: end, count: COUNT, layer: a}\n  - {name: inn, layer: a}\n"
    more = f"  b: {road}\nobjects:\n{ends}"

    def seconds(count: int) -> float:
        spec = spec_of("blank", more.replace("COUNT", str(count)), "[900, 900]")
        (road,) = (
            estimated_cost
            for estimated_cost in estimated_costs(spec)
            if estimated_cost.what == "layer 'b'"
        )
        return road.seconds

    assert seconds(100) > 20 * seconds(1)
    # More than it may have are an error of the build.
    assert seconds(300) == seconds(60_000)
