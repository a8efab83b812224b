"""File formats, one file each: a Level goes in, artifacts (names and bytes) come out.

Everything here is a pure function of a level or a layer and its options: no file is read or
written, no clock asked. Bytes are the same on every machine, so compressed formats go through
`exporter.deflate`, never through the platform's zlib, whose output differs by build.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "bitmap",
    "heightmap",
    "metadata",
    "tilemap",
    "tileset",
    "scene",
    "blob",
    "table",
    "puzzle",
    "preview",
    "import-settings",
    "plugin",
]


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file an export wants to exist.

    Attributes:
        name: File name relative to the target's folder, with forward slashes.
        kind: What the file is for.
        data: The whole content.
        layer: The layer it was made from, where it is one layer's.
        once: Write the file only where none exists: engine sidecars (`.import`, `.meta`) belong
            to the user from then on.
    """

    name: str
    kind: Kind
    data: bytes
    layer: str | None = None
    once: bool = False
