"""Derive a level's name and its edits file from the path of its spec."""

from __future__ import annotations

SUFFIXES = (".level.yaml", ".level.yml", ".level.json")
# How the names of files with hand edits end.
EDITS_SUFFIX = ".edits.yaml"
# These words follow the level's name in our file names: `<level>.tileset.png`.
RESERVED_NAMES = frozenset({"tileset", "preview"})


def default_name(file: str) -> str:
    """Return the level's name: the file name of the spec without its suffix.

    For example, `maps/cavern.level.yaml` gives `cavern`.
    """
    name = file.replace("\\", "/").rsplit("/", 1)[-1]
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def edits_file(spec: str) -> str:
    """Return the path of the file of hand edits that belongs to `spec`.

    For example, `maps/cavern.level.yaml` gives `maps/cavern.edits.yaml`.
    """
    folder, slash, _ = spec.replace("\\", "/").rpartition("/")
    return f"{folder}{slash}{default_name(spec)}{EDITS_SUFFIX}"


def is_edits_file(path: str) -> bool:
    """Return whether `path` is named like a file of hand edits."""
    return path.lower().endswith(EDITS_SUFFIX)
