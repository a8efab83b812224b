"""Describe what a parameter accepts, and suggest fixes for wrong values.

Examples, by the parameter's annotation:

annotation          text                               given   suggestion
a percentage        a whole percentage from 0 to 100   0.42    write 42
a whole number      a whole number from 1 to 64        "42"    remove the quotes
a pair of numbers   a list of 2 whole numbers, ...     64      write [64, 64]
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from exporter.model.parameters import (
    COLOR_RULE,
    FILE_NAME_RULE,
    NAME_RULE,
    About,
    Matches,
    Name,
    Within,
    key_of,
)
from exporter.reading.adapters import accepts
from exporter.reading.yaml_scalars import plain_scalar, plainly_meant

_NUMBER = re.compile(r"[-+]?[0-9]+(?:[.,][0-9]+)?")
_PLAIN = {
    int: "a whole number",
    float: "a number",
    str: "text",
    bool: "true or false",
    type(None): "nothing",
    Any: "a value",
}
# Rules of texts that are too long to be repeated in other messages.
_RULES = {NAME_RULE: "a name", FILE_NAME_RULE: "the name of a file", COLOR_RULE: "a colour"}
# Number of keys of a mapping in a message.
_NAMED_KEYS = 3


def hint_at(kind: Any, path: tuple[str | int, ...]) -> Any:
    """Return the annotation at `path` inside annotation `kind`, with metadata.

    `path` consists of keys and list indexes. Return None if there is no such path.
    """
    for step in path:
        kind = _member(kind, step)
    return kind


def key_hint_at(kind: Any, path: tuple[str | int, ...]) -> Any:
    """Return the annotation of a mapping's keys; `Name` without one.

    The mapping is at `path` inside the annotation `kind`. `Name` is the annotation of names in
    specs.
    """
    for candidate in alternatives(hint_at(kind, path)):
        arguments = get_args(candidate)
        if get_origin(candidate) in (dict, Mapping, _ABSTRACT_MAPPING) and arguments:
            return arguments[0]
    return Name


def expected_text(hint: Any) -> str:
    """Describe what annotation `hint` accepts: `a number from 1 to 64`."""
    words = list(dict.fromkeys(_requested(hint, ())))
    if _PLAIN[float] in words and _PLAIN[int] in words:
        words.remove(_PLAIN[int])
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def rule_of(hint: Any) -> str:
    """Return the rule, in words, for the pattern of texts that `hint` allows.

    Return "" if any text is allowed.
    """
    for rule in rules(hint):
        if isinstance(rule, Matches):
            return rule.what
    return next((result for result in map(rule_of, _members(hint)) if result), "")


def example(hint: Any) -> str:
    """Return the example in the `About` of annotation `hint`, or ""."""
    for rule in rules(hint):
        if isinstance(rule, About) and rule.example:
            return rule.example
    return next((result for result in map(example, _members(hint)) if result), "")


def value_words(hint: Any) -> dict[str, tuple[str, ...]]:
    """Return the synonyms of each value that annotation `hint` allows.

    They are those in the `About` of the annotation.
    """
    return {
        value: words
        for rule in rules(hint)
        if isinstance(rule, About)
        for value, words in rule.values
    }


def suggest_fix(hint: Any, given: Any, quoted: bool = False) -> str:
    """Suggest a fix for `given`, which annotation `hint` refuses.

    Return "" if no fix is known. `quoted` is true if the value has quotes in the file.
    """
    if isinstance(given, str):
        return _mended_text(hint, given, quoted)
    if isinstance(given, bool):
        return f"write '{yaml_text(given)}' in quotes" if _fits(hint, yaml_text(given)) else ""
    if isinstance(given, int | float):
        return _mended_number(hint, given)
    if isinstance(given, list):
        if len(given) == 1 and not isinstance(given[0], dict | None) and _fits(hint, given[0]):
            return f"write {yaml_text(given[0])} without the brackets"
        if given and "a mapping" in expected_text(hint):
            if all(isinstance(item, dict) for item in given):
                return "remove the dash before each entry"
            return "give each entry a name and a colon instead of a dash"
        return ""
    if isinstance(given, dict):
        values = list(given.values())
        if (
            values
            and all(isinstance(value, int | float) for value in values)
            and _fits(hint, values)
        ):
            return f"write {yaml_text(values)}"
        return (
            "begin it with a dash, or put [ ] around { }" if given and _fits(hint, [given]) else ""
        )
    return ""


def as_share(hint: Any, given: Any) -> str:
    """Suggest writing the percentage `given` as a fraction from 0 to 1.

    Return "" if `hint` allows another range, or `given` cannot be a percentage.
    """
    within = next((rule for rule in rules(hint) if isinstance(rule, Within)), None)
    if within is None or within.length or (within.minimum, within.maximum) != (0, 1):
        return ""
    if not isinstance(given, int | float) or not 1 < given <= 100:
        return ""
    return f"write {given / 100:g} for {given:g} %"


def alternatives(hint: Any) -> list[Any]:
    """Return the members of the union `hint`, or only `hint` if it is none.

    The members come without the metadata of `Annotated`.
    """
    if get_origin(hint) is Annotated:
        return alternatives(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return [alternative for member in get_args(hint) for alternative in alternatives(member)]
    return [hint]


def yaml_text(value: Any) -> str:
    """Format a plain `value` as YAML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(yaml_text, value))}]"
    return str(value)


def _mended_text(hint: Any, given: str, quoted: bool) -> str:
    text = given.strip()
    value, doubt = plain_scalar(text)
    if doubt:
        value = plainly_meant(text)
    if not isinstance(value, str) and _fits(hint, value):
        return "remove the quotes" if quoted and not doubt else f"write {yaml_text(value)}"
    numbers = [_number(item) for item in _NUMBER.findall(text)]
    if len(numbers) == 1 and _NUMBER.match(text) and _fits(hint, numbers[0]):
        return f"write {yaml_text(numbers[0])}"
    if len(numbers) > 1 and _fits(hint, numbers):
        return f"write {yaml_text(numbers)}"
    if _fits(hint, [given]):
        return f"write [{given}]"
    return ""


def _mended_number(hint: Any, given: float) -> str:
    for meant in ([given], [given, given]):
        if _fits(hint, meant):
            return f"write {yaml_text(meant)}"
    if given in (0, 1) and bool in alternatives(hint):
        return f"write {yaml_text(bool(given))}"
    if isinstance(given, float):
        share = round(given * 100, 6)
        if _unit(hint) == "%" and 0 < given < 1 and share == int(share):
            return f"write {int(share)} for {int(share)} %" if _fits(hint, int(share)) else ""
        near = sorted({int(given // 1), int(-(-given // 1))})
        fitting = [yaml_text(item) for item in near if _fits(hint, item)]
        return f"write {' or '.join(fitting)}" if fitting else ""
    return f"write '{given}' in quotes" if _fits(hint, str(given)) else ""


def _number(text: str) -> float:
    value = plain_scalar(text.replace(",", "."))[0]
    return value if isinstance(value, int | float) else 0


def _fits(hint: Any, value: Any) -> bool:
    return hint is not None and accepts(hint, value)


def _requested(hint: Any, rules: tuple[Any, ...]) -> Iterator[str]:
    """Yield the words for each kind of value that `hint` accepts, except None."""
    if get_origin(hint) is Annotated:
        yield from _requested(get_args(hint)[0], (*get_args(hint)[1:], *rules))
    elif get_origin(hint) in (Union, types.UnionType):
        for member in get_args(hint):
            if member is not types.NoneType:
                yield from _requested(member, rules)
    else:
        yield _expected_of(hint, rules)


def _expected_of(hint: Any, rules: tuple[Any, ...]) -> str:
    arguments = get_args(hint)
    within = next((rule for rule in rules if isinstance(rule, Within)), None)
    if get_origin(hint) is Literal:
        return ", ".join(yaml_text(value) for value in arguments)
    if get_origin(hint) is tuple and ... not in arguments:
        each = _several(expected_text(arguments[0]))
        return f"a list of {len(arguments)} {each}"
    if get_origin(hint) in (tuple, list):
        words = f"a list of {_several(expected_text(arguments[0]))}" if arguments else "a list"
        return words + (f", {_length(within)} entries" if within is not None else "")
    if dataclasses.is_dataclass(hint):
        keys = [key_of(field.name) for field in dataclasses.fields(hint)]
        return f"a mapping with keys such as {', '.join(keys[:_NAMED_KEYS])}"
    if get_origin(hint) in (dict, Mapping, _ABSTRACT_MAPPING):
        return "a mapping"
    return _restricted(hint, within, rules)


_ABSTRACT_MAPPING = get_origin(Mapping[str, int])


def _restricted(hint: Any, within: Within | None, rules: tuple[Any, ...]) -> str:
    """Describe the values of scalar `hint` with their range, pattern and unit.

    `within` is the range, or None; `rules` is all the metadata of the annotation.
    """
    about = next((rule for rule in rules if isinstance(rule, About)), None)
    words = _PLAIN.get(hint, getattr(hint, "__name__", "a value"))
    pattern = next((rule for rule in rules if isinstance(rule, Matches)), None)
    if pattern is not None:
        return _RULES.get(pattern.what, pattern.what)
    if hint in (int, float) and about is not None and about.unit == "%":
        words = "a whole percentage" if hint is int else "a percentage"
    if within is None:
        return words
    if within.length:
        return f"{words} of {_length(within)} characters"
    return f"{words} from {_digits(within.minimum)} to {_digits(within.maximum)}"


def _several(words: str) -> str:
    for item, many in (
        ("a whole number", "whole numbers"),
        ("a number", "numbers"),
        ("a percentage", "percentages"),
        ("a whole percentage", "whole percentages"),
        ("a mapping", "mappings"),
        ("a list", "lists"),
        ("a name", "names"),
        ("the name of a file", "names of files"),
        ("a colour", "colours"),
    ):
        if words.startswith(item):
            return many + words.removeprefix(item)
    return words


def _length(within: Within) -> str:
    low, high = _digits(within.minimum), _digits(within.maximum)
    return f"at most {high}" if low == "0" else low if low == high else f"{low} to {high}"


def _digits(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:g}"


def _unit(hint: Any) -> str:
    return next((rule.unit for rule in rules(hint) if isinstance(rule, About)), "")


def rules(hint: Any) -> tuple[Any, ...]:
    """Return the metadata of the annotation `hint`, such as `Within`."""
    return get_args(hint)[1:] if get_origin(hint) is Annotated else ()


def _members(hint: Any) -> Iterator[Any]:
    """Yield the members of the union `hint`, or the type that it annotates."""
    if get_origin(hint) is Annotated:
        yield get_args(hint)[0]
    elif get_origin(hint) in (Union, types.UnionType):
        yield from get_args(hint)


def _member(kind: Any, step: str | int) -> Any:
    for candidate in alternatives(kind):
        arguments = get_args(candidate)
        if dataclasses.is_dataclass(candidate):
            hints = get_type_hints(candidate, include_extras=True)
            named = {key_of(name): hint for name, hint in hints.items()}
            if step in named:
                return named[str(step)]
        elif isinstance(step, int) and arguments:
            return arguments[0] if step >= len(arguments) or ... in arguments else arguments[step]
        elif isinstance(step, str) and len(arguments) == 2:
            return arguments[1]
    return None
