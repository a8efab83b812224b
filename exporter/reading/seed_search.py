"""Check expressions over a level's metrics, such as in a seed search.

The same checks serve `seed: {search: ...}` in a spec, where a fault has a position inside the text
of the file, and options of commands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from exporter.measures.names import NamedMetric, named_metric
from exporter.model.errors import ParameterError, Problem
from exporter.model.expressions import Expression, ExpressionError, Kind, parse_expression
from exporter.model.suggestions import unknown_name
from exporter.reading.level_spec import LevelSpec
from exporter.reading.yaml_reader import Document, Mark
from exporter.reading.yaml_reader import Path as ValuePath

SEARCH_FOR = "the search has no goal, `where` or `best` (add `best: farthest`)"


def measurable(name: str, objects: Collection[str], *, sight: bool) -> NamedMetric:
    """Return the metric called `name`, if levels of the spec can have it.

    `objects` are the names of the spec's objects; `sight` is whether the spec has a `visibility:`.

    Raises:
        ParameterError: There is no such metric, or the spec lacks what it measures.
    """
    named = named_metric(name)
    for item in named.objects:
        if item not in objects:
            raise ParameterError(unknown_name("object", item, sorted(objects)))
    if "visibility" in named.metric.needs and not sight:
        raise ParameterError(
            f"{named} needs the level's `visibility:` (add `visibility: {{radius: 8}}`)"
        )
    return named


def metric_expression(
    text: str, kind: Kind, objects: Collection[str], *, sight: bool
) -> tuple[Expression, tuple[NamedMetric, ...]]:
    """Parse `text`, an expression over metrics of a spec's levels.

    Args:
        text: The expression.
        kind: What it must give: a condition or a number.
        objects: The names of the spec's objects.
        sight: Whether the spec has a `visibility:`.

    Returns:
        The expression, and the metrics in it, each once.

    Raises:
        ExpressionError: The expression is malformed or has unknown names; the error has the
            position in the text.
    """
    expression = parse_expression(text, kind)
    metrics = {}
    for position in expression.places:
        try:
            metrics[position.name] = measurable(position.name, objects, sight=sight)
        except ParameterError as error:
            raise ExpressionError(error.message, position.start, position.length) from None
    return expression, tuple(metrics.values())


def search_problems(spec: LevelSpec, objects: Collection[str], *, sight: bool) -> Iterator[Problem]:
    """Yield the problems of the seed search of `spec`, which must have one.

    `objects` are the names of the spec's objects; `sight` is whether it has a `visibility:`.
    """
    assert spec.search is not None
    path: ValuePath = ("seed",)
    if spec.search.where is None and spec.search.best is None:
        yield spec.document.problem((*path, "search"), SEARCH_FOR, at_key=True)
    texts: tuple[tuple[str, str | None, Kind], ...] = (
        ("where", spec.search.where, "condition"),
        ("best", spec.search.best, "number"),
    )
    for key, text, kind in texts:
        if text is None:
            continue
        try:
            metric_expression(text, kind, objects, sight=sight)
        except ExpressionError as error:
            yield problem_inside(spec.document, (*path, key), text, error)


def problem_inside(
    document: Document, path: ValuePath, text: str, error: ExpressionError
) -> Problem:
    """Return `error` as a problem at its position inside the value at `path`.

    `text` is the value. If the file has it in another form (with escapes, or on several lines), the
    problem is at the start of the value.
    """
    mark = document.values[path]
    start = document.text.find(text, mark.start, mark.end)
    if start < 0:
        return document.problem(path, error.message)
    position = start + error.start
    before = document.text[:position]
    line = before.count("\n")
    column = position - (before.rfind("\n") + 1)
    inside = Mark(line, column, error.length, position, position + error.length)
    return document.problem_at(inside, error.message, path=path)
