"""The rooms of the architecture page: each imports only what the page allows, all below it."""

import ast
import re
from functools import cache
from pathlib import Path

import exporter

PACKAGE = Path(exporter.__file__).parent
ROOT = {"__init__", "__main__", "extend"}  # the public faces: never imported inside

PAGE = PACKAGE / "docs" / "explanation" / "architecture.md"


def table() -> dict[str, set[str]]:
    """The rooms of the architecture page, from the top down, with those each may import."""
    rooms = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        row = re.fullmatch(r"\| `(\w+)` \| [^|]+ \|([^|]*)\|", line)
        if row is not None:
            rooms[row[1]] = set(re.findall(r"`(\w+)`", row[2]))
    return rooms


TABLE = table()
# Rooms that may ask clocks, threads and processes, and touch files and terminals.
INPUT_AND_OUTPUT = {"agents", "cli", "console", "studio", "watch", "export", "store", "project"}
# Modules outside those rooms that reach for the world, and why.
EXCEPTIONS = {
    "formats/godot/scripts.py": "reads the scripts that are built into scenes",
    "formats/images/sprites.py": "reads the drawings in the file beside it",
    "model/input_files.py": "reads input files: regular ones alone, each up to a size",
    "model/installed.py": "looks which installed packages bring entries",
    "reading/reader.py": "reads the one spec file that `load_level` names",
    "explore/processes.py": "starts the processes that look at levels",
    "build/files.py": "reads the input files a spec names, and records them",
    "packs/pack.py": "reads a level of a pack when it is asked for; computes with dates",
    "packs/inspection.py": "reads the beginning of a file",
}
CLOCKS = {
    "time", "datetime", "random", "secrets", "socket", "threading", "multiprocessing",
    "subprocess", "signal", "tempfile", "shutil", "watchdog",
}  # fmt: skip
FILE_METHODS = {
    "read_bytes", "read_text", "write_bytes", "write_text", "mkdir", "unlink", "rename",
    "rmdir", "touch", "stat",
}  # fmt: skip


@cache
def modules() -> list[Path]:
    return sorted(
        path for path in PACKAGE.rglob("*.py") if "templates" not in path.relative_to(PACKAGE).parts
    )


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported_modules(path: Path) -> set[str]:
    """The modules a file imports anywhere, for type checking and inside functions too."""
    result = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path} imports relatively"
            result |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
    return result


def imported_rooms(path: Path) -> set[str]:
    return {
        name.split(".")[1]
        for name in imported_modules(path)
        if name.startswith("exporter.") and (PACKAGE / name.split(".")[1]).with_suffix("").name
    }


def in_rooms() -> list[Path]:
    return [path for path in modules() if room_of(path) not in ROOT]


def test_dataclasses_of_the_package_are_lazy():
    standard = {
        name_of(path)
        for path in modules()
        if "dataclasses.dataclass" in imported_modules(path) and room_of(path) != "deflate"
    }
    # Use `from exporter.model.lazy_dataclass import dataclass`: it costs a tenth at start-up.
    assert standard == {"model/lazy_dataclass.py"}


def test_every_room_is_in_the_table() -> None:
    assert {room_of(path) for path in in_rooms()} == set(TABLE)


def test_the_table_has_no_way_up() -> None:
    order = list(TABLE)
    for position, (room, below) in enumerate(TABLE.items()):
        assert below <= set(order[position + 1 :]), f"{room} imports from above"


def test_a_room_imports_only_what_the_table_allows() -> None:
    offenders = {}
    for path in in_rooms():
        room = room_of(path)
        if strangers := imported_rooms(path) - TABLE[room] - {room}:
            offenders[name_of(path)] = strangers
    assert offenders == {}


def test_no_room_imports_a_private_module_of_another() -> None:
    offenders = {
        name_of(path): name
        for path in modules()
        for name in imported_modules(path)
        if re.match(r"exporter\.(\w+\.)+_[a-z]", name) and name.split(".")[1] != room_of(path)
    }
    assert offenders == {}


def test_the_table_allows_nothing_that_is_not_used() -> None:
    used: dict[str, set[str]] = {room: set() for room in TABLE}
    for path in in_rooms():
        used[room_of(path)] |= imported_rooms(path) - {room_of(path)}
    assert used == TABLE


def test_no_two_modules_import_each_other() -> None:
    names = {}
    for path in modules():
        parts = ("exporter", *path.relative_to(PACKAGE).with_suffix("").parts)
        names[".".join(part for part in parts if part != "__init__")] = path
    graph = {}
    for name, path in names.items():
        imported = {
            module if module in names else module.rpartition(".")[0]
            for module in imported_modules(path)
        }
        graph[name] = {item for item in imported if item in names and item != name}
    while graph:
        free = {name for name, below in graph.items() if not below & graph.keys()}
        assert free, f"these import each other: {sorted(graph)}"
        graph = {name: below for name, below in graph.items() if name not in free}


def test_the_core_asks_no_clock_and_touches_no_file() -> None:
    offenders = {}
    for path in in_rooms():
        if room_of(path) in INPUT_AND_OUTPUT or name_of(path) in EXCEPTIONS:
            continue
        uses = {name for name in imported_modules(path) if name.split(".")[0] in CLOCKS}
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Name) and node.func.id in {"open", "print", "input"}:
                    uses.add(node.func.id)
                elif isinstance(node.func, ast.Attribute) and node.func.attr in FILE_METHODS:
                    uses.add(node.func.attr)
        if uses:
            offenders[name_of(path)] = uses
    assert offenders == {}


def test_public_names_are_sorted_and_exist() -> None:
    assert sorted(exporter.__all__) == exporter.__all__
    for name in exporter.__all__:
        assert getattr(exporter, name) is not None
