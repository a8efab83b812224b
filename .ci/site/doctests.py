"""Prepare input of mkdocstrings: fenced examples, and known dataclasses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import griffe

sys.path.insert(0, str(Path(__file__).parent))

from doctest_fences import with_fences


class Doctests(griffe.Extension):
    """Changes every object's docstring, and the home of `dataclass`."""

    def on_alias_instance(self, *, alias: griffe.Alias, **_: Any) -> None:
        """Let our `dataclass` count as the standard one, to show fields."""
        if alias.target_path == "exporter.model.lazy_dataclass.dataclass":
            alias.target_path = "dataclasses.dataclass"

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring is not None:
            obj.docstring.value = with_fences(obj.docstring.value)
