"""Limit the connections to the studio's server.

A connection that sends no request, or takes long to read the answer, ends after `REQUEST_SECONDS`.
WebSockets have other limits.
"""

from __future__ import annotations

import asyncio

from websockets.asyncio.server import ServerConnection

# From the begin of a connection to the end of its answer: every file of the page is small.
REQUEST_SECONDS = 10.0
# Connection limit; further ones are closed. Each holds a file descriptor, and without one no file
# could be read or saved.
MAXIMUM_CONNECTIONS = 384


def bounded_connection(connections: set[ServerConnection]) -> type[ServerConnection]:
    """Return the class of connections; those beyond the limit are closed.

    `connections` gets the open connections.
    """

    class BoundedConnection(ServerConnection):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            connections.add(self)
            if len(connections) > MAXIMUM_CONNECTIONS:
                self.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            connections.discard(self)
            super().connection_lost(exc)

    return BoundedConnection
