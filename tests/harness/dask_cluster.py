"""A real scheduler and workers of Dask, each a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from daemon_harness import DEADLINE as EXPORT_DEADLINE
from daemon_harness import Project, environment

DEADLINE = 300.0


def started(command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a process that has children of its own."""
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def ended(process: subprocess.Popen[bytes]) -> None:
    """End a process of `started` with its children."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(60)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class DaskCluster:
    """A scheduler and its workers on this machine, ended with the `with` block.

    Args:
        folder: Where its notes and logs go.
        env: Additional variables of its processes' environment.
    """

    def __init__(self, folder: Path, env: dict[str, str] | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.env = env or {}
        self.processes: list[subprocess.Popen[bytes]] = []
        self.notes = folder / "scheduler.json"
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
            "--scheduler-file", str(self.notes),
        )  # fmt: skip
        self.address = ""
        end = time.monotonic() + DEADLINE
        while not self.address and time.monotonic() < end:
            if self.scheduler.poll() is not None:
                break
            try:
                self.address = json.loads(self.notes.read_text())["address"]
            except (OSError, ValueError):
                time.sleep(0.05)
        if not self.address:
            self.close()
            raise RuntimeError(f"no scheduler: {self.log()}")

    def worker(
        self, env: dict[str, str] | None = None, threads: int = 1
    ) -> subprocess.Popen[bytes]:
        """Start a worker; it need not be there yet."""
        return self._start(
            "dask_worker", self.address, "--no-nanny", "--nthreads", str(threads),
            "--no-dashboard", "--local-directory", str(self.folder), env=env,
        )  # fmt: skip

    def close(self) -> None:
        """End all of it."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def log(self) -> str:
        """Return the output of the processes."""
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def __enter__(self) -> DaskCluster:
        """Return the cluster."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all of it."""
        self.close()

    def _start(
        self, module: str, *arguments: str, env: dict[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        log = self.folder / f"{len(self.processes)}-{module}.log"
        own: dict[str, Any] = {**environment(), **self.env, **(env or {})}
        # Workers find nothing of the project by accident.
        with log.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
                env={**os.environ, **own},
                cwd=self.folder,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        self.processes.append(process)
        return process


class Running:
    """An export that goes on."""

    def __init__(self, project: Project, store: Path | str, address: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [
                sys.executable, "-P", "-m", "exporter", "export", str(project.root), "--json",
                "--store", str(store), "--cluster", address, *options,
            ],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    def ended(self) -> tuple[int, dict[str, Any], str]:
        """Return the exit code, the report and the errors."""
        try:
            out, errors = self.process.communicate(timeout=EXPORT_DEADLINE)
        finally:
            self.process.kill()
        assert "Traceback" not in errors, errors
        return self.process.returncode, json.loads(out), errors


def records(store: Path) -> int:
    """Return how many records a store in a folder has."""
    folder = store / "levels"
    return sum(path.is_file() for path in folder.rglob("*")) if folder.exists() else 0
