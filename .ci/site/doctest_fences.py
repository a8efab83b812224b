"""Fence docstrings' examples: Markdown takes `>>>` for a quotation."""

from __future__ import annotations

import re

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.M)


def with_fences(docstring: str) -> str:
    """Return a docstring whose examples are blocks of code."""
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", docstring)
