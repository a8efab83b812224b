"""What commands that serve the studio have in common: their options, and telling its address."""

from __future__ import annotations

import argparse
import json
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exporter.studio.listening import Listening, ServerOptions


def add_serving(parser: Any) -> None:
    """Let a command be told where the studio listens, and whether to open it."""
    parser.add_argument("--port", type=_port, metavar="N", help="default: a free one")
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        help="address to listen on; anybody with the printed address can then change the specs "
        "(default: only this machine)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")


def server_options(options: argparse.Namespace) -> ServerOptions:
    """Return how the studio is served."""
    from exporter.studio.listening import LOOPBACK, ServerOptions

    host = LOOPBACK if options.host is None else options.host
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]  # as it stands in addresses
    return ServerOptions(host, options.port or 0, options.max_seconds)


def tell_address(options: argparse.Namespace, listening: Listening, command: str) -> None:
    """Print the studio's address, and open it in the browser; say if others can reach it."""
    if not listening.is_local:
        print(
            f"{command}: warning: other machines can reach {listening.options.host}: whoever has "
            "the printed address can change the specs",
            file=sys.stderr,
        )
    address, outside = listening.address, listening.outside_address
    if options.json:
        print(json.dumps({"event": "serving", "url": address}), flush=True)
    else:
        print(f"The studio is at {address}", flush=True)
        if outside is not None:
            print(f"Other machines open {outside}", flush=True)
        print("(Ctrl+C ends it)", flush=True)
    if not options.no_open:
        # Looking for a browser takes a while, and the server need not wait for it.
        threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    import webbrowser

    webbrowser.open(address)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port (0 to 65535)")
    return int(text)
