"""`exporter trust`: allow a project to write to a folder outside it."""

from __future__ import annotations

import argparse
from pathlib import Path

from exporter.cli.arguments import Commands, UsageError, project_root
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add `exporter trust` to the commands of the command line."""
    parser = commands.add_parser("trust", examples=("exporter trust . godot",))
    parser.add_argument("project", type=Path, metavar="PROJECT", help="folder with exporter.yaml")
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="a target of exporter.yaml, or a folder relative to the project",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter trust` with parsed options; return the exit code."""
    from exporter.project.outside import folders_of_target
    from exporter.store.user_folder import trust

    root = project_root(options.project)
    folders = folders_of_target(root, options.target)
    if not folders:
        folders = [root / options.target]
        if not folders[0].is_dir():
            raise UsageError(
                f"exporter.yaml has no target {options.target!r}, and there is no folder "
                f"{str(folders[0])!r}"
            )
    for folder in folders:
        real = folder.resolve()
        if real.is_relative_to(root.resolve()):
            print(f"{real} lies in the project: it needs no trust")
        elif trust(root, folder):
            print(f"{root} may write into {real} from now on")
        else:
            print(f"{root} may write into {real} already")
    return ExitCode.DONE
