"""Write a new extension package: a generator, its tests and a level.

This is `exporter init --extension`. The files are copied from `templates/extension`, with the name
replaced. The template is a working package, so a test can build and run the files that users get.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Collection
from pathlib import Path

from exporter.model.installed import templates
from exporter.model.parameters import DEVICE_NAMES
from exporter.project.start_plan import PlannedFile, StartError, StartPlan

# The name in the template, as a distribution and as a package.
_DISTRIBUTION, _PACKAGE = "my-extension", "my_extension"
_NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAXIMUM_NAME = 60
# What an extension needs or is tested and installed with, by the names for pip and for Python. They
# are refused also where they are not installed.
_NEEDED = {
    *(
        "exporter",
        "level_exporter",
        "numpy",
        "pillow",
        "pil",
        "pydantic",
        "pydantic_core",
        "pyyaml",
    ),
    *("yaml", "watchdog", "websockets", "zstandard"),
    *("distributed", "dask", "fsspec", "s3fs", "pytest", "pip", "setuptools", "wheel", "test"),
}
# Other folders of the package, and the entries of its `.gitignore`.
_FOLDERS = {"tests", "levels", "exported", "build", "dist"}


def plan_extension(folder: Path, name: str, used: Collection[str] = ()) -> StartPlan:
    """Return the files of a new extension package, without writing them.

    Args:
        folder: The package's folder, in which only `.git` may exist.
        name: The package's name for pip; in Python and in specs it has `_` for `-`.
        used: The names of existing generators.

    Raises:
        StartError: The name cannot be used, or the folder is not empty.
    """
    check_name(name, used)
    if folder.is_dir() and any(path.name != ".git" for path in folder.iterdir()):
        raise StartError(
            f"{folder} is not empty (name a new folder: exporter init --extension {name} DIR)"
        )
    source = templates() / "extension"
    files = [
        PlannedFile(_renamed(path.relative_to(source).as_posix(), name), _content(path, name))
        for path in sorted(source.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]
    return StartPlan((), tuple(files))


def check_name(name: str, used: Collection[str] = ()) -> None:
    """Check that `name` can be the name of a new extension package.

    `used` has the names of existing generators.

    Raises:
        StartError: The name cannot be used; the message says why.
    """
    package = name.replace("-", "_")
    if not _NAME.fullmatch(name) or len(name) > MAXIMUM_NAME:
        raise StartError(
            f"{name!r} cannot be the name of an extension (allowed: at most {MAXIMUM_NAME} small "
            "letters, digits and single `-`, beginning with a letter)"
        )
    other = f"choose another name, such as '{name}-maps'"
    if package in sys.stdlib_module_names or keyword.iskeyword(package) or package in _NEEDED:
        raise StartError(f"{name!r} is already the name of a Python module ({other})")
    if package in _FOLDERS:
        raise StartError(f"{name!r} is already the name of a folder of the package ({other})")
    if DEVICE_NAMES.fullmatch(name):
        raise StartError(f"{name!r} is the name of a device on Windows ({other})")
    if package in used:
        raise StartError(f"there is a generator {package!r} already ({other})")
    installed = _installed(name, package)
    if installed:
        raise StartError(f"{installed} is installed already ({other})")


def _installed(name: str, package: str) -> str:
    """Describe the installed package that already has a name, or return "".

    `name` is the name for pip, `package` that in Python.
    """
    from importlib.metadata import PackageNotFoundError, distribution
    from importlib.util import find_spec

    try:
        return f"the package {name!r} {distribution(name).version}"
    except PackageNotFoundError:
        pass
    # A folder without modules, such as the one for the new package, is found too, without a loader.
    spec = find_spec(package)
    return f"the Python package {package!r}" if spec is not None and spec.loader else ""


def _content(path: Path, name: str) -> bytes:
    return _renamed(path.read_text(encoding="utf-8"), name).encode()


def _renamed(text: str, name: str) -> str:
    return text.replace(_DISTRIBUTION, name).replace(_PACKAGE, name.replace("-", "_"))
