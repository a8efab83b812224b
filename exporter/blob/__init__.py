"""Write a level into one file, the blob, and read it again.

Python, C# and GDScript can open blobs. A blob is a container of chunks: level data, cells of
layers, visibility and more.

`container` reads and writes the bytes (signature, directory, checksums, limits), `levels` decides
what of a `Level` goes into which chunk, `values` encodes all data that is not a grid, and `parts`
reads a part of a layer alone. `exporter/docs/reference/blob-format.md` specifies the format; change
both together.
"""

from __future__ import annotations

from exporter.blob._visibility import SIGHT_RULES, with_readable_sight
from exporter.blob.container import Chunk, Container, read_container, with_chunk, write_container
from exporter.blob.levels import (
    GODOT_SCENE,
    level_chunks,
    read_blob,
    read_pack,
    write_blob,
    write_pack,
)
from exporter.blob.parts import Part, read_part
from exporter.blob.values import UnstorableError

__all__ = [
    "GODOT_SCENE",
    "SIGHT_RULES",
    "Chunk",
    "Container",
    "Part",
    "UnstorableError",
    "level_chunks",
    "read_blob",
    "read_container",
    "read_pack",
    "read_part",
    "with_chunk",
    "with_readable_sight",
    "write_blob",
    "write_container",
    "write_pack",
]
