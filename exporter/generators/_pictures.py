"""Read pictures as grids of colours, each a number 0xRRGGBBAA."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.model import picture_files

Path = tuple[str | int, ...]


def read_colors(content: bytes, name: str, path: Path) -> NDArray[np.uint32]:
    """Return a picture's pixels as 0xRRGGBBAA: uint32 [height, width].

    `content` has the bytes of the file `name`.

    Raises:
        ParameterError: The content is not a picture, damaged or too big. The error has `path`, that
            of the parameter that names the file.
    """
    pixels = np.ascontiguousarray(picture_files.read_colors(content, name, path))
    return pixels.view(">u4")[:, :, 0].astype(np.uint32)


def color_number(color: str) -> int:
    """Convert `color`, as `#rrggbb` or `#rrggbbaa`, to 0xRRGGBBAA."""
    digits = color[1:] if len(color) == 9 else color[1:] + "ff"
    return int(digits, 16)


def color_text(number: int) -> str:
    """Convert `number`, 0xRRGGBBAA, to `#rrggbbaa`; `#rrggbb` if it is opaque."""
    text = f"#{number:08x}"
    return text[:7] if text.endswith("ff") else text


def is_dark(pixels: NDArray[np.uint32], percent: int) -> NDArray[np.bool_]:
    """Return which `pixels` are below `percent` % bright, or mostly clear."""
    red, green, blue = (pixels >> np.uint32(shift) & np.uint32(255) for shift in (24, 16, 8))
    brightness = red * np.uint32(299) + green * np.uint32(587) + blue * np.uint32(114)
    dark: NDArray[np.bool_] = brightness * np.uint32(100) < np.uint32(percent * 255_000)
    return dark | ((pixels & np.uint32(255)) < 128)
