"""Estimate which level of a search takes longest, before any is built."""

from __future__ import annotations

from typing import Any

from exporter.build.costs import estimated_costs
from exporter.build.trials import varied
from exporter.explore.search import Search
from exporter.explore.sheets import figure
from exporter.model.errors import SpecError
from exporter.reading.level_spec import LevelSpec


def most_expensive_spec(search: Search) -> tuple[LevelSpec, str]:
    """Return the spec that takes longest to build, among those of a search.

    The second value is a text for messages: the varied parameters of that spec. Both ends of each
    range and all choices are tried, one parameter after the other, since the cost mostly grows or
    falls with each. Values that the spec refuses are skipped.
    """
    chosen: dict[str, Any] = {}
    spec = search.spec
    for item in search.varied:
        costs: list[tuple[float, int, LevelSpec]] = []
        values = item.choices or (item.low, item.high)
        for index, value in enumerate(values):
            try:
                there = varied(spec, 0, [(item.layer, item.parameter, value)])
                seconds = sum(step.seconds for step in estimated_costs(there))
            except SpecError:
                continue
            costs.append((seconds, -index, there))
        if costs:
            _, index, spec = max(costs, key=lambda cost: cost[:2])
            chosen[item.name] = values[-index]
    words = ", ".join(f"{name} {figure(value)}" for name, value in chosen.items())
    return spec, words
