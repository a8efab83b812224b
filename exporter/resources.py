"""Where the templates are: inside the package when installed, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path


def templates() -> Path:
    """Return the folder of templates.

    An editable install does not map the top-level `templates` folder into the package, so both
    places are looked at.
    """
    here = Path(__file__).resolve().parent
    inside = here / "templates"
    return inside if inside.is_dir() else here.parent / "templates"
