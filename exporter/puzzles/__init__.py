"""Make the puzzles of a level; one file for each kind.

A puzzle, such as a sudoku, can lock a door of a level. A kind is a pure function from its
parameters to a `Puzzle` that a game can put on a door:

    @puzzle("sudoku", version=1)
    def build(
        name: str, parameters: Sudoku, stream: Stream, read_file: ReadFile | None
    ) -> Puzzle: ...

Its random numbers come from `stream` only. It reads files only through `read_file`, which raises
ParameterError for a file that is missing or outside the project.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import getdoc
from typing import TYPE_CHECKING, Any, TypeVar

from exporter.model.costs import Cost, CostFunction
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import Parameters
from exporter.model.registry import Registry, first_paragraph, parameter_class

if TYPE_CHECKING:
    from exporter.model.level import Puzzle
    from exporter.streams import Stream

ReadFile = Callable[[str], bytes]
Build = Callable[[str, Any, "Stream", "ReadFile | None"], "Puzzle"]
Function = TypeVar("Function", bound=Build)


def _no_cost(parameters: Any, width: int, height: int) -> Cost:
    """Return no cost: the default for puzzles that are made in a moment."""
    return Cost(0.0)


@dataclass(frozen=True, slots=True)
class PuzzleKind:
    """A registered kind of puzzle.

    Attributes:
        name: The name that users write as `kind`.
        version: Raised when the same parameters give another puzzle than before.
        parameters: The dataclass that defines what users may write.
        build: Makes a puzzle from its name, parameters and random stream.
        summary: One line about the kind.
        cost: Estimates the seconds to make a puzzle from its parameters and the level's size.
    """

    name: str
    version: int
    parameters: type[Parameters]
    build: Build
    summary: str = ""
    cost: CostFunction = _no_cost


PUZZLES: Registry[PuzzleKind] = Registry(
    "exporter.puzzles", "puzzle kind", PuzzleKind, helpers=("sudoku_functions",)
)


def puzzle(
    name: str, version: int, cost: CostFunction = _no_cost
) -> Callable[[Function], Function]:
    """Register the decorated function as the puzzle kind `name`.

    The annotation of `parameters` is the dataclass that defines what users may write; the first
    paragraph of that dataclass's docstring is the kind's summary.

    Raise `version` whenever the same parameters give another puzzle than before. Give `cost` if
    making a puzzle can take more than a moment.
    """

    def register(function: Function) -> Function:
        from exporter.model.level import Puzzle

        parameters = parameter_class(function, Parameters)
        summary = first_paragraph(getdoc(parameters))
        build = PUZZLES.guarded(name, function, Puzzle)
        guarded_cost = PUZZLES.guarded(name, cost, Cost)
        entry = PuzzleKind(name, version, parameters, build, summary, guarded_cost)
        PUZZLES.add(name, entry, function.__module__)
        return function

    return register
