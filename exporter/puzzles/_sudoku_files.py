"""Read text files that contain many sudoku grids.

A file has either a line such as `Grid 01` and nine lines of nine cells for each grid, or one line
of 81 cells for each grid, which are then numbered from 1. Cells are digits; 0 or a full stop is an
empty cell. Empty lines are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from exporter.kernels.sudoku import CELLS
from exporter.model.errors import ParameterError, Problem, SpecError
from exporter.puzzles._sudoku_grids import read_grid

_HEADING = re.compile(r"[Gg]rid\s+0*([0-9]{1,6})")
_NOT_A_CELL = re.compile(r"[^0-9.]")


def read_grids(text: str) -> dict[int, str]:
    """Return the unsolved grids in `text`, 81 digits each, by number.

    Raises:
        ParameterError: A line is wrong; the message gives its number.
    """
    try:
        return read_grid_file(text, "")
    except SpecError as error:
        (problem,) = error.problems
        raise ParameterError(f"line {problem.line}: {problem.message}") from None


def read_grid_file(text: str, file: str) -> dict[int, str]:
    """Read grids like `read_grids`; errors name `file` and the line.

    Raises:
        SpecError: A line is wrong; the error points at it.
    """
    first = next(iter(_Lines(text, file)), None)
    lines = _Lines(text, file)
    if first is None:
        raise lines.error("the file has no grids (a line 'Grid 01', then nine lines of digits)")
    if _HEADING.fullmatch(first) or len(first) != CELLS or _NOT_A_CELL.search(first):
        return _read_headed(lines)
    return {
        number: _cells(lines, words, CELLS, f"grid {number}")
        for number, words in enumerate(lines, 1)
    }


class _Lines:
    """Iterates over the nonempty lines of a text, with numbers for errors."""

    def __init__(self, text: str, file: str) -> None:
        self.lines = text.lstrip("\ufeff").splitlines()
        self.file = file
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(self.lines, 1):
            self.number = number
            if line.strip():
                yield line.strip()

    def error(self, message: str, at: int = 0, length: int = 1) -> SpecError:
        """Return an error at the character `at` of the current line, from 0."""
        number = max(1, self.number)
        source = self.lines[number - 1] if self.lines else ""
        column = len(source) - len(source.lstrip()) + at + 1
        return SpecError([Problem(message, self.file, number, column, source, length)])


def _read_headed(lines: _Lines) -> dict[int, str]:
    """Read grids of nine lines below headings; return them by number.

    `Grid 07` is number 7.
    """
    grids: dict[int, str] = {}
    number = 0
    rows: list[str] | None = None
    for words in lines:
        if rows is not None and len(rows) < 9:
            rows.append(_cells(lines, words, 9, f"row {len(rows) + 1} of grid {number}"))
            if len(rows) == 9:
                grids[number] = read_grid("".join(rows))
            continue
        heading = _HEADING.fullmatch(words)
        if heading is None:
            raise lines.error(f"expected 'Grid NN', not {words[:40]!r}", length=len(words))
        number, rows = int(heading[1]), []
        if number in grids:
            raise lines.error(f"two grids have the number {number}", length=len(words))
    if rows is not None and len(rows) < 9:
        raise lines.error(f"grid {number} ends after {len(rows)} of 9 rows")
    return grids


def _cells(lines: _Lines, words: str, count: int, what: str) -> str:
    """Return `words`, a line's cells, as digits; there must be `count` cells.

    `what` describes the line in messages.
    """
    result = _NOT_A_CELL.search(words)
    if result is not None or len(words) != count:
        nine = "nine" if count == 9 else str(count)
        at = result.start() if result is not None else min(len(words), count)
        raise lines.error(f"{what} is {words[:40]!r}, not {nine} digits", at)
    return words.replace(".", "0")
