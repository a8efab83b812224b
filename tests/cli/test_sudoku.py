"""`exporter sudoku`: output and exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from exporter.cli.main import main

EXAMPLE = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
SOLUTION = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
EMPTY = "0" * 81
CONTRADICTION = "11" + EMPTY[2:]

Capture = pytest.CaptureFixture[str]


def file_of(*grids: str) -> str:
    lines = []
    for number, grid in enumerate(grids, 1):
        lines += [f"Grid {number:02d}", *(grid[row : row + 9] for row in range(0, 81, 9))]
    return "\n".join(lines) + "\n"


def test_a_grid_is_solved_into_a_line(capsys: Capture) -> None:
    assert main(["sudoku", "solve", EXAMPLE]) == 0
    assert capsys.readouterr().out == f"{SOLUTION}\n"


def test_a_file_is_solved_into_a_file(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "many.txt"
    path.write_text(file_of(EXAMPLE, SOLUTION))
    assert main(["sudoku", "solve", str(path)]) == 0
    assert capsys.readouterr().out == file_of(SOLUTION, SOLUTION)


def test_a_grid_without_a_solution_fails_and_says_why(capsys: Capture) -> None:
    assert main(["sudoku", "solve", CONTRADICTION, EXAMPLE]) == 1
    printed = capsys.readouterr()
    assert printed.out == f"{SOLUTION}\n"
    assert "error: the digit 1 is twice in row 1" in printed.err


def test_of_several_solutions_one_is_printed_with_a_warning(capsys: Capture) -> None:
    assert main(["sudoku", "solve", EMPTY]) == 0
    printed = capsys.readouterr()
    assert "0" not in printed.out
    assert "warning: the sudoku has more than one solution" in printed.err


def test_check_tells_each_grid(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "many.txt"
    path.write_text(file_of(EXAMPLE, EMPTY, CONTRADICTION))
    assert main(["sudoku", "check", str(path)]) == 1
    printed = capsys.readouterr()
    assert printed.out == f"{path}: grid 1: one solution, 32 clues, solved by singles only\n"
    assert f"{path}: grid 2: error: the sudoku has more than one solution" in printed.err
    assert f"{path}: grid 3: error: the digit 1 is twice" in printed.err
    assert main(["sudoku", "check", EXAMPLE]) == 0


def test_answers_come_as_json(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "many.txt"
    path.write_text(file_of(EMPTY))
    assert main(["sudoku", "check", EXAMPLE, str(path), "--json"]) == 1
    first, second = json.loads(capsys.readouterr().out)["grids"]
    assert first == {
        "file": None,
        "grid": None,
        "clues": EXAMPLE,
        "outcome": "unique",
        "solution": SOLUTION,
        "guesses": 0,
        "error": None,
    }
    assert (second["file"], second["grid"], second["outcome"]) == (str(path), 1, "several")
    assert "more than one solution" in second["error"]


@pytest.mark.parametrize("text", ["123", "1" * 5000, "\0", "", EXAMPLE + "1"])
def test_what_is_neither_a_grid_nor_a_file_is_refused(text: str, capsys: Capture) -> None:
    assert main(["sudoku", "solve", text]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "is neither a file nor a grid" in printed.err
    assert len(printed.err) < 400


@pytest.mark.parametrize(
    ("content", "reported"),
    [
        (b"Grid 01\n12345678\n", ":2:9: error: row 1 of grid 1"),
        (b"", ":1:1: error: the file has no grids"),
        (b"\xff\xfe", "is not UTF-8"),
    ],
)
def test_a_broken_file_fails_with_its_position(
    tmp_path: Path, capsys: Capture, content: bytes, reported: str
) -> None:
    path = tmp_path / "many.txt"
    path.write_bytes(content)
    assert main(["sudoku", "check", str(path)]) == 1
    assert reported in capsys.readouterr().err


def test_created_puzzles_can_be_checked_from_standard_input(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count in ("1", "3"):
        assert main(["sudoku", "make", "--count", count, "--seed", "crypt", "--clues", "28"]) == 0
        result = capsys.readouterr().out
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(result.encode())))
        assert main(["sudoku", "check", "-"]) == 0
        output = capsys.readouterr().out.splitlines()
        assert len(output) == int(count)
        assert all("one solution, 28 clues" in line for line in output)


def test_the_same_seed_makes_the_same_puzzle(capsys: Capture) -> None:
    def puzzle(*arguments: str) -> str:
        assert main(["sudoku", "make", *arguments]) == 0
        return capsys.readouterr().out

    assert puzzle("--seed", "5") == puzzle("--seed", "5", "--clues", "30")
    assert puzzle("--seed", "5") != puzzle("--seed", "05")  # a number, and a text
    document = json.loads(puzzle("--seed", "5", "--json"))["puzzles"][0]
    assert puzzle("--seed", "5") == document["clues"] + "\n"


def test_clues_that_cannot_be_reached_are_reported(capsys: Capture) -> None:
    assert main(["sudoku", "make", "--clues", "17"]) == 0
    assert "17 could not be reached" in capsys.readouterr().err
    assert main(["sudoku", "make", "--clues", "16"]) == 2


@pytest.mark.parametrize("name", ["nofile.txt", "some/folder", "puzzles"])
def test_a_missing_file_is_named(name: str, capsys: Capture) -> None:
    assert main(["sudoku", "solve", name]) == 2
    assert f"there is no file {name!r}" in capsys.readouterr().err
