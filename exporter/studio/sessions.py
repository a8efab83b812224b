"""Manage the sessions of all tabs, and the files that they watch.

A tab that reconnects, such as after sleep, continues its session by its id. A session without a tab
is kept for a while, then forgotten with its draft.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import traceback
from dataclasses import replace
from time import monotonic
from typing import Any

from exporter.model.errors import ExporterError, SpecError
from exporter.project.level_files import LevelFiles
from exporter.studio.builders import Builders
from exporter.studio.draft_files import DraftFiles, Drafts
from exporter.studio.exporting import Exports
from exporter.studio.galleries import Cards
from exporter.studio.seed_sheets import SeedSheets
from exporter.studio.session import Session
from exporter.studio.turns import short_turns

# How often the files of open levels and of the project are checked.
FILE_SECONDS, LEVELS_SECONDS = 0.2, 2.0
# How often unsaved drafts are stored, if they have changed.
DRAFT_SECONDS = 1.0
# How long tabs of an earlier run have to come back, before others get their drafts.
RETURN_SECONDS = 10.0
# How long a session waits for its tab.
FORGOTTEN_SECONDS = 3600.0
MAXIMUM_SESSIONS = 256


class Sessions:
    """The sessions of all tabs, and what they share.

    Args:
        files: The levels that can be opened.
        builders: Builds the levels of drafts.
        sheets: Builds contact sheets.
        background_builders: Builds views that are less urgent than levels.
        exports: Runs exports.
        credentials: The token of this run, and the key by which later runs recognise its tabs.
        draft_files: Stores unsaved drafts; None to lose them with the server.
    """

    def __init__(
        self,
        files: LevelFiles,
        builders: Builders,
        sheets: SeedSheets | None = None,
        background_builders: Builders | None = None,
        exports: Exports | None = None,
        credentials: tuple[str, str] = ("", ""),
        draft_files: DraftFiles | None = None,
    ) -> None:
        self.files = files
        self.builders = builders
        self.sheets = sheets or SeedSheets()
        self.background_builders = background_builders or Builders(lazy=True)
        self.cards = Cards(self.background_builders)
        self.exports = exports or Exports()
        self.credentials = credentials
        self._draft_files = draft_files
        # The drafts in the file of each session.
        self._stored: dict[str, Drafts] = {}
        self._started = monotonic()
        self._sessions: dict[str, Session] = {}
        self._present: dict[str, int] = {}
        self._follow: asyncio.Task[None] | None = None
        self._schema: asyncio.Task[dict[str, Any]] | None = None

    def start(self) -> None:
        """Start the processes, watch the files, and make the schema."""
        self.builders.start()
        self.background_builders.start()
        self._follow = asyncio.get_running_loop().create_task(self._follow_files())
        self._schema = self._begin_schema()

    async def close(self) -> None:
        """End all sessions and processes."""
        if self._follow is not None:
            self._follow.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._follow
        if self._schema is not None:
            self._schema.cancel()
            await asyncio.gather(self._schema, return_exceptions=True)
        self.exports.close()
        for session in self._sessions.values():
            self._store(session)
        await self.sheets.close()
        await self.background_builders.close()
        await self.builders.close()

    def open(self, id: object) -> Session:
        """Return the session with this id for a tab that connects.

        If no such session is kept, or another tab uses it, a new session is made.
        """
        id = id if isinstance(id, str) else ""
        result = self._sessions.get(id)
        # A duplicated tab has the id of the first: it gets a new session.
        if result is None or self._present.get(result.id):
            self._forget()
            result = Session(self)
            self._sessions[result.id] = result
            if self._draft_files is not None and id not in self._sessions:
                self._take_over(id, result)
        self._present[result.id] = 1
        result.joined()
        return result

    def _take_over(self, id: str, session: Session) -> None:
        """Give `session` the stored drafts of the session `id` of an earlier run."""
        assert self._draft_files is not None
        session.restore(self._draft_files.read(id))
        if self._store(session):
            self._draft_files.remove(id)

    def _store(self, session: Session) -> bool:
        """Store a session's unsaved drafts; return whether it has any."""
        drafts = self._unstored(session)
        if drafts is not None and self._draft_files is not None:
            self._draft_files.write(session.id, drafts)
        return bool(self._stored.get(session.id))

    def _unstored(self, session: Session) -> Drafts | None:
        """Return the session's unsaved drafts; None if exactly these are stored."""
        drafts, stored = session.unsaved(), self._stored.get(session.id, {})
        if drafts.keys() == stored.keys() and all(
            drafts[id].draft is stored[id].draft for id in drafts
        ):
            return None
        self._stored[session.id] = drafts
        return drafts

    def _adopt_drafts(self) -> None:
        """Give the newest open tab the drafts of tabs that did not return."""
        if self._draft_files is None or monotonic() - self._started < RETURN_SECONDS:
            return
        newest = next((self._sessions[id] for id in reversed(self._present)), None)
        if newest is None:
            return
        self._started = math.inf  # once for each run
        closed = [id for id in self._draft_files.sessions() if id not in self._sessions]
        for id in closed:
            self._take_over(id, newest)
        if closed:
            newest.send_levels()

    async def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of specs, made once for all tabs."""
        failed = self._schema is not None and self._schema.done() and self._schema.exception()
        if self._schema is None or failed:
            self._schema = self._begin_schema()
        # A tab that leaves meanwhile does not disturb the others.
        return await asyncio.shield(self._schema)

    def _begin_schema(self) -> asyncio.Task[dict[str, Any]]:
        return asyncio.get_running_loop().create_task(_built_schema())

    def leave(self, session: Session) -> None:
        """Record that the tab of a session has gone; the tab may come back."""
        self.sheets.stop(session.id)
        self._store(session)
        session.builds.once("", None)
        session.galleries.stop()
        self._present.pop(session.id, None)
        session.left = monotonic()
        # Both are made again when the tab comes back, and take more than the draft's text.
        session.ground = b""
        if session.draft is not None:
            session.draft = replace(session.draft, document=None)

    def _forget(self) -> None:
        """Drop sessions whose tabs closed long ago, and surplus ones."""
        removed = sorted(
            (item for item in self._sessions.values() if item.id not in self._present),
            key=lambda item: item.left,
        )
        too_many = len(self._sessions) - MAXIMUM_SESSIONS + 1
        for position, session in enumerate(removed):
            if position < too_many or monotonic() - session.left > FORGOTTEN_SECONDS:
                del self._sessions[session.id]

    async def _follow_files(self) -> None:
        since = stored = monotonic()
        while True:
            await asyncio.sleep(FILE_SECONDS)
            if not self._present:
                continue
            for session in [*self._sessions.values()]:
                if session.id in self._present:
                    await _follow(session)
            self._adopt_drafts()
            if monotonic() - stored >= DRAFT_SECONDS:
                stored = monotonic()
                for session in [*self._sessions.values()]:
                    drafts = self._unstored(session)
                    if drafts is not None and self._draft_files is not None:
                        await asyncio.to_thread(self._draft_files.write, session.id, drafts)
            if monotonic() - since < LEVELS_SECONDS:
                continue
            since = monotonic()
            with contextlib.suppress(SpecError, OSError):
                if await asyncio.to_thread(self.files.look):
                    for id in self._present:
                        self._sessions[id].send_levels()


async def _built_schema() -> dict[str, Any]:
    # Every generator is imported for it: the sockets need not wait.
    with short_turns():
        return await asyncio.to_thread(_level_schema)


def _level_schema() -> dict[str, Any]:
    from exporter.project.schema_file import schema_text

    schema: dict[str, Any] = json.loads(schema_text())
    return schema


async def _follow(session: Session) -> None:
    """Let a session check its files; its errors do not affect others."""
    try:
        await session.look_again()
    except ExporterError as error:
        session.refuse({}, str(error))
    except Exception:
        # A bug in the exporter: the terminal shows its traceback, and the studio continues.
        traceback.print_exc()
