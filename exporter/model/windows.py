"""Windows: rectangles of a map that is too large to be made at once."""

from __future__ import annotations

from exporter.model.lazy_dataclass import dataclass


def parts_in(size: tuple[int, int], chunk: int) -> int:
    """Return how many parts a map has.

    Args:
        size: Its width and height.
        chunk: The side of a part; those at the right and the bottom may be smaller.
    """
    return -(-size[0] // chunk) * -(-size[1] // chunk)


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of a map, inside of it.

    Attributes:
        x: Its first column.
        y: Its first row.
        width: Cells in a row of it.
        height: Rows of it.
        whole: Width and height of the map.
    """

    x: int
    y: int
    width: int
    height: int
    whole: tuple[int, int]

    @classmethod
    def of_whole(cls, width: int, height: int) -> Window:
        """Return the window that is the whole map."""
        return cls(0, 0, width, height, (width, height))

    @property
    def right(self) -> int:
        """The column behind it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The row behind it."""
        return self.y + self.height

    def grown(self, cells: int) -> Window:
        """Return the window with more cells on every side, inside the map."""
        left, top = max(0, self.x - cells), max(0, self.y - cells)
        right = min(self.whole[0], self.right + cells)
        bottom = min(self.whole[1], self.bottom + cells)
        return Window(left, top, right - left, bottom - top, self.whole)

    def holds(self, x: int, y: int) -> bool:
        """Return whether a cell of the map is in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def within(self, outer: Window) -> tuple[slice, slice]:
        """Return the rows and columns of this window in those of one around it."""
        top, left = self.y - outer.y, self.x - outer.x
        return slice(top, top + self.height), slice(left, left + self.width)
