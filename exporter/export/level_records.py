"""Encode results of builds for shared stores and other machines.

The result of a level, or of one unit of work on a world, is encoded as a record: JSON that is the
same on every machine, without times or absolute paths. The contents of files are stored separately,
under their hashes.
"""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from exporter.export.events import is_complete
from exporter.export.tasks import Task, TaskResult, WorldFindings, WorldUnit
from exporter.model.errors import FarmError, Problem
from exporter.model.keys import stage_key
from exporter.model.texts import NOT_TEXT
from exporter.project.games import game_around
from exporter.project.project import Project, display_path
from exporter.store.code_identity import portable_identity
from exporter.store.commit_plan import File
from exporter.store.contents import digest_of
from exporter.store.indexes import is_digest
from exporter.targets import TARGETS

# Part of every key, so that exporters with another form of records use other keys.
FORM = "level record 1"
# A record lists files and reports; it holds no cells.
MAXIMUM_BYTES = 64 << 20
_LONGEST_DETAIL = 200


def record_key(task: Task, games: Mapping[str, str | None]) -> str:
    """Return the key under which a shared store keeps the result of a level.

    The key is the same on all machines, and changes with the spec and the code. `games` has the
    folder of each target's game project, by target name.
    """
    result = json.dumps(dict(sorted(games.items())))
    identity, fingerprint = portable_identity(), task.project.fingerprint
    return stage_key(FORM, identity, fingerprint, result, task.spec, digest_of(task.content))


def unit_key(task: Task, games: Mapping[str, str | None]) -> str:
    """Return the key under which a shared store keeps a world unit's result.

    A unit is one unit of work on a world, such as a chunk. The key is the same on all machines, and
    changes with the survey results on which the unit depends, so that a faulty survey is never
    reused unnoticed. `games` has the folder of each target's game project, by target name.
    """
    from exporter.build.world_surveys import encode_surveyed

    unit = task.unit
    assert unit is not None
    grounds = {layer: sorted(result.items()) for layer, result in sorted(unit.grounds.items())}
    position = json.dumps([unit.kind, unit.column, unit.row, unit.survey, grounds])
    known = digest_of(encode_surveyed(unit.known))
    return stage_key("world unit 1", record_key(task, games), position, known)


def games_of(project: Project) -> dict[str, str | None]:
    """Return the folder of each target's game project, by target name.

    None if a target's folder is in no game project. Keys of results include these folders, because
    they decide which files a build reads.
    """
    return {
        target.name: game_around(project.root, target.options.path, TARGETS.get(target.engine))
        for target in project.targets
    }


def encode_level(built: TaskResult) -> bytes:
    """Encode the result of a level or of a world's unit as a record.

    A record is JSON without times, absolute paths and the contents of files.
    """
    root = built.task.project.root
    document: dict[str, Any] = {
        "level": built.level,
        "files": [
            [f.path, f.kind, f.layer, f.target, f.size, f.sha256, f.once] for f in built.files
        ],
        "inputs": dict(sorted(built.inputs.items())),
        "layers": built.layers,
        "objects": built.objects,
        "seed": built.seed,
        "warnings": [problem_row(warning, root) for warning in built.warnings],
    }
    if built.findings is not None:
        from exporter.build.world_surveys import encode_surveyed

        document["surveyed"] = encode_surveyed(built.findings.surveyed).decode()
    return json.dumps(document, separators=(",", ":")).encode()


def decode_level(record: bytes, task: Task) -> TaskResult:
    """Decode a record into the result of `task`; its files have no contents.

    Raises:
        FarmError: The record is malformed, or belongs to another project.
    """
    try:
        if len(record) > MAXIMUM_BYTES:
            raise ValueError("the record is too large")
        document = json.loads(record)
        # No result has infinities, or texts that UTF-8 cannot hold.
        json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
        inputs = dict(document["inputs"])
        if not all(isinstance(item, str) and isinstance(d, str) for item, d in inputs.items()):
            raise ValueError("inputs")
        if not isinstance(document["level"], str):
            raise ValueError("level")
        files = tuple(_file(row, task.project) for row in document["files"])
        if len({file.path for file in files}) != len(files):
            raise ValueError("the record lists the same file twice")
        layers, objects = dict(document["layers"]), dict(document["objects"])
        if not all(isinstance(report, dict) for report in (*layers.values(), *objects.values())):
            raise ValueError("reports")
        is_complete(layers, {})
        is_complete({}, objects)
        return TaskResult(
            task,
            document["level"],
            0.0,
            files,
            inputs,
            layers,
            tuple(problem_of(row, task.project.root) for row in document["warnings"]),
            objects,
            seed=document["seed"],
            findings=_findings_of(document, task.unit) if task.unit is not None else None,
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        detail = str(error)[:_LONGEST_DETAIL]
        message = f"the record of {task.spec} in the store is from another exporter ({detail})"
        raise FarmError(message) from None


def _findings_of(document: Mapping[str, Any], unit: WorldUnit) -> WorldFindings:
    from exporter.build.world_surveys import check_surveyed, decode_surveyed

    surveyed = decode_surveyed(document["surveyed"].encode())
    check_surveyed(surveyed, unit.survey)
    return WorldFindings(surveyed=surveyed)


def problem_row(problem: Problem, root: Path) -> list[Any]:
    """Return `problem` as plain data, with its path made relative to `root`."""
    file = Path(os.path.relpath(problem.file, root)).as_posix()
    position = [problem.line, problem.column, problem.source, problem.length, problem.severity]
    return [problem.message, file, *position]


def problem_of(row: list[Any], root: Path) -> Problem:
    """Return the problem that `problem_row` encoded, with its path in `root`."""
    message, file, line, column, source, length, severity = row
    if severity not in ("error", "warning"):
        raise ValueError("severity")
    return Problem(
        str(message),
        display_path(root / file),
        int(line),
        int(column),
        str(source),
        int(length),
        severity,
    )


def project_at(project: Project, root: Path) -> Project:
    """Return `project` with its folder replaced by `root`.

    A worker on another machine builds in such a temporary folder.
    """
    from exporter.project.project import FILE_NAME

    file = display_path(root / FILE_NAME)
    targets = tuple(
        replace(
            target,
            at=replace(target.at, file=file),
            places={path: replace(item, file=file) for path, item in target.places.items()},
        )
        for target in project.targets
    )
    return replace(project, root=root, targets=targets)


def _file(row: list[Any], project: Project) -> File:
    """Return the file that `row` of a record describes, without content.

    Raises:
        ValueError: The row is malformed, or the file is not in the folder of its target.
    """
    path, kind, layer, name, size, sha256, once = row
    homes = {target.name: posixpath.normpath(target.options.path) for target in project.targets}
    home = homes[name]
    inside = home == "." or path.startswith(f"{home}/")
    if not inside or posixpath.normpath(path) != path or path.startswith("/"):
        raise ValueError(f"{path!r} is not inside {home!r}")
    if home == "." and path.startswith(".."):
        raise ValueError(f"{path!r} is outside the project")
    if "\n" in path or NOT_TEXT.search(path):
        raise ValueError(f"{path!r} is not a relative path of normal names")
    if not is_digest(sha256) or not isinstance(size, int) or not isinstance(once, bool):
        raise ValueError(f"{path!r} has no valid file record")
    if layer is not None and not isinstance(layer, str):
        raise ValueError(f"{path!r} has no valid layer record")
    return File(path, str(kind), layer, name, size, sha256, None, once, home)
