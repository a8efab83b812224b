"""Make the materials of a 3D model from the level's tile pictures.

There is a material for each kind of tile, for its top and for its sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.formats.gltf.glb import GlbBuilder
from exporter.formats.gltf.plan import Kind
from exporter.formats.images.png import encode_png
from exporter.model.level import Level
from exporter.tilesets import Tileset
from exporter.tilesets.materials import material_of

# Side of a square of cells whose middle and its eight neighbours are surrounded by the same tile.
_SQUARE = 5
_ROUGH: dict[str, Any] = {"metallicFactor": 0.0, "roughnessFactor": 1.0}
_WET: dict[str, Any] = {"metallicFactor": 0.0, "roughnessFactor": 0.1}

# The material of height layers, which have no tiles: an even green.
TERRAIN: dict[str, Any] = {"baseColorFactor": [0.2, 0.3, 0.12, 1.0], **_ROUGH}


class Materials:
    """The materials of a level's tiles, each added on first use."""

    def __init__(self, builder: GlbBuilder, level: Level, tileset: Tileset) -> None:
        self._builder = builder
        self._level = level
        self._tileset = tileset
        self._numbers: dict[tuple[str, str, bool], int] = {}
        self._textures: dict[bytes, int] = {}
        self._unseen: int | None = None

    def number(self, kind: Kind, upright: bool) -> int:
        """Return the number of the material for the top or the sides of `kind`.

        `upright` chooses the sides.
        """
        key = kind.layer, kind.tile.name, upright
        if key not in self._numbers:
            self._numbers[key] = self._builder.add_material(self._material(kind, upright))
        return self._numbers[key]

    def unseen(self) -> int:
        """Return the number of the transparent material, for invisible shapes."""
        if self._unseen is None:
            surface = {"baseColorFactor": [0.0, 0.0, 0.0, 0.0], **_ROUGH}
            self._unseen = self._builder.add_material(
                {"name": "unseen", "alphaMode": "BLEND", "pbrMetallicRoughness": surface}
            )
        return self._unseen

    def _material(self, kind: Kind, upright: bool) -> dict[str, Any]:
        name = f"{kind.tile.name} side" if upright else kind.tile.name
        pixels = self._picture(kind, upright)
        data = pixels.tobytes()
        if data not in self._textures:
            self._textures[data] = self._builder.add_picture(name, encode_png(pixels))
        surface = {"baseColorTexture": {"index": self._textures[data]}}
        liquid = kind.depth and material_of(kind.tile).family != "pit"
        material = {"name": name, "pbrMetallicRoughness": surface | (_WET if liquid else _ROUGH)}
        if liquid and material_of(kind.tile).family == "lava":
            material["emissiveFactor"] = [1.0, 1.0, 1.0]
            material["emissiveTexture"] = surface["baseColorTexture"]
        return material

    def _picture(self, kind: Kind, upright: bool) -> NDArray[np.uint8]:
        """Return the picture of a tile's side if `upright`, else of its top.

        The side is the picture that the tile has with walkable cells to the south.
        """
        layer = self._level.layers[kind.layer]
        cells = np.full((_SQUARE, _SQUARE), kind.tile.id, layer.cells.dtype)
        middle = _SQUARE // 2
        if upright:
            others = [tile.id for tile in layer.tiles if tile.walkable and not tile.door]
            if others:
                cells[middle + 1 :] = others[0]
        numbers = self._tileset.combined(self._tileset.picks[kind.layer].numbers(cells))
        number = int(numbers[middle, middle])
        if number < 0:
            return _plain(kind.tile.color, self._tileset.tile_size)
        return _opaque(self._tileset.picture(number), kind.tile.color)


def _plain(color: str, side: int) -> NDArray[np.uint8]:
    from exporter.model.colors import rgba

    pixels = np.empty((side, side, 4), np.uint8)
    pixels[:] = (*rgba(color)[:3], 255)
    return pixels


def _opaque(picture: NDArray[np.uint8], color: str) -> NDArray[np.uint8]:
    """Return `picture` without transparency, laid over its mean colour.

    If all its pixels are clear, the result has the tile's colour, `color`.
    """
    alpha = picture[..., 3:].astype(np.int64)
    total = int(alpha.sum())
    if not total:
        return _plain(color, picture.shape[0])
    mean = (picture[..., :3] * alpha).sum(axis=(0, 1)) // total
    pixels = np.full_like(picture, 255)
    pixels[..., :3] = (picture[..., :3] * alpha + mean * (255 - alpha)) // 255
    return pixels
