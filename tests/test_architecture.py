"""The rooms of the house: who may import whom."""

import ast
from pathlib import Path

import pytest

import exporter

PACKAGE = Path(exporter.__file__).parent
RIM = {
    "cli", "__main__", "watch", "reporting", "initialising", "checking", "reference", "export",
    "store", "disk", "manifest", "workers", "cache", "building", "status", "plugins",
    "results", "seen",
}  # fmt: skip
# What each room may import of ours, besides itself and the base modules.
BASE = {"errors", "parameters", "registry", "level", "_version", "colors"}
ALLOWED = {
    "errors": set(),
    "_version": set(),
    "registry": set(),
    "parameters": {"errors"},
    "level": {"visibility", "tilesets"},  # names for type checking alone, see below
    "colors": set(),
    "kernels": {"kernels"},
    "streams": BASE | {"kernels"},
    "grids": BASE | {"kernels"},
    "views": BASE,
    "visibility": BASE | {"grids", "kernels"},
    "generators": BASE | {"grids", "kernels", "streams", "visibility"},
    "placement": BASE | {"grids", "kernels", "streams"},
    "tables": BASE,
    "puzzles": BASE | {"kernels", "streams"},
    "byte_entropy": BASE,
    "deflate": BASE | {"kernels"},
    "codecs": BASE | {"kernels", "grids", "byte_entropy", "deflate"},
    "blob": BASE | {"codecs", "visibility", "kernels", "byte_entropy"},
    "inspection": BASE | {"blob", "codecs", "byte_entropy"},
    "tilesets": BASE | {"grids", "kernels"},
    "formats": BASE | {"deflate", "grids", "tilesets", "kernels", "codecs", "blob", "views"},
    "targets": BASE | {"formats", "tilesets", "blob"},
    "spec": BASE
    | {"generators", "placement", "tables", "puzzles", "visibility", "tilesets"},
    "project": BASE | {"spec", "targets"},
    "build": BASE
    | {"spec", "generators", "grids", "streams", "visibility", "placement", "tables", "puzzles",
       "tilesets", "stages", "guarantees", "keys"},
    "guarantees": BASE | {"generators", "grids", "spec"},
    "keys": set(),
    "stages": BASE | {"keys"},
    "resources": set(),
}  # fmt: skip


def modules() -> list[Path]:
    return sorted(
        path for path in PACKAGE.rglob("*.py") if "templates" not in path.relative_to(PACKAGE).parts
    )


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    name = first.removesuffix(".py")
    return name.removeprefix("_").split("_")[0] if name.startswith("_placement") else name


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "exporter" and len(parts) > 1:
                rooms.add("_version" if parts[1] == "__version__" else parts[1])
    return rooms


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_what_it_may(path: Path) -> None:
    room = room_of(path)
    if room in RIM or room == "__init__":
        return
    assert room in ALLOWED, f"{room} is a new room: say here what it may import"
    strangers = imported_rooms(path) - ALLOWED[room] - {room}
    strangers = {name for name in strangers if not name.startswith(f"_{room}")}
    assert not strangers, f"{path.name} imports {sorted(strangers)}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nobody_inside_imports_the_rim(path: Path) -> None:
    if room_of(path) in RIM | {"__init__"}:
        return
    assert not imported_rooms(path) & RIM


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_core_asks_no_clock_and_writes_no_file(path: Path) -> None:
    if room_of(path) in RIM | {"__init__", "project", "resources"}:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        (node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    assert not imported & {"time", "datetime", "random", "secrets", "socket", "threading"}
    calls = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not calls & {"open", "print", "input"}


def test_public_names_are_sorted_and_exist() -> None:
    assert sorted(exporter.__all__) == exporter.__all__
    for name in exporter.__all__:
        assert getattr(exporter, name) is not None
