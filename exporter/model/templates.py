"""Find the templates: inside the package, or beside it in a checkout."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def templates() -> Path:
    """Return the folder of templates.

    An editable install does not map the top-level `templates` folder into the package, so both
    folders are tried.
    """
    package = Path(str(files("exporter")))
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"
