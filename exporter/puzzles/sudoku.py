"""Make Sudoku puzzles, or read them from the spec or a file."""

from __future__ import annotations

from typing import Annotated

from exporter.kernels import sudoku
from exporter.model.costs import Cost, kernel_seconds
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.level import Puzzle
from exporter.model.limits import MAXIMUM_TEXT_BYTES
from exporter.model.parameters import About, FileName, Parameters, Within
from exporter.puzzles import ReadFile, puzzle
from exporter.puzzles._sudoku_files import read_grid_file, read_grids
from exporter.puzzles._sudoku_grids import (
    GUESS_LIMIT,
    LEAST_CLUES,
    GeneratedSudoku,
    Solved,
    check,
    make,
    read_grid,
    solve,
)
from exporter.puzzles.sudoku_functions import DEFAULT_CLUES, make_sudoku
from exporter.streams import Stream

__all__ = [
    "GUESS_LIMIT",
    "GeneratedSudoku",
    "Solved",
    "Sudoku",
    "build",
    "check",
    "make",
    "make_sudoku",
    "read_grid",
    "read_grid_file",
    "read_grids",
    "solve",
]


@dataclass(frozen=True, kw_only=True)
class Sudoku(Parameters):
    """A sudoku with exactly one solution.

    Without `grid` and `file` it is generated from the level's seed. The exported puzzle has `clues`
    and `solution` (81 digits each, row by row, 0 for an empty cell), `clue_count` and `guesses`:
    how many digits a search has to guess that knows naked and hidden singles only. A generated
    puzzle also has `wanted_clues`.
    """

    clues: Annotated[
        Annotated[int, Within(LEAST_CLUES, 81)] | None,
        About(f"Number of clues of a generated puzzle; default: {DEFAULT_CLUES}."),
    ] = None
    exact: Annotated[
        bool,
        About(
            "Whether another number of clues than the wanted one is an error. Below about 21 clues "
            "the wanted number is not always found, and the nearest one is taken."
        ),
    ] = False
    grid: Annotated[
        str | Annotated[int, Within(0, 999_999)] | None,
        About(
            "Puzzle to use: 81 digits in quotes, with 0 or . for an empty cell. With `file`: the "
            "number of the grid in it."
        ),
    ] = None
    file: Annotated[
        FileName | None,
        About(
            "Text file with grids, relative to the spec: a line `Grid 01`, then nine lines of nine "
            "digits, and so on; or a line of 81 digits for each grid. Without `grid` the level's "
            "seed chooses one."
        ),
    ] = None

    def check(self, width: int, height: int) -> None:
        """Refuse conflicting keys and a malformed grid, before a file is read."""
        if self.grid is None and self.file is None:
            return
        for field in ("clues", "exact"):
            if getattr(self, field):
                raise ParameterError(
                    f"{field!r} has no effect on a puzzle that is given (remove it)", (field,)
                )
        if self.file is not None and isinstance(self.grid, str):
            raise ParameterError(
                "`grid` must be the number of a grid in `file` (write `grid: 1`)", ("grid",)
            )
        if self.file is None and not isinstance(self.grid, str):
            raise ParameterError(
                "`grid` is a number, but there is no `file` (add `file`, or put 81 digits in "
                "quotes)",
                ("grid",),
            )
        if isinstance(self.grid, str):
            _solved(self.grid, "grid")


def cost(parameters: Sudoku, width: int, height: int) -> Cost:
    """Estimate the time of making a puzzle, which grows as clues get fewer."""
    if parameters.grid is not None or parameters.file is not None:
        return Cost(kernel_seconds(sudoku, 1, 10, 0.2), ("file",))
    clues = DEFAULT_CLUES if parameters.clues is None else parameters.clues
    result = 0.002 if clues > 22 else 0.35
    return Cost(kernel_seconds(sudoku, result, 1, 0.02), ("clues",))


@puzzle("sudoku", version=1, cost=cost)
def build(name: str, parameters: Sudoku, stream: Stream, read_file: ReadFile | None) -> Puzzle:
    """Make the sudoku, or read the one that the parameters name.

    Args:
        name: The puzzle's name in the level.
        parameters: The puzzle's parameters in the spec.
        stream: The puzzle's random stream. Its portable variant is used, whatever `rng` the spec
            sets.
        read_file: Reads a file of the project; None without a project.

    Raises:
        ParameterError: The grid does not have exactly one solution, the file cannot be read,
            `exact` is set and the number of clues was not reached, or parameters conflict.
    """
    if parameters.grid is None and parameters.file is None:
        return Puzzle(name, "sudoku", _make_puzzle(parameters, stream.portable))
    parameters.check(1, 1)
    grid = _given(parameters, stream.portable, read_file)
    solved = _solved(grid, "grid" if parameters.grid is not None else "file")
    assert solved.solution is not None, "a proper puzzle has a solution"
    return Puzzle(
        name, "sudoku", _data(GeneratedSudoku(read_grid(grid), solved.solution, solved.guesses))
    )


def _make_puzzle(parameters: Sudoku, stream: Stream) -> dict[str, object]:
    expected = DEFAULT_CLUES if parameters.clues is None else parameters.clues
    result = make(expected, stream)
    if parameters.exact and result.clue_count != expected:
        raise ParameterError(
            f"the puzzle has {result.clue_count} clues instead of exactly {expected} (use another "
            "seed, more clues, or `exact: false`)",
            ("clues",) if parameters.clues is not None else ("exact",),
        )
    return {**_data(result), "wanted_clues": expected}


def _data(result: GeneratedSudoku) -> dict[str, object]:
    return {
        "clues": result.clues,
        "solution": result.solution,
        "clue_count": result.clue_count,
        "guesses": result.guesses,
    }


def _given(parameters: Sudoku, stream: Stream, read_file: ReadFile | None) -> str:
    if isinstance(parameters.grid, str):
        return parameters.grid
    assert parameters.file is not None, "checked before"
    grids = _grids_of(parameters.file, read_file)
    numbers = sorted(grids)
    if parameters.grid is None:
        return grids[numbers[stream.draws("choice").next(0, len(numbers))]]
    if parameters.grid not in grids:
        raise ParameterError(
            f"{parameters.file} has no grid {parameters.grid} "
            f"({len(numbers)} grids, from {numbers[0]} to {numbers[-1]})",
            ("grid",),
        )
    return grids[parameters.grid]


def _grids_of(file: str, read_file: ReadFile | None) -> dict[int, str]:
    if read_file is None:
        raise ParameterError(
            "files cannot be read, because the level has no folder (save the spec to a file first)",
            ("file",),
        )
    try:
        data = read_file(file)
    except ParameterError as error:
        raise ParameterError(error.message, error.path or ("file",)) from None
    if len(data) > MAXIMUM_TEXT_BYTES:
        raise ParameterError(
            f"{file} has {len(data)} bytes (allowed: {MAXIMUM_TEXT_BYTES})", ("file",)
        )
    try:
        return read_grids(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ParameterError(f"{file} is not a text file in UTF-8", ("file",)) from None
    except ParameterError as error:
        raise ParameterError(f"{file}: {error.message}", ("file",)) from None


def _solved(grid: str, parameter: str) -> Solved:
    """Return the only solution of `grid`; else raise an error at `parameter`."""
    try:
        return check(grid)
    except ParameterError as error:
        raise ParameterError(error.message, (parameter,)) from None
