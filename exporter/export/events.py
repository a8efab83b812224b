"""Define the events that an export reports.

The terminal, the watch and the JSON output get the same events through a `Reporter`; a type checker
ensures that each of them handles every kind of event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from exporter.model.errors import Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.store.entries import Output

if TYPE_CHECKING:
    from exporter.export.stage_clock import Timings

State = Literal["built", "unchanged", "failed"]
# Why outputs are removed.
Reason = Literal["spec gone", "cleaned", "stale", "renamed", "plugin replaced"]
RETAINED = "kept: changed since it was written (--overwrite writes over it)"
# The same of a map, from which hand edits can be taken.
RETAINED_MAP = (
    "kept: changed since it was written (`exporter edits take` imports what you painted on it; "
    "--overwrite writes over it)"
)
# The remark about a stale file.
LEFT = "kept: changed since it was written (nothing writes it any more: remove it yourself)"


# The endings of maps that users can paint on.
MAP_SUFFIXES = (".tmj", ".tmx")


def preserved_message(path: str) -> str:
    """Return the message that the user-modified output at `path` is kept."""
    return RETAINED_MAP if path.endswith(MAP_SUFFIXES) else RETAINED


@dataclass(frozen=True, slots=True)
class RecipeChange:
    """A layer that another version of its generator built before.

    Attributes:
        layer: The layer's name.
        generator: The name of the layer's generator.
        previous: The version that built the layer before.
        version: The version that built it now.
    """

    layer: str
    generator: str
    previous: int
    version: int

    def report(self) -> dict[str, Any]:
        """Return the change as JSON data."""
        return {
            "layer": self.layer,
            "generator": self.generator,
            "from": self.previous,
            "to": self.version,
        }


@dataclass(frozen=True, slots=True)
class LevelResult:
    """The result of one level in an export.

    Attributes:
        level: The level's name.
        spec: The path of the level's spec, relative to the project.
        status: `built`, `unchanged` or `failed`.
        seconds: How long the build took.
        outputs: All files of the level.
        written: The paths of files that were written or renamed.
        problems: Why the level failed.
        warnings: Requests that could not be fulfilled in a built level, at their lines of the spec.
        layers: The facts about each layer, by name of the layer.
        traceback: The traceback of a bug in the exporter.
        causes: The paths of files whose change made the level stale.
        elapsed: While watching: seconds since the change was noticed; else 0.
        preserved: The paths of user-modified outputs, which stay.
        moved: The outputs that were only renamed, each as (new path, old path).
        recipes: Layers that another version of their generator built before.
        objects: For each name of objects, how many were requested and how many placed.
        timings: The seconds of each stage of the build, in order.
        seed: The seed that was found if the spec searches for one; otherwise None.
    """

    level: str
    spec: str
    status: State
    seconds: float = 0.0
    outputs: tuple[Output, ...] = ()
    written: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    layers: dict[str, Any] = field(default_factory=dict)
    traceback: str = ""
    causes: tuple[str, ...] = ()
    elapsed: float = 0.0
    preserved: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    recipes: tuple[RecipeChange, ...] = ()
    objects: dict[str, dict[str, int]] = field(default_factory=dict)
    timings: Timings = ()
    seed: int | None = None

    @property
    def complete(self) -> bool:
        """Whether all that the spec requests is in the level."""
        return is_complete(self.layers, self.objects)

    def report(self) -> dict[str, Any]:
        """Return the result as JSON data for `exporter export --json`."""
        return {
            "level": self.level,
            "spec": self.spec,
            "status": self.status,
            "seconds": round(self.seconds, 6),
            "outputs": [output.report() for output in self.outputs],
            "errors": [problem_report(problem) for problem in self.problems],
            "complete": self.complete,
            "objects": self.objects,
            **({"seed": self.seed} if self.seed is not None else {}),
            "warnings": [
                *(warning.message for warning in self.warnings),
                *(f"{path}: {preserved_message(path)}" for path in self.preserved),
            ],
            "layers": self.layers,
            "causes": list(self.causes),
            "written": list(self.written),
            "kept": list(self.preserved),
            "moved": [{"from": old, "to": new} for new, old in self.moved],
            "recipes": [recipe.report() for recipe in self.recipes],
        }


@dataclass(frozen=True, slots=True)
class Removal:
    """Output files of one spec that were removed, or stay.

    Attributes:
        level: The level's name.
        spec: The path of the level's spec, relative to the project.
        paths: The files that were removed (in a dry run: that would be).
        preserved: User-modified files, which stay.
        reason: Why the files were removed, as a word for reports.
        held: Files that another program has open, to remove later.
    """

    level: str
    spec: str
    paths: tuple[str, ...]
    preserved: tuple[str, ...] = ()
    reason: Reason = "spec gone"
    held: tuple[str, ...] = ()

    def joined(self, other: Removal) -> Removal:
        """Return one removal of the files of `self` and `other`."""
        return replace(
            self,
            paths=self.paths + other.paths,
            preserved=self.preserved + other.preserved,
            held=self.held + other.held,
        )

    def report(self) -> dict[str, Any]:
        """Return the removal as JSON data."""
        return {
            "level": self.level,
            "spec": self.spec,
            "paths": list(self.paths),
            "removed": list(self.paths),
            "kept": list(self.preserved),
            "held": list(self.held),
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Recovered:
    """A failed level that no longer counts as failed, without a build.

    Its inputs are again those of the last successful export, or its spec was deleted.

    Attributes:
        level: The level's name; empty for exporter.yaml.
        spec: The path of the level's spec.
        was_deleted: Whether the spec was deleted; else the level is up to date.
    """

    level: str
    spec: str
    was_deleted: bool = False


@dataclass(frozen=True, slots=True)
class ProjectProblems:
    """The problems of the project as a whole; empty if they are solved.

    Reported whenever they change.
    """

    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class PreservedOutputs:
    """The user-modified outputs of a level that is up to date.

    Attributes:
        level: The level's name.
        spec: The path of the level's spec.
        paths: The paths of all user-modified outputs of the level.
    """

    level: str
    spec: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stale:
    """Output files that no spec or target writes any more.

    They stay until `exporter clean --stale` removes them.
    """

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DroppedTarget:
    """A target that was removed from exporter.yaml since the last export.

    Attributes:
        target: The target's name.
        files: How many of its files stay, until `exporter clean --stale` removes them.
    """

    target: str
    files: int

    def report(self) -> dict[str, Any]:
        """Return the target's name and the number of its files as JSON data."""
        return {"target": self.target, "files": self.files}


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Plugin or index files that were written for the project as a whole.

    Attributes:
        paths: The written files (in a dry run: those to write).
        preserved: User-modified files, which stay.
        what: `plugin` for files of engine plugins; `index` for the lists of outputs.
    """

    paths: tuple[str, ...]
    preserved: tuple[str, ...] = ()
    what: Literal["plugin", "index"] = "plugin"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The problems that prevent the export of the whole project."""

    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the running export is.

    Attributes:
        done: Number of finished levels.
        total: Number of levels to build.
        parts: The number of finished chunks, and of all chunks to build, of the worlds in progress.
        memory: The peak memory in bytes of a process that built chunks; 0 if unknown.
        surveys: The number of rows of chunks whose facts are collected, and of all such rows, of
            worlds that need this before their chunks are built.
    """

    done: int
    total: int
    parts: tuple[int, int] = (0, 0)
    memory: int = 0
    surveys: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Building:
    """The build of a level has reached another stage.

    Attributes:
        level: The level's name.
        spec: The path of the level's spec.
        stage: The stage that begins; empty when the build has ended.
    """

    level: str
    spec: str
    stage: str

    @property
    def has_progress(self) -> bool:
        """Whether `stage` has progress after its name, as in `name: progress`."""
        return ": " in self.stage


@dataclass(frozen=True, slots=True)
class Ready:
    """The first export of a watch is complete; `levels` levels are watched."""

    levels: int


@dataclass(frozen=True, slots=True)
class Remark:
    """A text for the user about the export or the watch itself."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """An export is complete; `results` has a result for every level."""

    results: Sequence[LevelResult]


@dataclass(frozen=True, slots=True)
class BatchDone:
    """All exports that follow one change in a watched project are complete."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """An export or a watch was stopped by Ctrl+C.

    Attributes:
        results: The results of the levels finished until then.
        total: The number of levels to export; None for a watch.
    """

    results: Sequence[LevelResult]
    total: int | None = None


Event = (
    LevelResult
    | Removal
    | Recovered
    | ProjectProblems
    | PreservedOutputs
    | Stale
    | DroppedTarget
    | Upkeep
    | Refusal
    | Progress
    | Building
    | Ready
    | Remark
    | Finished
    | BatchDone
    | Interrupted
)


class Reporter(Protocol):
    """Receives the events of an export, to print or record them."""

    def report(self, event: Event) -> None:
        """Handle an event: print, record or forward it."""


def is_complete(layers: Mapping[str, Any], objects: Mapping[str, Mapping[str, int]]) -> bool:
    """Return whether all that a spec requests is in its level.

    `layers` is the report about its layers; `objects` has the numbers of requested and placed
    objects, by name.
    """
    whole = all(layer.get("complete", True) for layer in layers.values())
    return whole and all(item["placed"] >= item["asked"] for item in objects.values())


class Changes:
    """A reporter that notes whether an export changes files.

    It forwards all events. Stale files count as a change: a fresh export would not have them.
    """

    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter
        self.any = False

    def report(self, event: Event) -> None:
        """Forward `event`, and note whether it means that a file changes."""
        if isinstance(event, LevelResult):
            self.any |= bool(event.written)
        elif isinstance(event, Removal | Stale | Upkeep):
            self.any |= bool(event.paths)
        self.reporter.report(event)


def problem_report(problem: Problem) -> dict[str, Any]:
    """Return `problem` as JSON data."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }
