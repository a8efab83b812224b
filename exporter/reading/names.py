"""Level names: what a file name stands for."""

from __future__ import annotations

SUFFIXES = (".level.yaml", ".level.yml", ".level.json")


def default_name(file: str) -> str:
    """Return the level name a file name stands for: without `.level.yaml`, or its stem."""
    name = file.replace("\\", "/").rsplit("/", 1)[-1]
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name
