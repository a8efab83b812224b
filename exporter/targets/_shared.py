"""Artifacts that several engines get in the same form."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

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
from exporter.model.level import Layer, Level
from exporter.targets import BlobProfile, TargetOptions, Workshop
from exporter.tilesets import Tileset, level_tileset


def bitmaps(level: Level, options: TargetOptions, workshop: Workshop) -> list[Artifact]:
    """Return the picture of every tile layer."""
    if not options.bitmaps:
        return []
    size, colors = options.block_size, tuple(sorted(options.colors.items()))
    return [
        Artifact(
            f"{level.name}.{layer.name}.png",
            "bitmap",
            workshop.once(
                ("bitmap", layer.name, size, colors),
                partial(bitmap, layer, block_size=size, colors=options.colors),
            ),
            layer.name,
        )
        for layer in level.layers.values()
        if layer.kind == "tiles"
    ]


def height_files(
    level: Level, layer: Layer, encodings: tuple[str, ...], workshop: Workshop
) -> list[Artifact]:
    """Return a height layer in some of `png`, `r16`, `raw` and `exr`, then what they mean."""
    stem = f"{level.name}.{layer.name}"
    files = {encoding: f"{stem}.{encoding}" for encoding in encodings}
    artifacts = [
        Artifact(
            name,
            "heightmap",
            workshop.once(("heights", layer.name, encoding), partial(_HEIGHTS[encoding], layer)),
            layer.name,
        )
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


def shared_tileset(level: Level, extrusion: int, workshop: Workshop) -> Tileset:
    """Return the level's tileset, every tile's edge repeated so many pixels around it."""
    return workshop.once(("tileset", extrusion), partial(level_tileset, level, extrusion))


def tileset_picture(level: Level, extrusion: int, workshop: Workshop) -> Artifact:
    """Return the sheet of the level's tiles."""
    tileset = shared_tileset(level, extrusion, workshop)
    data = workshop.once(("sheet", extrusion), partial(encode_png, tileset.pixels))
    return Artifact(f"{level.name}.tileset.png", "tileset", data)


def blob(level: Level, options: TargetOptions, workshop: Workshop) -> list[Artifact]:
    """Return the whole level as one compressed file."""
    if not options.blob:
        return []
    profile: BlobProfile = "fast" if options.blob == "fast" else "small"
    data = workshop.once(("blob", profile), partial(_blob, level, profile))
    return [Artifact(f"{level.name}.lvb", "blob", data)]


def _blob(level: Level, profile: BlobProfile) -> bytes:
    from exporter.blob import write_blob

    return write_blob(level, profile)
