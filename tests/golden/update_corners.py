"""Draw the picture of corner sets for the page on tiles: which cells each of the 16 shows.

PYTHONPATH=. python tests/golden/update_corners.py
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

PICTURE = Path(__file__).parents[2] / "exporter" / "docs" / "images" / "tiles" / "corners.png"
SIDE, GAP, COLUMNS = 56, 24, 8
FULL, NONE, LINE, TEXT = "#5c9a46", "#d9c07a", "#3a3a3a", "#ffffff"
BACKGROUND = "#24222a"
# Where the four cells lie in a picture, by the bits of its mask.
PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))


def picture() -> Image.Image:
    """Return all 16, each with its mask above it."""
    step, rows = SIDE + GAP, 16 // COLUMNS
    image = Image.new("RGB", (COLUMNS * step + GAP, rows * (step + GAP // 2) + GAP), BACKGROUND)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(14)
    for mask in range(16):
        left = GAP + mask % COLUMNS * step
        top = GAP + 4 + mask // COLUMNS * (step + GAP // 2)
        draw.text((left, top - 20), str(mask), TEXT, font)
        half = SIDE // 2
        for bit, (x, y) in enumerate(PLACES):
            corner = (left + x * half, top + y * half)
            end = (corner[0] + half - 1, corner[1] + half - 1)
            draw.rectangle((corner, end), FULL if mask >> bit & 1 else NONE)
        draw.rectangle((left, top, left + SIDE - 1, top + SIDE - 1), None, LINE)
    return image


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    picture().quantize(64, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
