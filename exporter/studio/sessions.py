"""Sessions of all tabs, and the files that they follow.

A tab that comes back (after sleep, or when the server was busy elsewhere) takes up its session by
its id. A session without a tab is kept for a while, then forgotten with its draft.
"""

from __future__ import annotations

import asyncio
import contextlib
import traceback
from dataclasses import replace
from time import monotonic
from typing import Any

from exporter.model.errors import ExporterError, SpecError
from exporter.project.level_files import LevelFiles
from exporter.studio.builders import Builders
from exporter.studio.seed_sheets import SeedSheets
from exporter.studio.session import Session
from exporter.studio.tasks import BuildTask
from exporter.studio.turns import short_turns

# How often the files of open levels and of the project are checked.
FILE_SECONDS, LEVELS_SECONDS = 0.2, 2.0
# How long a session waits for its tab.
FORGOTTEN_SECONDS = 3600.0
MAXIMUM_SESSIONS = 256


class Sessions:
    """All sessions, and what they share.

    Args:
        files: The levels.
        builders: Builds their drafts.
        sheets: Makes contact sheets of them.
        background_builders: Computes what no picture waits for.
        prebuild: What a first tab will want: it is built before the tab comes.
    """

    def __init__(
        self,
        files: LevelFiles,
        builders: Builders,
        sheets: SeedSheets | None = None,
        background_builders: Builders | None = None,
        prebuild: BuildTask | None = None,
    ) -> None:
        self.files = files
        self.builders = builders
        self.sheets = sheets or SeedSheets()
        self.background_builders = background_builders or Builders(lazy=True)
        self._prebuild = prebuild
        self._sessions: dict[str, Session] = {}
        self._present: dict[str, int] = {}
        self._follow: asyncio.Task[None] | None = None
        self._schema: asyncio.Task[dict[str, Any]] | None = None

    def start(self) -> None:
        """Start the builders, the following of files and the schema."""
        self.builders.start(self._prebuild)
        self.background_builders.start()
        self._follow = asyncio.get_running_loop().create_task(self._follow_files())
        self._schema = self._begin_schema()

    async def close(self) -> None:
        """End everything."""
        if self._follow is not None:
            self._follow.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._follow
        if self._schema is not None:
            self._schema.cancel()
            await asyncio.gather(self._schema, return_exceptions=True)
        await self.sheets.close()
        await self.background_builders.close()
        await self.builders.close()

    def open(self, id: object) -> Session:
        """Return the session of a tab that comes back, or a new one."""
        result = self._sessions.get(id) if isinstance(id, str) else None
        # A duplicated tab has the id of the first: it gets a new session.
        if result is None or self._present.get(result.id):
            self._forget()
            result = Session(self)
            self._sessions[result.id] = result
        self._present[result.id] = 1
        result.joined()
        return result

    async def schema(self) -> dict[str, Any]:
        """Return what can be written in a spec: made once, for all tabs."""
        failed = self._schema is not None and self._schema.done() and self._schema.exception()
        if self._schema is None or failed:
            self._schema = self._begin_schema()
        # A tab that leaves meanwhile does not disturb the others.
        return await asyncio.shield(self._schema)

    def _begin_schema(self) -> asyncio.Task[dict[str, Any]]:
        return asyncio.get_running_loop().create_task(_built_schema())

    def leave(self, session: Session) -> None:
        """Record that the tab of a session has closed."""
        self.sheets.stop(session.id)
        session.builds.once("", None)
        self._present.pop(session.id, None)
        session.left = monotonic()
        # Both are made again when the tab comes back, and take more than the draft's text.
        session.ground = None
        if session.draft is not None:
            session.draft = replace(session.draft, document=None)

    def _forget(self) -> None:
        """Drop sessions whose tabs have long been closed, and the oldest of too many."""
        removed = sorted(
            (item for item in self._sessions.values() if item.id not in self._present),
            key=lambda item: item.left,
        )
        too_many = len(self._sessions) - MAXIMUM_SESSIONS + 1
        for position, session in enumerate(removed):
            if position < too_many or monotonic() - session.left > FORGOTTEN_SECONDS:
                del self._sessions[session.id]

    async def _follow_files(self) -> None:
        since = monotonic()
        while True:
            await asyncio.sleep(FILE_SECONDS)
            if not self._present:
                continue
            for session in [*self._sessions.values()]:
                if session.id in self._present:
                    await _follow(session)
            if monotonic() - since < LEVELS_SECONDS:
                continue
            since = monotonic()
            with contextlib.suppress(SpecError, OSError):
                if await asyncio.to_thread(self.files.look):
                    for id in self._present:
                        self._sessions[id].tell_levels()


async def _built_schema() -> dict[str, Any]:
    # Every generator is imported for it: the sockets need not wait.
    with short_turns():
        return await asyncio.to_thread(_level_schema)


def _level_schema() -> dict[str, Any]:
    from exporter.reading.schema import level_schema

    return level_schema()


async def _follow(session: Session) -> None:
    """Let a session follow its files; its errors do not affect other sessions."""
    try:
        await session.look_again()
    except ExporterError as error:
        session.refuse({}, str(error))
    except Exception:
        # A bug in the exporter: the terminal shows its traceback, and the studio continues.
        traceback.print_exc()
