"""Islands and labyrinths: equal to the reference program, visit by visit."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.generators import Request
from exporter.generators.island_maze import IslandMaze, generate
from exporter.streams import open_stream


def request(width: int, height: int, seed: int | str = 1, rng: str = "portable") -> Request:
    return Request("ground", width, height, open_stream(rng, seed, "ground"))


@given(
    rng=st.sampled_from(["portable", "dotnet"]),
    width=st.integers(1, 20),
    height=st.integers(1, 20),
    probability=st.integers(0, 100),
    neighbours=st.integers(0, 9),
    visits=st.integers(0, 300),
    invert=st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_visits_follow_the_description(
    rng: str, width: int, height: int, probability: int, neighbours: int, visits: int, invert: bool
) -> None:
    stream = open_stream(rng, 7, "ground")
    cells = stream.chance("fill", width, height, probability, "columns").astype(int)
    draws = stream.draws("visits")
    for _ in range(visits + 1):
        x = draws.next(0, width)
        y = draws.next(0, height)
        count = cells[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2].sum()
        cells[y, x] = (count > neighbours) != invert
    result = generate(
        IslandMaze(land_percent=probability, neighbours=neighbours, visits=visits, invert=invert),
        request(width, height, 7, rng),
    )
    assert np.array_equal(result.cells, cells)


def test_land_can_be_walked_and_water_seen_across() -> None:
    tiles = {tile.id: tile for tile in generate(IslandMaze(), request(9, 9)).tiles}
    assert tiles[1].walkable
    assert not tiles[0].walkable
    assert not tiles[0].opaque
    walls = generate(IslandMaze(opaque_water=True), request(9, 9)).tiles[0]
    assert walls.opaque


@each_case(("width", "height"), [(1, 1), (1, 50), (50, 1), (65, 3)])
def test_any_size_works(width: int, height: int) -> None:
    result = generate(IslandMaze(visits=100), request(width, height))
    assert result.cells.shape == (height, width)
    assert result.cells.dtype == np.uint8
