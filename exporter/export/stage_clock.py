"""Measure the time of build stages, and report the current one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

# Seconds of each stage, in the order in which they began.
Timings = tuple[tuple[str, float], ...]


class StageClock:
    """Measures how long the stages of a build take; stages may be nested.

    Time in a nested stage counts only for this inner stage, so that the sum over all stages is the
    time of the build.

    Args:
        on_stage: Called with the name of the stage whenever it changes; with an empty name after
            the last.
    """

    def __init__(self, on_stage: Callable[[str], None] | None = None) -> None:
        self._on_stage = on_stage
        self._running: list[str] = []
        self._seconds: dict[str, float] = {}
        self._since = perf_counter()

    @contextmanager
    def __call__(self, label: str) -> Iterator[None]:
        """Count the time of a `with` block as time of stage `label`."""
        self._count()
        self._seconds.setdefault(label, 0.0)
        self._running.append(label)
        self._report_stage()
        try:
            yield
        finally:
            self._count()
            self._running.pop()
            self._report_stage()

    def report(self, progress: str) -> None:
        """Report the current stage again, with a text about its progress."""
        if self._on_stage is not None and self._running:
            self._on_stage(f"{self._running[-1]}: {progress}")

    def timings(self) -> Timings:
        """Return the stages so far, each with its seconds, in order."""
        self._count()
        return tuple(self._seconds.items())

    def _count(self) -> None:
        """Add the time since the last call to the innermost stage."""
        now = perf_counter()
        if self._running:
            self._seconds[self._running[-1]] += now - self._since
        self._since = now

    def _report_stage(self) -> None:
        if self._on_stage is not None:
            self._on_stage(self._running[-1] if self._running else "")
