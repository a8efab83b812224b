"""`exporter sudoku`: solve, check and generate sudokus."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import Commands, UsageError, add_json, positive, seed, styles_of
from exporter.model.errors import ExporterError, Problem, SpecError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.console.sudokus import SudokuGrid


def add(commands: Commands) -> None:
    """Add `exporter sudoku` to the commands of the command line."""
    parser = commands.add_parser("sudoku", examples=("exporter sudoku make --clues 30",))
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    for action, text in (
        ("solve", "print the solution of each grid"),
        ("check", "check that each grid has valid clues and exactly one solution"),
    ):
        example = f"exporter sudoku {action} puzzles.txt"
        requested = actions.add_parser(action, help=text, examples=(example,))
        requested.add_argument(
            "grids",
            nargs="+",
            metavar="GRID or FILE",
            help="81 digits, 0 or . for an empty cell; or a text file of grids; or - for "
            "standard input",
        )
        add_json(requested)
        requested.set_defaults(run=answer, question=action)
    result = actions.add_parser(
        "make",
        help="print new puzzles with exactly one solution",
        examples=("exporter sudoku make --count 3 --seed 7",),
    )
    result.add_argument(
        "--clues", type=positive, default=30, metavar="N", help="number of clues (default: 30)"
    )
    result.add_argument("--seed", type=seed, default=0, help="integer or text (default: 0)")
    result.add_argument(
        "--count", type=positive, default=1, metavar="N", help="number of puzzles (default: 1)"
    )
    add_json(result)
    result.set_defaults(run=make)


def answer(options: argparse.Namespace) -> int:
    """Run `exporter sudoku solve` or `check`; return the exit code.

    `options.question` is which of the two it is.
    """
    from exporter.console.sudokus import report_answers

    grids = [grid for text in options.grids for grid in _grids(text)]
    return report_answers(grids, options.question, options.json, styles_of(options))


def make(options: argparse.Namespace) -> int:
    """Run `exporter sudoku make`; return the exit code."""
    from exporter.console.sudokus import report_built
    from exporter.puzzles.sudoku import make_sudoku

    try:
        puzzles = [
            make_sudoku(options.clues, options.seed, number)
            for number in range(1, options.count + 1)
        ]
    except ExporterError as error:
        raise UsageError(str(error)) from None
    report_built(puzzles, options.json)
    for number, puzzle in enumerate(puzzles, 1):
        if puzzle.clue_count > options.clues:
            print(
                f"puzzle {number} has {puzzle.clue_count} clues: {options.clues} could not be "
                "reached with this seed",
                file=sys.stderr,
            )
    return ExitCode.DONE


def _grids(text: str) -> list[SudokuGrid]:
    """Return the sudoku in `text`, or those of the file that it names.

    `text` may also be `-`, for standard input.

    Raises:
        UsageError: `text` is neither a file nor a sudoku.
        SpecError: The file has faults.
    """
    from exporter.console.sudokus import SudokuGrid
    from exporter.puzzles.sudoku import read_grid, read_grid_file

    if text == "-" or _is_file(text):
        file = "standard input" if text == "-" else text
        grid_file = read_grid_file(_content(text, file), file)
        return [SudokuGrid(cells, file, number) for number, cells in grid_file.items()]
    try:
        return [SudokuGrid(read_grid(text))]
    except ExporterError as error:
        displayed = repr(text if len(text) <= 90 else f"{text[:87]}...")
        if re.search(r"[^\W\d_]|[/\\]", text):  # letters or folders: not meant as a grid
            raise UsageError(f"there is no file {displayed}") from None
        raise UsageError(f"{displayed} is neither a file nor a grid: {error}") from None


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a path, or with a null byte
        return False


def _content(text: str, file: str) -> str:
    """Return the text of the file that `text` names; `-` is standard input.

    `file` is the file's name for messages.

    Raises:
        SpecError: The file cannot be read, or is not UTF-8.
    """
    try:
        data = sys.stdin.buffer.read() if text == "-" else Path(text).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        message = f"cannot be read ({error.strerror or error})"
    except UnicodeDecodeError as error:
        message = f"byte 0x{data[error.start]:02X} is not UTF-8 (save the file as UTF-8)"
    raise SpecError([Problem(message, file)])
