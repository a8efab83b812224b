"""Write the pack of a spec (many levels in one file) for its targets.

Making a pack takes long, so the cache keeps it under a key of the spec alone, for all targets. The
results of the levels that were tried and built are kept, too: an interrupted pack continues where
it ended, and a pack that leaves out more levels builds only their replacements.
"""

from __future__ import annotations

import json
import posixpath
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.export.tasks import Task
from exporter.model.errors import ParameterError, Problem
from exporter.model.keys import stage_key
from exporter.project.project import SEARCHES_FOLDER
from exporter.store.cache import Cache
from exporter.store.commit_plan import File, whole_file
from exporter.store.searches import SearchLines, remove_searches

if TYPE_CHECKING:
    from exporter.build.build import Build
    from exporter.packs.plan import PackPlan, PackProfile
    from exporter.packs.progress import PackProgress
    from exporter.project.project import ProjectTarget
    from exporter.reading.level_spec import LevelSpec

SUFFIX = ".lvp"
_REPORT_SECONDS = 0.25
# The most bytes of unfinished work that are stored; a large pack may need more.
_KEPT_BYTES = 16 * 1000 * 1000


def makings_of(spec: str) -> str:
    """Return how the file names of unfinished work on a pack begin.

    `spec` is the path of the pack's spec.
    """
    return stage_key("pack", spec)[:16]


def remove_makings(state: Path, specs: Iterable[str]) -> None:
    """Delete unfinished work on packs, except on the packs of `specs`.

    `state` is the project's state folder.
    """
    remove_searches(state / SEARCHES_FOLDER, [makings_of(spec) for spec in specs])


def pack_files(
    task: Task,
    build: Build,
    files: Sequence[File],
    cache: Cache,
    unsaved: dict[str, bytes],
    report: Callable[[str], None],
) -> tuple[list[File], list[Problem]]:
    """Make the pack of a level, once for each target that writes blobs.

    Args:
        task: The task of the level; if its key is empty, the section `pack` is only checked.
        build: The finished build of the level.
        files: The level's other files.
        cache: The cache of packs.
        unsaved: Receives contents to store in the cache, by key.
        report: Called from time to time with a line about the progress.

    Returns:
        The files of the pack, and warnings.

    Raises:
        SpecError: The section `pack` names a metric or a parameter that such levels do not have.
    """
    from exporter.packs.plan import plan_of_spec

    targets = [
        target
        for target in task.project.targets
        if any(file.target == target.name and file.kind == "blob" for file in files)
    ]
    result: list[File] = []
    warnings: dict[str, Problem] = {}
    plan = plan_of_spec(build.spec, task.project.root)
    if not targets:
        message = (
            "the pack is not written, because no target writes blobs of this level (add `blob: "
            "true` to a target)"
        )
        warnings[message] = build.spec.problem(("pack",), message)
    for target in targets if task.key else ():
        profile: PackProfile = "fast" if target.options.blob == "fast" else "small"
        data, missing = _pack(task, build, replace(plan, profile=profile), cache, unsaved, report)
        if missing:
            warnings[missing] = build.spec.problem(("pack",), missing)
        result += _files_of(build, target, data)
    return result, [replace(problem, severity="warning") for problem in warnings.values()]


def _pack(
    task: Task,
    build: Build,
    plan: PackPlan,
    cache: Cache,
    unsaved: dict[str, bytes],
    report: Callable[[str], None],
) -> tuple[bytes, str]:
    """Return a pack's bytes, and a text about levels missing in it, or "".

    The pack is taken from the cache, or made now. `unsaved` receives contents to store in the
    cache, `report` is called with a line about the progress.
    """
    from exporter.explore.finding import seconds_of_each
    from exporter.explore.judging import sensible_jobs
    from exporter.explore.writing import named_files
    from exporter.packs.making import make_pack

    spec = build.spec
    hashes = []
    for name in named_files(spec, plan.search.varied):
        try:
            hashes.append(build.files.digest(name))
        except ParameterError:
            hashes.append("")  # reported by the first level that reads it
    key = stage_key(task.identity, "pack", spec.level, spec.document.text, plan.profile, *hashes)
    journal = stage_key(task.identity, "pack", spec.level, _text(spec), plan.profile, *hashes)
    known = unsaved.get(key) or (cache.load(key) if task.identity else None)
    if known is not None:
        warning, _, data = known.partition(b"\n")
        return data, warning.decode()
    began = last = time.perf_counter()

    def progress(state: PackProgress) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - last >= _REPORT_SECONDS:
            last = now
            report(state.text(now - began))

    folder = None if task.dry else task.project.state / SEARCHES_FOLDER
    lines = [
        SearchLines(f"{makings_of(task.spec)}-{journal}-{name}", folder, _KEPT_BYTES)
        for name in ("judged", "built")
    ]
    judged, built = (None, None) if task.dry else lines
    jobs = sensible_jobs(plan.search.budget, seconds_of_each(plan.search), None)
    if task.jobs is not None:
        jobs = min(jobs, task.jobs)
    pack = make_pack(plan, jobs, judged=judged, built=built, progress=progress)
    missing = pack.missing()
    unsaved[key] = missing.encode() + b"\n" + pack.data
    return pack.data, missing


def _text(spec: LevelSpec) -> str:
    """Return the values of `spec` as a text, without the pack's key `without`.

    That key leaves out levels: the levels tried before stay valid if it changes.
    """
    values = dict(spec.document.data)
    values["pack"] = {
        name: value for name, value in (values["pack"] or {}).items() if name != "without"
    }
    return json.dumps(values, default=str)


def _files_of(build: Build, target: ProjectTarget, data: bytes) -> list[File]:
    """Return the pack `data` as a file for `target`, with its import settings."""
    from exporter.formats import Artifact
    from exporter.targets import TARGETS, SharedWork

    home = posixpath.normpath(target.options.path)
    pack = Artifact(f"{build.spec.level}{SUFFIX}", "pack", data)
    level, _ = build.level()
    engine = TARGETS.get(target.engine)
    settings = engine.settings(pack, level.exported(), target.options, home, SharedWork())
    return [
        whole_file(
            posixpath.normpath(f"{home}/{item.name}"),
            item.kind,
            item.layer,
            target.name,
            item.data,
            item.once,
            home,
        )
        for item in (*settings, pack)
    ]
