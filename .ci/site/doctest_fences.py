"""Fence docstrings' examples: Markdown takes `>>>` for a quotation."""

from __future__ import annotations

import re

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.M)


def with_fences(docstring: str) -> str:
    """Return a docstring whose examples are blocks of code."""
    return _EXAMPLE.sub(lambda result: f"```pycon\n{result[0]}\n```", docstring)
