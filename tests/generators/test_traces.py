"""A trace keeps an even choice of the frames, and changes nothing in the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import exporter
from cases import each_case
from exporter.generators import GENERATORS, Generated, _wave, drunkard, maze
from exporter.generators import rooms_and_corridors as rooms
from exporter.generators import visited_caves as caves
from exporter.generators.trace import MAXIMUM_FRAMES, Trace, portions
from exporter.grids import connectivity
from exporter.model.level import CLEAR, Tile
from scripts import load_script

golden = load_script("golden/update.py")
CASES = golden.read_cases()

PAGE = Path(exporter.__file__).parent / "docs" / "how-to" / "steps.md"
FLOOR = Tile(0, "floor", walkable=True, opaque=False, color=CLEAR)
GRID = np.zeros((2, 3), np.uint8)


def new_trace(case: str, maximum: int = MAXIMUM_FRAMES) -> Trace:
    width, height = CASES[case]["size"]
    return Trace(width, height, maximum)


def labels(trace: Trace) -> list[str]:
    return [frame.label for frame in trace.frames]


def steps(trace: Trace) -> list[str]:
    """Return the steps of a trace without their numbers, each once."""
    result = (
        " ".join(word for word in label.split() if not word[0].isdigit()) for label in labels(trace)
    )
    return list(dict.fromkeys(text.removesuffix(" of") for text in result))


def same(item: Generated, other: Generated) -> bool:
    """Whether two grids are the same in everything, kinds of numbers included."""
    for field in fields(Generated):
        first, second = getattr(item, field.name), getattr(other, field.name)
        if isinstance(first, np.ndarray):
            if first.dtype != second.dtype or not np.array_equal(first, second):
                return False
        elif field.name == "masks":
            if first.keys() != second.keys():
                return False
            if not all(np.array_equal(first[name], second[name]) for name in first):
                return False
        elif first != second:
            return False
    return True


# --- frames of generators ---------------------------------------------------------------------


@each_case("name", CASES)
def test_a_trace_changes_nothing_of_what_is_created(name: str) -> None:
    without = golden.make(CASES, name)
    for maximum in (7, 40):
        trace, again = new_trace(name, maximum), new_trace(name, maximum)
        assert same(golden.make(CASES, name, trace), without), maximum
        assert len(trace.frames) <= maximum
        check_frames(trace, without)
    golden.make(CASES, name, again)
    assert labels(trace) == labels(again)
    for item, other in zip(trace.frames, again.frames, strict=True):
        assert np.array_equal(item.cells, other.cells)
    contents = [frame.cells.tobytes() for frame in trace.frames]
    # Late rounds may change nothing any more; a frame that never changes is a mistake.
    assert len(contents) < 3 or len(set(contents)) > len(contents) // 3


def check_frames(trace: Trace, result: Generated) -> None:
    """Check that frames are grids of the tiles that their legend has."""
    for frame in trace.frames:
        assert frame.cells.shape == result.cells.shape
        assert not frame.cells.flags.writeable
        assert bool(frame.tiles) == (result.kind == "tiles")
        if frame.tiles:
            assert set(np.unique(frame.cells).tolist()) <= {tile.id for tile in frame.tiles}


@each_case(
    ("case", "message"),
    [
        ("bsp_rooms", ["cut", "room", "corridor"]),
        ("bsp_rooms drawn", ["cut", "room", "corridor"]),
        ("cellular_caves", ["start", "round"]),
        ("cellular_caves in place", ["start", "round"]),
        ("drunkard", ["cell"]),
        ("heightmap warped", ["octave"]),
        ("heightmap ridged island", ["octave", "island"]),
        ("heightmap terraces", ["octave", "terraces"]),
        ("heightmap thermal", ["octave", "thermal erosion, round"]),
        ("heightmap droplets", ["octave", "drop"]),
        ("heightmap from layer", ["heights of the source", "roughness"]),
        ("irregular_rooms", ["room", "corridor"]),
        ("irregular_rooms drawn", ["room", "corridor"]),
        ("island_maze islands", ["filling", "visit"]),
        ("maze braided", ["passage", "loop"]),
        ("prefabs", ["start", "piece"]),
        ("given rooms_and_corridors", ["start", "corridor"]),
        ("given village", ["start", "place"]),
        (
            "visited_caves",
            [
                "filling at random",
                "visit",
                "smoothing",
                "filling holes",
                "removing small and large caves",
                "corridor",
            ],
        ),
        ("voronoi terrains", ["sites", "relaxation"]),
        ("given wave_function_collapse", ["choice"]),
    ],
)
def test_a_generator_tells_its_steps(case: str, message: list[str]) -> None:
    trace = new_trace(case)
    golden.make(CASES, case, trace)
    assert steps(trace) == message


def test_every_generator_of_maps_has_steps_or_is_listed_as_one_that_has_none() -> None:
    without = {name for name in GENERATORS.built_in() if GENERATORS.get(name).stage == "map"}
    for name, case in CASES.items():
        if case["generator"] not in without:
            continue
        trace = new_trace(name)
        golden.make(CASES, name, trace)
        if trace.frames:
            without.discard(case["generator"])
    listed = PAGE.read_text().partition("make everything in one step")[0].rpartition("\n\n")[2]
    assert without == {name for name in without if f"`{name}`" in listed}


def test_a_maze_grows_out_of_rock() -> None:
    trace = new_trace("maze braided")
    golden.make(CASES, "maze braided", trace)
    walls = [np.count_nonzero(frame.cells) for frame in trace.frames]
    assert walls == sorted(walls, reverse=True)
    assert walls[0] > 0.95 * trace.frames[0].cells.size


def test_the_last_number_of_a_step_is_how_many_there_are() -> None:
    trace = new_trace("heightmap droplets")
    golden.make(CASES, "heightmap droplets", trace)
    assert labels(trace)[-1] == "drop 500 of 500"
    trace = new_trace("island_maze islands", 10)
    golden.make(CASES, "island_maze islands", trace)
    assert labels(trace)[-1] == "visit 50,001 of 50,001"


@each_case(
    ("case", "module", "attribute", "kernel", "names"),
    [
        ("drunkard", drunkard, "random_walk", "random_walk", ""),
        ("maze braided", maze, "maze", "maze", ""),
        ("given wave_function_collapse", _wave, "wave_function", "wave_function", ""),
        ("given rooms_and_corridors", rooms, "Builder", "rooms", "Builder"),
        ("given visited_caves", caves, "Connector", "visited_caves", "Connector"),
        ("given visited_caves", caves, "clean", "visited_caves", "clean"),
    ],
)
def test_interpreted_kernels_tell_the_same(
    case: str,
    module: ModuleType,
    attribute: str,
    kernel: str,
    names: str,
    interpreted: Callable[[str], ModuleType],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled, plain = new_trace(case, 30), new_trace(case, 30)
    golden.make(CASES, case, compiled)
    replaced: Any = interpreted(kernel)
    monkeypatch.setattr(module, attribute, getattr(replaced, names) if names else replaced)
    golden.make(CASES, case, plain)
    assert labels(compiled) == labels(plain)
    for frame, other in zip(compiled.frames, plain.frames, strict=True):
        assert np.array_equal(frame.cells, other.cells)


def test_joins_are_reported_in_turn(
    interpreted: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    walkable = np.random.default_rng(4).random((30, 40)) < 0.3
    reported: list[np.ndarray] = []
    joined = connectivity.join_regions(walkable, tell=lambda cells: reported.append(cells.copy()))
    assert len(reported) == joined.regions_before - 1
    before = walkable
    for cells in reported:
        assert (cells >= before).all()
        assert exporter.find_regions(cells).count <= exporter.find_regions(before).count
        before = cells
    assert np.array_equal(before, joined.walkable)
    monkeypatch.setattr(connectivity, "join_meetings", interpreted("connectivity").join_meetings)
    again: list[np.ndarray] = []
    connectivity.join_regions(walkable, tell=lambda cells: again.append(cells.copy()))
    assert np.array_equal(np.array(again), np.array(reported))


def test_the_first_cell_of_a_solid_map_is_reported() -> None:
    reported: list[int] = []
    connectivity.join_regions(
        np.zeros((5, 5), bool), tell=lambda cells: reported.append(cells.sum())
    )
    assert reported == [1]


# --- kept frames ------------------------------------------------------------------------------


@each_case("seed", range(12))
def test_a_trace_keeps_an_even_choice_of_every_step(seed: int) -> None:
    random = np.random.default_rng(seed)
    maximum = int(random.integers(1, 40))
    trace = Trace(3, 2, maximum)
    counter: Counter[str] = Counter()
    order = []
    for step in "abcd"[: random.integers(1, 5)] * int(random.integers(1, 4)):
        for _ in range(random.integers(1, 300)):
            counter[step] += 1
            order.append(f"{step} {counter[step]}")
            trace.frame(step, GRID, (FLOOR,), number=counter[step])
    remaining = labels(trace)
    assert 1 <= len(remaining) <= maximum
    assert remaining == sorted(remaining, key=order.index)
    if maximum < 2 * len(counter):
        return
    # Slowly and from the other end: the largest power of two in which the kept ones all are.
    strides = {}
    for step, count in counter.items():
        numbers = [int(label[2:]) for label in remaining if label[0] == step]
        strides[step] = next(
            stride
            for stride in (2**power for power in range(20, -1, -1))
            if numbers == [number for number in range(1, count + 1) if number % stride == 0]
        )
    assert len(remaining) > maximum // 3 or len(remaining) == len(order)
    # No step is thinned while another one has more than twice as many frames.
    counts = Counter(label[0] for label in remaining)
    for step, stride in strides.items():
        assert stride == 1 or 2 * (2 * counts[step] + 1) + 1 >= max(counts.values())


def test_few_rounds_stay_beside_thousands_of_corridors() -> None:
    trace = Trace(3, 2, 50)
    for number in range(1, 6):
        trace.frame("round", GRID, number=number, of=5)
    for number in range(1, 10_001):
        trace.frame("corridor", GRID, number=number)
    assert labels(trace)[:5] == [f"round {number} of 5" for number in range(1, 6)]
    assert labels(trace)[5:7] == ["corridor 256", "corridor 512"]


def test_where_nothing_else_can_go_the_newest_frame_stays() -> None:
    trace = Trace(3, 2, 1)
    for step in "abcdefg":
        trace.frame(step, GRID)
        assert labels(trace) == [step]
    trace = Trace(3, 2, 4)
    for step in "abcdefg":
        trace.frame(step, GRID)
    assert labels(trace)[-1] == "g"
    assert len(trace.frames) <= 4


def test_large_layers_have_fewer_frames() -> None:
    assert Trace(100, 100).limit == MAXIMUM_FRAMES
    assert Trace(100, 100, maximum_bytes=60_000).limit == 3
    assert Trace(8192, 8192).limit == 2
    assert Trace(8192, 8192, maximum_bytes=1).limit == 1


def test_a_grid_is_copied_only_for_a_retained_frame() -> None:
    trace = Trace(3, 2, 8)
    drawn = []

    def draw() -> np.ndarray:
        drawn.append(1)
        return GRID

    tell = trace.teller("cell", draw, (FLOOR,), of=9000)
    for number in range(1, 9001):
        tell(number)
    assert len(drawn) < 80
    assert labels(trace)[0] == "cell 1,024 of 9,000"


def test_a_frame_is_a_copy_in_as_few_bytes_as_it_needs() -> None:
    trace = Trace(3, 2)
    cells = np.full((2, 3), 7, np.int64)
    trace.frame("a", cells)
    cells[:] = 300
    trace.frame("b", cells)
    trace.frame("c", cells == 300)
    first, second, third = (frame.cells for frame in trace.frames)
    assert (first == 7).all()
    assert (second == 300).all()
    assert (third == 1).all()
    assert [item.dtype for item in (first, second, third)] == [np.uint8, np.uint16, np.uint8]


@each_case(
    "cells",
    [
        np.zeros((3, 2), np.uint8),
        np.zeros((2, 3, 1), np.uint8),
        np.zeros((2, 3)),
        np.full((2, 3), -1),
        np.full((2, 3), 65536),
    ],
)
def test_what_is_no_grid_is_refused(cells: np.ndarray) -> None:
    with pytest.raises(
        ValueError, match=r"the frame has type .* \(needed: whole numbers from 0 to 65535"
    ):
        Trace(3, 2).frame("a", cells)


def test_a_trace_without_frames_is_refused() -> None:
    with pytest.raises(ValueError, match="a trace cannot have 0 frames"):
        Trace(3, 2, 0)


@each_case("total", [0, 1, 5, 199, 200, 201, 50_001])
@each_case("maximum", [1, 3, 200])
def test_portions_are_even_and_make_all_steps(total: int, maximum: int) -> None:
    assert list(portions(None, total)) == [total]
    result = list(portions(Trace(3, 2, maximum), total))
    assert sum(result) == total
    assert len(result) <= maximum
    assert len(set(result[:-1])) <= 1
    assert result[-1] <= result[0]
