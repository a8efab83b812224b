"""Limit the connections to the studio's server.

A connection that sends no request, or takes long to read the answer, ends after `REQUEST_SECONDS`.
WebSockets have other limits.
"""

from __future__ import annotations

import asyncio
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

# From the begin of a connection to the end of its answer: every file of the page is small.
REQUEST_SECONDS = 10.0
# Connection limit; further ones are closed. Each holds a file descriptor, and without one no file
# could be read or saved.
MAXIMUM_CONNECTIONS = 384
# Limit for what a WebSocket without a token has not read: it gets answers to its pings alone.
MAXIMUM_UNREAD_BYTES = 1 << 16


# What requests for files and WebSockets begin with.
_BEGINNINGS = (b"GET ", b"HEAD ")


class BoundedConnection(ServerConnection):
    """A connection within the limits of this module.

    Attributes:
        is_known: Whether the client has sent a token, so that it may get pictures.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.is_known = False
        # What came first, until the method is known.
        self._beginning: bytes | None = b""
        self._is_refused = False


def bounded_connection(
    connections: set[ServerConnection], refusal: bytes
) -> type[ServerConnection]:
    """Return the class of connections; those beyond the limit are closed.

    Args:
        connections: Gets the open connections.
        refusal: The answer to methods other than GET and HEAD, which may have a body: the library
            would close the connection without an answer.
    """
    limit = min(MAXIMUM_CONNECTIONS, _file_descriptors() // 2)

    class LimitedConnection(BoundedConnection):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            connections.add(self)
            if len(connections) > limit:
                self.transport.abort()

        def data_received(self, data: bytes) -> None:
            if self._beginning is not None:
                data = self._beginning = self._beginning + data
                if len(data) < max(map(len, _BEGINNINGS)):
                    return
                self._beginning = None
                if not data.startswith(_BEGINNINGS):
                    self._is_refused = True
                    self.transport.write(refusal)
                    self.transport.write_eof()
            # The rest of a refused request is read, or the client would not get the answer.
            if not self._is_refused:
                super().data_received(data)
            unread = self.transport.get_write_buffer_size()
            if self.state is State.OPEN and not self.is_known and unread > MAXIMUM_UNREAD_BYTES:
                self.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            connections.discard(self)
            super().connection_lost(exc)

    return LimitedConnection


def _file_descriptors() -> int:
    """Return how many files this process may have open; many without a limit."""
    many = 2 * MAXIMUM_CONNECTIONS
    try:
        import resource
    except ImportError:  # on Windows
        return many
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return many if limit == resource.RLIM_INFINITY else limit
