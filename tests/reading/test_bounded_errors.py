"""Errors are bounded: their number, quoted text, and time."""

from __future__ import annotations

import time

import pytest

from cases import each_case
from exporter.model.errors import EXCERPT, MAXIMUM_MESSAGE, Problem, SpecError
from exporter.model.excerpts import display_width
from exporter.model.limits import MAXIMUM_PROBLEMS, MAXIMUM_PUZZLES, MAXIMUM_REQUIRED_METRICS
from exporter.reading.reader import parse_level

MANY = 3000


def problems(text: str) -> SpecError:
    with pytest.raises(SpecError) as caught:
        parse_level(text.encode(), "a.level.yaml")
    return caught.value


@each_case(
    "text",
    [
        "layers: {a: {generator: blank, " + ", ".join(f"k{n}: 1" for n in range(MANY)) + "}}",
        "\n".join(f"k{n}: 1" for n in range(MANY)),
        "objects: [" + ", ".join(["5"] * MANY) + "]",
        "require: {" + ", ".join(f"k{n}: 1" for n in range(MANY)) + "}",
        "require: {" + ", ".join(f"reachable.{n}: 1" for n in range(60)) + "}",
        "properties: {a: [[1]], " + ", ".join(f"k{n}: [[1]]" for n in range(MANY)) + "}",
        "layers: {" + ", ".join(f"k{n}: {{generator: no}}" for n in range(60)) + "}",
        "objects: [" + ", ".join(f"{{name: o{n}, at: [99, 99]}}" for n in range(60)) + "]",
    ],
)
def test_as_many_errors_as_a_person_can_use_are_reported(text: str) -> None:
    started = time.process_time()
    error = problems("size: [8, 8]\n" + text)
    assert time.process_time() - started < 30, "it took minutes where each error showed its line"
    assert len(error.problems) <= MAXIMUM_PROBLEMS
    assert len(str(error)) < MAXIMUM_PROBLEMS * (MAXIMUM_MESSAGE + 3 * EXCERPT)
    assert [problem.line for problem in error.problems] == sorted(
        problem.line for problem in error.problems
    )


def test_a_few_errors_are_all_reported() -> None:
    objects = ", ".join(f"{{name: o{n}, at: [99, 99]}}" for n in range(MAXIMUM_PROBLEMS))
    assert len(problems(f"size: [8, 8]\nobjects: [{objects}]").problems) == MAXIMUM_PROBLEMS


def test_a_metric_too_many_is_refused() -> None:
    def required(count: int) -> str:
        limits = ", ".join(f"reachable.{n}: {{at_least: 0}}" for n in range(count))
        return f"size: [8, 8]\nlayers: {{a: {{generator: maze}}}}\nrequire: {{{limits}}}\n"

    parse_level(required(MAXIMUM_REQUIRED_METRICS).encode(), "a.level.yaml")
    (problem,) = problems(required(MAXIMUM_REQUIRED_METRICS + 1)).problems
    assert problem.message == "65 metrics are too many (allowed: 64)"


def test_a_puzzle_too_many_is_refused() -> None:
    def puzzles(count: int) -> str:
        return (
            "size: [8, 8]\npuzzles: {"
            + "".join(f"p{n}: {{kind: sudoku}}, " for n in range(count))
            + "}"
        )

    parse_level(puzzles(MAXIMUM_PUZZLES).encode(), "a.level.yaml")
    (problem,) = problems(puzzles(MAXIMUM_PUZZLES + 1)).problems
    assert "allowed: 0 to 256" in problem.message


def test_of_a_long_line_the_part_around_the_fault_is_displayed() -> None:
    source = "a" * 4_000_000 + "FAULT" + "b" * 4_000_000
    text = Problem("wrong", "f", 7, 4_000_001, source, 5).render()
    headline, displayed, caret = text.split("\n")
    assert headline == "f:7:4000001: error: wrong"
    assert len(displayed) < EXCERPT + 20
    assert displayed[caret.index("^") : caret.rindex("^") + 1] == "FAULT"
    assert displayed.startswith("    7 | ...aaa")
    assert displayed.endswith("bbb...")


@each_case("column", [1, 2, 90, 99, 100, 101, 150, 399, 400])
@each_case("length", [90, 96, 97, 150, EXCERPT, 400])
def test_the_caret_lies_under_the_fault_wherever_it_is(column: int, length: int) -> None:
    if column > length:
        return
    source = "".join(chr(0x4E00 + n) for n in range(length))
    _, displayed, caret = Problem("wrong", "f", 1, column, source, 1).render().split("\n")
    position = displayed.index(source[column - 1])
    assert display_width(displayed[:position]) == caret.index("^")
    assert caret.count("^") == 2  # these letters are wide
    assert ("..." in displayed) == (2 * length + 8 > EXCERPT)
    assert display_width(displayed) <= EXCERPT


def test_tabs_before_the_fault_stay_tabs() -> None:
    _, displayed, caret = Problem("wrong", "f", 1, 3, "\t\tx", 1).render().split("\n")
    assert displayed == "    1 | \t\tx"
    assert caret == "      | \t\t^"


def test_a_long_message_keeps_its_beginning_and_its_end() -> None:
    message = Problem(f"unknown {'x' * 9_000_000} (known: a)", "f").message
    assert len(message) <= MAXIMUM_MESSAGE + 3
    assert message.startswith("unknown xxx")
    assert message.endswith("xxx (known: a)")
    assert Problem("x" * MAXIMUM_MESSAGE, "f").message == "x" * MAXIMUM_MESSAGE


def test_control_characters_of_a_file_or_its_name_do_not_reach_the_terminal() -> None:
    text = Problem("not \x1b[2J", "a\x1b]0;b\x07.csv", 1, 1, "c\x1b[31m\x9bd", 1).render()
    assert "\x1b" not in text
    assert "\x9b" not in text
    assert "c\ufffd[31m\ufffdd" in text
