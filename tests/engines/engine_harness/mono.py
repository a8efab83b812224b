"""Mono, Unity's C# without Unity: compiles as C# 7 and runs what it compiled."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine_harness.processes import home_environment, run


class MonoError(AssertionError):
    """The compiler or the program reported an error; the message is the output."""


@dataclass(frozen=True, slots=True)
class Mono:
    """The commands `mcs` and `mono`, with a home folder of their own."""

    compiler: str
    runtime: str
    home: Path

    @classmethod
    def find(cls, home: Path) -> Mono | None:
        """Return Mono if both its compiler and its runtime are on the path."""
        compiler, runtime = shutil.which("mcs"), shutil.which("mono")
        return cls(compiler, runtime, home) if compiler and runtime else None

    def compile(
        self,
        sources: Iterable[Path],
        output: Path,
        kind: Literal["exe", "library"] = "exe",
        references: Iterable[Path | str] = (),
        options: Iterable[str] = (),
    ) -> Path:
        """Compile C# 7 with warnings as errors and return `output`.

        `references` are assemblies: files, or names such as `System.IO.Compression`.

        Raises:
            MonoError: With every message of the compiler.
        """
        command = [
            self.compiler,
            "-langversion:7",
            "-warnaserror",
            "-optimize",
            f"-target:{kind}",
            f"-out:{output}",
            *(f"-reference:{reference}" for reference in references),
            *options,
            *(str(source) for source in sources),
        ]
        code, printed = run(command, home_environment(self.home), seconds=120)
        if code != 0 or not output.exists():
            raise MonoError(f"exit code {code}\n{printed}")
        return output

    def run(
        self, program: Path, *arguments: str | Path, stdin: str = "", seconds: float = 120
    ) -> str:
        """Run a compiled program and return its output.

        Raises:
            MonoError: When it ends with another code than 0.
        """
        command = [self.runtime, str(program), *(str(argument) for argument in arguments)]
        code, printed = run(command, home_environment(self.home), seconds, stdin=stdin)
        if code != 0:
            raise MonoError(f"exit code {code}\n{printed}")
        return printed
