"""The problems of a spec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exporter.model.errors import SpecError
from exporter.reading.reader import parse_level


def problems_of(text: str) -> list[str]:
    """Return the problems of a spec, as `line:column: message`."""
    return problems_in(parse_level, text.encode(), "x.level.yaml")


def problems_in(call: Callable[..., Any], *arguments: Any, **named: Any) -> list[str]:
    """Return the problems that a call raises, as `line:column: message`; none if it succeeds."""
    try:
        call(*arguments, **named)
    except SpecError as error:
        return [f"{problem.line}:{problem.column}: {problem.message}" for problem in error.problems]
    return []
