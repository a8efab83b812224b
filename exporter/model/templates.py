"""Find the templates: inside the package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path


def templates() -> Path:
    """Return the folder of templates.

    An editable install does not map the top-level `templates` folder into the package, so both
    folders are tried.
    """
    package = Path(__file__).parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"
