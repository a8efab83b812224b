"""Sudoku: every answer is checked by a second, slower way of asking."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exporter.kernels.sudoku as kernel
from cases import each_case
from exporter.model.errors import ParameterError
from exporter.model.level import Puzzle
from exporter.puzzles import PUZZLES
from exporter.puzzles import _sudoku_grids as grids_module
from exporter.puzzles.sudoku import Sudoku, build, check, make, read_grid, read_grids, solve
from exporter.streams import open_stream

EXAMPLE = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
EXAMPLE_SOLUTION = (
    "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
)
# Published by Arto Inkala in 2012 as the hardest sudoku; it needs guessing.
HARDEST = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
# Norvig's grid without a solution, on which searches run for minutes.
HOPELESS = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
UNITS = [
    *[[9 * row + column for column in range(9)] for row in range(9)],
    *[[9 * row + column for row in range(9)] for column in range(9)],
    *[
        [9 * (3 * box // 9 * 3 + i // 3) + 3 * (box % 3) + i % 3 for i in range(9)]
        for box in range(9)
    ],
]


def is_complete(solution: str) -> bool:
    return all(sorted(solution[cell] for cell in unit) == list("123456789") for unit in UNITS)


def count_plainly(grid: str, most: int) -> int:
    """Count solutions up to `most` with nothing but the rules: the slow reference."""
    cells = [int(character) for character in grid]
    peers = [
        {peer for unit in UNITS if cell in unit for peer in unit} - {cell} for cell in range(81)
    ]
    options = {
        cell: [digit for digit in range(1, 10) if all(cells[peer] != digit for peer in peers[cell])]
        for cell in range(81)
        if not cells[cell]
    }
    if not options:
        return 1
    cell = min(options, key=lambda empty: len(options[empty]))
    result = 0
    for digit in options[cell]:
        result += count_plainly(grid[:cell] + str(digit) + grid[cell + 1 :], most - result)
        if result >= most:
            break
    return result


def test_the_reference_puzzle_is_solved_without_guessing() -> None:
    solved = solve(EXAMPLE)
    assert solved.outcome == "unique"
    assert solved.solution == EXAMPLE_SOLUTION
    assert solved.guesses == 0


def test_a_hard_puzzle_is_solved_with_guessing() -> None:
    solved = solve(HARDEST)
    assert solved.outcome == "unique"
    assert solved.solution is not None
    assert is_complete(solved.solution)
    assert all(clue in (".", cell) for clue, cell in zip(HARDEST, solved.solution, strict=True))
    assert solved.guesses > 0


def test_an_empty_grid_has_several_solutions() -> None:
    solved = solve("." * 81)
    assert solved.outcome == "several"
    assert solved.solution is not None
    assert is_complete(solved.solution)


def test_a_hopeless_grid_ends_at_the_limit_and_says_so() -> None:
    solved = solve(HOPELESS, limit=500)
    assert (solved.outcome, solved.solution, solved.guesses) == ("undecided", None, 500)
    with pytest.raises(
        ParameterError,
        match="after 500 guesses it is still unknown",
    ):
        check(HOPELESS, limit=500)


def test_clues_that_leave_a_cell_nothing_have_no_solution() -> None:
    grid = "12345678." + "........9" + "." * 63
    assert solve(grid).outcome == "none"
    with pytest.raises(ParameterError, match="no solution"):
        check(grid)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 3))
def test_outcomes_agree_with_the_slow_reference(seed: int, holes: int, lies: int) -> None:
    draws = open_stream("portable", seed, "test").draws("holes")
    cells = list(EXAMPLE_SOLUTION)
    for _ in range(holes):
        cells[draws.next(0, 81)] = "0"
    for _ in range(lies):
        cells[draws.next(0, 81)] = str(draws.next(1, 10))
    grid = "".join(cells)
    legal = all(
        len(digits) == len(set(digits))
        for unit in UNITS
        for digits in [[grid[cell] for cell in unit if grid[cell] != "0"]]
    )
    count = count_plainly(grid, 2) if legal else 0
    assert solve(grid).outcome == ("none", "unique", "several")[count]


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0.123456789 ", min_size=81, max_size=83))
def test_any_81_cells_end_within_the_limit(text: str) -> None:
    if len("".join(text.split())) == 81:
        assert solve(text, limit=300).guesses <= 300
    else:
        with pytest.raises(ParameterError, match="needed: 81"):
            solve(text, limit=300)


@each_case(
    ("grid", "reason"),
    [
        ("123", "has 3 cells "),
        ("", "has 0 cells "),
        (EXAMPLE + "0", "has 82 cells "),
        ("x" + EXAMPLE[1:], r"'x' \(character 1\) is not allowed"),
        ("\u0661" + EXAMPLE[1:], "is not allowed"),
        ("11" + "0" * 79, r"the digit 1 is twice in row 1 \(again at row 1, column 2\)"),
        ("1" + "0" * 8 + "1" + "0" * 71, "the digit 1 is twice in column 1"),
        ("1" + "0" * 9 + "1" + "0" * 70, "the digit 1 is twice in box 1"),
        ("0" * 81, "more than one solution"),
    ],
)
def test_a_broken_rule_is_named(grid: str, reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        check(grid)


def test_white_space_and_full_stops_are_read() -> None:
    lines = "\n".join(EXAMPLE[start : start + 9] for start in range(0, 81, 9))
    assert read_grid(lines.replace("0", ".")) == EXAMPLE


@each_case("clues", [81, 60, 35, 28, 24])
def test_created_puzzles_have_the_requested_clues_and_one_solution(clues: int) -> None:
    for seed in range(5):
        result = make(clues, open_stream("portable", seed, "vault"))
        assert result.clue_count == clues
        assert is_complete(result.solution)
        # The slow reference takes seconds on fewer clues.
        assert clues < 28 or count_plainly(result.clues, 2) == 1
        solved = solve(result.clues)
        assert (solved.outcome, solved.solution) == ("unique", result.solution)
        assert solved.guesses == result.guesses


def test_an_unreachable_number_of_clues_ends_near_it() -> None:
    result = make(17, open_stream("portable", 1, "vault"))
    assert 17 <= result.clue_count <= 24
    assert solve(result.clues).outcome == "unique"


def test_puzzles_depend_on_the_stream_alone() -> None:
    first, again, other = (make(30, open_stream("portable", seed, "v")) for seed in (1, 1, 2))
    assert first == again
    assert first.clues != other.clues
    # Held for every platform and version: another text here is another version of the kind.
    assert first.clues == GOLDEN


GOLDEN = "000700100000006080029038605060504200030900000900670000006307002390200078004009000"


def test_the_search_is_the_same_compiled_and_interpreted(
    interpreted: Callable[[str], ModuleType],
) -> None:
    plain = interpreted("sudoku")
    grids = [EXAMPLE, HARDEST.replace(".", "0"), HOPELESS.replace(".", "0"), "0" * 81]
    grids += [make(26, open_stream("portable", seed, "v")).clues for seed in range(5)]
    for grid in grids:
        assert run(kernel, grid) == run(plain, grid)


def run(module: ModuleType, grid: str) -> tuple[bytes, list[int]]:
    solution, counts = bytearray(81), array("q", bytes(24))
    module.search(
        bytearray(int(character) for character in grid),
        bytearray(range(9, 0, -1)) * 81,
        *grids_module._tables(),
        2,
        400,
        array("H", bytes(2 * kernel.LEVELS * 81)),
        bytearray(81),
        bytearray(kernel.LEVELS),
        array("H", bytes(2 * kernel.LEVELS)),
        solution,
        counts,
    )
    return bytes(solution), list(counts)


def file_of(*grids: str, ending: str = "\n") -> str:
    lines = []
    for number, grid in enumerate(grids, 1):
        lines.append(f"Grid {number:02}")
        lines += [grid[start : start + 9] for start in range(0, 81, 9)]
    return ending.join(lines)


def test_a_file_of_many_grids_is_read() -> None:
    second = HARDEST.replace(".", "0")
    for ending in ("\n", "\r\n", "\n\n"):
        assert read_grids(file_of(EXAMPLE, HARDEST, ending=ending)) == {1: EXAMPLE, 2: second}


@each_case(
    ("text", "reason"),
    [
        ("", "no grids"),
        ("\n\n", "no grids"),
        ("003020600", "line 1: expected 'Grid NN'"),
        ("Grid 01\n00302060\n", "line 2: row 1 of grid 1 is '00302060', not nine digits"),
        ("Grid 01\n003020600\n", "line 2: grid 1 ends after 1 of 9 rows"),
        (file_of(EXAMPLE) + "\n003020600", "line 11: expected 'Grid NN'"),
        (file_of(EXAMPLE) + "\n" + file_of(EXAMPLE), "line 11: two grids have the number 1"),
        (file_of(EXAMPLE) + "\nGrid 02", "line 11: grid 2 ends after 0 of 9 rows"),
    ],
)
def test_a_malformed_file_is_refused_at_its_line(text: str, reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        read_grids(text)


def built(parameters: Sudoku, seed: int = 1, rng: str = "portable", **files: bytes) -> Puzzle:
    def read_file(path: str) -> bytes:
        if path not in files:
            raise ParameterError(f"{path} is missing", ("file",))
        return files[path]

    return build("vault", parameters, open_stream(rng, seed, "puzzles"), read_file)


def test_the_kind_is_registered_under_its_name() -> None:
    kind = PUZZLES.get("sudoku")
    assert kind.parameters is Sudoku
    assert kind.build is build
    assert kind.summary == "A sudoku with exactly one solution."


def test_a_created_puzzle_tells_its_clues_solution_and_difficulty() -> None:
    puzzle = built(Sudoku(clues=28))
    assert (puzzle.name, puzzle.kind) == ("vault", "sudoku")
    assert puzzle.data["clue_count"] == 81 - puzzle.data["clues"].count("0") == 28
    assert puzzle.data["wanted_clues"] == 28
    assert solve(puzzle.data["clues"]).solution == puzzle.data["solution"]
    assert built(Sudoku(clues=28), rng="dotnet").data == puzzle.data


def test_a_given_grid_is_checked_and_solved() -> None:
    data = built(Sudoku(grid=EXAMPLE)).data
    assert data["solution"] == EXAMPLE_SOLUTION
    assert "wanted_clues" not in data
    with pytest.raises(ParameterError, match="more than one solution") as caught:
        built(Sudoku(grid="0" * 81))
    assert caught.value.path == ("grid",)


def test_a_grid_of_a_file_is_chosen_by_number_or_by_the_seed() -> None:
    files = {"many.txt": b"\xef\xbb\xbf" + file_of(EXAMPLE, HARDEST).encode()}
    assert built(Sudoku(file="many.txt", grid=1), **files).data["clues"] == EXAMPLE
    chosen = {built(Sudoku(file="many.txt"), seed, **files).data["clues"] for seed in range(12)}
    assert chosen == {EXAMPLE, HARDEST.replace(".", "0")}


@each_case(
    ("parameters", "reason", "path"),
    [
        (Sudoku(grid=7), "there is no `file`", ("grid",)),
        (Sudoku(grid=EXAMPLE, file="a.txt"), "`grid` must be the number", ("grid",)),
        (Sudoku(grid=EXAMPLE, clues=30), "'clues' has no effect", ("clues",)),
        (Sudoku(file="missing.txt"), "missing.txt is missing", ("file",)),
        (Sudoku(file="bad.txt"), "bad.txt: line 1: expected", ("file",)),
        (Sudoku(file="binary.txt"), "not a text file", ("file",)),
        (Sudoku(file="a.txt", grid=9), r"a.txt has no grid 9 \(1 grids, from 1 to 1\)", ("grid",)),
        (Sudoku(file="open.txt"), "more than one solution", ("file",)),
        (Sudoku(clues=17, exact=True), "has [12]", ("clues",)),
    ],
)
def test_what_cannot_be_built_says_why_and_where(
    parameters: Sudoku, reason: str, path: tuple[str, ...]
) -> None:
    files = {
        "a.txt": file_of(EXAMPLE).encode(),
        "open.txt": file_of("0" * 81).encode(),
        "bad.txt": b"hello",
        "binary.txt": b"\xff\xfe\x00",
    }
    with pytest.raises(ParameterError, match=reason) as caught:
        built(parameters, **files)
    assert caught.value.path == path
