"""Ray casting: a Bresenham line to every cell within the radius.

The rule, from an open origin:

- A line is walked to every cell with dx * dx + dy * dy < radius * radius, inside the map or not.
  Its i-th cell is the origin plus (i * dx, i * dy) / n, where n = max(|dx|, |dy|), the smaller
  part rounded to the nearest whole number, halves away from the origin.
- Open cells on a line are seen up to the first opaque one, which ends it; the map's edge does too.
  With `see_walls` that opaque cell is seen as well.
- A cell sees itself; an opaque cell sees only itself.
"""

from __future__ import annotations

from exporter.visibility.algorithms import algorithm
from exporter.visibility.plan import ALWAYS, OCTANTS, OPEN, Sketch


@algorithm("raycast", optional_walls=True)
def draw(radius: int, see_walls: bool) -> Sketch:
    """Draw the rays to all cells of an octant as a tree of tests.

    Rays that begin with the same cells share their first nodes.
    """
    sketch = Sketch(OCTANTS)
    for along in range(1, radius):
        for across in range(along + 1):
            if across * across + along * along >= radius * radius:
                break
            node = Sketch.ROOT
            for step in range(1, along + 1):
                tile = ((2 * step * across + along) // (2 * along), step)
                sketch.light(node, tile, ALWAYS if see_walls else OPEN)
                if step < along:
                    node = sketch.through(node, tile)
    return sketch
