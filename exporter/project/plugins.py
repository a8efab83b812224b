"""List the files of engine plugins, for targets with `plugin: true`.

The files of a plugin are copied from `templates/` into the game project that contains the target.
They are outputs like any other: listed in the manifest under exporter.yaml, replaced by a newer
exporter, removed by `clean`, and never written over the user's own files.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal

from exporter.model.installed import templates
from exporter.model.lazy_dataclass import dataclass
from exporter.project.project import Project
from exporter.targets import TARGETS, Plugin


@dataclass(frozen=True, slots=True)
class PluginFile:
    """A file of an engine plugin, to be written as an output.

    Attributes:
        path: The path relative to the project, with `/`.
        target: The name of the target that has the plugin.
        data: The content.
        home: The plugin's folder, relative to the project.
        kind: The kind of output.
    """

    path: str
    target: str
    data: bytes
    home: str
    kind: Literal["plugin"] = "plugin"


def plugin_folders(project: Project) -> list[str]:
    """Return the sorted folders of all plugins that `project` asks for."""
    return sorted({folder for folder, _, _ in _requested(project)})


def plugin_files(project: Project) -> list[PluginFile]:
    """Return the files of all plugins that `project` asks for."""
    expected: dict[str, PluginFile] = {}
    for folder, target, plugin in _requested(project):
        source = _source(plugin)
        for path in _files(source):
            name = f"{folder}/{path.relative_to(source).as_posix()}"
            expected.setdefault(name, PluginFile(name, target, path.read_bytes(), folder))
    return list(expected.values())


def _requested(project: Project) -> Iterator[tuple[str, str, Plugin]]:
    """Yield the folder, target's name and plugin of each plugin asked for."""
    for target in project.targets:
        game = project.games.get(target.name)
        plugin = TARGETS.get(target.engine).plugin
        if game is not None and plugin is not None:
            yield (f"{game}/{plugin.folder}" if game else plugin.folder), target.name, plugin


def _source(plugin: Plugin) -> Path:
    home = Path(str(files(plugin.package))) if plugin.package else templates()
    return home / plugin.source


def _files(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
