"""LuaJIT, which LÖVE runs: runs programs and reports what they print."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from engine_harness.processes import home_environment, run


class LuaError(AssertionError):
    """The program failed; the message is its output."""


@dataclass(frozen=True, slots=True)
class Lua:
    """The command `luajit`, with a home folder of its own."""

    command: str
    home: Path

    @classmethod
    def find(cls, home: Path) -> Lua | None:
        """Return LuaJIT if it is on the path."""
        command = shutil.which("luajit")
        return cls(command, home) if command else None

    def lines(self, program: Path, *arguments: str) -> list[str]:
        """Run a program and return the lines it prints.

        Raises:
            LuaError: It ends with an error.
        """
        command = [self.command, str(program), *arguments]
        code, output = run(command, home_environment(self.home))
        if code != 0:
            raise LuaError(f"exit code {code}\n{output}")
        return output.splitlines()
