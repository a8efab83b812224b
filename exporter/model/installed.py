"""Find installed extensions and the templates folder, without importing.

Extensions register themselves as entry points, lines in the metadata of their distribution. Every
export looks for them, so the search must be fast; importing `importlib.metadata` alone takes longer
than an export with nothing to do. So the `entry_points.txt` of every distribution on `sys.path` is
searched for the exporter's groups, and only those with a match are parsed by the standard library.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import Distribution
    from string import Template

# Every group is named after the package that it extends: `exporter.generators`.
PREFIX = "exporter."
_SECTION = f"[{PREFIX}".encode()
_METADATA_FOLDERS = (".dist-info", ".egg-info")


class EntryPoint(NamedTuple):
    """An entry point: how an installed distribution names code of its own.

    Attributes:
        group: The package that the entry extends, such as `exporter.generators`.
        name: The name that users write.
        value: The code to import: a module, or `module:object`.
        distribution: The distribution's name and version, for messages.
    """

    group: str
    name: str
    value: str
    distribution: str

    @property
    def module(self) -> str:
        """The dotted name of the module to import."""
        return self.value.partition(":")[0].partition("[")[0].strip()


def entry_points(group: str = "") -> tuple[EntryPoint, ...]:
    """Return the sorted entry points of `group`; if "", of all groups.

    Only the exporter's groups count. The result is cached for each state of `sys.path`.
    """
    result = _find(tuple(sys.path))
    return tuple(point for point in result if group in ("", point.group))


@lru_cache(maxsize=4)
def _find(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    points: dict[str, list[EntryPoint]] = {}
    for distribution in _distributions(path):
        name = distribution.metadata["Name"]
        # As everywhere in Python, what comes first on the path hides what comes later.
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in points:
            continue
        words = f"{name} {distribution.version}"
        points[key] = [
            EntryPoint(point.group, point.name, point.value, words)
            for point in distribution.entry_points
            if point.group.startswith(PREFIX)
        ]
    every = (point for listed in points.values() for point in listed)
    return tuple(sorted(every, key=lambda point: (point.group, point.name, point.distribution)))


def _distributions(path: tuple[str, ...]) -> Iterator[Distribution]:
    """Yield the distributions on `path` that may extend the exporter.

    Their `entry_points.txt` contains the name of one of the exporter's groups.
    """
    for position in path:
        try:
            with os.scandir(position or ".") as entries:
                folders = sorted(e.path for e in entries if e.name.endswith(_METADATA_FOLDERS))
        except OSError:
            continue
        for folder in folders:
            if _names_our_groups(folder):
                from importlib.metadata import Distribution

                yield Distribution.at(folder)


def _names_our_groups(folder: str) -> bool:
    try:
        with open(f"{folder}/entry_points.txt", "rb") as file:
            return _SECTION in file.read()
    except OSError:
        return False


def templates() -> Path:
    """Return the folder `templates`, which has the exporter's data files.

    It is inside the package, or beside it in an editable install.
    """
    package = Path(__file__).parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def page_template(name: str) -> Template:
    """Return the page `templates/pages/<name>.html`, with `${...}` to fill in."""
    from string import Template

    return Template((templates() / "pages" / f"{name}.html").read_text(encoding="utf-8"))
