"""Start a level from a picture: each colour becomes the nearest tile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exporter.formats.images.png import encode_png
from exporter.handmade.legend import USUAL_TILES
from exporter.model.errors import ExporterError, ParameterError
from exporter.model.picture_files import read_colors

MAXIMUM_SIDE = 256
MAXIMUM_COLORS = 16
# How floor and wall look, which are drawn without a colour.
_LOOKS = {"floor": "#e8e4da", "wall": "#1e1b22"}
# Tiles of a ground; doors, stairs and the like are single cells.
_GROUND = (
    *("floor", "wall", "water", "grass", "tree", "sand", "dirt", "road", "forest", "rock"),
    *("shallows", "deep_water", "lava", "ice", "mud", "rubble", "swamp", "beach"),
)


def picture_level(name: str, content: bytes) -> tuple[str, bytes]:
    """Return the text of a spec that reads a picture, and the picture.

    Args:
        name: The level's name, also that of the picture.
        content: The bytes of a picture with at most 16 colours.

    Raises:
        ExporterError: The picture cannot be read or is too large.
    """
    try:
        pixels = read_colors(content, "the picture", ())
    except ParameterError as error:
        raise ExporterError(str(error)) from None
    height, width = pixels.shape[:2]
    if max(width, height) > MAXIMUM_SIDE:
        raise ExporterError(
            f"the picture has {width} x {height} pixels (allowed: {MAXIMUM_SIDE} each way)"
        )
    colors, counts = np.unique(pixels[..., :3].reshape(-1, 3), axis=0, return_counts=True)
    if len(colors) > MAXIMUM_COLORS:
        raise ExporterError(f"the picture has {len(colors)} colours (allowed: {MAXIMUM_COLORS})")
    order = np.argsort(-counts, kind="stable")
    tiles = _tiles(colors[order])
    lines = "".join(f'      "{color}": {tile}\n' for color, tile in tiles.items())
    text = (
        f"# The map {name}.png: each of its colours is a tile, which you can change.\n"
        f"size: [{width}, {height}]\nseed: 1\nlayers:\n  ground:\n    generator: from_image\n"
        f"    image: {name}.png\n    colors:\n{lines}"
    )
    opaque = np.full((height, width, 1), 255, np.uint8)
    return text, encode_png(np.concatenate([pixels[..., :3], opaque], axis=2), period=1)


def _tiles(colors: NDArray[np.uint8]) -> dict[str, str]:
    """Choose a different tile for each colour, the first colour first."""
    free = {name: _bytes(_LOOKS.get(name) or str(USUAL_TILES[name].color)) for name in _GROUND}
    result = {}
    for color in colors.astype(np.int64):
        # Eyes tell greens best and blues worst.
        best = min(free, key=lambda name: int((((free[name] - color) ** 2) * (3, 4, 2)).sum()))
        del free[best]
        result["#" + bytes(color.astype(np.uint8)).hex()] = best
    return result


def _bytes(color: str) -> NDArray[np.int64]:
    return np.frombuffer(bytes.fromhex(color[1:7]), np.uint8).astype(np.int64)
