"""Draw contact sheets: small pictures of levels with their metrics.

A sheet is a PNG, or one self-contained HTML file with the pictures and a table that can be sorted.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.explore.search import LevelMatch
from exporter.formats.images.html_mark import is_marked_html, mark_html
from exporter.formats.images.letters import HEIGHT, letter_mask, text_width
from exporter.formats.images.png import encode_png
from exporter.formats.images.png_mark import is_marked_png, mark_png
from exporter.formats.preview import preview_pixels
from exporter.model.installed import page_template
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Level

# More levels are unreadable, and their pictures would take hundreds of megabytes.
MAXIMUM_LEVELS = 200
# The longer side of a small picture, in pixels at most.
_SIDE = 240
_MARGIN = 12
_ENLARGED = 2
_LINE = (HEIGHT + 3) * _ENLARGED
_BACKGROUND = (24, 22, 30)
_INK = (226, 222, 210)
_FAINT = (150, 146, 160)

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SheetPicture:
    """A level on a contact sheet, and its picture: uint8 [height, width, 3]."""

    source: LevelMatch
    picture: Pixels


def small_picture(level: Level) -> Pixels:
    """Draw a level as a picture whose longer side has at most 240 pixels."""
    longest = max(level.width, level.height)
    pixels, _ = preview_pixels(level, scale=max(1, _SIDE // longest))
    step = -(-max(pixels.shape[:2]) // _SIDE)
    return np.ascontiguousarray(pixels[step // 2 :: step, step // 2 :: step])


def sheet_png(levels: Sequence[SheetPicture]) -> bytes:
    """Draw a contact sheet as a PNG: each level with its seed and metrics."""
    labels = [_labels(level.source) for level in levels]
    lines = max(map(len, labels))
    widest = max(text_width(line) * _ENLARGED for label in labels for line in label)
    width = max(widest, *(level.picture.shape[1] for level in levels)) + _MARGIN
    height = max(level.picture.shape[0] for level in levels) + lines * _LINE + 2 * _MARGIN
    columns = max(1, min(len(levels), round((len(levels) * height / width * 1.6) ** 0.5)))
    rows = -(-len(levels) // columns)
    sheet = np.empty((rows * height + _MARGIN, columns * width + _MARGIN, 3), np.uint8)
    sheet[:] = _BACKGROUND
    for index, (item, label) in enumerate(zip(levels, labels, strict=True)):
        top = index // columns * height + _MARGIN
        left = index % columns * width + _MARGIN
        picture = item.picture
        sheet[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
        top += picture.shape[0] + _MARGIN // 2
        for number, line in enumerate(label):
            draw_text(sheet, line, left, top + number * _LINE, _FAINT if number else _INK)
    return mark_png(encode_png(_opaque(sheet)))


def sheet_html(title: str, levels: Sequence[SheetPicture]) -> bytes:
    """Return a contact sheet as an HTML file, with a table to sort by metrics.

    `title` is the title of the page.
    """
    names = list(_values(levels[0].source)) if levels else []
    # Pictures are the first column, which cannot be sorted by.
    head = "<th></th>" + "".join(f"<th><button>{html.escape(name)}</button></th>" for name in names)
    rows = "\n".join(_row(level) for level in levels)
    return mark_html(
        page_template("sheet").substitute(title=html.escape(title), head=head, rows=rows)
    )


def is_our_sheet(data: bytes) -> bool:
    """Return whether `data` is an unchanged contact sheet of the exporter."""
    return is_marked_html(data) or is_marked_png(data)


def draw_text(picture: Pixels, text: str, left: int, top: int, ink: tuple[int, int, int]) -> None:
    """Draw a line of text into `picture`, cut off at the picture's edges.

    Args:
        picture: The picture, which is changed.
        text: The line.
        left: The column of the text's left edge.
        top: The row of its upper edge.
        ink: The colour.
    """
    mask = letter_mask(text).repeat(_ENLARGED, axis=0).repeat(_ENLARGED, axis=1)
    area = picture[top : top + mask.shape[0], left : left + mask.shape[1]]
    area[mask[: area.shape[0], : area.shape[1]]] = ink


def figure(value: Any) -> str:
    """Return a value as text: fractions with 4 decimals, others as they are."""
    if isinstance(value, float):
        return f"{value:.4f}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _labels(result: LevelMatch) -> list[str]:
    return [f"{name} {figure(value)}" for name, value in _values(result).items()]


def _values(result: LevelMatch) -> dict[str, Any]:
    """Return the values that a sheet shows for a level, by name."""
    return {"seed": result.seed, **result.parameters, **result.metrics}


def _row(item: SheetPicture) -> str:
    data = base64.b64encode(encode_png(_opaque(item.picture))).decode()
    cells = "".join(
        f"<td data-name='{html.escape(name)}' data-value='{html.escape(json.dumps(value))}'>"
        f"{html.escape(figure(value))}</td>"
        for name, value in _values(item.source).items()
    )
    height, width, _ = item.picture.shape
    alternative = f"level with seed {item.source.seed}"
    picture = (
        f'<img src="data:image/png;base64,{data}" width="{width}" height="{height}" '
        f'alt="{html.escape(alternative)}">'
    )
    return f"<tr><td>{picture}</td>{cells}</tr>"


def _opaque(picture: Pixels) -> Pixels:
    alpha = np.full((*picture.shape[:2], 1), 255, np.uint8)
    return np.concatenate([picture, alpha], axis=2)


def displayed_levels(
    result: Sequence[LevelMatch], build: Callable[[LevelMatch], Level]
) -> list[SheetPicture]:
    """Build each found level again by `build`; return the levels' pictures."""
    return [SheetPicture(item, small_picture(build(item))) for item in result]
