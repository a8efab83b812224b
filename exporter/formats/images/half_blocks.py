"""Draw pictures in a terminal: each character shows two pixels, in colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_UPPER_HALF = "▀"
_RESET = "\x1b[0m"


def half_blocks(pixels: NDArray[np.uint8]) -> str:
    """Return `pixels` as lines of text for a terminal with 24-bit colour.

    `pixels` is uint8 [height, width, 3]. Each character is a half block: its foreground is the
    upper pixel, its background the lower one; an odd last row has no background. Colours are only
    written where they change.
    """
    lines = []
    for top in range(0, len(pixels), 2):
        upper = pixels[top].tolist()
        lower = pixels[top + 1].tolist() if top + 1 < len(pixels) else [None] * len(upper)
        line, last = [], None
        for above, below in zip(upper, lower, strict=True):
            if (above, below) != last:
                ground = "49" if below is None else f"48;2;{below[0]};{below[1]};{below[2]}"
                line.append(f"\x1b[38;2;{above[0]};{above[1]};{above[2]};{ground}m")
                last = (above, below)
            line.append(_UPPER_HALF)
        lines.append("".join(line) + _RESET + "\n")
    return "".join(lines)


def reduced(pixels: NDArray[np.uint8], columns: int) -> NDArray[np.uint8]:
    """Shrink `pixels` to at most `columns` pixels a row, by averaging.

    `pixels` is uint8 [height, width, 3]; the height shrinks by the same factor.
    """
    step = -(-pixels.shape[1] // columns)
    if step <= 1:
        return pixels
    height, width = (-(-length // step) * step for length in pixels.shape[:2])
    padded = np.pad(
        pixels, ((0, height - pixels.shape[0]), (0, width - pixels.shape[1]), (0, 0)), mode="edge"
    )
    parts = padded.reshape(height // step, step, width // step, step, 3).astype(np.int64)
    means: NDArray[np.uint8] = (parts.sum(axis=(1, 3)) // (step * step)).astype(np.uint8)
    return means
