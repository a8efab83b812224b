"""Print Python's warnings as plain lines."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Print Python's warnings in a `with` block on stderr, one line for each."""
    with warnings.catch_warnings():
        warnings.showwarning = _show
        yield


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    print(f"exporter: warning: {message}", file=file or sys.stderr, flush=True)
