"""Artifacts that several engines get in the same form."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from exporter.formats import Artifact
from exporter.formats.bitmap import bitmap
from exporter.formats.exr import encode_exr
from exporter.formats.heights import (
    height_metadata,
    height_png,
    height_rows,
    real_heights,
    unity_raw,
)
from exporter.formats.png import encode_png
from exporter.level import Layer, Level
from exporter.targets import BlobProfile, TargetOptions
from exporter.tilesets import Tileset


def bitmaps(level: Level, options: TargetOptions) -> list[Artifact]:
    """Return the picture of every tile layer."""
    if not options.bitmaps:
        return []
    return [
        Artifact(
            f"{level.name}.{layer.name}.png",
            "bitmap",
            bitmap(layer, block_size=options.block_size, colors=options.colors),
            layer.name,
        )
        for layer in level.layers.values()
        if layer.kind == "tiles"
    ]


def height_files(level: Level, layer: Layer, encodings: tuple[str, ...]) -> list[Artifact]:
    """Return a height layer in some of `png`, `r16`, `raw` and `exr`, then what they mean."""
    stem = f"{level.name}.{layer.name}"
    files = {encoding: f"{stem}.{encoding}" for encoding in encodings}
    artifacts = [
        Artifact(name, "heightmap", _HEIGHTS[encoding](layer), layer.name)
        for encoding, name in files.items()
    ]
    meaning = height_metadata(level.name, layer, files)
    return [*artifacts, Artifact(f"{stem}.height.json", "metadata", meaning, layer.name)]


def _exr(layer: Layer) -> bytes:
    return encode_exr(real_heights(layer))


_HEIGHTS: dict[str, Callable[[Layer], bytes]] = {
    "png": height_png,
    "r16": height_rows,
    "raw": unity_raw,
    "exr": _exr,
}


def tileset_picture(level: Level, tileset: Tileset) -> Artifact:
    """Return the sheet of the level's tiles."""
    return Artifact(f"{level.name}.tileset.png", "tileset", encode_png(tileset.pixels))


def blob(level: Level, options: TargetOptions) -> list[Artifact]:
    """Return the whole level as one compressed file."""
    if not options.blob:
        return []
    profile: BlobProfile = "fast" if options.blob == "fast" else "small"
    return [Artifact(f"{level.name}.lvb", "blob", _blob(level, profile))]


@lru_cache(maxsize=1)
def _blob(level: Level, profile: BlobProfile) -> bytes:
    """Return the blob of a level; the targets ask one after the other for the same one."""
    from exporter.blob import write_blob

    return write_blob(level, profile)
