"""Write heights in their own units as OpenEXR, 32-bit floats.

Godot reads 16-bit PNG as 8 bits, and a grey EXR (channel `Y`) as three channels; a lone `R`
becomes its FORMAT_RF, which HeightMapShape3D and terrain plugins take as it is. Lines are not
compressed: Godot stores its own compressed copy when it imports the file.
"""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from exporter.formats import FormatOptions, format
from exporter.formats.heights.samples import real_heights
from exporter.model.level import Layer, Level

_MAGIC = 20000630
_VERSION = 2
_FLOAT = 2


@format("exr", kind="heightmap", suffix="exr", each="heights")
def write(level: Level, layer: Layer, options: FormatOptions) -> bytes:
    """Return the heights of `layer` as OpenEXR."""
    return encode_exr(real_heights(layer))


def encode_exr(values: NDArray[np.float32]) -> bytes:
    """Encode `values`, float32 [height, width], as OpenEXR of one channel."""
    height, width = values.shape
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    channel = b"R\0" + struct.pack("<iB3xii", _FLOAT, 0, 1, 1) + b"\0"
    header = b"".join(
        (
            struct.pack("<II", _MAGIC, _VERSION),
            _attribute("channels", "chlist", channel),
            _attribute("compression", "compression", b"\0"),
            _attribute("dataWindow", "box2i", window),
            _attribute("displayWindow", "box2i", window),
            _attribute("lineOrder", "lineOrder", b"\0"),
            _attribute("pixelAspectRatio", "float", struct.pack("<f", 1)),
            _attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0)),
            _attribute("screenWindowWidth", "float", struct.pack("<f", 1)),
            b"\0",
        )
    )
    lines = np.empty(height, [("y", "<i4"), ("bytes", "<i4"), ("values", "<f4", (width,))])
    lines["y"] = np.arange(height)
    lines["bytes"] = 4 * width
    lines["values"] = values
    first = len(header) + 8 * height
    offsets = first + lines.dtype.itemsize * np.arange(height, dtype="<u8")
    return b"".join((header, offsets.astype("<u8").tobytes(), lines.tobytes()))


def _attribute(name: str, kind: str, value: bytes) -> bytes:
    return f"{name}\0{kind}\0".encode() + struct.pack("<i", len(value)) + value
