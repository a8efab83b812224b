"""Builds of a session: an older draft's request never displaces a newer draft."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

import exporter.studio.sessions as sessions_module
from exporter.project.level_files import LevelFile, LevelFiles
from exporter.studio.builders import Builders
from exporter.studio.building import Memory
from exporter.studio.drafts import Draft
from exporter.studio.sessions import Sessions
from exporter.studio.tasks import BuildTask, TaskReply
from exporter.studio.views import StudioView


class NotingBuilders(Builders):
    """Builders that record their requests: a revision, and whether for a view of it."""

    def __init__(self) -> None:
        super().__init__()
        self.requested: list[tuple[object, bool]] = []

    async def build(self, session: str, task: BuildTask) -> TaskReply | None:
        """Answer at once."""
        self.requested.append((task.facts["revision"], task.view is not None))
        return TaskReply(b"a level")


class SlowRequest:
    """A view whose texts take as long to read as the test wants."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def view(self, level: LevelFile, draft: Draft) -> StudioView:
        """Wait, and return a view."""
        self.begun.set()
        assert self.may_end.wait(60)
        return StudioView("model")


def test_the_memory_forgets_what_was_used_longest_ago() -> None:
    memory = Memory(10)
    memory.save("a", bytes(4))
    memory.save("b", bytes(4))
    assert memory.load("a") == bytes(4)
    memory.save("c", bytes(6))
    memory.save("d", bytes(11))
    assert [memory.load(key) for key in "abcd"] == [bytes(4), None, bytes(6), None]


def test_what_can_be_written_is_detected_out_again_after_a_failure(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[dict[str, str] | Exception] = [ImportError("an extension"), {"title": "a spec"}]

    def create() -> dict[str, str]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def requested() -> object:
        sessions = Sessions(LevelFiles(project), NotingBuilders())
        with pytest.raises(ImportError, match="an extension"):
            await sessions.schema()
        assert await sessions.schema() == {"title": "a spec"}
        return await sessions.schema()

    monkeypatch.setattr(sessions_module, "_level_schema", create)
    assert asyncio.run(asyncio.wait_for(requested(), 60)) == {"title": "a spec"}


def test_a_refusal_says_of_which_message_it_is(project: Path) -> None:
    async def refusals() -> list[tuple[object, ...]]:
        session = Sessions(LevelFiles(project), NotingBuilders()).open(None)
        wrong = {"do": "change", "changes": [{"set": ["seed"], "value": 1}], "number": 3}
        await session.handle(wrong)
        await session.handle({"do": "undo", "number": ["long"] * 9})
        result = []
        async for message in session.outgoing():
            if isinstance(message, dict) and message["event"] == "refused":
                result.append((message["do"], message.get("number"), message["text"]))
            if len(result) == 2:
                break
        return result

    reported = asyncio.run(asyncio.wait_for(refusals(), 60))
    # A number of another type is not sent back.
    assert reported == [
        ("change", 3, "no level is open"),
        ("undo", None, "`number` of undo does not fit"),
    ]


@pytest.mark.parametrize("do", [None, 3, ["undo"], {"a": 1}, "undo" * 1000])
def test_a_refusal_repeats_only_what_is_a_name(project: Path, do: object) -> None:
    async def refusal() -> object:
        session = Sessions(LevelFiles(project), NotingBuilders()).open(None)
        await session.handle({"do": do})
        async for message in session.outgoing():
            if isinstance(message, dict) and message["event"] == "refused":
                return message["do"]
        return "nothing"

    assert asyncio.run(asyncio.wait_for(refusal(), 60)) is None


def test_a_session_without_a_tab_keeps_the_text_alone(project: Path) -> None:
    async def left() -> Draft | None:
        sessions = Sessions(LevelFiles(project), NotingBuilders())
        session = sessions.open(None)
        (level,) = sessions.files.all()
        await session.handle({"do": "open", "level": level.id})
        change = {"set": ["seed"], "value": 8}
        await session.handle({"do": "change", "changes": [change]})
        assert session.draft is not None
        assert session.draft.document is not None
        sessions.leave(session)
        return session.draft

    draft = asyncio.run(asyncio.wait_for(left(), 60))
    assert draft is not None
    assert draft.document is None
    assert b"seed: 8" in draft.content


def test_a_view_of_an_older_draft_is_not_built_any_more(project: Path) -> None:
    async def requested() -> list[tuple[object, bool]]:
        builders, view_request = NotingBuilders(), SlowRequest()
        sessions = Sessions(LevelFiles(project), builders)
        session = sessions.open(None)
        (level,) = sessions.files.all()

        async def until_requested(*expected: tuple[object, bool]) -> None:
            while not {*expected} <= {*builders.requested}:
                await asyncio.sleep(0.01)

        await session.handle({"do": "open", "level": level.id})
        await until_requested((1, False))
        session.builds.want("a view", view_request)
        await asyncio.to_thread(view_request.begun.wait, 60)
        change = {"set": ["seed"], "value": 8}
        await session.handle({"do": "change", "changes": [change]})
        await until_requested((2, False))
        view_request.may_end.set()
        await until_requested((2, True))
        return builders.requested

    assert asyncio.run(asyncio.wait_for(requested(), 60)) == [(1, False), (2, False), (2, True)]
