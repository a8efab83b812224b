"""The public sudoku functions, and files of many grids."""

from __future__ import annotations

import doctest

import pytest

import exporter
from cases import each_case
from exporter.model.errors import ExporterError, SpecError
from exporter.puzzles import sudoku_functions

EXAMPLE = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
SOLUTION = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
EMPTY = "0" * 81


def file_of(*grids: str) -> str:
    lines = []
    for number, grid in enumerate(grids, 1):
        lines += [f"Grid {number:02d}", *(grid[row : row + 9] for row in range(0, 81, 9))]
    return "\n".join(lines) + "\n"


def test_the_examples_of_the_documentation_work() -> None:
    assert doctest.testmod(sudoku_functions).failed == 0


def test_a_grid_is_solved() -> None:
    solved = exporter.solve_sudoku(EXAMPLE)
    assert (solved.outcome, solved.solution) == ("unique", SOLUTION)
    assert exporter.solve_sudoku(EXAMPLE.replace("0", ".")).solution == SOLUTION
    assert exporter.solve_sudoku(EMPTY).outcome == "several"
    assert exporter.solve_sudoku("11" + EMPTY[2:]).outcome == "none"


@each_case(
    ("text", "message"),
    [
        (EXAMPLE[:-1], "has 80 cells"),
        (EXAMPLE + "0", "has 82 cells"),
        ("", "has 0 cells"),
        ("x" + EXAMPLE[1:], "'x'"),
        ("\u0664" + EXAMPLE[1:], "character 1"),
        ("11" + EMPTY[2:], "the digit 1 is twice in row 1"),
        (EMPTY, "more than one solution"),
    ],
)
def test_what_is_no_proper_puzzle_says_which_rule_is_broken(text: str, message: str) -> None:
    with pytest.raises(ExporterError, match=message):
        exporter.check_sudoku(text)


def test_a_proper_puzzle_passes_with_its_solution() -> None:
    assert exporter.check_sudoku(EXAMPLE).solution == SOLUTION


def test_puzzles_follow_from_seed_and_number() -> None:
    sudoku = exporter.make_sudoku(28, "crypt")
    assert sudoku == exporter.make_sudoku(28, "crypt", 1)
    assert sudoku.clue_count == 28
    assert exporter.check_sudoku(sudoku.clues).solution == sudoku.solution
    others = [exporter.make_sudoku(28, "crypt", 2), exporter.make_sudoku(28, "vault")]
    assert len({sudoku.clues, *(other.clues for other in others)}) == 3
    assert exporter.make_sudoku().clue_count == 30


@pytest.mark.parametrize("arguments", [(16,), (82,), (30, 0, 0)])
def test_numbers_out_of_range_are_refused(arguments: tuple[int, ...]) -> None:
    with pytest.raises(ExporterError):
        exporter.make_sudoku(*arguments)


def test_files_of_many_grids_are_read_by_number() -> None:
    text = file_of(EXAMPLE, EMPTY)
    assert exporter.read_sudokus(text) == {1: EXAMPLE, 2: EMPTY}
    spread = "\ufeff\n" + text.replace("\n", "  \r\n\r\n").replace("0", ".").replace(
        "Grid .", "grid 00"
    )
    assert exporter.read_sudokus(spread) == {1: EXAMPLE, 2: EMPTY}


def test_files_with_a_line_for_each_grid_are_read_in_order() -> None:
    text = f"{EXAMPLE}\n\n  {EMPTY.replace('0', '.')}\n"
    assert exporter.read_sudokus(text) == {1: EXAMPLE, 2: EMPTY}


@each_case(
    ("text", "position", "message"),
    [
        ("", (1, 1), "no grids"),
        ("\n  \n", (1, 1), "no grids"),
        ("hello\n", (1, 1), "expected 'Grid NN', not 'hello'"),
        ("Grid 01\n 12345678\n", (2, 10), "row 1 of grid 1 is '12345678', not nine digits"),
        ("Grid 01\n1234567890\n", (2, 10), "not nine digits"),
        ("Grid 01\n000000000\n0000a0000\n", (3, 5), "row 2 of grid 1"),
        ("Grid 01\n000000000\n", (2, 1), "grid 1 ends after 1 of 9 rows"),
        ("Grid 01\n", (1, 1), "grid 1 ends after 0 of 9 rows"),
        (file_of(EMPTY) + "Grid 1\n", (11, 1), "two grids have the number 1"),
        (f"{EXAMPLE}\n{EXAMPLE[:80]}\n", (2, 81), "not 81 digits"),
    ],
)
def test_a_broken_file_is_reported_at_its_position(
    text: str, position: tuple[int, int], message: str
) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        exporter.read_sudokus(text, "many.txt")
    assert caught.value.file == "many.txt"
    assert (caught.value.line, caught.value.column) == position
