"""Check the values in the JSON description of an untrusted blob."""

from __future__ import annotations

import reprlib
from typing import Any

from exporter.model.errors import BlobError
from exporter.model.property_values import is_property_value

# Of the integers that describe a level; readers keep them in 32 bits.
SMALLEST, LARGEST = -(1 << 31), (1 << 31) - 1


def fields_of(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def known_fields(value: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value[name] for name in names}


def expect_maps(value: Any) -> list[dict[str, Any]]:
    return [expect(entry, dict) for entry in expect(value, list)]


def expect_properties(value: Any) -> dict[str, Any]:
    for entry in expect(value, dict).values():
        if not is_property_value(entry):
            raise BlobError(
                f"the level data is damaged: {value_text(entry)} is not a property value"
            )
    return dict(value)


def expect_scalar(value: Any) -> None:
    if isinstance(value, list | dict):
        raise BlobError(
            f"the level data is damaged: the table cell {value_text(value)} is not a single value"
        )


def expect_integer(value: Any) -> int:
    if not SMALLEST <= expect(value, int) <= LARGEST:
        raise BlobError(f"the level data is damaged: the number {value} does not fit in 32 bits")
    return int(value)


def value_text(value: Any) -> str:
    """Format `value` for an error message, shortened if it is long."""
    return reprlib.repr(value)


def expect(value: Any, kind: type) -> Any:
    # Not isinstance: a truth value is an integer to Python.
    if type(value) is not kind:
        raise BlobError(
            f"the level data is damaged: {value_text(value)} is not of type {kind.__name__}"
        )
    return value
