"""Metrics: numbers that tell what a level is like; one file each, named as users write it.

A metric is a pure function from a `Measured` level to a number:

    @metric("floor", most=1.0)
    def measure(measured: Measured) -> float:
        '''Share of the cells that can be walked on.'''
        return measured.floor_count / measured.cells

`Measured` computes what several metrics need once, and only if one of them asks. A metric with
arguments is a family: `objects.chest` counts the objects called `chest`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import getdoc
from math import isfinite
from typing import Any, Literal, TypeVar

from exporter.model.registry import Registry

Number = int | float
Measure = Callable[..., Number]
# What an argument is: the name of objects, or a whole number from 0.
Argument = Literal["object", "number"]
# What a metric needs besides walkable cells. Without needs it can be measured of one layer, too.
Need = Literal["visibility", "objects", "level"]
Function = TypeVar("Function", bound=Measure)


@dataclass(frozen=True, slots=True)
class Metric:
    """A registered metric.

    Attributes:
        name: As users write it, without arguments.
        measure: The function: a `Measured`, then the arguments.
        unit: Of its values (`steps`, `cells`); `share` where the largest value is 1, empty for a
            number of things.
        summary: What it is, in a sentence.
        definition: The rest that somebody else needs to compute it; may be empty.
        most: Its largest value: 1 for a share; None if there is none.
        arguments: What its arguments are, in order.
        optional: Whether the arguments can be left out, all together.
        needs: What of a level it needs besides its walkable cells: `visibility`, `objects`, or
            `level` for anything else that a single layer does not have.
        source: Where the definition is from.
        also: Words people use for it.
    """

    name: str
    measure: Measure
    unit: str = ""
    summary: str = ""
    definition: str = ""
    most: float | None = None
    arguments: tuple[Argument, ...] = ()
    optional: bool = False
    needs: frozenset[Need] = frozenset()
    source: str = ""
    also: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether it can be named without arguments."""
        return self.optional or not self.arguments


METRICS: Registry[Metric] = Registry("exporter.metrics", "metric", Metric)


def metric(
    name: str,
    *,
    unit: str = "",
    most: float | None = None,
    arguments: tuple[Argument, ...] = (),
    optional: bool = False,
    needs: tuple[Need, ...] = (),
    source: str = "",
    also: tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Register the decorated function as the metric `name`.

    The first paragraph of its docstring says what the metric is, the next one how exactly it is
    computed. It returns a finite number, at
    least 0, or raises `NotMeasurableError` where a level lacks what is measured. See `Metric` for
    the rest.
    """

    def register(function: Function) -> Function:
        measure: Measure = function
        if not METRICS.is_ours(function.__module__):
            measure = METRICS.guarded(name, _checked(name, function))
        summary, _, definition = (getdoc(function) or "").partition("\n\n")
        entry = Metric(
            name,
            measure,
            unit or ("share" if most == 1 else ""),
            " ".join(summary.split()),
            " ".join(definition.split()),
            most,
            arguments,
            optional,
            frozenset(needs),
            source,
            also,
        )
        METRICS.add(name, entry, function.__module__)
        return function

    return register


def _checked(name: str, function: Measure) -> Measure:
    """Return the function of another distribution, with what it returns looked at."""

    @wraps(function)
    def checked(*arguments: Any) -> Number:
        value = function(*arguments)
        value = value.item() if hasattr(value, "item") else value
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            what = f"returned {value!r} (it must return a finite number)"
            raise METRICS.fault(name, what, function)
        return value

    return checked
