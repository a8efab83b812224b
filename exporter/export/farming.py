"""Where the levels of an export come from: built here, unless a store or a cluster is named."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from exporter.export.job import BuiltLevel, Job
from exporter.export.settings import Settings
from exporter.store.commit_plan import File

if TYPE_CHECKING:
    from exporter.export.workers import OnStage

# Units of worlds that wait beside those that are being done.
_WAITING_UNITS = 2


class Farm(AbstractContextManager["Farm"]):
    """Builds the levels of one export here, without any store.

    Args:
        settings: How to export.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def __exit__(self, *_: object) -> None:
        """End all that works for the farm."""

    def built(self, jobs: deque[Job], on_stage: OnStage) -> Iterator[list[BuiltLevel]]:
        """Yield levels as they are found or built, in groups.

        Args:
            jobs: The levels; whoever takes a finished one may add more. It is empty in the end.
            on_stage: Is told what the builds are at.

        Raises:
            FarmError: The store or the cluster cannot be used any more.
        """
        if not jobs:
            return iter(())
        # Imported here: an export with nothing to do starts no processes.
        from exporter.export.workers import build_all

        return build_all(jobs, self.settings.jobs, self.settings.max_seconds, on_stage)

    @property
    def units_at_once(self) -> int:
        """How many units of a world are given out at the same time, so that nobody has to wait."""
        return (os.cpu_count() or 1) + _WAITING_UNITS

    def content(self, file: File) -> bytes | None:
        """Return the content of a file that lies elsewhere; None if it is not there."""
        return None

    def save(self, built: BuiltLevel) -> None:
        """Keep a level that was built for others."""

    def finish(self) -> None:
        """Wait until all is kept.

        Raises:
            FarmError: The store took not all of it.
        """
