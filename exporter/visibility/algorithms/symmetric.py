"""Symmetric shadowcasting: two open cells see each other, or neither.

The rule is Albert Ford's (https://www.albertford.com/shadowcasting/, with its reference program in
the public domain), within a circle dx * dx + dy * dy <= radius * radius:

- Sight starts at the centre of an open cell and goes through four quadrants, between the slopes
  -1 and 1. The tile at column c of row d (rows count away from the origin) covers the slopes from
  (2c - 1) / 2d to (2c + 1) / 2d.
- A slope is open up to row d when no opaque tile of the rows before covers it. Outside the map
  everything is opaque.
- An opaque tile is seen if open slopes and its interval share more than a point.
- An open tile is seen if the slope of its centre, c / d, is open or an end of open slopes.
- A cell sees itself; an opaque cell sees only itself.
"""

from __future__ import annotations

from fractions import Fraction

from exporter.visibility.algorithms import algorithm
from exporter.visibility.plan import ALWAYS, OPAQUE, QUADRANTS, Sketch


@algorithm("symmetric", mutual=True)
def draw(radius: int, see_walls: bool) -> Sketch:
    """Draw what is seen in one quadrant, divided at every edge of every tile."""
    sketch = Sketch(QUADRANTS)
    sectors = [(Sketch.ROOT, Fraction(-1), Fraction(1))]
    for row in range(1, radius + 1):
        narrower = []
        for node, low, high in sectors:
            for column in _columns(low, high, row):
                if column * column + row * row > radius * radius:
                    continue  # tiles behind are farther still
                first = max(low, Fraction(2 * column - 1, 2 * row))
                last = min(high, Fraction(2 * column + 1, 2 * row))
                centre = first * row <= column <= last * row
                sketch.light(node, (column, row), ALWAYS if centre else OPAQUE)
                if row < radius:
                    narrower.append((sketch.through(node, (column, row)), first, last))
        sectors = narrower
    return sketch


def _columns(low: Fraction, high: Fraction, row: int) -> range:
    """Return the columns of `row` whose tiles overlap slopes `low` to `high`."""
    # The first tile ends above `low`, the last one begins below `high`.
    first = (2 * row * low.numerator + low.denominator) // (2 * low.denominator)
    last = (2 * row * high.numerator + high.denominator - 1) // (2 * high.denominator)
    return range(first, last + 1)
