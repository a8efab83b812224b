"""Register targets: the engines that the exporter writes files for.

A target is a pure function from a level and the target's options in exporter.yaml to artifacts
(named files in memory), and a record of what else the exporter knows about the engine:

    @target("godot", Godot, markers=("project.godot",), settings=import_settings, ...)
    def artifacts(level: Level, options: Godot, place: str, shared: SharedWork) -> Exported: ...

Referenced files come before the files that refer to them, and import settings before the asset they
are for, so that an editor that looks in the middle of an export finds every file it needs. `place`
is the target folder's path relative to the project: with the file's name it is the key of every uid
and guid, so that a file keeps its identity however its content changes. Through `shared` the
targets of a level share equal work, and read files of the game project they lie in: what the team
keeps there by hand is read, never written.
"""

from __future__ import annotations

from exporter.targets._files import format_file, format_files
from exporter.targets._options import PATH_PATTERN, BlobProfile, Folder, TargetOptions, block_sides
from exporter.targets._target import (
    TARGETS,
    AssetKind,
    Exported,
    NewGame,
    Notice,
    Plugin,
    Start,
    Target,
    target,
)
from exporter.targets._work import GameFiles, NoGame, SharedWork

__all__ = [
    "PATH_PATTERN",
    "TARGETS",
    "AssetKind",
    "BlobProfile",
    "Exported",
    "Folder",
    "GameFiles",
    "NewGame",
    "NoGame",
    "Notice",
    "Plugin",
    "SharedWork",
    "Start",
    "Target",
    "TargetOptions",
    "block_sides",
    "format_file",
    "format_files",
    "target",
]
