"""Engine plugins kept in step with the exporter: `plugin: true` on a target.

The plugin's files come from `templates/` and go into the game project the target lies in. They are
outputs like any other: in the manifest under exporter.yaml, replaced when the exporter is newer,
removed by `clean` or when the option goes, and never written over files of the user's own.
"""

from __future__ import annotations

from pathlib import Path

from exporter.project.project import Project
from exporter.project.templates import templates
from exporter.store.store import File, whole_file

# Where each engine's plugin stands among the templates, and in a game project.
PLACES = {
    "godot": ("godot/addons/level_exporter", "addons/level_exporter"),
    "unity": ("unity/com.levelexporter.unity", "Packages/com.levelexporter.unity"),
}


def plugin_files(project: Project) -> list[File]:
    """Return the files of every plugin a project asks for."""
    files: dict[str, File] = {}
    for target in project.targets:
        game = project.games.get(target.name)
        if game is None:
            continue
        source, place = PLACES[target.engine]
        folder = f"{game}/{place}" if game else place
        for path in _files(templates() / source):
            name = path.relative_to(templates() / source).as_posix()
            file = whole_file(f"{folder}/{name}", "plugin", None, target.name, path.read_bytes())
            files.setdefault(file.path, file)
    return list(files.values())


def _files(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
