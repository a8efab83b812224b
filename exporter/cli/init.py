"""`exporter init`: start a project, or add the exporter to a game."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.cli.arguments import Commands, UsageError, output_options
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.project.start_plan import StartPlan


def add(commands: Commands) -> None:
    """Add `exporter init` to the commands of the command line."""
    parser = commands.add_parser(
        "init",
        examples=(
            "exporter init my-game",
            "exporter init --engine unity --template island",
            "exporter init --extension halls",
        ),
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="DIR",
        help="folder of the game (default: this folder); an empty one gets a new Godot game",
    )
    parser.add_argument(
        "--engine",
        action="append",
        metavar="NAME",
        default=[],
        help="engine to export to; repeatable (default: that of the games in DIR or one folder "
        "below, else Godot)",
    )
    parser.add_argument(
        "--plugin",
        action="store_true",
        help="install the plugin of the engine in the game, and keep it up to date (Godot, Unity)",
    )
    parser.add_argument(
        "--template",
        action="append",
        metavar="NAME",
        default=[],
        help="start with this level of the gallery; repeatable",
    )
    parser.add_argument("--list-templates", action="store_true", help="list the level templates")
    parser.add_argument(
        "--agent", action="store_true", help="write AGENTS.md: how an agent makes levels here"
    )
    parser.add_argument(
        "--extension",
        metavar="NAME",
        help="write a Python package with a generator, its tests and a level into DIR instead "
        "(default: a new folder of that name)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run `exporter init` with parsed options; return the exit code."""
    from exporter.cli.own_command import own_command, quoted
    from exporter.model.errors import RegistryError
    from exporter.project.start_plan import InitOptions, StartError
    from exporter.project.starting import check_names, is_own_source, plan_start
    from exporter.project.templates import page_path

    if options.list_templates:
        return _list_templates()
    if options.extension is not None:
        return _start_extension(options)
    folder: Path = options.folder or Path()
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder (name another folder)")
    init_options = InitOptions(
        tuple(options.engine), options.plugin, tuple(options.template), options.agent
    )
    try:
        check_names(init_options)
    except RegistryError as error:
        raise UsageError(str(error)) from None
    if is_own_source(folder):
        raise UsageError(
            f"{folder.resolve()} is the source code of the exporter, not a game (name a folder "
            f"for your game: {own_command()} init {quoted(_beside(folder))})"
        )
    try:
        plan = plan_start(folder, init_options)
    except StartError as error:
        raise UsageError(str(error)) from None
    _carry_out(plan, folder)
    if plan.new_game is not None and _export(folder, options):
        return ExitCode.FAILED
    where = "" if folder.resolve() == Path.cwd() else f" {quoted(folder)}"
    if plan.new_game is not None:
        print(plan.new_game.opening.format(folder=quoted(folder)))
        print(f"read on in {page_path(plan.new_game.page)}")
    print(f"next: {own_command()} watch{where}")
    return ExitCode.DONE


def _export(folder: Path, options: argparse.Namespace) -> bool:
    """Export the new project, so that the game can open the outputs.

    Return whether a level failed.
    """
    from exporter.console.text import TextReporter
    from exporter.export.events import Changes
    from exporter.export.export import export_project, failed
    from exporter.export.settings import Settings

    reporter = TextReporter(output_options(options))
    try:
        return failed(export_project(folder.resolve(), Settings(), Changes(reporter)))
    finally:
        reporter.close()


def _list_templates() -> int:
    from exporter.project.templates import level_template, level_template_names

    for name in level_template_names():
        print(f"{name}\n    {level_template(name).summary}")
    return ExitCode.DONE


def _start_extension(options: argparse.Namespace) -> int:
    """Write an example package that extends the exporter; return 0.

    Raises:
        UsageError: Other options do not fit, or the name or folder cannot be used.
    """
    from exporter.cli.own_command import installing_commands, quoted
    from exporter.project.extension_start import plan_extension
    from exporter.project.reference.registered import registries
    from exporter.project.start_plan import StartError

    if options.engine or options.plugin or options.template:
        raise UsageError(
            "--extension writes a package, not a project (leave out --engine, --plugin and "
            "--template)"
        )
    name: str = options.extension
    folder: Path = options.folder or Path(name)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, not a folder (name another folder)")
    try:
        plan = plan_extension(folder, name, registries()["generator"].names())
    except StartError as error:
        raise UsageError(str(error)) from None
    _carry_out(plan, folder)
    *before, command = installing_commands(folder)
    # A line each: not every shell has `&&`.
    print("next: " + "\n      ".join([*before, f"{command} export {quoted(folder)}"]))
    return ExitCode.DONE


def _carry_out(plan: StartPlan, folder: Path) -> None:
    """Write the files of `plan` into `folder`, and print what was done."""
    from exporter.store.folder import Folder
    from exporter.store.held_files import refused

    project = Folder(folder, closed=False)
    for remark in plan.remarks:
        print(remark)
    for file in plan.files:
        path = folder / file.path
        try:
            folder.mkdir(parents=True, exist_ok=True)
            project.write(file.path, file.data, make=True)
        except OSError as error:
            raise refused(error, path) from None
        print(f"{file.action} {file.path}")
    for remaining in plan.preserved:
        print(f"kept {remaining.path}{f' ({remaining.reason})' if remaining.reason else ''}")


def _beside(folder: Path) -> str:
    """Suggest a path for a game in the folder that contains `folder`.

    The path is relative to the working folder.
    """
    return os.path.relpath(folder.resolve().parent / "my-game")
