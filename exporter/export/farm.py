"""Choose where levels are built: here, in a store, or on a cluster."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from exporter.export.settings import Settings
from exporter.export.tasks import Task, TaskResult
from exporter.store.commit_plan import File

if TYPE_CHECKING:
    from exporter.export.workers import OnStage

# Tasks of worlds that wait beside the running ones.
_WAITING_TASKS = 2


class Farm(AbstractContextManager["Farm"]):
    """Builds the levels of one export here, without any store.

    Args:
        settings: How to export.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def __exit__(self, *_: object) -> None:
        """End all that works for the farm."""

    def built(self, tasks: deque[Task], on_stage: OnStage) -> Iterator[list[TaskResult]]:
        """Yield levels in groups as they are found or built.

        Args:
            tasks: The levels; the caller may add more after each group. Empty at the end.
            on_stage: Called with the stage of each build.

        Raises:
            FarmError: The store or the cluster cannot be used any more.
        """
        if not tasks:
            return iter(())
        # Imported here: an export without stale levels starts no processes.
        from exporter.export.workers import build_all

        return build_all(tasks, self.settings.jobs, self.settings.max_seconds, on_stage)

    @property
    def tasks_at_once(self) -> int:
        """Return how many tasks of a world keep every worker busy."""
        return tasks_at_once()

    def content(self, file: File) -> bytes | None:
        """Return the content of a file elsewhere; None if it is missing."""
        return None

    def save(self, built: TaskResult) -> None:
        """Keep a level that was built for others."""

    def finish(self) -> None:
        """Wait until all is kept.

        Raises:
            FarmError: The store took not all of it.
        """


def tasks_at_once() -> int:
    """Return how many tasks of a world keep this machine's processes busy."""
    return (os.cpu_count() or 1) + _WAITING_TASKS
