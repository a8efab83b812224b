"""Print at most `--max-errors` errors and warnings; count the others."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import get_args

from exporter.console.styles import PLAIN, Styles, styled, styled_problem
from exporter.model.errors import Problem, Severity
from exporter.model.texts import count

MAXIMUM_ERRORS = 10


class ProblemPrinter:
    """Prints problems up to a limit, on standard error.

    Errors and warnings are counted separately.

    Args:
        styles: Which streams show colours.
        maximum: How many errors are printed, and how many warnings.
    """

    def __init__(self, styles: Styles = PLAIN, maximum: int = MAXIMUM_ERRORS) -> None:
        self.styles = styles
        self.maximum = maximum
        self._seen: dict[Severity, int] = dict.fromkeys(get_args(Severity), 0)

    def print(self, problems: Iterable[Problem]) -> None:
        """Print problems, up to the limit for errors and that for warnings."""
        for problem in problems:
            if self.admits(problem.severity):
                self.line(styled_problem(problem, self.styles.errors))

    def admits(self, severity: Severity) -> bool:
        """Count a problem of this severity; return whether to print it."""
        self._seen[severity] += 1
        return self._seen[severity] <= self.maximum

    def print_omitted(self) -> None:
        """Print how many problems were left out, and start counting again."""
        errors, warnings = (
            max(0, self._seen[severity] - self.maximum) for severity in ("error", "warning")
        )
        if errors:
            self.line(f"and {errors} more (--max-errors)")
        if warnings:
            self.line(f"and {count(warnings, 'more warning')} (--max-errors)")
        self._seen = dict.fromkeys(get_args(Severity), 0)

    def error(self, text: str) -> None:
        """Print an error of the command that belongs to no file."""
        self.line(f"{styled('exporter:', 'error', self.styles.errors)} {text}")

    @staticmethod
    def line(text: str) -> None:
        """Print a line on standard error."""
        print(text, file=sys.stderr, flush=True)
