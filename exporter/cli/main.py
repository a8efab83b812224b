"""Run the command line; each command is a module of this package."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter._version import __version__
from exporter.cli.arguments import UsageError, add_color, leaf_parsers, styles_of
from exporter.cli.parsing import Parser, parse
from exporter.export.plain_warnings import plain_warnings
from exporter.model.errors import ArgumentError, ExporterError, SpecError
from exporter.model.exit_codes import ExitCode
from exporter.model.installed import entry_points

if TYPE_CHECKING:
    from exporter.console.problems import ProblemPrinter

# In the order of the help.
GROUPS = {
    "Everyday": ("init", "watch", "serve", "export", "check"),
    "Look and choose": ("preview", "seeds", "stats", "diff", "edits"),
    "Tools": (
        "inspect", "table", "sudoku", "schema", "plugins", "mcp", "trust", "clean", "completion",
    ),
}  # fmt: skip
COMMANDS = tuple(command for group in GROUPS.values() for command in group)
# Each entry point of other packages is a module like those of this package.
OUTSIDE = "exporter.commands"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options: argparse.Namespace | None = None
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = parse(command_parser(words), words)
        _warn_uncompiled_checkout(Path(__file__).parents[2])
        with plain_warnings():
            code = int(options.run(options))
        _flush_output()
        return code
    except SystemExit:
        # Of `--help` and `--version`, and of arguments that are wrong.
        if _output_is_dropped():
            return _failure(options)
        raise
    except (UsageError, ArgumentError) as error:
        _printer(options).error(str(error))
        return ExitCode.USAGE
    except SpecError as error:
        printer = _printer(options)
        printer.tell(error.problems)
        printer.tell_rest()
        return _failure(options)
    except ExporterError as error:
        _printer(options).error(str(error))
        return _failure(options)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (`| head`) has seen enough.
        sys.stderr.close()
        return int(getattr(options, "outcome", ExitCode.DONE))
    except OSError as error:
        # Commands report OSErrors of their files, so one with a file name is a bug.
        if error.filename is not None or not _output_is_dropped(probe="\n"):
            raise
        return _failure(options)


def _warn_uncompiled_checkout(root: Path) -> None:
    """Warn if a checkout runs without compiled kernels, which is far slower.

    It runs when Python is started in it, although an installed exporter may be compiled.

    Args:
        root: The folder around the package.
    """
    if not (root / "setup.py").is_file():
        return
    names = os.listdir(root / "exporter" / "kernels")
    if not any(name.endswith((".so", ".pyd")) for name in names):
        print(
            f"exporter: warning: {root} runs without compiled kernels, which takes far longer "
            f'(compile them: `"{sys.executable}" -m pip install -e "{root}"`; or use the installed '
            "exporter: `exporter` instead of `python -m exporter`)",
            file=sys.stderr,
        )


def _failure(options: argparse.Namespace | None) -> int:
    """Return the exit code of a failure: 1, unless the command sets another."""
    return int(getattr(options, "failure", ExitCode.FAILED))


def _printer(options: argparse.Namespace | None) -> ProblemPrinter:
    """Return the printer of errors, with the command's limit if it has one."""
    from exporter.console.problems import ProblemPrinter
    from exporter.console.styles import PLAIN

    if options is None:
        return ProblemPrinter(PLAIN)
    return ProblemPrinter(styles_of(options), getattr(options, "max_errors", sys.maxsize))


def _flush_output() -> None:
    """Write buffered output here, where a failure gets a message."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _output_is_dropped(probe: str = "") -> bool:
    """Return whether standard output is closed; report it and drop the rest.

    Unwritten text stays in its buffer and fails again; without a buffer, `probe` fails.
    """
    try:
        if probe:
            print(end=probe)
        _flush_output()
    except OSError as error:
        # Python would try once more at its end, and print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return False  # the reader of our output has seen enough
        reason = error.strerror or error
        print(f"exporter: standard output cannot be written ({reason})", file=sys.stderr)
        return True
    return False


def command_parser(words: Sequence[str] = ()) -> Parser:
    """Return the parser of the command line.

    Args:
        words: The arguments, if they are known: the parser knows the command that they begin
            with, and no other is imported. Otherwise it knows all commands.

    Raises:
        UsageError: A command of another package cannot be used.
    """
    parser = Parser(
        prog="exporter",
        description="Turn level specs (*.level.yaml) into files for Godot, Unity, Tiled and more.",
        examples=("exporter init my-game", "exporter watch my-game --serve"),
    )
    parser.add_argument("--version", action="version", version=f"exporter {__version__}")
    commands = parser.add_subparsers(
        prog="exporter", metavar="COMMAND", required=True, help=argparse.SUPPRESS
    )
    parser.usage = "exporter [-h] [--version] COMMAND ..."
    known = bool(words) and words[0] in COMMANDS and words[0] != "completion"  # it lists them all
    groups = {"": tuple(words[:1])} if known else {**GROUPS, "Of other packages": _outside()}
    for group in groups.values():
        for name in group:
            _command(name).add(commands)
    helps = {entry.dest: entry.help for entry in commands._choices_actions}
    for name, inner in commands.choices.items():
        text = helps[name] or ""
        inner.description = f"{text[:1].upper()}{text[1:]}."
    lines = [parser.description or ""]
    for title, names in groups.items():
        if names:
            lines += ["", f"{title}:", *(f"  {name:<12}{helps[name]}" for name in names)]
    parser.description = "\n".join(lines)
    for _, leaf in leaf_parsers(parser):
        add_color(leaf)
    parser.set_defaults(command_line=parser)  # for the command that describes them all
    return parser


def _outside() -> tuple[str, ...]:
    """Return commands of other packages that replace none of ours."""
    return tuple(point.name for point in entry_points(OUTSIDE) if point.name not in COMMANDS)


def _command(name: str) -> Any:
    """Return the module of a command.

    Raises:
        UsageError: It is one of another package, and cannot be imported.
    """
    if name in COMMANDS:
        return importlib.import_module(f"exporter.cli.{name}")
    point = next(point for point in entry_points(OUTSIDE) if point.name == name)
    try:
        return importlib.import_module(point.module)
    except Exception as error:
        raise UsageError(
            f"the command {name!r} of {point.distribution} cannot be imported "
            f"({type(error).__name__}: {error})"
        ) from error
