"""The command line: arguments in, exit codes out. Each command is a module of this package."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from exporter._version import __version__
from exporter.cli import (
    check,
    clean,
    completion,
    diff,
    edits,
    export,
    init,
    inspect,
    mcp,
    plugins,
    preview,
    schema,
    seeds,
    serve,
    stats,
    sudoku,
    table,
    trust,
    watch,
)
from exporter.cli.arguments import UsageError, add_color, leaf_parsers, styles_of
from exporter.cli.parsing import Parser, parse
from exporter.export.plain_warnings import plain_warnings
from exporter.model.errors import ArgumentError, ExporterError, SpecError
from exporter.model.exit_codes import ExitCode

if TYPE_CHECKING:
    from exporter.console.problems import ProblemPrinter

# In the order of the help.
GROUPS = {
    "Everyday": (init, watch, serve, export, check),
    "Look and choose": (preview, seeds, stats, diff, edits),
    "Tools": (inspect, table, sudoku, schema, plugins, mcp, trust, clean, completion),
}
COMMANDS = tuple(command for group in GROUPS.values() for command in group)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options: argparse.Namespace | None = None
    try:
        options = parse(command_parser(), arguments)
        with plain_warnings():
            code = int(options.run(options))
        _flush_output()
        return code
    except SystemExit:
        # Of `--help` and `--version`, and of arguments that are wrong.
        if _output_is_lost():
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
        # An error of a file has its name, and is a bug here: the commands tell their own.
        if error.filename is not None or not _output_is_lost(probe="\n"):
            raise
        return _failure(options)


def _failure(options: argparse.Namespace | None) -> int:
    """Return the exit code of a failure: 1, unless that says something else of the command."""
    return int(getattr(options, "failure", ExitCode.FAILED))


def _printer(options: argparse.Namespace | None) -> ProblemPrinter:
    """Return what prints errors: all of them where the command has no limit of its own."""
    from exporter.console.problems import ProblemPrinter
    from exporter.console.styles import PLAIN

    if options is None:
        return ProblemPrinter(PLAIN)
    return ProblemPrinter(styles_of(options), getattr(options, "max_errors", sys.maxsize))


def _flush_output() -> None:
    """Write what is still buffered here, where it can fail in words."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _output_is_lost(probe: str = "") -> bool:
    """Return whether standard output takes no more; say so, and give up what it has not taken.

    What could not be written stays in its buffer and fails again; without a buffer, `probe` does.
    """
    try:
        if probe:
            print(end=probe)
        _flush_output()
    except OSError as error:
        # Python would try once more at its end, and print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return False  # whoever read our output has seen enough
        reason = error.strerror or error
        print(f"exporter: standard output cannot be written ({reason})", file=sys.stderr)
        return True
    return False


def command_parser() -> Parser:
    """Return the parser of the whole command line."""
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
    for command in COMMANDS:
        command.add(commands)
    helps = {entry.dest: entry.help for entry in commands._choices_actions}
    for name, inner in commands.choices.items():
        inner.description = f"{helps[name][:1].upper()}{helps[name][1:]}."
    lines = [parser.description or ""]
    for title, group in GROUPS.items():
        names = [command.__name__.rpartition(".")[2] for command in group]
        lines += ["", f"{title}:", *(f"  {name:<12}{helps[name]}" for name in names)]
    parser.description = "\n".join(lines)
    for _, leaf in leaf_parsers(parser):
        add_color(leaf)
    parser.set_defaults(command_line=parser)  # for the command that describes them all
    return parser
