"""Serve the studio: files of the page over HTTP, the rest over WebSockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import traceback
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from time import thread_time
from typing import TYPE_CHECKING, Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from exporter.studio.connections import REQUEST_SECONDS, BoundedConnection, bounded_connection
from exporter.studio.guard import SECURITY_HEADERS, Guard, refusal
from exporter.studio.page_files import page_files
from exporter.studio.turns import short_turns

if TYPE_CHECKING:
    from exporter.studio.handshake import Handshake
    from exporter.studio.session import Session
    from exporter.studio.sessions import Sessions

# The longest message of a page: a whole text of a spec.
MAXIMUM_MESSAGE_BYTES = 1 << 20
# Limit of open tabs; a further tab gets a message.
MAXIMUM_SOCKETS = 64
# How long a socket may be silent before its token.
HELLO_SECONDS = 5.0
# How many messages of a tab may wait while one is worked on: a flood is slowed down by its socket.
_WAITING = 16
# How often a tab must answer.
_PING_SECONDS = 20.0
# How long tabs may take to confirm that the studio ends.
_END_SECONDS = 1.0
BUG = "that meets an error in the exporter (its traceback is in the terminal)"
# The studio's own close codes, from the range for applications.
WRONG_TOKEN, TOO_MANY, MALFORMED = 4401, 4429, 4400
_SESSION = "/session"
_TEXT = "text/plain; charset=utf-8"


class StudioServer:
    """The studio's server.

    It serves the page's files at once, while the sessions are still being imported and made.

    Args:
        start_sessions: Makes and starts the sessions; called when the server starts. They end with
            the server.
        guard: Checks the headers and tokens of requests.
        handshake: Recognises tabs of earlier runs; None to accept only the token of this run.
        only_here: Whether only this machine can reach the server; messages are then not compressed.
    """

    def __init__(
        self,
        start_sessions: Callable[[], Coroutine[Any, Any, Sessions]],
        guard: Guard,
        handshake: Handshake | None = None,
        *,
        only_here: bool = True,
    ) -> None:
        self._start_sessions = start_sessions
        self._sessions: asyncio.Future[Sessions]
        self._guard = guard
        self._handshake = handshake
        self._only_here = only_here
        self._files = page_files()
        self._connections: set[ServerConnection] = set()
        self._tabs: set[asyncio.Task[Any]] = set()

    async def run(self, listening: socket.socket, end: asyncio.Event) -> None:
        """Serve until `end` is set; then close connections and sessions.

        Args:
            listening: The socket, which listens already; it is closed.
            end: Ends the server.

        Raises:
            Exception: The sessions could not be made.
        """
        self._sessions = asyncio.create_task(self._start())
        server = await serve(
            self._serve_tab,
            sock=listening,
            create_connection=bounded_connection(self._connections, _only_get()),
            process_request=self.answer,
            # Within a machine, sending a picture takes less time than making it smaller.
            compression=None if self._only_here else "deflate",
            open_timeout=REQUEST_SECONDS,
            close_timeout=REQUEST_SECONDS,
            ping_interval=_PING_SECONDS,
            ping_timeout=_PING_SECONDS,
            max_size=MAXIMUM_MESSAGE_BYTES,
            max_queue=_WAITING,
            server_header=None,
        )
        ended = asyncio.create_task(end.wait())
        try:
            await asyncio.wait([self._sessions, ended], return_when="FIRST_COMPLETED")
            await self._sessions
            await ended
        finally:
            ended.cancel()
            server.close(reason="the studio ends")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(server.wait_closed(), _END_SECONDS)
            for connection in [*self._connections]:
                connection.transport.abort()
            for tab in self._tabs:
                tab.cancel()
            await server.wait_closed()
            await (await self._sessions).close()

    async def _start(self) -> Sessions:
        with short_turns():
            return await self._start_sessions()

    def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the answer to a request; None to open a WebSocket.

        Args:
            connection: The connection.
            request: The request, without a body.
        """
        headers: dict[str, list[str]] = {}
        for name, value in request.headers.raw_items():
            headers.setdefault(name.lower(), []).append(value)
        upgrade = ",".join(headers.get("upgrade", [])).lower()
        kind = "websocket" if "websocket" in upgrade else "http"
        refused = refusal(self._guard, kind, headers)
        if refused is not None:
            return _response(request, 403, refused.encode(), _TEXT)
        path = request.path.partition("?")[0]
        if kind == "websocket" and path == _SESSION:
            return None
        if path not in self._files:
            return _response(request, 404, b"There is no such file.", _TEXT)
        return _response(request, 200, *self._files[path])

    async def _serve_tab(self, socket: ServerConnection) -> None:
        """Serve a tab, once there are sessions, until it disconnects."""
        # A tab that leaves meanwhile does not end the start for the others.
        sessions = await asyncio.shield(self._sessions)
        hello = await _hello(socket, self._guard, self._handshake)
        if hello is None:
            await _close(socket, WRONG_TOKEN, "the address is of another run of the studio")
        elif len(self._tabs) >= MAXIMUM_SOCKETS:
            await _close(socket, TOO_MANY, "too many tabs are open")
        else:
            assert isinstance(socket, BoundedConnection)
            socket.is_known = True
            task: asyncio.Task[Any] = asyncio.current_task()  # type: ignore[assignment]
            self._tabs.add(task)
            try:
                await _serve_session(socket, sessions.open(hello.get("session")), sessions)
            finally:
                self._tabs.discard(task)


def _response(request: Request, status: int, content: bytes, kind: str) -> Response:
    """Return the answer to `request`: `content` of the media type `kind`."""
    headers = {"Content-Type": kind, "Content-Length": str(len(content)), "Connection": "close"}
    body = b"" if request.method == "HEAD" else content
    return Response(status, HTTPStatus(status).phrase, Headers(headers | SECURITY_HEADERS), body)


def _only_get() -> bytes:
    """Return the answer to other methods than GET and HEAD."""
    response = _response(Request("/", Headers()), 405, b"Only GET is allowed.", _TEXT)
    return response.serialize()


async def _close(socket: ServerConnection, code: int, reason: str) -> None:
    """Close `socket`, also if the client does not answer."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(socket.close(code, reason), _END_SECONDS)
    socket.transport.abort()


async def _serve_session(socket: ServerConnection, session: Session, sessions: Sessions) -> None:
    """Serve the tab at `socket` until it disconnects."""
    outgoing = asyncio.create_task(_send_all(socket, session))
    try:
        while True:
            message = _message(await socket.recv())
            if message is None:
                await socket.close(MALFORMED, "not a message of the page")
                return
            begun = thread_time()
            await _handle(session, message)
            # Give other tabs an equal turn, even if this one has sent thousands of messages.
            await asyncio.sleep(thread_time() - begun)
    except ConnectionClosed:
        pass
    finally:
        outgoing.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
            await outgoing
        sessions.leave(session)


async def _handle(session: Session, message: dict[str, Any]) -> None:
    """Let a session handle a message; print a bug's traceback and continue."""
    try:
        await session.handle(message)
    except Exception:
        traceback.print_exc()
        session.refuse(message, BUG)


async def _hello(
    socket: ServerConnection, guard: Guard, handshake: Handshake | None
) -> dict[str, Any] | None:
    """Return the first message of a tab that has the token or a proven key.

    Otherwise return None.
    """
    message = await _first_message(socket)
    if message is not None and guard.knows_token(message.get("token")):
        return message
    proof = handshake.begin(message.get("challenge")) if handshake and message else None
    if handshake and message and proof:
        with contextlib.suppress(ConnectionClosed):
            await socket.send(json.dumps(proof))
            answer = await _first_message(socket)
            if handshake.accepts(message["challenge"], proof["number"], answer):
                return message
    return None


async def _first_message(socket: ServerConnection) -> dict[str, Any] | None:
    """Return a new tab's first message; None if it is malformed or late."""
    try:
        return _message(await asyncio.wait_for(socket.recv(), HELLO_SECONDS))
    except (TimeoutError, ConnectionClosed):
        return None


async def _send_all(socket: ServerConnection, session: Session) -> None:
    """Send the messages of a session, as fast as the tab reads them."""
    async for message in session.outgoing():
        if isinstance(message, bytes):
            await socket.send(message)
        else:
            await socket.send(json.dumps(message, separators=(",", ":")))


def _message(text: object) -> dict[str, Any] | None:
    """Parse a message; return None if it is malformed."""
    if not isinstance(text, str) or len(text) > MAXIMUM_MESSAGE_BYTES:
        return None
    try:
        message = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
