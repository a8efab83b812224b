"""Refuse to write outside the project unless the user allows it."""

from __future__ import annotations

from pathlib import Path

from exporter.model.errors import OutsideError, RegistryError, SpecError
from exporter.project.games import game_around
from exporter.project.project import FILE_NAME
from exporter.reading.yaml_reader import read_document
from exporter.store.folder import Folder
from exporter.store.user_folder import trusted_folders
from exporter.targets import TARGETS


def refusal(root: Path, folder: str, target: str) -> str | None:
    """Return why a target may not write to `folder`; None if it may.

    A folder outside the project needs the user's permission.

    Args:
        root: The project's folder.
        folder: The folder of the outputs, relative to the root.
        target: The target's name, for the suggested fix.
    """
    try:
        Folder(root, lambda: trusted_folders(root)).check(folder)
    except OutsideError as error:
        if not error.trustable:
            return str(error)
        return f"{error} (allow it once with `exporter trust {_root_text(root)} {target}`)"
    return None


def folders_of_target(root: Path, name: str) -> list[Path]:
    """Return the folders to which target `name` and its plugin write.

    `root` is the project's folder. If its exporter.yaml has errors, the valid parts are read.
    """
    try:
        document = read_document((root / FILE_NAME).read_bytes(), FILE_NAME)
    except (OSError, SpecError):
        return []
    targets = document.data.get("targets") if isinstance(document.data, dict) else None
    options = targets.get(name) if isinstance(targets, dict) else None
    path = options.get("path") if isinstance(options, dict) else None
    if not isinstance(options, dict) or not isinstance(path, str):
        return []
    folders = [root / path]
    try:
        target = TARGETS.get(str(options.get("engine", name)))
    except RegistryError:
        return folders
    if options.get("plugin") is True and target.plugin is not None:
        game = game_around(root, path, target)
        if game is not None:
            folders.append(root / game / target.plugin.folder)
    return folders


def _root_text(root: Path) -> str:
    text = str(root)
    return f'"{text}"' if " " in text else text
