"""Parse the names of metrics and overlays, such as `objects.chest`.

A name is that of a measure, followed by its arguments. Metrics are `farthest`, `objects.chest` or
`distance.stairs_up.'big-chest'`; overlays are `chokes` or `reach:chest`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from exporter.measures import MEASURES, Argument, Measure, Number
from exporter.model.errors import ParameterError, RegistryError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import NAME_PATTERN
from exporter.model.suggestions import unknown_name

if TYPE_CHECKING:
    from exporter.measures.maps import OverlayMap
    from exporter.measures.measured import Measured

# A part that needs no quotes: an identifier, or a whole number.
PLAIN_PART = r"(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+)"
QUOTED_PART = r"'[^'\n]*'"

_PARTS = re.compile(rf"\.({PLAIN_PART}|{QUOTED_PART})")
_WORDS: dict[Argument, str] = {
    "object": "the name of objects",
    "number": "a whole number",
    "layer": "a layer",
    "entry": "the name of an entry of `objects`",
}


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """A metric with its arguments, parsed from text like `objects.chest`.

    Attributes:
        metric: The measure.
        arguments: Names of objects and whole numbers, as the metric declares them.
    """

    metric: Measure
    arguments: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        """Return the name with arguments, in canonical spelling."""
        return ".".join([self.metric.name, *map(_spelled, self.arguments)])

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of objects that are among the arguments."""
        return tuple(argument for argument in self.arguments if isinstance(argument, str))

    def value(self, measured: Measured) -> Number:
        """Compute the metric for the level or layer `measured`.

        Raises:
            NotMeasurableError: The level or layer lacks what the metric measures.
            ParameterError: The metric cannot be computed.
        """
        assert self.metric.number is not None
        value: Any = self.metric.number(measured, *self.arguments)
        plain: Number = value.item() if hasattr(value, "item") else value  # of numpy
        return plain


def named_metric(text: str) -> NamedMetric:
    """Parse `text`, the name of a metric with its arguments.

    Raises:
        ParameterError: There is no such metric, or its arguments are wrong; the message has the
            expected arguments, or a suggestion.
    """
    match = re.match(r"[^.]*", text)
    assert match is not None
    name = match[0]
    if not name:
        raise ParameterError(f"{text!r} is not the name of a metric (for example `farthest`)")
    try:
        if not is_metric(name):
            words = known_names("metric")
            raise ParameterError(unknown_name("metric", name, list(words), words))
        metric = MEASURES.get(name)
    except RegistryError as error:
        raise ParameterError(str(error)) from None
    rest, parts, position = text[len(name) :], list[str](), 0
    while position < len(rest) and (part := _PARTS.match(rest, position)):
        parts.append(part[1])
        position = part.end()
    if position < len(rest) or not _is_right_number(metric, len(parts)):
        raise ParameterError(f"{text!r} is not the name of a metric ({_usage(metric)})")
    arguments = [
        _argument(text, metric, part, kind)
        for part, kind in zip(parts, metric.arguments, strict=False)
    ]
    return NamedMetric(metric, tuple(arguments))


def known_names(kind: Literal["metric", "overlay"]) -> dict[str, tuple[str, ...]]:
    """Return the synonyms of each usable metric or overlay, by its name.

    A measure is usable if its module can be imported.
    """
    part = {"metric": "number", "overlay": "cells"}[kind]
    return {name: item.also for name, item in MEASURES.usable().items() if getattr(item, part)}


def is_metric(name: str) -> bool:
    """Return whether a metric called `name` exists, even an unusable one."""
    try:
        return name in MEASURES and MEASURES.get(name).number is not None
    except RegistryError:
        return True


def named_overlay(text: str) -> Callable[[Measured], OverlayMap]:
    """Return a function that computes the overlay called `text`.

    `text` may have an argument, as in `reach:chest`.

    Raises:
        ParameterError: There is no such overlay, or its argument is missing or unexpected.
    """
    name, colon, argument = text.partition(":")
    try:
        result = MEASURES.get(name) if name in MEASURES else None
        if result is None or result.cells is None:
            words = known_names("overlay")
            raise ParameterError(unknown_name("overlay", name, list(words), words))
    except RegistryError as error:
        raise ParameterError(str(error)) from None
    if colon and not result.arguments:
        raise ParameterError(f"the overlay {name!r} takes no argument (write {name})")
    if colon and not argument:
        raise ParameterError(f"the name after {text!r} is missing (write {name}:NAME)")
    if not colon and not result.plain:
        what = _WORDS[result.arguments[0]]
        raise ParameterError(f"the overlay {name!r} needs {what} (write {name}:NAME)")
    cells = result.cells
    return lambda measured: cells(measured, *([argument] if argument else []))


def usage(metric: Measure) -> str:
    """Return how `metric` is written with placeholders for its arguments.

    For example, `objects.NAME` or `distance.A.B`.
    """
    if not metric.arguments:
        return metric.name
    several = metric.arguments.count("object") > 1
    letters = iter("ABCDEFGH")
    words = [
        "N" if kind == "number" else next(letters) if several else "NAME"
        for kind in metric.arguments
    ]
    return ".".join([metric.name, *words])


def spellings(metric: Measure) -> list[str]:
    """Return the ways to write `metric`: with arguments, without, or both."""
    return list(dict.fromkeys([*([metric.name] if metric.plain else []), usage(metric)]))


def name_pattern(metric: Measure) -> str:
    """Return a JSON Schema's regular expression for `metric` with arguments."""
    parts = {"number": "[0-9]{1,9}", "object": f"(?:{PLAIN_PART}|{QUOTED_PART})"}
    return "^" + r"\.".join([metric.name, *(parts[kind] for kind in metric.arguments)]) + "$"


def _usage(metric: Measure) -> str:
    words = " or ".join(f"`{name}`" for name in spellings(metric))
    quotes = ""
    if "object" in metric.arguments:
        quotes = "; put quotes around a name that is not a plain word: 'big-chest'"
    return f"write {words}{quotes}"


def _is_right_number(metric: Measure, count: int) -> bool:
    return count == len(metric.arguments) or (metric.optional and count == 0)


def _argument(text: str, metric: Measure, part: str, kind: Argument) -> str | int:
    plain = part[1:-1] if part.startswith("'") else part
    if kind == "number" and plain.isdecimal() and plain.isascii() and len(plain) <= 9:
        return int(plain)
    if kind == "object" and re.fullmatch(NAME_PATTERN, plain):
        return plain
    raise ParameterError(f"{text!r}: {plain!r} is not {_WORDS[kind]} ({_usage(metric)})")


def _spelled(argument: str | int) -> str:
    text = str(argument)
    return text if re.fullmatch(PLAIN_PART, text) else f"'{text}'"


def named_metrics(texts: Sequence[str]) -> list[NamedMetric]:
    """Parse `texts`, the names of metrics; return each once, in order.

    Raises:
        ParameterError: There is no such metric, or its arguments are wrong.
    """
    return list(dict.fromkeys(map(named_metric, texts)))
