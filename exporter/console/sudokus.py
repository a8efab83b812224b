"""Solve or check sudokus and print the results; print generated sudokus."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, Literal

from exporter.console.styles import PLAIN, Style, Styles, styled
from exporter.model.errors import ExporterError
from exporter.model.exit_codes import ExitCode
from exporter.model.lazy_dataclass import dataclass
from exporter.model.texts import count
from exporter.puzzles.sudoku import GeneratedSudoku, Solved, check, solve


@dataclass(frozen=True, slots=True)
class SudokuGrid:
    """A sudoku to solve or check, and where it was read.

    Attributes:
        cells: The 81 digits row by row; 0 for an empty cell.
        file: The file that has the grid; empty for a grid from the command line.
        number: The number of the grid in its file; None for a grid from the command line.
    """

    cells: str
    file: str = ""
    number: int | None = None

    @property
    def name(self) -> str:
        """The name of the sudoku in messages."""
        return f"{self.file}: grid {self.number}" if self.file else self.cells


@dataclass(frozen=True, slots=True)
class SudokuAnswer:
    """The result of solving or checking a sudoku.

    Attributes:
        grid: The sudoku.
        solved: The outcome of the solver.
        fault: Why the sudoku is no proper puzzle, with exactly one solution; empty if it is one.
    """

    grid: SudokuGrid
    solved: Solved
    fault: str = ""

    def report(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return {
            "file": self.grid.file or None,
            "grid": self.grid.number,
            "clues": self.grid.cells,
            "outcome": self.solved.outcome,
            "solution": self.solved.solution,
            "guesses": self.solved.guesses,
            "error": self.fault or None,
        }


def report_answers(
    grids: Sequence[SudokuGrid],
    question: Literal["solve", "check"],
    as_json: bool,
    styles: Styles = PLAIN,
) -> int:
    """Solve or check sudokus and print the results; return the exit code.

    The code is 1 if a sudoku was not solved, or (for `check`) is no proper puzzle, otherwise 0.

    Args:
        grids: The sudokus.
        question: Whether to print solutions, or only to check that there is exactly one.
        as_json: Print one JSON document.
        styles: Which streams show colours.
    """
    answers = [_answer(grid) for grid in grids]
    if question == "solve":
        failed = [answer for answer in answers if answer.solved.solution is None]
    else:
        failed = [answer for answer in answers if answer.fault]
    if as_json:
        print(json.dumps({"grids": [answer.report() for answer in answers]}, indent=1))
        return ExitCode.FAILED if failed else ExitCode.DONE
    for answer in answers:
        if answer.fault:
            kind: Style = "error" if answer in failed else "warning"
            severity = styled(f"{kind}:", kind, styles.errors)
            print(f"{answer.grid.name}: {severity} {answer.fault}", file=sys.stderr)
        if question == "solve" and answer.solved.solution is not None:
            _print_grid(answer.solved.solution, answer.grid.number)
        elif not answer.fault:
            clues = count(81 - answer.grid.cells.count("0"), "clue")
            print(f"{answer.grid.name}: one solution, {clues}, {_difficulty(answer.solved)}")
    return ExitCode.FAILED if failed else ExitCode.DONE


def report_built(puzzles: Sequence[GeneratedSudoku], as_json: bool) -> None:
    """Print generated sudokus: one as a line, several as lines of a file.

    `as_json` prints one JSON document instead, with the solutions.
    """
    if as_json:
        documents = [
            {
                "clues": puzzle.clues,
                "solution": puzzle.solution,
                "clue_count": puzzle.clue_count,
                "guesses": puzzle.guesses,
            }
            for puzzle in puzzles
        ]
        print(json.dumps({"puzzles": documents}, indent=1))
        return
    for number, puzzle in enumerate(puzzles, 1):
        _print_grid(puzzle.clues, number if len(puzzles) > 1 else None)


def _answer(grid: SudokuGrid) -> SudokuAnswer:
    try:
        return SudokuAnswer(grid, check(grid.cells))
    except ExporterError as error:
        return SudokuAnswer(grid, solve(grid.cells), str(error))


def _print_grid(cells: str, number: int | None) -> None:
    """Print a grid on one line; with a `number`, as a title and nine rows."""
    if number is None:
        print(cells)
        return
    print(f"Grid {number:02d}")
    for row in range(0, 81, 9):
        print(cells[row : row + 9])


def _difficulty(solved: Solved) -> str:
    if solved.guesses == 0:
        return "solved by singles only"
    return count(solved.guesses, "guess") if solved.guesses == 1 else f"{solved.guesses} guesses"
