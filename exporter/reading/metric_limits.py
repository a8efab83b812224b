"""Read the limits on metrics in the key `require` of a spec.

In `require: {connected: true, farthest: {at_least: 80}}`, `connected` is a field of `Requirements`,
and `farthest` is a metric. Any registered metric can be limited, so metrics are not fields.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from exporter.measures import MEASURES
from exporter.measures.names import NamedMetric, is_metric, named_metric
from exporter.model.errors import ParameterError
from exporter.model.limits import MAXIMUM_REQUIRED_METRICS
from exporter.model.suggestions import did_you_mean, suggestions, unknown_name
from exporter.reading.limit_keys import LevelRequirements, Limit, MetricLimit, Requirements
from exporter.reading.section_reader import SectionReader
from exporter.reading.validation import describe, known_keys, other_words, unknown_key
from exporter.reading.yaml_reader import Path as ValuePath

NO_SIGHT = (
    "{name} needs the level's `visibility:` block (add `visibility: {{radius: 8}}` at the left "
    "margin)"
)


def plain_part(data: Any, kind: type[Requirements]) -> Any:
    """Return `data`, the value of `require`, without its metrics.

    The other keys are fields of the dataclass `kind`.
    """
    if not isinstance(data, dict):
        return data
    known = known_keys(kind, ())
    return {key: value for key, value in data.items() if key in known}


def read_limits(
    reader: SectionReader, data: Any, kind: type[Requirements], path: ValuePath
) -> tuple[MetricLimit, ...]:
    """Return the valid limits on metrics in `data`; report the faulty ones.

    Args:
        reader: Collects the problems.
        data: The value of `require`.
        kind: The dataclass of the other keys: `LevelRequirements` for the level, `Requirements` for
            a layer.
        path: The path of `require`.
    """
    limits: list[MetricLimit] = []
    known = known_keys(kind, ())
    entries = data.items() if isinstance(data, dict) else ()
    others = [(key, value) for key, value in entries if key not in known]
    if len(others) > MAXIMUM_REQUIRED_METRICS:
        message = f"{len(others)} metrics are too many (allowed: {MAXIMUM_REQUIRED_METRICS})"
        reader.note(path, message)
        return ()
    for key, value in others:
        message = _key_problem(key, kind)
        if message:
            reader.note((*path, key), message, at_key=True)
            continue
        limit = _read_limit(reader, key, value, (*path, key))
        if limit is not None:
            limits.append(MetricLimit(key, limit))
    return tuple(limits)


def unmet_needs(
    limits: Sequence[MetricLimit], objects: Collection[str], *, sight: bool
) -> Iterator[tuple[ValuePath, str]]:
    """Yield path and message of each limited metric that cannot be measured.

    `objects` are the names of the spec's objects; `sight` is whether the spec has a `visibility:`.
    """
    for limit in limits:
        named = named_metric(limit.name)
        if "visibility" in named.metric.needs and not sight:
            yield (limit.name,), NO_SIGHT.format(name=named.metric.name)
        for name in named.objects:
            if name not in objects:
                yield (limit.name,), unknown_name("object", name, sorted(objects))


def _key_problem(key: str, kind: type[Requirements]) -> str:
    """Return why `key` is not a metric that can be limited, or "".

    `kind` is `LevelRequirements` for the limits of the level, and `Requirements` for those of a
    layer.
    """
    layer = kind is Requirements
    if layer and key == "start":
        return (
            "`start` cannot be used in a layer: objects are placed when all layers are made (write "
            "`require: {min_distance: 60, start: player}` at the left margin)"
        )
    if layer and key in known_keys(LevelRequirements, ()):
        return f"`{key}` is a limit for the level, not for a layer (write it at the left margin)"
    if not is_metric(key.partition(".")[0]):
        return _unknown(key, kind)
    try:
        named = named_metric(key)
    except ParameterError as error:
        return error.message
    if layer and named.metric.needs:
        return (
            f"`{named}` is a metric of the level, not of a layer (write it in a `require` at the "
            "left margin)"
        )
    return ""


def _unknown(key: str, kind: type[Requirements]) -> str:
    known = known_keys(kind, ())
    if ":" in key:
        return unknown_key(key, kind)
    words: dict[str, tuple[str, ...]] = other_words(kind)
    metrics = []
    for name, item in MEASURES.usable().items():
        if item.number is not None and (not item.needs or kind is not Requirements):
            metrics.append(name)
            words[name] = item.also
    meant = suggestions(key, [*known, *metrics], words)
    if meant:
        return f"unknown key {key!r} ({did_you_mean(meant)})"
    names = ", ".join(metrics)
    return f"unknown key {key!r} (allowed: {', '.join(known)}, and the metrics {names})"


def _read_limit(reader: SectionReader, key: str, value: Any, path: ValuePath) -> Limit | None:
    if not isinstance(value, Mapping):
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        example = f"`{key}: {{at_least: {value if plain else 1}}}`"
        reader.note(path, f"expected limits as in {example}, not {describe(value)}")
        return None
    limit: Limit | None = reader.check(Limit, value, path)
    if limit is None or not reader.attempt(path, limit.check, 1, 1):
        return None
    for bound, message in _impossible(named_metric(key), limit):
        reader.note((*path, bound), message)
    return limit


def _impossible(named: NamedMetric, limit: Limit) -> Iterator[tuple[str, str]]:
    """Yield key and message of each bound in `limit` that no value can meet."""
    most = named.metric.most
    for bound in ("at_least", "at_most", "equals"):
        value = getattr(limit, bound)
        if value is None or most is None or value <= most:
            continue
        hint = f"; {value:g} % is {value / 100:g}" if most == 1 and value <= 100 else ""
        yield bound, f"{value:g} is out of range (allowed for {named}: 0 to {most:g}{hint})"
