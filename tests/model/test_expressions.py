"""Expressions mean the same as in Python, and nothing else is ever run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from exporter.model.expression_tree import NoValueError, distance_of
from exporter.model.expressions import (
    MAXIMUM_DEPTH,
    MAXIMUM_LENGTH,
    ExpressionError,
    parse_expression,
)

VALUES = {"floor": 0.5, "farthest": 80.0, "loops": 0.0, "ends": 3.0}

atoms = st.one_of(
    st.sampled_from(sorted(VALUES)),
    st.integers(0, 99).map(str),
    st.sampled_from(["0.25", ".5", "1e2", "2.", "1.5E-1"]),
)


def _calculations(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(" ".join),
        inner.map("({})".format),
        inner.map("-{}".format),
    )


numbers = st.recursive(atoms, _calculations, max_leaves=8)
chains = st.builds(
    lambda first, rest: first + "".join(f" {sign} {item}" for sign, item in rest),
    numbers,
    st.lists(
        st.tuples(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), numbers),
        min_size=1,
        max_size=3,
    ),
)


def _conditions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
        inner.map("({})".format),
        inner.map("not {}".format),
    )


conditions = st.recursive(chains, _conditions, max_leaves=6)


def in_python(text: str) -> object:
    """Evaluate in Python; its own errors of arithmetic are this language's."""
    try:
        return eval(text, {"__builtins__": {}}, {**VALUES})
    except (ZeroDivisionError, OverflowError):
        return "no value"


@given(numbers)
def test_a_number_is_what_it_is_in_python(text: str) -> None:
    try:
        result: object = parse_expression(text, "number").number(VALUES)
    except NoValueError:
        result = "no value"
    assert result == in_python(text)


@given(conditions)
def test_a_condition_holds_where_it_does_in_python(text: str) -> None:
    expression = parse_expression(text)
    try:
        result: object = expression.holds(VALUES)
    except NoValueError:
        result = "no value"
    assert result == in_python(text)


@given(conditions)
def test_something_is_missed_exactly_where_a_condition_does_not_hold(text: str) -> None:
    expression = parse_expression(text)
    try:
        holds = expression.holds(VALUES)
    except NoValueError:
        return
    misses = expression.misses(VALUES)
    assert (distance_of(misses) == 0) == holds
    assert bool(misses) != holds


@given(st.text(alphabet="abz_019 .+-*/()<>=!andort'\"\n", max_size=40))
def test_any_text_is_an_expression_or_an_error_with_a_position_inside(text: str) -> None:
    try:
        parse_expression(text)
    except ExpressionError as error:
        assert 0 <= error.start <= len(text)
        assert error.start + error.length <= len(text) + 1


@each_case(
    ("text", "start", "length", "words"),
    [
        ("", 0, 1, "the expression is empty"),
        ("floor and 3", 0, 5, "this is a number, but `and` needs a condition"),
        ("floor > 1 and 3", 14, 1, "this is a number, but `and` needs a condition"),
        ("not ends", 4, 4, "this is a number, but `not` needs a condition"),
        ("(floor > 1) + 2", 0, 11, "this is a condition, but `+` needs a number"),
        ("1 < (floor > 1)", 4, 11, "this is a condition, but `<` needs a number"),
        ("-(floor > 1) > 2", 1, 11, "this is a condition, but `-` needs a number"),
        ("  farthest ", 2, 8, "this is a number, not a condition"),
        ("farthest = 80", 9, 1, "use == to compare"),
        ("farthest >= 80 && floor", 15, 1, "write `and`"),
        ("farthest >= ", 12, 1, "expected a number or a name, not the end"),
        ("farthest > > 1", 11, 1, "expected a number or a name, not '>'"),
        ("(farthest > 1", 13, 1, "the text ends where a closing parenthesis is missing"),
        ("farthest > 1)", 12, 1, "no parenthesis was opened"),
        ("farthest > 1 floor", 13, 5, "must join these two"),
        ("farthest > 3steps", 11, 2, "a number is followed directly by a name"),
        ("farthest > 1e999", 11, 5, "too large"),
        ("'chest' > 1", 0, 1, "quotes stand only inside names"),
        ("__import__(floor) > 1", 10, 1, "there are no functions"),
        ("floor[0] > 1", 5, 1, "'[' is not part of an expression"),
        ("max(floor, 3) > 1", 9, 1, "there are no functions such as max(...)"),
        ("abs(floor) > 1", 3, 1, "there are no functions such as abs(...)"),
        ("floor > 0,5", 9, 1, "write 0.5 with a point"),
        ("floor ** 2 > 1", 7, 1, "`**` is not supported"),
        ("floor > 1 AND loops > 2", 10, 3, "write `and`"),
        ("NOT floor > 1", 4, 5, "write `not` instead of `NOT`"),
    ],
)
def test_a_fault_is_reported_with_its_position(
    text: str, start: int, length: int, words: str
) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)
    assert words in caught.value.message
    assert (caught.value.start, caught.value.length) == (start, length)


def test_a_condition_where_a_number_is_requested_is_reported() -> None:
    with pytest.raises(ExpressionError, match="this is a condition, not a number"):
        parse_expression("farthest > 3", "number")


@pytest.mark.parametrize("text", ["(" * 60 + "1" + ")" * 60 + " > 0", "1 > " + "-" * 60 + "1"])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match=f"allowed: {MAXIMUM_DEPTH} levels"):
        parse_expression(text)


@each_case("sign", ["+", "*", "-", "/"])
def test_long_chains_are_refused_before_they_are_evaluated(sign: str) -> None:
    with pytest.raises(ExpressionError, match="too deeply"):
        parse_expression(f"{f' {sign} '.join(['1'] * 100)} > 0")


def test_a_long_chain_of_not_is_refused() -> None:
    with pytest.raises(ExpressionError, match="too deeply"):
        parse_expression("not " * 60 + "1 > 0")


def test_a_long_text_is_refused() -> None:
    with pytest.raises(ExpressionError, match=f"allowed: {MAXIMUM_LENGTH}"):
        parse_expression("1 < " * MAXIMUM_LENGTH + "2")


def test_names_have_arguments_in_quotes_or_without() -> None:
    text = "objects.'big-chest' >= 2 and reachable.20 > distance.a.'b'"
    expression = parse_expression(text)
    assert expression.names == ("objects.'big-chest'", "reachable.20", "distance.a.b")
    assert [text[p.start : p.start + p.length] for p in expression.places] == [
        "objects.'big-chest'",
        "reachable.20",
        "distance.a.'b'",
    ]


def test_a_division_by_zero_behind_what_decides_does_not_matter() -> None:
    assert parse_expression("loops == 0 or 1 / loops > 2").holds(VALUES)
    assert parse_expression("loops > 0 and 1 / loops > 2").misses(VALUES)[0].text == "loops > 0"
    with pytest.raises(NoValueError, match="divides by zero"):
        parse_expression("1 / loops > 2").holds(VALUES)


def test_what_is_missed_has_its_numbers() -> None:
    expression = parse_expression("farthest >= 100 and (ends < 1 or floor > 0.6) and loops == 0")
    first, second = expression.misses(VALUES)
    assert first.describe(VALUES) == "farthest >= 100 fails (farthest is 80)"
    assert first.distance == pytest.approx(0.2)
    # Of the two ways out the nearer one.
    assert second.describe(VALUES) == "floor > 0.6 fails (floor is 0.5)"


def test_under_not_the_opposite_is_missed() -> None:
    misses = parse_expression("not (farthest >= 60 or ends > 5)").misses(VALUES)
    assert [miss.describe(VALUES) for miss in misses] == ["farthest >= 60 holds (farthest is 80)"]


def test_equality_is_missed_by_a_little_even_at_the_limit() -> None:
    assert distance_of(parse_expression("ends < 3").misses(VALUES)) > 0
