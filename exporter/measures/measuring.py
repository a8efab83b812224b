"""Compute metrics of a level by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from exporter.measures import Number, metrics
from exporter.measures.measured import Measured
from exporter.measures.names import NamedMetric, named_metrics
from exporter.model.errors import NotMeasurableError, ParameterError
from exporter.model.level import Layer, Level


def measure(level: Level | Layer, names: Iterable[str] | None = None) -> dict[str, Number]:
    """Return metrics of `level`, or of a single layer, by name.

    >>> from exporter.model.level import Level
    >>> measure(Level("empty", 8, 8), ["objects.chest"])
    {'objects.chest': 0}

    Args:
        level: The level or layer.
        names: The names of metrics, as in `require:` (`farthest`, `objects.chest`). Default: all
            applicable metrics without arguments, and `objects.NAME` for every name.

    Returns:
        The values in the order of the names: integers for counts, else floats.

    Raises:
        ParameterError: There is no such metric; or, as `NotMeasurableError`, the level lacks what
            it measures.
    """
    measured = Measured(level)
    if isinstance(names, str):
        raise ParameterError(f"the metrics must be a list (write [{names!r}])")
    if names is not None:
        return {
            str(named_metric): value_of(named_metric, measured)
            for named_metric in named_metrics(list(names))
        }
    return dict(everything(measured))


def value_of(named: NamedMetric, measured: Measured) -> Number:
    """Compute the metric `named` for a level; errors contain its name.

    Raises:
        NotMeasurableError: The level lacks what the metric measures.
        ParameterError: The metric cannot be computed.
    """
    try:
        return named.value(measured)
    except NotMeasurableError as error:
        raise NotMeasurableError(f"{named}: {error.message}") from None
    except ParameterError as error:
        raise type(error)(f"{named}: {error.message}", error.path) from None


def everything(measured: Measured) -> Iterator[tuple[str, Number]]:
    """Yield name and value of every metric that suits `measured`.

    Of metrics with arguments, only those whose one argument is the name of an object are computed,
    for every name.

    Raises:
        RegistryError: A third-party metric cannot be used.
        ParameterError: A metric cannot be computed.
    """
    for metric in metrics().values():
        try:
            if metric.plain:
                yield metric.name, value_of(NamedMetric(metric), measured)
            elif metric.arguments == ("object",):
                for name in measured.objects:
                    named = NamedMetric(metric, (name,))
                    yield str(named), value_of(named, measured)
        except NotMeasurableError:
            continue
