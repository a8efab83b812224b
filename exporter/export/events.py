"""The events of an export: one kind for each thing that can happen.

One-shot, watch and JSON get the same events through one `Reporter`; a type checker sees to it that
each of them deals with every kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from exporter.model.errors import Problem
from exporter.store.manifest import Output

State = Literal["built", "unchanged", "failed"]
# Why outputs are removed.
Reason = Literal["spec gone", "cleaned"]


@dataclass(frozen=True, slots=True)
class LevelResult:
    """What became of one level in an export.

    Attributes:
        level: The level's name.
        spec: Its spec's path, relative to the project.
        status: What became of it.
        seconds: The time of building.
        outputs: All its files.
        written: Those whose content changed on disk.
        problems: Why it failed.
        warnings: What could not be made, though the level was built.
        layers: What the report says of its layers.
        traceback: Of a bug of ours.
        causes: The paths whose change made it stale.
        elapsed: Seconds since the change was noticed, where somebody watches.
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
    elapsed: float = 0.0

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
    """Outputs that were removed.

    Attributes:
        level: The level's name.
        spec: Its spec's path.
        paths: The files that were removed (in a dry run: that would be).
        kept: Files that stay because somebody changed them since they were written.
        reason: Why they were removed.
    """

    level: str
    spec: str
    paths: tuple[str, ...]
    kept: tuple[str, ...] = ()
    reason: Reason = "spec gone"

    def report(self) -> dict[str, Any]:
        """Return the removal as the export report has it."""
        return {
            "level": self.level,
            "spec": self.spec,
            "paths": list(self.paths),
            "removed": list(self.paths),
            "kept": list(self.kept),
        }


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the project cannot be exported at all."""

    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the stale levels are done."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Ready:
    """The first export of a watch is done; from now on changes are exported."""

    levels: int


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about the watching itself."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A one-shot export is over."""

    results: Sequence[LevelResult]


Event = LevelResult | Removal | Refusal | Progress | Ready | Remark | Finished


class Reporter(Protocol):
    """Gets the events of an export."""

    def report(self, event: Event) -> None:
        """Report one event."""


def problem_report(problem: Problem) -> dict[str, Any]:
    """Return a problem as the export report has it."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }
