"""The Unity target."""

from __future__ import annotations

from dataclasses import dataclass

from exporter.level import Level
from exporter.targets import Exported, TargetOptions, target


@dataclass(frozen=True, kw_only=True)
class Unity(TargetOptions):
    """Unity 2021.3 and newer: pictures and heights with import settings, and the blob."""


@target("unity", Unity)
def artifacts(level: Level, options: Unity, place: str) -> Exported:
    """Return the level's files for Unity."""
    return Exported(())
