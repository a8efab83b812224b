"""Print the error that ends a command, and choose its exit code."""

from __future__ import annotations

import argparse
import sys

from exporter.cli.arguments import UsageError, failure_code, styles_of
from exporter.console.problems import ProblemPrinter
from exporter.console.styles import PLAIN
from exporter.model.errors import ArgumentError, ExporterError, SpecError
from exporter.model.exit_codes import ExitCode


def report_failure(error: Exception, options: argparse.Namespace | None) -> int | None:
    """Print `error`, which ends a command; return the exit code.

    None, and nothing is printed, for an error that is a bug. `options` are those of the command;
    None if they could not be parsed.
    """
    printer = _printer(options)
    if isinstance(error, (UsageError, ArgumentError)):
        printer.error(str(error))
        return ExitCode.USAGE
    if isinstance(error, SpecError):
        printer.print(error.problems)
        printer.print_omitted()
    elif isinstance(error, ExporterError):
        printer.error(str(error))
    else:
        return None
    return failure_code(options)


def _printer(options: argparse.Namespace | None) -> ProblemPrinter:
    if options is None:
        return ProblemPrinter(PLAIN)
    return ProblemPrinter(styles_of(options), getattr(options, "max_errors", sys.maxsize))
