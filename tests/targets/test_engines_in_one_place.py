"""No code but the targets and their formats knows an engine: it asks the targets' records."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import exporter
from exporter.targets import TARGETS

PACKAGE = Path(exporter.__file__).parent
AT_HOME = {"targets", "formats", "handmade", "templates"}
# Readers of maps that people draw or paint in an editor: they name the editor's files.
READERS = {
    "cli/preview.py",  # draws models, too
    "cli/preview_files.py",
    "studio/models.py",
    "export/painted_files.py",
    "export/edit_merge.py",
    "export/import_edits.py",
    "generators/_pieces.py",
    "generators/from_ldtk.py",
    "generators/from_tiled.py",
    # A layer's own properties for the engine are written under its name.
    "reading/level_keys.py",
}


def elsewhere() -> list[Path]:
    """Return the modules outside the rooms that may know engines."""
    places = {path: path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")}
    return sorted(
        path
        for path, position in places.items()
        if position.parts[0] not in AT_HOME and position.as_posix() not in READERS
    )


def known() -> set[str]:
    """Return the identifiers of engines: their names, and the files in their records."""
    words = set()
    for name in TARGETS.built_in():
        target = TARGETS.get(name)
        words |= {name, *target.markers, *target.start.beside_specs}
        if target.plugin is not None:
            words |= {target.plugin.source, target.plugin.folder}
    return words


def documentation(tree: ast.Module) -> set[int]:
    """Return the docstrings of a module, by identity."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, kinds) and node.body and isinstance(node.body[0], ast.Expr)
    }


def words(path: Path) -> Iterator[str]:
    """Yield the texts of a module's code, docstrings apart, and the names it uses."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = documentation(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            # Examples in helps are command lines of users.
            if id(node) not in skipped and not node.value.startswith("exporter "):
                yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id


def test_no_code_elsewhere_names_an_engine() -> None:
    engines = re.compile(
        rf"(?<![A-Za-z0-9_])({'|'.join(map(re.escape, sorted(known())))})(?![\w-])"
    )
    offenders = {
        path.relative_to(PACKAGE).as_posix(): named
        for path in elsewhere()
        if engines.search(path.read_text(encoding="utf-8"))  # else nothing needs to be parsed
        and (named := {result[0] for word in words(path) for result in engines.finditer(word)})
    }
    assert offenders == {}


def test_what_identifies_an_engine_is_detected() -> None:
    assert {"godot", "unity", "tiled", "ldtk", "project.godot", "Assets", ".gdignore"} <= known()
    code = PACKAGE / "targets" / "godot.py"
    assert {"godot", "project.godot"} <= set(words(code))
