"""Split a rectangle in two, again and again: binary space partition."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from exporter.generators.trace import Grid, Trace
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Room, Tile
from exporter.streams import Draws


@dataclass(slots=True)
class SplitRectangle:
    """A rectangle of the partition; its last column and row stay solid.

    `depth` is the number of splits that led to it. `children` are the indices of its two parts in
    the list of all rectangles; None if it was not split. `room` is None without a room.
    """

    x: int
    y: int
    width: int
    height: int
    depth: int
    children: tuple[int, int] | None = None
    room: Room | None = None


class CutSteps:
    """Records the steps of a partition in `trace`; None records nothing.

    A frame shows the map `cells`, whose tiles are `tiles`. Where cells are still `solid`, the lines
    between parts are drawn in a tile of their own.
    """

    def __init__(
        self, trace: Trace | None, cells: Grid, solid: Tile, tiles: tuple[Tile, ...]
    ) -> None:
        cut = Tile(max(tile.id for tile in tiles) + 1, "cut", False, False, "#c06030ff")
        self._trace = trace
        self._cells = cells
        self._solid = solid.id
        self._cut = cut.id
        self._tiles = (*tiles, cut)
        self._lines = np.zeros(cells.shape, bool)
        self._count = 0

    def cut(self, first: SplitRectangle, second: SplitRectangle) -> None:
        """Record that a rectangle was cut into `first` and `second`."""
        if self._trace is None:
            return
        rows, columns = slice(second.y - 1, second.y), slice(second.x - 1, second.x)
        if first.y == second.y:
            rows = slice(first.y, first.y + first.height - 1)
        else:
            columns = slice(first.x, first.x + first.width - 1)
        self._lines[rows, columns] = True
        self._count += 1
        self._trace.frame("cut", self._drawn, self._tiles, number=self._count)

    def room(self, number: int, of: int = 0) -> None:
        """Record that a room was built: `number` of `of` (0 if unknown)."""
        if self._trace is not None:
            self._trace.frame("room", self._drawn, self._tiles, number=number, of=of)

    def _drawn(self) -> Grid:
        drawn = self._cells.copy()
        drawn[self._lines & (drawn == self._solid)] = self._cut
        return drawn


def partition(
    depth: int,
    spread: int,
    whole: SplitRectangle,
    room: tuple[int, int],
    draws: Draws,
    tell: Callable[[SplitRectangle, SplitRectangle], None] | None = None,
) -> list[SplitRectangle]:
    """Split `whole` repeatedly; return all rectangles, parents first.

    Args:
        depth: The largest number of splits on the way to a part.
        spread: The largest distance of a split from the middle, in percent of the side.
        whole: The rectangle to split.
        room: The width and height of a room, which each part must have space for.
        draws: The random numbers.
        tell: Called with both parts after each split; None for no calls.
    """
    parts = [whole]
    smallest = (room[0] + 1, room[1] + 1)
    for part in parts:  # the list grows as parts are split
        if part.depth == depth:
            continue
        can = part.width >= 2 * smallest[0], part.height >= 2 * smallest[1]
        if not any(can):
            continue
        # Across the clearly longer side; by lot when the part is nearly square.
        lot = bool(draws.next(0, 2))
        upright = part.width * 4 > part.height * 5 or (part.width * 5 >= part.height * 4 and lot)
        if not can[0] or (can[1] and not upright):
            cut = _cut(part.height, smallest[1], spread, draws)
            first = SplitRectangle(part.x, part.y, part.width, cut, part.depth + 1)
            second = SplitRectangle(
                part.x, part.y + cut, part.width, part.height - cut, part.depth + 1
            )
        else:
            cut = _cut(part.width, smallest[0], spread, draws)
            first = SplitRectangle(part.x, part.y, cut, part.height, part.depth + 1)
            second = SplitRectangle(
                part.x + cut, part.y, part.width - cut, part.height, part.depth + 1
            )
        part.children = (len(parts), len(parts) + 1)
        parts += [first, second]
        if tell is not None:
            tell(first, second)
    return parts


def _cut(length: int, smallest: int, spread: int, draws: Draws) -> int:
    """Draw where to cut a side of `length`, near its middle.

    Both parts keep at least `smallest`; `spread` is the largest distance from the middle in
    percent.
    """
    low = max(smallest, length * (50 - spread) // 100)
    high = min(length - smallest, length * (50 + spread) // 100)
    cut: int = draws.next(low, max(high, low) + 1)
    return cut
