"""Tables from a program's records: annotations become columns."""

from __future__ import annotations

import doctest
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, NotRequired, Optional, Required, TypedDict

import pytest

import exporter
from cases import each_case
from exporter.model.level import Column
from exporter.model.tables import records
from exporter.model.tables.records import table_from_records


class Loot(TypedDict):
    name: str
    weight: float | None
    magic: NotRequired[bool]


class Spawn(TypedDict, total=False):
    room: Required[int]
    note: str


@dataclass
class Trap:
    kind: Annotated[str, "of the trap"]
    damage: Optional[int]  # noqa: UP045 - as older programs write it
    chance: float = 0.5
    limit: ClassVar[int] = 3
    hidden: bool = field(default=True, repr=False)


def columns_of(record_type: type) -> list[tuple[str, str, bool]]:
    table = table_from_records("t", [], record_type)
    return [(column.name, column.type, column.nullable) for column in table.columns]


def test_the_example_of_the_documentation_works() -> None:
    assert doctest.testmod(records).failed == 0


def test_the_fields_of_a_dataclass_become_columns() -> None:
    assert columns_of(Trap) == [
        ("kind", "text", False),
        ("damage", "integer", True),
        ("chance", "number", False),
        ("hidden", "boolean", False),
    ]
    table = exporter.table_from_records("traps", [Trap("pit", None), Trap("dart", 3, 1)])
    assert table.rows == (("pit", None, 0.5, True), ("dart", 3, 1.0, True))


def test_the_keys_of_a_typed_dictionary_become_columns() -> None:
    assert columns_of(Loot) == [
        ("name", "text", False),
        ("weight", "number", True),
        ("magic", "boolean", True),
    ]
    assert columns_of(Spawn) == [("room", "integer", False), ("note", "text", True)]
    rows: list[Loot] = [
        {"name": "gem", "weight": 1.5},
        {"name": "orb", "weight": None, "magic": True},
    ]
    assert table_from_records("loot", rows, Loot).rows == (("gem", 1.5, None), ("orb", None, True))


class Nested(TypedDict):
    parts: list[int]


@dataclass
class Wide:
    value: int | str


@dataclass
class Unknown:
    value: Missing  # type: ignore[name-defined]  # noqa: F821 - on purpose


@each_case(
    ("rows", "record_type", "reason"),
    [
        ([], Nested, "Nested.parts is .*list.*, which is not a column type"),
        ([], Wide, r"Wide.value is int \| str, which is not a column type"),
        ([], Unknown, "an annotation of Unknown cannot be looked up .*Missing"),
        ([], int, "int is neither a dataclass nor a TypedDict"),
        ([{"weight": 1.0}], Loot, "row 1 has no value for 'name', which is not nullable"),
        ([{"name": 3, "weight": 1.0}], Loot, "'name' is text, not 3"),
        ([{"name": "gem", "weight": 1.0, "colour": "red"}], Loot, "unknown column 'colour'"),
        ([3], Loot, "record 0 is neither"),
        ([{3: "x"}], None, "record 0 has the key 3, which is not text"),
    ],
)
def test_what_makes_no_table_is_refused(
    rows: list[Any], record_type: type | None, reason: str
) -> None:
    with pytest.raises(exporter.ExporterError, match=reason):
        table_from_records("t", rows, record_type)


@each_case("name", ["", "two words", "../up", "-x", "a" * 65, None])
def test_a_name_that_cannot_name_files_is_refused(name: Any) -> None:
    with pytest.raises(exporter.ExporterError, match="cannot name a table"):
        table_from_records(name, [{"a": 1}])


def test_a_column_is_public() -> None:
    table = table_from_records("t", [{"a": 1}])
    assert isinstance(table, exporter.Table)
    assert table.columns == (Column("a", "integer"),) == (exporter.Column("a", "integer"),)
