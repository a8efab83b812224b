"""Identify the code that makes outputs: the exporter and its extensions.

The identity is part of every cache key, so outputs are built again after a change of the code.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from exporter._version import __version__
from exporter.model.installed import EntryPoint, entry_points, templates

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

# Also the scripts that are built into scenes, and the pictures of objects.
_CODE = (".py", ".so", ".pyd", ".gd", ".art")
_COMPILED = (".pyc", ".pyo")


@lru_cache(maxsize=1)
def code_identity() -> str:
    """Return a hash of all code, for cache keys on this machine.

    It combines versions with sizes and times of all files, so every edit of the code changes it. It
    is computed once in a process, since code is imported once.
    """
    digest = hashlib.sha256(__version__.encode())
    package = Path(__file__).parents[1]
    for position in (package, templates()):
        for path in _files_below(str(position)):
            if path.endswith(_CODE):
                digest.update(_line(os.path.relpath(path, package), path))
    digest.update(extensions_identity().encode())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def portable_identity() -> str:
    """Return a hash of all code that is equal on every machine.

    It combines versions with the contents of all Python files and pictures, and of all files of
    extensions. Line endings are ignored, because version control changes them; so are compiled
    kernels, which match their sources.
    """
    digest = hashlib.sha256(__version__.encode())
    package = str(Path(__file__).parents[1])
    digest.update(_hash_of(package, lambda path: path.endswith((".py", ".art"))))
    digest.update(_hash_of(str(templates()), lambda path: path.endswith(".gd")))
    # Where packages are installed differs, and with it their order by path.
    for item in sorted(_hash_of(position, _is_portable) for position in _extension_places()):
        digest.update(item)
    for point in entry_points():
        digest.update(f"\0{point.group}\0{point.name}\0{point.value}".encode())
        digest.update(f"\0{point.distribution}".encode())
    return digest.hexdigest()


def extensions_identity() -> str:
    """Return a hash of all installed extensions; empty without any.

    An extension is a package with entry points in the exporter's groups (names under which it
    registers generators and the like). All its files count, because it may read its data files;
    nothing is imported.
    """
    points = entry_points()
    if not points:
        return ""
    digest = hashlib.sha256()
    for point in points:
        digest.update(f"\0{point.group}\0{point.name}\0{point.value}".encode())
        digest.update(f"\0{point.distribution}".encode())
    for position in _extension_places():
        for path in _files_below(position):
            if not path.endswith(_COMPILED):
                digest.update(_line(path, path))
    return digest.hexdigest()


def _extension_places() -> list[str]:
    return sorted({position for point in entry_points() for position in _places(point)})


def _is_portable(path: str) -> bool:
    return not path.endswith((*_COMPILED, ".so", ".pyd"))


def _hash_of(position: str, counts: Callable[[str], bool]) -> bytes:
    """Hash names and contents of the files below `position`, as `counts` says.

    `counts` returns whether the file at a path is part of the hash.
    """
    digest = hashlib.sha256()
    above = os.path.dirname(position)
    for path in filter(counts, _files_below(position)):
        try:
            content = Path(path).read_bytes()
        except OSError:
            continue  # vanished meanwhile
        name = Path(os.path.relpath(path, above)).as_posix()
        content = content.replace(b"\r\n", b"\n")
        digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return digest.digest()


def _places(point: EntryPoint) -> list[str]:
    """Return the files or folders of the package that `point` belongs to.

    This is the top-level package; if that is a namespace package, which several distributions
    share, the package inside it.
    """
    first, *rest = point.module.split(".")
    spec = _spec(first)
    if spec is None:
        return []
    folders = list(spec.submodule_search_locations or ())
    while rest and spec.origin is None and folders:
        part, *rest = rest
        below = [os.path.join(folder, part) for folder in folders]
        packages = [folder for folder in below if os.path.isdir(folder)]
        if not packages:
            return [f"{path}.py" for path in below if os.path.isfile(f"{path}.py")]
        folders = packages
        if any(os.path.isfile(os.path.join(folder, "__init__.py")) for folder in folders):
            break
    return folders or ([spec.origin] if spec.origin else [])


def _spec(name: str) -> ModuleSpec | None:
    from importlib.util import find_spec

    try:
        return find_spec(name)
    except (ImportError, ValueError):
        return None


def _files_below(position: str) -> Iterator[str]:
    """Yield the file `position`, or all files below that folder, in order."""
    if os.path.isfile(position):
        yield position
    for folder, folders, files in os.walk(position):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            yield os.path.join(folder, name)


def _line(name: str, path: str) -> bytes:
    """Return a line to hash: `name`, and the size and time of file `path`.

    Empty if the file has vanished.
    """
    try:
        status = os.stat(path)
    except OSError:
        return b""
    return f"\0{name}\0{status.st_size}\0{status.st_mtime_ns}".encode()
