"""Evaluate a parsed expression; find the comparisons that make it false."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from exporter.model.lazy_dataclass import dataclass

Values = Mapping[str, float]
COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda item, other: item < other,
    "<=": lambda item, other: item <= other,
    ">": lambda item, other: item > other,
    ">=": lambda item, other: item >= other,
    "==": lambda item, other: item == other,
    "!=": lambda item, other: item != other,
}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
# The least distance of a false comparison, used if the numbers are equal as in `3 < 3`.
_LEAST_MISS = 1e-9


class NoValueError(ArithmeticError):
    """An expression has no value: it divides by zero, or is too large."""


class Miss(NamedTuple):
    """A comparison that makes a condition false.

    Attributes:
        text: The comparison as text.
        names: The names in the comparison.
        distance: How far the comparison is from the required result: the difference of its two
            numbers, as a share of the greater one.
        demanded: Whether the condition needs the comparison to be true; False below a `not`.
    """

    text: str
    names: tuple[str, ...]
    distance: float
    demanded: bool = True

    def describe(self, values: Values) -> str:
        """Format the failure, as in `farthest >= 80 fails (farthest is 71)`.

        `values` has the value of each name in the comparison.
        """
        numbers = ", ".join(f"{name} is {values[name]:.6g}" for name in self.names)
        verb = "fails" if self.demanded else "holds"
        return f"{self.text} {verb} ({numbers})" if numbers else f"{self.text} {verb}"


@dataclass(frozen=True, slots=True)
class Number:
    """A literal number in an expression."""

    value: float


@dataclass(frozen=True, slots=True)
class Name:
    """A name in an expression, such as that of a metric."""

    name: str


@dataclass(frozen=True, slots=True)
class Negative:
    """A minus sign before the numeric expression `inner`."""

    inner: Numeric


@dataclass(frozen=True, slots=True)
class Sum:
    """Two numeric expressions combined by `sign`, one of `+ - * /`."""

    sign: str
    left: Numeric
    right: Numeric


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two numbers by `sign`, such as `>=`.

    `start` and `end` are its offsets in the text of the whole expression.
    """

    sign: str
    left: Numeric
    right: Numeric
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Joined:
    """Conditions joined by `and` (if `every` is True) or by `or`."""

    every: bool
    inner: tuple[Conditional, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of the condition `inner`."""

    inner: Conditional


Numeric = Number | Name | Negative | Sum
Conditional = Comparison | Joined | Not
Node = Numeric | Conditional


def distance_of(misses: list[Miss]) -> float:
    """Return how far comparisons are from their required results, summed."""
    return math.fsum(miss.distance for miss in misses)


def number_of(tree: Numeric, values: Values) -> float:
    """Compute the numeric expression `tree` with the `values` of its names."""
    match tree:
        case Number(value):
            return value
        case Name(name):
            return float(values[name])
        case Negative(inner):
            return -number_of(inner, values)
        case Sum(sign, left, right):
            item, other = number_of(left, values), number_of(right, values)
            return _calculated(sign, item, other)


def _names(tree: Numeric) -> Iterator[str]:
    match tree:
        case Name(name):
            yield name
        case Negative(inner):
            yield from _names(inner)
        case Sum(_, left, right):
            yield from _names(left)
            yield from _names(right)


def _calculated(sign: str, item: float, other: float) -> float:
    if sign == "/":
        if other == 0:
            raise NoValueError("the expression divides by zero")
        result = item / other
    elif sign == "*":
        result = item * other
    else:
        result = item + other if sign == "+" else item - other
    if not math.isfinite(result):
        raise NoValueError("a number is too large")
    return result


def holds(tree: Conditional, values: Values) -> bool:
    """Return whether the condition `tree` is true for `values`."""
    match tree:
        case Comparison(sign, left, right):
            return COMPARE[sign](number_of(left, values), number_of(right, values))
        case Joined(every, inner):
            hold = partial(holds, values=values)
            return all(map(hold, inner)) if every else any(map(hold, inner))
        case Not(inner_item):
            return not holds(inner_item, values)


def misses_of(tree: Conditional, values: Values, text: str, *, demanded: bool) -> list[Miss]:
    """Return the comparisons that keep `tree` from the result `demanded`.

    If none of several conditions joined by `or` holds, only the comparisons of the nearest one are
    returned. `text` is the text from which `tree` was parsed; `values` has the value of each name.
    """
    match tree:
        case Comparison(sign, left, right, start, end):
            item, other = number_of(left, values), number_of(right, values)
            needed = sign if demanded else _OPPOSITE[sign]
            if COMPARE[needed](item, other):
                return []
            distance = abs(item - other) / max(abs(item), abs(other), _LEAST_MISS)
            if needed == "!=":
                distance = 1.0
            names = tuple(dict.fromkeys((*_names(left), *_names(right))))
            return [Miss(text[start:end].strip(), names, max(distance, _LEAST_MISS), demanded)]
        case Joined(every, inner):
            result = []
            for part in inner:
                # A part after a deciding condition need not have a value.
                with suppress(NoValueError):
                    result.append(misses_of(part, values, text, demanded=demanded))
            # `not (a and b)` is `not a or not b`.
            if every == demanded:
                return [miss for misses in result for miss in misses]
            return min(result, key=distance_of)
        case Not(inner_item):
            return misses_of(inner_item, values, text, demanded=not demanded)
