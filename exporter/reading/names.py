"""Derive the names of a level and its edits file from a spec's name."""

from __future__ import annotations

SUFFIXES = (".level.yaml", ".level.yml", ".level.json")
# How the names of files with hand edits end.
EDITS_SUFFIX = ".edits.yaml"
# These words follow the level's name in our file names: `<level>.tileset.png`.
RESERVED_NAMES = frozenset({"tileset", "preview"})


def default_name(file: str) -> str:
    """Return a file's level name: without `.level.yaml`, or its stem."""
    name = file.replace("\\", "/").rsplit("/", 1)[-1]
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def edits_file(spec: str) -> str:
    """Return the path of a spec's edits file: `cavern.edits.yaml` beside it.

    Args:
        spec: Path of the spec: `cavern.level.yaml`.
    """
    folder, slash, _ = spec.replace("\\", "/").rpartition("/")
    return f"{folder}{slash}{default_name(spec)}{EDITS_SUFFIX}"


def is_edits_file(path: str) -> bool:
    """Whether a file is named like an edits file."""
    return path.lower().endswith(EDITS_SUFFIX)
