"""Build levels in a worker process until the process that started it ends."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from exporter.export.level_builder import LevelBuilder
from exporter.export.plain_warnings import plain_warnings
from exporter.export.tasks import Task, TaskResult
from exporter.model.lazy_dataclass import dataclass

# Modules that the fork server imports once, for all workers.
_PRELOADED = [
    "exporter.blob",
    "exporter.build.build",
    "exporter.build.costs",
    "exporter.generators.cellular_caves",
    "exporter.reading.reader",
    "exporter.visibility.table",
    "exporter.export.circles",
    "exporter.export.game_folder",
    "exporter.export.worker_process",
]
_WARM_SPEC = b"""
size: [16, 16]
layers: {ground: {generator: cellular_caves}}
visibility: {radius: 8}
"""

Builder = Callable[[Task], TaskResult]


@dataclass(frozen=True, slots=True)
class StageBegun:
    """A message from a worker process: its build has begun `stage`."""

    stage: str


def process_context() -> Any:
    """Return the `multiprocessing` context by which workers are started.

    It uses a fork server if the system has one; else it spawns.
    """
    methods = multiprocessing.get_all_start_methods()
    if "forkserver" not in methods:
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    from exporter.targets import TARGETS

    targets = [f"{TARGETS.package}.{name}" for name in TARGETS.built_in()]
    context.set_forkserver_preload([*_PRELOADED, *targets])
    return context


def work(connection: Connection, builder: Builder | None, timeout: float | None) -> None:
    """Build the tasks that arrive on `connection`, until it is closed.

    Args:
        connection: The connection to the process that started this one.
        builder: The function that builds a task; None for the exporter's own.
        timeout: Seconds after which a build ends before its next step; None for no limit.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_owner, daemon=True).start()

    def report_stage(stage: str) -> None:
        if stage:  # the end is reported with the result
            connection.send(StageBegun(stage))

    if builder is None:
        with contextlib.suppress(Exception):
            _warm()
        # Hide imports and tables from the garbage collector, which takes a tenth of a build.
        gc.freeze()
    with contextlib.suppress(EOFError, OSError), plain_warnings():
        connection.send(None)
        while True:
            task = connection.recv()
            if builder is not None:
                connection.send(builder(task))
                continue
            build = LevelBuilder(task, timeout, connection.send, report_stage)
            connection.send(build.run())
            build.save()
            del build, task


def _end_with_owner() -> None:
    owner = multiprocessing.parent_process()
    if owner is not None:
        owner.join()
        os._exit(1)


def _warm() -> None:
    """Do slow work before the first task: import modules, fill caches."""
    from exporter.build.build import build_level
    from exporter.reading.reader import parse_level
    from exporter.targets import TARGETS

    level = build_level(parse_level(_WARM_SPEC, "warm.level.yaml"))
    for name in TARGETS.built_in():
        target = TARGETS.get(name)
        target.export(level, target.options(path="warm"), "warm")
