"""Small maps to place: drawings made of characters, and maps saved by Tiled."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exporter.generators._legend import (
    MAXIMUM_ART_SIDE,
    TRANSPARENT,
    Legend,
    TileOptions,
    read_drawing,
)
from exporter.model.errors import ParameterError
from exporter.model.limits import MAXIMUM_TEXT_BYTES

Path = tuple[str | int, ...]
Ids = NDArray[np.int32]

# What reading a document raises that is not as expected; JSON numbers may be too large for ours.
_NOT_A_MAP = (
    *(ValueError, LookupError, TypeError, AttributeError, StopIteration),
    *(ArithmeticError, RecursionError),
)
# Tiled keeps flips of a tile in the highest bits of its number.
_GID_MASK = 0x0FFFFFFF


def read_stamp(
    content: bytes,
    name: str,
    glyphs: Mapping[str, TileOptions],
    legend: Legend,
    path: Path,
) -> Ids:
    """Return the tile ids of a stamp file: int32 [height, width], -1 where transparent.

    A file that ends in .tmj or .json is a Tiled map, any other a drawing.

    Raises:
        ParameterError: At `path`, if the file is not one, too large or uses what is not known.
    """
    if len(content) > MAXIMUM_TEXT_BYTES:
        raise ParameterError(
            f"{name} has {len(content)} bytes (allowed: {MAXIMUM_TEXT_BYTES})", path
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ParameterError(f"{name} is not UTF-8 text", path) from None
    if name.lower().endswith((".tmj", ".json")):
        return _read_tiled(text, name, legend, path)
    return read_drawing(text.replace("\r\n", "\n"), glyphs, legend, path)


def _read_tiled(text: str, name: str, legend: Legend, path: Path) -> Ids:
    """Return the first tile layer of a Tiled JSON map.

    A tile is found by its class in an embedded tileset, else its number in the tileset is the id
    of the legend. Empty cells are transparent.
    """
    try:
        document = json.loads(text)
        layer = next(part for part in document["layers"] if part["type"] == "tilelayer")
        width, height = int(layer["width"]), int(layer["height"])
        if not (1 <= width <= MAXIMUM_ART_SIDE and 1 <= height <= MAXIMUM_ART_SIDE):
            raise ParameterError(
                f"{name} has {width} x {height} cells (allowed: 1 to {MAXIMUM_ART_SIDE} each way)",
                path,
            )
        numbers = _numbers(layer, width * height) & _GID_MASK
        tileset = document["tilesets"][0]
        first = int(tileset["firstgid"])
        classes = {
            int(tile["id"]): str(tile.get("type") or tile.get("class") or "")
            for tile in tileset.get("tiles", [])
        }
    except ParameterError:
        raise
    except _NOT_A_MAP:
        raise ParameterError(
            f"{name} is no Tiled JSON map with a finite tile layer and a tileset", path
        ) from None
    ids = np.full(width * height, TRANSPARENT, np.int32)
    known = {tile.id for tile in legend.tiles}
    for number in np.unique(numbers).tolist():
        if number == 0:
            continue
        tile = legend.find(classes.get(number - first, ""))
        local = number - first if tile is None else tile.id
        if local not in known:
            names = ", ".join(f"{tile.id} {tile.name}" for tile in legend.tiles)
            raise ParameterError(
                f"{name} uses tile {number - first} of its tileset, which is no tile of the map "
                f"(known: {names})",
                path,
            )
        ids[numbers == number] = local
    return ids.reshape(height, width)


def _numbers(layer: Mapping[str, Any], count: int) -> NDArray[np.int64]:
    """Return the tile numbers of a Tiled layer, in any of its encodings but zstd.

    Raises:
        ValueError: They are not as many as they should be, or cannot be unpacked.
    """
    data = layer["data"]
    if isinstance(data, list):
        numbers = np.array(data, np.int64)
    else:
        try:
            packed = base64.b64decode(data, validate=True)
        except binascii.Error as error:
            raise ValueError(str(error)) from None
        if layer.get("compression"):
            # 47: zlib or gzip, by its header. Never more than the layer needs.
            unpacker = zlib.decompressobj(47)
            try:
                packed = unpacker.decompress(packed, 4 * count + 1)
            except zlib.error as error:
                raise ValueError(str(error)) from None
        if len(packed) != 4 * count:
            raise ValueError("wrong length")
        numbers = np.frombuffer(packed, "<u4").astype(np.int64)
    if numbers.shape != (count,) or (numbers < 0).any():
        raise ValueError("wrong numbers")
    return numbers
