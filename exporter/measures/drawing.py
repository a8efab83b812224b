"""Draw overlays over pictures or as characters, with their legend."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from exporter.formats.images.letters import letter_mask
from exporter.measures.maps import (
    FIRST_NUMBER,
    Circle,
    Label,
    OverlayMap,
    Path,
    colored,
    palette,
)
from exporter.model.texts import count

Pixels = NDArray[np.uint8]
Color = tuple[int, int, int]

# Of 256: how much of an overlay's colour covers the picture.
_COVER = 176
_LINE: Color = (255, 255, 255)
_EDGE: Color = (20, 16, 24)
# Cells smaller than this have no room for labels.
_LEAST_LABEL = 4
CLASS_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def draw_overlay(picture: Pixels, scale: int, result: OverlayMap, corner: tuple[int, int]) -> None:
    """Draw the overlay `result` over `picture` in place.

    Args:
        picture: uint8 [height * scale, width * scale, 3]: the picture of the level or of a
            rectangle of its cells.
        scale: The pixels per side of a cell.
        result: The overlay of the whole level.
        corner: The cell (x, y) in the upper left corner of the picture.
    """
    x, y = corner
    rows, columns = picture.shape[0] // scale, picture.shape[1] // scale
    colors = colored(result)[y : y + rows, x : x + columns]
    for row, line in enumerate(colors):
        band = picture[row * scale : (row + 1) * scale]
        over = np.repeat(line, scale, axis=0).astype(np.int32)
        cover = np.where(over[:, 3:] > 0, _COVER, 0)
        band[:] = (over[:, :3] * cover + band.astype(np.int32) * (256 - cover)) >> 8
    _draw_marks(picture, scale, result, corner)


def _draw_marks(picture: Pixels, scale: int, result: OverlayMap, corner: tuple[int, int]) -> None:
    left, top = corner

    def centre(x: int, y: int) -> tuple[int, int]:
        return (x - left) * scale + scale // 2, (y - top) * scale + scale // 2

    width = max(1, scale // 8)
    for mark in result.marks:
        if isinstance(mark, Path):
            points = [centre(x, y) for x, y in mark.cells]
            for edge, color in ((width + max(1, width // 2), _EDGE), (width, _LINE)):
                for first, last in pairwise(points):
                    _draw_line(picture, first, last, edge, color)
        elif isinstance(mark, Circle):
            _draw_circle(picture, *centre(mark.x, mark.y), mark.radius * scale, width)
    for mark in result.marks:
        if isinstance(mark, Label) and scale >= _LEAST_LABEL:
            _draw_label(picture, *centre(mark.x, mark.y), mark.text, max(1, scale // 8))


def _draw_line(
    picture: Pixels, first: tuple[int, int], last: tuple[int, int], width: int, color: Color
) -> None:
    """Draw a line between two pixels (x, y), clipped to the picture."""
    (x0, y0), (x1, y1) = first, last
    count = max(abs(x1 - x0), abs(y1 - y0), 1)
    position = np.arange(count + 1, dtype=np.int64)
    # Rounded to the nearest pixel, in whole numbers.
    x = x0 + (2 * position * (x1 - x0) + count) // (2 * count)
    y = y0 + (2 * position * (y1 - y0) + count) // (2 * count)
    for dy in range(-(width // 2), width - width // 2):
        for dx in range(-(width // 2), width - width // 2):
            _set(picture, x + dx, y + dy, color)


def _draw_circle(picture: Pixels, x: int, y: int, radius: int, width: int) -> None:
    """Draw the outline of a circle around pixel (x, y), with a dark border."""
    reach = radius + width + 1
    top, left = max(y - reach, 0), max(x - reach, 0)
    part = picture[top : max(y + reach + 1, 0), left : max(x + reach + 1, 0)]
    rows, columns = np.ogrid[: part.shape[0], : part.shape[1]]
    square = np.square(rows + top - y) + np.square(columns + left - x)
    inner = max(radius - width, 0)
    part[(square >= inner * inner) & (square <= (radius + width) ** 2)] = _EDGE
    part[(square >= (radius - (width + 1) // 2) ** 2) & (square <= radius * radius)] = _LINE


def _draw_label(picture: Pixels, x: int, y: int, text: str, enlarged: int) -> None:
    """Draw `text` on a dark background around pixel (x, y).

    A text at the edge is moved inside the picture; a text that is too large is clipped.
    """
    ink = np.pad(letter_mask(text), 1).repeat(enlarged, axis=0).repeat(enlarged, axis=1)
    left, top = x - ink.shape[1] // 2, y - ink.shape[0] // 2
    # Labels at the edge are moved inside.
    left = max(0, min(left, picture.shape[1] - ink.shape[1]))
    top = max(0, min(top, picture.shape[0] - ink.shape[0]))
    part = picture[top : top + ink.shape[0], left : left + ink.shape[1]]
    ink = ink[: part.shape[0], : part.shape[1]]
    part[:] = np.where(ink[..., None], np.uint8(255), np.array(_EDGE, np.uint8))


def _set(picture: Pixels, x: NDArray[np.int64], y: NDArray[np.int64], color: Color) -> None:
    inside = (x >= 0) & (y >= 0) & (x < picture.shape[1]) & (y < picture.shape[0])
    picture[y[inside], x[inside]] = color


def overlay_text(result: OverlayMap, walkable: NDArray[np.bool_]) -> str:
    """Draw the overlay `result` as characters, a line for each row of cells.

    Classes are letters in the order of the legend, numbers are digits from 0 (smallest) to 9
    (largest). Other cells are `.` if `walkable`, bool [height, width], is True there, else `#`.
    """
    letters = np.where(walkable, ".", "#")
    for number, item in enumerate(result.classes):
        letters[result.values == item.id] = CLASS_LETTERS[number % len(CLASS_LETTERS)]
    if result.scale is not None:
        low, high = result.scale.low, result.scale.high
        numbers = result.values >= FIRST_NUMBER
        position = (result.values[numbers].astype(np.int64) - FIRST_NUMBER - low) * 9
        letters[numbers] = np.array(list("0123456789"))[position // max(1, high - low)]
    return "".join("".join(row) + "\n" for row in letters.tolist())


def legend(result: OverlayMap) -> list[tuple[str, str, Color | None]]:
    """Return the legend of the overlay `result`, line by line.

    A line is a character, its meaning and its colour (None if there is nothing to show). Classes
    without cells are left out, except for an overlay's only class.
    """
    colors = palette(result)
    lines: list[tuple[str, str, Color | None]] = []
    if result.scale is not None:
        low, high, unit = result.scale.low, result.scale.high, result.scale.unit
        for sign, number, position in (("0", low, 0), ("9", high, 255)):
            red, green, blue = (int(part) for part in colors[1, position, :3])
            lines.append((sign, f"{number} {unit}", (red, green, blue)))
    for number, item in enumerate(result.classes):
        if item.count == 0 and (len(result.classes) > 1 or lines):
            continue
        red, green, blue = (int(part) for part in colors[0, item.id, :3])
        sign = CLASS_LETTERS[number % len(CLASS_LETTERS)]
        lines.append((sign, f"{item.name}: {count(item.count, 'cell')}", (red, green, blue)))
    return lines or [("", "nothing to show", None)]
