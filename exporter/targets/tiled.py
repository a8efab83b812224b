"""The Tiled target."""

from __future__ import annotations

from dataclasses import dataclass

from exporter.level import Level
from exporter.targets import Exported, TargetOptions, target


@dataclass(frozen=True, kw_only=True)
class Tiled(TargetOptions):
    """Tiled: a JSON map with its tileset, which many other tools read too."""


@target("tiled", Tiled)
def artifacts(level: Level, options: Tiled, place: str) -> Exported:
    """Return the level's files for Tiled."""
    return Exported(())
