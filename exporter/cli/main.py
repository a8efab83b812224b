"""The command line: arguments in, exit codes out. Each command is a module of this room."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from exporter._version import __version__
from exporter.cli import (
    check,
    clean,
    export,
    init,
    inspect,
    migrate,
    plugins,
    preview,
    schema,
    sudoku,
    table,
    trust,
    watch,
)
from exporter.cli.arguments import UsageError
from exporter.export.plain_warnings import plain_warnings
from exporter.model.errors import ExporterError, SpecError
from exporter.model.exit_codes import ExitCode

# In the order of the help.
COMMANDS = (
    export,
    watch,
    check,
    init,
    preview,
    inspect,
    table,
    sudoku,
    schema,
    plugins,
    migrate,
    trust,
    clean,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        with plain_warnings():
            return int(options.run(options))
    except UsageError as error:
        print(f"exporter: {error}", file=sys.stderr)
        return ExitCode.USAGE
    except SpecError as error:
        for problem in error.problems:
            print(problem.render(), file=sys.stderr)
        return ExitCode.FAILED
    except ExporterError as error:
        print(f"exporter: {error}", file=sys.stderr)
        return ExitCode.FAILED
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (`| head`) has seen enough.
        sys.stderr.close()
        return ExitCode.DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="exporter",
        description="Converts level specs (*.level.yaml) to files for Godot, Unity and Tiled.",
        epilog="Start with `exporter init`, then keep `exporter watch` running while you work.",
    )
    parser.add_argument("--version", action="version", version=f"exporter {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser
