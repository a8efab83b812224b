"""A process that is kept: a JSON line asks it for something, and a line `@@...` ends its answer."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping
from typing import Any

from engine_harness.processes import ANSI_SEQUENCE

MARK = "@@"


class LineProcess:
    """A running engine whose script reads its standard input line by line."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )

    @property
    def is_running(self) -> bool:
        """Whether it can be asked."""
        return self.process.poll() is None

    def ask(self, job: Any, seconds: float) -> tuple[str, str]:
        """Send a job; return the word behind the mark and the output before it.

        Raises:
            EOFError: The process ended, or was ended after `seconds`; with all it printed.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        is_late = threading.Event()

        def end() -> None:
            is_late.set()
            self.process.kill()

        timer = threading.Timer(seconds, end)
        timer.start()
        lines: list[str] = []
        try:
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                if line.startswith(MARK):
                    return line.strip().removeprefix(MARK), _plain(lines)
                lines.append(line)
        except BrokenPipeError:
            lines += self.process.stdout
        finally:
            timer.cancel()
        code = self.process.wait()
        ending = f"no end after {seconds} s" if is_late.is_set() else f"exit code {code}"
        raise EOFError(f"{ending}\n{_plain(lines)}")

    def close(self) -> None:
        """End the process, which ends by itself without more lines."""
        try:
            self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()


def _plain(lines: list[str]) -> str:
    return ANSI_SEQUENCE.sub("", "".join(lines))
