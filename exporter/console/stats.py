"""Print the metrics of a level."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from exporter.measures import Number
from exporter.measures.names import named_metric

if TYPE_CHECKING:
    from exporter.model.level import Level

# Decimals in the text output; the JSON document has all.
_DIGITS = 4


def report_metrics(level: Level, values: Mapping[str, Number], *, as_json: bool) -> None:
    """Print the metrics `values` of a level, each on a line.

    `as_json` prints one JSON document instead.
    """
    if as_json:
        document = {"level": level.name, "seed": level.seed, "metrics": dict(values)}
        print(json.dumps(document, indent=1))
        return
    for line in metric_lines(values):
        print(line)


def metric_lines(values: Mapping[str, Number]) -> list[str]:
    """Return metrics as aligned lines: name, value and unit."""
    words = {name: number_text(value) for name, value in values.items()}
    names = max(map(len, words), default=0)
    whole = max((len(text.partition(".")[0]) for text in words.values()), default=0)
    lines = []
    for name, text in words.items():
        before, point, after = text.partition(".")
        behind = f"{point}{after}".ljust(_DIGITS + 1)
        unit = named_metric(name).metric.unit
        lines.append(f"{name:<{names}}  {before:>{whole}}{behind}  {unit}".rstrip())
    return lines


def number_text(value: Number) -> str:
    """Return a number as text; a fraction with four digits."""
    return str(value) if isinstance(value, int) else f"{value:.{_DIGITS}f}"
