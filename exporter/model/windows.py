"""Define windows: rectangles of a map that is too large to build at once."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass


def parts_in(size: tuple[int, int], chunk: int) -> int:
    """Return into how many chunks of side `chunk` a map of `size` is divided.

    `size` is width and height in cells. Chunks at the right and the bottom may be smaller.
    """
    return -(-size[0] // chunk) * -(-size[1] // chunk)


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of cells in a map.

    Attributes:
        x: The first column.
        y: The first row.
        width: The number of columns.
        height: The number of rows.
        whole: The width and height of the map that the rectangle is part of.
    """

    x: int
    y: int
    width: int
    height: int
    whole: tuple[int, int]

    @classmethod
    def of_whole(cls, width: int, height: int) -> Window:
        """Return the window that covers a whole map of `width` x `height` cells."""
        return cls(0, 0, width, height, (width, height))

    @property
    def right(self) -> int:
        """The first column to the right of the window."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row below the window."""
        return self.y + self.height

    def grown(self, cells: int) -> Window:
        """Return the window with `cells` more on each side, inside the map."""
        left, top = max(0, self.x - cells), max(0, self.y - cells)
        right = min(self.whole[0], self.right + cells)
        bottom = min(self.whole[1], self.bottom + cells)
        return Window(left, top, right - left, bottom - top, self.whole)

    def holds(self, x: int, y: int) -> bool:
        """Return whether the window contains the map's cell (x, y)."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def within(self, outer: Window) -> tuple[slice, slice]:
        """Return the window's rows and columns in an array of the window `outer`."""
        top, left = self.y - outer.y, self.x - outer.x
        return slice(top, top + self.height), slice(left, left + self.width)
