"""Read, check, solve and make sudoku grids.

A grid is a text of 81 characters, row after row: digits, with 0 or a full stop for an empty cell. A
search that reaches its limit of guesses ends with the outcome `undecided`.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import Literal

from exporter.kernels.sudoku import CELLS, LEVELS, search
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.streams import Draws, Stream

Outcome = Literal["unique", "several", "none", "undecided"]

# Grids of puzzle books need fewer than ten guesses, the hardest known ones some hundreds.
GUESS_LIMIT = 50_000
# No puzzle with fewer has one solution (McGuire, Tugemann, Civario, 2012).
LEAST_CLUES = 17
# Guesses for each clue that is tried while a puzzle is made; too few of them only keep the clue.
MAKING_LIMIT = 2_000
# Times some clues are put back and others taken out, when a puzzle has too many.
ROUNDS = 300
# Clues put back in a round.
PUT_BACK = 4


@dataclass(frozen=True, slots=True)
class Solved:
    """The result of searching for a grid's solutions.

    Attributes:
        outcome: How many solutions there are: `unique` (one), `several`, `none`, or `undecided`
            when the limit of guesses ended the search.
        solution: The first solution found, 81 digits; None without a solution.
        guesses: The number of digits tried where logic ended: where no cell had one candidate left
            (naked single), and no unit one cell for a digit (hidden single). 0 with `unique` means
            that singles alone solve the puzzle.
    """

    outcome: Outcome
    solution: str | None
    guesses: int


@dataclass(frozen=True, slots=True)
class GeneratedSudoku:
    """A generated puzzle with exactly one solution.

    Attributes:
        clues: The puzzle, 81 digits, 0 for an empty cell.
        solution: The solution, 81 digits.
        guesses: How many digits a solver must try where simple logic ends; see `Solved`.
    """

    clues: str
    solution: str
    guesses: int

    @property
    def clue_count(self) -> int:
        """The number of given cells."""
        return CELLS - self.clues.count("0")


def read_grid(text: str) -> str:
    """Return the grid in `text` as 81 digits, with 0 for an empty cell.

    White space does not count.

    Raises:
        ParameterError: The text has not 81 cells, or a character that is no digit and no full stop.
    """
    cells = "".join(text.split())
    for index, character in enumerate(cells):
        if character not in "0123456789.":
            raise ParameterError(
                f"{character!r} (character {index + 1}) is not allowed in a sudoku "
                "(allowed: 0 to 9, and . for an empty cell)"
            )
    if len(cells) != CELLS:
        raise ParameterError(f"the sudoku has {len(cells)} cells (needed: 81)")
    return cells.replace(".", "0")


def solve(text: str, limit: int = GUESS_LIMIT) -> Solved:
    """Search for solutions of the grid in `text`; stop at the second one.

    A grid with contradicting clues has no solution. The search ends after `limit` guesses.

    Raises:
        ParameterError: The text is not a grid.
    """
    return _search(_cells(read_grid(text)), 2, limit)


def check(text: str, limit: int = GUESS_LIMIT) -> Solved:
    """Return the solution of the grid in `text`, which must have exactly one.

    The search ends after `limit` guesses.

    Raises:
        ParameterError: The grid breaks a rule, which the message names: 81 cells, allowed
            characters, no digit twice in a row, column or box, exactly one solution.
    """
    grid = read_grid(text)
    _check_clues(grid)
    solved = _search(_cells(grid), 2, limit)
    if solved.outcome == "none":
        raise ParameterError("the sudoku has no solution (it needs exactly one)")
    if solved.outcome == "several":
        raise ParameterError("the sudoku has more than one solution (it needs exactly one)")
    if solved.outcome == "undecided":
        raise ParameterError(
            f"after {limit} guesses it is still unknown whether the sudoku has exactly one "
            "solution (give more digits)"
        )
    return solved


def make(clues: int, stream: Stream) -> GeneratedSudoku:
    """Make a puzzle with one solution and, if possible, `clues` clues.

    A full grid is filled at random; clues are removed in random order as long as one solution is
    left. If too many clues remain, some are put back at random and others removed, a fixed number
    of times. 21 clues are nearly always reached, 20 mostly; no puzzle has fewer than 17. 28 clues
    take under a millisecond, all rounds 0.2 s (uncompiled 10 s).
    """
    full = _full_grid(stream)
    puzzle = bytearray(full)
    draws = stream.draws("clues")
    _thin_out(puzzle, _shuffled(draws, list(range(CELLS))), clues)
    for _ in range(ROUNDS):
        if _count(puzzle) <= clues:
            break
        other = bytearray(puzzle)
        empty = _shuffled(draws, [cell for cell in range(CELLS) if not puzzle[cell]])
        for cell in empty[:PUT_BACK]:
            other[cell] = full[cell]
        given = [cell for cell in range(CELLS) if other[cell]]
        _thin_out(other, _shuffled(draws, given), clues)
        if _count(other) <= _count(puzzle):
            puzzle = other
    solved = _search(puzzle, 2, GUESS_LIMIT)
    return GeneratedSudoku(_text(puzzle), _text(full), solved.guesses)


def _full_grid(stream: Stream) -> bytearray:
    """Return a random solved grid, found by search.

    Each cell tries the digits in a random order of its own.
    """
    draws = stream.draws("grid")
    preference = bytearray()
    for _ in range(CELLS):
        preference += bytes(_shuffled(draws, list(range(1, 10))))
    solved = _search(bytearray(CELLS), 1, GUESS_LIMIT, preference)
    assert solved.solution is not None, "an empty grid always has a solution"
    return _cells(solved.solution)


def _thin_out(puzzle: bytearray, order: list[int], clues: int) -> None:
    """Remove clues in place, in the order `order`, until `clues` are left.

    A clue stays if the solution would not be unique without it, so more than `clues` may be left.
    """
    count = _count(puzzle)
    for cell in order:
        if count <= clues:
            return
        digit = puzzle[cell]
        puzzle[cell] = 0
        if _search(puzzle, 2, MAKING_LIMIT).outcome == "unique":
            count -= 1
        else:
            puzzle[cell] = digit


def _shuffled(draws: Draws, items: list[int]) -> list[int]:
    """Shuffle `items` in place (Fisher and Yates), and return them."""
    for index in range(len(items) - 1, 0, -1):
        other = draws.next(0, index + 1)
        items[index], items[other] = items[other], items[index]
    return items


def _search(
    cells: bytearray, expected: int, limit: int, preference: bytearray | None = None
) -> Solved:
    solution = bytearray(CELLS)
    counts = array("q", bytes(24))
    search(
        cells,
        preference or _ascending(),
        *_tables(),
        expected,
        limit,
        array("H", bytes(2 * LEVELS * CELLS)),
        bytearray(CELLS),
        bytearray(LEVELS),
        array("H", bytes(2 * LEVELS)),
        solution,
        counts,
    )
    result, guesses, stopped = counts
    outcome: Outcome
    if result >= 2:
        outcome = "several"
    elif stopped:
        outcome = "undecided"
    else:
        outcome = "unique" if result else "none"
    return Solved(outcome, _text(solution) if result else None, guesses)


def _check_clues(grid: str) -> None:
    """Refuse a grid with a digit twice in a row, column or box."""
    names = [f"{kind} {number}" for kind in ("row", "column", "box") for number in range(1, 10)]
    _, units = _tables()
    for unit, name in enumerate(names):
        seen: set[str] = set()
        for cell in units[unit * 9 : unit * 9 + 9]:
            digit = grid[cell]
            if digit != "0" and digit in seen:
                raise ParameterError(
                    f"the digit {digit} is twice in {name} (again at row {cell // 9 + 1}, column "
                    f"{cell % 9 + 1})"
                )
            seen.add(digit)


@lru_cache(maxsize=1)
def _tables() -> tuple[bytearray, bytearray]:
    """Return the peers of each cell (81 x 20) and the cells of units (27 x 9).

    Units are the rows, the columns and the boxes, from the top left. The peers of a cell share a
    unit with it.
    """
    rows = [[9 * row + column for column in range(9)] for row in range(9)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    boxes = [
        [9 * (top + i // 3) + left + i % 3 for i in range(9)]
        for top in (0, 3, 6)
        for left in (0, 3, 6)
    ]
    units = [*rows, *columns, *boxes]
    peers = bytearray()
    for cell in range(CELLS):
        peers += bytes(sorted({peer for unit in units if cell in unit for peer in unit} - {cell}))
    return peers, bytearray(cell for unit in units for cell in unit)


@lru_cache(maxsize=1)
def _ascending() -> bytearray:
    return bytearray(range(1, 10)) * CELLS


def _cells(grid: str) -> bytearray:
    return bytearray(int(character) for character in grid)


def _text(cells: bytearray) -> str:
    return "".join(str(cell) for cell in cells)


def _count(puzzle: bytearray) -> int:
    return CELLS - puzzle.count(0)
