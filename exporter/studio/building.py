"""Build the level that a page shows, in a builder process.

`build_displayed` turns the text of a draft into the message for the page; `Memory` keeps the
results of stages between builds, so that a change repeats only the stages it affects. Nothing is
written to disk.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from math import prod
from typing import TYPE_CHECKING

from exporter.build.build import Build
from exporter.build.costs import check_costs
from exporter.export.stage_clock import StageClock
from exporter.model.errors import ExporterError, Problem, SpecError
from exporter.reading.reader import parse_level, with_edits
from exporter.studio.display import level_message
from exporter.studio.generated_level import edit_facts, edited_cells, ground_of
from exporter.studio.object_legend import legend_of
from exporter.studio.problems import problems_fields
from exporter.studio.tasks import BuildTask, DraftKey, TaskReply

if TYPE_CHECKING:
    from exporter.reading.level_spec import LevelSpec
    from exporter.studio.worlds import ShownWorld

# Limit for all kept results of stages together; the oldest are dropped first.
MEMORY_BYTES = 256 << 20
# A world of up to so many cells is built at once and can be drawn on, like any level; a larger one
# is shown in windows.
_BUILT_AT_ONCE = 1 << 20


class Memory:
    """A cache of the results of build stages by key, limited in bytes.

    The least recently used results are dropped first.
    """

    def __init__(self, most: int = MEMORY_BYTES) -> None:
        self._most = most
        self._size = 0
        # The last build, for overlays, with its draft and its area.
        self.latest: tuple[tuple[object, ...], Build] | None = None
        # The last world that was shown, with its draft.
        self._world: tuple[DraftKey, ShownWorld] | None = None
        self._blobs: OrderedDict[str, bytes] = OrderedDict()

    def world(self, task: BuildTask, spec: LevelSpec) -> ShownWorld:
        """Return the world of `task`, which is too large to build at once.

        The world is kept until the draft, or a file that the world was read from, changes. `spec`
        is the checked spec of the draft.
        """
        kept = self._world
        if kept is None or kept[0] != task.draft or not kept[1].is_current:
            from exporter.studio.worlds import ShownWorld

            self._world = None
            kept = self._world = task.draft, ShownWorld(spec, task.root)
        return kept[1]

    def load(self, key: str) -> bytes | None:
        """Return the result cached under `key`; None without one."""
        data = self._blobs.get(key)
        if data is not None:
            self._blobs.move_to_end(key)
        return data

    def save(self, key: str, data: bytes) -> None:
        """Cache `data` as the result under `key`, unless it is too large."""
        before = self._blobs.pop(key, None)
        if before is not None:
            self._size -= len(before)
        if len(data) > self._most:
            return
        self._blobs[key] = data
        self._size += len(data)
        while self._size > self._most:
            _, oldest = self._blobs.popitem(last=False)
            self._size -= len(oldest)


def spec_of(task: BuildTask) -> LevelSpec:
    """Return the checked spec of a task's draft, with its hand edits.

    Raises:
        SpecError: The draft has faults.
    """
    return with_edits(parse_level(task.content, task.file, task.folder), task.edits)


def is_shown_in_windows(spec: LevelSpec) -> bool:
    """Return whether a level is so large that the page shows windows of it."""
    return spec.chunk is not None and prod(spec.size) > _BUILT_AT_ONCE


def build_of(task: BuildTask, memory: Memory) -> Build:
    """Return the finished build of a task's draft.

    If the last build in `memory` had the same draft and the same window, that build is returned
    again.

    Raises:
        ExporterError: The level cannot be built.
    """
    if memory.latest is None or memory.latest[0] != (*task.draft, task.area):
        memory.latest = None
        displayed = build_displayed(task, memory)
        if memory.latest is None:
            raise ExporterError(f"the level cannot be built: {displayed.problems[0].message}")
    return memory.latest[1]


def build_displayed(task: BuildTask, memory: Memory) -> TaskReply:
    """Build the draft of `task`, and return the message that shows its level.

    A level that breaks a limit of its spec is shown with the problem. If a level cannot be built,
    the reply has only the problems. Results of stages are read from `memory`, and kept in it.
    """
    clock = StageClock()
    files: list[str] = []
    try:
        with clock("read"):
            spec = spec_of(task)
        pinned = task.pinned if spec.search is not None else None
        if pinned is not None:
            spec = spec.with_seed(pinned)
        world = memory.world(task, spec) if is_shown_in_windows(spec) else None
        warnings = world.warnings if world is not None else check_costs(spec, task.max_seconds)
    except SpecError as error:
        return TaskReply(problems=error.problems, files=error.files)
    failures: tuple[Problem, ...] = ()
    for expected in (spec, spec.without_limits()):
        build = Build(expected, task.root, cache=memory, track=clock)
        read = build.files if world is None else world.files
        try:
            if world is not None:
                build, complete = world.build(task.area, memory, clock)
            level, _ = build.level()
        except SpecError as error:
            files = [*read.hashes]
            failures = failures or error.problems
            continue
        except ExporterError as error:
            return TaskReply(problems=(Problem(str(error), task.file),), files=(*read.hashes,))
        for key, data in build.stages.unsaved.items():
            memory.save(key, data)
        result = build.seed_result.seed if build.seed_result else pinned
        memory.latest = (*task.draft, task.area), build
        with clock("show"):
            facts = {
                **task.facts,
                "seedResult": result,
                "pinned": pinned is not None,
                "problems": problems_fields(failures),
            }
            reported = [*warnings, *build.shortfalls()]
            facts["edits"] = edit_facts(build)
            facts["legend"] = legend_of(build)
            if world is not None:
                facts["world"] = world.facts(build, complete)
            edited = edited_cells(build, level)
            message = level_message(level, reported, dict(clock.timings()), facts, edited)
        # Edits are places in the world, and a window does not know them.
        ground = pickle.dumps(ground_of(build, level)) if world is None else b""
        return TaskReply(message, failures, (*read.hashes,), ground, result)
    return TaskReply(problems=failures, files=tuple(files))
