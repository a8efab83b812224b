"""Misshapen rooms: whole, apart, joined, and never rectangles."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import each_case
from exporter.generators import Request, _room_shapes
from exporter.generators._room_shapes import framed_room, round_room
from exporter.generators.irregular_rooms import IrregularRooms, generate
from exporter.grids.regions import label_regions
from exporter.model.errors import ParameterError
from exporter.streams import open_stream

methods = st.sampled_from(["polygon", "merged"])


def request(width: int, height: int, seed: int | str = 1, rng: str = "portable") -> Request:
    return Request("ground", width, height, open_stream(rng, seed, "ground"))


def draws(seed: int) -> Any:
    return open_stream("portable", seed, "ground").draws("rooms")


@given(methods, st.integers(0, 12), st.integers(0, 12), st.integers(3, 20), st.integers(0, 10**6))
@settings(deadline=None, max_examples=80)
def test_a_room_is_one_piece_without_holes_to_its_outline(
    method: Any, low: int, more: int, corners: int, seed: int
) -> None:
    mask, (x, y) = round_room(method, low, low + more, corners, draws(seed))
    assert mask.shape == (2 * (low + more) + 1,) * 2
    assert mask[y, x] == 1
    assert label_regions(mask == 1).count == 1
    if method == "polygon":
        outside = np.pad(mask == 0, 1, constant_values=True)
        assert label_regions(outside).count == 1


@given(st.integers(1, 30), st.integers(1, 30), st.integers(3, 20), st.integers(0, 10**6))
@settings(deadline=None, max_examples=80)
def test_a_framed_room_is_one_piece_in_any_frame(
    columns: int, rows: int, corners: int, seed: int
) -> None:
    mask, (x, y) = framed_room(columns, rows, corners, draws(seed))
    assert mask.shape == (rows, columns)
    assert mask[y, x] == 1
    assert label_regions(mask == 1).count == 1


def test_corners_lie_between_the_two_radii() -> None:
    for seed in range(50):
        mask, _ = round_room("polygon", 6, 9, 9, draws(seed))
        rows, columns = np.nonzero(mask)
        reach = np.hypot(rows - 9, columns - 9)
        # Corners are rounded to cells, and a diagonal step of the outline gets a cell beside it.
        assert reach.max() <= 9 + 1.5
        assert reach.max() >= 6 - 0.75


@given(
    st.sampled_from(["portable", "dotnet"]),
    methods,
    st.integers(1, 70),
    st.integers(1, 70),
    st.integers(1, 20),
    st.integers(1, 6),
    st.integers(0, 6),
    st.integers(1, 4),
    st.integers(0, 10**6),
)
@settings(deadline=None, max_examples=80)
def test_dungeons_hang_together_and_keep_their_border(
    rng: str,
    method: Any,
    width: int,
    height: int,
    rooms: int,
    low: int,
    more: int,
    corridor_width: int,
    seed: int,
) -> None:
    parameters = IrregularRooms(
        rooms=rooms,
        min_radius=low,
        max_radius=low + more,
        method=method,
        corridor_width=corridor_width,
    )
    result = generate(parameters, request(width, height, seed, rng))
    assert result.cells.shape == (height, width)
    assert result.complete == (len(result.rooms) == rooms)
    assert result.report["rooms"] == len(result.rooms)
    assert label_regions(result.cells == 0).count == (1 if result.rooms else 0)
    assert bool(result.rooms) == (min(width, height) >= 3)
    border = np.ones((height, width), bool)
    border[1:-1, 1:-1] = False
    assert result.cells[border].all()


@pytest.mark.parametrize("method", ["polygon", "merged"])
def test_rooms_do_not_touch_and_lie_where_they_are_said_to(method: Any) -> None:
    result = generate(IrregularRooms(corridor_width=0, method=method), request(100, 100))
    regions = label_regions(result.cells == 0)
    assert regions.count == len(result.rooms) == 12
    assert result.complete
    for room in result.rooms:
        x, y = room.center
        rows, columns = np.nonzero(regions.labels == regions.labels[y, x])
        assert (columns.min(), rows.min()) == (room.x, room.y)
        assert (np.ptp(columns) + 1, np.ptp(rows) + 1) == (room.width, room.height)
        assert rows.size < room.width * room.height or method == "merged"


def test_rooms_that_do_not_fit_are_a_report() -> None:
    crowded = generate(IrregularRooms(rooms=1000), request(20, 20))
    assert not crowded.complete
    assert crowded.report["wanted"] == 1000
    small = generate(IrregularRooms(), request(8, 30))
    assert small.report["radius"] == "rooms are smaller than asked, to fit the map: radius 2"


def test_a_least_radius_above_the_greatest_is_refused_with_its_position() -> None:
    with pytest.raises(
        ParameterError, match="min_radius 10 is greater than max_radius 9"
    ) as caught:
        generate(IrregularRooms(min_radius=10), request(50, 50))
    assert caught.value.path == ("min_radius",)


@each_case("method", ["polygon", "merged"])
@each_case("rng", ["portable", "dotnet"])
def test_rooms_are_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, rng: str, method: Any
) -> None:
    parameters = IrregularRooms(method=method)
    compiled = generate(parameters, request(80, 90, 6, rng))
    kernel = interpreted("room_shapes")
    monkeypatch.setattr(_room_shapes, "draw_polygon", kernel.draw_polygon)
    monkeypatch.setattr(_room_shapes, "draw_merged", kernel.draw_merged)
    assert np.array_equal(generate(parameters, request(80, 90, 6, rng)).cells, compiled.cells)
