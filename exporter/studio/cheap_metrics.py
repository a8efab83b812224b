"""Choose the metrics that are cheap enough to show with every level."""

from __future__ import annotations

from exporter.measures import MEASURES, metrics
from exporter.measures.names import NamedMetric
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import object_names

# Names of objects whose numbers are shown; conditions can use the others.
_MOST_NAMES = 12


def cheap_metrics(spec: LevelSpec) -> list[NamedMetric]:
    """Return the metrics that are quick to measure on the levels of `spec`."""
    result = [
        NamedMetric(metric)
        for metric in metrics().values()
        if metric.plain and not metric.needs & {"visibility", "level"}
    ]
    names = list(object_names(spec))[:_MOST_NAMES]
    return result + [NamedMetric(MEASURES.get("objects"), (name,)) for name in dict.fromkeys(names)]
