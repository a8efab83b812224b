"""Define the tasks of an export and their results as plain data.

A task is a level to build, or one unit of a world's export. Its result has whole files, or the
problems that prevented them. A task only writes the cache.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from exporter.model.errors import Problem, SpecError
from exporter.model.keys import content_key, stage_key
from exporter.model.lazy_dataclass import dataclass
from exporter.project.project import Project, display_path
from exporter.store.cache import Cache
from exporter.store.commit_plan import File

if TYPE_CHECKING:
    from exporter.build.world_surveys import Surveyed
    from exporter.export.stage_clock import Timings
    from exporter.model.windows import Window

Grounds = Mapping[str, Mapping[int, int]]


@dataclass(frozen=True, slots=True)
class WorldUnit:
    """A piece of work on a world: see `exporter.export.world_units`.

    Attributes:
        kind: Survey a row of parts, settle a round of surveys, prepare what parts share, or make
            files.
        column: The part's column, from 0 at the left.
        row: The part's row, or the surveyed row of parts, from 0 at the top.
        survey: The names of the layers to survey.
        known: The results of earlier surveys of whole layers.
        findings: To settle a round: the survey results of all rows.
        grounds: What all parts share; see `exporter.model.world_part.WorldPart`.
    """

    kind: Literal["survey", "settle", "common", "part", "whole"]
    column: int = 0
    row: int = 0
    survey: tuple[str, ...] = ()
    known: Surveyed = field(default_factory=dict)
    findings: Surveyed = field(default_factory=dict)
    grounds: Grounds = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorldLayout:
    """How a world is divided into parts, and how it is surveyed.

    Attributes:
        columns: Number of parts in a row.
        rows: Number of rows of parts.
        surveys: The names of the layers to survey, in rounds: each needs the results of the one
            before.
        size: Width and height of the world in cells.
        chunk: The side of a part in cells.
        reach: How many cells beyond its edge a part depends on.
    """

    columns: int
    rows: int
    surveys: tuple[tuple[str, ...], ...]
    size: tuple[int, int]
    chunk: int
    reach: int

    def window(self, column: int, row: int) -> Window:
        """Return the window of the part at a column and row, in cells."""
        from exporter.model.windows import Window

        x, y = column * self.chunk, row * self.chunk
        return Window(
            x, y, min(self.chunk, self.size[0] - x), min(self.chunk, self.size[1] - y), self.size
        )

    def row_window(self, row: int) -> Window:
        """Return the window of all parts in a row, in cells."""
        from exporter.model.windows import Window

        first = self.window(0, row)
        return Window(0, first.y, self.size[0], first.height, self.size)


@dataclass(frozen=True, slots=True)
class WorldFindings:
    """What a unit of a world found, besides its files.

    Attributes:
        layout: How the world is divided; None except from the first task.
        surveyed: The result of surveying a row, or of settling a round.
        unsettled: The layers whose survey must read all rows once more.
        grounds: What all parts share; see `exporter.model.world_part.WorldPart`.
        memory: The peak memory of the process in bytes.
    """

    layout: WorldLayout | None = None
    surveyed: Surveyed = field(default_factory=dict)
    unsettled: tuple[str, ...] = ()
    grounds: Grounds = field(default_factory=dict)
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    """A level or a unit of a world to build, as data for another process.

    Attributes:
        project: The checked project, with its targets.
        spec: The spec's path, relative to the project.
        content: The spec's bytes.
        key: The hash of spec, settings and code; see `level_key`.
        identity: The hash of the exporter's code; empty to store nothing in the cache.
        fresh: Do not read the cache.
        dry: Do not write the cache.
        unit: The unit of a world to make; None to build a level, or to find the layout of a world.
        jobs: How many processes may make the level's pack; None chooses.
    """

    project: Project
    spec: str
    content: bytes
    key: str
    identity: str
    fresh: bool = False
    dry: bool = False
    unit: WorldUnit | None = None
    jobs: int | None = None


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The files that a task made, or the problems that prevented them.

    `inputs` are the files that were read, by path, with their hashes; `warnings` are requests that
    could not be fulfilled, with their lines of the spec; `objects` the numbers requested and placed
    by name; `saved` is how many bytes go into the cache; `timings` are the seconds of each stage;
    `seed` is the seed that was found, if the spec searches for one; `findings` are the findings of
    a world's unit, also its plan, and None for a level.
    """

    task: Task
    level: str
    seconds: float
    files: tuple[File, ...] = ()
    inputs: dict[str, str] = field(default_factory=dict)
    layers: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    objects: dict[str, dict[str, int]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    traceback: str = ""
    saved: int = 0
    timings: Timings = ()
    seed: int | None = None
    findings: WorldFindings | None = None


@dataclass(frozen=True, slots=True)
class BuildStep:
    """A stage of a build, with the problem to report if it takes too long.

    Attributes:
        what: The name of the stage.
        problem: A problem at the line of the spec that the stage works on.
    """

    what: str
    problem: Problem


def unforeseen(error: Exception, spec: Path) -> tuple[Problem, str]:
    """Turn an internal error into a problem of its spec; return the traceback.

    The result has both. So a bug in one level does not stop the export of others.

    Args:
        error: The exception.
        spec: The path of the spec.
    """
    message = f"the exporter itself failed ({type(error).__name__}: {error})"
    return Problem(message, display_path(spec)), "".join(traceback.format_exception(error))


def took_too_long(step: BuildStep, max_seconds: float) -> Problem:
    """Return the problem of a level whose build took over `max_seconds`.

    Args:
        step: The stage that the build had reached.
        max_seconds: The limit.
    """
    message = (
        f"building this level took longer than {max_seconds:g} seconds and was ended at "
        f"{step.what} (--max-seconds allows more)"
    )
    return replace(step.problem, message=message)


def level_key(identity: str, fingerprint: str, spec: str, digest: str) -> str:
    """Return the hash of what a level is built from: spec, settings, code.

    Files that the spec reads are not included.

    Args:
        identity: The hash of the exporter's code; see `exporter.store.code_identity.code_identity`.
        fingerprint: The hash of the project's settings; see `exporter.project.project.Project`.
        spec: The path of the spec.
        digest: SHA-256 of the spec's bytes.
    """
    return stage_key(identity, fingerprint, spec, digest)


def content_name(sha256: str) -> str:
    """Return the cache key of a file's content, from its SHA-256."""
    return content_key(b"content " + sha256.encode())


def content_from(cache: Cache, file: File) -> bytes | None:
    """Return a file's content, from memory or the cache; None if in neither."""
    return file.data if file.data is not None else cache.load(content_name(file.sha256))


def peek_name(content: bytes, spec: str) -> str:
    """Return the name of a spec's level without checking the spec.

    Args:
        content: The text of the spec.
        spec: The path of the spec, which gives the name if the text does not.
    """
    from exporter.reading.names import default_name

    if b"level" in content:
        from exporter.reading.yaml_reader import read_document

        with suppress(SpecError):
            data = read_document(content, spec).data
            if isinstance(data, dict) and isinstance(data.get("level"), str):
                return str(data["level"])
    return default_name(spec)


def peek_chunk(content: bytes, spec: str) -> bool:
    """Return whether a spec is one of a world: whether it has a key `chunk`.

    Args:
        content: The text of the spec, which is not checked.
        spec: The path of the spec.
    """
    if b"chunk" not in content:
        return False
    from exporter.reading.yaml_reader import read_document

    with suppress(SpecError):
        data = read_document(content, spec).data
        return isinstance(data, dict) and "chunk" in data
    return False
