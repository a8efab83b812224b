"""Handle requests to export, and report the state of the last export."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from exporter.model.errors import ExporterError
from exporter.project.level_files import LevelFile
from exporter.reading.names import default_name
from exporter.studio.exported import ExportState
from exporter.studio.exporting import Exports, ExportStage
from exporter.studio.problems import problems_fields
from exporter.studio.request_checks import Action, number_of
from exporter.studio.session_builds import TabSession


class ExportActions:
    """Handles the requests of one session to export its level.

    Args:
        session: The session.
        exports: Runs the exports of all sessions, one after another.
        save: Saves the draft; called before an export.

    Attributes:
        actions: The handler of each request, by the name of the request (`do`).
    """

    def __init__(
        self, session: TabSession, exports: Exports, save: Callable[[], Awaitable[None]]
    ) -> None:
        self._session = session
        self._exports = exports
        self._save = save
        self._state = ExportState()
        # How many steps of the history were in the exported files; None if unknown.
        self._step: int | None = None
        self._running: set[asyncio.Task[None]] = set()
        self.actions: dict[str, Action] = {"export": self._export}

    def begin(self) -> None:
        """Forget the last level's export, because another level was opened."""
        self._step = None

    def send_again(self) -> None:
        """Let `look` send the state of the last export again, even if unchanged."""
        self._state.forget()

    def look(self) -> None:
        """Check the last export of the open level; send its state if it changed."""
        level, draft = self._session.opened()
        exported = self._state.look(level)
        if exported is None:
            return
        if exported["state"] == "built" and not exported["stale"]:
            self._step = draft.settled
        self._session.send({**exported, "step": self._step})

    async def _export(self, message: dict[str, Any]) -> None:
        level, draft = self._session.opened()
        number = number_of(message)
        if level.root is None:
            raise ExporterError("this spec is in no project (`exporter init` makes one)")
        if draft.changed:
            await self._save()
            if self._session.opened()[1].changed:
                raise ExporterError("the level cannot be saved, so it is not exported")
        data = self._session.opened()[1].data(level.name)
        name = data.get("level") if isinstance(data, dict) else None
        name = name if isinstance(name, str) else default_name(level.path.name)
        work = self._exporting(level, level.root, name, number)
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _exporting(self, level: LevelFile, root: Path, name: str, number: int) -> None:
        def send_stage(stage: ExportStage) -> None:
            self._session.send(
                {
                    "event": "exporting",
                    "level": level.id,
                    "stage": stage.stage,
                    "chunks": stage.chunks,
                }
            )

        send_stage(ExportStage(""))
        outcome = await self._exports.export(root, name, send_stage)
        self._state.forget()  # also where nothing was to be written
        self._session.send(
            {
                "event": "export-report",
                "level": level.id,
                "number": number,
                "report": outcome.report,
                "problems": problems_fields(outcome.problems),
            }
        )
