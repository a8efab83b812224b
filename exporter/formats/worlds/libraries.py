"""Libraries of the extra `worlds`: they are loaded where their formats are written, not before."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from exporter.model.errors import ParameterError


def extra_library(name: str, wanted: str) -> Any:
    """Return a module of a library.

    Args:
        name: The module's dotted name.
        wanted: The format that needs it.

    Raises:
        ParameterError: It is not installed, or cannot be loaded.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ParameterError(
            f"the format {wanted!r} needs a package that is not there: {error} "
            "(install it: pip install 'level-exporter[worlds]')",
            ("formats",),
        ) from None
