"""Cellular caves: equal to the reference program, and to the textbook automaton."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cases import each_case
from exporter.build.build import build_level
from exporter.generators import Request
from exporter.generators._automaton import smooth
from exporter.generators._legend import FLOOR_AND_WALL
from exporter.generators.cellular_caves import CellularCaves, generate, random_walls
from exporter.model.errors import SpecError
from exporter.model.level import CLEAR, Layer, Tile
from exporter.reading.reader import parse_level
from exporter.streams import open_stream


def request(
    width: int, height: int, seed: int | str = 1, rng: str = "portable", layer: str = "ground"
) -> Request:
    return Request(layer, width, height, open_stream(rng, seed, layer))


def one_round(walls: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The rule as documented: a wall stays with 4 wall neighbours, a floor turns with 5."""
    height, width = walls.shape
    result = np.zeros_like(walls)
    for y in range(height):
        for x in range(width):
            count = 0
            for j in (y - 1, y, y + 1):
                for i in (x - 1, x, x + 1):
                    if (i, j) != (x, y):
                        inside = 0 <= i < width and 0 <= j < height
                        count += bool(walls[j, i]) if inside else True
            result[y, x] = count >= 4 if walls[y, x] else count >= 5
    return result


@given(
    st.integers(1, 140),
    st.integers(1, 9),
    st.integers(0, 3),
    st.integers(0, 2**32),
    st.integers(0, 100),
)
@settings(deadline=None, max_examples=60)
def test_the_bit_parallel_automaton_equals_the_rule_as_reported(
    width: int, height: int, rounds: int, seed: int, percent: int
) -> None:
    walls = open_stream("portable", seed, "a").chance("fill", width, height, percent)
    expected = walls
    for _ in range(rounds):
        expected = one_round(expected)
    before = walls.copy()
    assert np.array_equal(smooth(walls, rounds), expected)
    assert np.array_equal(walls, before)


def test_the_in_place_sweep_lets_later_cells_see_earlier_ones() -> None:
    parameters = CellularCaves(update="in_place", rounds=1, wall_percent=48)
    walls = random_walls(parameters, request(30, 20))
    expected = walls.copy()
    for y in range(20):
        for x in range(30):
            expected[y, x] = one_round(expected)[y, x]
    cells = generate(parameters, request(30, 20)).cells
    assert np.array_equal(cells, expected)
    both_at_once = generate(
        CellularCaves(update="synchronous", rounds=1, wall_percent=48), request(30, 20)
    )
    assert not np.array_equal(cells, both_at_once.cells)


@each_case("rng", ["portable", "dotnet"])
@each_case(("rows", "height"), [(1, 21), (3, 20), (4, 9), (64, 12), (0, 12)])
def test_the_strip_is_floor_and_the_border_wall(rng: str, rows: int, height: int) -> None:
    parameters = CellularCaves(wall_percent=100, rounds=0, blank_rows=rows)
    cells = generate(parameters, request(30, height, rng=rng)).cells
    first = height // 2 - rows // 2
    expected = np.ones((height, 30), np.uint8)
    expected[max(first, 1) : min(first + rows, height - 1), 1:-1] = 0
    assert np.array_equal(cells, expected)


def test_border_and_strip_draw_nothing_from_the_sequential_stream() -> None:
    source = request(10, 9, rng="dotnet")
    generate(CellularCaves(), source)
    fresh = open_stream("dotnet", 1, "ground").draws()
    for _ in range(8 * 7 - 8):
        fresh.raw()
    assert source.stream.draws().raw() == fresh.raw()


@each_case("update", ["synchronous", "in_place"])
@each_case("rng", ["portable", "dotnet"])
@each_case(("width", "height"), [(1, 1), (2, 2), (1, 40), (40, 1), (3, 3), (64, 64)])
def test_any_size_works(update: str, rng: str, width: int, height: int) -> None:
    result = generate(CellularCaves(update=update), request(width, height, rng=rng))  # type: ignore[arg-type]
    assert result.cells.shape == (height, width)
    assert result.cells.dtype == np.uint8
    assert result.cells.flags.c_contiguous
    assert (result.cells[0] == 1).all()
    assert (result.cells[:, 0] == 1).all()


def test_more_walls_are_walls_where_fewer_were() -> None:
    few = random_walls(CellularCaves(wall_percent=30), request(50, 50))
    many = random_walls(CellularCaves(wall_percent=60), request(50, 50))
    assert (many | ~few).all()
    assert many.sum() > few.sum()


def step_by_step(update: str, seed: int, rounds: int, rng: str = "portable") -> list[Layer]:
    """The layers of a level in which every layer applies the rule once to the one above it."""
    lines = [
        f"size: [61, 37]\nseed: {seed}\nrng: {rng}\nlayers:",
        f"  whole: {{generator: cellular_caves, update: {update}, rounds: {rounds}}}",
        f"  step0: {{generator: cellular_caves, update: {update}, rounds: 0}}",
    ]
    lines += [
        f"  step{number}: {{generator: cellular_caves, update: {update}, rounds: 1, "
        f"from_layer: step{number - 1}}}"
        for number in range(1, rounds + 1)
    ]
    spec = parse_level("\n".join(lines).encode(), "steps.level.yaml")
    return list(build_level(spec).layers.values())


@pytest.mark.parametrize("update", ["synchronous", "in_place"])
def test_layers_of_one_round_each_equal_one_layer_of_all_rounds(update: str) -> None:
    # With `dotnet` every layer starts the same random numbers: both start from the same cells.
    whole, start, *steps = step_by_step(update, 5, 4, "dotnet")
    assert np.array_equal(steps[-1].cells, whole.cells)
    assert not np.array_equal(steps[-2].cells, whole.cells)
    assert not np.array_equal(start.cells, whole.cells)


@pytest.mark.parametrize("update", ["synchronous", "in_place"])
@given(st.integers(1, 70), st.integers(1, 12), st.integers(0, 5), st.integers(0, 2**32))
@settings(deadline=None, max_examples=25)
def test_rounds_add_up_whatever_the_size(
    update: str, width: int, height: int, rounds: int, seed: int
) -> None:
    # Cells at the border are open too, which a random start never has.
    cells = open_stream("portable", seed, "a").chance("fill", width, height, 45).astype(np.uint8)

    def after(cells: NDArray[np.uint8], rounds: int) -> NDArray[np.uint8]:
        source = Layer("start", "tiles", cells, "test", tiles=FLOOR_AND_WALL)
        requested = Request(
            "b", width, height, open_stream("portable", 9, "b"), layers={"start": source}
        )
        result = generate(
            CellularCaves(from_layer="start", rounds=rounds, update=update),  # type: ignore[arg-type]
            requested,
        )
        return result.cells  # type: ignore[return-value]

    expected = after(cells, rounds)
    for _ in range(rounds):
        cells = after(cells, 1)
    assert np.array_equal(cells, expected)


def test_whatever_cannot_be_walked_on_is_wall_at_the_start() -> None:
    tiles = (
        Tile(0, "grass", walkable=True, opaque=False, color=CLEAR),
        Tile(1, "bush", walkable=True, opaque=True, color=CLEAR),
        Tile(2, "lake", walkable=False, opaque=False, color=CLEAR),
    )
    source = Layer("lands", "tiles", np.array([[0, 1, 2]], np.uint8), "test", tiles=tiles)
    requested = Request("a", 3, 1, open_stream("portable", 1, "a"), layers={"lands": source})
    result = generate(CellularCaves(from_layer="lands", rounds=0), requested)
    assert result.cells.tolist() == [[0, 0, 1]]
    assert [tile.name for tile in result.tiles] == ["floor", "wall"]


def test_a_start_from_heights_is_refused() -> None:
    text = (
        "size: [9, 9]\nlayers:\n  relief: {generator: heightmap}\n"
        "  ground: {generator: cellular_caves, from_layer: relief}\n"
    )
    with pytest.raises(SpecError, match="holds heights, not tiles") as caught:
        build_level(parse_level(text.encode(), "a.level.yaml"))
    assert caught.value.line == 4


@pytest.mark.parametrize("parameter", ["wall_percent: 30", "blank_rows: 3"])
def test_a_parameter_of_the_random_start_is_refused_beside_from_layer(parameter: str) -> None:
    text = (
        "size: [9, 9]\nlayers:\n  base: {generator: blank}\n"
        f"  ground: {{generator: cellular_caves, from_layer: base, {parameter}}}\n"
    )
    with pytest.raises(SpecError, match="replaces the random start") as caught:
        parse_level(text.encode(), "a.level.yaml")
    line = text.splitlines()[3]
    value = line.index(parameter) + parameter.index(" ") + 2
    assert (caught.value.line, caught.value.column) == (4, value)
