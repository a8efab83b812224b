"""Define the exit codes of the exporter's commands."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes that all commands share."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    INTERRUPTED = 130
