"""The start of the studio: the first answers, and builds made ahead of requests."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from exporter.project.level_files import LevelFiles
from exporter.studio import serving
from exporter.studio.builders import Builders
from exporter.studio.guard import Guard
from exporter.studio.listening import ServerOptions, listen
from exporter.studio.server import StudioServer
from exporter.studio.session_builds import first_task
from exporter.studio.sessions import Sessions
from exporter.studio.tasks import BuildTask, TaskReply
from studio_tabs import Studio

TASK = BuildTask(b"first", "first.level.yaml", Path(), None, facts={"revision": 1})
OTHER = replace(TASK, content=b"other")


def counted(task: BuildTask, memory: Any) -> TaskReply:
    """A builder whose levels are numbers: the builds of the process so far."""
    memory.save(str(time.monotonic_ns()), b"")
    return TaskReply(str(len(memory._blobs)).encode())


def counted_with_files(task: BuildTask, memory: Any) -> TaskReply:
    """The same, of levels that have read a file."""
    return replace(counted(task, memory), files=("map.tmj",))


def slow_first(task: BuildTask, memory: Any) -> TaskReply:
    """A builder that takes forever for one level."""
    if task.content == TASK.content:
        time.sleep(600)
    return TaskReply(task.content)


def built(
    builder: Callable[[BuildTask, Any], TaskReply],
    work: Callable[[Builders], Coroutine[Any, Any, list[TaskReply | None]]],
) -> list[bytes]:
    """The messages of some builds, where `TASK` was prebuilt."""

    async def run() -> list[TaskReply | None]:
        builders = Builders(builder)
        builders.start()
        builders.prebuild(TASK)
        try:
            return await asyncio.wait_for(work(builders), 60)
        finally:
            await builders.close()

    return [displayed.message for displayed in asyncio.run(run()) if displayed is not None]


def test_the_first_level_is_built_once_though_it_was_built_ahead() -> None:
    async def work(builders: Builders) -> list[TaskReply | None]:
        return [await builders.build("a", TASK), await builders.build("a", TASK)]

    assert built(counted, work) == [b"1", b"2"]


def test_a_level_that_was_built_ahead_is_detected_when_a_tab_comes_late() -> None:
    async def work(builders: Builders) -> list[TaskReply | None]:
        prebuild = builders._prebuild
        assert prebuild is not None
        await prebuild.result
        return [await builders.build("a", TASK)]

    assert built(counted, work) == [b"1"]


def test_a_level_that_reads_files_is_built_again_when_it_is_requested() -> None:
    async def work(builders: Builders) -> list[TaskReply | None]:
        return [await builders.build("a", TASK)]

    assert built(counted_with_files, work) == [b"2"]


def test_what_is_built_ahead_keeps_no_other_level_waiting() -> None:
    async def work(builders: Builders) -> list[TaskReply | None]:
        assert builders._prebuild is not None
        while builders._running is None:
            await asyncio.sleep(0.01)
        return [await builders.build("a", OTHER)]

    assert built(slow_first, work) == [b"other"]


def test_a_newer_draft_overtakes_what_was_built_ahead_for_its_session() -> None:
    async def work(builders: Builders) -> list[TaskReply | None]:
        first = asyncio.create_task(builders.build("a", TASK))
        while builders._running is None:
            await asyncio.sleep(0.01)
        return [await builders.build("a", OTHER), await first]

    assert built(slow_first, work) == [b"other"]


def test_what_is_built_ahead_is_what_a_new_tab_asks_for(project: Path) -> None:
    """Else the first level would be built twice."""
    requested: list[BuildTask] = []

    class Noting(Builders):
        async def build(self, session: str, task: BuildTask) -> TaskReply | None:
            requested.append(task)
            return None

    async def open_first(files: LevelFiles) -> None:
        session = Sessions(files, Noting()).open(None)
        await session.handle({"do": "open", "level": files.all()[0].id})
        while not requested:
            await asyncio.sleep(0)

    (project / "levels" / "cave.edits.yaml").write_text(
        "layers:\n  ground:\n    - {at: [3, 3], was: wall, now: floor}\n"
    )
    files = LevelFiles(project)
    asyncio.run(open_first(files))
    assert requested == [first_task(files)]
    assert requested[0].edits is not None


def test_nothing_is_built_ahead_without_a_level_that_can_be_read(
    project: Path,
) -> None:
    level = project / "levels" / "cave.level.yaml"
    files = LevelFiles(project)
    level.unlink()
    assert first_task(files) is None
    files.look()
    assert first_task(files) is None


def test_the_page_is_served_before_there_are_sessions() -> None:
    async def start_sessions() -> Sessions:
        raise AssertionError("nobody has started the server")

    server = StudioServer(start_sessions, Guard.of(80, "token"))
    connection: Any = None
    answer = server.answer(connection, Request("/", Headers(Host="127.0.0.1")))
    assert answer is not None
    assert answer.status_code == 200
    assert b"<!doctype html>" in answer.body


def test_pictures_are_created_smaller_for_other_machines_alone(
    project: Path, serve: Callable[..., Studio]
) -> None:
    """It takes 15 ms of a level of 256 x 256 cells."""
    with serve(project).socket() as here, serve(project, host="0.0.0.0").socket() as there:
        assert here.protocol.extensions == []
        assert [extension.name for extension in there.protocol.extensions] == ["permessage-deflate"]


def test_a_failure_to_make_the_sessions_ends_the_studio(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> Sessions:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(serving, "_make_sessions", failing)
    listening = listen(ServerOptions())
    with listening.socket, pytest.raises(ZeroDivisionError, match="a bug"):
        serving.serve(LevelFiles(project), listening)


def imported_of(names: str, *modules: str) -> str:
    """Return which of some modules were imported with others, in a new process."""
    code = f"import sys, {', '.join(modules)}; print([one for one in sys.modules if {names}])"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_nothing_large_is_imported_before_the_page_is_served() -> None:
    large = ("numpy", "pydantic", "exporter.reading.level_spec", "exporter.studio.session")
    modules = [f"exporter.studio.{item}" for item in ("builder_process", "listening", "serving")]
    assert imported_of(f"one in {large}", "exporter.project.level_files", *modules) == "[]\n"


def test_a_builder_process_imports_views_when_they_are_requested() -> None:
    late = ("exporter.measures.maps", "exporter.measures.chokes")
    assert imported_of(f"one in {late}", "exporter.studio.viewed") == "[]\n"
