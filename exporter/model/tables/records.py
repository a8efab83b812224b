"""Make tables from dataclasses, typed dictionaries or plain mappings.

A column has a name, a type, and is nullable if None is allowed. For a class these follow from its
annotations, for plain mappings from the values.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NotRequired, Required, Union, get_args, get_origin

from exporter.model.errors import ParameterError
from exporter.model.level import Column, Table
from exporter.model.parameters import NAME_PATTERN, NAME_RULE
from exporter.model.tables.table import TYPES, PlainType, cell_text, check_columns, checked_row


def table_from_records(name: str, records: Sequence[Any], record_type: type | None = None) -> Table:
    """Make a table from `records`, with columns derived from their types.

    The columns are the fields of a dataclass or the keys of a TypedDict, typed by their
    annotations: str, int, float, bool, each also `| None`; a key that may be absent is nullable.
    For plain mappings, the columns are all keys in order of appearance, typed by their values:
    whole numbers and floats together are `number`; a key that is missing or None in a record is
    nullable.

    >>> @dataclasses.dataclass
    ... class Monster:
    ...     name: str
    ...     hp: int
    ...     boss: bool | None = None
    >>> table = table_from_records("monsters", [Monster("rat", 3), Monster("lich", 90, True)])
    >>> [(column.name, column.type, column.nullable) for column in table.columns]
    [('name', 'text', False), ('hp', 'integer', False), ('boss', 'boolean', True)]
    >>> table.rows
    (('rat', 3, None), ('lich', 90, True))

    Args:
        name: The table's name: letters, digits, `_` and `-`, at most 64.
        records: All instances of one dataclass, or all mappings.
        record_type: The dataclass or TypedDict. The default is the dataclass of the first record; a
            TypedDict must be given, since its instances are plain mappings.

    Raises:
        ExporterError: A type is not supported, types are mixed, a cell does not fit, or the name is
            malformed.
    """
    if not isinstance(name, str) or not re.fullmatch(NAME_PATTERN, name):
        raise ParameterError(f"{name!r} cannot name a table ({NAME_RULE})")
    if record_type is None and records and dataclasses.is_dataclass(records[0]):
        record_type = type(records[0])
    if record_type is None:
        listed = [_mapping(record, index) for index, record in enumerate(records)]
        columns = _detected_columns(listed)
    else:
        columns = tuple(_class_columns(record_type))
        listed = [
            _fields_of(record_type, record, index)
            if dataclasses.is_dataclass(record_type)
            else _mapping(record, index)
            for index, record in enumerate(records)
        ]
    check_columns(columns)
    rows = tuple(checked_row(columns, record, index) for index, record in enumerate(listed))
    return Table(name, columns, rows)


def _mapping(record: Any, index: int) -> dict[str, Any]:
    if not isinstance(record, Mapping):
        raise ParameterError(
            f"record {index} is neither a dataclass instance nor a mapping", ("rows", index)
        )
    for key in record:
        if not isinstance(key, str):
            raise ParameterError(
                f"record {index} has the key {cell_text(key)}, which is not text", ("rows", index)
            )
    return dict(record)


def _fields_of(record_type: type, record: Any, index: int) -> dict[str, Any]:
    if not isinstance(record, record_type):
        raise ParameterError(
            f"record {index} is not of type {record_type.__name__}", ("rows", index)
        )
    return {field.name: getattr(record, field.name) for field in dataclasses.fields(record_type)}


def _class_columns(record_type: type) -> Iterator[Column]:
    typed_dict = typing.is_typeddict(record_type)
    if not typed_dict and not dataclasses.is_dataclass(record_type):
        name = getattr(record_type, "__name__", repr(record_type))
        raise ParameterError(f"{name} is neither a dataclass nor a TypedDict")
    try:
        hints = typing.get_type_hints(record_type, include_extras=True)
    except NameError as error:
        raise ParameterError(
            f"an annotation of {record_type.__name__} cannot be looked up ({error})", ("columns",)
        ) from None
    absent = record_type.__optional_keys__ if typed_dict else ()  # type: ignore[attr-defined]
    names = list(hints) if typed_dict else [field.name for field in dataclasses.fields(record_type)]
    for name in names:
        yield _annotated_column(record_type, name, hints[name], name in absent)


def _annotated_column(record_type: type, name: str, annotation: Any, absent: bool) -> Column:
    """Return the column for the field `name` of a class.

    `annotation` gives its type; `absent` is whether records may lack the field: then it is
    nullable.
    """
    kind, absent = _unwrapped(annotation, absent)
    members = list(get_args(kind)) if get_origin(kind) in (Union, types.UnionType) else [kind]
    kinds = [_unwrapped(member, False)[0] for member in members if member is not type(None)]
    if len(kinds) != 1 or not isinstance(kinds[0], type) or kinds[0] not in TYPES:
        raise ParameterError(
            f"{record_type.__name__}.{name} is {annotation}, which is not a column type "
            "(allowed: str, int, float, bool, each also with None)",
            ("columns", name),
        )
    return Column(name, TYPES[kinds[0]], absent or len(members) > 1)


def _unwrapped(annotation: Any, absent: bool) -> tuple[Any, bool]:
    """Return the type in `annotation`, and whether records may lack the key.

    `absent` is what Python says about the latter. It does not see a `NotRequired` in an annotation
    that is a text.
    """
    while (origin := get_origin(annotation)) in (Annotated, Required, NotRequired):
        absent = origin is NotRequired or (absent and origin is not Required)
        annotation = get_args(annotation)[0]
    return annotation, absent


def _detected_columns(records: Sequence[Mapping[str, Any]]) -> tuple[Column, ...]:
    """Return the columns of plain mappings, typed by their values."""
    kinds: dict[str, set[PlainType]] = {}
    filled: dict[str, int] = {}
    for index, record in enumerate(records):
        for key, value in record.items():
            result = kinds.setdefault(key, set())
            if value is None:
                continue
            filled[key] = filled.get(key, 0) + 1
            if type(value) not in TYPES:
                raise ParameterError(
                    f"{cell_text(value)} is not a table value (allowed: text, numbers, "
                    "booleans, None)",
                    ("rows", index, key),
                )
            result.add(TYPES[type(value)])
    columns = []
    for name, result in kinds.items():
        if result == {"integer", "number"}:
            result = {"number"}
        if len(result) > 1:
            raise ParameterError(
                f"column {name!r} has values of several types ({', '.join(sorted(result))})",
                ("columns", name),
            )
        # None alone does not determine the type: text fits any later value.
        kind: PlainType = next(iter(result), "text")
        columns.append(Column(name, kind, filled.get(name, 0) < len(records)))
    return tuple(columns)
