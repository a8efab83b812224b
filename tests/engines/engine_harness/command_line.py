"""The exporter's command line, called in this process."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from exporter.cli.main import main


def call_command(*arguments: str | Path) -> tuple[int, str]:
    """Run `exporter ARGUMENTS`; return its exit code and what it printed, errors last."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = main([str(argument) for argument in arguments])
    return code, output.getvalue() + errors.getvalue()


def run_command(*arguments: str | Path) -> str:
    """Run `exporter ARGUMENTS`, which succeeds, and return what it printed."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = main([str(argument) for argument in arguments])
    assert code == 0, errors.getvalue()
    return output.getvalue()
