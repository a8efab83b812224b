"""`exporter plugins`: everything that is registered, and who brings it."""

from __future__ import annotations

import argparse
import json

from exporter.cli.arguments import Commands, add_json
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "plugins",
        help="list every generator, format and target",
        examples=("exporter plugins",),
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code: 1 when something registered cannot be used."""
    from exporter.project.reference.registered import registered

    entries = registered()
    broken = any(one.problem for one in entries)
    if options.json:
        print(json.dumps({"plugins": [one.report() for one in entries]}, indent=1))
        return ExitCode.FAILED if broken else ExitCode.DONE
    width = max(len(one.name) for one in entries)
    kind = ""
    for one in entries:
        if one.kind != kind:
            kind = one.kind
            print(f"{kind}s")
        brought = f" [{one.origin}]" if one.origin else ""
        print(f"  {one.name:<{width}}  {one.problem or one.summary}{brought}")
    return ExitCode.FAILED if broken else ExitCode.DONE
