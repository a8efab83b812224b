"""Encode 16-bit heights as PNG or as raw bytes for engines.

A sample s represents the height `minimum + s * (maximum - minimum) / 65535`. Unity's terrain
importer divides by 65536 instead, requires a square of 2^n + 1 samples and reads the bottom row
first. Adjacent terrains share the samples of their edges: a chunk of a world, 2^n cells a side,
also gets the first samples of the chunks to its right and below.
"""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from exporter.formats.images.png import encode_png
from exporter.model.level import HeightRange, Layer, Level

FULL_SCALE = 65535
UNITY_SCALE = 65536
# The resolutions Unity's terrains can have.
UNITY_SIDES = (33, 65, 129, 257, 513, 1025, 2049, 4097)


def height_png(layer: Layer) -> bytes:
    """Return the samples of `layer` as a grey PNG with 16 bits."""
    return encode_png(layer.cells.astype(np.uint16))


def height_rows(layer: Layer) -> bytes:
    """Return the samples of `layer` as bytes, row by row from the top.

    A sample is 16-bit little-endian; there is no header.
    """
    return layer.cells.astype("<u2").tobytes()


def unity_side(level: Level, layer: Layer) -> int | None:
    """Return how many samples a side of the Unity terrain for `layer` has.

    None if the layer is no square with a side that Unity's terrains can have: Unity could only
    import it resampled.
    """
    if level.part is not None:
        side = level.part.chunk + 1
    elif layer.width == layer.height:
        side = layer.width
    else:
        return None
    return side if side in UNITY_SIDES else None


def unity_raw(level: Level, layer: Layer) -> bytes:
    """Return the samples of `layer` as Unity's RAW, from the bottom row up.

    A sample is 16-bit little-endian. At the right and bottom edges of a world the last samples are
    repeated.

    Raises:
        ValueError: The layer is no square with a side that Unity's terrains can have.
    """
    side = unity_side(level, layer)
    if side is None:
        raise ValueError(f"{layer.width} x {layer.height} samples do not fit a Unity terrain")
    samples: NDArray[np.uint8] | NDArray[np.uint16] = layer.cells
    if layer.around is not None:
        rows, columns = layer.around.inside
        samples = layer.around.cells[
            rows.start : rows.start + side, columns.start : columns.start + side
        ]
    missing = ((0, side - samples.shape[0]), (0, side - samples.shape[1]))
    return np.pad(samples, missing, mode="edge")[::-1].astype("<u2").tobytes()


def real_heights(layer: Layer) -> NDArray[np.float32]:
    """Return the heights of `layer` in its units: float32 [height, width].

    A height is `minimum + sample * (maximum - minimum) / 65535`, computed in doubles from left to
    right and rounded to single precision at the end.
    """
    heights = height_range(layer)
    span = heights.maximum - heights.minimum
    return (heights.minimum + layer.cells.astype(np.float64) * span / FULL_SCALE).astype(np.float32)


def height_range(layer: Layer) -> HeightRange:
    """Return the range of heights of `layer`, which is 0 to 1 if unset."""
    return layer.heights or HeightRange()


def height_metadata(level: Level, layer: Layer, files: dict[str, str]) -> bytes:
    """Return JSON that says how to read the height files of `layer`.

    `files` has the names of the files by encoding: `png`, `r16`, `raw` and `exr`.
    """
    heights = height_range(layer)
    raw = "raw" in files
    side = unity_side(level, layer) if raw and level.part is not None else None
    span = heights.maximum - heights.minimum
    document: dict[str, object] = {
        "level": level.name,
        "layer": layer.name,
        "size": [side or layer.width, side or layer.height],
        "minimum": heights.minimum,
        "maximum": heights.maximum,
        "units": heights.units,
        "row_order": "bottom_to_top" if raw else "top_to_bottom",
        "scale": UNITY_SCALE if raw else FULL_SCALE,
        "height": "minimum + sample * (maximum - minimum) / 65535",
        "files": {name: _ENCODINGS[encoding] for encoding, name in files.items()},
    }
    if raw:
        # With this size.y a sample has the height of the formula although Unity divides by 65536.
        document["unity_terrain_height"] = span * UNITY_SCALE / FULL_SCALE
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


_ENCODINGS: dict[str, dict[str, object]] = {
    "png": {"encoding": "16-bit grey PNG", "row_order": "top_to_bottom", "scale": FULL_SCALE},
    "r16": {
        "encoding": "unsigned 16-bit little-endian",
        "row_order": "top_to_bottom",
        "scale": FULL_SCALE,
    },
    "raw": {
        "encoding": "unsigned 16-bit little-endian",
        "row_order": "bottom_to_top",
        "scale": UNITY_SCALE,
    },
    "exr": {
        "encoding": "32-bit float in channel R, real heights",
        "row_order": "top_to_bottom",
        "scale": 1,
    },
}
