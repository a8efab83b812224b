"""What an export says of its levels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from exporter.model.errors import Problem
from exporter.store.manifest import Output

State = Literal["built", "unchanged", "failed"]


@dataclass(frozen=True, slots=True)
class LevelResult:
    """What became of one level in an export.

    `causes` are the paths whose change made it stale; `seconds` is the time of building.
    """

    level: str
    spec: str
    status: State
    seconds: float = 0.0
    outputs: tuple[Output, ...] = ()
    written: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    layers: dict[str, Any] = field(default_factory=dict)
    traceback: str = ""
    causes: tuple[str, ...] = ()

    def report(self) -> dict[str, Any]:
        """Return the level object of the export report."""
        return {
            "level": self.level,
            "spec": self.spec,
            "status": self.status,
            "seconds": round(self.seconds, 6),
            "outputs": [output.report() for output in self.outputs],
            "errors": [problem_report(problem) for problem in self.problems],
            "warnings": list(self.warnings),
            "layers": self.layers,
            "causes": list(self.causes),
            "written": list(self.written),
        }


@dataclass(frozen=True, slots=True)
class Removal:
    """The outputs that went with a spec that is gone; `kept` had been edited by somebody."""

    level: str
    spec: str
    paths: tuple[str, ...]
    kept: tuple[str, ...] = ()


Event = LevelResult | Removal


def problem_report(problem: Problem) -> dict[str, Any]:
    """Return a problem as the export report has it."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }
