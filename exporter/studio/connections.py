"""Close connections that send no request or never complete one.

Every HTTP request is for a small file of the page, so a client that takes long only blocks a
connection that others need. WebSockets have other limits.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

# From the begin of the connection, or the end of an answer, to the end of the next answer.
REQUEST_SECONDS = 10.0
# Connection limit; further ones are closed. Each holds a file descriptor, and without one no file
# could be read or saved.
MAXIMUM_CONNECTIONS = 384


class BoundedProtocol(H11Protocol):
    """Uvicorn's HTTP/1.1 protocol, with a time limit for every request."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout for the first request of a new connection.

        The connection is closed at once if there are too many.
        """
        super().connection_made(transport)
        if len(self.connections) > MAXIMUM_CONNECTIONS:
            transport.abort()
            return
        self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout, because the connection has ended."""
        self._forget_deadline()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Start the timeout again, for the next request."""
        self._expect_request()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Stop the timeout, because WebSockets have separate limits."""
        self._forget_deadline()
        super().handle_websocket_upgrade(event)

    def _expect_request(self) -> None:
        self._forget_deadline()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
