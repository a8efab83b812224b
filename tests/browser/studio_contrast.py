"""Contrast of the layers that the studio draws: rock, floor, surroundings."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from studio_pages import set_value, settle

# Of the two, the rooms are data: they are drawn in the colours of their legend, black and nothing.
ROOMS = """\
size: [40, 30]
seed: 3
layers:
  rooms: {generator: bsp_rooms, role: data}
  ground: {generator: cellular_caves}
"""


def brightness(color: NDArray[Any]) -> float:
    """The relative luminance of a colour, as guidelines for contrast define it."""
    part = color / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array((0.2126, 0.7152, 0.0722)))


def contrast(item: NDArray[Any], other: NDArray[Any]) -> float:
    low, high = sorted((brightness(item), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def check_distinct(page: Any) -> None:
    """Check a level of 40 x 30 cells with the layer `rooms`, shown alone, in both themes."""
    set_value(page, "objects", [])
    page.get_by_title("Show only rooms").click()
    page.mouse.move(2, 2)
    cells = np.asarray(
        page.evaluate(
            """() => Array.from({length: 30}, (_, y) =>
                Array.from({length: 40}, (_, x) => levelExporter.cell("rooms", x, y)))"""
        )
    )
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        # Draws everything again, as it is shown in this scheme.
        page.evaluate("levelExporter.view(-1, -1, 8)")
        settle(page)
        _check_colors(page, cells)
    page.emulate_media(color_scheme="null")


def _check_colors(page: Any, cells: NDArray[Any]) -> None:
    address = page.evaluate("document.getElementById('picture').toDataURL('image/png')")
    content = base64.b64decode(address.partition(",")[2])
    displayed = np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))
    colors, stage = displayed[12 : 12 + 30 * 8 : 8, 12 : 12 + 40 * 8 : 8], displayed[2, 2]
    kinds = [np.unique(colors[cells == item], axis=0) for item in np.unique(cells)]
    assert [len(item) for item in kinds] == [1, 1]
    item, other = (kind[0] for kind in kinds)
    assert contrast(item, other) > 2
    assert contrast(item, stage) > 1.15
    assert contrast(other, stage) > 1.15
