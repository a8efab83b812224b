"""`exporter init`: a new project, or the exporter added to an existing game's folder.

Nothing that exists is ever changed: running it twice does nothing the second time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from exporter.project.project import FILE_NAME, detect_engines
from exporter.project.templates import templates
from exporter.reading.schema import level_schema
from exporter.store.store import replace_file

ENGINES = ("godot", "unity", "tiled")
# Where outputs go in a folder of their own, and inside an existing game of that engine.
NEW_FOLDERS = {"godot": "godot/levels", "unity": "unity/Assets/Levels", "tiled": "tiled"}
GAME_FOLDERS = {"godot": "generated/levels", "unity": "Assets/Levels", "tiled": "tiled"}
SCHEMA = "level.schema.json"


def initialise(folder: Path, engines: Sequence[str]) -> Iterator[str]:
    """Make `folder` a project; yield what was done, line by line.

    Args:
        folder: Made if it does not exist.
        engines: Engines to export to; empty for what the folder is a project of, or all.
    """
    found = detect_engines(folder) if folder.is_dir() else []
    chosen = list(engines) or found or list(ENGINES)
    if found:
        yield f"found a {' and '.join(name.capitalize() for name in found)} project"
    starter = templates() / "projects" / "starter"
    config = (starter / FILE_NAME).read_text(encoding="utf-8")
    for engine in chosen:
        place = GAME_FOLDERS[engine] if engine in found else NEW_FOLDERS[engine]
        config += f"  {engine}: {{path: {place}}}\n"
    files = {FILE_NAME: config.encode()}
    for path in sorted((starter / "levels").iterdir()):
        files[f"levels/{path.name}"] = path.read_bytes()
    files[f"levels/{SCHEMA}"] = (json.dumps(level_schema(), indent=1) + "\n").encode()
    if "godot" in found:
        # Godot need not look for assets among the specs.
        files["levels/.gdignore"] = b""
    existing = (folder / FILE_NAME).exists()
    for name, content in files.items():
        path = folder / name
        if path.exists():
            yield f"kept {name}"
        elif existing and name.endswith(".level.yaml"):
            continue  # an existing project has levels of its own
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)
            yield f"wrote {name}"
    where = "" if folder.resolve() == Path.cwd() else f" {folder}"
    yield f"next: exporter watch{where}"
