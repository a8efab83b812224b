"""`exporter init`: a new project, or the exporter in an existing game."""

from __future__ import annotations

import argparse
from pathlib import Path

from exporter.cli.arguments import Commands, UsageError
from exporter.model.exit_codes import ExitCode


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "init", help="start a project, or add the exporter to an existing game"
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="DIR")
    parser.add_argument(
        "--engine",
        action="append",
        metavar="NAME",
        default=[],
        help="engines to export to (default: the engine of the game in the folder)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit code."""
    from exporter.model.errors import RegistryError
    from exporter.project.project import FILE_NAME
    from exporter.project.starting import plan_project, targets_called
    from exporter.store.atomic_files import replace_file

    folder: Path = options.folder
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    try:
        targets = targets_called(options.engine)
    except RegistryError as error:
        raise UsageError(str(error)) from None
    plan = plan_project(folder, targets)
    if plan.games:
        print(f"found a {' and '.join(plan.games)} project")
    existing = (folder / FILE_NAME).exists()
    for file in plan.files:
        path = folder / file.path
        if path.exists():
            print(f"kept {file.path}")
        elif not (existing and file.example):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, file.data)
            print(f"wrote {file.path}")
    where = "" if folder.resolve() == Path.cwd() else f" {folder}"
    print(f"next: exporter watch{where}")
    return ExitCode.DONE
