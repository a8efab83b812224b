"""Runs the studio's server until it is interrupted."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from exporter.model.errors import ExporterError
from exporter.studio.builders import Builders
from exporter.studio.guard import Guard, bracketed
from exporter.studio.levels import LevelFiles
from exporter.studio.seed_sheets import SeedSheets
from exporter.studio.server import MAXIMUM_MESSAGE_BYTES, create_app
from exporter.studio.sessions import Sessions

LOOPBACK = "127.0.0.1"
TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How the studio is served.

    Attributes:
        host: The address to listen on.
        port: The port; 0 for any that is free.
        max_seconds: Seconds that building a level may take.
    """

    host: str = LOOPBACK
    port: int = 0
    max_seconds: int = 60


def serve(place: Path, options: ServerOptions, on_address: Callable[[str], None]) -> None:
    """Serve the studio until it is interrupted.

    Args:
        place: A project's folder, or a spec.
        options: How.
        on_address: Is given the address, once it can be opened.

    Raises:
        SpecError: There is no project, or its settings have faults.
        ExporterError: The address cannot be had.
        KeyboardInterrupt: It was interrupted, and has ended in order.
    """
    files = LevelFiles(place)
    listening = _listen(options)
    port = int(listening.getsockname()[1])
    token = secrets.token_urlsafe(TOKEN_BYTES)
    guard = Guard.of(port, token, _names(options.host))
    seconds = float(options.max_seconds)
    sessions = Sessions(files, Builders(seconds=seconds), SeedSheets(seconds=seconds))
    app = create_app(sessions, guard)
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MAXIMUM_MESSAGE_BYTES,
        ws_max_queue=16,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_keep_alive=5,
        limit_concurrency=256,
        server_header=False,
        date_header=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
    )
    host = LOOPBACK if options.host in ("", "0.0.0.0") else bracketed(options.host)
    address = f"http://{host}:{port}/#{token}"
    asyncio.run(_run(uvicorn.Server(config), [listening], lambda: on_address(address)))


async def _run(
    server: uvicorn.Server, sockets: Sequence[socket.socket], on_start: Callable[[], None]
) -> None:
    serving = asyncio.create_task(server.serve(sockets=[*sockets]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.005)
    if server.started:
        on_start()
    await serving


def _listen(options: ServerOptions) -> socket.socket:
    """Return a socket that listens where the options say."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    # Named as TCP, asyncio sends small messages at once instead of after 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((options.host, options.port))
        listening.listen(64)
    except OSError as error:
        listening.close()
        where = f"{options.host}:{options.port}"
        raise ExporterError(
            f"{where} cannot be listened on ({error.strerror or error}; choose another --port, "
            "or none for a free one)"
        ) from None
    listening.setblocking(False)
    return listening


def _names(host: str) -> list[str]:
    """Return the names by which a server on an address may be asked, besides the loopback's."""
    if host == LOOPBACK:
        return []
    names = [host]
    if host in ("0.0.0.0", "::"):
        names.append(socket.gethostname())
        with contextlib.suppress(OSError):
            names += socket.gethostbyname_ex(socket.gethostname())[2]
    return names
