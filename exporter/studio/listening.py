"""Where the studio listens: its socket, and the address with the token that opens it.

The address is known before anything large is imported: a browser that opens it waits in the
socket's queue while the server starts.
"""

from __future__ import annotations

import contextlib
import secrets
import socket
from dataclasses import dataclass

from exporter.model.errors import ExporterError
from exporter.studio.guard import Guard, bracketed

LOOPBACK = "127.0.0.1"
_THIS_MACHINE = (LOOPBACK, "localhost", "::1")
TOKEN_BYTES = 24
# Connections that wait until the server takes them.
_BACKLOG = 64


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

    @property
    def only_here(self) -> bool:
        """Whether nobody but this machine can reach it."""
        return self.host in _THIS_MACHINE


@dataclass(frozen=True, slots=True)
class Listening:
    """A socket that listens, and who may talk to it.

    Attributes:
        socket: The socket.
        options: How the studio is served.
        token: What the first message of a tab must hold.
    """

    socket: socket.socket
    options: ServerOptions
    token: str

    @property
    def address(self) -> str:
        """The address that opens the studio."""
        host = self.options.host
        shown = LOOPBACK if host in ("", "0.0.0.0") else bracketed(host)
        return f"http://{shown}:{self._port}/#{self.token}"

    def guard(self) -> Guard:
        """Return who may talk to the server."""
        return Guard.of(self._port, self.token, _names(self.options.host))

    @property
    def _port(self) -> int:
        return int(self.socket.getsockname()[1])


def listen(options: ServerOptions) -> Listening:
    """Listen where the options say.

    Raises:
        ExporterError: The address cannot be had.
    """
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    # Named as TCP, asyncio sends small messages at once instead of after 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((options.host, options.port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        where = f"{options.host}:{options.port}"
        raise ExporterError(
            f"{where} cannot be listened on ({error.strerror or error}; choose another --port, "
            "or none for a free one)"
        ) from None
    listening.setblocking(False)
    return Listening(listening, options, secrets.token_urlsafe(TOKEN_BYTES))


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
