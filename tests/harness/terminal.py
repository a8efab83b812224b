"""A pseudo-terminal in which this checkout's exporter runs, as in that of a user."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from daemon_harness import DEADLINE, environment

INTERRUPT = b"\x03"


@dataclass(frozen=True, slots=True)
class Screen:
    """The output sent to a terminal, and the program's exit code."""

    text: str
    exit_code: int

    @property
    def lines(self) -> list[str]:
        """The lines that stay on the screen, without colours."""
        return [line for line in screen(self.text).split("\n") if line]


def in_terminal(
    *arguments: str,
    folder: Path,
    interrupt_at: Callable[[str], bool] | None = None,
    before: str = "",
    **more: str,
) -> Screen:
    """Run the command line in a new terminal; wait for its end.

    Args:
        arguments: The command line.
        folder: Where it runs.
        interrupt_at: Whether to type Ctrl+C, given the output so far.
        before: Python code that runs first.
        more: Variables of the environment.
    """
    code = f"{before}\nimport sys\nfrom exporter.cli.main import main\nsys.exit(main())"
    command = [sys.executable, "-c", code, *arguments]
    variables = environment(**{"TERM": "xterm-256color", **more})
    if "NO_COLOR" not in more:
        variables.pop("NO_COLOR", None)
    process, terminal = pty.fork()
    if process == 0:
        # As in the shell of a user, whatever started the tests: it may have ignored interrupts.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        os.chdir(folder)
        os.execve(command[0], command, variables)
    displayed = b""
    limit = time.monotonic() + DEADLINE
    while time.monotonic() < limit:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:  # its last process has ended
                break
            if not data:
                break
            displayed += data
        if interrupt_at is not None and interrupt_at(displayed.decode(errors="replace")):
            interrupt_at = None
            os.write(terminal, INTERRUPT)
    else:
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return Screen(displayed.decode(), os.waitstatus_to_exitcode(status))


def screen(text: str) -> str:
    """Return the final text of a screen: rewritten lines once, without colours and echoes."""
    rows: list[str] = []
    for line in text.split("\n"):
        row = ""
        for part in line.split("\r"):
            displayed, cleared, after = part.partition("\x1b[K")
            row = displayed + after if cleared else displayed + row[len(displayed) :]
        rows.append(_without_colors(row).replace("^C", ""))  # the terminal's echo
    return "\n".join(rows)


def _without_colors(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
