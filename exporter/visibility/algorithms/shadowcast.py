"""Recursive shadowcasting: from a point to whole tiles.

One cell may see another that does not see it.

The rule is Bjorn Bergstrom's (RogueBasin, "FOV using recursive shadowcasting"), with exact
fractions and the circle dx * dx + dy * dy <= radius * radius. In each octant, from an open origin,
rows are scanned outwards and tiles from the diagonal to the axis. The tile `across` of the row
`along` has the far slope (2 * across + 1) / (2 * along - 1) and the near slope (2 * across - 1) /
(2 * along + 1), and the first row is scanned with the interval from 1 down to 0:

- A row that is scanned with an interval from `start` down to `end` skips the tiles whose near slope
  is above `start`, and stops before the first one whose far slope is below `end`. The others are
  seen if they lie in the circle.
- An opaque tile after an open one, or at the beginning, sends the interval from `start` down to
  its far slope on to the next row, unless that is empty (`start` is below the far slope).
- An open tile after opaque ones sets `start` to the near slope of the last of these.
- After a row that does not end with an opaque tile the next row is scanned with the rest,
  even if `start` has come below `end`: a tile is then scanned if it holds both.
- Outside the map everything is opaque. A cell sees itself; an opaque cell sees only itself.

As a plan: a slope is *alive* after some rows if none of their opaque tiles holds it between its
near and its far slope, ends not included. A tile is seen if any slope that it holds, ends included,
is alive; only the slopes at ends of earlier tiles need to be tested. Intervals whose ends have
crossed are drawn in addition; a tile of the next rows that they hold has its far slope at their end
or above.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction

from exporter.visibility.algorithms import algorithm
from exporter.visibility.plan import OCTANTS, Sketch, Tile


@algorithm("shadowcast")
def draw(radius: int, see_walls: bool) -> Sketch:
    """Draw the tiles seen along open slopes, then those of crossed intervals.

    Slopes are those at edges of tiles; crossed intervals are those whose start has come below their
    end.
    """
    sketch = Sketch(OCTANTS)
    slopes = _Slopes(sketch)
    for along in range(1, radius + 1):
        for across in range(along + 1):
            if _in_circle((across, along), radius):
                for node in slopes.holding((across, along)):
                    sketch.light(node, (across, along))
        slopes.add_row(along)
    firsts: dict[Fraction, list[Tile]] = {}
    for along in range(1, radius):
        for across in range(along):
            firsts.setdefault(_far((across, along)), []).append((across, along))
    for end, tiles in firsts.items():
        _Crossings(sketch, end, radius).draw(tiles)
    return sketch


class _Slopes:
    """The slopes at edges of tiles, and the node in which each is unblocked.

    Only tiles of the rows added so far count.
    """

    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch
        self.rows = 0
        self.ordered: list[Fraction] = []
        # By slope: the node in which it is alive, and a set, as bits, of the tiles that hold it.
        self.alive: dict[Fraction, tuple[int, int]] = {}

    def add_row(self, along: int) -> None:
        """Test all slopes against row `along` too, and add those of its tiles."""
        self.rows = along
        for slope, state in self.alive.items():
            self.alive[slope] = self._behind(slope, along, state)
        for across in range(along + 1):
            for slope in (_near((across, along)), _far((across, along))):
                if 0 <= slope <= 1 and slope not in self.alive:
                    self.alive[slope] = self.walked(slope)
        self.ordered = sorted(self.alive)

    def walked(self, slope: Fraction) -> tuple[int, int]:
        """Return the node of `slope` and its tiles, computed from row 1 on.

        The node represents origins that no opaque tile blocks; the tiles, as bits, are those it
        needs open.
        """
        state = (Sketch.ROOT, 0)
        for along in range(1, self.rows + 1):
            state = self._behind(slope, along, state)
        return state

    def holding(self, tile: Tile) -> list[int]:
        """Return the nodes of the slopes that `tile` holds, ends included.

        An origin in any of these nodes sees the tile. A node is left out if another one needs only
        some of its tiles to be open.
        """
        low, high = _near(tile), _far(tile)
        begin, end = bisect_left(self.ordered, low), bisect_right(self.ordered, high)
        states = {self.alive[slope] for slope in self.ordered[begin:end]}
        if not states:
            states = {self.walked(max(low, Fraction(0)))}
        return sorted(
            node
            for node, tiles in states
            if not any(other & tiles == other != tiles for _, other in states)
        )

    def _behind(self, slope: Fraction, along: int, state: tuple[int, int]) -> tuple[int, int]:
        node, tiles = state
        for across in _strictly_holding(slope, along):
            node = self.sketch.through(node, (across, along))
            tiles |= 1 << (along * along + across)
        return node, tiles


class _Crossings:
    """Draws the intervals that end at one slope and whose ends may cross.

    An interval ends at the far slope of an opaque tile, and lives as long as that end is alive:
    blocked by no opaque tile. Where two tiles of a row reach the end, *former* is the one scanned
    first, *latter* the one nearer to the axis. If the former is opaque and the latter open, the
    interval's ends cross: it now starts at the former's near slope, below its end. All crossed
    intervals that start at the same former tile are gathered in a register, which has the number of
    its row.
    """

    def __init__(self, sketch: Sketch, end: Fraction, radius: int) -> None:
        self.sketch = sketch
        self.end = end
        self.radius = radius
        # By row: the start of crossing intervals, and the tiles they then hold, row by row.
        self.starts: dict[int, Fraction] = {}
        self.held: dict[int, dict[int, range]] = {}

    def draw(self, firsts: list[Tile]) -> None:
        """Draw all intervals, and the tiles that crossed ones hold.

        `firsts` are the tiles whose far slope is that end, the nearest row first.
        """
        nearest = firsts[0][1]
        for row in range(nearest + 1, self.radius):
            previous = self._latter(row) + 1
            start = _near((previous, row))
            held = self._tiles_held(start, row + 1) if previous <= row else {}
            if start < self.end and held:
                self.starts[row], self.held[row] = start, held
        if not self.starts:
            return
        node = Sketch.ROOT
        for row in range(1, nearest):
            node = self._alive(node, row)
        group = self.sketch.fork(node)
        for first in firsts:
            self._draw_interval(group, nearest, first)
        for row in self.starts:
            self._draw_crossed(self.sketch.take(group, row), row)

    def _draw_interval(self, node: int, nearest: int, first: Tile) -> None:
        """Draw the interval that the opaque tile `first` begins, below `node`.

        Where its ends cross, its origins are gathered. `nearest` is the first row with a tile that
        has this far slope.
        """
        last = max(self.starts)
        if first[1] >= last:
            return
        for row in range(nearest, first[1] + 1):
            node = self._alive(node, row)
        node = self.sketch.through(node, first, opaque=True)
        for row in range(first[1] + 1, last + 1):
            if row in self.starts:
                self._cross(node, row)
            node = self._alive(node, row)

    def _draw_crossed(self, node: int, begin: int) -> None:
        """Light the tiles that intervals hold whose ends crossed in row `begin`.

        `node` has the origins of these intervals; the tiles are seen from there.
        """
        for row, columns in self.held[begin].items():
            for across in columns:
                if _in_circle((across, row), self.radius):
                    self.sketch.light(node, (across, row))
            previous = columns[-1]
            lowers = len(columns) == 2 and _near((previous, row)) < self.starts[begin]
            if lowers and row in self.starts:
                self._cross(node, row)
            node = self.sketch.through(node, (columns[0], row))
            if lowers:
                node = self.sketch.through(node, (previous, row))

    def _cross(self, node: int, row: int) -> None:
        """Gather the origins of `node` whose interval has crossed ends in `row`."""
        latter = self._latter(row)
        node = self.sketch.through(node, (latter, row))
        self.sketch.gather(node, (latter + 1, row), row, opaque=True)

    def _alive(self, node: int, row: int) -> int:
        """Return the node for origins of `node` whose end `row` does not block."""
        for across in _strictly_holding(self.end, row):
            node = self.sketch.through(node, (across, row))
        return node

    def _tiles_held(self, start: Fraction, begin: int) -> dict[int, range]:
        """Return the columns of tiles between `start` and the end, by row.

        Rows count from `begin` to the edge of the circle.
        """
        held = {}
        for row in range(begin, self.radius + 1):
            columns = range(self._latter(row), _first_beginning(start, row) + 1)
            if not _in_circle((columns.start, row), self.radius):
                break
            if columns:
                held[row] = columns
        return held

    def _latter(self, row: int) -> int:
        """Return the column in `row` of the tile nearest the axis at the end."""
        return _last_reaching(self.end, row)


def _far(tile: Tile) -> Fraction:
    across, along = tile
    return Fraction(2 * across + 1, 2 * along - 1)


def _near(tile: Tile) -> Fraction:
    across, along = tile
    return Fraction(2 * across - 1, 2 * along + 1)


def _in_circle(tile: Tile, radius: int) -> bool:
    across, along = tile
    return across * across + along * along <= radius * radius


def _strictly_holding(slope: Fraction, along: int) -> range:
    """Return the columns of row `along` with near slope < `slope` < far slope."""
    number, parts = slope.numerator, slope.denominator
    first = (number * (2 * along - 1) - parts) // (2 * parts) + 1
    last = (number * (2 * along + 1) + parts - 1) // (2 * parts)
    return range(max(first, 0), min(last, along) + 1)


def _last_reaching(slope: Fraction, along: int) -> int:
    """Return the column nearest the axis whose far slope is at least `slope`."""
    number, parts = slope.numerator, slope.denominator
    return max(-((parts - number * (2 * along - 1)) // (2 * parts)), 0)


def _first_beginning(slope: Fraction, along: int) -> int:
    """Return the column nearest the diagonal with a near slope up to `slope`."""
    number, parts = slope.numerator, slope.denominator
    return min((number * (2 * along + 1) + parts) // (2 * parts), along)
