"""Check the headers of requests to the studio's server.

A web page of a stranger can make the browser send requests to this machine. Three checks prevent
attacks: the Host header must name this machine (against DNS rebinding), the Origin of a WebSocket
must be the studio's own page (against cross-site WebSockets), and the first message must contain
the token, which only the printed address has.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Iterable

from exporter.model.lazy_dataclass import dataclass

# Names of this machine that no name server answers for.
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
# A port, or none: browsers leave out that of the scheme.
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?")
_SCHEME_PORT = 80
# No foreign content, no inline code, no frame around it, no form targets.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """The host names and the token by which the studio accepts requests.

    Attributes:
        names: Host names, lower case; those of IPv6 addresses in brackets.
        port: The port of the server.
        token: The text that the first message of a tab must contain.
        every_address: Whether requests may name any IP address of the server. This is safe, because
            a stranger's page reaches this machine only by the stranger's host name.
    """

    names: frozenset[str]
    port: int
    token: str
    every_address: bool = False

    @classmethod
    def of(
        cls, port: int, token: str, more: Iterable[str] = (), every_address: bool = False
    ) -> Guard:
        """Return the guard of a server on this machine.

        Args:
            port: The port of the server.
            token: The text that the first message of a tab must contain.
            more: Further host names that requests may name: the value of `--host`.
            every_address: Whether requests may name any IP address of the server.
        """
        names = (*LOOPBACK_NAMES, *(bracketed(name) for name in more))
        return cls(frozenset(name.lower() for name in names), port, token, every_address)

    def knows_host(self, host: str | None) -> bool:
        """Return whether `host`, a Host header, names this server and its port."""
        result = _HOST.fullmatch(host or "")
        if result is None:
            return False
        port = int(result[2]) if result[2] else _SCHEME_PORT
        known = result[1].lower() in self.names or (self.every_address and _is_address(result[1]))
        return known and port == self.port

    def knows_token(self, token: object) -> bool:
        """Return whether `token` is the server's; compare in constant time."""
        if not isinstance(token, str) or not token.isascii():
            return False
        return hmac.compare_digest(token.encode(), self.token.encode())


def _is_address(name: str) -> bool:
    """Return whether `name` is an IP address, perhaps in brackets."""
    try:
        address = ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return not address.is_unspecified


def bracketed(name: str) -> str:
    """Return a host name as URLs have it: IPv6 addresses in brackets."""
    return f"[{name}]" if ":" in name and not name.startswith("[") else name


def refusal(guard: Guard, kind: str, headers: dict[str, list[str]]) -> str | None:
    """Return the text that refuses a request; None if it may pass.

    Args:
        guard: The accepted host names and token.
        kind: `http` or `websocket`.
        headers: The values of the request's headers, by lower-case name.
    """
    hosts = headers.get("host", [])
    if len(hosts) != 1 or not guard.knows_host(hosts[0]):
        return "This address is not one of the studio. Open the address that it printed."
    # Of all addresses that the studio has, its page asks the one that it is from.
    own = f"http://{hosts[0]}"
    origins = headers.get("origin", [])
    if kind == "websocket":
        if origins != [own]:
            return "Only the studio's own page may connect."
        return None
    # A module script of the page has an origin: its own.
    if any(origin != own for origin in origins):
        return "Only the studio's own page may ask."
    return None
