"""Write the spec of a new level; never replace an existing file."""

from __future__ import annotations

import os
import re
from pathlib import Path

from exporter.model.errors import ChangedFileError, ExporterError
from exporter.model.parameters import NAME_PATTERN
from exporter.project.level_files import LevelFiles
from exporter.project.picture_level import picture_level
from exporter.project.project import display_path
from exporter.project.saving import check_replaceable, save_text
from exporter.project.settings_file import load_project
from exporter.project.spec_files import fixed_part, is_discoverable
from exporter.project.start_files import SCHEMA_LINE, example_specs
from exporter.project.templates import LEVEL_SUFFIX
from exporter.reading.names import default_name

_NAME = re.compile(NAME_PATTERN)


def create_level(files: LevelFiles, name: str, preset: str, picture: bytes = b"") -> Path:
    """Write a new spec from a preset, or from a picture.

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
    """Write a file that must not exist yet.

    Raises:
        ExporterError: The file exists.
        StoreError: The file cannot be written.
    """
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
    """Check that a text can be the name of a level.

    Raises:
        ExporterError: The name is invalid.
    """
    if _NAME.fullmatch(name) is None:
        raise ExporterError(
            f"{name!r} is not a valid level name (allowed: 1 to 64 letters, digits, `_` and `-`, "
            "beginning with a letter or a digit)"
        )


def new_level_path(name: str, patterns: tuple[str, ...]) -> str:
    """Return the path where a project expects the spec of a level.

    Args:
        name: The level's name.
        patterns: The project's glob patterns of specs.

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
