"""Run the studio's server until it is interrupted or asked to end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from exporter.project.level_files import LevelFiles
from exporter.studio.handshake import Handshake
from exporter.studio.listening import Listening
from exporter.studio.server import StudioServer

if TYPE_CHECKING:
    from exporter.studio.builders import Builders
    from exporter.studio.sessions import Sessions
    from exporter.studio.tasks import BuildTask

_NAMES = ("SIGINT", "SIGTERM", "SIGBREAK")  # the last one on Windows
_SIGNALS = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


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
    server = StudioServer(start_sessions, guard, handshake, only_here=listening.is_local)
    asyncio.run(_run(server, listening, wait_for_end))


async def _run(
    server: StudioServer, listening: Listening, wait_for_end: Callable[[], None] | None
) -> None:
    loop, end = asyncio.get_running_loop(), asyncio.Event()

    def end_soon() -> None:
        with contextlib.suppress(RuntimeError):  # it has ended already
            loop.call_soon_threadsafe(end.set)

    def wait() -> None:
        assert wait_for_end is not None
        wait_for_end()
        end_soon()

    if wait_for_end is not None:
        threading.Thread(target=wait, daemon=True).start()
    with _signals(end_soon):
        await server.run(listening.socket, end)


@contextlib.contextmanager
def _signals(end_soon: Callable[[], None]) -> Iterator[None]:
    """Call `end_soon` on Ctrl+C and SIGTERM during a `with` block.

    After the block the signal acts as before. A second signal does not disturb the end. In another
    thread than the main one, which gets no signals, this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []

    def note(number: int, _frame: object) -> None:
        received.append(number)
        end_soon()

    before = {number: signal.signal(number, note) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if received:
            signal.raise_signal(received[0])


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
