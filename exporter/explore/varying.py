"""Vary parameters over a range or among choices.

A search represents a varied parameter as a gene: a 64-bit number, the position of its value in the
range. So ranges of whole numbers, ranges of other numbers and choices are treated alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from exporter.build.trials import Setting
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import Parameters, Within, references
from exporter.model.suggestions import unknown_name
from exporter.reading.adapters import accepts, adapter
from exporter.reading.expected import expected_text, rules
from exporter.reading.level_spec import LevelSpec
from exporter.reading.references import names_in
from exporter.reading.sections import broken_references
from exporter.reading.validation import describe
from exporter.reading.yaml_scalars import plain_scalar

GENE_BITS = 64
# A range of other than whole numbers is divided into so many steps.
_STEPS = 1000
_MOST_CHOICES = 1000
_RANGE = re.compile(r"(?P<low>.*?[^.])\.\.(?P<high>[^.].*|\.[0-9].*)")


@dataclass(frozen=True, slots=True)
class VariedParameter:
    """A parameter of a layer to vary, and the values that it takes.

    Attributes:
        layer: The layer's name in the spec.
        parameter: The parameter's name.
        choices: The values it is chosen from; empty for a range.
        low: The least value of a range.
        high: The greatest value of a range, included.
        refers: Whether some of the choices name other layers or objects.
    """

    layer: str
    parameter: str
    choices: tuple[Any, ...] = ()
    low: float = 0
    high: float = 0
    refers: bool = False

    @property
    def name(self) -> str:
        """The name as users write it: `ground.wall_percent`."""
        return f"{self.layer}.{self.parameter}"

    def value(self, gene: int) -> Any:
        """Return the parameter's value for a gene, its position in the range.

        `gene` is a fraction of 2**64, for ranges and choices alike.
        """
        if self.choices:
            return self.choices[gene * len(self.choices) >> GENE_BITS]
        if isinstance(self.low, int) and isinstance(self.high, int):
            return self.low + (gene * (self.high - self.low + 1) >> GENE_BITS)
        step = gene * (_STEPS + 1) >> GENE_BITS
        value = float(f"{self.low + (self.high - self.low) * step / _STEPS:.6g}")
        return min(max(value, self.low), self.high)

    def setting(self, gene: int) -> Setting:
        """Return layer, parameter, and the parameter's value for `gene`.

        `gene` is the position of the value in its range, a fraction of 2**64.
        """
        return self.layer, self.parameter, self.value(gene)


def parse_varied(text: str, spec: LevelSpec) -> VariedParameter:
    """Return the parameter of `spec` that an option `--vary` describes.

    The forms of `text` are `LAYER.PARAMETER=LOW..HIGH`, `LAYER.PARAMETER=A,B,C` and
    `LAYER.PARAMETER`, which varies the parameter over its whole declared range.

    Raises:
        ParameterError: No parameter has that name, or it refuses the values.
    """
    name, equals, values = text.partition("=")
    if not equals:
        return _declared_range(name.strip(), spec)
    result = _RANGE.fullmatch(values.strip())
    if result is not None:
        ends = tuple(_scalar(result[part], text) for part in ("low", "high"))
        return varied_parameter(name.strip(), ends, spec, is_range=True)
    choices = [_scalar(part, text) for part in values.split(",")]
    return varied_parameter(name.strip(), choices, spec)


def varied_parameters(
    values: Mapping[str, Sequence[Any]], spec: LevelSpec
) -> tuple[VariedParameter, ...]:
    """Return the parameters to vary that `values` describes.

    Args:
        values: The values by `LAYER.PARAMETER`: a tuple of two numbers is a range, a list has
            choices.
        spec: The spec that has these parameters.

    Raises:
        ParameterError: No parameter has that name, or it refuses the values.
    """
    for name, ends in values.items():
        if not isinstance(ends, tuple | list):
            raise ParameterError(
                f"{name}: {describe(ends)} is neither a range nor a list (write (LOW, HIGH) or "
                "[A, B])"
            )
    return tuple(
        varied_parameter(name, ends, spec, is_range=isinstance(ends, tuple) and len(ends) == 2)
        for name, ends in values.items()
    )


def varied_parameter(
    name: str, values: Sequence[Any], spec: LevelSpec, *, is_range: bool = False
) -> VariedParameter:
    """Check one parameter to vary and its values, and return them.

    Args:
        name: `LAYER.PARAMETER`.
        values: The ends of a range, or all choices.
        spec: The spec that has this parameter.
        is_range: Whether `values` are the two ends of a range.

    Raises:
        ParameterError: No parameter has that name, or it refuses the values.
    """
    layer, parameter, hint = _find_parameter(name, spec)
    for value in values:
        if not accepts(hint, value):
            message = f"{name}: expected {expected_text(hint)}, not {describe(value)}"
            if get_origin(_plain(hint)) in (tuple, list, dict):
                message += " (lists are varied in Python: `exporter.find_seeds`)"
            raise ParameterError(message)
    if not is_range:
        values = [adapter(hint).validate_json(json.dumps(value), strict=True) for value in values]
        if not 1 <= len(values) <= _MOST_CHOICES:
            raise ParameterError(
                f"{name}: {len(values)} values are given (allowed: 1 to {_MOST_CHOICES})"
            )
        return _choices(layer, parameter, tuple(values), spec)
    low, high = values
    for end in values:
        if isinstance(end, bool) or not isinstance(end, int | float):
            raise ParameterError(
                f"{name}: {describe(end)} cannot end a range, because it is not a number (list the "
                f"values: {name}=A,B,C)"
            )
    if low > high:
        raise ParameterError(f"{name}: the range {low}..{high} is empty (write {high}..{low})")
    return VariedParameter(layer, parameter, (), *_ends(hint, low, high))


def _ends(hint: Any, low: float, high: float) -> tuple[float, float]:
    """Return a range's ends, as whole numbers if the parameter needs them.

    `hint` is the parameter's annotation.
    """
    whole = all(float(end).is_integer() for end in (low, high))
    # A half more or less is in the range of the parameter, too, if it is so wide.
    if whole and not accepts(hint, low + 0.5) and not accepts(hint, high - 0.5):
        return int(low), int(high)
    return float(low), float(high)


def _choices(
    layer: str, parameter: str, values: tuple[Any, ...], spec: LevelSpec
) -> VariedParameter:
    """Return a parameter that takes one of `values`.

    Raises:
        ParameterError: A value names a layer or object that is missing, or that is built after this
            layer.
    """
    before = spec.layers[layer]
    refers = False
    for value in values:
        parameters = replace(before.parameters, **{parameter: value})
        if references(parameters) == references(before.parameters):
            continue
        refers = True
        layers = {**spec.layers, layer: replace(before, parameters=parameters)}
        varied = replace(spec, layers=layers)
        for _, message in broken_references(varied, names_in(varied)):
            raise ParameterError(f"{layer}.{parameter}: {message}")
    return VariedParameter(layer, parameter, values, refers=refers)


def _declared_range(name: str, spec: LevelSpec) -> VariedParameter:
    """Return a parameter that varies over its generator's declared range."""
    layer, parameter, hint = _find_parameter(name, spec)
    within = next((r for r in rules(hint) if isinstance(r, Within) and not r.length), None)
    if within is None:
        raise ParameterError(f"{name} has no default range (write {name}=LOW..HIGH)")
    return VariedParameter(layer, parameter, (), *_ends(hint, within.minimum, within.maximum))


def _find_parameter(name: str, spec: LevelSpec) -> tuple[str, str, Any]:
    """Return layer, parameter and annotation for a name `LAYER.PARAMETER`."""
    layer, dot, parameter = name.partition(".")
    if not dot or not parameter:
        raise ParameterError(f"{name!r} is no parameter (write LAYER.PARAMETER)")
    if layer not in spec.layers:
        raise ParameterError(unknown_name("layer", layer, list(spec.layers)))
    kind: type[Parameters] = type(spec.layers[layer].parameters)
    known = [field.name for field in fields(kind)]
    if parameter not in known:
        what = f"parameter of {spec.layers[layer].generator!r}"
        raise ParameterError(unknown_name(what, parameter, known))
    return layer, parameter, get_type_hints(kind, include_extras=True)[parameter]


def _plain(hint: Any) -> Any:
    return _plain(get_args(hint)[0]) if get_origin(hint) is Annotated else hint


def _scalar(text: str, whole: str) -> Any:
    value, complaint = plain_scalar(text.strip())
    if complaint:
        raise ParameterError(f"{whole}: {complaint}")
    return value
