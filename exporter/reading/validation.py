"""Check plain data against parameter dataclasses; describe every fault.

pydantic checks in strict JSON mode: the text "5" is not a number, and a list is accepted for a
tuple. This module adds the line of each fault, plain words, and suggestions ("did you mean").
"""

from __future__ import annotations

import copy
import dataclasses
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from types import MappingProxyType
from typing import Any, Generic, TypeVar, get_type_hints

from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_PROBLEMS
from exporter.model.parameters import COLOR_RULE, NAME_RULE, About, Color, Name, key_of
from exporter.model.suggestions import did_you_mean, suggestions
from exporter.model.texts import flow_text
from exporter.reading import expected
from exporter.reading.adapters import accepts, adapter
from exporter.reading.plain_values import NotPlainError, read_plainly
from exporter.reading.yaml_reader import Document, Path

Checked = TypeVar("Checked")

# Data is nested less deeply than this many dataclasses.
_MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class PartialSpec(Generic[Checked]):
    """The valid parts of some data, and its faults.

    Attributes:
        value: The dataclass, read without the invalid entries; None if a required value is invalid.
        problems: The faults.
        omitted: The paths, inside the data, of the entries that were left out.
    """

    value: Checked | None
    problems: tuple[Problem, ...]
    omitted: tuple[Path, ...]

    def has(self, *path: str | int) -> bool:
        """Return whether `path` is valid: nothing in or around it was left out."""
        return nothing_omitted(path, self.omitted)


def nothing_omitted(path: Path, omitted: Iterable[Path]) -> bool:
    """Return whether no path in `omitted` is, contains or is inside `path`."""
    return not any(item[: len(path)] == path or path[: len(item)] == item for item in omitted)


_EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "mapping_type": "a mapping",
    "dataclass_type": "a mapping",
    "none_required": "nothing",
}


def check(
    kind: type[Checked], data: Any, document: Document, path: Path
) -> tuple[Checked | None, list[Problem]]:
    """Check `data`, at `path` of `document`, against the dataclass `kind`.

    Return the dataclass and no problems, or None and all problems.
    """
    with suppress(NotPlainError):
        plain: Checked = read_plainly(kind, data)
        return plain, []
    from pydantic import ValidationError

    try:
        checked: Checked = adapter(kind).validate_json(json.dumps(data))
    except ValidationError as error:
        problems = _problems(error.errors(include_url=False), kind, data, document, path)
        return None, sorted(problems, key=lambda problem: (problem.line, problem.column))
    return checked, []


def parse_partial(
    kind: type[Checked],
    data: Any,
    document: Document,
    path: Path,
    stand_ins: Mapping[str, Any] = MappingProxyType({}),
) -> PartialSpec[Checked]:
    """Read the valid parts of `data`, at `path` of `document`, into `kind`.

    Invalid entries are left out until the rest is valid, so that checks of valid entries can go on.
    `stand_ins` has values for required keys that are missing or invalid; `omitted` of the result
    lists these keys.
    """
    value, problems = check(kind, data, document, path)
    if value is not None:
        return PartialSpec(value, (), ())
    from pydantic import ValidationError

    rest = copy.deepcopy(data)
    dropped: list[Path] = []
    # Each round removes the problems found; only then the inner ones show.
    for _ in range(_MOST_ROUNDS):
        if isinstance(rest, dict):
            absent = {key: item for key, item in stand_ins.items() if key not in rest}
            dropped += [(key,) for key in absent]
            rest |= absent
        try:
            return PartialSpec(
                adapter(kind).validate_json(json.dumps(rest)), tuple(problems), tuple(dropped)
            )
        except ValidationError as error:
            faults = {
                _path_in(rest, item["loc"], item["type"])
                for item in error.errors(include_url=False)
            }
        for entry in sorted(faults, key=len, reverse=True):
            dropped.append(entry)
            _remove(rest, entry)
    return PartialSpec(None, tuple(problems), tuple(dropped))


def _remove(data: Any, path: Path) -> None:
    """Remove from `data` the innermost mapping entry that contains `path`.

    Do nothing if there is none.
    """
    holder: tuple[dict[str, Any], str] | None = None
    for step in path:
        if isinstance(data, dict):
            if step not in data:
                break  # a missing entry: its parent is removed
            holder = data, str(step)
            data = data[step]
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            break
    if holder is not None:
        holder[0].pop(holder[1], None)


def _problems(
    errors: list[Any], kind: type[Any], data: Any, document: Document, base: Path
) -> list[Problem]:
    # A union reports one error for each of its members: they are reported as one.
    grouped: dict[Path, list[Any]] = {}
    for error in errors:
        grouped.setdefault(_path_in(data, error["loc"], error["type"]), []).append(error)
    misspelled = {
        (*path[:-1], suggestion)
        for path, group in islice(grouped.items(), MAXIMUM_PROBLEMS)
        if group[0]["type"] == "unexpected_keyword_argument"
        for suggestion in suggestions(
            str(path[-1]), known_keys(kind, path[:-1]), other_words(kind, path[:-1])
        )
    }
    # The problem inside a list that almost fits a union describes it best.
    around = {path[:end] for path in grouped for end in range(len(path))}
    problems = []
    for path, group in islice(grouped.items(), MAXIMUM_PROBLEMS):
        if path in around and all(error["type"].endswith("_type") for error in group):
            continue
        at_key = group[0]["type"] == "unexpected_keyword_argument" or (
            group[0]["loc"][-1:] == ("[key]",)
        )
        if group[0]["type"] in _ABSENT and path in misspelled:
            continue  # it is there, by another name
        if (*base, *path) in document.reported:
            continue
        if isinstance(group[0].get("input"), dict) and _holds_another(path, grouped):
            continue  # a mapping is allowed here: the problem inside it is reported
        quoted = (*base, *path) in document.quoted
        message = _message(group, path, kind, quoted)
        problems.append(document.problem((*base, *path), message, at_key=at_key))
    return sorted(problems, key=lambda problem: (problem.line, problem.column))


def _holds_another(path: Path, paths: Iterable[Path]) -> bool:
    return any(len(item) > len(path) and item[: len(path)] == path for item in paths)


def _path_in(data: Any, location: tuple[str | int, ...], error: str) -> Path:
    """Convert `location`, the place of a pydantic error, to a path in `data`.

    pydantic's names for members of a union are left out.
    """
    path: list[str | int] = []
    for index, step in enumerate(location):
        last = index == len(location) - 1
        if isinstance(data, dict) and (step in data or (last and error in _ABSENT)):
            path.append(step)
            data = data.get(str(step))
        elif isinstance(data, list) and isinstance(step, int):
            path.append(step)
            data = data[step] if step < len(data) else None
    return tuple(path)


_ABSENT = {"missing", "missing_argument", "missing_keyword_only_argument"}


def _message(group: list[Any], path: Path, kind: type[Any], quoted: bool) -> str:
    first = group[0]
    error = first["type"]
    last = path[-1] if path else ""
    if error == "unexpected_keyword_argument":
        return unknown_key(str(last), kind, path[:-1])
    if first["loc"][-1:] == ("[key]",):
        hint = expected.key_hint_at(kind, path[:-1])
    else:
        hint = expected.hint_at(kind, path)
    if error in _ABSENT and isinstance(last, str):
        return missing_key(last, hint)
    if error in _ABSENT:
        whole = expected.hint_at(kind, path[:-1])
        return f"the list is too short (expected {_with_example(whole)})"
    if error in ("too_long", "too_short"):
        count = first.get("ctx", {}).get("actual_length")
        entries = "entry" if count == 1 else "entries"
        return f"the list has {count} {entries} (expected {_with_example(hint)})"
    if error == "value_error":
        return str(first["msg"]).removeprefix("Value error, ")
    given = first.get("input")
    literals: list[str] = []
    declared_types: list[str] = []
    for item in group:
        if item["type"] == "literal_error":
            literals += _literal_values(item)
        elif item["type"] in _EXPECTED:
            declared_types.append(_EXPECTED[item["type"]])
        else:
            # A rule of ours (a range, a pattern) is more telling than the other union members.
            way_out = expected.as_share(hint, given)
            rule = str(item["msg"]).removeprefix("Value error, ")
            return _with_fix(rule, way_out or _mended_name(hint, given))
    if given is None and expected.expected_text(hint):
        return _nothing_given(hint)
    if literals:
        fix = expected.suggest_fix(hint, given, quoted)
        return _unlisted(given, literals, declared_types, fix, expected.value_words(hint))
    requested = (
        expected.expected_text(hint)
        if hint is not None
        else " or ".join(dict.fromkeys(declared_types))
    )
    message = f"expected {requested}, not {describe(given)}"
    return _with_fix(message, expected.suggest_fix(hint, given, quoted) or _as_in(hint))


def missing_key(key: str, hint: Any) -> str:
    """Return the message that `key` is missing, with what its value can be.

    `hint` is the key's annotation; None if unknown.
    """
    if hint is None:
        return f"{key!r} is missing here"
    words = expected.example(hint)
    needed = f"as in `{key}: {words}`" if words else f"needed: {expected.expected_text(hint)}"
    return f"{key!r} is missing here ({needed})"


def _with_example(hint: Any) -> str:
    words = expected.example(hint)
    return (
        f"{expected.expected_text(hint)}, as in {words}" if words else expected.expected_text(hint)
    )


def _as_in(hint: Any) -> str:
    words = expected.example(hint)
    return f"as in {words}" if words else ""


def _with_fix(message: str, fix: str) -> str:
    """Add the suggestion `fix` to `message`, inside its final parenthesis."""
    if not fix:
        return message
    if message.endswith(")") and " (" in message:
        return f"{message[:-1]}; {fix})"
    return f"{message} ({fix})"


def _nothing_given(hint: Any) -> str:
    message = f"nothing is given here (expected {_with_example(hint)}"
    if expected.rule_of(hint) == COLOR_RULE:
        return f"{message}; a # begins a comment, so write the colour in quotes)"
    return f"{message}; write it after the colon, or remove the key)"


def _mended_name(hint: Any, given: Any) -> str:
    """Suggest how to write `given`, a text that `hint` refuses.

    Return "" if no small change makes it valid.
    """
    if not isinstance(given, str):
        return ""
    slashes = given.replace("\\", "/")
    if slashes != given and accepts(hint, slashes):
        return f"write {flow_text(slashes)}"
    if len(given) > 64:
        return ""
    spelled = re.sub(r"[^A-Za-z0-9_-]+", "_", given).strip("_-")[:64]
    if expected.rule_of(hint) == NAME_RULE and spelled and accepts(Name, spelled):
        return f"write {spelled}"
    shorthand = re.fullmatch(r"#?([0-9a-fA-F]{3,4})", given)
    if expected.rule_of(hint) == COLOR_RULE:
        digits = "".join(2 * item for item in shorthand[1]) if shorthand else given
        return f"write '#{digits}'" if accepts(Color, f"#{digits}") else ""
    return ""


def _literal_values(error: Any) -> list[str]:
    text = str(error.get("ctx", {}).get("expected", ""))
    parts = text.replace(" or ", ", ").split(", ")
    named = {"True": "true", "False": "false", "None": "null"}
    return [named.get(part, part.strip("'")) for part in parts if part]


def _unlisted(
    given: Any,
    literals: list[str],
    declared_types: list[str],
    fix: str,
    words: Mapping[str, Sequence[str]],
) -> str:
    allowed = ", ".join([*dict.fromkeys(literals), *dict.fromkeys(declared_types)])
    text = expected.yaml_text(given) if isinstance(given, bool) else given
    meant = suggestions(text, literals, words)[:1] if isinstance(text, str) else []
    hint = did_you_mean(meant) if meant else ""
    way_out = "; ".join(part for part in (fix or hint,) if part)
    return _with_fix(f"{describe(given)} is not allowed here (allowed: {allowed})", way_out)


def describe(value: Any) -> str:
    """Describe `value`, read from a file, in words for a message: `a list`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value) if isinstance(value, str) else str(value)
    kind = "the text " if isinstance(value, str) else ""
    return kind + (text if len(text) <= 60 else f"{text[:57]}...")


def unknown_key(key: str, kind: Any, path: Path = (), further: Sequence[Any] = ()) -> str:
    """Return the message that `key` is unknown, and which keys may be meant.

    If no key is similar, the message lists all allowed keys.

    Args:
        key: The key.
        kind: The dataclass whose keys are allowed.
        path: The path of the mapping that has the key, inside `kind`.
        further: Other dataclasses whose keys are also allowed there.
    """
    known = known_keys(kind, path)
    words = other_words(kind, path)
    for item in further:
        known += known_keys(item, ())
        words |= other_words(item, ())
    name, colon, value = key.partition(":")
    if colon and name in known and value:
        return f"a space is missing after the colon (write `{name}: {value}`)"
    meant = suggestions(key, known, words)
    if meant:
        places = [(kind, path), *((item, ()) for item in further)]
        displayed = next((text for item in places if (text := _as_entry(key, meant, *item))), "")
        return f"unknown key {key!r} ({did_you_mean(meant)}{displayed})"
    for holder in known:
        hint = expected.hint_at(kind, (*path, holder))
        # A misplaced key rarely belongs inside a name that may be left out.
        is_optional_name = {str, type(None)} <= set(expected.alternatives(hint))
        if key in known_keys(kind, (*path, holder)) and not is_optional_name:
            return f"unknown key {key!r} here (it belongs inside `{holder}:`)"
    return f"unknown key {key!r} (allowed: {', '.join(known) or 'none'})"


def _as_entry(key: str, meant: list[str], kind: Any, path: Path) -> str:
    """Return an example of the entry with the key `meant[0]`, or "".

    There is none if several keys may be meant, or `key` is only a misspelling.
    """
    words = expected.example(expected.hint_at(kind, (*path, meant[0])))
    if not words or len(meant) > 1 or suggestions(key, meant):
        return ""
    return f" as in `{meant[0]}: {words}`"


def other_words(kind: Any, path: Path = ()) -> dict[str, tuple[str, ...]]:
    """Return the synonyms of each key that `kind` allows at `path` inside it."""
    for candidate in expected.alternatives(expected.hint_at(kind, path)):
        if dataclasses.is_dataclass(candidate):
            hints = get_type_hints(candidate, include_extras=True)
            return {
                key_of(field.name): rule.also
                for field in dataclasses.fields(candidate)
                for rule in expected.rules(hints[field.name])
                if isinstance(rule, About) and rule.also
            }
    return {}


def known_keys(kind: Any, path: Path) -> list[str]:
    """Return the keys that dataclass `kind` allows at `path` inside it."""
    for candidate in expected.alternatives(expected.hint_at(kind, path)):
        if dataclasses.is_dataclass(candidate):
            return [key_of(field.name) for field in dataclasses.fields(candidate)]
    return []
