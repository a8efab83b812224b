"""Mono, Unity's C# without Unity: compiles as C# 7 and runs the result."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine_harness.processes import MOST_SECONDS, home_environment, run

# How the compiler and the runtime say that an assembly of the framework is not installed. One of
# our own that is missing is a fault like any other.
_MISSING = re.compile(
    r"error CS0006: Metadata file `(System[\w.]*?)(?:\.dll)?' could not be found"
    r"|Could not load file or assembly '(System[\w.]*)[,']"
)


class MonoError(AssertionError):
    """The compiler or the program reported an error; the message is the output."""


class MissingAssemblyError(Exception):
    """Mono is there, but not an assembly of the framework; `conftest.py` makes it a skip.

    Debian splits the framework into dozens of packages, so that half of it is easily installed.
    """

    def __init__(self, assembly: str) -> None:
        super().__init__(f"Mono is installed without {assembly}")
        self.assembly = assembly


@dataclass(frozen=True, slots=True)
class Mono:
    """The commands `mcs` and `mono`, with a separate home folder."""

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

        `references` are assemblies: files, or names such as `System.IO.Compression`. A result
        compiled before from the same files is copied.

        Raises:
            MonoError: With every message of the compiler.
            MissingAssemblyError: A reference to the framework is not installed.
        """
        command = [
            *("-langversion:7", "-warnaserror", "-optimize", f"-target:{kind}"),
            *(f"-reference:{reference}" for reference in references),
            *options,
            *(str(source) for source in sources),
        ]
        digest = hashlib.sha256(output.name.encode())
        for argument in command:
            digest.update(argument.encode())
            file = Path(argument.removeprefix("-reference:"))
            if file.is_file():
                digest.update(file.read_bytes())
        remaining = self.home / "compiled" / digest.hexdigest() / output.name
        if not remaining.exists():
            remaining.parent.mkdir(parents=True, exist_ok=True)
            command = [self.compiler, f"-out:{remaining}", *command]
            code, printed = run(command, home_environment(self.home))
            if code != 0 or not remaining.exists():
                raise _error(code, printed)
        shutil.copyfile(remaining, output)
        return output

    def run(
        self, program: Path, *arguments: str | Path, stdin: str = "", seconds: float = MOST_SECONDS
    ) -> str:
        """Run a compiled program and return its output.

        Raises:
            MonoError: When it ends with another code than 0.
            MissingAssemblyError: It needs a part of the framework that is not installed.
        """
        command = [self.runtime, str(program), *(str(argument) for argument in arguments)]
        code, printed = run(command, home_environment(self.home), seconds, stdin=stdin)
        if code != 0:
            raise _error(code, printed)
        return printed


def _error(code: int, printed: str) -> MonoError | MissingAssemblyError:
    missing = _MISSING.search(printed)
    if missing:
        return MissingAssemblyError(missing[1] or missing[2])
    return MonoError(f"exit code {code}\n{printed}")
