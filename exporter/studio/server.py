"""Serve the studio: files of the page over HTTP, the rest over WebSockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import traceback
from collections.abc import AsyncIterator, Callable, Coroutine
from time import thread_time
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

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
_WAITING = 32
BUG = "that meets an error in the exporter (its traceback is in the terminal)"
# The studio's own close codes, from the range for applications.
WRONG_TOKEN, TOO_MANY, MALFORMED = 4401, 4429, 4400
# The protocol's code for a server that shuts down.
ENDS = 1001


class StudioApp:
    """The studio's server, an ASGI application.

    It serves the page's files at once, while the sessions are still being imported and made.

    Args:
        start_sessions: Makes and starts the sessions; called when the server starts. They end with
            the server.
        guard: Checks the headers and tokens of requests.
        handshake: Recognises tabs of earlier runs; None to accept only the token of this run.

    Attributes:
        failure: The error for which the sessions could not be made; then the server must end. None
            without an error.
    """

    def __init__(
        self,
        start_sessions: Callable[[], Coroutine[Any, Any, Sessions]],
        guard: Guard,
        handshake: Handshake | None = None,
    ) -> None:
        self._start_sessions = start_sessions
        self._sessions: asyncio.Future[Sessions | None]
        self.failure: Exception | None = None
        self._guard = guard
        self._handshake = handshake
        self._files = page_files()
        # By socket: the task that serves it.
        self._sockets: dict[WebSocket, asyncio.Task[Any] | None] = {}
        self._ends = False
        routes = [
            WebSocketRoute("/session", self._session),
            Route("/{path:path}", self._file),  # GET and HEAD
        ]
        self._app = _Guarded(Starlette(routes=routes, lifespan=self._lifespan), guard)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or WebSocket."""
        await self._app(scope, receive, send)

    def end_sockets(self) -> None:
        """Cancel the connections of all tabs, because the server ends."""
        self._ends = True
        for task in self._sockets.values():
            if task is not None:
                task.cancel()

    async def _file(self, request: Request) -> Response:
        result = self._files.get(request.url.path)
        if result is None:
            return PlainTextResponse("There is no such file.", 404)
        content, kind = result
        return Response(content, media_type=kind)

    async def _session(self, socket: WebSocket) -> None:
        await socket.accept()
        if len(self._sockets) >= MAXIMUM_SOCKETS:
            await socket.close(TOO_MANY, "too many tabs are open")
            return
        self._sockets[socket] = asyncio.current_task()
        try:
            # A tab that leaves meanwhile does not end the start for the others.
            sessions = await asyncio.shield(self._sessions)
            if sessions is not None:
                await _serve_socket(socket, sessions, self._guard, self._handshake)
        except asyncio.CancelledError:
            if not self._ends:
                raise
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await socket.close(ENDS, "the studio ends")
        finally:
            self._sockets.pop(socket, None)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        self._sessions = asyncio.create_task(self._start())
        try:
            yield
        finally:
            sessions = await self._sessions
            if sessions is not None:
                await sessions.close()

    async def _start(self) -> Sessions | None:
        """Start the sessions; if that fails, set `failure`, return None."""
        try:
            with short_turns():
                return await self._start_sessions()
        except Exception as error:
            self.failure = error
            return None


class _Guarded:
    """An ASGI application that refuses bad requests, and adds headers."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        refused = refusal(self._guard, scope["type"], scope.get("method", ""), headers)
        if refused is None:
            await self._app(scope, receive, _with_headers(send))
            return
        status, text = refused
        response = PlainTextResponse(text, status)
        if scope["type"] == "websocket":
            await receive()
            # Without the extension of servers that can refuse with a status this closes with 403.
            await send({"type": "websocket.close", "code": 1008, "reason": text})
            return
        await response(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            own = [(k.lower().encode(), v.encode()) for k, v in SECURITY_HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await send(message)

    return sending


async def _serve_socket(
    socket: WebSocket, sessions: Sessions, guard: Guard, handshake: Handshake | None = None
) -> None:
    """Serve the tab at `socket` until it disconnects."""
    hello = await _hello(socket, guard, handshake)
    if hello is None:
        return
    session = sessions.open(hello.get("session"))
    outgoing = asyncio.create_task(_send_all(socket, session))
    try:
        while True:
            message = _message(await _receive(socket))
            if message is None:
                await socket.close(MALFORMED, "not a message of the page")
                return
            begun = thread_time()
            await _handle(session, message)
            # Give other tabs an equal turn, even if this one has sent thousands of messages.
            await asyncio.sleep(thread_time() - begun)
    except WebSocketDisconnect:
        pass
    finally:
        outgoing.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
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
    socket: WebSocket, guard: Guard, handshake: Handshake | None
) -> dict[str, Any] | None:
    """Return the first message of a tab that has the token or a proven key.

    Otherwise close the socket, and return None.
    """
    message = await _first_message(socket)
    if message is not None and guard.knows_token(message.get("token")):
        return message
    proof = handshake.begin(message.get("challenge")) if handshake and message else None
    if handshake and message and proof:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_text(json.dumps(proof))
            answer = await _first_message(socket)
            if handshake.accepts(message["challenge"], proof["number"], answer):
                return message
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(WRONG_TOKEN, "the address is of another run of the studio")
    return None


async def _first_message(socket: WebSocket) -> dict[str, Any] | None:
    """Return a new tab's first message; None if it is malformed or late."""
    try:
        return _message(await asyncio.wait_for(_receive(socket), HELLO_SECONDS))
    except (TimeoutError, WebSocketDisconnect):
        return None


async def _send_all(socket: WebSocket, session: Session) -> None:
    """Send the messages of a session, as fast as the tab reads them."""
    async for message in session.outgoing():
        if isinstance(message, bytes):
            await socket.send_bytes(message)
        else:
            await socket.send_text(json.dumps(message, separators=(",", ":")))


async def _receive(socket: WebSocket) -> object:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    return message.get("text")


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
