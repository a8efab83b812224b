"""Problems as the page gets them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from exporter.model.errors import Problem


def problem_fields(problem: Problem) -> dict[str, Any]:
    """Return a problem for the page, with the very lines that the terminal shows.

    Its `path` tells the page the parameter it is about.
    """
    return {**asdict(problem), "text": problem.render()}


def problems_fields(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return problems for the page."""
    return [problem_fields(one) for one in problems]
