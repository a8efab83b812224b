"""Define overlays: a value for each cell, its meaning, and marks.

A cell's value is a class of cells (`dead end`) or a number on a scale (12 steps); marks are lines,
circles and texts between cells. Colour-blind people can distinguish the colours: classes use the
palette of Okabe and Ito ("Color Universal Design", 2008), scales that of cividis (Nunez, Anderton,
Renslow, 2018), from dark to bright.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from exporter.model.lazy_dataclass import dataclass

Mask = NDArray[np.bool_]
Values = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.int32]
Cell = tuple[int, int]

# No class and no number: nothing lies over such a cell.
NOTHING = 0
# Values from here on are numbers of the scale; lower ones are classes.
FIRST_NUMBER = 256
MOST_CLASSES = FIRST_NUMBER - 1

ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PINK, GREY = (
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#9a9a9a",
)  # fmt: skip
COLORS = (ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PINK, GREY)
# Evenly spaced colours of cividis.
_RAMP = (
    "#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369",
    "#e1cc55", "#fee838",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Class:
    """A class of cells in an overlay, such as the dead ends.

    Attributes:
        id: The value of its cells, 1 to 255.
        name: The name of the class: `dead end`.
        color: `#rrggbb`.
        count: The number of cells.
    """

    id: int
    name: str
    color: str
    count: int


@dataclass(frozen=True, slots=True)
class OverlayScale:
    """The smallest and the largest number of an overlay, and their unit.

    Attributes:
        low: The smallest number of any cell.
        high: The largest number of any cell.
        unit: The unit: `steps`, `cells`, `%`.
    """

    low: int
    high: int
    unit: str


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle around the centre of a cell (x, y), with a radius in cells."""

    x: int
    y: int
    radius: int


@dataclass(frozen=True, slots=True)
class Path:
    """A line through the centres of cells (x, y)."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A text at the centre of a cell (x, y)."""

    x: int
    y: int
    text: str


Mark = Circle | Path | Label


@dataclass(frozen=True, slots=True, eq=False)
class OverlayMap:
    """An overlay: what to draw over each cell of a level.

    Attributes:
        values: uint8, uint16 or int32 [height, width]: 0 for nothing, the id of a class, or 256 + a
            number on the scale.
        classes: All classes, also without cells, in the order of the legend.
        scale: The scale of the numbers; None without numbers.
        marks: The marks between cells.
    """

    values: Values
    classes: tuple[Class, ...] = ()
    scale: OverlayScale | None = None
    marks: tuple[Mark, ...] = ()

    def describe(self, x: int, y: int) -> str:
        """Describe the value of cell (x, y) to a user; "" without a value."""
        value = int(self.values[y, x])
        if value >= FIRST_NUMBER and self.scale is not None:
            return f"{value - FIRST_NUMBER} {self.scale.unit}"
        return next((item.name for item in self.classes if item.id == value), "")


def classes(*kinds: tuple[Mask, str] | tuple[Mask, str, str]) -> OverlayMap:
    """Make an overlay in which each cell is in one class or none.

    `kinds` has for each class its cells (bool [height, width]), its name, and its colour. Without a
    colour it gets the next one of the palette. A later class covers an earlier one.
    """
    values = np.zeros(kinds[0][0].shape, np.uint8)
    for number, kind in enumerate(kinds, 1):
        values[kind[0]] = number
    counts = np.bincount(values.ravel(), minlength=len(kinds) + 1)
    result = tuple(
        Class(
            number,
            kind[1],
            kind[2] if len(kind) == 3 else COLORS[(number - 1) % len(COLORS)],
            int(counts[number]),
        )
        for number, kind in enumerate(kinds, 1)
    )
    return OverlayMap(values, result)


def scale(
    numbers: NDArray[np.int32],
    displayed: Mask,
    unit: str,
    others: Iterable[tuple[Mask, str, str]] = (),
) -> OverlayMap:
    """Make an overlay in which cells have numbers.

    Args:
        numbers: int32 [height, width], at least 0 in displayed cells.
        displayed: bool [height, width]: the cells that show a number.
        unit: The unit of the numbers.
        others: Classes of other cells: their cells, name and colour.
    """
    low = (
        int(numbers.min(where=displayed, initial=np.iinfo(np.int32).max)) if displayed.any() else 0
    )
    high = int(numbers.max(where=displayed, initial=0))
    values = np.where(displayed, numbers + FIRST_NUMBER, NOTHING)
    result = []
    for number, (cells, name, color) in enumerate(others, 1):
        values[cells & ~displayed] = number
        result.append(Class(number, name, color, int(np.count_nonzero(cells & ~displayed))))
    fits = high + FIRST_NUMBER <= np.iinfo(np.uint16).max
    small: Values = values.astype(np.uint16) if fits else values.astype(np.int32)
    return OverlayMap(small, tuple(result), OverlayScale(low, high, unit))


def palette(result: OverlayMap) -> NDArray[np.uint8]:
    """Return the colours of the overlay `result`: uint8 [2, 256, 4], RGBA.

    The first row has the colours of the classes by id, the second those of the scale, from the
    smallest number to the largest.
    """
    colors = np.zeros((2, FIRST_NUMBER, 4), np.uint8)
    for item in result.classes:
        colors[0, item.id] = (*rgb(item.color), 255)
    anchors = np.array([rgb(color) for color in _RAMP], np.int64)
    position = np.arange(FIRST_NUMBER) * (len(anchors) - 1)
    left = np.minimum(position // 255, len(anchors) - 2)
    part = (position - left * 255)[:, None]
    colors[1, :, :3] = (anchors[left] * (255 - part) + anchors[left + 1] * part + 127) // 255
    colors[1, :, 3] = 255
    return colors


def colored(result: OverlayMap) -> NDArray[np.uint8]:
    """Return the RGBA colour of each cell of the overlay `result`.

    The array is uint8 [height, width, 4]; cells without a value are transparent.
    """
    colors = palette(result)
    values = result.values.astype(np.int64)
    cells: NDArray[np.uint8] = colors[0, np.minimum(values, MOST_CLASSES)]
    if result.scale is not None:
        low, high = result.scale.low, result.scale.high
        numbers = values >= FIRST_NUMBER
        position = (values[numbers] - FIRST_NUMBER - low) * 255 // max(1, high - low)
        cells[numbers] = colors[1, position]
    return cells


def rgb(color: str) -> tuple[int, int, int]:
    """Return the red, green and blue of `color`, which is `#rrggbb`."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
