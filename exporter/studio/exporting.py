"""Export levels for the tabs, one after another, each in its own process.

The process does the same as `exporter export --level`. So the server stays free for its sockets,
and survives an export that crashes.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.explore.processes import interrupts_blocked
from exporter.model.errors import ExporterError, Problem, SpecError
from exporter.model.lazy_dataclass import dataclass
from exporter.studio.builder_process import process_context

if TYPE_CHECKING:
    from exporter.export.events import Event


@dataclass(frozen=True, slots=True)
class ExportStage:
    """The stage of a running export.

    Attributes:
        stage: The name of the stage.
        chunks: For a world, how many chunks are finished, and how many there are; zeros for a
            level.
    """

    stage: str
    chunks: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ExportOutcome:
    """The result of exporting a level.

    Attributes:
        report: The level's report, as `exporter export --json` has it; None without one.
        problems: Why the level or the whole export failed; empty if it did not.
    """

    report: dict[str, Any] | None
    problems: tuple[Problem, ...] = ()


class Exports:
    """Runs exports for all tabs, one level at a time.

    Args:
        seconds: Limit for the seconds of building a level.
    """

    def __init__(self, seconds: float = 60.0) -> None:
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._process: Any = None

    async def export(
        self, root: Path, level: str, on_stage: Callable[[ExportStage], None]
    ) -> ExportOutcome:
        """Export the level named `level` of a project; return when it is done.

        `root` is the project's folder. `on_stage` is called with each stage of the export.
        """
        async with self._turn:
            ours, theirs = process_context().Pipe(duplex=False)
            with ours:
                await asyncio.to_thread(self._start, theirs, root, level)
                try:
                    while True:
                        message = await asyncio.to_thread(_received, ours)
                        if isinstance(message, ExportOutcome):
                            return message
                        on_stage(message)
                finally:
                    process, self._process = self._process, None
                    await asyncio.to_thread(process.join)

    def _start(self, connection: Connection, root: Path, level: str) -> None:
        # No daemon of `multiprocessing`: those may not have the processes that build.
        process = process_context().Process(
            target=_export, args=(connection, root, level, self._seconds)
        )
        with connection, interrupts_blocked():
            process.start()
        self._process = process

    def close(self) -> None:
        """Stop the running export; files it has already written stay."""
        if self._process is not None:
            self._process.terminate()


def _received(connection: Connection) -> ExportStage | ExportOutcome:
    try:
        message: ExportStage | ExportOutcome = connection.recv()
    except (EOFError, OSError):
        text = (
            "the process that exports ended unexpectedly, perhaps for lack of memory (export with "
            "`exporter export` to see more)"
        )
        return ExportOutcome(None, (Problem(text, ""),))
    return message


def _export(connection: Connection, root: Path, level: str, seconds: float) -> None:
    """Export a level, and send its stages and result through `connection`.

    This runs in the process of the export.
    """
    from exporter.export.export import export_project
    from exporter.export.settings import Settings

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    reporter = _Reporter(connection)
    problems: tuple[Problem, ...] = ()
    report = None
    try:
        results = export_project(root, Settings((level,), max_seconds=seconds), reporter)
        report = results[0].report() if results else None
        problems = results[0].problems if results else ()
        if not results:
            problems = (Problem(f"the project has no level of the name {level!r}", ""),)
    except SpecError as error:
        problems = error.problems
    except ExporterError as error:
        problems = (Problem(str(error), ""),)
    with contextlib.suppress(OSError):
        connection.send(ExportOutcome(report, tuple(problems)))


class _Reporter:
    """A reporter that sends the stages of an export to the studio."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._stage = ""

    def report(self, event: Event) -> None:
        from exporter.export.events import Building, Progress

        if isinstance(event, Building):
            self._stage = event.stage or self._stage
            self._connection.send(ExportStage(self._stage))
        elif isinstance(event, Progress) and event.parts[1]:
            self._connection.send(ExportStage(self._stage, event.parts))
