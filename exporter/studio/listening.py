"""Open the studio's socket, and make the address with the token.

The socket opens before anything large is imported: a browser that connects early waits in its
queue.
"""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import secrets
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

from exporter.model.errors import ArgumentError, ExporterError
from exporter.model.lazy_dataclass import dataclass
from exporter.studio.guard import Guard, bracketed

LOOPBACK = "127.0.0.1"
# Addresses that stand for all interfaces, each with the one by which this machine reaches itself.
_ALL = {"0.0.0.0": LOOPBACK, "::": "::1"}
# A documentation address (RFC 5737), to which nothing is sent.
_ELSEWHERE = ("192.0.2.1", 9)
TOKEN_BYTES = 24
# Limit of connections waiting to be accepted.
_BACKLOG = 64


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The options of the studio's server.

    Attributes:
        host: The address to listen on.
        port: The port; 0 for any free port.
        max_seconds: Limit for the seconds of building a level.
    """

    host: str = LOOPBACK
    port: int = 0
    max_seconds: int = 60


@dataclass(frozen=True, slots=True)
class Listening:
    """The studio's listening socket, and the token that tabs need.

    Attributes:
        socket: The socket.
        options: The options of the server.
        token: The text that the first message of a tab must contain.
    """

    socket: socket.socket
    options: ServerOptions
    token: str

    @property
    def address(self) -> str:
        """The URL, with the token, that opens the studio on this machine."""
        return self._address(_ALL.get(self._host, self.options.host))

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return ipaddress.ip_address(self._host.partition("%")[0]).is_loopback

    @property
    def outside_address(self) -> str | None:
        """The URL for other machines; None unless all addresses are listened on."""
        if self._host not in _ALL:
            return None
        result = _own_address()
        return self._address(result) if result is not None else None

    def guard(self) -> Guard:
        """Return the checks that requests to this server must pass."""
        if self._host in _ALL:
            return Guard.of(self._port, self.token, [socket.gethostname()], every_address=True)
        return Guard.of(self._port, self.token, [self.options.host, self._host])

    def _address(self, host: str) -> str:
        return f"http://{bracketed(host)}:{self._port}/#{self.token}"

    @property
    def _host(self) -> str:
        return str(self.socket.getsockname()[0])

    @property
    def _port(self) -> int:
        return int(self.socket.getsockname()[1])


def listen(options: ServerOptions, project_or_spec: Path | None = None) -> Listening:
    """Open the socket of the studio, and make a token.

    Args:
        options: The host and port. If the port is 0, that of the last run is used if it is free, so
            that open tabs find the studio again.
        project_or_spec: The project's folder, or the one spec that is served; None to use any free
            port.

    Raises:
        ArgumentError: The host is no address of this machine.
        ExporterError: The address is in use, or not allowed.
    """
    if project_or_spec is None or options.port:
        return _listen(options)
    from exporter.studio.user_state import last_port, remember_port

    listening = None
    if port := last_port(project_or_spec):
        with contextlib.suppress(ExporterError):
            listening = _listen(replace(options, port=port))
    listening = listening or _listen(options)
    remember_port(project_or_spec, listening.guard().port)
    return listening


def _listen(options: ServerOptions) -> Listening:
    family, address = _resolved(options)
    # Named as TCP, asyncio sends small messages at once instead of after 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if address[0] == "::" and hasattr(socket, "IPV6_V6ONLY"):
            # All of this machine, on every system: its IPv4 addresses, too.
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise _no_host(options.host, "this machine does not have that address") from None
        where = f"{bracketed(options.host)}:{options.port}"
        raise ExporterError(
            f"{where} cannot be listened on ({error.strerror or error}; choose another --port, "
            "or none for a free one)"
        ) from None
    listening.setblocking(False)
    return Listening(listening, options, secrets.token_urlsafe(TOKEN_BYTES))


def _resolved(options: ServerOptions) -> tuple[int, Any]:
    """Return the address family and socket address of the host in `options`.

    Raises:
        ArgumentError: The host cannot be resolved.
    """
    host = options.host
    if not host or not host.isprintable():
        raise _no_host(host, "it is no name")
    try:
        result = socket.getaddrinfo(host, options.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise _no_host(host, error.strerror or str(error)) from None
    except UnicodeError:
        raise _no_host(host, "it is no name") from None
    # Of several, such as those of `localhost`, the one of IPv4 is what browsers try, too.
    result.sort(key=lambda item: item[0] != socket.AF_INET)
    return result[0][0], result[0][4]


def _no_host(host: str, why: str) -> ArgumentError:
    return ArgumentError(
        f"--host {host!r} cannot be listened on: {why} (an address of this machine such as "
        "127.0.0.1, or 0.0.0.0 for all of them)"
    )


def _own_address() -> str | None:
    """Return this machine's address in its network; None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ELSEWHERE)
            result = str(asking.getsockname()[0])
        except OSError:
            return None
    return None if ipaddress.ip_address(result).is_loopback else result
