"""A level as a unit of work for another machine: what goes there, and what comes back.

Only names and hashes travel with a unit; bytes go through the shared store. The worker lays the
files that the level is known to read into a folder of its own and builds there. A file that it
asks for and does not have is in the answer like one that is missing; if it stands in the project
after all, the unit is sent again with it.
"""

from __future__ import annotations

import pickle
import tempfile
import threading
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from exporter.export.job import BuiltLevel, Doing, Job, LevelBuilder, peek_name, took_too_long
from exporter.export.level_records import (
    decode_level,
    encode_level,
    problem_of,
    problem_row,
    project_at,
)
from exporter.export.stage_clock import Timings
from exporter.farm.shared_store import SharedStore
from exporter.model.errors import FarmError, Problem
from exporter.model.limits import MAXIMUM_INPUT_BYTES
from exporter.project.project import Project, ProjectTarget, shown
from exporter.targets import TARGETS

# A step of a build cannot be interrupted: so long after its time is over the worker leaves it.
_PATIENCE = 5.0
# Contents of input files that a worker keeps at hand, such as those of a tileset.
_KEPT_INPUTS = 32


@dataclass(frozen=True, slots=True)
class Unit:
    """A level to build elsewhere.

    Attributes:
        store: The path or URL of the shared store.
        run: The same for all units of one export: what a worker knows of the store is worth no
            more than that, as somebody may delete it.
        key: The level's key there.
        targets: The project's targets.
        patterns: Globs of level specs.
        fingerprint: See `exporter.project.project.Project`.
        plugins: The folders of game projects that have a plugin.
        games: See `exporter.export.level_records.games_of`.
        depth: How many folders the project lies below the root of its file system.
        spec: The spec's path.
        content: The spec's bytes.
        files: The files that it is known to read, by path, with their hashes.
        max_seconds: Seconds that building it may take.
        anew: Write what the store has already, because it may be damaged.
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
    files: dict[str, str]
    max_seconds: float | None
    anew: bool


@dataclass(frozen=True, slots=True)
class UnitAnswer:
    """What became of a unit.

    Attributes:
        record: The level's record, which is in the store; None where the level failed.
        level: The level's name.
        seconds: The time of building.
        timings: The seconds of each stage.
        inputs: The files that were read, with their hashes.
        problems: Why it failed, as rows of `problem_row`.
        traceback: Of a bug of ours.
        trouble: Why the worker could not use the store; empty if it could.
    """

    record: bytes | None = None
    level: str = ""
    seconds: float = 0.0
    timings: Timings = ()
    inputs: dict[str, str] = field(default_factory=dict)
    problems: tuple[list[Any], ...] = ()
    traceback: str = ""
    trouble: str = ""

    def built(self, job: Job) -> BuiltLevel:
        """Return the level as it would have been built here, without the contents of its files.

        Raises:
            FarmError: The record is none.
        """
        if self.record is not None:
            built = decode_level(self.record, job)
            return replace(built, seconds=self.seconds, timings=self.timings)
        root = job.project.root
        problems = tuple(problem_of(row, root) for row in self.problems)
        return BuiltLevel(
            job,
            self.level,
            self.seconds,
            inputs=self.inputs,
            problems=problems,
            traceback=self.traceback,
            timings=self.timings,
        )


def encode_unit(unit: Unit) -> bytes:
    """Put a unit into bytes for workers with the same code."""
    return pickle.dumps(unit)


def decode_answer(data: bytes) -> UnitAnswer:
    """Return the answer of `do_unit`; its worker is trusted, as it is told what to run."""
    answer = pickle.loads(data)
    assert isinstance(answer, UnitAnswer)
    return answer


def do_unit(task: bytes) -> bytes:
    """Build a level on a worker, put it into the store and tell what became of it."""
    unit = pickle.loads(task)
    assert isinstance(unit, Unit)
    try:
        answer = _answer(unit)
    except FarmError as error:
        answer = UnitAnswer(trouble=str(error))
    return pickle.dumps(answer)


def _answer(unit: Unit) -> UnitAnswer:
    with tempfile.TemporaryDirectory(prefix="level-exporter-", ignore_cleanup_errors=True) as name:
        # As deep as the project, so that paths upwards stay inside.
        root = Path(name).resolve().joinpath(*["p"] * max(1, unit.depth))
        (root / unit.spec).parent.mkdir(parents=True)
        _lay_out(unit, root)
        project = Project(root, unit.patterns, unit.targets, unit.fingerprint, unit.plugins)
        job = Job(project_at(project, root), unit.spec, unit.content, unit.key, "", True, True)
        built = _built_in_time(job, unit.max_seconds)
        if not built.problems:
            return _kept(unit, built)
        return UnitAnswer(
            None,
            built.level,
            built.seconds,
            built.timings,
            built.inputs,
            tuple(problem_row(problem, root) for problem in built.problems),
            built.traceback,
        )


def _kept(unit: Unit, built: BuiltLevel) -> UnitAnswer:
    """Put a built level into the store, contents first."""
    # One that lacked a file says so among its inputs, so it is taken for no other level.
    record = encode_level(built)
    store = _store(unit.store, unit.run)
    for file in built.files:
        assert file.data is not None
        store.save_content(file.sha256, file.data, anew=unit.anew)
    store.save_record(unit.key, record, anew=unit.anew)
    return UnitAnswer(record, built.level, built.seconds, built.timings, built.inputs)


def _lay_out(unit: Unit, root: Path) -> None:
    """Write the files that a level reads, and what makes a folder a game project."""
    (root / unit.spec).write_bytes(unit.content)
    for path, digest in unit.files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(_input(unit.store, unit.run, digest))
    for target in unit.targets:
        game = unit.games.get(target.name)
        if game is None:
            continue
        for marker in TARGETS.get(target.engine).markers:
            place = root / game / marker
            if not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(b"")  # if it is read its hash is wrong, and it is sent


def _built_in_time(job: Job, max_seconds: float | None) -> BuiltLevel:
    """Build a level; leave a step that does not end to itself, so that the worker goes on."""
    doing: list[Doing] = []
    builder = LevelBuilder(job, max_seconds, doing.append)
    found: list[BuiltLevel] = []
    thread = threading.Thread(target=lambda: found.append(builder.run()), daemon=True)
    thread.start()
    thread.join(None if max_seconds is None else max_seconds + _PATIENCE)
    if found:
        return found[0]
    assert max_seconds is not None
    begun = Doing("reading the spec", Problem("", shown(job.project.root / job.spec)))
    late = took_too_long(doing[-1] if doing else begun, max_seconds)
    return BuiltLevel(job, peek_name(job.content, job.spec), max_seconds, problems=(late,))


@lru_cache(maxsize=4)
def _store(url: str, run: str) -> SharedStore:
    """Return a store, which a worker opens once in an export."""
    return SharedStore.open(url)


@lru_cache(maxsize=_KEPT_INPUTS)
def _input(url: str, run: str, digest: str) -> bytes:
    store = _store(url, run)
    content = store.content(digest)
    if content is None or len(content) > MAXIMUM_INPUT_BYTES:
        message = f"{store.title}: an input file is missing or damaged (contents/{digest[:2]}/...)"
        raise FarmError(message)
    return content
