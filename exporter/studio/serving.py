"""Run the studio's server until it is interrupted or asked to end."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from exporter.project.level_files import LevelFiles
from exporter.studio.connections import BoundedProtocol
from exporter.studio.handshake import Handshake
from exporter.studio.listening import Listening
from exporter.studio.server import MAXIMUM_MESSAGE_BYTES, StudioApp

if TYPE_CHECKING:
    from exporter.studio.builders import Builders
    from exporter.studio.sessions import Sessions
    from exporter.studio.tasks import BuildTask


def serve(
    files: LevelFiles, listening: Listening, wait_for_end: Callable[[], None] | None = None
) -> None:
    """Serve the studio until it is interrupted, or asked to end.

    Args:
        files: The levels that can be opened.
        listening: The socket, and the token.
        wait_for_end: Called in a thread; returns when the studio should end. None to serve until
            Ctrl+C.

    Raises:
        KeyboardInterrupt: The user interrupted the studio, which has closed everything.
        Exception: The sessions could not be made.
    """
    guard = listening.guard()
    handshake = Handshake(files.project_or_spec, guard.port)
    seconds = float(listening.options.max_seconds)
    start_sessions = partial(_start_sessions, files, seconds, (guard.token, handshake.key))
    app = StudioApp(start_sessions, guard, handshake)
    server = _Server(server_config(app, only_here=listening.is_local), app)
    asyncio.run(_run(server, listening.socket, wait_for_end))
    if app.failure is not None:
        raise app.failure


def server_config(app: StudioApp, *, only_here: bool = True) -> uvicorn.Config:
    """Return the configuration of uvicorn, the web server.

    Args:
        app: The application.
        only_here: Whether only this machine can reach the server; messages are then not compressed.
    """
    return uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MAXIMUM_MESSAGE_BYTES,
        ws_max_queue=16,
        # Within a machine, sending a picture takes less time than making it smaller.
        ws_per_message_deflate=not only_here,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_keep_alive=5,
        limit_concurrency=256,
        server_header=False,
        date_header=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        http=BoundedProtocol,
        # There is no proxy in front of it, so headers of one are forged.
        proxy_headers=False,
    )


async def _start_sessions(
    files: LevelFiles, seconds: float, credentials: tuple[str, str]
) -> Sessions:
    """Make the sessions and start them.

    The first level is built while most of the studio is still being imported.

    Args:
        files: The levels that can be opened.
        seconds: Limit for the seconds of a build.
        credentials: The token of this run, and the key by which later runs recognise its tabs.
    """
    from exporter.studio.builders import Builders

    builders = Builders(seconds=seconds)
    builders.start()
    try:
        task = await asyncio.to_thread(_first_task, files)
        if task is not None:
            builders.prebuild(task)
        sessions = await asyncio.to_thread(_make_sessions, files, builders, seconds, credentials)
    except Exception:
        await builders.close()
        raise
    sessions.start()
    return sessions


def _first_task(files: LevelFiles) -> BuildTask | None:
    from exporter.studio.session_builds import first_task

    return first_task(files)


def _make_sessions(
    files: LevelFiles, builders: Builders, seconds: float, credentials: tuple[str, str]
) -> Sessions:
    """Make the sessions; this imports most of the studio."""
    from exporter.studio.builders import Builders
    from exporter.studio.draft_files import DraftFiles
    from exporter.studio.exporting import Exports
    from exporter.studio.seed_sheets import SeedSheets
    from exporter.studio.sessions import Sessions

    return Sessions(
        files,
        builders,
        SeedSheets(seconds=seconds),
        Builders(seconds=seconds, lazy=True),
        Exports(seconds=seconds),
        credentials,
        DraftFiles(files.project_or_spec),
    )


class _Server(uvicorn.Server):
    """A server that cancels the work of its sockets before it waits for them.

    It also ends if the sessions could not be made.
    """

    def __init__(self, config: uvicorn.Config, app: StudioApp) -> None:
        super().__init__(config)
        self._app = app

    async def on_tick(self, counter: int) -> bool:
        return self._app.failure is not None or await super().on_tick(counter)

    def handle_exit(self, number: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            super().handle_exit(number, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._app.end_sockets()
        await super().shutdown(sockets)


async def _run(
    server: uvicorn.Server, listening: socket.socket, wait_for_end: Callable[[], None] | None
) -> None:
    if wait_for_end is not None:
        loop = asyncio.get_running_loop()

        def end() -> None:
            wait_for_end()
            with contextlib.suppress(RuntimeError):  # it has ended already
                loop.call_soon_threadsafe(setattr, server, "should_exit", True)

        threading.Thread(target=end, daemon=True).start()
    await server.serve(sockets=[listening])
