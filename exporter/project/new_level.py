"""Write the spec of a new level; never replace an existing file."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from exporter.formats.images.png import encode_png
from exporter.handmade.legend import USUAL_TILES
from exporter.model.errors import ChangedFileError, ExporterError, ParameterError
from exporter.model.parameters import NAME_PATTERN
from exporter.model.picture_files import read_colors
from exporter.project.level_files import LevelFiles
from exporter.project.project import display_path
from exporter.project.saving import check_replaceable, save_text
from exporter.project.settings_file import load_project
from exporter.project.spec_files import fixed_part, is_discoverable
from exporter.project.start_files import SCHEMA_LINE, example_specs
from exporter.project.templates import LEVEL_SUFFIX
from exporter.reading.names import default_name

_NAME = re.compile(NAME_PATTERN)


def create_level(files: LevelFiles, name: str, preset: str, picture: bytes = b"") -> Path:
    """Write the spec of a new level, from a preset or a picture.

    Args:
        files: The levels of the project.
        name: The level's name.
        preset: The name of the preset; unused with a picture.
        picture: The bytes of a picture, which is saved beside the spec; empty for a preset.

    Returns:
        The path of the spec.

    Raises:
        RegistryError: There is no such preset.
        ExporterError: There is no project, the name is invalid, the level exists, or the picture
            cannot be used.
        StoreError: The file cannot be written.
    """
    if files.root is None or files.single:
        message = "there is no project here, only one spec (run `exporter serve` with a project)"
        raise ExporterError(message)
    check_level_name(name)
    if any(default_name(item.name).lower() == name.lower() for item in files.all()):
        raise ExporterError(f"a level {name!r} exists already (choose another name)")
    position = files.root / new_level_path(name, load_project(files.root).patterns)
    if picture:
        text, content = picture_level(name, picture)
        if os.path.lexists(position):
            raise ExporterError(f"{display_path(position)} exists already (choose another name)")
        _save_new(position.parent / f"{name}.png", content, files.root)
        _save_new(position, (SCHEMA_LINE + text).encode(), files.root)
    else:
        (spec,) = example_specs([preset]).values()
        _save_new(position, spec, files.root)
    return position


def _save_new(position: Path, content: bytes, root: Path) -> None:
    """Write the file `position`; raise `ExporterError` if it exists already."""
    check_replaceable(position, root)
    try:
        position.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExporterError(f"{display_path(position.parent)}: {error.strerror or error}") from None
    taken = f"{display_path(position)} exists already (choose another name)"
    if os.path.lexists(position):
        raise ExporterError(taken)
    try:
        save_text(position, None, content)
    except ChangedFileError:
        raise ExporterError(taken) from None


def check_level_name(name: str) -> None:
    """Check that `name` can be the name of a level.

    Raises:
        ExporterError: The name is invalid.
    """
    if _NAME.fullmatch(name) is None:
        raise ExporterError(
            f"{name!r} is not a valid level name (allowed: 1 to 64 letters, digits, `_` and `-`, "
            "beginning with a letter or a digit)"
        )


def new_level_path(name: str, patterns: tuple[str, ...]) -> str:
    """Return where the spec of a new level `name` belongs in a project.

    `patterns` are the project's globs of specs.

    Raises:
        ExporterError: No pattern matches a spec of this name.
    """
    for pattern in patterns:
        folder = fixed_part(pattern)
        path = f"{folder}/{name}{LEVEL_SUFFIX}" if folder else f"{name}{LEVEL_SUFFIX}"
        if is_discoverable(path, patterns):
            return path
    raise ExporterError(
        f"a file {name}{LEVEL_SUFFIX} would not be found as a level of the project (`levels` of "
        f"exporter.yaml: {', '.join(patterns)})"
    )


MAXIMUM_SIDE = 256
MAXIMUM_COLORS = 16
# Colours to compare with for floor and wall, whose usual tiles have none.
_LOOKS = {"floor": "#e8e4da", "wall": "#1e1b22"}
# Tiles of a ground; doors, stairs and the like are single cells.
_GROUND = (
    *("floor", "wall", "water", "grass", "tree", "sand", "dirt", "road", "forest", "rock"),
    *("shallows", "deep_water", "lava", "ice", "mud", "rubble", "swamp", "beach"),
)


def picture_level(name: str, content: bytes) -> tuple[str, bytes]:
    """Return the text of a spec that reads a picture, and the picture to save.

    Args:
        name: The name of the level, and of the picture.
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
    """Return a tile name for each colour, similar to it and used only once.

    The keys are the colours in hexadecimal. Earlier `colors` choose first.
    """
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
