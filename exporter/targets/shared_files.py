"""Make the files that several targets write in the same form."""

from __future__ import annotations

from functools import lru_cache, partial
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from exporter.formats import Artifact
from exporter.formats.heights.samples import height_metadata
from exporter.formats.images.png import encode_png
from exporter.model.errors import ParameterError
from exporter.model.level import Layer, Level
from exporter.targets._files import format_file, format_files
from exporter.targets._options import BlobProfile, TableFormat, TargetOptions
from exporter.targets._work import SharedWork
from exporter.tilesets import Tileset, level_tileset
from exporter.tilesets.animation import Animation, level_animation
from exporter.tilesets.diamonds import diamond_sheet

# The format that writes each encoding of heights, and those of each form of a table.
_HEIGHTS = {"png": "height_png", "r16": "r16", "raw": "raw", "exr": "exr"}
_TABLES: dict[TableFormat, tuple[str, ...]] = {
    "json": ("table_json",),
    "csv": ("table_csv",),
    # The schema comes first: readers of the data look for it.
    "xml": ("table_xsd", "table_xml"),
}
# Larger sheets of tiles are not remembered from level to level.
_REMEMBERED_BYTES = 1 << 20


def bitmaps(level: Level, options: TargetOptions, shared: SharedWork) -> list[Artifact]:
    """Return a picture of each tile layer; no files without `options.bitmaps`."""
    return format_files("bitmap", level, options, shared) if options.bitmaps else []


def height_files(
    level: Level,
    layer: Layer,
    encodings: tuple[str, ...],
    options: TargetOptions,
    shared: SharedWork,
) -> list[Artifact]:
    """Return the files of a height layer, one for each of `encodings`.

    Encodings are `png`, `r16`, `raw` and `exr`; a JSON file with the range of heights follows. A
    chunk of a world has no `png` if another encoding is listed, too: compressing it would take more
    time than all the chunk's other files.
    """
    if level.part is not None:
        encodings = tuple(item for item in encodings if item != "png") or encodings
    artifacts = [
        format_file(_HEIGHTS[encoding], level, layer, options, shared) for encoding in encodings
    ]
    files = {encoding: file.name for encoding, file in zip(encodings, artifacts, strict=True)}
    meaning = height_metadata(level, layer, files)
    name = f"{level.name}.{layer.name}.height.json"
    return [*artifacts, Artifact(name, "metadata", meaning, layer.name)]


def data_files(level: Level, options: TargetOptions, shared: SharedWork) -> list[Artifact]:
    """Return a level's tables, in the formats of `options`, and its puzzles.

    Puzzles are JSON files.
    """
    names = [name for chosen in dict.fromkeys(options.tables) for name in _TABLES[chosen]]
    out = [
        format_file(name, level, table, options, shared)
        for table in level.tables.values()
        for name in names
    ]
    return [*out, *format_files("puzzle_json", level, options, shared)]


def shared_tileset(level: Level, extrusion: int, shared: SharedWork) -> Tileset:
    """Return the tileset of `level`, made once for all its targets.

    `extrusion` is the width in pixels of the frame that repeats each tile's edge around the tile.
    """
    return shared.once(("tileset", extrusion), partial(level_tileset, level, extrusion))


def shared_animation(
    level: Level, extrusion: int, shared: SharedWork, *, animated: bool
) -> Animation | None:
    """Return the animation of a level's tiles, made once for all its targets.

    None if no tile moves, or without `animated`. `extrusion` is the width in pixels of the frame
    that repeats each tile's edge around the tile.
    """
    if not animated:
        return None
    return shared.once(("animation", extrusion), partial(level_animation, level, extrusion))


def tileset_picture(
    level: Level,
    extrusion: int,
    shared: SharedWork,
    diamond: tuple[int, int] | None = None,
    *,
    x_up: bool = False,
    animated: bool = False,
) -> Artifact:
    """Return the sheet of a level's tiles, one picture of all, as PNG.

    `extrusion` is the width in pixels of the frame that repeats each tile's edge around the tile.
    `diamond` is width and height of isometric cells in pixels, None for square cells. With `x_up`,
    the axis x of these cells goes right and up, as in Unity, else right and down. `animated` adds
    the later frames of animated tiles.
    """

    def picture(tileset: Tileset) -> NDArray[np.uint8]:
        return diamond_sheet(tileset, diamond, x_up=x_up) if diamond else tileset.pixels

    def sheet() -> bytes:
        animation = shared_animation(level, extrusion, shared, animated=animated)
        if animation is not None:
            return _sheet(animation.sheet(picture))
        return _sheet(picture(shared_tileset(level, extrusion, shared)))

    data = shared.once(("sheet", extrusion, diamond, x_up, animated), sheet)
    return Artifact(f"{level.name}.tileset.png", "tileset", data)


def _sheet(pixels: NDArray[np.uint8]) -> bytes:
    if pixels.nbytes > _REMEMBERED_BYTES:
        return encode_png(pixels)
    return _remembered_sheet(pixels.tobytes(), pixels.shape)


@lru_cache(maxsize=4)
def _remembered_sheet(pixels: bytes, shape: tuple[int, ...]) -> bytes:
    """Return a sheet as PNG; cached, because many levels have the same sheet.

    `pixels` are the bytes of an array of this `shape`.
    """
    return encode_png(np.frombuffer(pixels, np.uint8).reshape(shape))


def shared_stem(*contents: bytes) -> str:
    """Return a file name without suffix, made from the hash of `contents`.

    Levels with equal contents write the same file, so that none depends on another level. No level
    can have such a name.
    """
    digest = sha256()
    for content in contents:
        digest.update(len(content).to_bytes(8, "big") + content)
    return f"_tiles_{digest.hexdigest()[:12]}.tileset"


def blob_files(level: Level, options: TargetOptions, shared: SharedWork) -> list[Artifact]:
    """Return a level's blob, one compressed file, if `options` ask for it.

    The blob leaves out the visibility if readers of blobs do not know its rule of sight.
    """
    if not options.blob:
        return []
    profile: BlobProfile = "fast" if options.blob == "fast" else "small"
    data = shared.once(("blob", profile), partial(_blob, level, profile))
    return [Artifact(f"{level.name}.lvb", "blob", data)]


def blob_warnings(level: Level) -> list[str]:
    """Return a warning if the blob of `level` leaves out the visibility.

    It does if readers of blobs do not know the rule of sight.
    """
    from exporter.blob import with_readable_sight

    if level.visibility is None or with_readable_sight(level) is level:
        return []
    return [
        f"{level.name}.lvb leaves out the visibility: its readers in the engines do not know the "
        f"rule {level.visibility.algorithm!r}"
    ]


def _blob(level: Level, profile: BlobProfile) -> bytes:
    from exporter.blob import UnstorableError, with_readable_sight, write_blob

    try:
        return write_blob(with_readable_sight(level), profile)
    except UnstorableError as error:
        message = f"{level.name}.lvb cannot hold the level: {error} (to omit the blob: blob: false)"
        raise ParameterError(message) from None
