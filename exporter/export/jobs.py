"""Building one level for every target of a project: what a worker process does.

A task goes in, whole files come out (or the problems that prevented them); nothing is written
but the cache.
"""

from __future__ import annotations

import json
import posixpath
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exporter.model.errors import ExporterError, ParameterError, Problem, SpecError
from exporter.model.keys import content_key, stage_key
from exporter.project.project import Project, ProjectTarget, shown
from exporter.store.cache import Cache
from exporter.store.store import File, whole_file

if TYPE_CHECKING:
    from exporter.model.level import Layer
    from exporter.pipeline.build import Building
    from exporter.targets import SharedWork


@dataclass(frozen=True, slots=True)
class Task:
    """A level to build, in a form that crosses process borders.

    Attributes:
        project: The checked project.
        spec: The spec's path, relative to the project.
        content: The spec's bytes.
        key: See `exporter.export.export.level_key`.
        identity: See `exporter.store.code_identity.code_identity`.
        fresh: Take nothing from the cache.
    """

    project: Project
    spec: str
    content: bytes
    key: str
    identity: str
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Built:
    """A built level: its files in order, or the problems that prevented them.

    `inputs` are the files that were read, by path, with their hashes; `saved` is how many bytes
    go into the cache.
    """

    task: Task
    level: str
    seconds: float
    files: tuple[File, ...] = ()
    inputs: dict[str, str] = field(default_factory=dict)
    layers: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    traceback: str = ""
    saved: int = 0


def build_files(task: Task) -> Built:
    """Build one level and all its files; problems are returned, not raised."""
    build = LevelBuild(task)
    built = build.run()
    build.save()
    return built


class LevelBuild:
    """The building of one level; `save` fills the cache afterwards, when nobody waits."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.cache = Cache(task.project.state, forgetful=task.fresh)
        self.unsaved: dict[str, bytes] = {}
        self.building: Building | None = None
        # What the targets of the level share.
        self.shared: SharedWork | None = None

    def run(self) -> Built:
        """Build; problems are returned, not raised."""
        started = time.perf_counter()
        task = self.task
        name = peek_name(task.content, task.spec)
        problems: tuple[Problem, ...]
        text = ""
        try:
            return self._build(started)
        except SpecError as error:
            problems = error.problems
        except ExporterError as error:
            problems = (Problem(str(error), shown(task.project.root / task.spec)),)
        except (Exception, RecursionError, MemoryError) as error:
            # A bug of ours must not keep the other levels from their export.
            message = f"the exporter itself failed ({type(error).__name__}: {error})"
            problems = (Problem(message, shown(task.project.root / task.spec)),)
            text = traceback.format_exc()
        inputs = dict(self.building.inputs) if self.building is not None else {}
        seconds = time.perf_counter() - started
        return Built(task, name, seconds, inputs=inputs, problems=problems, traceback=text)

    def save(self) -> None:
        """Keep in the cache what was made."""
        for key, data in self.unsaved.items():
            self.cache.save(key, data)
        self.unsaved = {}

    def _build(self, started: float) -> Built:
        from exporter.pipeline.build import Building
        from exporter.reading.reader import parse_level

        task = self.task
        path = task.project.root / task.spec
        spec = parse_level(task.content, shown(path), path.parent)
        building = Building(spec, task.project.root, self.cache, task.identity)
        self.building = building
        key = building.key()
        files: list[File] = []
        warnings: list[str] = []
        for target in task.project.targets:
            made, warned = self._target(target, key)
            files += made
            warnings += [f"{target.name}: {warning}" for warning in warned]
        self.unsaved |= building.stages.unsaved
        return Built(
            task,
            spec.level,
            time.perf_counter() - started,
            tuple(files),
            dict(building.inputs),
            {name: layer_report(layer) for name, layer in building.layers.items()},
            tuple(warnings),
            saved=sum(map(len, self.unsaved.values())),
        )

    def _target(self, target: ProjectTarget, level_key: str | None) -> tuple[list[File], list[str]]:
        """Return a target's files and what could not be made, from the cache where it knows."""
        key = None
        if level_key is not None:
            place = (target.name, target.engine, repr(target.options))
            key = stage_key("target", self.task.identity, *place, level_key)
            known = self._known_target(key, target.name)
            if known is not None:
                return known
        files, warnings = self._make_target(target)
        if key is not None:
            self._remember_target(key, files, warnings)
        return files, warnings

    def _make_target(self, target: ProjectTarget) -> tuple[list[File], list[str]]:
        from exporter.targets import TARGETS, SharedWork

        assert self.building is not None
        place = posixpath.normpath(target.options.path)
        level = self.building.level()
        self.shared = self.shared or SharedWork()
        engine = TARGETS.get(target.engine)
        try:
            exported = engine.export(level, target.options, place, self.shared)
        except ParameterError as error:
            raise SpecError([target.problem(error.message)]) from None
        files = [
            whole_file(
                posixpath.normpath(f"{place}/{artifact.name}"),
                artifact.kind,
                artifact.layer,
                target.name,
                artifact.data,
                artifact.once,
            )
            for artifact in exported.artifacts
        ]
        return files, list(exported.warnings)

    def _known_target(self, key: str, target: str) -> tuple[list[File], list[str]] | None:
        data = self.cache.load(key)
        if data is None:
            return None
        try:
            document = json.loads(data)
            files = [
                File(path, kind, layer, target, size, digest, None, once)
                for path, kind, layer, size, digest, once in document["files"]
            ]
            return files, list(document["warnings"])
        except (ValueError, KeyError, TypeError):
            return None

    def _remember_target(self, key: str, files: list[File], warnings: list[str]) -> None:
        """Keep every content under its own hash: targets and levels share what is the same."""
        rows = [[f.path, f.kind, f.layer, f.size, f.sha256, f.once] for f in files]
        for file in files:
            assert file.data is not None
            self.unsaved[content_name(file.sha256)] = file.data
        document = {"files": rows, "warnings": warnings}
        self.unsaved[key] = json.dumps(document, separators=(",", ":")).encode()


def content_name(sha256: str) -> str:
    """Return the cache's key for the content of a file."""
    return content_key(b"content " + sha256.encode())


def content_from(cache: Cache, file: File) -> bytes | None:
    """Return the content of a file that was said to lie in the cache."""
    return file.data if file.data is not None else cache.load(content_name(file.sha256))


def peek_name(content: bytes, spec: str) -> str:
    """Return the level's name without checking the whole spec."""
    from exporter.reading.names import default_name

    if b"level" in content:
        from exporter.reading.document import read_document

        with suppress(SpecError):
            data = read_document(content, spec).data
            if isinstance(data, dict) and isinstance(data.get("level"), str):
                return str(data["level"])
    return default_name(spec)


def layer_report(layer: Layer) -> dict[str, Any]:
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
