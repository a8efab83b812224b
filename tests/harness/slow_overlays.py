"""Slow definitions of overlays, cell by cell, which know nothing of how they are computed."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Cell = tuple[int, int]


def neighbours(mask: Mask, x: int, y: int) -> list[Cell]:
    height, width = mask.shape
    around = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
    return [(a, b) for a, b in around if 0 <= a < width and 0 <= b < height and mask[b, a]]


def cells_of(mask: Mask) -> list[Cell]:
    return [(int(x), int(y)) for y, x in np.argwhere(mask)]


def steps(mask: Mask, sources: list[Cell]) -> dict[Cell, int]:
    """Steps from the nearest source, of cells that can be reached; sources need not be floor."""
    result = dict.fromkeys(sources, 0)
    queue = deque(sources)
    while queue:
        cell = queue.popleft()
        for beside in neighbours(mask, *cell):
            if beside not in result:
                result[beside] = result[cell] + 1
                queue.append(beside)
    return result


def regions(mask: Mask) -> list[set[Cell]]:
    """Regions, the largest first; of equal ones that with the first cell, row by row."""
    left, result = dict.fromkeys(cells_of(mask)), []
    while left:
        region = set(steps(mask, [next(iter(left))]))
        result.append(region)
        for cell in region:
            del left[cell]
    return sorted(result, key=lambda item: -len(item))


def chokes(mask: Mask) -> set[Cell]:
    """Cells without which there are more regions, or as many although the cell was one alone."""
    count = len(regions(mask))
    result = set()
    for x, y in cells_of(mask):
        without = mask.copy()
        without[y, x] = False
        if neighbours(mask, x, y) and len(regions(without)) > count:
            result.add((x, y))
    return result


def near(a: Cell, b: Cell, most_squared: int) -> bool:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= most_squared
