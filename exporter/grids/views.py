"""Compute the part of a map that a camera shows around the player."""

from __future__ import annotations

from operator import index

from exporter.model.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """The cells that a camera shows; (x, y) is the upper left one."""

    x: int
    y: int
    width: int
    height: int


def game_view(player: tuple[int, int], view: tuple[int, int], map: tuple[int, int]) -> View:
    """Return the part of the map that the camera shows around the player.

    On each axis the view starts half its size (rounded down) before the player, which puts the
    player in the middle of an odd size; then the view is moved into the map. If the map is smaller
    than the view, the view starts at 0 and keeps its size.

    Args:
        player: The player's cell, (x, y).
        view: Size of the view in cells, (width, height).
        map: Size of the map in cells, (width, height).

    Raises:
        ValueError: A size is not positive.

    >>> game_view((50, 2), (21, 11), (100, 100)) View(x=40, y=0, width=21, height=11)
    """
    if min(*view, *map) < 1:
        raise ValueError(f"sizes must be positive, not {view} and {map}")
    x, y = (
        # In Python's integers: differences of numpy's unsigned ones would wrap.
        max(0, min(index(at) - index(size) // 2, index(limit) - index(size)))
        for at, size, limit in zip(player, view, map, strict=True)
    )
    return View(x, y, index(view[0]), index(view[1]))
