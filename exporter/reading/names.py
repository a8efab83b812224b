"""Derive the level's name and the edits file from the path of a spec."""

from __future__ import annotations

SUFFIXES = (".level.yaml", ".level.yml", ".level.json")
# How the names of files with hand edits end.
EDITS_SUFFIX = ".edits.yaml"
# These words follow the level's name in our file names: `<level>.tileset.png`.
RESERVED_NAMES = frozenset({"tileset", "preview"})


def default_name(file: str) -> str:
    """Return a level's name from the name of its spec `file`.

    That is the name without `.level.yaml`, or else without its suffix.
    """
    name = file.replace("\\", "/").rsplit("/", 1)[-1]
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def edits_file(spec: str) -> str:
    """Return the path of the hand edits beside a spec: `cavern.edits.yaml`.

    Args:
        spec: The path of the spec: `cavern.level.yaml`.
    """
    folder, slash, _ = spec.replace("\\", "/").rpartition("/")
    return f"{folder}{slash}{default_name(spec)}{EDITS_SUFFIX}"


def is_edits_file(path: str) -> bool:
    """Return whether `path` has the name of a file of hand edits."""
    return path.lower().endswith(EDITS_SUFFIX)
