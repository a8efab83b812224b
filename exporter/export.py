"""One export of a project: which levels are stale, building them, storing what came out.

The same function serves `exporter export` and every batch of `exporter watch`. A level is
recognised as unchanged by the hash of its spec's bytes and of everything else that went into it,
without parsing it; building happens in this process or in parallel ones, writing always here.
"""

from __future__ import annotations

import hashlib
import posixpath
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

from exporter._version import __version__
from exporter.errors import Problem, SpecError, StoreError
from exporter.project import FILE_NAME, Project, find_specs, load_project, shown
from exporter.store import Entry, File, Output, ProjectMark, Store

Status = Literal["built", "unchanged", "failed"]


@dataclass(frozen=True, slots=True)
class LevelResult:
    """What became of one level in an export."""

    level: str
    spec: str
    status: Status
    seconds: float = 0.0
    outputs: tuple[Output, ...] = ()
    written: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    layers: dict[str, Any] = field(default_factory=dict)
    traceback: str = ""

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
        }


@dataclass(frozen=True, slots=True)
class Removal:
    """The outputs that went with a spec that is gone."""

    level: str
    spec: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to export.

    Attributes:
        levels: Globs of level names; empty for all.
        jobs: Processes to build in; None chooses.
        force: Build everything, and overwrite files that are not ours.
        dry_run: Write nothing.
        only: Spec paths to look at; None for all.
    """

    levels: tuple[str, ...] = ()
    jobs: int | None = None
    force: bool = False
    dry_run: bool = False
    only: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A level to build, in a form that crosses process borders."""

    project: Project
    spec: str
    content: bytes
    key: str


@dataclass(frozen=True, slots=True)
class Built:
    """A built level: its files in order, or the problems that prevented them."""

    task: Task
    level: str
    seconds: float
    files: tuple[File, ...] = ()
    inputs: dict[str, str] = field(default_factory=dict)
    layers: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    traceback: str = ""


Progress = Callable[[int, int], None]
Event = LevelResult | Removal


def problem_report(problem: Problem) -> dict[str, Any]:
    """Return a problem as the export report has it."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }


def export_project(
    root: Path,
    settings: Settings,
    *,
    event: Callable[[Event], None] = lambda _: None,
    progress: Progress = lambda _done, _total: None,
) -> list[LevelResult]:
    """Export the levels of a project that are stale, and remove what belongs to none.

    Args:
        root: The project's folder.
        settings: How to export.
        event: Told each level as soon as it is finished, and each removal.
        progress: Told how many of the stale levels are done.

    Returns:
        A result for every selected level, in the order of their specs' paths.

    Raises:
        SpecError: exporter.yaml is wrong.
        StoreError: The project's state folder cannot be used.
    """
    with Store(root, root / ".exporter") as store:
        return _Exporting(root, store, settings, event, progress).run()


class _Exporting:
    """One export with the store's lock held."""

    def __init__(
        self,
        root: Path,
        store: Store,
        settings: Settings,
        event: Callable[[Event], None],
        progress: Progress,
    ) -> None:
        self.root = root
        self.store = store
        self.settings = settings
        self.event = event
        self.progress = progress
        self.changed = False
        self.project: Project | None = None

    def run(self) -> list[LevelResult]:
        mark = self._project_mark()
        specs = find_specs(self.root, mark.patterns)
        self._remove_gone(set(specs))
        results: dict[str, LevelResult] = {}
        stale: list[tuple[str, bytes, str]] = []
        names: dict[str, str] = {}
        for spec in specs:
            if self.settings.only is None or spec in self.settings.only:
                self._look_at(spec, mark, names, results, stale)
            elif spec in self.store.entries:
                names[spec] = self.store.entries[spec].level
        self._refuse_twins(names, results, stale)
        self.progress(0, len(stale))
        for done, built in enumerate(self._build(stale), 1):
            result = self._store(built)
            results[built.task.spec] = result
            self.event(result)
            self.progress(done, len(stale))
        if not self.settings.dry_run:
            if mark != self.store.project:
                self.store.project = mark
                self.changed = True
            if self.changed:
                self.store.save()
            self._write_status(results, specs)
        return [results[spec] for spec in specs if spec in results]

    def _project_mark(self) -> ProjectMark:
        try:
            content = (self.root / FILE_NAME).read_bytes()
        except OSError as error:
            message = f"cannot be read ({error.strerror or error})"
            raise SpecError([Problem(message, shown(self.root / FILE_NAME))]) from None
        digest = hashlib.sha256(__version__.encode() + b"\0" + content).hexdigest()
        if self.store.project is not None and self.store.project.sha256 == digest:
            return self.store.project
        self.project = load_project(self.root)
        return ProjectMark(digest, self.project.patterns, self.project.fingerprint)

    def _remove_gone(self, specs: set[str]) -> None:
        for spec in sorted(set(self.store.entries) - specs):
            entry = self.store.entries[spec]
            if self.settings.dry_run:
                paths = [output.path for output in entry.outputs]
            else:
                paths = self.store.forget(spec)
                self.changed = True
            self.event(Removal(entry.level, spec, tuple(paths)))

    def _look_at(
        self,
        spec: str,
        mark: ProjectMark,
        names: dict[str, str],
        results: dict[str, LevelResult],
        stale: list[tuple[str, bytes, str]],
    ) -> None:
        """Decide whether a level is unchanged, stale or unreadable."""
        try:
            content = (self.root / spec).read_bytes()
        except FileNotFoundError:
            return  # gone since it was listed; the next export removes its outputs
        except OSError as error:
            name = Path(spec).name.split(".")[0]
            if self._selected(name):
                message = f"cannot be read ({error.strerror or error})"
                problem = Problem(message, shown(self.root / spec))
                results[spec] = LevelResult(name, spec, "failed", problems=(problem,))
                self.event(results[spec])
            return
        key = level_key(mark.fingerprint, spec, content)
        entry = self.store.entries.get(spec)
        known = entry is not None and entry.key == key
        name = entry.level if entry is not None and known else peek_name(content, spec)
        names[spec] = name
        if not self._selected(name):
            return
        if entry is not None and known and not self.settings.force and self._current(entry):
            result = LevelResult(
                name, spec, "unchanged", 0.0, entry.outputs, (), (), entry.warnings, entry.layers
            )
            results[spec] = result
            self.event(result)
        else:
            stale.append((spec, content, key))

    def _selected(self, name: str) -> bool:
        patterns = self.settings.levels
        return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)

    def _current(self, entry: Entry) -> bool:
        for path, digest in entry.inputs.items():
            try:
                content = (self.root / path).read_bytes()
            except OSError:
                return False
            if hashlib.sha256(content).hexdigest() != digest:
                return False
        return all(self.store.is_current(output) for output in entry.outputs)

    def _refuse_twins(
        self,
        names: dict[str, str],
        results: dict[str, LevelResult],
        stale: list[tuple[str, bytes, str]],
    ) -> None:
        """Fail every stale level whose name, without regard to case, another spec has too."""
        owners: dict[str, list[str]] = {}
        for spec, name in names.items():
            owners.setdefault(name.casefold(), []).append(spec)
        for item in list(stale):
            spec = item[0]
            twins = [other for other in owners[names[spec].casefold()] if other != spec]
            if twins:
                message = f"the level is called {names[spec]!r}, as in {', '.join(twins)}"
                problem = Problem(message, shown(self.root / spec))
                results[spec] = LevelResult(names[spec], spec, "failed", problems=(problem,))
                self.event(results[spec])
                stale.remove(item)

    def _build(self, stale: Sequence[tuple[str, bytes, str]]) -> Iterator[Built]:
        if not stale:
            return iter(())
        project = self.project or load_project(self.root)
        tasks = [Task(project, spec, content, key) for spec, content, key in stale]
        return build_all(tasks, self.settings.jobs)

    def _store(self, built: Built) -> LevelResult:
        task = built.task
        problems = built.problems
        if not problems and not self.settings.dry_run:
            entry = Entry(
                task.spec, built.level, task.key, built.inputs, (), built.layers, built.warnings
            )
            try:
                entry, written = self.store.commit(entry, built.files, force=self.settings.force)
                self.changed = True
                return LevelResult(
                    built.level,
                    task.spec,
                    "built",
                    built.seconds,
                    entry.outputs,
                    written,
                    (),
                    built.warnings,
                    built.layers,
                )
            except StoreError as error:
                problems = (Problem(str(error), shown(self.root / task.spec)),)
        if problems:
            return LevelResult(
                built.level,
                task.spec,
                "failed",
                built.seconds,
                problems=tuple(problems),
                traceback=built.traceback,
            )
        outputs = tuple(
            Output(
                file.path,
                file.kind,
                file.layer,
                file.target,
                len(file.data),
                hashlib.sha256(file.data).hexdigest(),
            )
            for file in built.files
        )
        return LevelResult(
            built.level,
            task.spec,
            "built",
            built.seconds,
            outputs,
            (),
            (),
            built.warnings,
            built.layers,
        )

    def _write_status(self, results: dict[str, LevelResult], specs: list[str]) -> None:
        """Tell engine plugins what the last batch did; levels it did not look at are listed too."""
        levels = []
        for spec in specs:
            entry = self.store.entries.get(spec)
            result = results.get(spec)
            if result is None and entry is None:
                continue
            outputs = entry.outputs if entry is not None else ()
            levels.append(
                {
                    "level": result.level if result else entry.level if entry else "",
                    "spec": spec,
                    "status": result.status if result else "unchanged",
                    "errors": [problem_report(p) for p in result.problems] if result else [],
                    "outputs": [output.path for output in outputs],
                }
            )
        with suppress(StoreError):
            self.store.write_status(
                {
                    "version": 1,
                    "exporter": __version__,
                    "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                    "changed": self.changed,
                    "levels": levels,
                }
            )


def level_key(fingerprint: str, spec: str, content: bytes) -> str:
    """Return the hash of what a level is made from, apart from the files its spec reads."""
    parts = (__version__.encode(), fingerprint.encode(), spec.encode(), content)
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def peek_name(content: bytes, spec: str) -> str:
    """Return the level's name without checking the whole spec."""
    from exporter.spec.document import read_document
    from exporter.spec.names import default_name

    if b"level" in content:
        with suppress(SpecError):
            data = read_document(content, spec).data
            if isinstance(data, dict) and isinstance(data.get("level"), str):
                return str(data["level"])
    return default_name(spec)


def build_all(tasks: Sequence[Task], jobs: int | None) -> Iterator[Built]:
    """Build levels, in this process or in `jobs` parallel ones; yield them in order."""
    jobs = _sensible_jobs(len(tasks), jobs)
    if jobs <= 1:
        yield from map(build_files, tasks)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload(["exporter.build", "exporter.spec.reader"])
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        yield from pool.map(build_files, tasks)


def _sensible_jobs(tasks: int, jobs: int | None) -> int:
    if jobs is not None:
        return min(jobs, tasks)
    import os

    # Starting processes costs about as much as a dozen small levels.
    return min(os.cpu_count() or 1, tasks) if tasks >= 16 else 1


def build_files(task: Task) -> Built:
    """Build one level and all its files in memory; problems are returned, not raised."""
    from exporter.build import build_with_inputs
    from exporter.spec.reader import parse_level

    started = time.perf_counter()
    path = task.project.root / task.spec
    level_name = peek_name(task.content, task.spec)
    try:
        spec = parse_level(task.content, shown(path), path.parent)
        level_name = spec.level
        level, inputs = build_with_inputs(spec, task.project.root)
        files, warnings = target_files(level, task.project)
    except SpecError as error:
        seconds = time.perf_counter() - started
        return Built(task, level_name, seconds, problems=error.problems)
    except Exception as error:
        # A bug of ours must not keep the other levels from their export.
        seconds = time.perf_counter() - started
        message = f"the exporter itself failed ({type(error).__name__}: {error})"
        problem = Problem(message, shown(path))
        text = traceback.format_exc()
        return Built(task, level_name, seconds, problems=(problem,), traceback=text)
    layers = {name: layer_report(layer) for name, layer in level.layers.items()}
    seconds = time.perf_counter() - started
    return Built(task, level.name, seconds, tuple(files), inputs, layers, tuple(warnings))


def target_files(level: Any, project: Project) -> tuple[list[File], list[str]]:
    """Return a level's files for every target of the project, and what could not be made."""
    from exporter.targets import TARGETS

    files: list[File] = []
    warnings: list[str] = []
    for target in project.targets:
        place = posixpath.normpath(target.options.path)
        exported = TARGETS.get(target.engine).artifacts(level, target.options, place)
        warnings += [f"{target.name}: {warning}" for warning in exported.warnings]
        files += [
            File(
                posixpath.normpath(f"{place}/{artifact.name}"),
                artifact.kind,
                artifact.layer,
                target.name,
                artifact.data,
                artifact.once,
            )
            for artifact in exported.artifacts
        ]
    return files, warnings


def layer_report(layer: Any) -> dict[str, Any]:
    """Return what the export report says of a layer."""
    certificate = layer.certificate
    shown_certificate = None
    if certificate is not None:
        shown_certificate = {
            "connected": certificate.connected,
            "regions_before": certificate.regions_before,
            "regions_after": certificate.regions_after,
            "cells_carved": certificate.cells_carved,
            "floor": certificate.floor,
            "cells": certificate.cells,
            "farthest": certificate.farthest,
            "start": list(certificate.start) if certificate.start else None,
            "dead_ends": certificate.dead_ends,
            "chokes": certificate.chokes,
        }
    return {
        "generator": layer.generator,
        "version": layer.version,
        "complete": layer.complete,
        "certificate": shown_certificate,
        "report": dict(layer.report),
    }


def failed(results: Iterable[LevelResult]) -> bool:
    """Whether any level failed."""
    return any(result.status == "failed" for result in results)
