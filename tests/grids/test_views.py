"""The game view follows the player and stays in the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter import game_view
from exporter.grids.views import View

sizes = st.tuples(st.integers(1, 60), st.integers(1, 60))


@given(st.data(), sizes, sizes)
def test_the_view_lies_in_the_map_and_shows_the_player(
    data: st.DataObject, view: tuple[int, int], size: tuple[int, int]
) -> None:
    player = (data.draw(st.integers(0, size[0] - 1)), data.draw(st.integers(0, size[1] - 1)))
    result = game_view(player, view, size)
    assert (result.width, result.height) == view
    for at, first, length, limit in zip(player, (result.x, result.y), view, size, strict=True):
        assert first <= at < first + length
        if length <= limit:
            assert 0 <= first <= limit - length
        else:
            assert first == 0


def test_an_odd_view_has_the_player_in_the_middle() -> None:
    assert game_view((50, 40), (21, 11), (100, 100)) == View(40, 35, 21, 11)


def test_an_even_view_has_one_cell_more_before_the_player() -> None:
    assert game_view((50, 40), (20, 10), (100, 100)) == View(40, 35, 20, 10)


def test_sizes_must_be_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        game_view((0, 0), (0, 5), (10, 10))


def test_positions_in_unsigned_integers_of_numpy_do_not_wrap() -> None:
    player, size = np.array([[2, 8], [9, 9]], np.uint8)
    assert game_view(tuple(player), (12, 5), tuple(size)) == View(0, 4, 12, 5)
