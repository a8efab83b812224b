"""Run `exporter plugins`: list all extensions and their packages."""

from __future__ import annotations

import argparse
import json

from exporter.cli.arguments import Commands, add_json
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add `exporter plugins` to the commands of the command line."""
    parser = commands.add_parser("plugins", examples=("exporter plugins",))
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter plugins`; return the exit code.

    The code is 1 if an extension cannot be used, else 0.
    """
    from exporter.project.reference.registered import registered

    entries = registered()
    broken = any(entry.problem for entry in entries)
    if options.json:
        print(json.dumps({"plugins": [entry.report() for entry in entries]}, indent=1))
        return ExitCode.FAILED if broken else ExitCode.DONE
    width = max(len(entry.name) for entry in entries)
    kind = ""
    for entry in entries:
        if entry.kind != kind:
            kind = entry.kind
            print(f"{kind}s")
        brought = f" [{entry.origin}]" if entry.origin else ""
        print(f"  {entry.name:<{width}}  {entry.problem or entry.summary}{brought}")
    return ExitCode.FAILED if broken else ExitCode.DONE
