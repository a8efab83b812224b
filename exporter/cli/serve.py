"""`exporter serve`: the studio in the browser."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from exporter.cli.arguments import Commands, UsageError, add_json, add_max_seconds
from exporter.model.errors import SpecError
from exporter.model.exit_codes import ExitCode

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("serve", help="open the studio: see, walk and tune levels")
    parser.add_argument(
        "place",
        nargs="?",
        type=Path,
        metavar="PROJECT or SPEC",
        help="folder with exporter.yaml, or one spec (default: the nearest project)",
    )
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="default: a free one")
    parser.add_argument(
        "--host",
        default=LOOPBACK_HOSTS[0],
        metavar="ADDRESS",
        help="address to listen on; whoever knows the printed address can then change the specs "
        "(default: only this machine)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    add_max_seconds(parser)
    add_json(parser, lines=True)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command until it is interrupted; return the exit code."""
    from exporter.project.project import find_project
    from exporter.studio.serving import ServerOptions, serve

    place: Path = options.place if options.place is not None else Path()
    if options.place is not None and not place.exists():
        raise UsageError(f"there is no file or folder {str(place)!r}")
    if options.place is None:
        try:
            place = find_project(place)
        except SpecError as error:
            raise UsageError(f"{error.problems[0].message}, or name a spec") from None
    if options.host not in LOOPBACK_HOSTS:
        print(
            f"exporter serve: warning: other machines can reach {options.host}: whoever has the "
            "printed address can change the specs",
            file=sys.stderr,
        )

    def on_address(address: str) -> None:
        if options.json:
            print(json.dumps({"event": "serving", "url": address}), flush=True)
        else:
            print(f"The studio is at {address}\n(Ctrl+C ends it)", flush=True)
        if not options.no_open:
            import webbrowser

            webbrowser.open(address)

    try:
        serve(place, ServerOptions(options.host, options.port, options.max_seconds), on_address)
    except KeyboardInterrupt:
        print("interrupted: the studio has ended", file=sys.stderr)
        return ExitCode.INTERRUPTED
    return ExitCode.DONE


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port (0 to 65535)")
    return int(text)
