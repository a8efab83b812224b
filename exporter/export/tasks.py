"""Define the tasks of an export and their results as plain data.

A task is a level to build, or one unit of work on a world. Its result has whole files, or the
problems that prevented them. While a task runs, only the cache is written.
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
    """One unit of work on a world, such as to make the files of a chunk.

    Attributes:
        kind: `survey` collects facts from a row of chunks; `settle` joins those of all rows;
            `common` finds what all chunks share; `part` makes the files of a chunk, and `whole`
            those of the world as a whole.
        column: The chunk's column, from 0 at the left.
        row: The chunk's row, or the row of chunks to survey, from 0 at the top.
        survey: The names of the surveys to run or settle.
        known: The results of earlier rounds of surveys.
        findings: For `settle`: the results of all rows of chunks.
        grounds: What all chunks share: for each layer, by name, and each tile id the id of the tile
            that usually surrounds it.
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
    """How a world is divided into chunks, and how it is surveyed.

    Attributes:
        columns: Number of chunks in a row.
        rows: Number of rows of chunks.
        surveys: The names of the surveys, in rounds: each needs the results of the one before.
        size: Width and height of the world in cells.
        chunk: The side of a chunk in cells.
        reach: How many cells beyond its edge a chunk depends on.
    """

    columns: int
    rows: int
    surveys: tuple[tuple[str, ...], ...]
    size: tuple[int, int]
    chunk: int
    reach: int

    def window(self, column: int, row: int) -> Window:
        """Return the cells of the chunk at `column` and `row`."""
        from exporter.model.windows import Window

        x, y = column * self.chunk, row * self.chunk
        return Window(
            x, y, min(self.chunk, self.size[0] - x), min(self.chunk, self.size[1] - y), self.size
        )

    def row_window(self, row: int) -> Window:
        """Return the cells of all chunks in `row`."""
        from exporter.model.windows import Window

        first = self.window(0, row)
        return Window(0, first.y, self.size[0], first.height, self.size)


@dataclass(frozen=True, slots=True)
class WorldFindings:
    """What a unit of work on a world found, besides its files.

    Attributes:
        layout: How the world is divided; None except from the first task.
        surveyed: The findings of surveys (facts collected from chunks), by survey: of a row of
            chunks, or of all rows joined.
        unsettled: The names of surveys that must read all chunks once more.
        grounds: The tile that usually surrounds each tile: `{layer: {tile id: tile id}}`, the same
            for all chunks.
        memory: The peak memory of the process in bytes.
    """

    layout: WorldLayout | None = None
    surveyed: Surveyed = field(default_factory=dict)
    unsettled: tuple[str, ...] = ()
    grounds: Grounds = field(default_factory=dict)
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    """A level, or a unit of work on a world, to build in another process.

    Attributes:
        project: The checked project, with its targets.
        spec: The spec's path, relative to the project.
        content: The spec's bytes.
        key: The hash of the spec, the project's settings and the exporter's code.
        identity: The hash of the exporter's code; empty to store nothing in the cache.
        fresh: Whether to ignore what the cache has.
        dry: Whether to write nothing to the cache.
        unit: The unit of work on a world; None to build a level, or to find the layout of a world.
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

    `inputs` are the hashes of files that were read, by path; `warnings` are about requests of the
    spec that could not be fulfilled; `objects` has the numbers requested and placed, by name;
    `saved` is how many bytes go into the cache; `timings` has the seconds of each stage; `seed` is
    what a search found; `findings` is None for a level.
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
    """A step of a build, and the problem to report if time runs out in it.

    Attributes:
        what: The name of the step.
        problem: A problem at the line of the spec that the step works on.
    """

    what: str
    problem: Problem


def unforeseen(error: Exception, spec: Path) -> tuple[Problem, str]:
    """Turn an internal `error` into a problem of `spec`, with a traceback.

    So a bug that one level meets does not stop the export of others.
    """
    message = f"the exporter itself failed ({type(error).__name__}: {error})"
    return Problem(message, display_path(spec)), "".join(traceback.format_exception(error))


def took_too_long(step: BuildStep, max_seconds: float) -> Problem:
    """Return the problem that a build exceeded `max_seconds` in `step`."""
    message = (
        f"building this level took longer than {max_seconds:g} seconds and was ended at "
        f"{step.what} (--max-seconds allows more)"
    )
    return replace(step.problem, message=message)


def level_key(identity: str, fingerprint: str, spec: str, digest: str) -> str:
    """Return a hash of what a level is built from: spec, settings, code.

    Other files that the spec reads are not included.

    Args:
        identity: The hash of the exporter's code.
        fingerprint: The hash of the project's settings that outputs depend on.
        spec: The path of the spec.
        digest: The SHA-256 of the spec's bytes.
    """
    return stage_key(identity, fingerprint, spec, digest)


def content_name(sha256: str) -> str:
    """Return the cache key of the content with the hash `sha256`."""
    return content_key(b"content " + sha256.encode())


def content_from(cache: Cache, file: File) -> bytes | None:
    """Return the content of `file` from memory or `cache`; None if in neither."""
    return file.data if file.data is not None else cache.load(content_name(file.sha256))


def peek_name(content: bytes, spec: str) -> str:
    """Return the level's name in `content`, which is not checked.

    `content` is the text of the spec `spec`. If it has no name, the name follows from the file's
    name.
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
    """Return whether a spec is that of a world: whether it has a key `chunk`.

    `content` is the text of the spec `spec`, which is not checked.
    """
    if b"chunk" not in content:
        return False
    from exporter.reading.yaml_reader import read_document

    with suppress(SpecError):
        data = read_document(content, spec).data
        return isinstance(data, dict) and "chunk" in data
    return False
