"""What of a session is built: a newer draft is never pushed aside by what an older one wants."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from exporter.studio.builders import Builders
from exporter.studio.drafts import Draft
from exporter.studio.levels import LevelFile, LevelFiles
from exporter.studio.sessions import Sessions
from exporter.studio.tasks import BuildTask, Shown, View


class NotingBuilders(Builders):
    """Builders that note what they are asked for: a revision, and whether for a view of it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[object, bool]] = []

    async def build(self, session: str, task: BuildTask) -> Shown | None:
        """Answer at once."""
        self.asked.append((task.facts["revision"], task.view is not None))
        return Shown(b"a level")


class SlowWish:
    """A view whose texts take as long to read as the test wants."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def view(self, level: LevelFile, draft: Draft) -> View:
        """Wait, and return a view."""
        self.begun.set()
        assert self.may_end.wait(60)
        return View()


def test_a_view_of_an_older_draft_is_not_built_any_more(project: Path) -> None:
    async def asked() -> list[tuple[object, bool]]:
        builders, wish = NotingBuilders(), SlowWish()
        sessions = Sessions(LevelFiles(project), builders)
        session = sessions.open(None)
        (level,) = sessions.files.all()

        async def until_asked(*wanted: tuple[object, bool]) -> None:
            while not {*wanted} <= {*builders.asked}:
                await asyncio.sleep(0.01)

        await session.handle({"do": "open", "level": level.id})
        await until_asked((1, False))
        session.builds.want("a view", wish)
        await asyncio.to_thread(wish.begun.wait, 60)
        change = {"set": ["seed"], "value": 8}
        await session.handle({"do": "change", "changes": [change]})
        await until_asked((2, False))
        wish.may_end.set()
        await until_asked((2, True))
        return builders.asked

    assert asyncio.run(asyncio.wait_for(asked(), 60)) == [(1, False), (2, False), (2, True)]
