"""Check expressions over a level's metrics, such as those of a search.

The same checks are used for `seed: {search: ...}` in a spec, where a fault has a position inside
the text of the file, and for options of commands.
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

    Args:
        name: The name in the expression.
        objects: The names of the spec's objects.
        sight: Whether the spec has a `visibility:`.

    Raises:
        ParameterError: There is no such metric, or nothing to measure.
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
    """Parse an expression over metrics that levels of the spec can have.

    Args:
        text: The expression.
        kind: What the expression must give: a condition or a number.
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
    """Yield the problems of a seed search, at positions inside its texts.

    Args:
        spec: A spec with a search.
        objects: The names of all objects of the spec.
        sight: Whether the spec has a `visibility:`.
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
    """Return the problem of `error`, at its position inside a value's `text`.

    `path` is the value's path in the file.

    The value of a text with escapes, or over several lines, differs from the file, so its problems
    are reported at its start.
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
