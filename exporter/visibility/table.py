"""Define the visibility table: which cells every cell of a map sees.

The table has a bit for each origin (the cell that sees) and offset (to the cell that is seen).
Memory is laid out in blocks of 64 x 8 origins. A block holds, plane by plane, 8 words: whether
each of its origins sees the cell at the plane's offset. So an origin's whole field of view lies
close together, and so do the origins around it.

If the rule is mutual (of two open cells each sees the other or neither does), there is a plane for
one of two opposite offsets only, and its bit means: one of the two cells sees the other. An opaque
cell sees only itself, so an open one of the two is the viewer; nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from operator import index

import numpy as np
from numpy.typing import NDArray

from exporter.grids.bits import WORD, Words, shift_rows, sum_planes, unpack_rows
from exporter.kernels.visibility_counts import COMPILED, count_seen
from exporter.model.lazy_dataclass import dataclass
from exporter.visibility.runs import BLOCK

Cell = tuple[int, int]


@dataclass(frozen=True, eq=False, kw_only=True)
class VisibilityTable:
    """Which cells every cell of a map sees.

    A cell sees itself; an opaque cell sees only itself; no cell sees outside the map.

    Attributes:
        opaque: bool [height, width], the cells that block sight; read-only.
        radius: How far sight goes, in cells.
        algorithm: The name of the rule.
        see_walls: Whether a `raycast` table shows the opaque cells at the ends of rays; False for
            the other rules, which always show opaque cells.
        mutual: Whether of two open cells each sees the other or neither does; then one plane serves
            two opposite offsets.
        offsets: int16 [planes, 2], the (dx, dy) from viewer to seen cell of each plane, in reading
            order.
        blocks: uint64 [word columns, blocks of rows, planes, 8]: a bit for each viewer and plane,
            in words of 64 cells of a row; a block is 8 rows.
    """

    opaque: NDArray[np.bool_]
    radius: int
    algorithm: str
    see_walls: bool
    mutual: bool
    offsets: NDArray[np.int16]
    blocks: Words

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the map, (height, width)."""
        height, width = self.opaque.shape
        return height, width

    @property
    def nbytes(self) -> int:
        """The size of the table in bytes, without the map."""
        return int(self.blocks.nbytes)

    def visible_from(self, x: int, y: int) -> NDArray[np.bool_]:
        """Return the cells that the cell (x, y) sees: bool [height, width].

        Raises:
            ValueError: (x, y) is not a cell of the map.
        """
        x, y = self._cell(x, y)
        visible = np.zeros(self.shape, bool)
        visible[y, x] = True
        if self.opaque[y, x]:
            return visible
        dx, dy = self._offsets
        seen = self._bits_at(np.array([x]), np.array([y]))
        visible[y + dy[seen], x + dx[seen]] = True
        if self.mutual:
            seen = self._bits_at(x - dx, y - dy)
            visible[y - dy[seen], x - dx[seen]] = True
        return visible

    def can_see(self, a: Cell, b: Cell) -> bool:
        """Return whether cell `a` sees cell `b`, both as (x, y).

        Raises:
            ValueError: `a` or `b` is not a cell of the map.
        """
        (ax, ay), (bx, by) = self._cell(*a), self._cell(*b)
        if (ax, ay) == (bx, by):
            return True
        if self.opaque[ay, ax]:
            return False
        dx, dy = bx - ax, by - ay
        if max(abs(dx), abs(dy)) > self.radius:
            return False
        plane = int(self._planes[dy + self.radius, dx + self.radius])
        if plane >= 0:
            return self._bit(plane, ax, ay)
        plane = int(self._planes[self.radius - dy, self.radius - dx])
        return self.mutual and plane >= 0 and self._bit(plane, bx, by)

    @cached_property
    def count(self) -> NDArray[np.int32]:
        """How many cells each cell sees, itself included: int32 [height, width]."""
        if COMPILED and self.blocks.size:
            counts = self._counted()
        else:
            counts = sum_planes((words for _, words in self.planes()), self.shape)
        counts[self.opaque] = 0
        counts += 1
        counts.flags.writeable = False
        return counts

    def _counted(self) -> NDArray[np.int32]:
        """Count the cells that each cell sees, without itself, by the kernel."""
        counts = np.zeros(self.shape, np.int32)
        planes = len(self.offsets)
        places = (planes * (2 if self.mutual else 1)).bit_length()
        count_seen(
            np.ascontiguousarray(self.blocks).reshape(-1).data,
            self.offsets.astype(np.int32).data,
            self.blocks.shape[1],
            self.mutual,
            np.zeros(8 + 16 * places, np.uint64).data,
            counts.data,
        )
        return counts

    def packed_plane(self, index: int) -> Words:
        """Return plane `index` as bits: uint64 [height, word columns].

        The bit of a cell is whether it sees the cell `offsets[index]` away.
        """
        rows = self.blocks[:, :, index].reshape(len(self.blocks), -1)
        return np.ascontiguousarray(rows[:, : self.shape[0]].T)

    def plane(self, index: int) -> NDArray[np.bool_]:
        """Return which cells see the cell `offsets[index]` away.

        The result is bool [height, width].
        """
        mask = unpack_rows(self.packed_plane(index), self.shape[1])
        mask &= ~self.opaque
        return mask

    def opposite_plane(self, index: int) -> NDArray[np.bool_]:
        """Return which cells see the cell -`offsets[index]` away.

        The result is bool [height, width].

        Raises:
            ValueError: The table is not mutual, so the opposite offset has a plane of its own.
        """
        if not self.mutual:
            raise ValueError(
                "this table is not mutual, so opposite offsets share no plane (use the plane of "
                "the opposite offset)"
            )
        mask = unpack_rows(self.packed_opposite(index), self.shape[1])
        mask &= ~self.opaque
        return mask

    def packed_opposite(self, index: int) -> Words:
        """Return `opposite_plane` as bits: uint64 [height, word columns]."""
        dx, dy = (int(part) for part in self.offsets[index])
        return shift_rows(self.packed_plane(index), dx, dy)

    def planes(self) -> Iterator[tuple[Cell, Words]]:
        """Yield each offset (dx, dy), and which cells see the cell there.

        Both of two opposite offsets that share a plane are yielded. The cells are bits: uint64
        [height, word columns]. Ignore the bits of opaque cells.
        """
        for plane, (dx, dy) in enumerate(self.offsets.tolist()):
            yield (dx, dy), self.packed_plane(plane)
            if self.mutual:
                yield (-dx, -dy), self.packed_opposite(plane)

    def seen_cells(
        self, x: NDArray[np.int64], y: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return x and y of the cells that the open cells (x[i], y[i]) see.

        No cell counts as seen by itself. A cell is repeated for each viewer that sees it, in no
        particular order.
        """
        dx, dy = self._offsets
        here, there = x[:, None], y[:, None]
        seen = self._bits_at(here, there)
        result = [((here + dx)[seen], (there + dy)[seen])]
        if self.mutual:
            seen = self._bits_at(here - dx, there - dy)
            result.append(((here - dx)[seen], (there - dy)[seen]))
        return np.concatenate([at for at, _ in result]), np.concatenate([at for _, at in result])

    def viewing_cells(
        self, x: NDArray[np.int64], y: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return x and y of the open cells that see the cells (x[i], y[i]).

        No cell counts as seen by itself. A viewer is repeated for each cell that it sees, in no
        particular order.
        """
        if self.mutual:
            across, down = self.seen_cells(x, y)
        else:
            dx, dy = self._offsets
            across, down = x[:, None] - dx, y[:, None] - dy
            seeing = self._bits_at(across, down)
            across, down = across[seeing], down[seeing]
        is_open = ~self.opaque[down, across]
        return across[is_open], down[is_open]

    def _cell(self, x: int, y: int) -> Cell:
        """Return (x, y) as Python integers, since unsigned numpy ones wrap around.

        Raises:
            ValueError: The cell is outside the map.
        """
        height, width = self.shape
        try:
            column, row = index(x), index(y)
        except TypeError:
            raise ValueError(f"({x!r}, {y!r}) is not a cell (write whole numbers)") from None
        if not (0 <= column < width and 0 <= row < height):
            raise ValueError(f"({column}, {row}) is not inside {width} x {height} cells")
        return column, row

    @cached_property
    def _offsets(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.offsets[:, 0].astype(np.int64), self.offsets[:, 1].astype(np.int64)

    @cached_property
    def _planes(self) -> NDArray[np.int32]:
        """The index of the plane of each offset, -1 for none.

        It is int32, indexed by [dy + radius, dx + radius].
        """
        side = 2 * self.radius + 1
        planes = np.full((side, side), -1, np.int32)
        dx, dy = self._offsets
        planes[dy + self.radius, dx + self.radius] = np.arange(len(dx))
        return planes

    def _bit(self, plane: int, x: int, y: int) -> bool:
        word = int(self.blocks[x // WORD, y // BLOCK, plane, y % BLOCK])
        return bool(word >> (x % WORD) & 1)

    def _bits_at(self, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return each plane's bit at its own cell (x, y); False outside the map.

        `x` and `y` are int64 [..., planes], or [..., 1] for the same cell in every plane.
        """
        height, width = self.shape
        planes = np.arange(len(self.offsets))
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        # Outside any cell will do: its bit is masked.
        x, y = np.where(inside, x, 0), np.where(inside, y, 0)
        words = self.blocks[x // WORD, y // BLOCK, planes, y % BLOCK]
        bits = (words >> (x % WORD).astype(np.uint64)) & np.uint64(1)
        result: NDArray[np.bool_] = inside & (bits != 0)
        return result
