"""Rooms by partition, drunkards' caves, mazes and Voronoi regions."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.generators import Generated, Request, drunkard, voronoi
from exporter.generators import bsp_rooms as bsp
from exporter.generators import maze as mazes
from exporter.generators._legend import TileOptions
from exporter.grids.regions import label_regions
from exporter.kernels import maze as maze_kernel
from exporter.kernels import random_walk
from exporter.kernels import voronoi as voronoi_kernel
from exporter.model.errors import ParameterError
from exporter.streams import Draws, PortableStream, open_stream

SIDES = st.integers(1, 45)


def request(width: int, height: int, seed: int | str = 1, rng: str = "portable") -> Request:
    return Request("ground", width, height, open_stream(rng, seed, "ground"))


def well_formed(result: Generated, width: int, height: int) -> np.ndarray:
    """Check the invariants of every tile grid; return its walkable cells."""
    assert result.cells.shape == (height, width)
    assert result.cells.dtype in (np.uint8, np.uint16)
    assert result.cells.flags.c_contiguous
    ids = [tile.id for tile in result.tiles]
    assert ids == sorted(set(ids))
    assert set(np.unique(result.cells).tolist()) <= set(ids)
    walkable = np.isin(result.cells, [tile.id for tile in result.tiles if tile.walkable])
    for room in result.rooms:
        assert walkable[room.y : room.y + room.height, room.x : room.x + room.width].all()
        x, y = room.center
        assert room.x <= x < room.x + room.width
        assert room.y <= y < room.y + room.height
    return walkable


@given(
    width=SIDES,
    height=SIDES,
    seed=st.integers(0, 10**6),
    depth=st.integers(0, 12),
    smallest=st.integers(1, 6),
    corridor=st.integers(1, 4),
    extra=st.integers(0, 100),
)
@settings(deadline=None, max_examples=80)
def test_partitioned_rooms_are_apart_and_connected(
    width: int, height: int, seed: int, depth: int, smallest: int, corridor: int, extra: int
) -> None:
    parameters = bsp.BspRooms(
        depth=depth,
        min_room_size=(smallest, smallest),
        max_room_size=(smallest + 4, smallest + 2),
        corridor_width=corridor,
        extra_corridor_percent=extra,
    )
    result = bsp.generate(parameters, request(width, height, seed))
    walkable = well_formed(result, width, height)
    assert result.complete == bool(result.rooms)
    assert label_regions(walkable).count == (1 if result.rooms else 0)
    assert not walkable[[0, -1]].any()
    assert not walkable[:, [0, -1]].any()
    used = np.zeros((height, width), int)
    for room in result.rooms:
        used[room.y : room.y + room.height + 1, room.x : room.x + room.width + 1] += 1
    assert used.max(initial=0) <= 1


def test_a_partition_without_depth_has_one_room() -> None:
    result = bsp.generate(bsp.BspRooms(depth=0), request(60, 40))
    assert len(result.rooms) == 1


def test_a_largest_room_below_the_smallest_is_refused_at_its_position() -> None:
    with pytest.raises(ParameterError, match="height of a room, 4") as caught:
        bsp.generate(bsp.BspRooms(max_room_size=(8, 3)), request(30, 30))
    assert caught.value.path == ("max_room_size", 1)


@given(
    width=SIDES,
    height=SIDES,
    seed=st.integers(0, 10**6),
    floor_percent=st.integers(1, 95),
    border=st.integers(0, 3),
    lifetime=st.integers(0, 50),
    straight_percent=st.integers(0, 100),
    start=st.sampled_from(["center", "random"]),
)
@settings(deadline=None, max_examples=80)
def test_drunkards_dig_one_cave_of_the_requested_size(
    width: int, height: int, seed: int, border: int, **values: Any
) -> None:
    parameters = drunkard.Drunkard(border=border, **values)
    if min(width, height) <= 2 * border:
        with pytest.raises(ParameterError) as caught:
            drunkard.generate(parameters, request(width, height, seed))
        assert caught.value.path == ("border",)
        return
    result = drunkard.generate(parameters, request(width, height, seed))
    walkable = well_formed(result, width, height)
    assert label_regions(walkable).count == 1
    assert walkable.sum() == result.report["dug"]
    assert result.complete == (result.report["dug"] >= result.report["wanted"])
    inside = np.zeros((height, width), bool)
    inside[border : height - border, border : width - border] = True
    assert not walkable[~inside].any()


def test_a_drunkard_reaches_the_share_and_gives_up_in_bounded_steps() -> None:
    result = drunkard.generate(drunkard.Drunkard(floor_percent=40), request(50, 50))
    assert result.report["dug"] == 1000
    hasty = drunkard.generate(
        drunkard.Drunkard(floor_percent=95, steps_per_cell=1), request(50, 50)
    )
    assert not hasty.complete


def test_walks_are_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType],
) -> None:
    results = []
    for module in (random_walk, interpreted("random_walk")):
        cells, dug = np.ones((30, 40), np.uint8), np.zeros(500, np.int32)
        draws = PortableStream((1,)).draws("walk")
        count = module.stagger(cells, dug, draws, 20, 15, 1, 5000, 60, 20)
        results.append((count, cells.tobytes(), dug.tobytes()))
    assert results[0] == results[1]
    assert results[0][0] == 500


def grow(passages: np.ndarray, draws: Draws, newest: int, module: ModuleType = maze_kernel) -> None:
    """Grow a maze in which nothing is given."""
    reached, barred = np.zeros((2, *passages.shape), np.uint8)
    module.grow(passages, reached, barred, np.empty(passages.size, np.int32), draws, newest)


def links(passages: np.ndarray) -> int:
    """Count the passages of a maze, checking that each is open from both sides."""
    assert np.array_equal(passages[:-1] & 2 != 0, passages[1:] & 1 != 0)
    assert np.array_equal(passages[:, :-1] & 4 != 0, passages[:, 1:] & 8 != 0)
    assert not (passages[0] & 1).any()
    assert not (passages[-1] & 2).any()
    assert not (passages[:, 0] & 8).any()
    assert not (passages[:, -1] & 4).any()
    return int((passages & 2 != 0).sum() + (passages & 4 != 0).sum())


@given(
    rows=st.integers(1, 12),
    columns=st.integers(1, 12),
    newest=st.integers(0, 100),
    seed=st.integers(0, 999),
)
@settings(deadline=None, max_examples=80)
def test_a_perfect_maze_has_one_way_and_a_braided_one_no_dead_ends(
    rows: int, columns: int, newest: int, seed: int
) -> None:
    passages = np.zeros((rows, columns), np.uint8)
    draws = PortableStream((seed,)).draws("maze")
    if rows * columns > 1:
        grow(passages, draws, newest)
    assert links(passages) == rows * columns - 1
    walkable = mazes._draw(passages, np.zeros_like(passages), 1, 1) == 0
    assert label_regions(walkable).count == 1
    maze_kernel.braid(passages, np.zeros_like(passages), draws, 100)
    links(passages)
    if rows > 1 and columns > 1:
        assert not np.isin(passages, [1, 2, 4, 8]).any()


def test_mazes_are_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType],
) -> None:
    results = []
    for module in (maze_kernel, interpreted("maze")):
        passages = np.zeros((20, 30), np.uint8)
        draws = PortableStream((1,)).draws("maze")
        grow(passages, draws, 60, module)
        module.braid(passages, np.zeros_like(passages), draws, 50)
        results.append(passages.tobytes())
    assert results[0] == results[1]


@given(
    width=SIDES,
    height=SIDES,
    wall=st.integers(1, 4),
    corridor=st.integers(1, 4),
    braid=st.integers(0, 100),
)
@settings(deadline=None, max_examples=60)
def test_a_maze_fills_the_map_or_says_how_much_it_needs(
    width: int, height: int, wall: int, corridor: int, braid: int
) -> None:
    parameters = mazes.Maze(wall_width=wall, corridor_width=corridor, braid_percent=braid)
    least = 2 * wall + corridor
    if min(width, height) < least:
        with pytest.raises(ParameterError, match=f"{least} x {least}") as caught:
            mazes.generate(parameters, request(width, height))
        assert caught.value.path == ("size",)
        return
    result = mazes.generate(parameters, request(width, height))
    walkable = well_formed(result, width, height)
    assert label_regions(walkable).count == 1
    assert walkable[wall, wall]


def test_newest_cells_make_longer_ways_than_random_ones() -> None:
    def dead_ends(newest: int) -> int:
        passages = np.zeros((30, 30), np.uint8)
        draws = PortableStream((1,)).draws("maze")
        grow(passages, draws, newest)
        return int(np.isin(passages, [1, 2, 4, 8]).sum())

    assert dead_ends(100) < dead_ends(0)


@given(
    width=st.integers(1, 50),
    height=st.integers(1, 50),
    count=st.integers(1, 40),
    metric=st.sampled_from(["euclidean", "taxicab", "chebyshev"]),
    seed=st.integers(0, 999),
)
@settings(deadline=None, max_examples=80)
def test_every_cell_belongs_to_its_nearest_site(
    width: int, height: int, count: int, metric: str, seed: int
) -> None:
    random = np.random.default_rng(seed)
    sites = np.stack([random.integers(0, width, count), random.integers(0, height, count)])
    owners = voronoi.assign(sites.astype(np.int32), width, height, metric)
    y, x = np.indices((height, width))
    across, down = np.abs(x[..., None] - sites[0]), np.abs(y[..., None] - sites[1])
    distances = {
        "euclidean": across**2 + down**2,
        "taxicab": across + down,
        "chebyshev": np.maximum(across, down),
    }[metric]
    assert np.array_equal(owners, distances.argmin(axis=2))


def test_nearest_sites_are_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType],
) -> None:
    random = np.random.default_rng(1)
    sites = random.integers(0, 40, (2, 30)).astype(np.int32)
    for metric in range(3):
        owners = []
        for module in (voronoi_kernel, interpreted("voronoi")):
            result = np.empty((33, 40), np.int32)
            module.nearest(result, sites, np.empty(30, np.int32), np.empty(30), metric)
            owners.append(result)
        assert np.array_equal(owners[0], owners[1])


def test_relaxing_evens_out_the_regions() -> None:
    def spread(relax: int) -> float:
        parameters = voronoi.Voronoi(
            sites=40,
            relax_rounds=relax,
            terrains=tuple(TileOptions(name=f"land_{n}") for n in range(64)),
        )
        result = voronoi.generate(parameters, request(100, 100))
        return float(np.bincount(result.cells.ravel()).std())

    assert spread(8) < spread(0)


@each_case("draw", ["terrains", "walls", "caves"])
@each_case(("width", "height"), [(1, 1), (1, 30), (30, 1), (40, 30)])
def test_regions_can_be_drawn_at_any_size(draw: Any, width: int, height: int) -> None:
    result = voronoi.generate(voronoi.Voronoi(draw=draw, sites=9), request(width, height))
    well_formed(result, width, height)


def test_walls_stand_between_regions() -> None:
    parameters = voronoi.Voronoi(draw="walls", sites=9, relax_rounds=0)
    result = voronoi.generate(parameters, request(60, 60))
    assert label_regions(result.cells == 0).count >= 9


@each_case(
    ("module", "parameters"),
    [
        (bsp, bsp.BspRooms()),
        (drunkard, drunkard.Drunkard()),
        (mazes, mazes.Maze()),
        (voronoi, voronoi.Voronoi()),
    ],
)
def test_the_seed_decides_and_the_reference_stream_does_not(
    module: ModuleType, parameters: Any
) -> None:
    first = module.generate(parameters, request(40, 30, 7)).cells
    assert np.array_equal(first, module.generate(parameters, request(40, 30, 7, "dotnet")).cells)
    assert not np.array_equal(first, module.generate(parameters, request(40, 30, 8)).cells)
