"""Draw the picture of the page on overlays: one level under two of them.

    PYTHONPATH=. python tests/golden/update_overlays.py

The same code gives the same picture everywhere. It is packed again by Pillow, with few colours,
because it is committed.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

from exporter.build.build import Build
from exporter.build.observed import compute_overlay
from exporter.formats.preview import preview_pixels
from exporter.measures.drawing import draw_overlay
from exporter.reading.reader import parse_level

PICTURE = Path(__file__).parents[2] / "exporter" / "docs" / "images" / "overlays.png"
SCALE = 7
COLORS = 32
SPEC = b"""\
size: [44, 30]
seed: 3
layers:
  ground: {generator: bsp_rooms}
objects:
  - {name: start}
  - {name: chest, count: 4, spacing: 7, clear_radius: 1, far_from: start, min_distance: 12}
visibility: {radius: 7}
"""
NAMES = ("rooms", "refused:chest")


def picture() -> bytes:
    """Return the picture: one beside the other."""
    build = Build(parse_level(SPEC, "hall.level.yaml"))
    level, _ = build.level()
    parts = []
    for name in NAMES:
        pixels, scale = preview_pixels(level, scale=SCALE)
        draw_overlay(pixels, scale, compute_overlay(name, build), (0, 0))
        parts.append(np.pad(pixels, ((0, 0), (0, 4), (0, 0))))
    image = Image.fromarray(np.concatenate(parts, axis=1)[:, :-4])
    packed = io.BytesIO()
    image.quantize(COLORS, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


if __name__ == "__main__":
    PICTURE.write_bytes(picture())
    print(f"{PICTURE.name}: {PICTURE.stat().st_size} bytes")
