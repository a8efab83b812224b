"""Send levels to workers on other machines, and decode their answers.

Only names and hashes of files are sent; their bytes go through the shared store. The worker puts
the files that the level is likely to read into a temporary folder and builds there. If the level
reads another file, the answer lists it as missing; if the project has that file, the level is sent
again with it.
"""

from __future__ import annotations

import pickle
import tempfile
import threading
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from exporter.export.level_builder import LevelBuilder
from exporter.export.level_records import (
    decode_level,
    encode_level,
    problem_of,
    problem_row,
    project_at,
)
from exporter.export.shared_store import SharedStore
from exporter.export.stage_clock import Timings
from exporter.export.tasks import BuildStep, Task, TaskResult, WorldUnit, peek_name, took_too_long
from exporter.model.errors import FarmError, Problem
from exporter.model.lazy_dataclass import dataclass
from exporter.model.limits import MAXIMUM_INPUT_BYTES
from exporter.project.project import Project, ProjectTarget, display_path
from exporter.targets import TARGETS

# A step of a build cannot be interrupted: the worker abandons it these seconds after the limit.
_PATIENCE = 5.0
# How many contents of input files, such as tilesets, a worker keeps in memory.
_RETAINED_INPUTS = 32


@dataclass(frozen=True, slots=True)
class SentLevel:
    """A level to build on another machine, with all that this needs.

    Attributes:
        store: The path or URL of the shared store.
        run: A random name of the export. A worker reopens the store for each export, because the
            store may have been deleted meanwhile.
        key: The key of the level's result in the store.
        targets: The project's targets.
        patterns: Globs of level specs.
        fingerprint: The hash of the project's settings that outputs depend on.
        plugins: The game project's folder of each target that has the exporter's plugin there.
        games: The game project's folder of each target; None if the target is in no game project.
        depth: How many folders the project lies below the top of its file system: the worker's
            folder is as deep, so that paths with `..` lead nowhere else.
        spec: The spec's path.
        content: The spec's bytes.
        unit: The unit of work on a world, such as a chunk; None for a level.
        files: The hashes, by path, of the input files to send along.
        max_seconds: Limit for the seconds of the build; None for no limit.
        rewrite: Whether to overwrite contents in the store, because they may be damaged.
    """

    store: str
    run: str
    key: str
    targets: tuple[ProjectTarget, ...]
    patterns: tuple[str, ...]
    fingerprint: str
    plugins: dict[str, str]
    games: dict[str, str | None]
    depth: int
    spec: str
    content: bytes
    unit: WorldUnit | None
    files: dict[str, str]
    max_seconds: float | None
    rewrite: bool


@dataclass(frozen=True, slots=True)
class LevelAnswer:
    """A worker's answer about a level that it was to build.

    Attributes:
        record: The encoded result, which the worker has stored; None if the level failed.
        level: The level's name.
        seconds: How long the build took.
        timings: The seconds of each stage.
        inputs: The hashes of the files that were read, by path.
        problems: Why the level failed, as plain data (`problem_row`).
        traceback: The traceback of a bug in the exporter.
        is_world: Whether the level is a world that was not built, since only the project's machine
            plans worlds.
        trouble: Why the worker could not use the store; empty if it could.
    """

    record: bytes | None = None
    level: str = ""
    seconds: float = 0.0
    timings: Timings = ()
    inputs: dict[str, str] = field(default_factory=dict)
    problems: tuple[list[Any], ...] = ()
    traceback: str = ""
    is_world: bool = False
    trouble: str = ""

    def built(self, task: Task) -> TaskResult:
        """Return the answer as the result of `task`; its files have no contents.

        Raises:
            FarmError: The record is malformed.
        """
        if self.record is not None:
            built = decode_level(self.record, task)
            return replace(built, seconds=self.seconds, timings=self.timings)
        root = task.project.root
        problems = tuple(problem_of(row, root) for row in self.problems)
        return TaskResult(
            task,
            self.level,
            self.seconds,
            inputs=self.inputs,
            problems=problems,
            traceback=self.traceback,
            timings=self.timings,
        )


def encode_sent(sent: SentLevel) -> bytes:
    """Encode `sent` for a worker with the same code."""
    return pickle.dumps(sent)


def decode_answer(data: bytes) -> LevelAnswer:
    """Decode the worker's answer that `build_sent` returned as bytes."""
    answer = pickle.loads(data)
    assert isinstance(answer, LevelAnswer)
    return answer


def build_sent(task: bytes) -> bytes:
    """Build a sent level on a worker, and store the result.

    `task` is a result of `encode_sent`. Return an encoded `LevelAnswer`.
    """
    sent = pickle.loads(task)
    assert isinstance(sent, SentLevel)
    try:
        answer = _answer(sent)
    except FarmError as error:
        answer = LevelAnswer(trouble=str(error))
    return pickle.dumps(answer)


def _answer(sent: SentLevel) -> LevelAnswer:
    with tempfile.TemporaryDirectory(prefix="level-exporter-", ignore_cleanup_errors=True) as name:
        # As deep as the project, so that paths with `..` stay inside.
        root = Path(name).resolve().joinpath(*["p"] * max(1, sent.depth))
        (root / sent.spec).parent.mkdir(parents=True)
        _lay_out(sent, root)
        project = Project(root, sent.patterns, sent.targets, sent.fingerprint, sent.plugins)
        position = project_at(project, root)
        task = Task(position, sent.spec, sent.content, sent.key, "", True, True, sent.unit)
        built = _built_in_time(task, sent.max_seconds)
        if built.findings is not None and sent.unit is None and not built.problems:
            return LevelAnswer(level=built.level, is_world=True)
        if not built.problems:
            return _stored_answer(sent, built)
        return LevelAnswer(
            None,
            built.level,
            built.seconds,
            built.timings,
            built.inputs,
            tuple(problem_row(problem, root) for problem in built.problems),
            built.traceback,
        )


def _stored_answer(sent: SentLevel, built: TaskResult) -> LevelAnswer:
    """Store the result `built`, contents before record; return the answer."""
    # A missing file counts as an input, so the record is not used where the file exists.
    record = encode_level(built)
    store = _store(sent.store, sent.run)
    for file in built.files:
        assert file.data is not None
        store.save_content(file.sha256, file.data, rewrite=sent.rewrite)
    store.save_record(sent.key, record, rewrite=sent.rewrite)
    return LevelAnswer(record, built.level, built.seconds, built.timings, built.inputs)


def _lay_out(sent: SentLevel, root: Path) -> None:
    """Write what a level needs to be built into the folder `root`.

    These are its spec, its input files, and empty files that mark game projects.
    """
    (root / sent.spec).write_bytes(sent.content)
    for path, digest in sent.files.items():
        position = root / path
        position.parent.mkdir(parents=True, exist_ok=True)
        position.write_bytes(_input(sent.store, sent.run, digest))
    for target in sent.targets:
        game = sent.games.get(target.name)
        if game is None:
            continue
        for marker in TARGETS.get(target.engine).markers:
            position = root / game / marker
            if not position.exists():
                position.parent.mkdir(parents=True, exist_ok=True)
                position.write_bytes(b"")  # a build that reads it gets the true file next time


def _built_in_time(task: Task, max_seconds: float | None) -> TaskResult:
    """Build a level in a thread; after `max_seconds`, return a failure.

    So an endless step does not block the worker, though its thread goes on.
    """
    steps: list[BuildStep] = []
    builder = LevelBuilder(task, max_seconds, steps.append)
    result: list[TaskResult] = []
    thread = threading.Thread(target=lambda: result.append(builder.run()), daemon=True)
    thread.start()
    thread.join(None if max_seconds is None else max_seconds + _PATIENCE)
    if result:
        return result[0]
    assert max_seconds is not None
    begun = BuildStep("reading the spec", Problem("", display_path(task.project.root / task.spec)))
    late = took_too_long(steps[-1] if steps else begun, max_seconds)
    return TaskResult(task, peek_name(task.content, task.spec), max_seconds, problems=(late,))


@lru_cache(maxsize=4)
def _store(url: str, run: str) -> SharedStore:
    """Return the shared store at `url`, opened once for each export `run`."""
    return SharedStore.open(url)


@lru_cache(maxsize=_RETAINED_INPUTS)
def _input(url: str, run: str, digest: str) -> bytes:
    store = _store(url, run)
    content = store.content(digest)
    if content is None or len(content) > MAXIMUM_INPUT_BYTES:
        message = f"{store.title}: an input file is missing or damaged (contents/{digest[:2]}/...)"
        raise FarmError(message)
    return content
