"""Make a single Tiled map with its tileset, outside of any project."""

from __future__ import annotations

from exporter.formats import Artifact
from exporter.model.level import Level
from exporter.targets import TARGETS


def map_and_picture(level: Level) -> list[Artifact]:
    """Return a Tiled map with an embedded tileset, and the tileset's picture."""
    target = TARGETS.get("tiled")
    options = target.options(path=".", tilesets="embedded", blob=False)  # type: ignore[call-arg]
    files = target.export(level, options, ".").artifacts
    return [file for file in files if file.kind in ("tilemap", "tileset")]
