"""Limit the connections to the studio's server.

A connection that sends no request, or takes long to read the answer, ends after `REQUEST_SECONDS`.
WebSockets have other limits.
"""

from __future__ import annotations

import asyncio
from typing import Any

from websockets.asyncio.server import ServerConnection

# From the begin of a connection to the end of its answer: every file of the page is small.
REQUEST_SECONDS = 10.0
# Connection limit; further ones are closed. Each holds a file descriptor, and without one no file
# could be read or saved.
MAXIMUM_CONNECTIONS = 384


# What requests for files and WebSockets begin with.
_BEGINNINGS = (b"GET ", b"HEAD ")


def bounded_connection(
    connections: set[ServerConnection], refusal: bytes
) -> type[ServerConnection]:
    """Return the class of connections; those beyond the limit are closed.

    Args:
        connections: Gets the open connections.
        refusal: The answer to methods other than GET and HEAD, which may have a body: the library
            would close the connection without an answer.
    """

    class BoundedConnection(ServerConnection):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self._beginning: bytes | None = b""
            self._is_refused = False

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            connections.add(self)
            if len(connections) > MAXIMUM_CONNECTIONS:
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

        def connection_lost(self, exc: Exception | None) -> None:
            connections.discard(self)
            super().connection_lost(exc)

    return BoundedConnection
