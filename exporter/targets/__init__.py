"""Register targets: the engines that the exporter writes files for.

A target is a pure function. It turns a level and the target's options in exporter.yaml into
artifacts (named files in memory). It is registered with facts about the engine:

    @target("godot", Godot, markers=("project.godot",), settings=import_settings, ...)
    def artifacts(level: Level, options: Godot, folder: str, shared: SharedWork) -> Exported: ...

Artifacts are in order of writing: a file comes before the files that refer to it, and import
settings before their asset, so that an editor that looks in the middle of an export finds every
file it needs. `folder` is the target's folder, relative to the project. Folder and file name make
the file's uid or guid, so that a file keeps its identity when its content changes. Through `shared`
the targets of a level share equal work and read, but never write, files of the game project.
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
