"""The Godot target."""

from __future__ import annotations

from dataclasses import dataclass

from exporter.level import Level
from exporter.targets import Exported, TargetOptions, target


@dataclass(frozen=True, kw_only=True)
class Godot(TargetOptions):
    """Godot 4.3 and newer: a scene, its TileSet and the files they use."""


@target("godot", Godot)
def artifacts(level: Level, options: Godot, place: str) -> Exported:
    """Return the level's files for Godot."""
    return Exported(())
