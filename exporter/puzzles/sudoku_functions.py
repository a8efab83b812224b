"""Let programs solve, check, make and read sudoku grids.

A grid is a text of 81 characters, row after row: digits, with 0 or a full stop for an empty cell;
white space does not count. A malformed grid raises `ExporterError`.
"""

from __future__ import annotations

from exporter.kernels.sudoku import CELLS
from exporter.model.errors import ParameterError
from exporter.puzzles._sudoku_files import read_grid_file
from exporter.puzzles._sudoku_grids import LEAST_CLUES, GeneratedSudoku, Solved, check, make, solve
from exporter.streams import open_stream

DEFAULT_CLUES = 30


def solve_sudoku(text: str) -> Solved:
    """Solve a grid, and find out whether there is another solution.

    >>> puzzle = (
    ...     "003020600900305001001806400008102900700000008"
    ...     "006708200002609500800203009005010300"
    ... )
    >>> solve_sudoku(puzzle).outcome
    'unique'

    Args:
        text: The grid. A grid with contradicting clues has no solution.

    Returns:
        `outcome` (`unique`, `several`, `none`, or `undecided` after 50,000 guesses), `solution`
        (81 digits, the first one found, or None) and `guesses` (the digits tried where naked and
        hidden singles do not help).

    Raises:
        ExporterError: The text is not 81 cells.
    """
    return solve(text)


def check_sudoku(text: str) -> Solved:
    """Return the solution of the grid in `text`, which must have just one.

    Raises:
        ExporterError: The grid breaks a rule, which the message names: 81 cells, allowed
            characters, no digit twice in a row, column or box, exactly one solution.
    """
    return check(text)


def make_sudoku(
    clues: int = DEFAULT_CLUES, seed: int | str = 0, number: int = 1
) -> GeneratedSudoku:
    """Make a puzzle with exactly one solution.

    Equal arguments make the same puzzle on every machine.

    Args:
        clues: The number of given cells, 17 to 81. Below about 21 it may not be reached; the puzzle
            then has as few clues as possible.
        seed: A whole number or a text, as in a level spec.
        number: Which of the puzzles of this seed to make, from 1.

    Returns:
        `clues` and `solution` (81 digits each), `clue_count`, and `guesses`: how many digits a
        solver must try where naked and hidden singles do not help.

    Raises:
        ExporterError: A number is out of range.
    """
    if not LEAST_CLUES <= clues <= CELLS:
        raise ParameterError(f"{clues} clues are out of range (allowed: {LEAST_CLUES} to {CELLS})")
    if number < 1:
        raise ParameterError(
            f"the puzzle number {number} is out of range (puzzles are numbered from 1)"
        )
    return make(clues, open_stream("portable", seed, "sudoku").child(number))


def read_sudokus(text: str, file: str = "sudoku") -> dict[int, str]:
    """Read a text with many grids.

    A grid is either a line such as `Grid 01` and nine lines of nine cells, or one line of 81 cells.
    Such lines are numbered from 1.

    Args:
        text: The content of the file.
        file: The name of the file in errors.

    Returns:
        The grids by number, 81 digits each, in the order of the text. They are not solved.

    Raises:
        SpecError: A line is wrong; the error points at it.
    """
    return read_grid_file(text, file)
