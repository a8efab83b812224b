"""Convert problems of specs to the form that the page gets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import cast

from exporter.model.errors import Problem
from exporter.studio.common_events import ProblemData


def problem_fields(problem: Problem) -> ProblemData:
    """Return `problem` as the page gets it.

    `path` is the parameter at fault, `text` the whole problem as the terminal prints it.
    """
    return cast("ProblemData", {**asdict(problem), "text": problem.render()})


def problems_fields(problems: Iterable[Problem]) -> list[ProblemData]:
    """Return `problems` as the page gets them."""
    return [problem_fields(problem) for problem in problems]
