"""The command line in this process: a start of Python costs more than most commands."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any
from unittest import mock

from exporter.cli.main import main


def run(
    *arguments: object, folder: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command as if it were a separate process.

    Args:
        arguments: The command line without the program.
        folder: Where it runs.
        variables: Additional variables of its environment.
    """
    words = [str(argument) for argument in arguments]
    out, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    patched = mock.patch.dict(os.environ, variables)
    inside = contextlib.chdir(folder) if folder else contextlib.nullcontext()
    with patched, inside, contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            code: Any = main(words)
        except SystemExit as end:
            code = end.code
    texts = []
    for stream in (out, errors):
        if not stream.closed:
            stream.flush()
        texts.append("" if stream.closed else stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(words, code or 0, *texts)


def run_json(*arguments: object, **more: Any) -> tuple[int, dict[str, Any]]:
    """Run a command that prints a document; return its exit code and the document."""
    done = run(*arguments, **more)
    document: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, document
