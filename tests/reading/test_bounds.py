"""Every range a parameter may have is inclusive: both ends are accepted, one step beyond is not."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import pytest
from pydantic import ValidationError

from cases import each_case
from exporter.model.errors import SpecError
from exporter.model.parameters import Within
from exporter.project.settings_file import parse_project
from exporter.reading.adapters import adapter
from exporter.reading.reader import parse_level
from spec_problems import problems_of
from spec_samples import dataclasses_of_a_spec, sample

jsonschema = pytest.importorskip("jsonschema")


# A spec holds 100,000 values; a value that may be longer cannot be written at its full length.
WRITABLE = 20_000


class Bounded(NamedTuple):
    """A range, its position, and the annotation it belongs to."""

    where: str
    hint: Any
    range: Within


def bounded_fields(kind: type[Any], seen: set[type[Any]]) -> Iterator[Bounded]:
    """Yield every range below a dataclass, once."""
    if kind in seen:
        return
    seen.add(kind)
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name in {field.name for field in dataclasses.fields(kind)}:
            yield from bounded_parts(f"{kind.__name__}.{name}", hint, seen)


def bounded_parts(where: str, hint: Any, seen: set[type[Any]]) -> Iterator[Bounded]:
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        for mark in marks:
            if isinstance(mark, Within):
                yield Bounded(where, hint, mark)
        yield from bounded_parts(where, inner, seen)
    elif isinstance(hint, type) and dataclasses.is_dataclass(hint):
        yield from bounded_fields(hint, seen)
    else:
        for number, argument in enumerate(get_args(hint)):
            yield from bounded_parts(f"{where}/{number}", argument, seen)


SEEN: set[type[Any]] = set()
BOUNDED = [
    bounded_field
    for kind in dataclasses_of_a_spec()
    for bounded_field in bounded_fields(kind, SEEN)
]


def number_type(hint: Any) -> type[Any]:
    """Return the type of the numbers a range holds."""
    if get_origin(hint) is Annotated:
        return number_type(get_args(hint)[0])
    result = [item for item in get_args(hint) or (hint,) if item in (int, float)]
    return result[0]


def ends(bounded: Bounded) -> tuple[list[Any], list[Any]]:
    """Return values at the ends of a range, and values just beyond them."""
    low, high = bounded.range.minimum, bounded.range.maximum
    if bounded.range.length:
        lengths = ([int(low), int(high)], [int(low) - 1, int(high) + 1])
        good, bad = ([n for n in item if 0 <= n <= WRITABLE] for item in lengths)
        result = {length: sample(bounded.hint, length) for length in {*good, *bad}}
        return [result[n] for n in good], [result[n] for n in bad]
    if number_type(bounded.hint) is int:
        return [int(low), int(high)], [int(low) - 1, int(high) + 1]
    beyond = [math.nextafter(low, -math.inf), math.nextafter(high, math.inf)]
    return [float(low), float(high)], beyond


def test_the_ranges_of_a_spec_are_detected() -> None:
    named = {bounded.where for bounded in BOUNDED}
    assert len(BOUNDED) > 150
    assert {
        "VisibilityParameters.radius",
        "LevelDocument.size/0",
        "Requirements.min_floor",
    } <= named


@each_case("bounded", BOUNDED)
def test_reader_and_schema_accept_both_ends_and_refuse_what_is_beyond(bounded: Bounded) -> None:
    reader = adapter(bounded.hint)
    schema = jsonschema.Draft202012Validator(reader.json_schema())
    good, bad = ends(bounded)
    for value in good:
        reader.validate_json(json.dumps(value))
        assert schema.is_valid(value)
    for value in bad:
        with pytest.raises(ValidationError, match=r"is out of range \(allowed: "):
            reader.validate_json(json.dumps(value))
        assert not schema.is_valid(value)


def test_a_value_beyond_its_range_is_reported_with_the_range() -> None:
    ground = "size: [9, 9]\nlayers:\n  g: {generator: maze, braid_percent: %d}\n"
    for braid in (0, 100):
        assert parse_level((ground % braid).encode(), "x").layers
    for braid in (-1, 101):
        reported = f"3:39: value {braid} is out of range (allowed: 0 to 100)"
        assert problems_of(ground % braid) == [reported]


def test_a_length_beyond_its_range_is_reported_with_the_range() -> None:
    layers = "".join(f"  l{number}: {{generator: island_maze}}\n" for number in range(65))
    assert problems_of("size: [2, 2]\nlayers:\n" + layers)[0] == (
        "2:1: length 65 is out of range (allowed: 0 to 64)"
    )
    assert (
        len(
            parse_level(
                ("size: [2, 2]\nlayers:\n" + layers.rpartition("  l64")[0]).encode(), "x"
            ).layers
        )
        == 64
    )


def test_a_project_has_one_to_sixteen_targets(tmp_path: Any) -> None:
    def targets(number: int) -> bytes:
        lines = [f"  t{index}: {{engine: tiled, path: p{index}}}\n" for index in range(number)]
        return ("targets:\n" + "".join(lines)).encode()

    assert len(parse_project(targets(1), "exporter.yaml", tmp_path).targets) == 1
    assert len(parse_project(targets(16), "exporter.yaml", tmp_path).targets) == 16
    with pytest.raises(SpecError, match="length 17 is out of range"):
        parse_project(targets(17), "exporter.yaml", tmp_path)
    with pytest.raises(SpecError, match="length 0 is out of range"):
        parse_project(b"targets: {}", "exporter.yaml", tmp_path)
