"""Tests that judge the mutants of a package: its own, then those of its main users."""

from __future__ import annotations

from pathlib import Path

# Folders and files under tests/ that run after the folder of the package's own name.
FURTHER = {
    "cli": ("console", "test_documentation.py"),
    "console": ("cli",),
    "codecs": ("blob", "vectors"),
    "deflate": ("model", "formats"),
    "export": ("console",),
    "grids": ("generators", "tilesets"),
    "kernels": ("grids", "placement", "visibility", "codecs", "generators"),
    "missions": ("build/test_missions.py",),
    "model": ("store", "reading", "build"),
    "placement": ("build/test_costs.py", "measures/test_refused.py"),
    "project": ("export/test_reports.py",),
    "streams": ("generators",),
    "studio": ("reading",),
    "tilesets": ("targets",),
}


def packages(checkout: Path) -> list[str]:
    """Return the packages that have modules."""
    folders = sorted((checkout / "exporter").iterdir())
    return [folder.name for folder in folders if (folder / "__init__.py").exists()]


def tests_of(checkout: Path, package: str) -> list[str]:
    """Return the test files that judge a package, relative to the checkout, nearest first."""
    files: list[str] = []
    for name in (package, *FURTHER.get(package, ())):
        path = checkout / "tests" / name
        result = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        files += [file.relative_to(checkout).as_posix() for file in result if file.exists()]
    return files
