"""Search for levels from Python, by the function `find_seeds`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from exporter.explore.finding import RunningSearch
from exporter.explore.search import SearchedLevels, search_for
from exporter.explore.varying import varied_parameters
from exporter.model.errors import ParameterError
from exporter.reading.level_spec import LevelSpec


def find_seeds(
    spec: LevelSpec,
    count: int = 50,
    where: str = "",
    vary: Mapping[str, Sequence[Any]] | None = None,
    spread: Sequence[str] = (),
    budget: int = 10_000,
    *,
    sort: str = "",
    jobs: int = 1,
    root: Path | None = None,
) -> SearchedLevels:
    """Try many levels of one spec, and return the best.

    Args:
        spec: The spec. Its own seed is not used.
        count: The number of levels to find.
        where: The condition that levels must meet, over metrics: `farthest >= 80 and dead_ends <=
            6`.
        vary: Parameters of layers to vary: `{"ground.wall_percent": (38, 46)}`. A tuple of two
            numbers is a range, any other value is a list of choices.
        spread: Metrics in which the levels should differ from each other as much as possible, at
            most 3. Then the whole budget is used.
        budget: How many levels to try at most. Without `spread` and `sort` the search ends when
            `count` levels are found.
        sort: The metric by which found levels are sorted, ascending; `-farthest` sorts descending.
            Without `spread` these levels are the best of the whole budget.
        jobs: The number of processes; the result is the same for any number.
        root: The folder that the spec's input files must lie in; None for the spec's own folder.

    Returns:
        The levels, each with `seed`, `parameters` and `metrics`, and statistics of the search.

    Raises:
        ExpressionError: `where` is no condition over metrics of such levels.
        ParameterError: Another argument is wrong.
    """
    for name, value in (("count", count), ("budget", budget), ("jobs", jobs)):
        if type(value) is not int:
            raise ParameterError(f"{name}: {value!r} is not a whole number")
    for name, text in (("where", where), ("sort", sort)):
        if not isinstance(text, str):
            raise ParameterError(f"{name}: {text!r} is not text")
    if jobs < 1:
        raise ParameterError(f"jobs: {jobs} is out of range (allowed: 1 or more)")
    if isinstance(spread, str):
        raise ParameterError(
            f"spread: {spread!r} is a text, not a list of metrics (write ({spread!r},))"
        )
    varied = varied_parameters(vary or {}, spec)
    search = search_for(
        spec,
        root=root,
        count=count,
        budget=budget,
        where=where,
        varied=varied,
        spread=spread,
        sort=sort,
    )
    return RunningSearch(search).run(jobs)
