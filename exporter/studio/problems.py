"""Problems as the page gets them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import cast

from exporter.model.errors import Problem
from exporter.studio.common_events import Problem as SentProblem


def problem_fields(problem: Problem) -> SentProblem:
    """Return a problem for the page, with the terminal's lines.

    Its `path` names the parameter for the page.
    """
    return cast("SentProblem", {**asdict(problem), "text": problem.render()})


def problems_fields(problems: Iterable[Problem]) -> list[SentProblem]:
    """Return problems for the page."""
    return [problem_fields(problem) for problem in problems]
