"""Varied parameters: allowed names, and the values they take."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from exporter.explore.varying import VariedParameter, parse_varied, varied_parameters
from exporter.model.errors import ParameterError
from exporter.reading.reader import parse_level

SPEC = parse_level(
    b"""size: [20, 14]
layers:
  ground: {generator: cellular_caves}
  relief: {generator: heightmap}
  other: {generator: cellular_caves}
  small: {generator: cellular_caves, size: [4, 4]}
  wet: {generator: mask, of: ground, by: other}
  late: {generator: cellular_caves}
  all: {generator: union, layers: [ground, other]}
""",
    "x.level.yaml",
)
genes = st.integers(0, 2**64 - 1)


def test_a_range_includes_both_ends() -> None:
    varied = parse_varied("ground.wall_percent=38..46", SPEC)
    assert varied == VariedParameter("ground", "wall_percent", (), 38, 46)
    assert (varied.value(0), varied.value(2**64 - 1)) == (38, 46)


@pytest.mark.parametrize("text", ["relief.lacunarity=2..3", "relief.lacunarity=1.5..3.25"])
@given(gene=genes)
def test_a_range_of_a_parameter_with_parts_has_values_between_whole_numbers(
    text: str, gene: int
) -> None:
    for item in (
        parse_varied(text, SPEC),
        *varied_parameters({"relief.lacunarity": tuple(json.loads(_ends(text)))}, SPEC),
    ):
        value = item.value(gene)
        assert type(value) is float
        assert item.low <= value <= item.high
        assert not item.value(2**63).is_integer()


def _ends(text: str) -> str:
    return f"[{text.partition('=')[2].replace('..', ',')}]"


def test_a_range_with_many_digits_stays_in_its_bounds() -> None:
    varied = parse_varied("relief.lacunarity=1.33333333..1.66666666", SPEC)
    assert varied.value(0) == 1.33333333
    assert varied.value(2**64 - 1) == 1.66666666


def test_one_end_alone_can_be_a_range_of_a_parameter_with_parts() -> None:
    assert parse_varied("relief.lacunarity=4..4", SPEC).value(2**63) == 4.0


@pytest.mark.parametrize("values", [40, "38..46", None])
def test_what_is_neither_a_range_nor_choices_is_refused(values: Any) -> None:
    with pytest.raises(
        ParameterError, match=r"ground.wall_percent: .* is neither a range nor a list"
    ):
        varied_parameters({"ground.wall_percent": values}, SPEC)


def test_choices_know_whether_they_refer_to_others() -> None:
    assert parse_varied("wet.by=ground,other", SPEC).refers
    assert not parse_varied("wet.by=other", SPEC).refers
    assert not parse_varied("ground.wall_percent=1,2", SPEC).refers


@given(genes)
def test_every_value_lies_in_the_range(gene: int) -> None:
    varied = parse_varied("ground.wall_percent=38..46", SPEC)
    assert varied.value(gene) in range(38, 47)
    assert type(varied.value(gene)) is int


def test_values_of_a_range_are_equally_frequent() -> None:
    varied = parse_varied("ground.wall_percent=1..8", SPEC)
    values = [varied.value(number << 61) for number in range(8)]
    assert values == [1, 2, 3, 4, 5, 6, 7, 8]


def test_choices_are_accepted_as_they_are_written() -> None:
    varied = parse_varied("ground.connect=false, guaranteed", SPEC)
    assert varied.choices == (False, "guaranteed")
    assert [varied.value(0), varied.value(2**64 - 1)] == [False, "guaranteed"]


def test_without_values_a_parameter_takes_all_it_may_have() -> None:
    assert parse_varied("ground.wall_percent", SPEC) == VariedParameter(
        "ground", "wall_percent", (), 0, 100
    )


def test_one_value_is_a_choice() -> None:
    assert parse_varied("ground.wall_percent=40", SPEC).choices == (40,)


def test_a_tuple_of_two_numbers_is_a_range_and_a_list_are_choices() -> None:
    item, other = varied_parameters(
        {"ground.wall_percent": (38, 46), "ground.connect": [False, "guaranteed"]}, SPEC
    )
    assert (item.low, item.high, item.choices) == (38, 46, ())
    assert other.choices == (False, "guaranteed")


@each_case(
    ("text", "words"),
    [
        ("wall_percent=1..2", "write LAYER.PARAMETER"),
        ("grund.wall_percent=1..2", "did you mean 'ground'"),
        ("ground.wall_percnt=1..2", "did you mean 'wall_percent'"),
        ("ground.wall_percent=1..200", "expected a whole percentage from 0 to 100, not 200"),
        ("ground.wall_percent=46..38", "write 38..46"),
        ("ground.wall_percent=a..b", "expected a whole percentage"),
        ("ground.wall_percent=1.5..3", "not 1.5"),
        ("ground.wall_percent=010", "octal"),
        ("ground.connect=false..guaranteed", "list the values"),
        ("ground.connect", "has no default range"),
        ("ground.connect=true", "expected"),
        ("wet.by=ground,grund", "did you mean 'ground'"),
        ("wet.by=ground,late", "defined after 'wet'"),
        ("wet.by=wet", "cannot refer to itself"),
        ("wet.by=small", "has 4 x 4 cells"),
        ("all.layers=a,b", "lists are varied in Python"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse_varied(text, SPEC)
    assert words in caught.value.message
