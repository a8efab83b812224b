"""Recursive shadowcasting: from a point to whole tiles, so one cell may see another alone.

The rule is Bjorn Bergstrom's (RogueBasin, "FOV using recursive shadowcasting"), with exact
fractions and the circle dx * dx + dy * dy <= radius * radius. In each octant, from an open origin,
rows are scanned outwards and tiles from the diagonal to the axis. The tile `across` of the row
`along` has the far slope (2 * across + 1) / (2 * along - 1) and the near slope
(2 * across - 1) / (2 * along + 1), and the first row is scanned with the interval from 1 down to 0:

- Scanned with an interval from `start` down to `end`, a row skips the tiles whose near slope is
  above `start` and stops before the first one whose far slope is below `end`. The others are seen
  if they lie in the circle.
- An opaque tile after an open one, or at the beginning, sends the interval from `start` down to
  its far slope on to the next row, unless that is empty (`start` is below the far slope).
- An open tile after opaque ones sets `start` to the near slope of the last of these.
- After a row that does not end with an opaque tile the next row is scanned with what is left,
  even if `start` has come below `end`: a tile is then scanned if it holds both.
- Outside the map everything is opaque. A cell sees itself; an opaque cell sees only itself.

As a plan: a slope is *alive* after some rows if no opaque tile of theirs holds it between its near
and its far slope, ends not included. A tile is seen if a slope it holds, ends included, is alive;
of all slopes only the ends of earlier tiles need be asked. To these come the intervals whose ends
have crossed; what they can hold is followed case by case.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction

from exporter.visibility.algorithms import algorithm
from exporter.visibility.plan import OCTANTS, Sketch, Tile

# A path that is only drawn once something is lit at its end: what it follows, the tile, opaque.
Path = tuple["Path | int", Tile, bool]


@algorithm("shadowcast")
def draw(radius: int, see_walls: bool) -> Sketch:
    """Draw the slopes that matter, then the intervals with crossed ends."""
    sketch = Sketch(OCTANTS)
    slopes = _Slopes(sketch)
    for along in range(1, radius + 1):
        for across in range(along + 1):
            if _in_circle((across, along), radius):
                for node in slopes.holding((across, along)):
                    sketch.light(node, (across, along))
        slopes.add_row(along)
    for along in range(1, radius):
        for across in range(along):
            _follow_end((across, along), sketch, slopes, radius)
    return sketch


class _Slopes:
    """The slopes at the ends of the tiles of the rows so far, and the tiles that hold them."""

    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch
        self.rows = 0
        self.ordered: list[Fraction] = []
        # By slope: the node in which it is alive, and a set, as bits, of the tiles that hold it.
        self.alive: dict[Fraction, tuple[int, int]] = {}

    def add_row(self, along: int) -> None:
        """Bring the slopes behind one row more, and add the ends of its tiles."""
        self.rows = along
        for slope, state in self.alive.items():
            self.alive[slope] = self._behind(slope, along, state)
        for across in range(along + 1):
            for slope in (_near((across, along)), _far((across, along))):
                if 0 <= slope <= 1 and slope not in self.alive:
                    self.alive[slope] = self.walked(slope)
        self.ordered = sorted(self.alive)

    def walked(self, slope: Fraction) -> tuple[int, int]:
        """Return the node and the tiles of a slope behind all rows so far."""
        state = (Sketch.ROOT, 0)
        for along in range(1, self.rows + 1):
            state = self._behind(slope, along, state)
        return state

    def holding(self, tile: Tile) -> list[int]:
        """Return the nodes of the slopes a tile of the next row holds, ends included.

        A slope is left out when another one lives longer: is held by some of its tiles only.
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


def _follow_end(first: Tile, sketch: Sketch, slopes: _Slopes, radius: int) -> None:
    """Follow an interval that ends at the far slope of `first`, which is opaque, until it is cut.

    In a row where two tiles reach that end, the interval's ends cross if the former is opaque
    and the latter open. In any other case it lives on as long as its end is alive.
    """
    end = _far(first)
    path: Path | int = Sketch.ROOT
    for along in range(1, first[1] + 1):
        path = _all_open(path, along, _strictly_holding(end, along))
    path = (path, first, True)
    for along in range(first[1] + 1, radius):
        # Those just below the end hold it, or begin... end with it.
        former, latter = _last_reaching(end, along) + 1, _last_reaching(end, along)
        if _near((former, along)) < end and former <= along:
            crossed = ((path, (latter, along), False), (former, along), True)
            _follow_crossed(crossed, _near((former, along)), end, along + 1, sketch, radius)
        path = _all_open(path, along, _strictly_holding(end, along))


def _follow_crossed(
    path: Path | int, start: Fraction, end: Fraction, along: int, sketch: Sketch, radius: int
) -> None:
    """Light what an interval with `start` below `end` holds, from the row `along` on."""
    while along <= radius:
        latter = _last_reaching(end, along)
        former = _first_beginning(start, along)
        if not _in_circle((latter, along), radius):
            return
        if latter <= former:
            node = _drawn(path, sketch)
            for across in range(latter, former + 1):
                if _in_circle((across, along), radius):
                    sketch.light(node, (across, along))
            path = (node, (latter, along), False)
            if latter < former and _near((former, along)) < start:
                lower = (path, (former, along), True)
                _follow_crossed(lower, _near((former, along)), end, along + 1, sketch, radius)
                path = (path, (former, along), False)
        along += 1


def _drawn(path: Path | int, sketch: Sketch) -> int:
    """Return the node of a path, drawing what is missing."""
    missing: list[tuple[Tile, bool]] = []
    while not isinstance(path, int):
        path, tile, opaque = path
        missing.append((tile, opaque))
    for tile, opaque in reversed(missing):
        path = sketch.through(path, tile, opaque=opaque)
    return path


def _all_open(path: Path | int, along: int, columns: range) -> Path | int:
    for across in columns:
        path = (path, (across, along), False)
    return path


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
    """Return the tiles of a row with near slope < slope < far slope, from the axis on."""
    number, parts = slope.numerator, slope.denominator
    first = (number * (2 * along - 1) - parts) // (2 * parts) + 1
    last = (number * (2 * along + 1) + parts - 1) // (2 * parts)
    return range(max(first, 0), min(last, along) + 1)


def _last_reaching(slope: Fraction, along: int) -> int:
    """Return the tile nearest the axis whose far slope is not below `slope`."""
    number, parts = slope.numerator, slope.denominator
    return max(-((parts - number * (2 * along - 1)) // (2 * parts)), 0)


def _first_beginning(slope: Fraction, along: int) -> int:
    """Return the tile nearest the diagonal whose near slope is not above `slope`."""
    number, parts = slope.numerator, slope.denominator
    return min((number * (2 * along + 1) + parts) // (2 * parts), along)
