"""Beginning and ending of the daemon: its rivals, its signals, a reader that leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exporter.model.exit_codes import ExitCode
from exporter.store.atomic_files import release_lock
from exporter.watch import daemon as module
from exporter.watch.daemon import watch_project
from exporter.watch.lock import LOCK, OWNER, claim_project
from silent_reporter import SilentReporter


class Loop:
    """A loop that follows a test's script and records its messages."""

    latest: Loop
    body: Callable[[], int]

    def __init__(
        self, root: Path, reporter: object, lock: Any, jobs: int | None, poll: bool, timeout: float
    ) -> None:
        type(self).latest = self
        self.lock = lock
        self.options = (jobs, poll, timeout)
        self.codes: list[int] = []
        self.closed = False

    def run(self) -> int:
        return type(self).body()

    def stop(self, code: int) -> None:
        self.codes.append(code)

    def close(self) -> None:
        self.closed = True
        release_lock(self.lock)


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> type[Loop]:
    monkeypatch.setattr("exporter.watch.loop.Loop", Loop)
    return Loop


def watch(root: Path, **options: Any) -> int:
    return watch_project(root, reporter=SilentReporter(), **options)


def test_the_loop_gets_the_options_and_its_exit_code_is_returned(
    tmp_path: Path, loop: type[Loop]
) -> None:
    loop.body = lambda: 7
    assert watch(tmp_path) == 7
    assert loop.latest.options == (None, False, 300.0)
    assert watch(tmp_path, jobs=3, poll=True, timeout=5.0) == 7
    assert loop.latest.options == (3, True, 5.0)
    assert loop.latest.closed


@pytest.mark.parametrize("known", [True, False])
def test_a_second_daemon_says_who_is_there_and_leaves(
    tmp_path: Path, loop: type[Loop], capsys: pytest.CaptureFixture[str], known: bool
) -> None:
    lock = claim_project(tmp_path)
    if not known:
        (tmp_path / ".exporter" / OWNER).unlink()
    assert watch(tmp_path) == ExitCode.USAGE
    output = capsys.readouterr().err
    assert "is being watched already" in output
    assert (f"by process {os.getpid()}" in output) == known
    release_lock(lock)


def test_an_error_of_the_loop_closes_it(tmp_path: Path, loop: type[Loop]) -> None:
    def fail() -> int:
        raise ValueError("a bug")

    loop.body = fail
    with pytest.raises(ValueError, match="a bug"):
        watch(tmp_path)
    assert loop.latest.closed
    lock = claim_project(tmp_path)
    assert (tmp_path / ".exporter" / LOCK).exists()
    assert lock is not None
    release_lock(lock)


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, ExitCode.INTERRUPTED),
        (signal.SIGTERM, ExitCode.DONE),
        (signal.SIGHUP, ExitCode.DONE),
    ],
)
def test_the_first_signal_is_a_request_and_the_second_ends_everything(
    tmp_path: Path,
    loop: type[Loop],
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
    code: int,
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(module.os, "_exit", ended.append)

    def interrupted() -> int:
        signal.raise_signal(number)
        assert (loop.latest.codes, ended) == ([code], [])
        signal.raise_signal(number)
        assert ended == [ExitCode.INTERRUPTED]
        return 0

    loop.body = interrupted
    before = signal.getsignal(number)
    assert watch(tmp_path) == 0
    assert signal.getsignal(number) == before


def test_a_reader_that_leaves_ends_it_without_a_word(tmp_path: Path) -> None:
    # In a process of its own, because its standard output is replaced.
    code = f"""
import sys
from pathlib import Path
from exporter.watch import loop
from exporter.watch.daemon import watch_project

def leave(self):
    raise BrokenPipeError

loop.Loop.run = leave
code = watch_project(Path({str(tmp_path)!r}), reporter=None)
print("nobody reads this")
sys.exit(code)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (ExitCode.DONE, "", "")
