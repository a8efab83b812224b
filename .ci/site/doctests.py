"""Puts fences around the examples in docstrings, where mkdocstrings reads them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import griffe

sys.path.insert(0, str(Path(__file__).parent))

from doctest_fences import with_fences


class Doctests(griffe.Extension):
    """Changes the docstring of every object that was read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring is not None:
            obj.docstring.value = with_fences(obj.docstring.value)
