"""Define options and output of the commands that start the studio."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exporter.studio.listening import Listening, ServerOptions


def add_serving(parser: Any) -> None:
    """Add `--port`, `--host` and `--no-open`, the options of the studio."""
    parser.add_argument("--port", type=_port, metavar="N", help="default: the last one, if free")
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        help="address to listen on; anybody with the printed address can then change the specs "
        "(default: only this machine)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")


def server_options(options: argparse.Namespace) -> ServerOptions:
    """Return the studio's address, port and time limit, from `options`."""
    from exporter.studio.listening import LOOPBACK, ServerOptions

    host = LOOPBACK if options.host is None else options.host
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]  # brackets of an IPv6 address in a URL
    return ServerOptions(host, options.port or 0, options.max_seconds)


def print_address(options: argparse.Namespace, listening: Listening, command: str) -> None:
    """Print the studio's address, and open it in the browser.

    Print a warning if other machines can reach the address.

    Args:
        options: The options of the command, such as `--no-open`.
        listening: The socket of the studio, with its address.
        command: The command's name, for the warning.
    """
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
        # Finding a browser takes a while; the server need not wait for that.
        threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    """Open the studio's `address` in the browser.

    The address has a secret token, and all users of a machine can read arguments of programs. So
    the browser gets the name of a file that only this user can read, which redirects to the
    address.
    """
    import webbrowser

    with contextlib.suppress(OSError):
        webbrowser.open(_redirect_file(address).as_uri())


def _redirect_file(address: str) -> Path:
    """Write a page that redirects to `address`; return its path.

    The page is deleted when Python exits.

    Raises:
        OSError: The page cannot be written.
    """
    import atexit
    import html
    import tempfile

    descriptor, name = tempfile.mkstemp(".html", "level-exporter-")
    file = Path(name)
    atexit.register(file.unlink, missing_ok=True)
    target = html.escape(address)
    with open(descriptor, "w", encoding="utf-8") as page:
        page.write(
            f'<!doctype html>\n<meta charset="utf-8"><meta name="referrer" content="no-referrer">\n'
            f'<meta http-equiv="refresh" content="0; url={target}">\n'
            f'<title>Level Exporter</title>\n<p><a href="{target}">Open the studio</a></p>\n'
        )
    return file


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port (0 to 65535)")
    return int(text)
