"""Following files: an error in one session leaves the others alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import exporter.studio.sessions as sessions_module
from exporter.model.errors import ExporterError
from exporter.project.level_files import LevelFiles
from exporter.studio.builders import Builders
from exporter.studio.session import Session
from exporter.studio.sessions import Sessions


@pytest.mark.parametrize("error", [ExporterError("no such thing"), ValueError("a bug")])
def test_a_session_that_cannot_follow_stops_no_other(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
) -> None:
    followed: list[str] = []

    def look_again(self: Session) -> None:
        followed.append(self.id)
        if self.id == broken.id:
            raise error

    async def follow() -> None:
        task = asyncio.create_task(sessions._follow_files())
        while followed.count(other.id) < 3:
            await asyncio.sleep(0.02)
            assert not task.done()
        task.cancel()

    sessions = Sessions(LevelFiles(project), Builders())
    broken, other = sessions.open(None), sessions.open(None)
    monkeypatch.setattr(sessions_module, "LEVELS_SECONDS", 600.0)
    monkeypatch.setattr(sessions.files, "look", lambda: pytest.fail("looked at too early"))
    monkeypatch.setattr(Session, "look_again", look_again)
    asyncio.run(asyncio.wait_for(follow(), 60))
    assert followed.count(broken.id) >= 2
    # A bug goes to the terminal, a user-fixable error to the page.
    assert ("a bug" in capsys.readouterr().err) == isinstance(error, ValueError)
