"""Values read without pydantic equal the values that pydantic reads."""

import dataclasses
import json
from typing import Any, get_type_hints

import pytest
from pydantic import ValidationError

from exporter.reading.adapters import adapter
from exporter.reading.plain_values import NotPlainError, read_plainly
from spec_samples import dataclasses_of_a_spec, sample

ODD = [
    None, True, False, 0, 1, -1, 7, 1 << 53, 1 << 70, 0.5, -0.0, 2.0, float("inf"), float("nan"),
    "", "a", "5", "true", "A b", "a\n", "\ud800", "\u2028", "#ffffff", "#FFFFFF80", "20 kB",
    "x" * 300, [], {}, [1, 2], [0.5], ["a"], [[1, 2]], [None], {"a": 1}, {"a": "b"},
    {"a": None}, {1: 2},
]  # fmt: skip


def outcome(read: Any, data: Any) -> Any:
    try:
        return repr(read(data))  # also distinguishes 5 from 5.0, and True from 1
    except (NotPlainError, ValidationError):
        return None


def variants(kind: type[Any]):
    """Yield data for a dataclass, with odd values at every place."""
    data = sample(kind)
    yield data
    hints = get_type_hints(kind, include_extras=True)
    for field in dataclasses.fields(kind):
        usual = [sample(hints[field.name]), *([field.default] if field.init else [])]
        for value in (*usual, *ODD):
            yield {**data, field.name: value}
            yield {**data, field.name: [value]}
            yield {**data, field.name: {"a": value}}
    yield {**data, "no_such_key": 1}
    yield {}


def writable(data: Any) -> bool:
    try:
        json.dumps(data)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("kind", sorted(set(dataclasses_of_a_spec()), key=str))
def test_plain_reader_agrees_with_pydantic(kind: type[Any]) -> None:
    checked = adapter(kind)
    accepted = 0
    for data in filter(writable, variants(kind)):
        plain = outcome(lambda data: read_plainly(kind, data), data)
        accepted += plain is not None
        if plain is not None:
            assert plain == outcome(lambda data: checked.validate_json(json.dumps(data)), data), (
                data
            )
    assert accepted, "pydantic reads all of them"
