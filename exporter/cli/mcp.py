"""`exporter mcp`: serve a project to agents (Model Context Protocol)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from exporter.cli.arguments import Commands, UsageError, project_root
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add `exporter mcp` to the commands of the command line."""
    parser = commands.add_parser("mcp", examples=("exporter mcp", "exporter mcp my-game"))
    parser.add_argument(
        "project",
        nargs="?",
        type=Path,
        metavar="PROJECT",
        help="folder with exporter.yaml (default: the nearest one)",
    )
    parser.add_argument("--read-only", action="store_true", help="let agents write nothing")
    parser.add_argument("--log", action="store_true", help="print what agents wrote, and end")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter mcp` until standard input ends; return the exit code."""
    root = project_root(options.project)
    if options.log:
        from exporter.project.agent_log import read_log

        print(read_log(root), end="")
        return ExitCode.DONE
    try:
        from exporter.agents.server import run_server
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("mcp"):
            raise
        raise UsageError(
            "the package `mcp` is missing (run pip install 'level-exporter[mcp]')"
        ) from None
    try:
        run_server(root, read_only=options.read_only)
    except KeyboardInterrupt:
        print("interrupted: the server has ended", file=sys.stderr)
        return ExitCode.INTERRUPTED
    return ExitCode.DONE
