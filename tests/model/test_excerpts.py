"""A line of a file as a terminal shows it: the caret is under the fault, whatever the letters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from exporter.model.errors import Problem
from exporter.model.excerpts import cut, display_width, excerpt


@each_case(
    ("text", "width"),
    [
        ("", 0), ("abc", 3), ("名前", 4), ("ｱ", 1), ("\uff21", 2), ("é", 1), ("e\u0301", 1),
        ("🧱", 2), ("🗺", 1), ("🗺\ufe0f", 2), ("a\u200bb", 2), ("\t", 8), ("ab\tc", 9),
        ("名\tc", 9), ("\x1b", 1), ("가", 2),
    ],
)  # fmt: skip
def test_columns_are_counted_as_terminals_do(text: str, width: int) -> None:
    assert display_width(text) == width


@each_case(
    ("text", "width", "expected"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "ab..."),
        ("名前名前", 8, "名前名前"),
        ("名前名前", 7, "名前..."),
        ("名前名前", 6, "名..."),
        ("abcdef", 2, ".."),
        ("abcdef", 0, ""),
    ],
)
def test_a_text_is_cut_to_a_width(text: str, width: int, expected: str) -> None:
    assert cut(text, width) == expected


@each_case("before", ["", "key: ", "名前: ", "🧱🧱 ", "e\u0301e\u0301: ", "\t", "a\tb: "])
def test_the_caret_lies_below_the_fault(before: str) -> None:
    source = before + "X" + " # rest"
    first, second = excerpt(source, len(before), 1, 7, 200).split("\n")
    assert first == f"    7 | {source}"
    assert display_width(second[: second.index("^")]) == display_width(first[: first.index("X")])
    assert second.count("^") == 1


def test_wide_letters_are_underlined_as_a_whole() -> None:
    assert excerpt("a: 名前", 3, 2, 1, 80).endswith("   ^^^^")
    assert excerpt("a: \u0301", 3, 1, 1, 80).endswith("^")


LETTERS = st.text("ab 名🧱\u0301\t", max_size=300)


@given(LETTERS, st.integers(0, 300), st.integers(1, 40), st.integers(20, 120))
def test_a_line_never_takes_more_columns_than_there_are(
    source: str, column: int, length: int, width: int
) -> None:
    column = min(column, len(source))
    displayed = excerpt(source, column, length, 12, width)
    if not displayed:
        return
    first, second = displayed.split("\n")
    # The width of a tab depends on the text before it: only at the end is it shorter.
    assert display_width(first) <= max(width, 8 + 6 + 8) + 8
    assert second.count("^") >= 1
    assert second.lstrip("\t |").startswith("^") or "^" in second
    if "\t" not in source:
        assert display_width(first) <= max(width, 8 + 6 + 2)
        assert display_width(second) <= max(width, 8 + 6 + 2) + 2


@given(st.text("abc名", min_size=1, max_size=400), st.integers(0, 399), st.integers(30, 100))
def test_the_letter_at_fault_is_displayed_above_the_caret(
    text: str, column: int, width: int
) -> None:
    column %= len(text)
    source = text[:column] + "X" + text[column + 1 :]
    first, second = excerpt(source, column, 1, 1, width).split("\n")
    assert display_width(first[: first.index("X")]) == display_width(second[: second.index("^")])


def test_a_very_long_line_costs_no_more_than_what_is_displayed() -> None:
    problem = Problem("no", "x.yaml", 1, 500_001, "a" * 1_000_000, 400_000)
    rendered = problem.render(60)
    assert all(len(line) <= 60 for line in rendered.split("\n"))
    assert rendered.split("\n")[1].startswith("    1 | ...aaa")


def test_no_excerpt_is_displayed_of_an_empty_line() -> None:
    assert Problem("no", "x.yaml", 3, 1, "   ").render() == "x.yaml:3:1: error: no"


def test_characters_that_terminals_act_upon_are_replaced() -> None:
    assert "\x1b" not in Problem("no\x1b[31m", "x\x07.yaml", 1, 1, "a\x1b[2Jb").render()


def test_the_name_of_a_file_adds_no_line_to_a_message() -> None:
    line = Problem("no", "a\n::error::b\u202egp.yaml").headline()
    assert line == "a\ufffd::error::b\ufffdgp.yaml:1:1: error: no"
