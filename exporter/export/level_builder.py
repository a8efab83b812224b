"""Build a level, or a chunk of a world, and its files for all targets.

A worker process runs this. Its input is a task; its output is complete files, or the problems that
prevented them. Only the cache is written.
"""

from __future__ import annotations

import json
import math
import posixpath
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from exporter.export.layer_reports import layer_report
from exporter.export.stage_clock import StageClock
from exporter.export.target_files import BuildResult, Warned, target_files, warned
from exporter.export.tasks import (
    BuildStep,
    Task,
    TaskResult,
    WorldFindings,
    content_name,
    peek_name,
    took_too_long,
    unforeseen,
)
from exporter.model.errors import ExporterError, Problem, SpecError
from exporter.model.keys import value_key
from exporter.project.project import ProjectTarget, display_path
from exporter.reading.names import edits_file
from exporter.store.cache import Cache
from exporter.store.commit_plan import File
from exporter.store.contents import digest_of

if TYPE_CHECKING:
    from pathlib import Path

    from exporter.build.build import Build
    from exporter.build.inputs import Inputs
    from exporter.build.world import World
    from exporter.export.world_units import UnitOutput
    from exporter.reading.level_spec import LevelSpec
    from exporter.targets import SharedWork

# A quicker level is built in this process, because starting another takes half a second.
_QUICK_SECONDS = 2.0
# The rough time that a target needs for each cell of each layer.
_TARGET_SECONDS_A_CELL = 1e-6


def build_files(
    task: Task, max_seconds: float | None = None, on_stage: Callable[[str], None] | None = None
) -> TaskResult:
    """Build the level of `task` and its files, and write results to the cache.

    Problems are in the result, not raised.

    Args:
        task: What to build.
        max_seconds: Time limit: a level with a higher estimate is refused, and a build that exceeds
            it ends before its next step; None for no limit.
        on_stage: Called with the name of each new stage; with an empty text at the end.
    """
    builder = LevelBuilder(task, max_seconds, on_stage=on_stage)
    built = builder.run()
    builder.save()
    return built


def is_quick(task: Task) -> bool:
    """Return whether building the level of `task` takes only seconds.

    Code of other packages counts as slow, because its cost is unknown; a wrong spec counts as
    quick.
    """
    from exporter.build.costs import estimated_costs, runs_code_of_others
    from exporter.targets import TARGETS

    try:
        spec = _spec_of(task.content, task.project.root / task.spec)
        estimated = sum(estimated_cost.seconds for estimated_cost in estimated_costs(spec))
    except Exception:
        return True  # the build fails at once, and reports it
    engines = [target.engine for target in task.project.targets]
    if runs_code_of_others(spec) or any(TARGETS.origin(engine) for engine in engines):
        return False
    sizes = [layer.options.size or spec.size for layer in spec.layers.values()]
    cells = sum(width * height for width, height in sizes)
    written = cells * len(task.project.targets) * _TARGET_SECONDS_A_CELL
    return written + estimated <= _QUICK_SECONDS


@lru_cache(maxsize=1)  # read to estimate its cost, then to build it
def _spec_of(content: bytes, path: Path) -> LevelSpec:
    """Parse the spec in `content`, the text of the file `path`.

    Raises:
        SpecError: The spec has problems; the error lists all.
    """
    from exporter.reading.reader import parse_level

    return parse_level(content, display_path(path), path.parent)


class LevelBuilder:
    """Builds the level of one task, and its files.

    Args:
        task: What to build.
        max_seconds: Time limit: a level with a higher estimate is refused, and a build that exceeds
            it ends before its next step; None for no limit.
        on_step: Called before every step, with its name and its line in the spec.
        on_stage: Called with the name of each new stage; with an empty text at the end.
    """

    def __init__(
        self,
        task: Task,
        max_seconds: float | None = None,
        on_step: Callable[[BuildStep], None] | None = None,
        on_stage: Callable[[str], None] | None = None,
    ) -> None:
        self.task = task
        self.clock = StageClock(on_stage)
        self.max_seconds = max_seconds
        self.on_step = on_step
        self.step: BuildStep | None = None
        self.started = time.perf_counter()
        self.cache = Cache(task.project.state, forgetful=task.fresh)
        self.unsaved: dict[str, bytes] = {}
        self.build: Build | None = None
        # Values that are computed once for all targets of the level.
        self.shared: SharedWork | None = None
        # The file with the hand edits and its hash, if there is one.
        self.edits_read: dict[str, str] = {}

    def run(self) -> TaskResult:
        """Build the level and its files; problems are in the result, not raised."""
        started = self.started = time.perf_counter()
        task = self.task
        name = peek_name(task.content, task.spec)
        problems: tuple[Problem, ...]
        text = ""
        try:
            return self._build(started)
        except SpecError as error:
            problems = error.problems
        except ExporterError as error:
            problems = (Problem(str(error), display_path(task.project.root / task.spec)),)
        except Exception as error:
            problem, text = unforeseen(error, task.project.root / task.spec)
            problems = (problem,)
        inputs = dict(self.build.files.hashes) if self.build is not None else {}
        inputs = {**self.edits_read, **inputs}
        seconds = time.perf_counter() - started
        return TaskResult(
            task,
            name,
            seconds,
            inputs=inputs,
            problems=problems,
            traceback=text,
            timings=self.clock.timings(),
        )

    def save(self) -> None:
        """Write the results of the build's stages to the cache.

        The cache spares the next build the stages whose inputs are the same.
        """
        if self.task.dry:
            return
        self.cache.save_all(self.unsaved)
        self.unsaved = {}

    def _build(self, started: float) -> TaskResult:
        task = self.task
        path = task.project.root / task.spec
        with self.clock("read"):  # imports for the first level count, too
            from exporter.build.build import Build
            from exporter.build.costs import check_costs
            from exporter.export.circles import check_no_circle
            from exporter.reading.reader import read_edits, with_edits

            try:
                edits = read_edits(path)
            except SpecError:
                self.edits_read = {edits_file(task.spec): ""}
                raise
            if edits is not None:
                self.edits_read = {edits_file(task.spec): digest_of(edits)}
            spec = with_edits(_spec_of(task.content, path), edits)
        if spec.chunk is not None:
            return self._build_unit(spec, started)
        limit = self.max_seconds if self.max_seconds is not None else math.inf
        warnings = list(check_costs(spec, limit))
        begin = partial(self._begin, spec)
        cache = self.cache if task.identity else None
        build = Build(spec, task.project.root, cache, task.identity, begin, self.clock)
        self.build = build
        build.prepare()
        warnings += build.shortfalls()
        files: list[File] = []
        for target in task.project.targets:
            self._begin(spec, f"the files for {target.name}", ())
            result, warned = self._target(build, target)
            files += result
            warnings += [self._locate_warning(spec, target, *warning) for warning in warned]
        if spec.pack is not None:
            self._begin(spec, "the pack", ("pack",))
            from exporter.export.packs import pack_files

            with self.clock("pack"):
                packs, problems = pack_files(
                    task, build, files, self.cache, self.unsaved, self.clock.report
                )
            files += packs
            warnings += problems
        check_no_circle(spec, task.spec, build.files.hashes, [file.path for file in files])
        warnings += _check_budget(spec, files)
        self.unsaved |= build.stages.unsaved
        return TaskResult(
            task,
            spec.level,
            time.perf_counter() - started,
            tuple(files),
            dict(build.files.hashes),
            {name: layer_report(layer) for name, layer in build.layers.items()},
            tuple(warnings),
            {name: count.report() for name, count in build.object_counts().items()},
            saved=sum(map(len, self.unsaved.values())),
            timings=self.clock.timings(),
            seed=build.seed_result.seed if build.seed_result is not None else None,
        )

    def _build_unit(self, spec: LevelSpec, started: float) -> TaskResult:
        from exporter.build.world import World
        from exporter.export.world_units import memory_used

        world = World(spec, self.task.project.root)
        unit = self.task.unit
        kind = "plan" if unit is None else unit.kind
        self._begin(spec, f"the world's {kind}", ())
        with self.clock(kind):
            done = self._unit_done(world)
        return TaskResult(
            self.task,
            spec.level,
            time.perf_counter() - started,
            done.files,
            # Without an edits file, record its absence: a new one makes chunks stale.
            {edits_file(self.task.spec): "", **self.edits_read, **world.files.hashes},
            dict(done.layers),
            (
                *done.problems,
                *(
                    self._locate_warning(spec, target, *warned(item))
                    for target, item in done.warnings
                ),
            ),
            dict(done.objects),
            saved=sum(map(len, self.unsaved.values())),
            timings=self.clock.timings(),
            findings=replace(done.findings, memory=memory_used()),
        )

    def _unit_done(self, world: World) -> UnitOutput:
        from exporter.export.world_units import UnitOutput, make_files, plan_world, survey_row

        task = self.task
        if task.unit is None:
            return plan_world(world, task.project)
        if task.unit.kind == "survey":
            done, key, data = survey_row(world, task.unit, task.identity, self.cache)
            if key:
                self.unsaved[key] = data
            return done
        if task.unit.kind == "settle":
            unit = task.unit
            settled = world.settle(unit.survey, unit.findings, unit.known)
            left = world.unsettled(unit.survey, settled)
            return UnitOutput(WorldFindings(surveyed=settled, unsettled=left))
        if task.unit.kind == "common":
            world.check(task.unit.known)
            reported = tuple(world.edit_warnings(task.unit.known))
            return UnitOutput(
                WorldFindings(grounds=world.grounds(task.unit.known)), problems=reported
            )
        return make_files(world, task.unit, task.project)

    def _locate_warning(
        self,
        spec: LevelSpec,
        target: ProjectTarget,
        message: str,
        in_spec: bool,
        path: tuple[str | int, ...] | None,
    ) -> Problem:
        """Turn a target's warning into a problem with a file and a line.

        `path` leads to a key of the spec if `in_spec` is true, else to a key of the target in
        exporter.yaml; None for a warning without a line.
        """
        text = f"{target.name}: {message}"
        if path is None:
            problem = Problem(text, spec.document.file)
        elif in_spec:
            problem = spec.problem(path, text)
        else:
            problem = target.problem(text, path)
        return replace(problem, severity="warning")

    def _begin(self, spec: LevelSpec, what: str, path: tuple[str | int, ...]) -> None:
        """Begin the step `what` of the build, which works on `path` in the spec.

        Raises:
            SpecError: The time limit was exceeded in the step before.
        """
        late = self.max_seconds is not None and (
            time.perf_counter() - self.started > self.max_seconds
        )
        if late and self.step is not None and self.max_seconds is not None:
            raise SpecError([took_too_long(self.step, self.max_seconds)])
        self.step = BuildStep(what, spec.problem(path, ""))
        if self.on_step is not None:
            self.on_step(self.step)

    def _target(self, build: Build, target: ProjectTarget) -> BuildResult:
        """Return the files and warnings of `target`, from the cache if possible."""
        from exporter.build.stages import Stage

        stage: Stage[BuildResult] = Stage(
            ("target", value_key(target)),
            partial(self._make_target, target),
            self._encode_target,
            partial(_decode_target, target),
            f"target {target.name}",
        )
        result, _ = build.stages.run(stage)
        return result

    def _make_target(self, target: ProjectTarget, inputs: Inputs) -> BuildResult:
        from exporter.targets import SharedWork

        self.shared = self.shared or SharedWork()
        level = inputs.level()
        return target_files(self.task.project.root, target, level, inputs, self.shared)

    def _encode_target(self, result: BuildResult) -> bytes:
        """Encode a target's files and warnings for the cache.

        Contents of files are cached under their own hashes, so that the exported version of a
        painted map can be found.
        """
        files, warnings = result
        rows = [[f.path, f.kind, f.layer, f.size, f.sha256, f.once] for f in files]
        for file in files:
            assert file.data is not None
            self.unsaved[content_name(file.sha256)] = file.data
        document = {"files": rows, "warnings": warnings}
        return json.dumps(document, separators=(",", ":")).encode()


def _check_budget(spec: LevelSpec, files: Sequence[File]) -> list[Problem]:
    """Raise an error if a level's `files` are larger than its `budget` allows.

    `budget` is a section of the spec. Return a warning if no file shows the size of the blob.

    Raises:
        SpecError: The files are larger than the budget allows.
    """
    from exporter.build.requirements import broken_budget

    if spec.budget is None:
        return []
    blobs = [file.size for file in files if file.kind == "blob"]
    broken = broken_budget(spec.budget, blobs, sum(file.size for file in files))
    if broken:
        raise SpecError([spec.problem(("budget", key), text) for key, text in broken.items()])
    if spec.budget.blob is None or blobs:
        return []
    message = (
        "the blob's size is not checked, because no target writes one (leave out `blob`, or add "
        "`blob: true` to a target)"
    )
    return [spec.document.problem(("budget", "blob"), message, severity="warning")]


def _decode_target(target: ProjectTarget, data: bytes) -> BuildResult:
    document = json.loads(data)
    home = posixpath.normpath(target.options.path)
    files = [
        File(path, kind, layer, target.name, size, digest, None, once, home)
        for path, kind, layer, size, digest, once in document["files"]
    ]
    warnings: list[Warned] = [
        (message, in_spec, None if path is None else tuple(path))
        for message, in_spec, path in document["warnings"]
    ]
    return files, warnings
