"""Functions that build levels in a worker process, and misbehave as a test needs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from exporter.export.level_builder import build_files
from exporter.export.tasks import Task, TaskResult

KILLED, ENDING, HANGING = 66, 65, 77
# A worker imports this module when it starts, before it gets a task.
_AT_START = set(sys.modules)


def odd(task: Task) -> TaskResult:
    """Build a level, unless its seed gives the worker's fate."""
    if b"seed: %d" % KILLED in task.content:
        os.abort()
    if b"seed: %d" % ENDING in task.content:
        os._exit(3)
    if b"seed: %d" % HANGING in task.content:
        time.sleep(3600)
    return replace(build_files(task), traceback=str(os.getpid()))


def imports(task: Task) -> TaskResult:
    """Build a level, and name in its traceback the modules of ours that were imported for it."""
    built = build_files(task)
    new = sorted(name for name in set(sys.modules) - _AT_START if name.startswith("exporter"))
    return replace(built, traceback=" ".join(new))


class DyingFirst:
    """A builder with which a worker ends before it is ready, while a folder has files.

    Each of them is for one worker.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Callable[[Path], Any], tuple[Path]]:
        return _odd_or_end, (self.folder,)

    def __call__(self, task: Task) -> TaskResult:
        raise AssertionError("in a worker it is one of the builders below")


def _odd_or_end(folder: Path) -> Callable[[Task], TaskResult]:
    for path in folder.iterdir():
        path.unlink()
        os._exit(3)
    return odd
